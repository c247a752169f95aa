"""A small file of named values, replaced as a whole by every change: the one form of such files.

    7 bytes magic and format version | SHA-256 of the rest, the header included |
    for each name: u16 length | name | u32 length | value

What the names and values are is the business of `guardfile` and `sealedfile`.  The holder of the
table's lock is the only one who opens them.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.errors import MalformedError, StoreError, UnsupportedError
from p2pclimb.store.files import is_there, read_bounded, shown, write_atomically

__all__ = ["MAX_FILE", "MAX_NAME", "MAX_VALUE", "Format", "KeyedFile"]

MAX_NAME = 1024  # bytes
MAX_VALUE = 320 * 1024  # bytes
MAX_FILE = 32 * 1024 * 1024  # bytes

_DIGEST_SIZE = 32
_NAME_LENGTH = struct.Struct(">H")
_VALUE_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of such files: 7 bytes of magic, the version, its name, what is lost with it."""

    magic: bytes
    version: int
    title: str
    damage: str
    advice: str

    @property
    def header(self) -> bytes:
        """The first bytes of the file."""
        return self.magic + bytes([self.version])


@dataclass(slots=True)
class KeyedFile:
    """The values on disk by their names; made by `open`.  The file is as new as the object."""

    path: Path
    format: Format
    values: Mapping[bytes, bytes] = field(repr=False)

    @classmethod
    def open(cls, path: Path, form: Format) -> KeyedFile:
        """Read the file; a missing one is empty.

        Raises `StoreError`, `MalformedError` for damage and `UnsupportedError` for a newer format.
        """
        if not is_there(path):
            return cls(path, form, {})
        return cls(path, form, _decode(read_bounded(path, MAX_FILE), shown(path), form))

    def put(self, name: bytes, value: bytes) -> None:
        """Keep a value, durable when this returns.

        Raises `StoreError` when a size is out of bounds (1 to `MAX_NAME`, 1 to `MAX_VALUE`,
        `MAX_FILE` in all) and when the file cannot be written; then nothing has changed.
        """
        if not (1 <= len(name) <= MAX_NAME and 1 <= len(value) <= MAX_VALUE):
            raise StoreError(f"The {self.format.title} cannot keep a record of this size.")
        self._replace({**self.values, name: value})

    def drop(self, names: Iterable[bytes]) -> None:
        """Drop values; unknown names are ignored.  Raises `StoreError`."""
        gone = frozenset(names) & self.values.keys()
        if gone:
            self._replace({name: each for name, each in self.values.items() if name not in gone})

    def _replace(self, values: Mapping[bytes, bytes]) -> None:
        data = _encode(values, self.format)
        if len(data) > MAX_FILE:
            raise StoreError(f"The {self.format.title} is full.")
        write_atomically(self.path, data)
        self.values = values


def _encode(values: Mapping[bytes, bytes], form: Format) -> bytes:
    parts = []
    for name, value in values.items():
        parts += [_NAME_LENGTH.pack(len(name)), name, _VALUE_LENGTH.pack(len(value)), value]
    body = b"".join(parts)
    return form.header + hashlib.sha256(form.header + body).digest() + body


def _decode(data: bytes, shown_name: str, form: Format) -> dict[bytes, bytes]:
    size = len(form.header)
    header, body = data[:size], data[size + _DIGEST_SIZE :]
    if header[:-1] == form.magic and header[-1] > form.version:
        kind = form.title.rpartition(" ")[2]
        raise UnsupportedError(
            f"{shown_name} has {kind} format {header[-1]}.", hint="Update p2pclimb."
        )
    damaged = MalformedError(f"{shown_name} is damaged, so {form.damage}.", hint=form.advice)
    digest = data[size : size + _DIGEST_SIZE]
    if header != form.header or digest != hashlib.sha256(form.header + body).digest():
        raise damaged
    values = {}
    position = 0
    while position < len(body):
        try:
            name, position = _field(body, position, _NAME_LENGTH)
            values[name], position = _field(body, position, _VALUE_LENGTH)
        except (struct.error, IndexError):
            raise damaged from None
    return values


def _field(body: bytes, position: int, length: struct.Struct) -> tuple[bytes, int]:
    start = position + length.size
    end = start + int(length.unpack_from(body, position)[0])
    if end > len(body):
        raise IndexError
    return body[start:end], end
