"""How good a hand is: the fewest turns to empty it, and how well its cards hold the lead.

The counting part of the bot `basic`; what it then plays is in `basic`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from p2pclimb.cards import Card
from p2pclimb.games.dealing import pack
from p2pclimb.games.play import DealState
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import Shape

__all__ = ["chances_to_hold", "fewest_turns"]

# Chance that one unseen higher card is not played on a single card.
_NOT_BEATEN = 0.8


def fewest_turns(hand: Iterable[Card], state: DealState) -> int:
    """Return how many plays it takes to get rid of these cards if nobody interferes."""
    counts = Counter(card.rank for card in hand)
    per_rank = tuple(counts[rank] for rank in range(13))
    shapes = rulebook(state.options).shapes
    return _fewest(per_rank, tuple(shape for shape in shapes if shape.longest > 1))


@lru_cache(maxsize=50_000)
def _fewest(per_rank: tuple[int, ...], runs: tuple[Shape, ...]) -> int:
    """Return the fewest plays for so many cards of each rank.

    The lowest rank left goes in a set of as many as there are, or begins a run: whatever else
    contains it comes to the same after one of these.
    """
    lowest = next((rank for rank, count in enumerate(per_rank) if count), None)
    if lowest is None:
        return 0
    best = _fewest(_without(per_rank, lowest, lowest + 1, min(per_rank[lowest], 4)), runs)
    for shape in runs:
        for end in range(lowest + 1, shape.highest + 2):
            if per_rank[end - 1] < shape.width:
                break
            if end - lowest >= shape.shortest:
                best = min(best, _fewest(_without(per_rank, lowest, end, shape.width), runs))
    return best + 1


def _without(per_rank: tuple[int, ...], begin: int, end: int, width: int) -> tuple[int, ...]:
    taken = tuple(count - width for count in per_rank[begin:end])
    return per_rank[:begin] + taken + per_rank[end:]


def chances_to_hold(hand: Iterable[Card], state: DealState) -> dict[Card, float]:
    """Return for each face in the hand a rough chance that it holds the lead when played alone.

    It falls with every higher card that was neither shown nor is in the hand.
    """
    hand = tuple(hand)
    place = rulebook(state.options).place
    unseen = Counter(pack(state.options, len(state.seats)))
    unseen.subtract(state.shown)
    unseen.subtract(hand)
    chances: dict[Card, float] = {}
    for card in set(hand):
        higher = sum(
            count for other, count in unseen.items() if count > 0 and place(other) > place(card)
        )
        chances[card] = _NOT_BEATEN**higher
    return chances
