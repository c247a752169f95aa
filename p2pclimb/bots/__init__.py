"""Bots by name, all with one interface: what a seat sees goes in, a choice comes out.

A bot is given the public state of the deal, its own hand and a source of random numbers, and
nothing else; it cannot see more than a person in its seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from p2pclimb.bots import basic, chance
from p2pclimb.cards import Card
from p2pclimb.errors import UsageError
from p2pclimb.games.moves import Play
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState

__all__ = ["STRATEGIES", "Strategy", "strategy"]

Hand = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A bot: one function for each question that a seat is asked.

    `play` answers in turn.  `claim` gives the fours for a bomb out of turn, or nothing to decline;
    the seat that is asked comes with the state.  `offer` gives the two cards that the winner offers
    from its own hand without the one received, and `choose` the one of two that the loser takes.
    """

    play: Callable[[DealState, Hand, Random], Play]
    claim: Callable[[DealState, int, Hand, Random], Hand]
    offer: Callable[[Options, Hand, Random], tuple[Card, Card]]
    choose: Callable[[Options, Hand, tuple[Card, Card], Random], Card]


STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(
        chance.choose_any, chance.claim_maybe, chance.offer_any, chance.choose_either
    ),
    "basic": Strategy(
        basic.choose_best,
        basic.claim_if_shorter,
        basic.offer_least_useful,
        basic.choose_most_useful,
    ),
}


def strategy(name: str) -> Strategy:
    """Return the bot of that name; raises `UsageError` if there is none."""
    if name not in STRATEGIES:
        raise UsageError(f"There is no bot {name[:40]!a}.", hint=f"Known: {', '.join(STRATEGIES)}.")
    return STRATEGIES[name]
