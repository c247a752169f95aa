"""Makes bytes that are nearly valid: of samples, by what a fuzzer, a faulty disk or a liar does.

Bytes that hold msgpack, byte strings in it included, are also changed as values: types swapped,
lengths and integers at their bounds, items doubled, lost and nested, headers longer than needed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from random import Random

import msgpack

__all__ = ["mutate", "mutate_value", "pack"]

LENGTHS = (0, 1, 31, 33, 63, 65, 127, 128, 255, 256, 2047, 2049, 65_536, 2**31, 2**32 - 1)
INTEGERS = (-(2**63), -1, 0, 1, 7, 8, 127, 128, 255, 256, 2**31, 2**31 + 1, 2**32, 2**64 - 1)
TEXTS = (
    "",
    "A",
    "0",
    " ",
    "\x1b]52;c;x\x07",
    "\u202e",
    "\u200d",
    "\u0301",
    "\0",
    "open",
    "Ana" * 100,
)
WORDS = (
    *(text.encode() for text in TEXTS),
    b"9" * 5000,
    b"-1",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    "²٣①".encode(),
    b"=",
    b":",
    b"[::1]",
    b"\n\n",
    b"\"'\\",
)


def mutate(samples: Sequence[bytes], rng: Random) -> bytes:
    """Return a sample with some changes, one to six."""
    data = rng.choice(samples)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = rng.choice(_CHANGES)(data, samples, rng)
    return data


# -- as bytes ------------------------------------------------------------------------------------


def _flip(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    if not data:
        return b"\0"
    bit = rng.randrange(8 * len(data))
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _cut(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    return data[: rng.randint(0, len(data))]


def _drop(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[end:]


def _repeat(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    start, end = _span(data, rng)
    return data[:end] + data[start:end] * rng.choice((1, 1, 2, 50)) + data[end:]


def _splice(data: bytes, samples: Sequence[bytes], rng: Random) -> bytes:
    other = rng.choice(samples)
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


def _insert(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randint(0, len(data))
    new = rng.choice(WORDS) if rng.random() < 0.7 else rng.randbytes(rng.randint(1, 40))
    return data[:at] + new + data[at:]


def _claim_length(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    """Write a length over some bytes, as a number or as the header of an array, text or bytes."""
    at, length = rng.randint(0, len(data)), rng.choice(LENGTHS)
    head = rng.choice((b"", b"\xdd", b"\xdb", b"\xc6", b"\xdf", b"\xc9"))
    new = head + struct.pack(">I", length)
    return data[:at] + new + data[at + len(new) :]


def _nest(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    head = rng.choice((b"\x91", b"\x92", b"\xdc\x00\x01", b"\xdc\x08\x00", b"\x81", b"[", b"("))
    return head * rng.choice((5, 6, 7, 100, 3000)) + data


def _span(data: bytes, rng: Random) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice((1, 2, 4, 8, 32, 64, 1000)))


# -- as values -----------------------------------------------------------------------------------


def _change_value(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    """Change the msgpack that the bytes hold, behind a header or none; else flip a bit."""
    for start in (0, 4):
        found, value = _unpacked(data[start:])
        if found and isinstance(value, list):
            return data[:start] + pack(
                mutate_value(value, rng), rng if rng.random() < 0.1 else None
            )
    return _flip(data, (), rng)


def mutate_value(value: object, rng: Random) -> object:
    """Return a value with one place in it changed, however deep."""
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        return [*value[:at], mutate_value(value[at], rng), *value[at + 1 :]]
    if isinstance(value, bytes) and rng.random() < 0.7:
        found, inner = _unpacked(value)
        if found and isinstance(inner, list):
            return pack(mutate_value(inner, rng))
    return _other(value, rng)


def _other(value: object, rng: Random) -> object:
    strange = (None, 1.5, {1: 2}, msgpack.ExtType(1, b"x"), True, b"", "", [], 0, [[]], [value])
    choices: list[Callable[[], object]] = [
        *[lambda: rng.choice(strange)] * 4,
        lambda: rng.choice(INTEGERS),
        lambda: rng.choice(TEXTS),
        lambda: bytes(rng.choice(LENGTHS[:11])),
    ]
    match value:
        case bool():
            choices += [lambda: not value, lambda: int(value)]
        case int():
            choices += [
                lambda: min(value + 1, INTEGERS[-1]),
                lambda: max(value - 1, INTEGERS[0]),
            ] * 2
        case bytes() if value:
            choices += [
                lambda: _flip(value, (), rng),
                lambda: value[:-1],
                lambda: value + value[-1:],
                lambda: bytes(len(value)),
                lambda: b"\xff" * len(value),
                value.hex,
            ]
        case str():
            choices += [
                lambda: value + rng.choice(TEXTS),
                lambda: value.encode("utf-8", "surrogatepass"),
                value.swapcase,
            ]
        case list() if value:
            at = rng.randrange(len(value))
            choices += [
                lambda: value[:at] + value[at + 1 :],
                lambda: value[: at + 1] + value[at:],
                lambda: value[::-1],
                lambda: value * rng.choice((2, 100)),
            ]
    return rng.choice(choices)()


def _unpacked(data: bytes) -> tuple[bool, object]:
    try:
        return True, msgpack.unpackb(data, strict_map_key=False, unicode_errors="surrogateescape")
    except Exception:  # whatever is wrong with it, it is not to be changed as a value
        return False, None


def pack(value: object, longer: Random | None = None) -> bytes:
    """Return the msgpack of a value; with `longer` some headers are longer than they need be."""
    is_longer = longer is not None and longer.random() < 0.3
    match value:
        case list():
            items = b"".join(pack(item, longer) for item in value)
            head = b"\xdd" + struct.pack(">I", len(value))
            return (head if is_longer else msgpack.Packer().pack_array_header(len(value))) + items
        case bytes() if is_longer:
            return b"\xc6" + struct.pack(">I", len(value)) + value
        case str() if is_longer:
            text = value.encode("utf-8", "surrogatepass")
            return b"\xdb" + struct.pack(">I", len(text)) + text
        case int() if is_longer and 0 <= value < 2**64 and not isinstance(value, bool):
            return b"\xcf" + struct.pack(">Q", value)
        case _:
            return bytes(msgpack.packb(value, unicode_errors="surrogatepass"))


_CHANGES = (
    *(_flip, _cut, _drop, _repeat, _splice, _insert, _claim_length, _nest),
    *(_change_value,) * 8,
)
