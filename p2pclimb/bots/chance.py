"""The bot `random`: any legal play, a pass included, with equal chances."""

from __future__ import annotations

from random import Random

from p2pclimb.cards import Card
from p2pclimb.games.moves import Play
from p2pclimb.games.play import DealState

__all__ = ["choose_any"]


def choose_any(state: DealState, hand: tuple[Card, ...], rng: Random) -> Play:
    """Return one of the plays that `DealState.legal_plays` lists, or the pass."""
    legal = state.legal_plays(hand)
    choices: list[Play] = list(legal)
    if legal.passing is not None:
        choices.append(legal.passing)
    return rng.choice(choices)
