"""Deals played out in the open among bots: to measure their strength, and to try the engine.

Nothing here is secret or verified; at a real table the deal is made by the cryptography and the
hands are in different programs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

from p2pclimb.bots import Strategy
from p2pclimb.cards import Card
from p2pclimb.games.dealing import hand_sizes, lowest_first, opening_leader, owners, pack
from p2pclimb.games.moves import Cards
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState, start

__all__ = ["Hands", "deal_openly", "play_out"]

Hands = dict[int, tuple[Card, ...]]


def deal_openly(
    options: Options, seats: Collection[int], dealer: int, rng: Random
) -> tuple[DealState, Hands]:
    """Shuffle and deal; return the state of a first deal before its lead, and all hands."""
    deck = list(pack(options, len(seats)))
    rng.shuffle(deck)
    places = owners(options, seats, dealer)
    hands = {
        seat: tuple(card for card, owner in zip(deck, places, strict=True) if owner == seat)
        for seat in sorted(seats)
    }
    dealt = {card for hand in hands.values() for card in hand}
    lowest = next(card for card in lowest_first(options, len(seats)) if card in dealt)
    holders = [seat for seat, hand in hands.items() if lowest in hand]
    leader = opening_leader(options, seats, dealer, holders)
    return start(options, seats, hand_sizes(options, seats, dealer), leader, lowest), hands


def play_out(
    state: DealState, hands: Hands, strategies: Mapping[int, Strategy], rng: Random
) -> DealState:
    """Return the state at the end of the deal when each seat plays by its strategy."""
    hands = dict(hands)
    while state.turn is not None:
        seat = state.turn
        play = strategies[seat](state, hands[seat], rng)
        state = state.apply(play)
        if isinstance(play, Cards):
            left = list(hands[seat])
            for card in play.cards:
                left.remove(card)
            hands[seat] = tuple(left)
    return state
