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
    "HandDealt",
    "Leaving",
    "LinkDown",
    "LinkUp",
    "NextDealWaits",
    "Notice",
    "OfferAsked",
    "PeerFault",
    "RuleBroken",
    "TurnBegan",
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
    """A signed entry breaks a rule: the table cannot go on, and the log holds the proof."""

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


Notice = (
    Event
    | ChoiceAsked
    | ClaimAsked
    | HandDealt
    | Leaving
    | LinkDown
    | LinkUp
    | NextDealWaits
    | OfferAsked
    | PeerFault
    | RuleBroken
    | TurnBegan
)
