"""The bot `random`: anything that is allowed, with equal chances."""

from __future__ import annotations

from random import Random

from p2pclimb.cards import Card
from p2pclimb.games.legal import legal_claims
from p2pclimb.games.moves import Cards, Play
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState

__all__ = ["choose_any", "choose_either", "claim_maybe", "offer_any"]


def choose_any(state: DealState, hand: tuple[Card, ...], rng: Random) -> Play:
    """Return one of the plays that `DealState.legal_plays` lists, or the pass."""
    legal = state.legal_plays(hand)
    choices: list[Play] = [Cards(combination.cards) for combination in legal.combinations()]
    if legal.passing is not None:
        choices.append(legal.passing)
    return rng.choice(choices)


def claim_maybe(
    state: DealState, seat: int, hand: tuple[Card, ...], rng: Random
) -> tuple[Card, ...]:
    """Return fours that claim the bomb on the table, or nothing to decline."""
    return rng.choice([(), *legal_claims(state, hand)])


def offer_any(options: Options, hand: tuple[Card, ...], rng: Random) -> tuple[Card, Card]:
    """Return two cards of the hand to offer to the loser."""
    first, second = rng.sample(hand, 2)
    return first, second


def choose_either(
    options: Options, hand: tuple[Card, ...], offered: tuple[Card, Card], rng: Random
) -> Card:
    """Return one of the two cards that the winner offers."""
    return rng.choice(offered)
