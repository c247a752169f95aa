"""Sigma protocols for linear relations over the group, made non-interactive.

A statement is a list of equations, each saying that a known point is a combination of known
points by secret scalars; the witness is the list of those scalars.  Possession of a key, decryption
shares, openings, absence and transfer of cards are all statements of this form, in modules of their
own; the shuffle is not.  (draft-irtf-cfrg-sigma-protocols; the compact form of challenge and
responses.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import (
    ORDER,
    Point,
    combine,
    decode_scalars,
    encode_scalars,
)
from p2pclimb.crypto.transcript import Item, Proof, Transcript, u32
from p2pclimb.errors import ProofError

__all__ = ["Equation", "Statement", "prove", "verify"]


@dataclass(frozen=True, slots=True)
class Equation:
    """`image` is the sum of each term's point times the scalar with that term's index."""

    image: Point
    terms: tuple[tuple[int, Point], ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """Equations that hold at once for the same `scalars` secret scalars."""

    scalars: int
    equations: tuple[Equation, ...]

    def __post_init__(self) -> None:
        used = {index for equation in self.equations for index, _ in equation.terms}
        if not used or used != set(range(self.scalars)):
            raise ValueError("every secret scalar must occur in an equation, and no other")


def prove(
    statement: Statement,
    witness: Sequence[int],
    proof: Proof,
    context: bytes,
    entropy: Entropy,
) -> bytes:
    """Return a proof that the witness is known; it says nothing else about it.

    It has 32 bytes for the challenge and for the response of each scalar.
    `proof` and `context` bind it to its purpose and place.  Costs one multiplication per term.
    ValueError if the witness has the wrong length; whether it is a witness is not tested, and a
    proof from a wrong one does not verify.
    """
    if len(witness) != statement.scalars:
        raise ValueError("the witness has the wrong number of scalars")
    transcript = _absorbed(statement, proof, context)
    nonces = transcript.nonces(encode_scalars(witness), entropy)
    masks = [next(nonces) for _ in witness]
    challenge = _challenge(
        transcript,
        [
            combine([masks[index] for index, _ in equation.terms], _points(equation))
            for equation in statement.equations
        ],
    )
    responses = [
        (mask + challenge * secret) % ORDER for mask, secret in zip(masks, witness, strict=True)
    ]
    return encode_scalars([challenge, *responses])


def verify(statement: Statement, data: bytes, proof: Proof, context: bytes) -> None:
    """Check a proof; ProofError if it proves nothing, MalformedError if it is no proof.

    The commitments are computed back from the responses, and the challenge must be the one that
    they, the whole statement, the kind of proof and the context give.  Costs one multiplication
    per term and one per image.
    """
    challenge, *responses = decode_scalars(data, 1 + statement.scalars)
    transcript = _absorbed(statement, proof, context)
    commitments = [
        combine(
            [*(responses[index] for index, _ in equation.terms), -challenge],
            [*_points(equation), equation.image],
        )
        for equation in statement.equations
    ]
    if _challenge(transcript, commitments) != challenge:
        raise ProofError("A zero-knowledge proof does not verify.")


def _absorbed(statement: Statement, proof: Proof, context: bytes) -> Transcript:
    transcript = Transcript(proof, context)
    transcript.absorb(Item.SIZES, u32(statement.scalars) + u32(len(statement.equations)))
    for equation in statement.equations:
        transcript.absorb(Item.IMAGE, bytes(equation.image) + u32(len(equation.terms)))
        for index, point in equation.terms:
            transcript.absorb(Item.TERM, u32(index) + bytes(point))
    return transcript


def _challenge(transcript: Transcript, commitments: Sequence[Point]) -> int:
    for commitment in commitments:
        transcript.absorb(Item.COMMITMENT, bytes(commitment))
    return transcript.challenge(Item.CHALLENGE)


def _points(equation: Equation) -> list[Point]:
    return [point for _, point in equation.terms]
