"""Double o'Four: fours that take a bomb instead of a higher one (rules.md 2.6).

Which play that is; what becomes of the bomb, and who may claim it out of turn, is in `play`.
"""

from __future__ import annotations

from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import Combination, Kind

__all__ = ["FOUR_RANK", "fours_needed", "taker_of", "takes"]

FOUR_RANK = 1


def taker_of(table: Combination, options: Options) -> Kind | None:
    """Return the kind that takes the table when made of fours, None if fours have no power on it.

    Two fours take three of a kind and three fours four of a kind, where those are bombs.
    """
    return rulebook(options).fours.get(table.kind)


def takes(play: Combination, table: Combination, options: Options) -> bool:
    """Whether a play are the fours that take the bomb on the table."""
    return play.kind is taker_of(table, options) and play.top.rank == FOUR_RANK


def fours_needed(table: Combination, options: Options) -> int:
    """Return how many fours take the table, 0 if fours have no power on it."""
    match taker_of(table, options):
        case Kind.PAIR:
            return 2
        case Kind.TRIPLE:
            return 3
        case _:
            return 0
