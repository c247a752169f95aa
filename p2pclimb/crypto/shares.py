"""Proof that decryption shares are right: one proof for a whole batch of places.

A seat proves its shares for the other seats' places once after the shuffles, and its shares for its
own places whenever it opens cards.  The statement is the same; the two kinds of proof are distinct,
so that neither can be presented as the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2pclimb.crypto import sigma
from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import Point, base_point, is_identity
from p2pclimb.crypto.masking import Ciphertext, KeyPair
from p2pclimb.crypto.transcript import Proof
from p2pclimb.errors import ProofError

__all__ = ["prove_opening", "prove_shares", "verify_opening", "verify_shares"]


def prove_shares(
    keys: KeyPair,
    ciphertexts: Sequence[Ciphertext],
    shares: Sequence[Point],
    context: bytes,
    entropy: Entropy,
) -> bytes:
    """Return 64 bytes that prove every share D = xA for the x of the public key X = xG.

    ValueError for no places or another number of shares (Chaum and Pedersen 1992, as one
    conjunction: one challenge and one response for any number of places).
    """
    return _prove(keys, ciphertexts, shares, Proof.SHARES, context, entropy)


def verify_shares(
    public: Point,
    ciphertexts: Sequence[Ciphertext],
    shares: Sequence[Point],
    proof: bytes,
    context: bytes,
) -> None:
    """Check a proof of shares.

    Raises ProofError if it does not verify, for no places, another number of shares, or the
    identity anywhere; MalformedError if it is no proof.
    """
    _verify(public, ciphertexts, shares, proof, Proof.SHARES, context)


def prove_opening(
    keys: KeyPair,
    residuals: Sequence[Ciphertext],
    shares: Sequence[Point],
    context: bytes,
    entropy: Entropy,
) -> bytes:
    """Return 64 bytes that prove the owner's shares for residual ciphertexts of its own places.

    ValueError for no places or another number of shares.
    """
    return _prove(keys, residuals, shares, Proof.OPENING, context, entropy)


def verify_opening(
    public: Point,
    residuals: Sequence[Ciphertext],
    shares: Sequence[Point],
    proof: bytes,
    context: bytes,
) -> None:
    """Check a proof of opening; raises like `verify_shares`."""
    _verify(public, residuals, shares, proof, Proof.OPENING, context)


def _prove(
    keys: KeyPair,
    ciphertexts: Sequence[Ciphertext],
    shares: Sequence[Point],
    kind: Proof,
    context: bytes,
    entropy: Entropy,
) -> bytes:
    if not ciphertexts or len(ciphertexts) != len(shares):
        raise ValueError("shares are proved for one place or more, one share a place")
    statement = _statement(keys.public, ciphertexts, shares)
    return sigma.prove(statement, [keys.secret], kind, context, entropy)


def _verify(
    public: Point,
    ciphertexts: Sequence[Ciphertext],
    shares: Sequence[Point],
    proof: bytes,
    kind: Proof,
    context: bytes,
) -> None:
    if not ciphertexts or len(ciphertexts) != len(shares):
        raise ProofError("A proof of shares is for no place, or not for one share a place.")
    if any(map(is_identity, [public, *shares, *(ciphertext.a for ciphertext in ciphertexts)])):
        raise ProofError("A share, a masked card or a public key is the identity.")
    sigma.verify(_statement(public, ciphertexts, shares), proof, kind, context)


def _statement(
    public: Point, ciphertexts: Sequence[Ciphertext], shares: Sequence[Point]
) -> sigma.Statement:
    """X = xG, and D = xA for every place."""
    pairs = [(public, base_point())]
    pairs += [(d, ciphertext.a) for ciphertext, d in zip(ciphertexts, shares, strict=True)]
    return sigma.Statement(1, tuple(sigma.Equation(image, ((0, of),)) for image, of in pairs))
