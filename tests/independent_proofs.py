"""Encoding, hashes and proofs for the independent auditor: sections 2, 3 and 9 of protocol.md."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgpack
from independent_group import (
    BASE,
    ZERO,
    Element,
    Q,
    combine,
    encode_point,
    hashed,
    lp,
    minus,
    points,
    require,
    scalars,
)


def pack(value: object) -> bytes:
    return msgpack.packb(value, use_bin_type=True)


def unpack(data: bytes) -> list:
    value = msgpack.unpackb(data, raw=False)
    require(pack(value) == data, "an encoding that is not canonical")
    return value


def digest(label: str, value: object) -> bytes:
    return hashlib.sha256(pack([label, value])).digest()


class Transcript:
    def __init__(self, kind: bytes, context: bytes) -> None:
        self.hash = hashlib.sha512()
        self.absorb(b"proof", b"p2pclimb/1 " + kind)
        self.absorb(b"context", context)

    def absorb(self, label: bytes, data: bytes) -> None:
        self.hash.update(lp(label) + lp(data))

    def challenge(self, label: bytes) -> int:
        squeezed = self.hash.copy()
        squeezed.update(lp(b"squeeze") + lp(label))
        self.absorb(label, squeezed.digest())
        return int.from_bytes(squeezed.digest(), "little") % Q


Equation = tuple[Element, list[tuple[int, Element]]]


def check_sigma(
    kind: bytes, context: bytes, count: int, equations: list[Equation], proof: bytes
) -> None:
    require(len(proof) == 32 * (count + 1), "a proof of another length")
    c, *s = scalars(proof)
    transcript = Transcript(kind, context)
    u32 = [number.to_bytes(4, "big") for number in range(2 * len(equations) + 3)]
    transcript.absorb(b"sizes", count.to_bytes(4, "big") + len(equations).to_bytes(4, "big"))
    for image, terms in equations:
        transcript.absorb(b"image", encode_point(image) + u32[len(terms)])
        for index, point in terms:
            transcript.absorb(b"term", u32[index] + encode_point(point))
    for image, terms in equations:
        commitment = combine([*((s[index], point) for index, point in terms), (-c, image)])
        transcript.absorb(b"commitment", encode_point(commitment))
    require(transcript.challenge(b"challenge") == c, f"a proof of {kind.decode()}")


def check_shares(
    kind: bytes, context: bytes, key: Element, pairs: list[tuple[Element, Element]], proof: bytes
) -> None:
    equations = [(key, [(0, BASE)]), *((share, [(0, a)]) for a, share in pairs)]
    check_sigma(kind, context, 1, equations, proof)


def pair(left: Sequence[int], right: Sequence[Element]) -> list[tuple[int, Element]]:
    return list(zip(left, right, strict=True))


def check_absence(context, key, places, candidates, proof) -> None:
    pairs = [(a, b, candidate) for a, b in places for candidate in candidates]
    blinded = points(proof[: 32 * len(pairs)])
    equations: list[Equation] = []
    for k, ((a, b, candidate), c) in enumerate(zip(pairs, blinded, strict=True)):
        equations.append((c, [(2 * k, a), (2 * k + 1, minus(b, candidate))]))
        equations.append((ZERO, [(2 * k, BASE), (2 * k + 1, key)]))
    check_sigma(b"absence", context, 2 * len(pairs), equations, proof[32 * len(pairs) :])


def check_transfer(context, key, receiver, places, transfers, proof) -> None:
    equations: list[Equation] = [(key, [(0, BASE)])]
    for k, ((a, _), (r, s)) in enumerate(zip(places, transfers, strict=True), start=1):
        equations.append((r, [(k, BASE)]))
        equations.append((s, [(0, a), (k, receiver)]))
    check_sigma(b"transfer", context, 1 + len(places), equations, proof)


def check_shuffle(context: bytes, joint: Element, before: list, after: list, proof: bytes) -> None:
    n = len(before)
    require(len(proof) == 32 * (4 * n + 5), "a shuffle proof of another length")
    require(len({encode_point(a) for a, _ in after}) == n, "equal masks")
    columns, chain = points(proof[: 32 * n]), points(proof[32 * n : 64 * n])
    c, s1, s2, s3, s4, *rest = scalars(proof[64 * n :])
    s_chain, s_weight = rest[:n], rest[n:]
    h = [hashed(b"p2pclimb/1 shuffle generator", index) for index in range(n + 1)]
    transcript = Transcript(b"shuffle", context)
    transcript.absorb(b"count", n.to_bytes(4, "big"))
    for label, items in (
        (b"base", [BASE]),
        (b"joint key", [joint]),
        (b"generator", h),
    ):
        for item in items:
            transcript.absorb(label, encode_point(item))
    for label, deck in ((b"input", before), (b"output", after)):
        for a, b in deck:
            transcript.absorb(label, encode_point(a) + encode_point(b))
    for column in columns:
        transcript.absorb(b"permutation commitment", encode_point(column))
    u = [transcript.challenge(b"weight") for _ in range(n)]
    for link in chain:
        transcript.absorb(b"chain commitment", encode_point(link))
    product = 1
    for weight in u:
        product = product * weight % Q
    row_sum = minus(combine((1, x) for x in columns), combine((1, x) for x in h[1:]))
    mixed = [-c * weight for weight in u]
    halves = [
        [(-s4, key), *pair(s_weight, [x[at] for x in after]), *pair(mixed, [x[at] for x in before])]
        for at, key in enumerate((BASE, joint))
    ]
    ts = [
        combine([(s1, BASE), (-c, row_sum)]),
        combine([(s2, BASE), (-c, chain[-1]), (c * product, h[0])]),
        combine([(s3, BASE), *pair(s_weight, h[1:]), *pair(mixed, columns)]),
        *map(combine, halves),
        *(
            combine([(s_chain[i], BASE), (s_weight[i], (h[0], *chain)[i]), (-c, chain[i])])
            for i in range(n)
        ),
    ]
    for t in ts:
        transcript.absorb(b"shuffle commitment", encode_point(t))
    require(transcript.challenge(b"shuffle challenge") == c, "a shuffle proof")
