"""Frames as bytes: strict, bounded, and told apart by version.

A frame is one ZeroMQ message part: two magic bytes, a version octet, a kind octet and one
canonical array whose fields the kind decides.  Signatures in frames are checked by whoever knows
what was signed, and the records of a table are opaque bytes here.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable

from p2pclimb.errors import MalformedError, UnsupportedError
from p2pclimb.ledger.codec import (
    Value,
    as_bool,
    as_bytes,
    as_int,
    as_list,
    as_text,
    decode,
    encode,
    fields,
)
from p2pclimb.ledger.record import MAX_RECORD_SIZE
from p2pclimb.net.address import Address, addresses_from_wire
from p2pclimb.net.frames import (
    Bye,
    Decline,
    Frame,
    Heads,
    Hello,
    Join,
    Lobby,
    Peers,
    Piece,
    Records,
    Refused,
    RosterSeat,
    Terms,
    Welcome,
)

__all__ = [
    "HIGHEST_VERSION",
    "LOWEST_VERSION",
    "MAX_FRAME",
    "MAX_PIECES",
    "MAX_RECORD",
    "MAX_RECORDS",
    "PIECE_SIZE",
    "common_version",
    "decode_frame",
    "encode_frame",
]

LOWEST_VERSION = 1
HIGHEST_VERSION = 1
MAX_RECORD = 65_536
"""How many bytes a record in a frame may have; larger ones travel in pieces."""

MAX_RECORDS = 1024
"""How many records a frame may have."""

MAX_FRAME = MAX_RECORD + 64
PIECE_SIZE = 12_000
"""How many bytes every piece of a record has, but for the last, which may have fewer.

A connection is given up when no whole message comes in time, and over a slow one that is shared by
several peers a large message takes longer than that.
"""

MAX_PIECES = math.ceil(MAX_RECORD_SIZE / PIECE_SIZE)
_MAX_SEATS = 8
_MAX_STEP = 2**32 - 1
_MAX_NAME = 64
_MAX_CODE = 32
_MAX_REASON = 500
_MAX_TERMS = 16_384
_MAX_OPTIONS = 64
_MAGIC = b"\xc1\x33"  # 0xc1 never begins msgpack, so a bare body is no frame
_HEADER_SIZE = 4


class _Kind(enum.IntEnum):
    JOIN = 1
    WELCOME = 2
    REFUSED = 3
    LOBBY = 4
    TERMS = 5
    DECLINE = 6
    HELLO = 16
    HEADS = 17
    RECORDS = 18
    BYE = 19
    PIECE = 20
    PEERS = 21


def encode_frame(frame: Frame) -> bytes:
    """Return the bytes of a frame; MalformedError if they are more than a frame may have.

    Every frame goes out under the lowest version its sender speaks, so that an older program can
    read the HELLO that offers the higher ones.
    """
    kind, body = _body(frame)
    data = _MAGIC + bytes([LOWEST_VERSION, kind]) + encode(body)
    if len(data) > MAX_FRAME:
        raise MalformedError(f"A frame of {len(data)} bytes is too large to send.")
    return data


def decode_frame(data: bytes) -> Frame:
    """Return the frame in the bytes.

    Raises UnsupportedError, which names the versions, for a version that this program does not
    speak, and MalformedError for everything else that is not exactly a frame.
    """
    if not _HEADER_SIZE <= len(data) <= MAX_FRAME or not data.startswith(_MAGIC):
        raise MalformedError("Bytes that are not a frame.")
    version, kind = data[2], data[3]
    if not LOWEST_VERSION <= version <= HIGHEST_VERSION:
        raise _other_version(version, version)
    read = _READERS.get(kind)
    if read is None:
        raise MalformedError(f"A frame of the unknown kind {kind}.")
    return read(decode(data[_HEADER_SIZE:], MAX_FRAME))


def common_version(hello: Hello) -> int:
    """Return the highest version that both sides speak.

    Raises UnsupportedError, which names both ranges, where there is none.
    """
    version = min(hello.highest, HIGHEST_VERSION)
    if version < max(hello.lowest, LOWEST_VERSION):
        raise _other_version(hello.lowest, hello.highest)
    return version


def _other_version(lowest: int, highest: int) -> UnsupportedError:
    return UnsupportedError(
        f"The other program speaks {_range(lowest, highest)} of the protocol, "
        f"this one {_range(LOWEST_VERSION, HIGHEST_VERSION)}.",
        hint="Update the older of the two.",
    )


def _range(lowest: int, highest: int) -> str:
    return f"version {lowest}" if lowest == highest else f"versions {lowest} to {highest}"


def _body(frame: Frame) -> tuple[_Kind, list[Value]]:  # noqa: C901, PLR0911 - a line a kind
    match frame:
        case Join(lobby_id, secret, name, identity_key, signature, addresses, is_bot):
            signed: list[Value] = [lobby_id, secret, name, identity_key, signature]
            return _Kind.JOIN, [*signed, _texts(addresses), is_bot]
        case Welcome(seat):
            return _Kind.WELCOME, [seat]
        case Refused(code, text):
            return _Kind.REFUSED, [code, text]
        case Lobby(roster, wanted, options):
            return _Kind.LOBBY, [[_roster_fields(seat) for seat in roster], wanted, options]
        case Terms(terms):
            return _Kind.TERMS, [terms]
        case Decline(reason):
            return _Kind.DECLINE, [reason]
        case Hello(lowest, highest, table_id, addresses):
            return _Kind.HELLO, [lowest, highest, table_id, _texts(addresses)]
        case Heads(step, head, filled):
            return _Kind.HEADS, [step, head, filled]
        case Records(records):
            return _Kind.RECORDS, [records]
        case Piece(digest, number, count, content):
            return _Kind.PIECE, [digest, number, count, content]
        case Peers(addresses):
            return _Kind.PEERS, [[[key, _texts(theirs)] for key, theirs in addresses]]
        case Bye(code, text):
            return _Kind.BYE, [code, text]


def _roster_fields(seat: RosterSeat) -> list[Value]:
    return [
        seat.name,
        seat.identity_key,
        seat.curve_key,
        seat.operator,
        seat.is_bot,
        _texts(seat.addresses),
    ]


def _texts(addresses: Iterable[Address]) -> list[str]:
    return [str(address) for address in addresses]


def _join(body: Value) -> Join:
    lobby_id, secret, name, identity_key, signature, addresses, is_bot = fields(body, 7)
    return Join(
        lobby_id=as_bytes(lobby_id, 16),
        secret=as_bytes(secret, 16),
        name=as_text(name, _MAX_NAME),
        identity_key=as_bytes(identity_key, 32),
        signature=as_bytes(signature, 64),
        addresses=addresses_from_wire(addresses),
        is_bot=as_bool(is_bot),
    )


def _welcome(body: Value) -> Welcome:
    (seat,) = fields(body, 1)
    return Welcome(as_int(seat, 0, _MAX_SEATS - 1))


def _refused(body: Value) -> Refused:
    code, text = fields(body, 2)
    return Refused(as_text(code, _MAX_CODE), as_text(text, _MAX_REASON))


def _lobby(body: Value) -> Lobby:
    roster, wanted, options = fields(body, 3)
    return Lobby(
        roster=tuple(_roster_seat(seat) for seat in as_list(roster, _MAX_SEATS)),
        wanted=as_int(wanted, 2, _MAX_SEATS),
        options=as_list(options, _MAX_OPTIONS),
    )


def _roster_seat(value: Value) -> RosterSeat:
    name, identity_key, curve_key, operator, is_bot, addresses = fields(value, 6)
    return RosterSeat(
        name=as_text(name, _MAX_NAME),
        identity_key=as_bytes(identity_key, 32),
        curve_key=as_bytes(curve_key, 32),
        operator=as_int(operator, 0, _MAX_SEATS - 1),
        is_bot=as_bool(is_bot),
        addresses=addresses_from_wire(addresses),
    )


def _terms(body: Value) -> Terms:
    (terms,) = fields(body, 1)
    return Terms(as_bytes(terms, at_most=_MAX_TERMS))


def _decline(body: Value) -> Decline:
    (reason,) = fields(body, 1)
    return Decline(as_text(reason, _MAX_REASON))


def _hello(body: Value) -> Hello:
    lowest, highest, table_id, addresses = fields(body, 4)
    bottom = as_int(lowest, 1, 255)
    return Hello(
        lowest=bottom,
        highest=as_int(highest, bottom, 255),
        table_id=as_bytes(table_id, 32),
        addresses=addresses_from_wire(addresses),
    )


def _heads(body: Value) -> Heads:
    step, head, filled = fields(body, 3)
    seats = tuple(as_int(seat, 0, _MAX_SEATS - 1) for seat in as_list(filled, _MAX_SEATS))
    if list(seats) != sorted(set(seats)):
        raise MalformedError("Filled places that are not in seat order.")
    return Heads(as_int(step, 0, _MAX_STEP), as_bytes(head, 32), seats)


def _records(body: Value) -> Records:
    (records,) = fields(body, 1)
    return Records(tuple(_record(record) for record in as_list(records, MAX_RECORDS, at_least=1)))


def _record(value: Value) -> bytes:
    record = as_bytes(value, at_most=MAX_RECORD)
    if not record:
        raise MalformedError("An empty record.")
    return record


def _piece(body: Value) -> Piece:
    digest, number, count, content = fields(body, 4)
    pieces = as_int(count, 2, MAX_PIECES)
    piece = Piece(
        digest=as_bytes(digest, 32),
        number=as_int(number, 0, pieces - 1),
        count=pieces,
        content=as_bytes(content, at_most=PIECE_SIZE),
    )
    is_last = piece.number == pieces - 1
    if not piece.content or (len(piece.content) < PIECE_SIZE and not is_last):
        raise MalformedError("A piece of a record that is shorter than it should be.")
    return piece


def _peers(body: Value) -> Peers:
    (known,) = fields(body, 1)
    seats = [fields(seat, 2) for seat in as_list(known, _MAX_SEATS)]
    return Peers(tuple((as_bytes(key, 32), addresses_from_wire(theirs)) for key, theirs in seats))


def _bye(body: Value) -> Bye:
    code, text = fields(body, 2)
    return Bye(as_text(code, _MAX_CODE), as_text(text, _MAX_REASON))


_READERS: dict[int, Callable[[Value], Frame]] = {
    _Kind.JOIN: _join,
    _Kind.WELCOME: _welcome,
    _Kind.REFUSED: _refused,
    _Kind.LOBBY: _lobby,
    _Kind.TERMS: _terms,
    _Kind.DECLINE: _decline,
    _Kind.HELLO: _hello,
    _Kind.HEADS: _heads,
    _Kind.RECORDS: _records,
    _Kind.BYE: _bye,
    _Kind.PIECE: _piece,
    _Kind.PEERS: _peers,
}
