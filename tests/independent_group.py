"""ristretto255 (RFC 9496) in plain Python for the independent auditor; slow, without secrets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Element = tuple[int, int, int, int]
ZERO: Element = (0, 1, 1, 0)


class WrongLogError(Exception):
    """What the log should not hold."""


def require(condition: object, what: str) -> None:
    if not condition:
        raise WrongLogError(what)


def lp(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    if check in (-u % P, -u * ROOT % P):
        r = r * ROOT % P
    square = check in (u % P, -u % P)
    return square, r if r % 2 == 0 else P - r


INVSQRT_A_MINUS_D = sqrt_ratio(1, (-1 - D) % P)[1]
SQRT_AD_MINUS_ONE = P - sqrt_ratio((-D - 1) % P, 1)[1]
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) ** 2 % P


def decode(data: bytes) -> Element:
    s = int.from_bytes(data, "little")
    require(len(data) == 32 and 0 < s < P and s % 2 == 0, "a point that is not canonical")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = sqrt_ratio(1, v * u2 * u2 % P)
    x_den = inverse * u2 % P
    y_den = inverse * x_den * v % P
    x = 2 * s * x_den % P
    x = x if x % 2 == 0 else P - x
    y = u1 * y_den % P
    require(square and x * y % P % 2 == 0 and y, "bytes that are no point")
    return x, y, 1, x * y % P


def encode_point(point: Element) -> bytes:
    x0, y0, z0, t0 = point
    u1, u2 = (z0 + y0) * (z0 - y0) % P, x0 * y0 % P
    _, inverse = sqrt_ratio(1, u1 * u2 * u2 % P)
    den1, den2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = den1 * den2 * t0 % P
    x, y, den = x0, y0, den2
    if t0 * z_inverse % P % 2:
        x, y, den = y0 * ROOT % P, x0 * ROOT % P, den1 * INVSQRT_A_MINUS_D % P
    if x * z_inverse % P % 2:
        y = -y % P
    s = den * (z0 - y) % P
    return min(s, P - s, key=lambda n: n % 2).to_bytes(32, "little")


def add(left: Element, right: Element) -> Element:
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def combine(pairs: Iterable[tuple[int, Element]]) -> Element:
    """Σ scalar · point, four bits at a time and with the doublings shared (Straus)."""
    rows = [(scalar % Q, multiples(point)) for scalar, point in pairs]
    result = ZERO
    for shift in range(252, -1, -4):
        for _ in range(4):
            result = add(result, result)
        for scalar, row in rows:
            if digit := scalar >> shift & 15:
                result = add(result, row[digit])
    return result


def multiples(point: Element) -> list[Element]:
    row = [ZERO]
    for _ in range(15):
        row.append(add(row[-1], point))
    return row


def minus(left: Element, right: Element) -> Element:
    x, y, z, t = right
    return add(left, (-x % P, y, z, -t % P))


def elligator(data: bytes) -> Element:
    r0 = int.from_bytes(data, "little") % 2**255 % P
    r = ROOT * r0 * r0 % P
    u, v = (r + 1) * ONE_MINUS_D_SQ % P, (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    c = -1 % P
    if not square:
        s, c = s * r0 % P, r
        s = s if s % 2 else P - s
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0, w1 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


@cache
def hashed(label: bytes, index: int) -> Element:
    data = hashlib.sha512(lp(label) + index.to_bytes(4, "big")).digest()
    return decode(encode_point(add(elligator(data[:32]), elligator(data[32:]))))


BASE = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


def points(data: bytes) -> list[Element]:
    return [decode(data[at : at + 32]) for at in range(0, len(data), 32)]


def scalars(data: bytes) -> list[int]:
    require(len(data) % 32 == 0, "scalars of another length")
    found = [int.from_bytes(data[at : at + 32], "little") for at in range(0, len(data), 32)]
    require(all(scalar < Q for scalar in found), "a scalar that is not reduced")
    return found
