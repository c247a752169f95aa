"""The frames two nodes exchange, as plain data; their bytes and bounds are `wire`'s.

Join to Decline are spoken in a lobby, Hello to Piece at a table, Bye on both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from p2pclimb.ledger.codec import Value
from p2pclimb.net.address import Address
from p2pclimb.table.effects import Heads, Records

__all__ = [
    "Bye",
    "Decline",
    "Frame",
    "Heads",
    "Hello",
    "Join",
    "Lobby",
    "Peers",
    "Piece",
    "Records",
    "Refused",
    "RosterSeat",
    "Terms",
    "Welcome",
]


@dataclass(frozen=True, slots=True)
class Join:
    """Ask for a seat: the secret of an invitation, and a signature that binds the CURVE key.

    The signature is over `admission.join_statement`.  `addresses` is where the joiner listens.
    """

    lobby_id: bytes
    secret: bytes = field(repr=False)
    name: str
    identity_key: bytes
    signature: bytes
    addresses: tuple[Address, ...]
    is_bot: bool


@dataclass(frozen=True, slots=True)
class Welcome:
    """The host's yes, with the seat (0 to 7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The host's no: a stable code and a text for a human."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class RosterSeat:
    """One seat of a lobby; `operator` is the seat of whoever runs it, bots included."""

    name: str
    identity_key: bytes
    curve_key: bytes
    operator: int
    is_bot: bool
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who is here, how many seats there will be, and the options as the games encode them."""

    roster: tuple[RosterSeat, ...]
    wanted: int
    options: list[Value]


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that the host proposes for signing, opaque here."""

    terms: bytes


@dataclass(frozen=True, slots=True)
class Decline:
    """A person's no to the proposed terms, or a departure from the lobby."""

    reason: str


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame on a table's link: versions spoken, the table, where its sender listens."""

    lowest: int
    highest: int
    table_id: bytes
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Peers:
    """Where its sender can be reached, and every seat that has told it so itself, by CURVE key."""

    addresses: tuple[tuple[bytes, tuple[Address, ...]], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Piece `number`, from 0, of the `count` of a record that is too large for one frame.

    `digest` names the whole record, `pieces.record_digest`.
    """

    digest: bytes
    number: int
    count: int
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Bye:
    """The last frame on a link: a stable code and a text for a human."""

    code: str
    text: str


Frame: TypeAlias = (
    Join
    | Welcome
    | Refused
    | Lobby
    | Terms
    | Decline
    | Hello
    | Heads
    | Records
    | Bye
    | Piece
    | Peers
)
