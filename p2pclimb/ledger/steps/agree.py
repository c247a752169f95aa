"""Step `agree`: everybody signs the final deck, and who owns which place, before any share.

The entry signs the head, and the head covers the deck; nobody can show different decks to
different players and still get a share from anyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.crypto.masking import Deck
from p2pclimb.games.dealing import owners
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next, restart_deal
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.shares import Sharing

__all__ = ["Agreeing"]


@dataclass(frozen=True, slots=True)
class Agreeing:
    """Waiting for every seat's signature under the final deck."""

    cast: Cast
    deck: Deck = field(repr=False)

    kind = Kind.AGREE

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return everybody who takes part."""
        return self.cast.seats

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
        """Wait for the shares of every dealt place."""
        match = self.cast.match
        if gone or missed:
            return restart_deal(match, self.cast.attempt, gone | missed)
        assert match.dealer is not None
        dealt = owners(site.terms.options, match.seats, match.dealer)
        return Next(Sharing(self.cast, self.deck, dealt))
