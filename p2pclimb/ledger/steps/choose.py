"""Step `choose`: the loser of the deal before takes one of the two cards (Winner, clause 12).

The card that it takes is shown to all; the other one it alone has seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.crypto.transfer import Transfer, received
from p2pclimb.errors import MalformedError
from p2pclimb.games.exchange import Exchange
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next, begin_later_play
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardTaken
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site

__all__ = ["Choosing"]


@dataclass(frozen=True, slots=True)
class Choosing:
    """Waiting for `exchange.giver` to take one of the places in `offered`."""

    cast: Cast
    hands: Hands = field(repr=False)
    exchange: Exchange
    offered: Mapping[int, Transfer]

    kind = Kind.CHOOSE

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return the loser of the deal before."""
        return (self.exchange.giver,)

    def taken(self, place: int) -> Hands:
        """Return the hands after the loser took an offered place, still closed."""
        masked = received(self.hands.residuals[place], self.offered[place])
        return self.hands.give(place, self.exchange.giver, masked)

    def read(self, body: Value) -> Showing:
        """Read `[places, shares, proof]` with the one place that is taken."""
        showing = Showing.read(*codec.fields(body, 3))
        if len(showing.places) != 1:
            raise MalformedError("One card is taken.")
        return showing

    def check(self, site: Site, author: int, body: Showing) -> Tally:
        """Verify that an offered card was taken, and opened with the taker's own key."""
        (place,) = body.places
        if place not in self.offered:
            raise RuleError("choice", "the card that was taken was not offered")
        context = self.cast.context(site, author)
        return self.taken(place).check_showing(author, self.cast.keys[author], body, context)

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, Showing],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Show the card to all; if the loser takes none, the first one goes over, closed."""
        giver, receiver = self.exchange.giver, self.exchange.receiver
        if gone or missed:
            hands = self.taken(next(iter(self.offered)))
            begun = begin_later_play(self.cast, hands, sorted(gone))
            return begun.after(CardTaken(giver, receiver, None))
        (showing,) = bodies.values()
        (place,) = showing.places
        hands = self.taken(place).shown(showing)
        (card,) = hands.faces_at([place])
        return begin_later_play(self.cast, hands).after(CardTaken(giver, receiver, card))
