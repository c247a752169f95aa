"""A seat that comes back after a restart: it listens before it signs, and its clocks wait.

What this seat signed before may be known to the others only, if the files it has are old.  So it
signs nothing before it has heard where the others stand, and has what they have (protocol.md,
Storage).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from p2pclimb.ledger.position import Position

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
    _heard: dict[int, int] = field(default_factory=dict)

    def begin(self) -> None:
        """Come back after a restart."""
        self.listens = self.clocks_wait = True

    def hear(self, seat: int, step: int) -> None:
        """Note the step at which another seat stands."""
        self._heard[seat] = step

    def may_sign(self, position: Position, reachable: Collection[int]) -> bool:
        """Whether this seat may sign; once it may, it goes on to.

        All who are connected have said where they stand, with this seat they are a strict majority
        (of two, both), and none of them is ahead.
        """
        if self.listens:
            electorate = position.electorate()
            heard = [s for s in electorate if s == self.seat or s in self._heard]
            is_enough = 2 * len(heard) > len(electorate) and set(reachable) <= self._heard.keys()
            is_ahead = max(self._heard.values(), default=0) <= position.step
            self.listens = not (is_enough and is_ahead)
        return not self.listens

    def may_start_clocks(self, position: Position, reachable: Collection[int]) -> bool:
        """Whether the clocks may start now: this is told once."""
        others = {s for s in position.electorate() if s != self.seat}
        starts = self.clocks_wait and others <= set(reachable)
        self.clocks_wait = self.clocks_wait and not starts
        return starts
