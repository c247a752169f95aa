"""Step `shares`: everybody gives its decryption shares for every dealt place but its own.

After this step a hand depends on its owner alone, so nobody who leaves can block anybody's cards.
Undealt places stay masked for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.crypto.group import Point, decode_points
from p2pclimb.crypto.masking import Deck
from p2pclimb.crypto.shares import verify_shares
from p2pclimb.games.dealing import pack
from p2pclimb.games.scoring import forfeits
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Dealt, Next, restart_deal
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardsDealt, TrickCardShown
from p2pclimb.ledger.hands import MAX_PLACES, Hands, owed_places
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site

__all__ = ["SharesBody", "Sharing"]


@dataclass(frozen=True, slots=True)
class SharesBody:
    """A share for each owed place, by ascending place, and one proof for all of them."""

    shares: tuple[Point, ...]
    proof: bytes


@dataclass(frozen=True, slots=True)
class Sharing:
    """Waiting for the shares of `deck`; `owners` is the seat of every place, None if undealt."""

    cast: Cast
    deck: Deck = field(repr=False)
    owners: tuple[int | None, ...]

    kind = Kind.SHARES

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

    def owed_places(self, seat: int) -> tuple[int, ...]:
        """Return the places for which a seat owes a share, ascending."""
        return owed_places(self.owners, seat, self.cast.face_up)

    def read(self, body: Value) -> SharesBody:
        """Read `[shares, proof]`, 32 bytes a share and 64 bytes."""
        shares, proof = codec.fields(body, 2)
        blob = codec.as_bytes(shares, at_most=32 * MAX_PLACES)
        return SharesBody(decode_points(blob, len(blob) // 32), codec.as_bytes(proof, 64))

    def check(self, site: Site, author: int, body: SharesBody) -> Tally:
        """Verify that every share was made with the secret of the author's key."""
        owed = self.owed_places(author)
        if len(body.shares) != len(owed):
            raise RuleError("shares", f"{len(owed)} shares are owed, {len(body.shares)} were given")
        context = self.cast.context(site, author)
        ciphertexts = [self.deck[place] for place in owed]
        verify_shares(self.cast.keys[author], ciphertexts, body.shares, body.proof, context)
        return Tally(shares=len(owed))

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, SharesBody],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Give every seat its hand."""
        if gone or missed:
            return self.without(gone | missed)
        cast = self.cast
        faces = pack(site.terms.options, len(cast.seats))
        shares = {
            seat: dict(zip(self.owed_places(seat), body.shares, strict=True))
            for seat, body in bodies.items()
        }
        hands = Hands.dealt(faces, self.owners, self.deck, shares)
        told = CardsDealt(cast.deal, hands.sizes(cast.seats))
        shown = (_trick_card(hands, place) for place in cast.face_up)
        return Next(Dealt(cast, hands), (told, *shown))

    def without(self, missing: frozenset[int]) -> Next:
        """Return the next attempt without some seats; these pay as if they had lost the deal.

        The shares of the others may have shown them their hands.
        """
        match = self.cast.match
        dealt = {seat: self.owners.count(seat) for seat in match.seats}
        forfeited = forfeits(match.options, dealt, missing)
        return restart_deal(match, self.cast.attempt, missing, forfeited)


def _trick_card(hands: Hands, place: int) -> TrickCardShown:
    owner = hands.owners[place]
    assert owner is not None
    (card,) = hands.faces_at([place])
    return TrickCardShown(card, owner)
