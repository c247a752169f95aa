"""Invitations: one line of text that says where the host is, and lets one person in.

The text is `p2pclimb1:` and base32 of a length, the canonical fields and a checksum.  Who is
let in by it is decided elsewhere (admission).
"""

from __future__ import annotations

import base64
import enum
import hashlib
import re
from dataclasses import dataclass, field

from p2pclimb.errors import InvitationError, MalformedError
from p2pclimb.ledger.codec import as_bytes, as_int, decode, encode, fields
from p2pclimb.net.address import Address, addresses_from_wire

__all__ = ["Invitation", "InvitationKind", "begins_invitation", "parse_invitation"]

_VERSION = 1
_PREFIX = re.compile(r"P2PCLIMB([0-9]{1,4}):")
_CHECKSUM_LABEL = b"p2pclimb/1 invitation"
_CHECKSUM_SIZE = 4
_LENGTH_SIZE = 2
_MAX_BODY = 4096
_COPY_AGAIN = "Ask for it again and copy the whole line."


class InvitationKind(enum.IntEnum):
    """What an invitation entitles to; the numbers are those of the format."""

    PLAYER = 1
    WATCHER = 2


@dataclass(frozen=True, slots=True)
class Invitation:
    """Everything a joiner needs: the host's addresses and CURVE key, and a secret to show.

    `lobby_id` and `secret` are 16 bytes, `host_key` 32.  Whoever has the secret can sit down, so
    it is kept out of every representation but `to_text`.
    """

    kind: InvitationKind
    lobby_id: bytes
    host_key: bytes
    secret: bytes = field(repr=False)
    addresses: tuple[Address, ...]

    def to_text(self) -> str:
        """Return the one line to send to a friend (protocol.md, Invitation)."""
        addresses = [str(address) for address in self.addresses]
        body = encode([int(self.kind), self.lobby_id, self.host_key, self.secret, addresses])
        data = len(body).to_bytes(_LENGTH_SIZE, "big") + body + _checksum(body)
        return f"p2pclimb{_VERSION}:" + base64.b32encode(data).decode("ascii").rstrip("=")


def parse_invitation(text: str) -> Invitation:
    """Find and read the invitation in a pasted text.

    Line breaks, quotes, reply marks, zero-width characters, words before and after, and upper or
    lower case do not matter.  Raises InvitationError that tells apart: no invitation at all, one
    of a newer program, one cut short, one damaged.
    """
    pasted = _bare(text)
    prefix = _PREFIX.search(pasted)
    if prefix is None:
        raise InvitationError(
            "That is not an invitation.", hint=f'It starts with "p2pclimb{_VERSION}:".'
        )
    if int(prefix[1]) != _VERSION:
        raise InvitationError(
            f"That invitation has version {prefix[1]}, and this program reads {_VERSION}.",
            hint="Update the older of the two programs.",
        )
    return _from_body(_body(pasted[prefix.end() :]))


def begins_invitation(text: str) -> bool:
    """Return whether an invitation, or its beginning, is somewhere in a pasted text."""
    return _PREFIX.search(_bare(text)) is not None


def _bare(text: str) -> str:
    return re.sub(r"[^A-Z0-9:]", "", text.upper())


def _body(characters: str) -> bytes:
    length = int.from_bytes(_base32(characters, _LENGTH_SIZE), "big")
    if length > _MAX_BODY:
        raise InvitationError("That invitation is damaged.", hint=_COPY_AGAIN)
    data = _base32(characters, _LENGTH_SIZE + length + _CHECKSUM_SIZE)
    body, checksum = data[_LENGTH_SIZE:-_CHECKSUM_SIZE], data[-_CHECKSUM_SIZE:]
    if checksum != _checksum(body):
        raise InvitationError("That invitation is damaged.", hint=_COPY_AGAIN)
    return body


def _base32(characters: str, size: int) -> bytes:
    """Decode the first `size` bytes; what follows them is not ours (a friend's "see you!")."""
    needed = -(-size * 8 // 5)
    if len(characters) < needed:
        raise InvitationError("That invitation was cut short.", hint=_COPY_AGAIN)
    padding = "=" * (-needed % 8)
    # The last character may hold bits of the next byte, which b32decode takes as they are.
    try:
        return base64.b32decode(characters[:needed] + padding)[:size]
    except ValueError as error:
        raise InvitationError("That invitation is damaged.", hint=_COPY_AGAIN) from error


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(_CHECKSUM_LABEL + body).digest()[:_CHECKSUM_SIZE]


def _from_body(body: bytes) -> Invitation:
    try:
        kind, lobby_id, host_key, secret, addresses = fields(decode(body, _MAX_BODY, 2), 5)
        return Invitation(
            InvitationKind(as_int(kind, min(InvitationKind), max(InvitationKind))),
            as_bytes(lobby_id, 16),
            as_bytes(host_key, 32),
            as_bytes(secret, 16),
            addresses_from_wire(addresses),
        )
    except MalformedError as error:
        raise InvitationError(
            "That invitation has fields this program does not understand.",
            hint="Ask for one made by the same version of the program.",
        ) from error
