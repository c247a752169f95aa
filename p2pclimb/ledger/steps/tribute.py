"""Step `tribute`: the loser of the deal before gives its highest card (Winner, clause 12).

It opens the card and proves in zero knowledge that none of its other cards ranks higher, so it can
keep nothing back, and nothing else of its hand becomes known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.crypto.absence import verify_absence
from p2pclimb.crypto.group import Point
from p2pclimb.crypto.masking import card_points
from p2pclimb.errors import MalformedError
from p2pclimb.games.exchange import Exchange, higher_faces
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next, begin_later_play
from p2pclimb.ledger.entry import MAX_TRIBUTE_SIZE, Kind
from p2pclimb.ledger.events import TributeGiven
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.offer import Offering

__all__ = ["GivingTribute", "TributeBody"]


@dataclass(frozen=True, slots=True)
class TributeBody:
    """The card that is given, and the proof that no other is higher (empty: none could be)."""

    showing: Showing
    proof: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class GivingTribute:
    """Waiting for `exchange.giver` to give its highest card."""

    cast: Cast
    hands: Hands = field(repr=False)
    exchange: Exchange

    kind = Kind.TRIBUTE

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

    def unseen_above(self, card: Card) -> tuple[Point, ...]:
        """Return the points of the cards above `card` that nobody has opened."""
        higher = set(higher_faces(self.cast.match.options, card))
        points = card_points(len(self.hands.faces))
        opened = set(self.hands.known.values())
        return tuple(
            points[index]
            for index, face in enumerate(self.hands.faces)
            if face in higher and index not in opened
        )

    def read(self, body: Value) -> TributeBody:
        """Read `[places, shares, proof of the opening, proof of absence]`."""
        places, shares, opening, absence = codec.fields(body, 4)
        showing = Showing.read(places, shares, opening)
        if len(showing.places) != 1:
            raise MalformedError("A tribute is one card.")
        return TributeBody(showing, codec.as_bytes(absence, at_most=MAX_TRIBUTE_SIZE))

    def check(self, site: Site, author: int, body: TributeBody) -> Tally:
        """Verify the opened card, and that no other place of the hand holds a higher one."""
        key = self.cast.keys[author]
        context = self.cast.context(site, author)
        tally = self.hands.check_showing(author, key, body.showing, context)
        hands = self.hands.shown(body.showing)
        (card,) = hands.faces_at(body.showing.places)
        candidates = self.unseen_above(card)
        closed = hands.closed(hands.in_hand(author))
        if not candidates or not closed:
            if body.proof:
                raise RuleError("tribute", "there is nothing to prove, and yet a proof")
            return tally
        residuals = [hands.residuals[place] for place in closed]
        verify_absence(key, residuals, candidates, body.proof, context)
        return tally + Tally(absences=len(closed) * len(candidates))

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, TributeBody],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Hand the card over, face up; a loser that does not give it is out, its cards closed."""
        if gone or missed:
            return begin_later_play(self.cast, self.hands, sorted(gone | missed))
        (body,) = bodies.values()
        giver, receiver = self.exchange.giver, self.exchange.receiver
        hands = self.hands.shown(body.showing)
        (place,) = body.showing.places
        (card,) = hands.faces_at([place])
        offering = Offering(self.cast, hands.give(place, receiver), self.exchange, place)
        return Next(offering, (TributeGiven(giver, receiver, card),))
