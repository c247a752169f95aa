"""What combinations look like: kinds, shapes, and the combination itself.

Only the types; `combos` finds out which combination some cards are, `generate` finds them in a
hand, and `rulebook` says which shapes a table's options have.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from p2pclimb.cards import TWO, Card

__all__ = ["Combination", "Kind", "Shape"]


class Kind(StrEnum):
    """The types of combination (rules.md 1.6)."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    FOUR = "four_of_a_kind"
    SEQUENCE = "sequence"
    DOUBLE_SEQUENCE = "double_sequence"


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind as a grid of cards: `width` cards of each of `shortest` to `longest` ranks in a row.

    `highest` is the highest rank that such a play may reach.
    """

    kind: Kind
    width: int
    shortest: int = 1
    longest: int = 1
    highest: int = TWO


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that may be played together.

    `length` counts ranks in a row: 1 for sets, 5 for five pairs in sequence.  `cards` run from
    the lowest to the highest, `top` is the one that decides, and of two combinations of the same
    kind and length the one with more `strength` is the higher.
    """

    kind: Kind
    length: int
    top: Card
    cards: tuple[Card, ...]
    strength: int = field(compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.cards)
