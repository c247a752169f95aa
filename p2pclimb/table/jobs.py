"""The long work of a session: checking an entry, making a body that is owed.

Jobs hold immutable values only, so they run in any thread while the session goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from p2pclimb.errors import MalformedError, ViolationError
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.position import Position, Present, Verified, check_entry
from p2pclimb.ledger.steps.shuffle import Shuffling
from p2pclimb.seat.duties import Seat, duty
from p2pclimb.seat.secrets import DealSecrets

__all__ = ["CheckJob", "Duty", "DutyJob"]


@dataclass(frozen=True, slots=True)
class CheckJob:
    """Check an entry completely; gives it verified, or the violation that it proves."""

    position: Position
    entry: Entry

    @property
    def can_wait(self) -> bool:
        """Whether nobody waits for what is found here: all wait for the next seat's shuffle."""
        stage = self.position.stage
        return isinstance(stage, Shuffling) and not stage.is_last

    def run(self) -> Verified | ViolationError:
        """Return what the check found."""
        try:
            return check_entry(self.position, self.entry)
        except ViolationError as violation:
            return violation


@dataclass(frozen=True, slots=True)
class Duty:
    """A body that this seat owes after `previous`, as it stands in the entry and as it is read."""

    previous: bytes
    value: list[Value] = field(repr=False)
    body: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class DutyJob:
    """Make the body that the seat owes at a position.

    `ahead` is an entry whose check still runs: the body is made as if it were right, and used only
    if it is.  So a seat shuffles while it verifies the shuffle before its own.
    """

    seat: Seat
    position: Position
    secrets: DealSecrets | None = field(repr=False)
    reachable: tuple[int, ...]
    ahead: Entry | None = None

    def run(self) -> Duty | None:
        """Return the body; None if the entry ahead turns out to be no body at all."""
        position = self.position
        if self.ahead is not None:
            try:
                body = position.stage.read(self.ahead.body)
            except MalformedError:
                return None
            filling = Present(self.ahead.id, self.ahead.counter, body)
            position, _ = position.fill(self.ahead.author, filling)
        value = duty(self.seat, position, self.secrets, self.reachable)
        return Duty(position.previous, value, position.stage.read(value))
