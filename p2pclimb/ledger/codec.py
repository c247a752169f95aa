"""Canonical msgpack: the one encoding of everything that is signed, hashed or sent.

Here live the codec and the helpers that take a decoded array apart.  What the fields of an entry
or a frame mean is known to the modules that call them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgpack

from p2pclimb.errors import MalformedError, UsageError
from p2pclimb.names import MAX_NAME, clean_name

__all__ = [
    "MAX_DEPTH",
    "MAX_ITEMS",
    "Value",
    "as_bool",
    "as_bytes",
    "as_int",
    "as_list",
    "as_name",
    "as_text",
    "decode",
    "encode",
    "fields",
]

Value: TypeAlias = "int | bytes | str | bool | Sequence[Value]"

MAX_DEPTH = 6
MAX_ITEMS = 2048
"""How many arrays and items, counted together, a value may have unless its reader allows fewer."""

_SMALLEST_INT = -(2**63)
_LARGEST_INT = 2**64 - 1


def encode(value: Value) -> bytes:
    """Return the canonical bytes of arrays, integers, byte strings, texts and booleans.

    Tuples and lists encode alike.  Raises TypeError for any other type and ValueError for an
    integer beyond 64 bits or a text that is not Unicode: both are the caller's own mistakes.
    """
    _require_encodable(value)
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def decode(
    data: bytes, max_size: int, max_depth: int = MAX_DEPTH, max_items: int = MAX_ITEMS
) -> Value:
    """Return the value that `data` is the one canonical encoding of; arrays become lists.

    A top-level array has depth 1, an array in it depth 2; at most `max_depth` is accepted, and
    `max_size` bytes, and `max_items` arrays and items in all.  Raises MalformedError and nothing
    else, whatever the bytes (protocol.md, Encoding).
    """
    if len(data) > max_size:
        raise MalformedError(f"{len(data)} bytes where at most {max_size} are allowed.")
    _require_bounded(data, max_depth, max_items)
    try:
        value: Value = msgpack.unpackb(data, raw=False, use_list=True)
    except ValueError as error:  # every error of msgpack is one, and so is UnicodeDecodeError
        raise MalformedError("Bytes that are not msgpack of the allowed kinds.") from error
    if msgpack.packb(value, use_bin_type=True) != data:
        raise MalformedError("Bytes that are not in canonical form.")
    return value


# By the first byte of a value: whether it is an array, how many bytes of its size follow, and its
# size where that is known at once.  The size counts the items of an array, else bytes.
_HEADS: dict[int, tuple[bool, int, int]] = {
    **dict.fromkeys((*range(128), 194, 195, *range(224, 256)), (False, 0, 0)),
    **{0xCC + kind: (False, 0, 1 << kind % 4) for kind in range(8)},
    **{0xA0 + size: (False, 0, size) for size in range(32)},
    **{0xC4 + power: (False, 1 << power, 0) for power in range(3)},
    **{0xD9 + power: (False, 1 << power, 0) for power in range(3)},
    **{0x90 + size: (True, 0, size) for size in range(16)},
    0xDC: (True, 2, 0),
    0xDD: (True, 4, 0),
}


def _require_bounded(data: bytes, max_depth: int, max_items: int) -> None:
    """Raise MalformedError unless the values in `data` are of few items, not deep, and allowed.

    Looks at headers only.  msgpack makes an array when it reads its header, before the items are
    there: a few thousand bytes of nested headers would take many megabytes.
    """
    to_come = [1]  # how many items of each array that is open
    at = 0
    while to_come:
        if to_come[-1] == 0:
            to_come.pop()
            continue
        to_come[-1] -= 1
        head = _HEADS.get(data[at]) if at < len(data) else None
        if head is None:
            raise MalformedError("Bytes that are not msgpack of the allowed kinds.")
        is_array, width, size = head
        size = size or int.from_bytes(data[at + 1 : at + 1 + width], "big")
        at += 1 + width
        if not is_array:
            at += size
            continue
        max_items -= 1 + size
        if max_items < 0:
            raise MalformedError("Too many arrays and items.")
        if len(to_come) > max_depth:
            raise MalformedError("Arrays nested too deeply.")
        to_come.append(size)


def _require_encodable(value: object) -> None:
    match value:
        case bool() | bytes() | str():
            return
        case int():
            if not _SMALLEST_INT <= value <= _LARGEST_INT:
                raise ValueError("an integer beyond 64 bits")
        case list() | tuple():
            for item in value:
                _require_encodable(item)
        case _:
            raise TypeError(f"{type(value).__name__} has no canonical encoding")


def fields(value: Value, count: int) -> list[Value]:
    """Return the items of an array that must have exactly `count`; else MalformedError."""
    if not isinstance(value, list) or len(value) != count:
        raise MalformedError(f"Not an array of {count} fields.")
    return value


def as_list(value: Value, at_most: int, *, at_least: int = 0) -> list[Value]:
    """Return the items of an array of `at_least` to `at_most`; else MalformedError."""
    if not isinstance(value, list) or not at_least <= len(value) <= at_most:
        raise MalformedError(f"Not an array of {at_least} to {at_most} items.")
    return value


def as_int(value: Value, low: int, high: int) -> int:
    """Return an integer from `low` to `high`, both included; a boolean is none.

    Raises MalformedError.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise MalformedError(f"Not an integer from {low} to {high}.")
    return value


def as_bool(value: Value) -> bool:
    """Return a boolean; else MalformedError."""
    if not isinstance(value, bool):
        raise MalformedError("Not a boolean.")
    return value


def as_bytes(value: Value, length: int | None = None, *, at_most: int = 0) -> bytes:
    """Return a byte string of exactly `length` bytes, or of 0 to `at_most` where that is None.

    Raises MalformedError.
    """
    low, high = (0, at_most) if length is None else (length, length)
    if not isinstance(value, bytes) or not low <= len(value) <= high:
        raise MalformedError(f"Not a byte string of {low} to {high} bytes.")
    return value


def as_text(value: Value, at_most: int) -> str:
    """Return a text of at most `at_most` code points, as received; else MalformedError.

    Foreign text may hold control characters: clean it before it is shown.
    """
    if not isinstance(value, str) or len(value) > at_most:
        raise MalformedError(f"Not a text of at most {at_most} characters.")
    return value


def as_name(value: Value) -> str:
    """Return a player's name that is what it shows (see `names.clean_name`).

    Raises MalformedError.
    """
    text = as_text(value, 4 * MAX_NAME)
    try:
        clean = clean_name(text)
    except UsageError as error:
        raise MalformedError("A player has no printable name.") from error
    if clean != text:
        raise MalformedError("A player's name holds characters that cannot be shown.")
    return text
