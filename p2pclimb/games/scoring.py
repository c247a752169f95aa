"""What each seat wins or pays for a deal (rules.md 1.10 and 2.13, and the option `scoring`)."""

from __future__ import annotations

from p2pclimb.games.moves import Holding, Outcome
from p2pclimb.games.options import Options

__all__ = ["payments"]


def payments(options: Options, outcome: Outcome) -> dict[int, int]:
    """Return the points each seat of the deal wins (or pays, below zero); they add up to zero."""
    count = len(outcome.order)
    match options.choice("scoring"):
        case "stake":
            shares = [share * options.number("stake") for share in _loser_pays(count)]
        case "places":
            shares = [share * options.number("stake") for share in _by_place(count)]
        case "cards":
            shares = _by_cards(options, outcome)
        case _:
            shares = [0] * count
    return dict(zip(outcome.order, shares, strict=True))


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


def _by_cards(options: Options, outcome: Outcome) -> list[int]:
    """Return points by place: all others pay the winner for their cards (rules.md 2.13)."""
    seats, packs = len(outcome.order), options.number("packs")
    paid = [
        holding.cards * _points_a_card(holding, seats, packs) for holding in outcome.counted[1:]
    ]
    return [sum(paid), *(-points for points in paid)]


def _points_a_card(holding: Holding, seats: int, packs: int) -> int:
    """Return what a seat pays for each card: 3 if it has played none, 2 for many, else 1."""
    if not holding.has_played:
        return 3
    match seats, packs:
        case 4, 1:
            return 2 if holding.cards >= 10 else 1
        case 3, 1:
            return 3 if holding.cards >= 17 else 2 if holding.cards >= 12 else 1
        case _:
            return 2 if 4 * holding.cards >= 3 * holding.dealt else 1
