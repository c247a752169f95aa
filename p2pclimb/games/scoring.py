"""What each seat wins or pays for a deal (rules.md 1.10 and the option `scoring`)."""

from __future__ import annotations

from collections.abc import Collection

from p2pclimb.games.moves import Outcome
from p2pclimb.games.options import Options

__all__ = ["forfeits", "payments"]


def payments(options: Options, outcome: Outcome) -> dict[int, int]:
    """Return the points each seat of the deal wins (or pays, below zero); they add up to zero."""
    stake = options.number("stake")
    count = len(outcome.order)
    shares = _by_place(count) if options.choice("scoring") == "places" else _loser_pays(count)
    return {seat: share * stake for seat, share in zip(outcome.order, shares, strict=True)}


def forfeits(options: Options, seats: Collection[int], quitters: Collection[int]) -> dict[int, int]:
    """Return what seats pay that quit when they may have seen their hands, before the first lead.

    Like losers each pays one stake to every seat that stays, however places are scored: there are
    none (protocol.md section 4).  The points add up to zero.
    """
    stake = options.number("stake")
    owed = stake * (len(seats) - len(quitters))
    won = stake * len(quitters)
    return {seat: -owed if seat in quitters else won for seat in sorted(seats)}


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
