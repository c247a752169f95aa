r"""The `.climb` file format: a header, then frames with length and checksum; reading it.

    header   7 bytes "\x89CLIMB\n" and 1 byte format version
    frame    u32 length | u32 CRC-32 of (length | payload) | payload      (big endian)

What a payload means is the ledger's business; writing is `logfile`'s.  Source: protocol.md
section 7.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from p2pclimb.errors import MalformedError, UnsupportedError

__all__ = [
    "FORMAT_VERSION",
    "HEADER",
    "MAX_PAYLOAD",
    "Record",
    "Scan",
    "frame",
    "frame_at",
    "scan",
]

FORMAT_VERSION = 1
MAX_PAYLOAD = 320 * 1024  # bytes

_MAGIC = b"\x89CLIMB\n"
HEADER = _MAGIC + bytes([FORMAT_VERSION])

_LENGTH = struct.Struct(">I")
_FRAME_HEAD = struct.Struct(">II")
_MAX_FRAME = _FRAME_HEAD.size + MAX_PAYLOAD


@dataclass(frozen=True, slots=True)
class Record:
    """One frame's payload and the offset of the frame in the file, in bytes."""

    offset: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Scan:
    """What a file holds: its whole frames in order, and where they end.

    `end` is the offset after the last whole frame.  `torn` bytes follow it that an interrupted
    write left behind; `damaged` says that what follows is no such tail, because whole frames
    come after it or because it is longer than any frame.
    """

    records: tuple[Record, ...]
    end: int
    torn: int
    damaged: bool


def frame(payload: bytes) -> bytes:
    """Return the frame of a payload of 1 to `MAX_PAYLOAD` bytes; raises `MalformedError`."""
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        raise MalformedError(f"A record has 1 to {MAX_PAYLOAD} bytes; this one has {len(payload)}.")
    return _FRAME_HEAD.pack(len(payload), _checksum(payload)) + payload


def frame_at(stream: BinaryIO, offset: int, name: str) -> bytes:
    """Return the payload of the frame at an offset of a file that can be read anywhere.

    Raises `MalformedError` where no whole frame begins.
    """
    stream.seek(offset)
    payload, is_whole = _payload(stream.read(_FRAME_HEAD.size), stream)
    if not is_whole:
        raise MalformedError(f"{name} is damaged at byte {offset}.")
    return payload


def scan(stream: BinaryIO, name: str) -> Scan:
    """Read a whole `.climb` file; `name` stands for it in messages.

    Never reads backwards, so a pipe will do, and holds no more than the records and one frame.
    Raises `MalformedError` for what is no log at all, `UnsupportedError` for a newer format.
    """
    header = stream.read(len(HEADER))
    if header[: len(_MAGIC)] != _MAGIC or len(header) < len(HEADER) or header[-1] == 0:
        raise MalformedError(
            f"{name} is not a p2pclimb log.", hint="Logs are the files whose names end in .climb."
        )
    if header[-1] > FORMAT_VERSION:
        raise UnsupportedError(
            f"{name} has log format {header[-1]}; this program reads up to {FORMAT_VERSION}.",
            hint="Update p2pclimb.",
        )
    records = []
    end = len(HEADER)
    tail = b""
    for found in _frames(stream):
        match found:
            case Record() as record:
                records.append(record)
                end = record.offset + _FRAME_HEAD.size + len(record.payload)
            case bytes():
                tail = found
    damaged = len(tail) > _MAX_FRAME or _holds_frame(tail)
    return Scan(tuple(records), end, 0 if damaged else len(tail), damaged)


def _frames(stream: BinaryIO) -> Iterator[Record | bytes]:
    """Yield whole frames, then what is left: at most one byte more than the largest frame."""
    offset = len(HEADER)
    while head := stream.read(_FRAME_HEAD.size):
        payload, is_whole = _payload(head, stream)
        if not is_whole:
            rest = head + payload
            yield rest + stream.read(_MAX_FRAME + 1 - len(rest))
            return
        yield Record(offset, payload)
        offset += len(head) + len(payload)


def _payload(head: bytes, stream: BinaryIO) -> tuple[bytes, bool]:
    """Read what follows the head of a frame; tell whether that is the whole payload."""
    if len(head) < _FRAME_HEAD.size:
        return b"", False
    length, checksum = _FRAME_HEAD.unpack(head)
    if not 1 <= length <= MAX_PAYLOAD:
        return b"", False
    payload = stream.read(length)
    return payload, len(payload) == length and _checksum(payload) == checksum


def _holds_frame(tail: bytes) -> bool:
    """Whether a whole frame lies somewhere behind the start of `tail`.

    An interrupted write is at the end of the file.  Bytes that cannot be read with a readable
    frame behind them were whole once: a flipped bit in a length must not pass for a torn tail.
    Takes milliseconds, for a tail made to be slow a few seconds.
    """
    for start in range(1, len(tail) - _FRAME_HEAD.size):
        length, checksum = _FRAME_HEAD.unpack_from(tail, start)
        end = start + _FRAME_HEAD.size + length
        if length >= 1 and end <= len(tail) and _checksum(tail[end - length : end]) == checksum:
            return True
    return False


def _checksum(payload: bytes) -> int:
    # The length is covered too: a flipped bit in it must not find another frame boundary.
    return zlib.crc32(payload, zlib.crc32(_LENGTH.pack(len(payload))))
