"""Deals played out in the open among bots: to measure their strength, and to try the engine.

Nothing here is secret or verified; at a real table the deal is made by the cryptography and the
hands are in different programs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from random import Random

from p2pclimb.bots import Strategy
from p2pclimb.cards import Card
from p2pclimb.games.dealing import (
    Opening,
    hand_sizes,
    lowest_first,
    opening_leader,
    opening_rule,
    owners,
    pack,
)
from p2pclimb.games.exchange import Exchange, tribute
from p2pclimb.games.moves import Cards, Turn
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState, start

__all__ = ["Hands", "deal_openly", "exchange_openly", "hands_after", "play_out"]

Hands = dict[int, tuple[Card, ...]]


def deal_openly(
    options: Options, seats: Collection[int], dealer: int, rng: Random, leader: int | None = None
) -> tuple[DealState, Hands]:
    """Shuffle and deal; return the state before the first lead, and all hands.

    Without a `leader` it is a first deal, in which a card decides who leads.
    """
    deck = list(pack(options, len(seats)))
    rng.shuffle(deck)
    places = owners(options, seats, dealer)
    hands = {
        seat: tuple(card for card, owner in zip(deck, places, strict=True) if owner == seat)
        for seat in sorted(seats)
    }
    sizes = hand_sizes(options, seats, dealer)
    lowest = None
    if leader is None:
        if opening_rule(options, first_deal=True) is Opening.LOWEST:
            leader, lowest = _lowest(options, hands, dealer)
        else:
            leader = rng.choice([owner for owner in places if owner is not None])
    return start(options, seats, sizes, leader, lowest), hands


def _lowest(options: Options, hands: Hands, dealer: int) -> tuple[int, Card]:
    """Return who leads, and the lowest card dealt."""
    dealt = {card for hand in hands.values() for card in hand}
    lowest = next(card for card in lowest_first(options, len(hands)) if card in dealt)
    holders = [seat for seat, hand in hands.items() if lowest in hand]
    return opening_leader(options, hands, dealer, holders), lowest


def exchange_openly(
    exchange: Exchange,
    options: Options,
    hands: Hands,
    strategies: Mapping[int, Strategy],
    rng: Random,
) -> Hands:
    """Return the hands after the exchange before a later deal of Winner."""
    giver, receiver = exchange.giver, exchange.receiver
    given = tribute(options, hands[giver])
    offered = strategies[receiver].offer(options, hands[receiver], rng)
    left = _without(hands[giver], given)
    taken = strategies[giver].choose(options, left, offered, rng)
    return {
        **hands,
        giver: (*left, taken),
        receiver: (*_without(hands[receiver], taken), given),
    }


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def play_out(
    state: DealState, hands: Hands, strategies: Mapping[int, Strategy], rng: Random
) -> DealState:
    """Return the state at the end of the deal when each seat plays by its strategy."""
    while (seat := state.turn) is not None:
        known = len(state.history)
        if state.asked:
            state = state.answer(_claims(state, hands, strategies, rng))
        else:
            state = state.apply(strategies[seat].play(state, hands[seat], rng))
        hands = hands_after(hands, state.history[known:])
    return state


def hands_after(hands: Hands, turns: Iterable[Turn]) -> Hands:
    """Return the hands when the cards of these turns are played, and bombs picked up."""
    left = {seat: list(hand) for seat, hand in hands.items()}
    for turn in turns:
        for card in turn.play.cards if isinstance(turn.play, Cards) else ():
            left[turn.seat].remove(card)
        if turn.picked_up is not None:
            left[turn.seat] += turn.picked_up.cards
    return {seat: tuple(hand) for seat, hand in left.items()}


def _claims(
    state: DealState, hands: Hands, strategies: Mapping[int, Strategy], rng: Random
) -> dict[int, tuple[Card, ...]]:
    """Return the fours of the seats that claim."""
    answers = {seat: strategies[seat].claim(state, seat, hands[seat], rng) for seat in state.asked}
    return {seat: fours for seat, fours in answers.items() if fours}
