"""What happened at the table, in public: the fold tells these as entries fill their places.

The screen, the JSON lines, `log show` and the audit report all read the same events; none of them
ever holds a card that has not been opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.games.shapes import Combination
from p2pclimb.ledger.entry import Kind

__all__ = [
    "CardsDealt",
    "DealBegan",
    "DealEnded",
    "DealRestarted",
    "DealerDrawn",
    "Departed",
    "Event",
    "LeadPassed",
    "LowestMissing",
    "LowestShown",
    "Passed",
    "PlaceFilled",
    "Played",
    "RestShown",
    "SeatFinished",
    "TableEnded",
    "TrickTaken",
]


@dataclass(frozen=True, slots=True)
class PlaceFilled:
    """A verified entry stands at its place (`present`), or its author has left.

    `waiting` are the seats that the step still waits for.
    """

    step: int
    kind: Kind
    deal: int
    seat: int
    present: bool
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealBegan:
    """A deal's commitments are complete: these seats take part."""

    deal: int
    attempt: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealRestarted:
    """Seats were missing before the shares were complete: the deal begins anew without them.

    `payments` is what those pay, in points, that may have seen their hands before they went.
    """

    deal: int
    attempt: int
    missing: tuple[int, ...]
    payments: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DealerDrawn:
    """Who deals; `by_coin` when everybody's coins together drew the seat."""

    deal: int
    seat: int
    by_coin: bool


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """All shares are on the log: every seat knows its own hand."""

    deal: int
    sizes: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class LowestMissing:
    """Every seat proved that this card is not in its hand."""

    card: Card


@dataclass(frozen=True, slots=True)
class LowestShown:
    """The lowest card dealt was shown by `holders`; `leader` leads and must play it."""

    card: Card
    holders: tuple[int, ...]
    leader: int


@dataclass(frozen=True, slots=True)
class Played:
    """A seat played a combination and has `left` cards in hand."""

    seat: int
    combination: Combination
    led: bool
    left: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed."""

    seat: int


@dataclass(frozen=True, slots=True)
class LeadPassed:
    """A leader who may not lead any of its cards opened its hand and passed the lead."""

    seat: int
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """Nobody beat the last play: its owner took the trick, `leader` leads."""

    owner: int
    leader: int


@dataclass(frozen=True, slots=True)
class SeatFinished:
    """A seat played its last card; `place` counts from 1."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Departed:
    """A seat left the table in the middle of a deal."""

    seat: int


@dataclass(frozen=True, slots=True)
class RestShown:
    """A seat opened the cards that were left in its hand."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The result of a deal, signed by every seat that was still there.

    `order` is the finishing order, loser last; `payments` and `scores` count in stakes.
    """

    deal: int
    order: tuple[int, ...]
    payments: Mapping[int, int]
    scores: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class TableEnded:
    """Nothing more is expected of anybody: the log is complete."""

    reason: str


Event = (
    PlaceFilled
    | DealBegan
    | DealRestarted
    | DealerDrawn
    | CardsDealt
    | LowestMissing
    | LowestShown
    | Played
    | Passed
    | LeadPassed
    | TrickTaken
    | SeatFinished
    | Departed
    | RestShown
    | DealEnded
    | TableEnded
)
