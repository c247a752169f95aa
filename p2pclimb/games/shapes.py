"""What combinations look like: kinds, shapes, and the combination itself.

Only the types; `combos` finds out which combination some cards are, `generate` finds them in a
hand, and `rulebook` says which shapes a table's options have.

Ranks in a row are counted by *height*: 0 for a 3 to 12 for a 2.  Where the ace and the 2 are low
they stand below the 3, at -2 and -1, so `height % 13` is always the rank of a card.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from p2pclimb.cards import TWO, Card

__all__ = ["ALL_RANKS", "Combination", "Kind", "Shape", "strength"]

ALL_RANKS = 13


class Kind(StrEnum):
    """The types of combination (rules.md 1.6 and 2.2)."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    FULL_HOUSE = "full_house"
    FOUR = "four_of_a_kind"
    SEQUENCE = "sequence"
    DOUBLE_SEQUENCE = "double_sequence"
    STRAIGHT = "straight"
    PAIR_STRAIGHT = "pair_straight"
    TRIPLE_STRAIGHT = "triple_straight"
    STRAIGHT_FLUSH = "straight_flush"
    JOKER_PAIR = "joker_pair"


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind as a grid of cards: `width` cards of each of `shortest` to `longest` ranks in a row.

    `lowest` and `highest` are the heights between which such a play lies.  `suits_decide` says
    whether of two with equal ranks the one whose top card has the higher suit is the higher.
    A full house is the grid of its triple, a pair of jokers the grid of one rank.
    """

    kind: Kind
    width: int
    shortest: int = 1
    longest: int = 1
    lowest: int = 0
    highest: int = TWO
    suits_decide: bool = True

    @property
    def lengths(self) -> range:
        """How many ranks in a row such a play may have."""
        return range(self.shortest, self.longest + 1)

    def tops(self, length: int, *, inverted: bool) -> range:
        """Return the heights that the highest rank of a play of this length may have.

        A run of all ranks with the ace at either end counts by its better reading: the high ace,
        or the low one while the order of ranks is `inverted` (rules.md 2.3 and 2.5).
        """
        first, last = self.lowest + length - 1, self.highest
        if length < ALL_RANKS or first >= last:
            return range(first, last + 1)
        return range(first, first + 1) if inverted else range(last, last + 1)


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that may be played together.

    `length` counts ranks in a row: 1 for sets, 5 for five pairs in sequence.  `cards` run from
    the lowest to the highest, those that decide last; `top` is the last of them.  `height` is that
    of the rank of `top`, and `suit_place` the place of its suit in the game's order of suits, None
    where suits decide nothing.
    """

    kind: Kind
    length: int
    top: Card
    cards: tuple[Card, ...]
    height: int = field(compare=False, repr=False)
    suit_place: int | None = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def bottom_rank(self) -> int:
        """The rank of the lowest card that decides: of a straight A-2-3-4-5 the ace."""
        return self.top.rank if self.length == 1 else (self.height - self.length + 1) % ALL_RANKS

    def strength(self, *, inverted: bool = False) -> int:
        """Return a number that is more for the higher of two with the same kind and length."""
        return strength(self.height, self.suit_place or 0, inverted=inverted)


def strength(height: int, suit_place: int, *, inverted: bool) -> int:
    """Return a number that is more for the higher rank, then for the higher suit.

    With the order of ranks `inverted` low ranks are the higher ones; jokers stay on top and suits
    do not turn (rules.md 2.5).
    """
    rank = -height if inverted and height <= TWO else height
    return rank * 4 + suit_place
