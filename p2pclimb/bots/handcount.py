"""How good a hand is: the fewest turns to empty it, and how well its cards hold the lead.

The counting part of the bot `basic`; what it then plays is in `basic`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from p2pclimb.cards import TWO, Card
from p2pclimb.games.dealing import pack
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import ALL_RANKS, Kind

__all__ = ["chances_to_hold", "fewest_turns"]

# Chance that one unseen higher card is not played on a single card.
_NOT_BEATEN = 0.8

PerRank = tuple[int, ...]  # how many cards there are of each rank from 3 to 2
Run = tuple[int, tuple[int, ...]]  # so many cards of each of some ranks in a row


def fewest_turns(hand: Iterable[Card], options: Options) -> int:
    """Return how many plays it takes to get rid of these cards if nobody interferes.

    Straight flushes are not told from straights; two jokers go together where they may.
    """
    counts = Counter(card.rank for card in hand)
    per_rank = tuple(counts[rank] for rank in range(ALL_RANKS))
    jokers = sum(count for rank, count in counts.items() if rank > TWO)
    return _turn_counter(options)(per_rank) + (jokers + 1) // 2


@lru_cache(maxsize=16)
def _turn_counter(options: Options) -> Callable[[PerRank], int]:
    """Return the function that counts the fewest plays under these options.

    The lowest rank left goes in a set of as many as there are, or with another rank in a full
    house, or in a run: whatever else contains it comes to the same after one of these.
    """
    runs = _runs_by_lowest_rank(options)
    has_full_house = rulebook(options).shape(Kind.FULL_HOUSE) is not None

    @lru_cache(maxsize=4096)  # some hands of one deal, about 1 MB
    def fewest(per_rank: PerRank) -> int:
        lowest = next((rank for rank, count in enumerate(per_rank) if count), None)
        if lowest is None:
            return 0
        best = fewest(_without(per_rank, min(per_rank[lowest], 4), (lowest,)))
        if has_full_house:
            best = min([best, *map(fewest, _after_full_houses(per_rank, lowest))])
        for width, ranks in runs[lowest]:
            if all(per_rank[rank] >= width for rank in ranks):
                best = min(best, fewest(_without(per_rank, width, ranks)))
        return best + 1

    return fewest


def _runs_by_lowest_rank(options: Options) -> dict[int, list[Run]]:
    """Return every run of a table's rules, by the lowest of its ranks."""
    runs: dict[int, list[Run]] = defaultdict(list)
    for shape in rulebook(options).shapes:
        if shape.longest > 1 and shape.kind is not Kind.STRAIGHT_FLUSH:
            for length in shape.lengths:
                for top in shape.tops(length, inverted=False):
                    ranks = tuple(rank % ALL_RANKS for rank in range(top - length + 1, top + 1))
                    runs[min(ranks)].append((shape.width, ranks))
    return runs


def _after_full_houses(per_rank: PerRank, lowest: int) -> Iterator[PerRank]:
    """Yield what is left after full houses with the lowest rank and the next that fits."""
    for own, others in ((3, 2), (2, 3)):
        if per_rank[lowest] >= own:
            fitting = (r for r, count in enumerate(per_rank) if r > lowest and count >= others)
            other = next(fitting, None)
            if other is not None:
                yield _without(_without(per_rank, own, (lowest,)), others, (other,))


def _without(per_rank: PerRank, width: int, ranks: tuple[int, ...]) -> PerRank:
    left = list(per_rank)
    for rank in ranks:
        left[rank] -= width
    return tuple(left)


def chances_to_hold(hand: Iterable[Card], state: DealState) -> dict[Card, float]:
    """Return for each face in the hand a rough chance that it holds the lead when played alone.

    It falls with every higher card that was neither shown nor is in the hand.
    """
    hand = tuple(hand)
    book, inverted = rulebook(state.options), state.inverted
    unseen = Counter(pack(state.options, len(state.seats)))
    unseen.subtract(state.shown)
    unseen.subtract(hand)
    worth = {card: book.worth(card, inverted=inverted) for card in unseen}
    chances: dict[Card, float] = {}
    for card in set(hand):
        higher = sum(
            count for other, count in unseen.items() if count > 0 and worth[other] > worth[card]
        )
        chances[card] = _NOT_BEATEN**higher
    return chances
