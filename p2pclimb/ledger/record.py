"""The records of a log and of the wire: terms, entries, notices and votes, each signed as it needs.

The records themselves are in `terms`, `entry` and `votes`; here is what tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TypeAlias

from p2pclimb.errors import MalformedError
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import (
    MAX_TRIBUTE_SIZE,
    Entry,
    Leave,
    read_entry,
    read_leave,
)
from p2pclimb.ledger.terms import MAX_TERMS_SIZE, Terms
from p2pclimb.ledger.vote_forms import (
    read_accept,
    read_certificate,
    read_pause,
    read_promise,
    read_proposal,
    write_vote,
)
from p2pclimb.ledger.votes import Accept, Certificate, Pause, Promise, Proposal, Vote

__all__ = [
    "MAX_RECORD_SIZE",
    "Record",
    "Signed",
    "decode_record",
    "encode_record",
    "seats_in",
    "signer_of",
    "step_of",
    "table_of",
]

MAX_RECORD_SIZE = MAX_TRIBUTE_SIZE + 96
"""How many bytes any record may have, with its signature and the heads of its fields."""

Signed: TypeAlias = Entry | Leave | Promise | Proposal | Accept | Certificate | Pause
Record: TypeAlias = Terms | Signed


class _RecordType(IntEnum):
    TERMS = 0
    ENTRY = 1
    LEAVE = 2
    PROMISE = 3
    PROPOSAL = 4
    ACCEPT = 5
    CERTIFICATE = 6
    PAUSE = 7


_TYPES = {
    Promise: _RecordType.PROMISE,
    Proposal: _RecordType.PROPOSAL,
    Accept: _RecordType.ACCEPT,
    Certificate: _RecordType.CERTIFICATE,
    Pause: _RecordType.PAUSE,
}
_READERS: dict[_RecordType, Callable[[bytes, bytes, Value], Record]] = {
    _RecordType.PROMISE: read_promise,
    _RecordType.PROPOSAL: read_proposal,
    _RecordType.ACCEPT: read_accept,
    _RecordType.CERTIFICATE: read_certificate,
    _RecordType.PAUSE: read_pause,
}


def encode_record(record: Record) -> bytes:
    """Return a record as it stands in a log and on the wire.

    `[type, signed bytes, signature]`, and for votes what they carry as a fourth field.
    """
    match record:
        case Terms():
            return codec.encode([int(_RecordType.TERMS), record.encode(), b""])
        case Entry():
            return codec.encode([int(_RecordType.ENTRY), record.signed, record.signature])
        case Leave():
            return codec.encode([int(_RecordType.LEAVE), record.signed, record.signature])
        case _:
            return codec.encode([int(_TYPES[type(record)]), *write_vote(record)])


def decode_record(data: bytes) -> Record:
    """Read one record; its signature is not verified here.

    Raises MalformedError for anything but a canonical record within its bounds, UnsupportedError
    for a record of another protocol version.
    """
    record = codec.decode(data, MAX_RECORD_SIZE, max_items=128)
    kind, signed, signature, *carried = codec.as_list(record, 4, at_least=3)
    number = codec.as_int(kind, 0, 255)
    content = codec.as_bytes(signed, at_most=MAX_TRIBUTE_SIZE)
    if number in _READERS:
        (value,) = codec.fields(carried, 1)
        read = _READERS[_RecordType(number)]
        return read(content, codec.as_bytes(signature, at_most=64), value)
    codec.fields(carried, 0)
    match number:
        case _RecordType.TERMS:
            codec.as_bytes(signature, 0)
            if len(content) > MAX_TERMS_SIZE:
                raise MalformedError("The terms are too long.")
            return Terms.decode(content)
        case _RecordType.ENTRY:
            return read_entry(content, codec.as_bytes(signature, 64))
        case _RecordType.LEAVE:
            return read_leave(content, codec.as_bytes(signature, 64))
        case unknown:
            raise MalformedError(f"There is no record of type {unknown}.")


def table_of(record: Signed) -> bytes:
    """Return the id of the table that a record belongs to."""
    match record:
        case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
            return vote.table
        case _:
            return record.table


def signer_of(record: Record) -> int | None:
    """Return the seat that signed a record; None for terms and certificates."""
    match record:
        case Entry() | Leave() | Pause():
            return record.author
        case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
            return vote.signer
        case _:
            return None


def step_of(record: Record) -> int | None:
    """Return the step that a record is about; None for terms and pauses."""
    match record:
        case Entry(place=place) | Certificate(place=place):
            return place.step
        case Leave(step=step):
            return step
        case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
            return vote.place.step
        case _:
            return None


def seats_in(record: Signed) -> tuple[int, ...]:
    """Return the seats that sign a record or what it carries, and those that it is about."""
    match record:
        case Promise(proposal=quoted):
            return (*_seats_of(record.vote), *(() if quoted is None else _seats_of(quoted.vote)))
        case Proposal(promises=promises):
            carried = [seat for promise in promises for seat in seats_in(promise)]
            return (*_seats_of(record.vote), *carried)
        case Accept():
            return _seats_of(record.vote)
        case Certificate(accepts=accepts):
            return (record.place.author, *(accept.vote.signer for accept in accepts))
        case _:
            return (record.author,)


def _seats_of(vote: Vote) -> tuple[int, ...]:
    return vote.signer, vote.place.author
