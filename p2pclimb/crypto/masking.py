"""Cards as points, masked under the joint key of all seats: keys, decks, shares, unmasking.

A card is a point M without known logarithm.  Masked it is an ElGamal ciphertext (A, B) =
(rG, M + rX) under the joint key X, the sum of the seats' keys of this deal.  Each seat's share xA
removes its part of the mask; only all shares together give the card (Barnett and Smart 2003;
protocol.md section 5).  Proofs about all this live in `possession`, `shares`, `absence`,
`transfer` and `shuffle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import (
    ELEMENT_SIZE,
    ORDER,
    Point,
    add,
    base_point,
    decode_points,
    encode_points,
    hash_to_point,
    is_identity,
    multiply,
    multiply_base,
    random_scalar,
    subtract,
    total,
)
from p2pclimb.crypto.transcript import u32
from p2pclimb.errors import MalformedError

__all__ = [
    "CIPHERTEXT_SIZE",
    "Ciphertext",
    "Deck",
    "KeyPair",
    "card_index",
    "card_points",
    "decode_deck",
    "encode_deck",
    "initial_deck",
    "joint_key",
    "key_pair",
    "new_key_pair",
    "residual",
    "share",
    "unmask",
]

CIPHERTEXT_SIZE: Final = 2 * ELEMENT_SIZE
"""Bytes of an encoded ciphertext: A, then B."""

_CARD_LABEL: Final = b"p2pclimb/1 card"


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A seat's keys for one deal: the secret scalar x and the public point xG."""

    secret: int = field(repr=False)
    public: Point


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """A masked card (A, B)."""

    a: Point
    b: Point


Deck: TypeAlias = tuple[Ciphertext, ...]
"""Masked cards in the order of their places."""


def key_pair(secret: int) -> KeyPair:
    """Return the key pair of a secret scalar; MalformedError unless it is in 1..ORDER-1."""
    if not 0 < secret < ORDER:
        raise MalformedError("A secret key is out of range.")
    return KeyPair(secret, multiply_base(secret))


def new_key_pair(entropy: Entropy) -> KeyPair:
    """Return fresh keys; they serve one attempt of one deal."""
    return key_pair(random_scalar(entropy))


def joint_key(publics: Sequence[Point]) -> Point:
    """Return the sum of the seats' public keys.

    Raises MalformedError if there is none, if two are equal, or if a key or the sum is the
    identity.  Only proofs of possession rule out keys made to cancel the others'.
    """
    joint = total(publics)
    if len(set(publics)) != len(publics) or any(map(is_identity, [joint, *publics])):
        raise MalformedError("The public keys of the deal are not distinct and valid.")
    return joint


@cache
def card_points(count: int) -> tuple[Point, ...]:
    """Return the points of cards 0..count-1, one for each physical card.

    Hashed to the group, so that no card is a known combination of others: with known ratios a
    cheat could make one card from another.
    """
    return tuple(hash_to_point(_CARD_LABEL, u32(card)) for card in range(count))


@cache
def _card_table(count: int) -> dict[Point, int]:
    return {point: card for card, point in enumerate(card_points(count))}


def card_index(point: Point, count: int) -> int | None:
    """Return which of the cards 0..count-1 the point is, or None if it is none of them."""
    return _card_table(count).get(point)


def initial_deck(joint: Point, count: int) -> Deck:
    """Return the deck before the first shuffle: cards in order, masked with the public factor 1.

    Everybody computes it; with the factor 0 its points A would be the identity.
    """
    return tuple(Ciphertext(base_point(), add(card, joint)) for card in card_points(count))


def encode_deck(deck: Iterable[Ciphertext]) -> bytes:
    """Return 64 bytes a card: A, then B."""
    return b"".join(encode_points((ciphertext.a, ciphertext.b)) for ciphertext in deck)


def decode_deck(data: bytes, count: int) -> Deck:
    """Return `count` ciphertexts; MalformedError for another length or a bad point."""
    points = decode_points(data, 2 * count)
    return tuple(Ciphertext(a, b) for a, b in zip(points[::2], points[1::2], strict=True))


def share(secret: int, ciphertext: Ciphertext) -> Point:
    """Return the decryption share xA of one key for one masked card."""
    return multiply(secret, ciphertext.a)


def residual(ciphertext: Ciphertext, shares: Iterable[Point]) -> Ciphertext:
    """Return the masked card without the masks that `shares` remove.

    With the shares of all seats but the owner, it is the card under the owner's key alone.
    """
    return Ciphertext(ciphertext.a, subtract(ciphertext.b, total(shares)))


def unmask(remaining: Ciphertext, last_share: Point) -> Point:
    """Return the card's point, given the residual and the owner's share."""
    return subtract(remaining.b, last_share)
