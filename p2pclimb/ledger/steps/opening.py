"""Step `open`: every seat signs the terms, whose hash is the table id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2pclimb.games.match import Match
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Beginning, Next
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.ended import end

__all__ = ["Opening"]


@dataclass(frozen=True, slots=True)
class Opening:
    """Waiting for every seat's signature; the body is empty, the entry names the table."""

    seats: tuple[int, ...]

    kind = Kind.OPEN
    deal = 0
    attempt = 0

    def authors(self) -> tuple[int, ...]:
        """Return everybody in the terms."""
        return self.seats

    def read(self, body: Value) -> None:
        """Read the empty array."""
        codec.fields(body, 0)

    def check(self, site: Site, author: int, body: None) -> Tally:
        """Accept: the signature says it all."""
        return Tally()

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, None],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Begin the first deal; a table that somebody left before it opened never opens."""
        if gone:
            return end("a player left before the table opened", None)
        carried = site.terms.carried
        points = dict(enumerate(carried.points)) if carried else None
        return Next(Beginning(Match.start(site.terms.options, self.seats, scores=points), 0))
