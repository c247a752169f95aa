"""Step `commit`: every seat commits to its coin and its key for one deal, before any is shown.

Keys, coins and secrets are fresh for every deal and every attempt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2pclimb.games.match import Match
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Beginning, Next
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealBegan
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.ended import end
from p2pclimb.ledger.steps.reveal import Revealing

__all__ = ["Committing", "begin_deal"]


@dataclass(frozen=True, slots=True)
class Committing:
    """Waiting for the commitments of `match.seats`."""

    match: Match
    attempt: int

    kind = Kind.COMMIT

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.match.deal

    def authors(self) -> tuple[int, ...]:
        """Return the seats that are to take part in this deal."""
        return self.match.seats

    def read(self, body: Value) -> bytes:
        """Read `[commitment]`, 32 bytes."""
        (value,) = codec.fields(body, 1)
        return codec.as_bytes(value, 32)

    def check(self, site: Site, author: int, body: bytes) -> Tally:
        """Accept: a commitment is judged when it is opened."""
        return Tally()

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, bytes],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Wait for the openings; who has not committed sits out this deal."""
        match = self.match.without(*gone, *missed)
        if (unfit := match.unfit()) is not None:
            return end(unfit, match)
        began = DealBegan(match.deal, self.attempt, match.seats)
        return Next(Revealing(match, self.attempt, bodies, self.match.seats, site), (began,))


def begin_deal(beginning: Beginning) -> Next:
    """Return the first step of a deal, or the end where the terms no longer fit the seats."""
    match = beginning.match
    if (unfit := match.unfit()) is not None:
        return end(unfit, match)
    return Next(Committing(match, beginning.attempt))
