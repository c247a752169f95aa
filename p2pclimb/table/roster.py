"""Who is in a lobby, and what a lobby tells the user interface of its node."""

from __future__ import annotations

from dataclasses import dataclass

from p2pclimb.games.options import Options
from p2pclimb.ledger.carried import Carried
from p2pclimb.ledger.terms import Terms

__all__ = [
    "Guest",
    "GuestCame",
    "GuestRefused",
    "GuestWent",
    "LobbyClosed",
    "LobbyNotice",
    "Roster",
    "RosterChanged",
    "ScoresChecked",
    "TermsProposed",
]


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody in the lobby: name, 32-byte public keys, the seat that runs this one."""

    name: str
    identity: bytes
    curve: bytes
    operator: int
    is_bot: bool


@dataclass(frozen=True, slots=True)
class Roster:
    """The lobby as everybody sees it: who sits where (None: free), and the rules so far."""

    options: Options
    guests: tuple[Guest | None, ...]


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
class ScoresChecked:
    """What this node's own log gives for the scores that the terms proposed last carry on.

    `own` is None if there is no such log.
    """

    terms: Terms
    own: Carried | None

    @property
    def agrees(self) -> bool:
        """Whether the own log says the same."""
        return self.own == self.terms.carried


@dataclass(frozen=True, slots=True)
class LobbyClosed:
    """The lobby ended without a table."""

    reason: str


LobbyNotice = (
    GuestCame
    | GuestRefused
    | GuestWent
    | LobbyClosed
    | RosterChanged
    | ScoresChecked
    | TermsProposed
)
