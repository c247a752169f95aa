"""The end of a table: nobody owes anything any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from p2pclimb.games.match import Match
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next
from p2pclimb.ledger.events import TableEnded
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.stage import Site

__all__ = ["Ended", "end"]


@dataclass(frozen=True, slots=True)
class Ended:
    """The table has ended for a `reason`; `match` holds the final scores, if a deal was begun."""

    reason: str
    match: Match | None

    kind = None
    attempt = 0

    @property
    def deal(self) -> int:
        """The number of the deal that would have come next; 0 if the table never opened."""
        return self.match.deal if self.match else 0

    def authors(self) -> tuple[int, ...]:
        """Return nobody."""
        return ()

    def read(self, body: Value) -> NoReturn:
        """Refuse: no entry is expected."""
        raise AssertionError("an ended table reads nothing")

    def check(self, site: Site, author: int, body: object) -> Tally:
        """Refuse: no entry is expected."""
        raise AssertionError("an ended table checks nothing")

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, object],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Refuse: an ended table never completes."""
        raise AssertionError("an ended table has no next step")


def end(reason: str, match: Match | None) -> Next:
    """Return the end of the table, told as an event."""
    return Next(Ended(reason, match), (TableEnded(reason),))
