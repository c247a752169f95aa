"""The course of a table's deals as its public events tell it: who played what in which trick.

Reports, listings and viewers read this instead of the events.  Nothing is judged here, and no card
is in it that was not opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto

from p2pclimb.cards import Card
from p2pclimb.ledger.events import (
    BombTaken,
    CardsDealt,
    CardTaken,
    Claimed,
    DealBegan,
    DealEnded,
    DealerDrawn,
    DealRestarted,
    Departed,
    Event,
    InstantWon,
    LeadPassed,
    LowestShown,
    Passed,
    Played,
    RestShown,
    SeatFinished,
    TributeGiven,
    TributeReturned,
    TrickCardShown,
    TrickTaken,
)

__all__ = ["Act", "Deal", "Exchange", "Trick", "Turn", "deals_of"]


class Act(StrEnum):
    """What a seat did in a trick."""

    PLAY = auto()
    PASS = auto()
    LEAD_PASS = auto()
    LEAVE = auto()
    CLAIM = auto()
    PICK_UP = auto()
    TAKE_OVER = auto()


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did, and with which cards.

    With `LEAD_PASS` the whole hand that was shown, with `CLAIM` the fours that were shown out of
    turn, and after fours that took a bomb that bomb, with `PICK_UP` or `TAKE_OVER`.
    """

    seat: int
    act: Act
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Trick:
    """The turns from a lead until the pile is cleared; `owner` took it, None while it goes on."""

    turns: tuple[Turn, ...] = ()
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """The cards that went from the loser of the deal before to its winner, and back.

    `returned`: the winner had gone, and the tribute came back.
    """

    tribute: TributeGiven
    taken: CardTaken | None = None
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """One attempt of a deal, as far as the log tells it.

    `missing` are the seats for which the attempt was broken off, None if it was not.  `sizes` are
    the cards dealt to each seat, `claims` the hands shown before the first play to win at once, and
    `instant_win` the one that did; `rest` are the cards opened at the close.  `order`, `payments`
    and `scores` are None, empty and empty before the deal has ended.
    """

    number: int
    attempt: int
    seats: tuple[int, ...]
    dealer: int | None = None
    by_coin: bool = False
    missing: tuple[int, ...] | None = None
    sizes: Mapping[int, int] = field(default_factory=dict)
    trick_card: TrickCardShown | None = None
    claims: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    instant_win: InstantWon | None = None
    lowest: LowestShown | None = None
    exchange: Exchange | None = None
    tricks: tuple[Trick, ...] = ()
    finished: tuple[int, ...] = ()
    rest: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    order: tuple[int, ...] | None = None
    payments: Mapping[int, int] = field(default_factory=dict)
    scores: Mapping[int, int] = field(default_factory=dict)


def deals_of(events: Iterable[Event]) -> tuple[Deal, ...]:
    """Return every attempt of every deal that began, in order."""
    deals: list[Deal] = []
    for event in events:
        if isinstance(event, DealBegan):
            deals.append(Deal(event.deal, event.attempt, event.seats))
        elif deals:
            deals[-1] = _after(deals[-1], event)
    return tuple(deals)


def _after(deal: Deal, event: Event) -> Deal:
    match event:
        case DealerDrawn(_, seat, by_coin):
            return replace(deal, dealer=seat, by_coin=by_coin)
        case DealRestarted(number, attempt, missing) if (number, attempt - 1) == (
            deal.number,
            deal.attempt,
        ):
            # An attempt that was broken off before all had committed has not begun.
            return replace(deal, missing=missing)
        case CardsDealt(_, sizes):
            return replace(deal, sizes=sizes)
        case SeatFinished(seat):
            return replace(deal, finished=(*deal.finished, seat))
        case RestShown(seat, cards):
            return replace(deal, rest={**deal.rest, seat: cards})
        case DealEnded(_, order, payments, scores):
            return replace(deal, order=order, payments=payments, scores=scores)
        case _ if not deal.tricks:
            return _before_the_play(deal, event)
        case _:
            return replace(deal, tricks=_tricks_after(deal.tricks, event))


def _before_the_play(deal: Deal, event: Event) -> Deal:
    match event:
        case TrickCardShown():
            return replace(deal, trick_card=event)
        case Claimed(seat, cards):
            return replace(deal, claims={**deal.claims, seat: cards})
        case InstantWon():
            return replace(deal, instant_win=event)
        case LowestShown():
            return replace(deal, lowest=event)
        case TributeGiven():
            return replace(deal, exchange=Exchange(event))
        case CardTaken() if deal.exchange is not None:
            return replace(deal, exchange=replace(deal.exchange, taken=event))
        case TributeReturned() if deal.exchange is not None:
            return replace(deal, exchange=replace(deal.exchange, returned=True))
        case _:
            return replace(deal, tricks=_tricks_after(deal.tricks, event))


def _tricks_after(tricks: tuple[Trick, ...], event: Event) -> tuple[Trick, ...]:
    match event:
        case Played(seat, combination):
            return _with_turn(tricks, Turn(seat, Act.PLAY, combination.cards))
        case Passed(seat):
            return _with_turn(tricks, Turn(seat, Act.PASS))
        case LeadPassed(seat, hand):
            return _with_turn(tricks, Turn(seat, Act.LEAD_PASS, hand))
        case Departed(seat):
            return _with_turn(tricks, Turn(seat, Act.LEAVE))
        case Claimed(seat, cards):
            return _with_turn(tricks, Turn(seat, Act.CLAIM, cards))
        case BombTaken(seat, combination, into_hand):
            act = Act.PICK_UP if into_hand else Act.TAKE_OVER
            return _with_turn(tricks, Turn(seat, act, combination.cards))
        case TrickTaken(owner):
            return (*tricks[:-1], replace(tricks[-1], owner=owner))
        case _:
            return tricks


def _with_turn(tricks: tuple[Trick, ...], turn: Turn) -> tuple[Trick, ...]:
    if not tricks or tricks[-1].owner is not None:
        return (*tricks, Trick((turn,)))
    last = tricks[-1]
    return (*tricks[:-1], replace(last, turns=(*last.turns, turn)))
