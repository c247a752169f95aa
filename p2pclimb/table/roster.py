"""Who is in a lobby, and the messages by which guests and host come to the terms of a table.

The two sides that exchange them are in `lobby.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.games.options import Options
from p2pclimb.ledger.terms import Terms

__all__ = [
    "Accepted",
    "Declined",
    "Guest",
    "GuestCame",
    "GuestRefused",
    "GuestWent",
    "Join",
    "LobbyClosed",
    "LobbyMessage",
    "LobbyNotice",
    "Proposal",
    "Refused",
    "Roster",
    "RosterChanged",
    "TermsProposed",
    "Welcome",
]


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody in the lobby: name, public keys, the seat that runs this one, where to dial."""

    name: str
    identity: bytes
    curve: bytes
    operator: int
    is_bot: bool
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Roster:
    """The lobby as everybody sees it: who sits where (None: free), and the rules so far."""

    options: Options
    guests: tuple[Guest | None, ...]


# Messages between a guest and the host.


@dataclass(frozen=True, slots=True)
class Join:
    """A guest asks for a seat; the secret of its invitation lets it in once.

    `signature` is the identity's, over the lobby, both CURVE keys and the name.
    """

    lobby: bytes
    secret: bytes = field(repr=False)
    name: str
    identity: bytes
    signature: bytes
    addresses: tuple[str, ...]
    is_bot: bool


@dataclass(frozen=True, slots=True)
class Welcome:
    """The host gave the guest a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The host gives the guest no seat; `text` says why."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The terms that the host proposes, in their canonical bytes."""

    terms: bytes


@dataclass(frozen=True, slots=True)
class Accepted:
    """The guest's player accepts the terms with this table id."""

    table: bytes


@dataclass(frozen=True, slots=True)
class Declined:
    """The guest's player does not want to play by these terms."""

    text: str


LobbyMessage = Join | Welcome | Refused | Roster | Proposal | Accepted | Declined


# What a lobby tells its user interface.


@dataclass(frozen=True, slots=True)
class GuestCame:
    """Somebody took a seat."""

    seat: int
    guest: Guest


@dataclass(frozen=True, slots=True)
class GuestWent:
    """Somebody gave up a seat before the table opened."""

    seat: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class GuestRefused:
    """The host turned somebody away."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class RosterChanged:
    """The lobby is now like this; `own_seat` is None until a seat is given."""

    roster: Roster
    own_seat: int | None


@dataclass(frozen=True, slots=True)
class TermsProposed:
    """The player of this node is to accept or decline these terms."""

    terms: Terms
    own_seat: int


@dataclass(frozen=True, slots=True)
class LobbyClosed:
    """The lobby ended without a table."""

    reason: str


LobbyNotice = GuestCame | GuestRefused | GuestWent | LobbyClosed | RosterChanged | TermsProposed
