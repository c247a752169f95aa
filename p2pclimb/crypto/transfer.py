"""Handing cards to another seat so that it alone sees them, and everybody sees that it can.

The owner of a residual (A, B) under its key X = xG picks a secret t and publishes R = tG and
S = xA + tY, where Y is the receiver's key.  (-R, B - S) is then the card under Y: it has the shape
of a dealt card, so that openings, absences and further transfers work for the receiver unchanged.
(R, S) encrypts the owner's share to the receiver, and the proof shows that it does.  Whoever
verifies it knows that the receiver can read the card, so that there is nothing to complain about
later (protocol.md section 3, step 8).

The giver still knows the card.  Whether the receiver owns the place from now on, or was only shown
its card, is decided by the rules of the game; and so is who may give which place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2pclimb.crypto import sigma
from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import (
    IDENTITY,
    Point,
    base_point,
    combine,
    decode_points,
    encode_points,
    is_identity,
    multiply_base,
    random_scalar,
    subtract,
)
from p2pclimb.crypto.masking import Ciphertext, KeyPair
from p2pclimb.crypto.transcript import Proof
from p2pclimb.errors import ProofError

__all__ = [
    "Transfer",
    "decode_transfers",
    "encode_transfers",
    "prove_transfer",
    "received",
    "verify_transfer",
]


@dataclass(frozen=True, slots=True)
class Transfer:
    """What turns the giver's residual of one place into the receiver's: R and S."""

    r: Point
    s: Point


def encode_transfers(transfers: Iterable[Transfer]) -> bytes:
    """Return 64 bytes a transfer: R, then S."""
    return b"".join(encode_points((transfer.r, transfer.s)) for transfer in transfers)


def decode_transfers(data: bytes, count: int) -> tuple[Transfer, ...]:
    """Return `count` transfers; MalformedError for another length, a bad point or the identity."""
    points = decode_points(data, 2 * count)
    return tuple(Transfer(r, s) for r, s in zip(points[::2], points[1::2], strict=True))


def prove_transfer(
    keys: KeyPair,
    residuals: Sequence[Ciphertext],
    receiver: Point,
    context: bytes,
    entropy: Entropy,
) -> tuple[tuple[Transfer, ...], bytes]:
    """Return a transfer of each place to the receiver's key, and one proof for all of them.

    The proof has 64 bytes and 32 more a place.  ValueError for no places, and if the receiver's
    key is the identity, under which everybody could read the cards.
    """
    if not residuals or is_identity(receiver):
        raise ValueError("one place or more is transferred, and to a valid key")
    # One factor for two places would tell the difference of their cards.
    factors = [random_scalar(entropy) for _ in residuals]
    transfers = tuple(
        Transfer(multiply_base(factor), combine((keys.secret, factor), (place.a, receiver)))
        for factor, place in zip(factors, residuals, strict=True)
    )
    statement = _statement(keys.public, residuals, receiver, transfers)
    witness = [keys.secret, *factors]
    return transfers, sigma.prove(statement, witness, Proof.TRANSFER, context, entropy)


def verify_transfer(
    giver: Point,
    residuals: Sequence[Ciphertext],
    receiver: Point,
    transfers: Sequence[Transfer],
    proof: bytes,
    context: bytes,
) -> None:
    """Check a proof of transfer, given the places' residuals under the giver's key.

    Raises ProofError if it does not verify, for no places, another number of transfers, or the
    identity anywhere; MalformedError if it is no proof.
    """
    if not residuals or len(residuals) != len(transfers):
        raise ProofError("A proof of transfer is for no place, or not for one transfer a place.")
    points = [giver, receiver, *(place.a for place in residuals)]
    points += [point for transfer in transfers for point in (transfer.r, transfer.s)]
    if any(map(is_identity, points)):
        raise ProofError("A transfer, a masked card or a public key is the identity.")
    statement = _statement(giver, residuals, receiver, transfers)
    sigma.verify(statement, proof, Proof.TRANSFER, context)


def received(residual: Ciphertext, transfer: Transfer) -> Ciphertext:
    """Return the card under the receiver's key alone, given a verified transfer of its place."""
    return Ciphertext(subtract(IDENTITY, transfer.r), subtract(residual.b, transfer.s))


def _statement(
    giver: Point,
    residuals: Sequence[Ciphertext],
    receiver: Point,
    transfers: Sequence[Transfer],
) -> sigma.Statement:
    """X = xG, and for place k, with the secrets 0 (x) and k (t): R = tG and S = xA + tY."""
    equations = [sigma.Equation(giver, ((0, base_point()),))]
    pairs = zip(residuals, transfers, strict=True)
    for factor, (place, transfer) in enumerate(pairs, start=1):
        equations.append(sigma.Equation(transfer.r, ((factor, base_point()),)))
        equations.append(sigma.Equation(transfer.s, ((0, place.a), (factor, receiver))))
    return sigma.Statement(1 + len(transfers), tuple(equations))
