"""Hands that win before the first play: the option `instant_wins` (rules.md section 1).

Which hands they are, and which of several claims is the best.  Who answers when is a matter of
the ledger, what the deal then pays of `scoring`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from p2pclimb.cards import TWO, Card
from p2pclimb.games.dealing import rotation
from p2pclimb.games.generate import find_plays
from p2pclimb.games.moves import ClaimedOutcome
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import Combination, Kind

__all__ = ["InstantWin", "InstantWinKind", "best_instant_win", "claimed_outcome", "winning_claim"]

_THREE, _ACE = 0, TWO - 1


class InstantWinKind(StrEnum):
    """The hands that win at once, the best first."""

    FOUR_TWOS = "four_twos"
    DRAGON = "dragon"
    FIVE_PAIRS = "five_pairs"
    SIX_PAIRS = "six_pairs"
    FOUR_THREES = "four_threes"


_BEST_FIRST = tuple(InstantWinKind)


@dataclass(frozen=True, slots=True)
class InstantWin:
    """A claim: its kind and the cards of the hand that make it, from the lowest to the highest.

    Of two claims of one kind the one with more `strength`, its best card's, is the higher.
    """

    kind: InstantWinKind
    cards: tuple[Card, ...]
    strength: int = field(compare=False, repr=False)

    @property
    def top(self) -> Card:
        """The best card of the combination, which decides between equal claims."""
        return self.cards[-1]


def best_instant_win(
    hand: Collection[Card], options: Options, first_deal: bool
) -> InstantWin | None:
    """Return the best claim that a dealt hand allows, None if there is none or the option is off.

    Four 3s win in the first deal only.  The hand has 13 cards: `Options` refuses the option where
    it would not.
    """
    if not options.plays_with("instant_wins"):
        return None
    wins = (
        win
        for win in _instant_wins(hand, options)
        if first_deal or win.kind is not InstantWinKind.FOUR_THREES
    )
    return max(wins, key=_worth, default=None)


def winning_claim(claims: Mapping[int, InstantWin], order: Sequence[int]) -> int:
    """Return the seat with the best claim; of equal ones the first in `order`.

    `order` has the claimants, and maybe others, in order of turn from the leader.
    """
    claimants = [seat for seat in order if seat in claims]
    return max(claimants, key=lambda seat: _worth(claims[seat]))


def claimed_outcome(options: Options, seats: Collection[int], claimant: int) -> ClaimedOutcome:
    """Return how a deal came out that a claim ended before its first play."""
    return ClaimedOutcome(rotation(options, seats, claimant))


def _worth(win: InstantWin) -> tuple[int, int]:
    return (-_BEST_FIRST.index(win.kind), win.strength)


def _instant_wins(hand: Collection[Card], options: Options) -> Iterator[InstantWin]:
    for combination in find_plays(hand, options):
        kind = _kind_of(combination)
        if kind is not None:
            yield InstantWin(kind, combination.cards, combination.strength())
    place = rulebook(options).place
    pairs = _all_pairs(sorted(hand, key=place))
    if len(pairs) >= 12:
        yield InstantWin(InstantWinKind.SIX_PAIRS, pairs, place(pairs[-1]))


def _kind_of(combination: Combination) -> InstantWinKind | None:
    rank = combination.top.rank
    match combination.kind, combination.length:
        case Kind.FOUR, 1 if rank == TWO:
            return InstantWinKind.FOUR_TWOS
        case Kind.FOUR, 1 if rank == _THREE:
            return InstantWinKind.FOUR_THREES
        case Kind.SEQUENCE, 12 if rank == _ACE:
            return InstantWinKind.DRAGON
        case Kind.DOUBLE_SEQUENCE, 5:
            return InstantWinKind.FIVE_PAIRS
    return None


def _all_pairs(hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return all cards, lowest first, that make pairs; of a triple the two higher ones."""
    by_rank: dict[int, list[Card]] = defaultdict(list)
    for card in hand:
        by_rank[card.rank].append(card)
    return tuple(card for group in by_rank.values() for card in group[len(group) % 2 :])
