"""Bots by name, all with one interface: what a seat sees goes in, a play comes out.

A bot is given the public state of the deal, its own hand and a source of random numbers, and
nothing else; it cannot see more than a person in its seat.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from p2pclimb.bots.basic import choose_best
from p2pclimb.bots.chance import choose_any
from p2pclimb.cards import Card
from p2pclimb.errors import UsageError
from p2pclimb.games.moves import Play
from p2pclimb.games.play import DealState

__all__ = ["STRATEGIES", "Strategy", "strategy"]

Strategy = Callable[[DealState, tuple[Card, ...], Random], Play]

STRATEGIES: dict[str, Strategy] = {"random": choose_any, "basic": choose_best}


def strategy(name: str) -> Strategy:
    """Return the bot of that name; raises `UsageError` if there is none."""
    if name not in STRATEGIES:
        raise UsageError(f"There is no bot {name[:40]!a}.", hint=f"Known: {', '.join(STRATEGIES)}.")
    return STRATEGIES[name]
