"""What each seat wins or pays for a deal (rules.md 1.10 and the options for payments).

What chops cost is found in `chop_pay`, what 2s left in the hand cost in `rotten_twos`.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2pclimb.cards import TWO, Card
from p2pclimb.games.moves import ClaimedOutcome, Outcome
from p2pclimb.games.options import Options

__all__ = ["payments", "value_of_twos"]


def payments(options: Options, outcome: Outcome | ClaimedOutcome) -> dict[int, int]:
    """Return the points each seat of the deal wins (or pays, below zero); they add up to zero.

    Chops are counted, 2s left in the hand are not: those are seen only after the deal.
    """
    stake = options.number("stake")
    paid = {
        seat: share * stake
        for seat, share in zip(outcome.order, _shares(options, outcome), strict=True)
    }
    if isinstance(outcome, Outcome):
        for chop in outcome.chops:
            paid[chop.payer] -= chop.stakes * stake
            paid[chop.receiver] += chop.stakes * stake
    return paid


def value_of_twos(cards: Iterable[Card]) -> int:
    """Return what the 2s among some cards are worth in stakes: a black one 1, a red one 2."""
    return sum(2 if card.suit in "dh" else 1 for card in cards if card.rank == TWO)


def _shares(options: Options, outcome: Outcome | ClaimedOutcome) -> list[int]:
    """Return the stakes by place before side payments."""
    count = len(outcome.order)
    match outcome:
        case ClaimedOutcome():
            return _others_pay(count)
        case Outcome() if options.choice("scoring") == "places":
            return _by_place(count)
        case Outcome():
            return _loser_pays(count)


def _others_pay(count: int) -> list[int]:
    """Return stakes by place when each of the others pays one to the first."""
    return [count - 1] + [-1] * (count - 1)


def _loser_pays(count: int) -> list[int]:
    """Return stakes by place when the last pays one to each of the others."""
    return [1] * (count - 1) + [1 - count]


def _by_place(count: int) -> list[int]:
    """Return stakes by place: the last pays the first two, the last but one pays the second one.

    Fewer than four seats have no second pair of places.
    """
    if count < 4:
        return [1] + [0] * (count - 2) + [-1]
    return [2, 1] + [0] * (count - 4) + [-1, -2]
