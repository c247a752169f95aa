"""What a node tells its own user interface: the public events, and what concerns this seat only.

`HandDealt` and `ChoiceAsked` hold cards that are not public: they are for the own screen only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.errors import ViolationError
from p2pclimb.ledger.events import Event

__all__ = [
    "ChoiceAsked",
    "ClaimAsked",
    "EvidenceKept",
    "HandDealt",
    "Leaving",
    "LinkDown",
    "LinkUp",
    "NextDealWaits",
    "NoMajority",
    "Notice",
    "OfferAsked",
    "PauseHeld",
    "PeerFault",
    "RuleBroken",
    "SeatElsewhere",
    "TimeRuns",
    "TurnBegan",
    "VoteStands",
]


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The cards of this seat, for its own player only."""

    cards: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A seat is to play."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClaimAsked:
    """The seat may claim within `seconds`: the bomb on the table with fours, or its whole hand.

    Whatever it decides, its node answers at the end of that time.
    """

    seconds: int
    whole_hand: bool


@dataclass(frozen=True, slots=True)
class OfferAsked:
    """The seat is to offer two cards to the loser of the deal before, which gave it `received`."""

    receiver: int
    received: Card


@dataclass(frozen=True, slots=True)
class ChoiceAsked:
    """The cards that this seat alone sees, and of which it is to take one."""

    giver: int
    cards: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class NextDealWaits:
    """The next deal begins as soon as this seat's player is ready."""

    deal: int


@dataclass(frozen=True, slots=True)
class Leaving:
    """A seat gave notice that it leaves; it counts when that seat is next expected."""

    seat: int


@dataclass(frozen=True, slots=True)
class RuleBroken:
    """A seat's own signatures prove an offence; the log holds them, and the table goes on."""

    violation: ViolationError


@dataclass(frozen=True, slots=True)
class PeerFault:
    """A peer sent bytes that prove nothing about anybody; they were dropped."""

    peer: bytes
    text: str


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A seat is connected to this node."""

    seat: int


@dataclass(frozen=True, slots=True)
class LinkDown:
    """A seat is not connected any more, or cannot be reached; `reason` is for a human."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class TimeRuns:
    """The step waits for these seats; each has so many seconds left before a vote can begin."""

    seats: tuple[int, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class VoteStands:
    """How the vote on passing over a late seat stands: a strict majority of `electorate` decides.

    `promised` and `accepted` are the seats that have taken part in the present ballot.
    """

    seat: int
    ballot: int
    promised: tuple[int, ...]
    accepted: tuple[int, ...]
    electorate: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PauseHeld:
    """These seats ask for a pause; `holds` while they are a strict majority: nobody votes then.

    A strict majority of `electorate`, the seats that would vote now.
    """

    seats: tuple[int, ...]
    holds: bool
    electorate: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoMajority:
    """A late place cannot be decided: only the seats `here` can vote, this one among them.

    They are no strict majority of `electorate`, so the table waits.
    """

    here: tuple[int, ...]
    electorate: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatElsewhere:
    """Somebody else signs with this seat's identity: this node signs no more."""


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """The proof of an offence stands in a file of its own, which an audit verifies alone."""

    seat: int
    path: str


Notice = (
    Event
    | ChoiceAsked
    | ClaimAsked
    | EvidenceKept
    | HandDealt
    | Leaving
    | LinkDown
    | LinkUp
    | NextDealWaits
    | NoMajority
    | OfferAsked
    | PauseHeld
    | PeerFault
    | RuleBroken
    | SeatElsewhere
    | TimeRuns
    | TurnBegan
    | VoteStands
)
