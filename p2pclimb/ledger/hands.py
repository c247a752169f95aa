"""The cards of one deal as the public sees them: places, owners, and what has been opened.

A place is a position in the shuffled deck.  Once all shares are out, a dealt place is an ordinary
ElGamal encryption under its owner's key alone (its residual), so its owner opens it without help.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from p2pclimb.cards import Card
from p2pclimb.crypto.group import Point, decode_points, encode_points
from p2pclimb.crypto.masking import Ciphertext, Deck, card_index, residual, unmask
from p2pclimb.crypto.shares import verify_opening
from p2pclimb.errors import ProofError
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.judging import RuleError, Tally

__all__ = ["MAX_PLACES", "Hands", "Showing", "owed_places"]

MAX_PLACES = 216
_PROOF_SIZE = 64


@dataclass(frozen=True, slots=True)
class Showing:
    """Places of one's own hand, shown to all.

    `places` ascend.  `shares` are the owner's shares of those places that are still closed, in the
    same order, and `proof` is one proof for all of them; both are empty when nothing was closed.
    """

    places: tuple[int, ...]
    shares: tuple[Point, ...]
    proof: bytes

    @classmethod
    def read(cls, places: Value, shares: Value, proof: Value) -> Showing:
        """Take the three fields of a body apart; raise MalformedError for anything else."""
        blob = codec.as_bytes(shares, at_most=32 * MAX_PLACES)
        return cls(
            tuple(
                codec.as_int(place, 0, MAX_PLACES - 1)
                for place in codec.as_list(places, MAX_PLACES)
            ),
            decode_points(blob, len(blob) // 32),
            codec.as_bytes(proof, at_most=_PROOF_SIZE),
        )

    def write(self) -> list[Value]:
        """Return the three fields as they stand in a body."""
        return [list(self.places), encode_points(self.shares), self.proof]


@dataclass(frozen=True, slots=True)
class Hands:
    """Who was dealt which places, and which cards are public.

    `faces` is the face of every physical card by its index, `owners` the seat that every place
    belongs to now (None: undealt), `known` the physical card of every place that has been opened,
    `on_table` the places of the play that is to be beaten.
    """

    faces: tuple[Card, ...]
    owners: tuple[int | None, ...]
    residuals: Mapping[int, Ciphertext]
    known: Mapping[int, int]
    played: frozenset[int] = frozenset()
    on_table: tuple[int, ...] = ()

    @classmethod
    def dealt(
        cls,
        faces: tuple[Card, ...],
        owners: tuple[int | None, ...],
        deck: Deck,
        shares: Mapping[int, Mapping[int, Point]],
    ) -> Hands:
        """Return the hands once every seat's shares are known.

        `shares[seat][place]` is the share of a seat for a place that another seat was dealt; a
        place for which its owner gave one too is open to all.
        """
        residuals = {}
        open_to_all = {}
        for place, owner in enumerate(owners):
            if owner is None:
                continue
            others = [own[place] for seat, own in shares.items() if seat != owner and place in own]
            residuals[place] = residual(deck[place], others)
            if place in shares[owner]:
                open_to_all[place] = shares[owner][place]
        hands = cls(faces, owners, residuals, {})
        known = {place: hands._card(place, share) for place, share in open_to_all.items()}
        return replace(hands, known=known)

    def in_hand(self, seat: int) -> tuple[int, ...]:
        """Return the places that a seat still holds, ascending."""
        return tuple(
            place
            for place, owner in enumerate(self.owners)
            if owner == seat and place not in self.played
        )

    def sizes(self, seats: Iterable[int]) -> dict[int, int]:
        """Return the number of cards that each seat holds."""
        return {seat: len(self.in_hand(seat)) for seat in seats}

    def closed(self, places: Iterable[int]) -> tuple[int, ...]:
        """Return those of `places` that have not been opened, in the same order."""
        return tuple(place for place in places if place not in self.known)

    def check_showing(self, seat: int, key: Point, showing: Showing, context: bytes) -> Tally:
        """Verify that a seat shows cards of its own hand, rightly opened.

        Raises RuleError for places that are not the seat's or a card that was opened before,
        ProofError for wrong shares (protocol.md, Openings).
        """
        places = showing.places
        if any(low >= high for low, high in pairwise(places)):
            raise RuleError("places", "places must be named once each, in ascending order")
        held = set(self.in_hand(seat))
        for place in places:
            if place not in held:
                raise RuleError("ownership", f"place {place} is not in this seat's hand")
        closed = self.closed(places)
        if len(closed) != len(showing.shares):
            raise RuleError("opening", "there must be one share for each closed place")
        if closed:
            ciphertexts = [self.residuals[place] for place in closed]
            verify_opening(key, ciphertexts, showing.shares, showing.proof, context)
        elif showing.proof:
            raise RuleError("opening", "nothing is opened, and yet there is a proof")
        self._require_new_cards(closed, showing.shares)
        return Tally(openings=len(closed))

    def shown(self, showing: Showing) -> Hands:
        """Return the hands after a verified showing."""
        closed = self.closed(showing.places)
        cards = {
            place: self._card(place, share)
            for place, share in zip(closed, showing.shares, strict=True)
        }
        return replace(self, known={**self.known, **cards})

    def discard(self, places: Iterable[int]) -> Hands:
        """Return the hands after these places were played and put aside."""
        return replace(self, played=self.played.union(places))

    def play(self, places: tuple[int, ...]) -> Hands:
        """Return the hands after these places were played and are to be beaten."""
        return replace(self.discard(places), on_table=places)

    def pick_up(self, seat: int) -> Hands:
        """Return the hands after a seat took what is on the table into its hand, face up."""
        taken = set(self.on_table)
        owners = tuple(seat if p in taken else owner for p, owner in enumerate(self.owners))
        return replace(self, owners=owners, played=self.played - taken, on_table=())

    def give(self, place: int, receiver: int, masked: Ciphertext | None = None) -> Hands:
        """Return the hands after a place went to another seat.

        `masked` is the card under the receiver's key; None for an open card, which needs no mask.
        """
        owners = (*self.owners[:place], receiver, *self.owners[place + 1 :])
        residuals = self.residuals if masked is None else {**self.residuals, place: masked}
        return replace(self, owners=owners, residuals=residuals)

    def faces_at(self, places: Iterable[int]) -> tuple[Card, ...]:
        """Return the faces of opened places."""
        return tuple(self.faces[self.known[place]] for place in places)

    def _require_new_cards(self, places: tuple[int, ...], shares: tuple[Point, ...]) -> None:
        cards = {self._card(place, share) for place, share in zip(places, shares, strict=True)}
        if len(cards) != len(places) or not cards.isdisjoint(self.known.values()):
            raise RuleError("duplicate-card", "a card was opened that has been opened before")

    def _card(self, place: int, share: Point) -> int:
        index = card_index(unmask(self.residuals[place], share), len(self.faces))
        if index is None:
            # After verified shuffles and shares this would be a hole in the proofs.
            raise ProofError(f"Place {place} opens to something that is no card of the pack.")
        return index


def owed_places(
    owners: tuple[int | None, ...], seat: int, face_up: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Return the dealt places for which a seat owes a share, ascending.

    All but its own, and of its own those that are dealt face up.
    """
    return tuple(
        place
        for place, owner in enumerate(owners)
        if owner is not None and (owner != seat or place in face_up)
    )
