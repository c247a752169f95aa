"""The sign guard on disk: which bytes were signed at which place that is not yet final.

After a crash the node resends exactly these bytes and never signs another body for the place.
What a place or a signature is, and when a place is final, is not known here.  The holder of the
table's lock is the only one who opens the file.  Source: protocol.md section 7.

    8 bytes "CLGUARD" and format version | SHA-256 of the rest |
    for each place: u16 length | place | u32 length | signed
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.errors import MalformedError, StoreError, UnsupportedError
from p2pclimb.store.files import read_bounded, shown, write_atomically

__all__ = ["MAX_FILE", "MAX_PLACE", "MAX_SIGNED", "GuardFile"]

MAX_PLACE = 1024  # bytes
MAX_SIGNED = 320 * 1024  # bytes
MAX_FILE = 32 * 1024 * 1024  # bytes

_MAGIC = b"CLGUARD"
_VERSION = 1
_HEADER = _MAGIC + bytes([_VERSION])
_DIGEST_SIZE = 32
_PLACE_LENGTH = struct.Struct(">H")
_SIGNED_LENGTH = struct.Struct(">I")


@dataclass(slots=True)
class GuardFile:
    """What was signed at each place; made by `open`.  The file is as new as the object."""

    path: Path
    _signed: Mapping[bytes, bytes] = field(repr=False)

    @classmethod
    def open(cls, path: Path) -> GuardFile:
        """Read the guard; a missing file is an empty one.

        Raises `StoreError`, `MalformedError` for damage (an empty guard instead could sign twice)
        and `UnsupportedError` for a newer format.
        """
        if not path.exists():
            return cls(path, {})
        return cls(path, _decode(read_bounded(path, MAX_FILE), shown(path)))

    def recall(self, place: bytes) -> bytes | None:
        """Return what was signed at `place`, if anything was."""
        return self._signed.get(place)

    def remember(self, place: bytes, signed: bytes) -> None:
        """Keep what is about to be signed at `place`, durable when this returns.

        The same bytes again are welcome.  Raises `StoreError` when other bytes are kept for the
        place, when a size is out of bounds (1 to `MAX_PLACE`, 1 to `MAX_SIGNED`, `MAX_FILE` in
        all) and when the file cannot be written; then nothing has changed and nothing may be
        signed.
        """
        kept = self._signed.get(place)
        if kept == signed:
            return
        if kept is not None:
            raise StoreError("The sign guard holds another signature for this place.")
        if not (1 <= len(place) <= MAX_PLACE and 1 <= len(signed) <= MAX_SIGNED):
            raise StoreError("The sign guard cannot keep a record of this size.")
        self._replace({**self._signed, place: signed})

    def forget(self, places: Iterable[bytes]) -> None:
        """Drop places that are final; unknown ones are ignored.  Raises `StoreError`."""
        gone = frozenset(places) & self._signed.keys()
        if gone:
            self._replace({p: signed for p, signed in self._signed.items() if p not in gone})

    def _replace(self, signed: Mapping[bytes, bytes]) -> None:
        data = _encode(signed)
        if len(data) > MAX_FILE:
            raise StoreError("The sign guard is full.")
        write_atomically(self.path, data)
        self._signed = signed


def _encode(signed: Mapping[bytes, bytes]) -> bytes:
    parts = []
    for place, bytes_ in signed.items():
        parts += [_PLACE_LENGTH.pack(len(place)), place, _SIGNED_LENGTH.pack(len(bytes_)), bytes_]
    body = b"".join(parts)
    return _HEADER + hashlib.sha256(_HEADER + body).digest() + body


def _decode(data: bytes, name: str) -> dict[bytes, bytes]:
    header, body = data[: len(_HEADER)], data[len(_HEADER) + _DIGEST_SIZE :]
    if header[:-1] == _MAGIC and header[-1] > _VERSION:
        raise UnsupportedError(f"{name} has guard format {header[-1]}.", hint="Update p2pclimb.")
    digest = data[len(_HEADER) : len(_HEADER) + _DIGEST_SIZE]
    if header != _HEADER or digest != hashlib.sha256(_HEADER + body).digest():
        raise _damaged(name)
    signed = {}
    position = 0
    while position < len(body):
        place, position = _field(body, position, _PLACE_LENGTH, name)
        signed[place], position = _field(body, position, _SIGNED_LENGTH, name)
    return signed


def _field(body: bytes, position: int, length: struct.Struct, name: str) -> tuple[bytes, int]:
    start = position + length.size
    if start > len(body):
        raise _damaged(name)
    end = start + length.unpack_from(body, position)[0]
    if end > len(body):
        raise _damaged(name)
    return body[start:end], end


def _damaged(name: str) -> MalformedError:
    return MalformedError(
        f"{name} is damaged, so it is unknown what was signed.",
        hint="Keep the file, and let the others play on without this seat.",
    )
