"""The course of a table's deals as its public events tell it: who played what in which trick.

Reports, listings and viewers read this instead of the events.  Nothing is judged here, and no card
is in it that was not opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto

from p2pclimb.cards import Card
from p2pclimb.ledger import events
from p2pclimb.ledger.entry import Kind

__all__ = ["Act", "Deal", "Exchange", "Trick", "Turn", "deals_of", "what_counts"]


class Act(StrEnum):
    """What a seat did in a trick."""

    PLAY = auto()
    PASS = auto()
    LEAD_PASS = auto()
    LEAVE = auto()
    MISS = auto()
    OUT = auto()
    CONVICTED = auto()
    CLAIM = auto()
    PICK_UP = auto()
    TAKE_OVER = auto()


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did, and with which cards.

    `MISS`: it was absent; `OUT`: out for the deal for that; `CONVICTED`: for an offence.  With
    `LEAD_PASS` the whole hand that was shown, with `CLAIM` the fours that were shown out of
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

    `returned`: the winner offered nothing, and the tribute came back.
    """

    tribute: events.TributeGiven
    taken: events.CardTaken | None = None
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """One attempt of a deal, as far as the log tells it.

    `missing` are the seats for which the attempt was broken off, None if it was not.  `absences`
    are all that seats missed, turns among them, and `convicted` the convictions.  `sizes` are
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
    absences: tuple[events.Missed, ...] = ()
    convicted: tuple[events.Convicted, ...] = ()
    sizes: Mapping[int, int] = field(default_factory=dict)
    trick_card: events.TrickCardShown | None = None
    claims: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    instant_win: events.InstantWon | None = None
    lowest: events.LowestShown | None = None
    exchange: Exchange | None = None
    tricks: tuple[Trick, ...] = ()
    finished: tuple[int, ...] = ()
    rest: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    order: tuple[int, ...] | None = None
    payments: Mapping[int, int] = field(default_factory=dict)
    scores: Mapping[int, int] = field(default_factory=dict)


def what_counts(told: Iterable[events.Event]) -> list[events.Event]:
    """Return the events without those that were overridden later (`HistoryDropped`)."""
    counting: list[events.Event] = []
    for event in told:
        if isinstance(event, events.HistoryDropped):
            del counting[events.first_of(counting, event.step) :]
        else:
            counting.append(event)
    return counting


def deals_of(told: Iterable[events.Event]) -> tuple[Deal, ...]:
    """Return every attempt of every deal that began and counts, in order."""
    course = _Course()
    for event in what_counts(told):
        course.take(event)
    return tuple(course.deals)


@dataclass(slots=True)
class _Course:
    """The deals so far; `place` is the place filled last, which the other events are about.

    `early` is what befell seats before the deal in question began, and `missed` are the seats that
    were absent in the step of that place.
    """

    deals: list[Deal] = field(default_factory=list)
    place: events.PlaceFilled | None = None
    missed: set[int] = field(default_factory=set)
    early: list[events.Missed | events.Convicted] = field(default_factory=list)

    def take(self, event: events.Event) -> None:
        """Go on with one event that counts."""
        match event:
            case events.PlaceFilled():
                if self.place is None or self.place.step != event.step:
                    self.missed.clear()
                self.place = event
            case events.DealBegan(number, attempt, seats):
                self.deals.append(Deal(number, attempt, seats))
                for earlier in self.early:
                    self._tell(earlier)
                self.early.clear()
            case events.Missed() | events.Convicted() if self._is_of_commit():
                self.early.append(event)
            case _ if self.deals:
                self._tell(event)

    def _is_of_commit(self) -> bool:
        return self.place is not None and self.place.kind is Kind.COMMIT

    def _tell(self, event: events.Event) -> None:
        deal = self.deals[-1]
        match event:
            case events.Missed(seat, kind):
                self.missed.add(seat)
                deal = replace(deal, absences=(*deal.absences, event))
                if kind is Kind.TURN:
                    deal = _with_act(deal, Turn(seat, Act.MISS))
            case events.Departed(seat) if seat in self.missed:
                deal = _with_act(deal, Turn(seat, Act.OUT))
            case events.Convicted(seat):
                deal = replace(deal, convicted=(*deal.convicted, event))
                if self.place is not None and self.place.kind in (Kind.TURN, Kind.CLAIM):
                    deal = _with_act(deal, Turn(seat, Act.CONVICTED))
            case _:
                deal = _after(deal, event)
        self.deals[-1] = deal


def _with_act(deal: Deal, turn: Turn) -> Deal:
    return replace(deal, tricks=_with_turn(deal.tricks, turn))


def _after(deal: Deal, event: events.Event) -> Deal:
    match event:
        case events.DealerDrawn(_, seat, by_coin):
            return replace(deal, dealer=seat, by_coin=by_coin)
        case events.DealRestarted(number, attempt, missing) if (number, attempt - 1) == (
            deal.number,
            deal.attempt,
        ):
            # An attempt that was broken off before all had committed has not begun.
            return replace(deal, missing=missing)
        case events.CardsDealt(_, sizes):
            return replace(deal, sizes=sizes)
        case events.SeatFinished(seat):
            return replace(deal, finished=(*deal.finished, seat))
        case events.RestShown(seat, cards):
            return replace(deal, rest={**deal.rest, seat: cards})
        case events.DealEnded(_, order, payments, scores):
            return replace(deal, order=order, payments=payments, scores=scores)
        case _ if not deal.tricks:
            return _before_the_play(deal, event)
        case _:
            return replace(deal, tricks=_tricks_after(deal.tricks, event))


def _before_the_play(deal: Deal, event: events.Event) -> Deal:
    match event:
        case events.TrickCardShown():
            return replace(deal, trick_card=event)
        case events.Claimed(seat, cards):
            return replace(deal, claims={**deal.claims, seat: cards})
        case events.InstantWon():
            return replace(deal, instant_win=event)
        case events.LowestShown():
            return replace(deal, lowest=event)
        case events.TributeGiven():
            return replace(deal, exchange=Exchange(event))
        case events.CardTaken() if deal.exchange is not None:
            return replace(deal, exchange=replace(deal.exchange, taken=event))
        case events.TributeReturned() if deal.exchange is not None:
            return replace(deal, exchange=replace(deal.exchange, returned=True))
        case _:
            return replace(deal, tricks=_tricks_after(deal.tricks, event))


def _tricks_after(tricks: tuple[Trick, ...], event: events.Event) -> tuple[Trick, ...]:
    match event:
        case events.Played(seat, combination):
            return _with_turn(tricks, Turn(seat, Act.PLAY, combination.cards))
        case events.Passed(seat):
            return _with_turn(tricks, Turn(seat, Act.PASS))
        case events.LeadPassed(seat, hand):
            return _with_turn(tricks, Turn(seat, Act.LEAD_PASS, hand))
        case events.Departed(seat):
            return _with_turn(tricks, Turn(seat, Act.LEAVE))
        case events.Claimed(seat, cards):
            return _with_turn(tricks, Turn(seat, Act.CLAIM, cards))
        case events.BombTaken(seat, combination, into_hand):
            act = Act.PICK_UP if into_hand else Act.TAKE_OVER
            return _with_turn(tricks, Turn(seat, act, combination.cards))
        case events.TrickTaken(owner):
            return (*tricks[:-1], replace(tricks[-1], owner=owner))
        case _:
            return tricks


def _with_turn(tricks: tuple[Trick, ...], turn: Turn) -> tuple[Trick, ...]:
    if not tricks or tricks[-1].owner is not None:
        return (*tricks, Trick((turn,)))
    last = tricks[-1]
    return (*tricks[:-1], replace(last, turns=(*last.turns, turn)))
