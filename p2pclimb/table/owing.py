"""What this seat owes by the rules: made off the event loop, the secrets for it kept first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.opening import Opening
from p2pclimb.ledger.steps.shuffle import Shuffling
from p2pclimb.seat.duties import Seat
from p2pclimb.table.effects import Effect, Seal, Work
from p2pclimb.table.jobs import Duty, DutyJob
from p2pclimb.table.own_hand import OwnHand

__all__ = ["Owing"]


@dataclass(slots=True)
class Owing:
    """The body for the present step, and a shuffle begun ahead, by the head that they build on.

    None stands for a body that is being made.
    """

    seat: Seat
    own: OwnHand
    _made: dict[bytes, Duty | None] = field(default_factory=dict, repr=False)

    def made(self, duty: Duty) -> None:
        """Take a body that was made."""
        if duty.previous in self._made:
            self._made[duty.previous] = duty

    def ready(self, position: Position) -> Duty | None:
        """Return the body for a position, once it is made."""
        return self._made.get(position.previous)

    def make(self, position: Position, reachable: Sequence[int]) -> list[Effect]:
        """Begin to make the body for a position, unless that was begun before."""
        if position.previous in self._made:
            return []
        sealed = self._draw_secrets(position)
        if self.own.secrets is None and not isinstance(position.stage, Opening):
            return []  # they were drawn on a disk that is lost, so this seat is absent
        self._made = {position.previous: None}
        return [*sealed, Work(DutyJob(self.seat, position, self.own.secrets, tuple(reachable)))]

    def shuffle_ahead(
        self, position: Position, shuffled: Entry, reachable: Sequence[int]
    ) -> list[Effect]:
        """Begin this seat's shuffle while the shuffle just before it is still being checked."""
        stage = position.stage
        if not isinstance(stage, Shuffling) or self.own.secrets is None:
            return []
        if stage.cast.seats[stage.turn + 1 : stage.turn + 2] != (self.seat.number,):
            return []
        head = position.head_after(shuffled)
        if head in self._made:
            return []
        self._made = {head: None}
        job = DutyJob(self.seat, position, self.own.secrets, tuple(reachable), shuffled)
        return [Work(job)]

    def _draw_secrets(self, position: Position) -> list[Effect]:
        """Make the secrets of an attempt that begins; they are on disk before anything else."""
        stage, site = position.stage, position.site
        if not isinstance(stage, Committing) or site is None:
            return []
        drawn = self.own.begin(stage, site)
        self.own.turn_to(position)
        return [] if drawn is None else [Seal(site.previous, drawn.encode())]
