"""What happened at the table, in public: the fold tells these as entries fill their places.

The screen, the JSON lines, `log show` and the audit report all read the same events; none of them
ever holds a card that has not been opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.games.shapes import Combination
from p2pclimb.ledger.entry import Kind

__all__ = [
    "BombTaken",
    "CardTaken",
    "CardsDealt",
    "Claimed",
    "Convicted",
    "DealBegan",
    "DealEnded",
    "DealRestarted",
    "DealerDrawn",
    "Departed",
    "Event",
    "HistoryDropped",
    "InstantWon",
    "LeadPassed",
    "LowestMissing",
    "LowestShown",
    "Missed",
    "Offered",
    "Passed",
    "PlaceFilled",
    "Played",
    "RestShown",
    "SeatFinished",
    "TableEnded",
    "TributeGiven",
    "TributeReturned",
    "TrickCardShown",
    "TrickTaken",
    "first_of",
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
class TrickCardShown:
    """The card at the place that was turned face up; whoever holds it leads."""

    card: Card
    seat: int


@dataclass(frozen=True, slots=True)
class TributeGiven:
    """The loser of the deal before gave its highest card to the winner."""

    giver: int
    receiver: int
    card: Card


@dataclass(frozen=True, slots=True)
class TributeReturned:
    """The winner offered nothing: the loser has its card back, face up."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Offered:
    """The winner showed two cards to the loser alone."""

    seat: int
    receiver: int


@dataclass(frozen=True, slots=True)
class CardTaken:
    """The loser took one of the two cards; None: it was not there, and the card stays closed."""

    seat: int
    giver: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat claimed, and showed these cards for it."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class InstantWon:
    """The best claim ends the deal; `kind` is the slug of the hand that wins at once."""

    seat: int
    kind: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BombTaken:
    """Fours took a bomb: into the hand of their seat, or on the table as that seat's own."""

    seat: int
    combination: Combination
    into_hand: bool


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
    """A seat is out of the deal: it left, was absent too often, or owed a proof and gave none."""

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
class Missed:
    """A majority certified that a seat was absent when a step of this kind waited for it.

    `misses` counts from 1 in each deal; with the third the seat is out for the deal.
    """

    seat: int
    kind: Kind
    misses: int


@dataclass(frozen=True, slots=True)
class Convicted:
    """A seat's own signatures prove an offence; `rule` is its slug, `text` says it to people."""

    seat: int
    step: int
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class HistoryDropped:
    """A certificate or a proof overrides what was tentative: all from `step` on counts no more.

    What is told after it begins at that step anew.
    """

    step: int


@dataclass(frozen=True, slots=True)
class TableEnded:
    """Nothing more is expected of anybody: the log is complete."""

    reason: str


Event = (
    BombTaken
    | CardTaken
    | CardsDealt
    | Claimed
    | Convicted
    | DealBegan
    | DealEnded
    | DealRestarted
    | DealerDrawn
    | Departed
    | HistoryDropped
    | InstantWon
    | LeadPassed
    | LowestMissing
    | LowestShown
    | Missed
    | Offered
    | Passed
    | PlaceFilled
    | Played
    | RestShown
    | SeatFinished
    | TableEnded
    | TributeGiven
    | TributeReturned
    | TrickCardShown
    | TrickTaken
)


def first_of(events: Sequence[Event], step: int) -> int:
    """Return where in a story that is told step by step the events of `step` begin, or would."""
    places = (
        index
        for index, event in enumerate(events)
        if isinstance(event, PlaceFilled) and event.step >= step
    )
    return next(places, len(events))
