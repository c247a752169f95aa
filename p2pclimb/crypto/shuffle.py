"""Shuffle a masked deck, and prove that it is the same deck in another order, masked anew.

The proof is that of Terelius and Wikstrom (2010) in the form of Haenni, Locher, Koenig and Dubuis
(2017, security proof in arXiv 1901.08371): the prover commits to a permutation matrix, a random
vector of weights shows that it is one (its rows sum to one; the weights' product is kept), and the
same permuted weights tie the output deck to the input deck.  protocol.md gives every formula; the
symbols there (c, u, chat, t, s) are named here in words and in the comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Final

from p2pclimb.crypto.entropy import Entropy, random_permutation
from p2pclimb.crypto.group import (
    ELEMENT_SIZE,
    ORDER,
    Point,
    add,
    base_point,
    combine,
    decode_points,
    decode_scalars,
    encode_points,
    encode_scalars,
    hash_to_point,
    is_identity,
    multiply,
    multiply_base,
    random_scalar,
    subtract,
    total,
)
from p2pclimb.crypto.masking import Ciphertext, Deck, encode_deck
from p2pclimb.crypto.transcript import Item, Proof, Transcript, u32
from p2pclimb.errors import MalformedError, ProofError

__all__ = [
    "ShuffleWitness",
    "generators",
    "prove_shuffle",
    "shuffle",
    "shuffle_proof_size",
    "verify_shuffle",
]

_GENERATOR_LABEL: Final = b"p2pclimb/1 shuffle generator"


@dataclass(frozen=True, slots=True)
class ShuffleWitness:
    """The secret of a shuffle: place i got the card of place `permutation[i]`, masked anew.

    `factors[i]` is the scalar of the mask that was added to it.
    """

    permutation: tuple[int, ...] = field(repr=False)
    factors: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _ShuffleProof:
    """What a proof holds, in the order of its encoding."""

    permutation: tuple[Point, ...]  # c_j, commitments to the columns of the matrix
    chain: tuple[Point, ...]  # chat_i, commitments to the products of the permuted weights
    challenge: int
    responses: tuple[int, ...]  # s1..s4
    chain_responses: tuple[int, ...]  # shat_i
    weight_responses: tuple[int, ...]  # s'_i


def shuffle_proof_size(count: int) -> int:
    """Return the bytes of a proof for `count` cards."""
    return (4 * count + 5) * ELEMENT_SIZE


@cache
def generators(count: int) -> tuple[Point, ...]:
    """Return h_0..h_count, hashed to the group: nobody knows a relation between them.

    Everybody computes them.  Whoever could choose them could prove any shuffle.
    """
    return tuple(hash_to_point(_GENERATOR_LABEL, u32(index)) for index in range(count + 1))


@cache
def _generators_total(count: int) -> Point:
    """Return h_1 + ... + h_count."""
    return total(generators(count)[1:])


def shuffle(deck: Deck, joint: Point, entropy: Entropy) -> tuple[Deck, ShuffleWitness]:
    """Return the deck in a uniformly random order, each card masked anew, and the secret of it."""
    permutation = random_permutation(len(deck), entropy)
    factors = tuple(random_scalar(entropy) for _ in deck)
    shuffled = tuple(
        _mask_anew(deck[source], joint, factor)
        for source, factor in zip(permutation, factors, strict=True)
    )
    return shuffled, ShuffleWitness(permutation, factors)


def _mask_anew(ciphertext: Ciphertext, joint: Point, factor: int) -> Ciphertext:
    return Ciphertext(
        add(ciphertext.a, multiply_base(factor)), add(ciphertext.b, multiply(factor, joint))
    )


def prove_shuffle(
    before: Deck,
    after: Deck,
    witness: ShuffleWitness,
    joint: Point,
    context: bytes,
    entropy: Entropy,
) -> bytes:
    """Return a proof, (4N + 5) * 32 bytes, that `after` is a shuffle of `before`.

    ValueError if the decks and the witness differ in length or are empty, or if the witness is no
    permutation.  Costs 5N + 1 multiplications and 3N + 4 of the base point.
    """
    count = len(before)
    if not count or {len(after), len(witness.permutation), len(witness.factors)} != {count}:
        raise ValueError("the decks and the witness of a shuffle are not of one length")
    if set(witness.permutation) != set(range(count)):
        raise ValueError("the witness of a shuffle is no permutation")
    transcript = _transcript(before, after, joint, context)
    nonces = transcript.nonces(_encode_witness(witness), entropy)

    openings = list(islice(nonces, count))  # r_j
    columns = _commit_permutation(witness.permutation, openings)
    weights = _weights(transcript, columns)
    permuted = [weights[source] for source in witness.permutation]  # u'_i
    chain_openings = list(islice(nonces, count))  # rhat_i
    chain = _Chain.of(permuted, chain_openings)
    commitments = chain.commit(generators(count)[0])
    _absorb_chain(transcript, commitments)

    masks = _Masks.drawn(count, nonces)
    challenge = _challenge(transcript, masks.commit(after, joint, chain))
    secrets = (
        sum(openings),
        chain.openings[-1],
        _inner(openings, weights),
        _inner(witness.factors, permuted),
    )
    return _encode(
        _ShuffleProof(
            permutation=columns,
            chain=commitments,
            challenge=challenge,
            responses=_respond(masks.sums, challenge, secrets),
            chain_responses=_respond(masks.chain, challenge, chain_openings),
            weight_responses=_respond(masks.weights, challenge, permuted),
        )
    )


def _commit_permutation(permutation: Sequence[int], openings: Sequence[int]) -> tuple[Point, ...]:
    """Return c_j, with c_{psi(i)} = r_{psi(i)} G + h_i."""
    count = len(permutation)
    columns = {
        source: add(multiply_base(openings[source]), generator)
        for source, generator in zip(permutation, generators(count)[1:], strict=True)
    }
    return tuple(columns[source] for source in range(count))


@dataclass(frozen=True, slots=True)
class _Chain:
    """R_0..R_N and U_0..U_N, with chat_i = R_i G + U_i h_0 and U_i the product u'_1 ... u'_i."""

    openings: tuple[int, ...] = field(repr=False)
    products: tuple[int, ...] = field(repr=False)

    @staticmethod
    def of(permuted: Sequence[int], chain_openings: Sequence[int]) -> _Chain:
        openings, products = [0], [1]
        for weight, opening in zip(permuted, chain_openings, strict=True):
            openings.append((opening + weight * openings[-1]) % ORDER)
            products.append(weight * products[-1] % ORDER)
        return _Chain(tuple(openings), tuple(products))

    def commit(self, generator: Point) -> tuple[Point, ...]:
        pairs = zip(self.openings[1:], self.products[1:], strict=True)
        return tuple(combine((r, u), (base_point(), generator)) for r, u in pairs)


@dataclass(frozen=True, slots=True)
class _Masks:
    """The nonces that hide the secrets in the responses: omega_1..4, omegahat_i, omega'_i."""

    sums: tuple[int, ...] = field(repr=False)
    chain: tuple[int, ...] = field(repr=False)
    weights: tuple[int, ...] = field(repr=False)

    @staticmethod
    def drawn(count: int, nonces: Iterator[int]) -> _Masks:
        return _Masks(*(tuple(islice(nonces, size)) for size in (4, count, count)))

    def commit(self, after: Deck, joint: Point, chain: _Chain) -> list[Point]:
        """Return t1, t2, t3, t4a, t4b and that_i."""
        base = base_point()
        first, *others = generators(len(after))
        rows, product, image, masking = self.sums
        links = zip(self.chain, self.weights, chain.openings[:-1], chain.products[:-1], strict=True)
        return [
            multiply_base(rows),
            multiply_base(product),
            combine((image, *self.weights), (base, *others)),
            combine((-masking, *self.weights), (base, *(place.a for place in after))),
            combine((-masking, *self.weights), (joint, *(place.b for place in after))),
            *(
                combine((mask + weight * opening, weight * power), (base, first))
                for mask, weight, opening, power in links
            ),
        ]


def verify_shuffle(before: Deck, after: Deck, proof: bytes, joint: Point, context: bytes) -> None:
    """Check that `after` is `before` in some order, masked anew.

    Raises ProofError if it does not verify, for decks that are empty, of two lengths, with the
    identity or with two equal points A; MalformedError if it is no proof.  That `before` is the
    deck that the shuffle before it gave is for the caller to compare.  Costs 8N + 4 multiplications
    and N + 4 of the base point.
    """
    _check_decks(before, after, joint)
    parts = _decode(proof, len(before))
    transcript = _transcript(before, after, joint, context)
    weights = _weights(transcript, parts.permutation)
    _absorb_chain(transcript, parts.chain)
    commitments = _commitments(before, after, parts, joint, weights)
    if _challenge(transcript, commitments) != parts.challenge:
        raise ProofError("The proof of a shuffle does not verify.")


def _check_decks(before: Deck, after: Deck, joint: Point) -> None:
    if not before or len(before) != len(after):
        raise ProofError("A shuffle is of no cards, or gives another number of cards.")
    points = [point for place in (*before, *after) for point in (place.a, place.b)]
    if any(map(is_identity, [joint, *points])):
        raise ProofError("A masked card or the joint key is the identity.")
    if len({place.a for place in after}) != len(after):
        raise ProofError("Two cards of a shuffled deck have the same mask.")


def _commitments(
    before: Deck, after: Deck, parts: _ShuffleProof, joint: Point, weights: Sequence[int]
) -> list[Point]:
    """Return t1, t2, t3, t4a, t4b and that_i as the responses give them."""
    base = base_point()
    count = len(before)
    first, *others = generators(count)
    rows, product, image, masking = parts.responses
    negated = ORDER - parts.challenge
    # The challenge goes into the weights, so that each sum is one combination.
    mixed = (*(negated * weight % ORDER for weight in weights), *parts.weight_responses)
    row_sum = subtract(total(parts.permutation), _generators_total(count))
    links = zip(
        parts.chain_responses,
        parts.weight_responses,
        (first, *parts.chain[:-1]),
        parts.chain,
        strict=True,
    )
    return [
        combine((rows, negated), (base, row_sum)),
        combine(
            (product, negated, parts.challenge * _product(weights)),
            (base, parts.chain[-1], first),
        ),
        combine((image, *mixed), (base, *parts.permutation, *others)),
        combine((-masking, *mixed), (base, *(place.a for place in (*before, *after)))),
        combine((-masking, *mixed), (joint, *(place.b for place in (*before, *after)))),
        *(
            combine((response, weight, negated), (base, previous, link))
            for response, weight, previous, link in links
        ),
    ]


def _transcript(before: Deck, after: Deck, joint: Point, context: bytes) -> Transcript:
    """Absorb the whole statement: both decks, too, before the weights are squeezed."""
    transcript = Transcript(Proof.SHUFFLE, context)
    transcript.absorb(Item.COUNT, u32(len(before)))
    transcript.absorb(Item.BASE, bytes(base_point()))
    transcript.absorb(Item.JOINT_KEY, bytes(joint))
    for generator in generators(len(before)):
        transcript.absorb(Item.GENERATOR, bytes(generator))
    for place in before:
        transcript.absorb(Item.INPUT, encode_deck([place]))
    for place in after:
        transcript.absorb(Item.OUTPUT, encode_deck([place]))
    return transcript


def _weights(transcript: Transcript, columns: Sequence[Point]) -> list[int]:
    """Return u_1..u_N, which depend on the statement and on all of c."""
    for column in columns:
        transcript.absorb(Item.PERMUTATION_COMMITMENT, bytes(column))
    return [transcript.challenge(Item.WEIGHT) for _ in columns]


def _absorb_chain(transcript: Transcript, chain: Sequence[Point]) -> None:
    for link in chain:
        transcript.absorb(Item.CHAIN_COMMITMENT, bytes(link))


def _challenge(transcript: Transcript, commitments: Sequence[Point]) -> int:
    for commitment in commitments:
        transcript.absorb(Item.SHUFFLE_COMMITMENT, bytes(commitment))
    return transcript.challenge(Item.SHUFFLE_CHALLENGE)


def _encode(parts: _ShuffleProof) -> bytes:
    return encode_points((*parts.permutation, *parts.chain)) + encode_scalars(
        (
            parts.challenge,
            *parts.responses,
            *parts.chain_responses,
            *parts.weight_responses,
        )
    )


def _decode(data: bytes, count: int) -> _ShuffleProof:
    if not isinstance(data, bytes) or len(data) != shuffle_proof_size(count):
        raise MalformedError("The proof of a shuffle has the wrong length.")
    cut = 2 * count * ELEMENT_SIZE
    points = decode_points(data[:cut], 2 * count)
    challenge, *scalars = decode_scalars(data[cut:], 2 * count + 5)
    return _ShuffleProof(
        permutation=points[:count],
        chain=points[count:],
        challenge=challenge,
        responses=tuple(scalars[:4]),
        chain_responses=tuple(scalars[4 : 4 + count]),
        weight_responses=tuple(scalars[4 + count :]),
    )


def _encode_witness(witness: ShuffleWitness) -> bytes:
    return b"".join(map(u32, witness.permutation)) + encode_scalars(witness.factors)


def _respond(masks: Sequence[int], challenge: int, secrets: Sequence[int]) -> tuple[int, ...]:
    """Return mask + challenge * secret, one by one."""
    return tuple(
        (mask + challenge * secret) % ORDER for mask, secret in zip(masks, secrets, strict=True)
    )


def _inner(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True)) % ORDER


def _product(scalars: Sequence[int]) -> int:
    product = 1
    for scalar in scalars:
        product = product * scalar % ORDER
    return product
