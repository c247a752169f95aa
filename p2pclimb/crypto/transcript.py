"""The Fiat-Shamir transcript that all proofs share, and the nonces drawn from it.

What a proof hashes, under which labels and in which order is decided here and in the modules of
the proofs; this module guarantees that the hashing is injective, that a proof of one kind or
context is nothing in another, and that each challenge depends on everything before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from enum import Enum
from typing import Final

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.crypto.group import ORDER

__all__ = ["Item", "Proof", "Transcript", "length_prefixed", "u32"]

_FRESH_BYTES: Final = 32


class Proof(Enum):
    """The kinds of proof; a proof of one kind is never valid as another."""

    POSSESSION = b"p2pclimb/1 possession"
    SHARES = b"p2pclimb/1 shares"
    OPENING = b"p2pclimb/1 opening"
    ABSENCE = b"p2pclimb/1 absence"
    TRANSFER = b"p2pclimb/1 transfer"
    SHUFFLE = b"p2pclimb/1 shuffle"


class Item(Enum):
    """The labels of what a proof absorbs and of the challenges it squeezes."""

    PROOF = b"proof"
    CONTEXT = b"context"
    # sigma protocols
    SIZES = b"sizes"
    IMAGE = b"image"
    TERM = b"term"
    COMMITMENT = b"commitment"
    CHALLENGE = b"challenge"
    # the shuffle
    COUNT = b"count"
    BASE = b"base"
    JOINT_KEY = b"joint key"
    GENERATOR = b"generator"
    INPUT = b"input"
    OUTPUT = b"output"
    PERMUTATION_COMMITMENT = b"permutation commitment"
    WEIGHT = b"weight"
    CHAIN_COMMITMENT = b"chain commitment"
    SHUFFLE_COMMITMENT = b"shuffle commitment"
    SHUFFLE_CHALLENGE = b"shuffle challenge"


def u32(number: int) -> bytes:
    """Return `number` as four big-endian bytes."""
    return number.to_bytes(4, "big")


def length_prefixed(data: bytes) -> bytes:
    """Return LP(data): four big-endian bytes of length, then the data."""
    return u32(len(data)) + data


class Transcript:
    """One running SHA-512 over a proof's kind, its context, its statement and its messages.

    An item is absorbed as LP(label) || LP(data).  A challenge is the digest of everything so far
    and of LP("squeeze") || LP(label), reduced modulo the group order; the digest is absorbed again
    before anything else (protocol.md section 5).
    """

    __slots__ = ("_state",)

    def __init__(self, proof: Proof, context: bytes) -> None:
        self._state = hashlib.sha512()
        self.absorb(Item.PROOF, proof.value)
        self.absorb(Item.CONTEXT, context)

    def absorb(self, item: Item, data: bytes) -> None:
        """Add one labelled item."""
        self._state.update(length_prefixed(item.value) + length_prefixed(data))

    def challenge(self, item: Item) -> int:
        """Return the challenge under this label, a scalar (bias below 2^-250)."""
        digest = self._squeeze(b"squeeze", item.value)
        self.absorb(item, digest)
        return int.from_bytes(digest, "little") % ORDER

    def nonces(self, secret: bytes, entropy: Entropy) -> Iterator[int]:
        """Yield secret scalars, as many as are asked for.

        They are hedged: hashed from the secret, the transcript so far and fresh randomness.  A
        source of randomness that repeats itself, as after restoring a snapshot, gives the same
        nonces only for the same secret in the same statement, and a good source hides even that.
        """
        seed = self._squeeze(b"nonces", secret, draw(entropy, _FRESH_BYTES))
        return _expand(seed)

    def _squeeze(self, *parts: bytes) -> bytes:
        """Return the digest of the state and `parts`, leaving the state as it is."""
        state = self._state.copy()
        for part in parts:
            state.update(length_prefixed(part))
        return state.digest()


def _expand(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha512(length_prefixed(seed) + u32(counter)).digest()
        yield int.from_bytes(block, "little") % ORDER
        counter += 1
