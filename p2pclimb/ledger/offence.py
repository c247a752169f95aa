"""What a seat is convicted of: an offence that its own signatures prove."""

from __future__ import annotations

from dataclasses import dataclass

from p2pclimb.errors import ViolationError
from p2pclimb.ledger.record import Record

__all__ = ["Conviction"]


@dataclass(frozen=True, slots=True)
class Conviction:
    """A seat is out from `step` on, its earliest offence; `proof` are the records that show it.

    `violation` names the rule and says it to people.
    """

    violation: ViolationError
    proof: tuple[Record, ...]

    @property
    def seat(self) -> int:
        """The culprit."""
        return self.violation.seat

    @property
    def step(self) -> int:
        """The step of the offence: the seat's first expected place from there on is void."""
        return self.violation.step
