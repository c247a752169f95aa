"""Fuzz targets of the network: frames, records in pieces, what a lobby is told, invitations."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache

from lobby_setup import Visitor, answers, host_lobby
from target import Target

from p2pclimb.games.options import Options
from p2pclimb.net.address import Address, addresses_from_wire, parse_address
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
    Terms,
    Welcome,
)
from p2pclimb.net.invitation import Invitation, InvitationKind, parse_invitation
from p2pclimb.net.pieces import Assembly, frames_of
from p2pclimb.net.wire import common_version, decode_frame, encode_frame

__all__ = ["TARGETS"]

PLACES = (Address("192.0.2.1", 27271), Address("fd00::7", 1), Address("ana.example", 65_535))
INVITATION = Invitation(InvitationKind.PLAYER, b"l" * 16, b"h" * 32, b"s" * 16, PLACES)


@cache
def _visit() -> tuple[Visitor, Lobby]:
    lobby = host_lobby(3)
    visitor = Visitor(lobby, "Bình")
    frames = answers(visitor.join(), visitor.curve)
    return visitor, next(frame for frame in frames if isinstance(frame, Lobby))


@cache
def _frames() -> tuple[Frame, ...]:
    visitor, lobby = _visit()
    host = visitor.lobby
    other = Visitor(host, "Chi")
    other.join()
    terms, _ = host.propose()
    return (
        Join(b"l" * 16, b"s" * 16, "Bình", b"i" * 32, b"g" * 64, PLACES, is_bot=True),
        visitor.request(),
        Welcome(3),
        Refused("full", "The table is full."),
        lobby,
        Lobby((), 2, list(Options.make("winner").to_wire())),
        Terms(terms.encode()),
        Decline("Not tonight."),
        Hello(1, 3, b"t" * 32, PLACES),
        Heads(77, b"h" * 32, (0, 2, 5)),
        Records((b"one", b"two" * 90)),
        *_pieces(),
        Bye("left", "Good night."),
        Peers(((b"k" * 32, PLACES), (b"K" * 32, ()))),
    )


@cache
def _pieces() -> tuple[Frame, ...]:
    return tuple(frames_of([b"\x07" * 150_000]))


def _frame_samples() -> list[bytes]:
    return [encode_frame(frame) for frame in _frames()]


def _decode_frame(data: bytes) -> None:
    frame = decode_frame(data)
    assert encode_frame(frame) == data
    if isinstance(frame, Hello):
        common_version(frame)


def _assemble(data: bytes) -> None:
    """Take a piece among the true ones; what becomes whole is what was sent or what was named."""
    assembly = Assembly()
    for piece in (decode_frame(data), *_pieces()):
        if isinstance(piece, Piece):
            whole = assembly.add(piece)
            assert whole is None or len(whole) <= 6 * 56_000
    held = sum(map(len, assembly._contents.values()))
    assert held <= 6 * 56_000


def _be_a_guest(data: bytes) -> None:
    """Take a host's frame in the lobby."""
    visitor, _ = _visit()
    visitor.side.receive(decode_frame(data))


def _be_a_host(data: bytes) -> None:
    """Take a stranger's request; whoever is refused is told why and has no seat."""
    lobby = host_lobby(3)
    frame = decode_frame(data)
    if isinstance(frame, Join):
        before = lobby.seats
        effects = lobby.join(b"c" * 32, frame)
        for answer in answers(effects, b"c" * 32):
            assert decode_frame(encode_frame(answer)) == answer
        assert lobby.seats == before, "nobody has this lobby's secrets"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _read_invitation(data: bytes) -> None:
    invitation = parse_invitation(_text(data))
    assert parse_invitation(invitation.to_text()) == invitation


def _invitation_body() -> Sequence[bytes]:
    text = INVITATION.to_text().partition(":")[2]
    data = base64.b32decode(text + "=" * (-len(text) % 8))
    return [data[2:-4]]


def _sealed_invitation(body: bytes) -> bytes:
    checksum = hashlib.sha256(b"p2pclimb/1 invitation" + body).digest()[:4]
    data = (len(body) % 65_536).to_bytes(2, "big") + body + checksum
    return b"p2pclimb1:" + base64.b32encode(data).rstrip(b"=")


def _read_address(data: bytes) -> None:
    address = parse_address(_text(data))
    assert parse_address(str(address)) == address
    assert addresses_from_wire([str(address)]) == (address,)


TARGETS = (
    Target("frame", _frame_samples, _decode_frame, examples=300),
    Target("piece", lambda: [encode_frame(piece) for piece in _pieces()], _assemble, examples=60),
    Target("lobby-guest", _frame_samples, _be_a_guest),
    Target("lobby-host", lambda: _frame_samples()[:2], _be_a_host),
    Target("invitation", _invitation_body, _read_invitation, _sealed_invitation),
    Target("address", lambda: [str(place).encode() for place in PLACES], _read_address),
)
