"""Step `offer`: the winner of the deal before shows the loser two cards (Winner, clause 12).

Each is handed over so that the loser alone can read it, with a proof that everybody checks; which
of the two it keeps is its choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.crypto.transfer import (
    Transfer,
    decode_transfers,
    encode_transfers,
    verify_transfer,
)
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.exchange import Exchange, check_offer
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next, begin_later_play
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import Offered, TributeReturned
from p2pclimb.ledger.hands import MAX_PLACES, Hands
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.choose import Choosing

__all__ = ["OfferBody", "Offering"]

_TRANSFER_SIZE = 64


@dataclass(frozen=True, slots=True)
class OfferBody:
    """Two places in the order in which they are offered, their transfers, and one proof."""

    places: tuple[int, ...]
    transfers: tuple[Transfer, ...]
    proof: bytes

    def write(self) -> list[Value]:
        """Return the body as it stands in an entry."""
        return [list(self.places), encode_transfers(self.transfers), self.proof]


@dataclass(frozen=True, slots=True)
class Offering:
    """Waiting for `exchange.receiver` to offer two cards.

    `received` is the place of the tribute, which cannot be offered back.
    """

    cast: Cast
    hands: Hands = field(repr=False)
    exchange: Exchange
    received: int

    kind = Kind.OFFER

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return the winner of the deal before."""
        return (self.exchange.receiver,)

    def check_places(self, places: tuple[int, ...]) -> None:
        """Raise IllegalPlayError with the reason unless these places may be offered."""
        check_offer(places, self.hands.in_hand(self.exchange.receiver), self.received)

    def read(self, body: Value) -> OfferBody:
        """Read `[[place, place], transfers, proof]`, 64 bytes a transfer and 128 bytes."""
        places, transfers, proof = codec.fields(body, 3)
        return OfferBody(
            tuple(codec.as_int(p, 0, MAX_PLACES - 1) for p in codec.as_list(places, 2, at_least=2)),
            decode_transfers(codec.as_bytes(transfers, 2 * _TRANSFER_SIZE), 2),
            codec.as_bytes(proof, 128),
        )

    def check(self, site: Site, author: int, body: OfferBody) -> Tally:
        """Verify that both cards are the author's, closed, and that the loser can read them."""
        try:
            self.check_places(body.places)
        except IllegalPlayError as error:
            raise RuleError("offer", error.text.rstrip(".")) from error
        if self.hands.closed(body.places) != body.places:
            raise RuleError("offer", "a card that all have seen cannot be offered")
        context = self.cast.context(site, author)
        verify_transfer(
            self.cast.keys[author],
            [self.hands.residuals[place] for place in body.places],
            self.cast.keys[self.exchange.giver],
            body.transfers,
            body.proof,
            context,
        )
        return Tally(transfers=len(body.places))

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, OfferBody],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Let the loser choose; if the winner offers nothing, the tribute returns, face up."""
        if gone or missed:
            return self._returned(gone)
        (body,) = bodies.values()
        offered = dict(zip(body.places, body.transfers, strict=True))
        choosing = Choosing(self.cast, self.hands, self.exchange, offered)
        return Next(choosing, (Offered(self.exchange.receiver, self.exchange.giver),))

    def _returned(self, gone: frozenset[int]) -> Next:
        giver = self.exchange.giver
        (card,) = self.hands.faces_at([self.received])
        hands = self.hands.give(self.received, giver)
        begun = begin_later_play(self.cast, hands, sorted(gone))
        return begun.after(TributeReturned(giver, card))
