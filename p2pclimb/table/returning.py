"""A seat that comes back after a restart: it listens before it signs, and its clocks wait.

What this seat signed before may be known to the others only, if the files it has are old.  So it
signs nothing before it has heard where the others stand, and has what they have (protocol.md, What
a node does).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from p2pclimb.ledger.ballots import majority
from p2pclimb.ledger.position import Position
from p2pclimb.table.effects import Heads

__all__ = ["MOST_WAITED", "Returning"]

MOST_WAITED = 600.0
"""After so many seconds the clocks run even if not all seats have come back."""


@dataclass(slots=True)
class Returning:
    """Whether this seat still listens (`listens`), and whether its clocks wait (`clocks_wait`).

    Both are false at a table that was not interrupted.
    """

    seat: int
    listens: bool = False
    clocks_wait: bool = False
    _is_patient: bool = True
    _heard: dict[int, Heads] = field(default_factory=dict)

    def begin(self) -> None:
        """Come back after a restart."""
        self.listens = self.clocks_wait = True

    def hear(self, seat: int, theirs: Heads) -> None:
        """Note where another seat stands."""
        self._heard[seat] = theirs

    def has_waited(self) -> bool:
        """Wait no longer for those who do not come, or whose word does not come true.

        Tells whether the clocks start now.
        """
        starts, self.clocks_wait, self._is_patient = self.clocks_wait, False, False
        return starts

    def go_on(self, position: Position, reachable: Collection[int]) -> None:
        """Listen no more once this seat has caught up: it may sign from then on.

        All who are connected have said where they stand, and this seat has what they have; with it
        they are a strict majority (of two, both).
        """
        electorate = position.electorate()
        behind = {seat for seat, theirs in self._heard.items() if self._has(position, theirs)}
        is_majority = len({*behind, self.seat} & {*electorate}) >= majority(electorate)
        is_all = behind >= {*reachable, *self._heard} or not self._is_patient
        if is_majority and is_all:
            self.listens = False

    def _has(self, position: Position, theirs: Heads) -> bool:
        """Whether this seat knows all that it may itself have signed where another stands."""
        heads = position.heads
        if theirs.step >= len(heads) or heads[theirs.step] != theirs.head:
            return False
        is_same = theirs.step == position.step
        return not is_same or self.seat not in theirs.filled or self.seat in position.fillings

    def may_start_clocks(self, position: Position, reachable: Collection[int]) -> bool:
        """Whether the clocks may start now: this is told once."""
        others = {s for s in position.electorate() if s != self.seat}
        starts = self.clocks_wait and others <= set(reachable)
        self.clocks_wait = self.clocks_wait and not starts
        return starts
