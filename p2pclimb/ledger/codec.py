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
    items_left = max_items

    def count(items: list[object]) -> list[object]:
        nonlocal items_left
        items_left -= 1 + len(items)
        if items_left < 0:
            raise MalformedError(f"More than {max_items} arrays and items.")
        return items

    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            use_list=True,
            # msgpack allocates an array when it reads its header, before the items are there.
            max_array_len=max_items,
            max_map_len=0,
            max_ext_len=0,
            # Told of every array as soon as it is whole: of many small ones few are made.
            list_hook=count,
        )
    except ValueError as error:  # every error of msgpack is one, and so is UnicodeDecodeError
        raise MalformedError("Bytes that are not msgpack of the allowed kinds.") from error
    accepted = _accept(value, max_depth)
    if encode(accepted) != data:
        raise MalformedError("Bytes that are not in canonical form.")
    return accepted


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


def _accept(value: object, depth_left: int) -> Value:
    match value:
        case bool() | int() | bytes() | str():
            return value
        case list():
            if depth_left == 0:
                raise MalformedError("Arrays nested too deeply.")
            for item in value:
                _accept(item, depth_left - 1)
            return value
        case _:
            raise MalformedError("Only arrays, integers, bytes, texts and booleans are allowed.")


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
