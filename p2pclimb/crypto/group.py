"""The group ristretto255 (RFC 9496), with scalars as integers and points as a type of their own.

A `Point` can only be made by decoding, hashing or arithmetic, so whoever holds one holds a valid
element.  Decoding refuses the identity and every encoding but the canonical one; arithmetic may
reach the identity, which callers test where it matters.  All functions may be called from several
threads at once.  Multiplication takes the same time whatever the secret scalar (libsodium); the
integer arithmetic on scalars around it does not, which only a process on the same machine sees.

The C library behind is bound in `sodium`; nothing else touches it.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.crypto.sodium import load
from p2pclimb.errors import MalformedError

__all__ = [
    "ELEMENT_SIZE",
    "IDENTITY",
    "ORDER",
    "Point",
    "add",
    "base_point",
    "combine",
    "decode_point",
    "decode_points",
    "decode_scalar",
    "decode_scalars",
    "encode_points",
    "encode_scalar",
    "encode_scalars",
    "hash_to_point",
    "is_identity",
    "multiply",
    "multiply_base",
    "random_scalar",
    "subtract",
    "total",
]

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""Number of elements of the group, a prime; scalars are integers modulo it."""

ELEMENT_SIZE: Final = 32
"""Bytes of an encoded point or scalar."""

_Buffer = ctypes.c_char * ELEMENT_SIZE


class Point:
    """An element of the group: immutable, hashable, equal by its canonical encoding."""

    __slots__ = ("_encoding",)
    _encoding: bytes

    def __init__(self) -> None:
        raise TypeError("points are made by decoding or arithmetic only")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("points are immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("points are immutable")

    def __bytes__(self) -> bytes:
        return self._encoding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self._encoding == other._encoding

    def __hash__(self) -> int:
        return hash(self._encoding)

    def __repr__(self) -> str:
        return f"Point({self._encoding.hex()})"


def _point(encoding: bytes) -> Point:
    """Wrap an encoding that is known to be canonical."""
    point = object.__new__(Point)
    object.__setattr__(point, "_encoding", encoding)
    return point


IDENTITY: Final = _point(bytes(ELEMENT_SIZE))
_BASE: Final = _point(
    bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
)


def base_point() -> Point:
    """Return the generator of RFC 9496."""
    return _BASE


def is_identity(point: Point) -> bool:
    """Tell whether `point` is the neutral element."""
    return point == IDENTITY


def decode_point(data: bytes) -> Point:
    """Return the point encoded by 32 bytes.

    Raises MalformedError for another type or length, for the identity, and for every encoding that
    RFC 9496 section 4.3.1 refuses.
    """
    if not isinstance(data, bytes) or len(data) != ELEMENT_SIZE:
        raise MalformedError("A group element is not 32 bytes long.")
    if data == IDENTITY._encoding:
        raise MalformedError("A group element is the identity.")
    # libsodium 1.0.18 ignores bit 255, which would give every point a second encoding.
    if data[-1] & 0x80 or load().is_valid_point(data) != 1:
        raise MalformedError("A group element is not canonically encoded.")
    return _point(data)


def decode_points(data: bytes, count: int) -> tuple[Point, ...]:
    """Return `count` points from their concatenated encodings; raises like `decode_point`."""
    return tuple(decode_point(element) for element in _elements(data, count))


def encode_points(points: Iterable[Point]) -> bytes:
    """Return the concatenated encodings, 32 bytes a point."""
    return b"".join(point._encoding for point in points)


def decode_scalar(data: bytes) -> int:
    """Return the scalar encoded by 32 little-endian bytes.

    Raises MalformedError for another type or length, and for values of `ORDER` and above: they
    would give a second form to every scalar, and to every proof that holds one.
    """
    if not isinstance(data, bytes) or len(data) != ELEMENT_SIZE:
        raise MalformedError("A scalar is not 32 bytes long.")
    scalar = int.from_bytes(data, "little")
    if scalar >= ORDER:
        raise MalformedError("A scalar is not reduced.")
    return scalar


def decode_scalars(data: bytes, count: int) -> tuple[int, ...]:
    """Return `count` scalars from their concatenated encodings; raises like `decode_scalar`."""
    return tuple(decode_scalar(element) for element in _elements(data, count))


def encode_scalar(scalar: int) -> bytes:
    """Return 32 little-endian bytes; ValueError unless the scalar is reduced."""
    if not 0 <= scalar < ORDER:
        raise ValueError("only reduced scalars are encoded")
    return scalar.to_bytes(ELEMENT_SIZE, "little")


def encode_scalars(scalars: Iterable[int]) -> bytes:
    """Return the concatenated encodings, 32 bytes a scalar."""
    return b"".join(map(encode_scalar, scalars))


def _elements(data: bytes, count: int) -> list[bytes]:
    if not isinstance(data, bytes) or len(data) != count * ELEMENT_SIZE:
        raise MalformedError(f"A list is not {count} elements long.")
    return [data[at : at + ELEMENT_SIZE] for at in range(0, len(data), ELEMENT_SIZE)]


def hash_to_point(label: bytes, data: bytes) -> Point:
    """Return a point of which nobody knows the logarithm, determined by `label` and `data`.

    The 64 bytes SHA-512(u32be(len label) || label || data) go through the one-way map of RFC 9496
    section 4.3.4.
    """
    uniform = hashlib.sha512(len(label).to_bytes(4, "big") + label + data).digest()
    output = _Buffer()
    if load().from_hash(output, uniform) != 0:
        raise ArithmeticError("libsodium refused to hash to a point")
    return _point(output.raw)


def random_scalar(entropy: Entropy) -> int:
    """Return a uniform scalar in 1..ORDER-1 (from 64 bytes: the bias is below 2^-250)."""
    while True:
        scalar = int.from_bytes(draw(entropy, 64), "little") % ORDER
        if scalar:
            return scalar


def add(left: Point, right: Point) -> Point:
    """Return the sum of two points."""
    output = _Buffer()
    if load().add(output, left._encoding, right._encoding) != 0:
        raise ArithmeticError("libsodium refused to add two points")
    return _point(output.raw)


def subtract(left: Point, right: Point) -> Point:
    """Return `left` minus `right`."""
    output = _Buffer()
    if load().subtract(output, left._encoding, right._encoding) != 0:
        raise ArithmeticError("libsodium refused to subtract two points")
    return _point(output.raw)


def total(points: Iterable[Point]) -> Point:
    """Return the sum of any number of points, the identity for none."""
    result: Point | None = None
    for point in points:
        result = point if result is None else add(result, point)
    return IDENTITY if result is None else result


def multiply(scalar: int, point: Point) -> Point:
    """Return `point` times `scalar`, any integer, taken modulo the order."""
    if point == _BASE:
        return multiply_base(scalar)
    scalar %= ORDER
    # libsodium reports the identity as a failure, so it is never asked for it.
    if scalar == 0 or point == IDENTITY:
        return IDENTITY
    output = _Buffer()
    if load().multiply(output, scalar.to_bytes(ELEMENT_SIZE, "little"), point._encoding) != 0:
        raise ArithmeticError("libsodium refused to multiply a point")
    return _point(output.raw)


def multiply_base(scalar: int) -> Point:
    """Return the base point times `scalar`, three times faster than `multiply`."""
    scalar %= ORDER
    if scalar == 0:
        return IDENTITY
    output = _Buffer()
    if load().multiply_base(output, scalar.to_bytes(ELEMENT_SIZE, "little")) != 0:
        raise ArithmeticError("libsodium refused to multiply the base point")
    return _point(output.raw)


def combine(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Return the sum of each point times its scalar; ValueError if their numbers differ.

    Equal points are multiplied once, by the sum of their scalars: the first deck of a deal has the
    same point in every place.
    """
    coefficients: dict[Point, int] = {}
    for scalar, point in zip(scalars, points, strict=True):
        coefficients[point] = coefficients.get(point, 0) + scalar
    products = (multiply(scalar, point) for point, scalar in coefficients.items())
    return total(product for product in products if product != IDENTITY)
