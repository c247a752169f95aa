"""The bot `basic`, and the hint key: legal plays, best first.

It wants to empty its hand in few turns, keeps the cards that hold the lead and the sets that chop,
and grows bolder as others run out of cards.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from p2pclimb.bots.handcount import chances_to_hold, fewest_turns
from p2pclimb.cards import Card
from p2pclimb.games.moves import Cards, Play
from p2pclimb.games.play import DealState
from p2pclimb.games.shapes import Combination

__all__ = ["choose_best", "suggestions"]

# Weights in turns: what is worth one turn more or less.
_HOLDING = 0.8  # a card that surely holds the lead
_CHOP = 0.5  # four of a kind or three pairs in sequence kept together
_TAKING_THE_LEAD = 0.5  # a play that surely wins the trick
_DANGER = 1.5  # another seat about to go out
_FEW = 5  # cards with which a seat is about to go out


def choose_best(state: DealState, hand: tuple[Card, ...], rng: Random) -> Play:
    """Return the first of `suggestions`; always the same for the same seat and table."""
    return suggestions(state, hand)[0]


def suggestions(state: DealState, hand: tuple[Card, ...]) -> tuple[Play, ...]:
    """Return the legal plays of the seat in turn, and its pass if it may, best first.

    Empty when the deal is over.  Sees the public state and this hand, nothing else.
    """
    legal = state.legal_plays(hand)
    chances = chances_to_hold(hand, state)
    rated: list[tuple[float, Play]] = [
        (_after_play(combination, hand, state, chances), Cards(combination.cards))
        for combination in legal.combinations()
    ]
    if legal.passing is not None:
        rated.append((_turns_to_go(hand, state, chances) + _danger(state, 0), legal.passing))
    # The sort is stable: of equally good plays the simpler and lower comes first.
    return tuple(play for _, play in sorted(rated, key=lambda pair: pair[0]))


def _after_play(
    play: Combination, hand: tuple[Card, ...], state: DealState, chances: dict[Card, float]
) -> float:
    """Return what is left to do after a play, in turns: the lower the better."""
    rest = tuple((Counter(hand) - Counter(play.cards)).elements())
    if not rest:
        return float("-inf")
    hold = chances[play.top] if state.table is None or play.kind is state.table.kind else 1.0
    return (
        _turns_to_go(rest, state, chances)
        - _TAKING_THE_LEAD * hold
        + _danger(state, len(play)) * (1 - hold)
        + 0.02 * play.cards[0].rank
        - 0.05 * len(play)
    )


def _turns_to_go(hand: tuple[Card, ...], state: DealState, chances: dict[Card, float]) -> float:
    """Return the turns a hand still takes, less what its strong cards are worth."""
    holding = sum(chances[card] for card in hand)
    return fewest_turns(hand, state) - _HOLDING * holding - _CHOP * _chops(hand)


def _chops(hand: tuple[Card, ...]) -> int:
    """Return how many fours of a kind and separate threes of pairs in sequence a hand has."""
    counts = Counter(card.rank for card in hand)
    fours = sum(count >= 4 for count in counts.values())
    pairs_in_a_row = threes = 0
    for rank in range(13):
        pairs_in_a_row = pairs_in_a_row + 1 if counts[rank] >= 2 else 0
        if pairs_in_a_row == 3:
            threes, pairs_in_a_row = threes + 1, 0
    return fours + threes


def _danger(state: DealState, size: int) -> float:
    """Return what it costs to leave the trick to others, after a play of `size` cards or none.

    A seat with fewer cards than the play cannot answer it and go out.
    """
    others = [state.hand_sizes[seat] for seat in state.active if seat != state.turn]
    threats = sum(1 for count in others if max(size, 1) <= count <= _FEW)
    return _DANGER * threats / max(len(others), 1)
