"""What the engine needs to know of a table's options to tell and compare combinations.

A rulebook is data made once from `Options`; the code that obeys it is in `combos`, `chops` and
`generate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from p2pclimb.cards import FACES, TWO, Card
from p2pclimb.games.chops import CHOPS, Chop
from p2pclimb.games.options import Options
from p2pclimb.games.shapes import Kind, Shape

__all__ = ["Rulebook", "rulebook"]

ACE = TWO - 1
ALL_RANKS = 13


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Shapes, order of cards, and chops of one table.

    `shapes` are listed from the simplest on; `order` gives for `Card.index` the place of a card
    in the game's order, where rank comes before suit.
    """

    shapes: tuple[Shape, ...]
    order: tuple[int, ...]
    chops: tuple[Chop, ...]

    def place(self, card: Card) -> int:
        """Return the card's place in the order of the game; a higher card has a higher place."""
        return self.order[card.index]


@lru_cache(maxsize=256)
def rulebook(options: Options) -> Rulebook:
    """Return the rulebook of these options (rules.md 1.1, 1.6 and 1.8)."""
    highest = TWO if options.flag("twos_in_runs") else ACE
    return Rulebook(
        shapes=(
            Shape(Kind.SINGLE, width=1),
            Shape(Kind.PAIR, width=2),
            Shape(Kind.TRIPLE, width=3),
            Shape(Kind.FOUR, width=4),
            Shape(Kind.SEQUENCE, width=1, shortest=3, longest=ALL_RANKS, highest=highest),
            Shape(Kind.DOUBLE_SEQUENCE, width=2, shortest=3, longest=ALL_RANKS, highest=highest),
        ),
        order=_order("scdh"),
        chops=CHOPS[options.choice("chops")],
    )


def _order(suits: str) -> tuple[int, ...]:
    """Return the place of every face when suits rank as listed, from the lowest."""
    return tuple(
        card.rank * len(suits) + suits.index(card.suit) if card.suit else len(FACES) + card.rank
        for card in FACES
    )
