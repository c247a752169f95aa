"""What the checks of all steps give: a count of what was verified, or the rule that was broken."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import add, attrgetter

__all__ = ["RuleError", "Tally"]


class RuleError(Exception):
    """A body that breaks a rule of its step; the ledger adds who signed it and where.

    `rule` is a stable slug that names the check.
    """

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(text)
        self.rule = rule
        self.text = text


@dataclass(frozen=True, slots=True)
class Tally:
    """How many things of each sort were verified."""

    signatures: int = 0
    possessions: int = 0
    shuffles: int = 0
    shares: int = 0
    openings: int = 0
    absences: int = 0
    transfers: int = 0
    plays: int = 0
    certificates: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, _counts(self), _counts(other)))


_counts = attrgetter(*(field.name for field in fields(Tally)))
