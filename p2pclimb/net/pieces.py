"""Records as frames: small ones together in one, a large one in pieces, and pieces made whole.

How a frame is written in bytes, and how large a piece is, is known in `wire`; what a record says,
to the ledger.  Source: protocol.md, Network.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from p2pclimb.errors import MalformedError
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.net.frames import Piece, Records
from p2pclimb.net.wire import MAX_RECORDS, PIECE_SIZE

__all__ = ["Assembly", "frames_of", "record_digest"]

_MAX_BATCH = PIECE_SIZE
_BATCH_OVERHEAD = 16  # header, array and list around the records
_RECORD_OVERHEAD = 5  # the longest msgpack header of a byte string


def record_digest(record: bytes) -> bytes:
    """Return the hash that the pieces of a record name it by, 32 bytes."""
    return digest(Label.RECORD, record)


def frames_of(records: Iterable[bytes]) -> Iterator[Records | Piece]:
    """Pack records, in order, into frames.

    No frame has much more than `PIECE_SIZE` bytes; a record longer than that goes in pieces.
    """
    batch: list[bytes] = []
    size = _BATCH_OVERHEAD
    for record in records:
        added = len(record) + _RECORD_OVERHEAD
        if batch and (size + added > _MAX_BATCH or len(batch) == MAX_RECORDS):
            yield Records(tuple(batch))
            batch, size = [], _BATCH_OVERHEAD
        if len(record) > PIECE_SIZE:
            yield from _cut(record)
        else:
            batch.append(record)
            size += added
    if batch:
        yield Records(tuple(batch))


def _cut(record: bytes) -> Iterator[Piece]:
    name, count = record_digest(record), math.ceil(len(record) / PIECE_SIZE)
    for number in range(count):
        start = number * PIECE_SIZE
        yield Piece(name, number, count, record[start : start + PIECE_SIZE])


@dataclass(slots=True)
class Assembly:
    """The record that one peer is sending in pieces: one at a time, so its size is bounded."""

    _digest: bytes = b""
    _count: int = 0
    _contents: dict[int, bytes] = field(default_factory=dict, repr=False)

    def add(self, piece: Piece) -> bytes | None:
        """Take a piece, in any order, and return the record once it is whole.

        A piece that was here before changes nothing, and one of another record begins that one:
        what there was of the last is dropped, as the network may drop anything.  Raises
        MalformedError, and drops them, when all pieces are here and are not the record they name.
        """
        if (piece.digest, piece.count) != (self._digest, self._count):
            self._digest, self._count, self._contents = piece.digest, piece.count, {}
        self._contents.setdefault(piece.number, piece.content)
        if len(self._contents) < self._count:
            return None
        record = b"".join(self._contents[number] for number in range(self._count))
        self._digest, self._count, self._contents = b"", 0, {}
        if record_digest(record) != piece.digest:
            raise MalformedError("Pieces that are not of the record that they name.")
        return record
