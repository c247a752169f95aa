"""Proof that a seat knows the secret of its public key.

Without it a seat could publish a key that cancels the others' out of the joint key, and read the
whole deck alone (a rogue key).
"""

from __future__ import annotations

from p2pclimb.crypto import sigma
from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import Point, base_point, is_identity
from p2pclimb.crypto.masking import KeyPair
from p2pclimb.crypto.transcript import Proof
from p2pclimb.errors import ProofError

__all__ = ["prove_possession", "verify_possession"]


def prove_possession(keys: KeyPair, context: bytes, entropy: Entropy) -> bytes:
    """Return 64 bytes that prove knowledge of x in X = xG (Schnorr 1991)."""
    statement = _statement(keys.public)
    return sigma.prove(statement, [keys.secret], Proof.POSSESSION, context, entropy)


def verify_possession(public: Point, proof: bytes, context: bytes) -> None:
    """Check a proof of possession.

    Raises ProofError if it does not verify or the key is the identity, MalformedError if it is no
    proof.
    """
    if is_identity(public):
        raise ProofError("A public key is the identity.")
    sigma.verify(_statement(public), proof, Proof.POSSESSION, context)


def _statement(public: Point) -> sigma.Statement:
    return sigma.Statement(1, (sigma.Equation(public, ((0, base_point()),)),))
