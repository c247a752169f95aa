"""Proof that none of some places holds any of some cards, and nothing more.

For a place with residual (A, B) under the owner's key X = xG and a candidate card N, the masked
card is M = B - xA, and with Y = B - N the owner shows C = rho (N - M) for a secret, fresh rho.
C = (rho x) A - rho Y and 0 = (rho x) G - rho X hold together only for such a C, and C is not the
identity only if M is not N; being uniform otherwise, it tells nothing else (inequality of discrete
logarithms, Camenisch and Shoup 2003).
"""

from __future__ import annotations

from collections.abc import Sequence

from p2pclimb.crypto import sigma
from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import (
    ELEMENT_SIZE,
    IDENTITY,
    ORDER,
    Point,
    base_point,
    decode_points,
    encode_points,
    is_identity,
    multiply,
    random_scalar,
    subtract,
)
from p2pclimb.crypto.masking import Ciphertext, KeyPair, share, unmask
from p2pclimb.crypto.transcript import Proof
from p2pclimb.errors import MalformedError, ProofError

__all__ = ["absence_proof_size", "prove_absence", "verify_absence"]


def absence_proof_size(places: int, candidates: int) -> int:
    """Return the bytes of a proof: C and two responses a pair, and one challenge."""
    return (3 * places * candidates + 1) * ELEMENT_SIZE


def prove_absence(
    keys: KeyPair,
    residuals: Sequence[Ciphertext],
    candidates: Sequence[Point],
    context: bytes,
    entropy: Entropy,
) -> bytes:
    """Return a proof that no place holds a candidate: the points C, then the sigma proof.

    Pairs are in order of places, then of candidates.  ValueError for no places or no candidates,
    and if the claim is false.
    """
    if not residuals or not candidates:
        raise ValueError("absence is proved for one place and one card or more")
    cards = [unmask(place, share(keys.secret, place)) for place in residuals]
    differences = [subtract(candidate, card) for card in cards for candidate in candidates]
    if any(map(is_identity, differences)):
        raise ValueError("a place holds one of the cards: absence cannot be proved")
    # One factor for two pairs would tell the ratio of their differences.
    factors = [random_scalar(entropy) for _ in differences]
    blinded = [
        multiply(factor, difference)
        for factor, difference in zip(factors, differences, strict=True)
    ]
    witness = [
        scalar for factor in factors for scalar in (factor * keys.secret % ORDER, ORDER - factor)
    ]
    statement = _statement(keys.public, residuals, candidates, blinded)
    return encode_points(blinded) + sigma.prove(statement, witness, Proof.ABSENCE, context, entropy)


def verify_absence(
    public: Point,
    residuals: Sequence[Ciphertext],
    candidates: Sequence[Point],
    proof: bytes,
    context: bytes,
) -> None:
    """Check a proof of absence.

    Raises ProofError if it does not verify, for no places, no candidates, or an identity among the
    keys and places; MalformedError if it is no proof, as when a C is the identity.
    """
    if not residuals or not candidates:
        raise ProofError("A proof of absence is for no place or no card.")
    if any(map(is_identity, [public, *(place.a for place in residuals)])):
        raise ProofError("A masked card or a public key is the identity.")
    if not isinstance(proof, bytes) or len(proof) != absence_proof_size(
        len(residuals), len(candidates)
    ):
        raise MalformedError("A proof of absence has the wrong length.")
    pairs = len(residuals) * len(candidates)
    cut = pairs * ELEMENT_SIZE
    blinded = decode_points(proof[:cut], pairs)
    statement = _statement(public, residuals, candidates, blinded)
    sigma.verify(statement, proof[cut:], Proof.ABSENCE, context)


def _statement(
    public: Point,
    residuals: Sequence[Ciphertext],
    candidates: Sequence[Point],
    blinded: Sequence[Point],
) -> sigma.Statement:
    """For pair k, with secrets 2k (rho x) and 2k+1 (-rho): both equations of the module's text."""
    equations: list[sigma.Equation] = []
    pairs = [(place, candidate) for place in residuals for candidate in candidates]
    for pair, ((place, candidate), c) in enumerate(zip(pairs, blinded, strict=True)):
        product, negated = 2 * pair, 2 * pair + 1
        y = subtract(place.b, candidate)
        equations.append(sigma.Equation(c, ((product, place.a), (negated, y))))
        equations.append(sigma.Equation(IDENTITY, ((product, base_point()), (negated, public))))
    return sigma.Statement(2 * len(pairs), tuple(equations))
