"""Chops: four of a kind and double sequences that beat 2s, and each other (rules.md 1.8).

The tables of the option `chops`, and who chops what.  The ordinary rule, a higher one of the same
kind and length, is in `combos`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from p2pclimb.cards import TWO
from p2pclimb.games.shapes import Combination, Kind

__all__ = ["CHOPS", "Chop", "Victim", "chops", "victim"]


class Victim(Enum):
    """What can be chopped.  Four 2s are no victim, and neither is a run that contains a 2."""

    ONE_TWO = auto()
    TWO_TWOS = auto()
    THREE_TWOS = auto()
    FOUR = auto()
    THREE_PAIRS = auto()
    FOUR_PAIRS = auto()


@dataclass(frozen=True, slots=True)
class Chop:
    """A kind with `shortest` to `longest` ranks in a row that beats each of `victims`."""

    kind: Kind
    shortest: int
    longest: int
    victims: frozenset[Victim]


def _four(*victims: Victim) -> Chop:
    return Chop(Kind.FOUR, 1, 1, frozenset(victims))


def _pairs(shortest: int, longest: int, *victims: Victim) -> Chop:
    return Chop(Kind.DOUBLE_SEQUENCE, shortest, longest, frozenset(victims))


_ONE, _TWO, _THREE = Victim.ONE_TWO, Victim.TWO_TWOS, Victim.THREE_TWOS
_SOURCE = (_four(_ONE), _pairs(3, 3, _ONE), _pairs(4, 4, _TWO), _pairs(5, 5, _THREE))
_CUMULATIVE = (_pairs(4, 13, _ONE), _pairs(5, 13, _TWO), _pairs(6, 13, _THREE))
_SOUTHERN = (
    _four(_TWO, Victim.THREE_PAIRS),
    _pairs(4, 13, _ONE, _TWO, Victim.THREE_PAIRS, Victim.FOUR),
    _pairs(5, 13, _THREE, Victim.FOUR_PAIRS),
)

CHOPS: dict[str, tuple[Chop, ...]] = {
    "source": _SOURCE,
    "cumulative": _SOURCE + _CUMULATIVE,
    "southern": _SOURCE + _SOUTHERN,
}


_VICTIMS: dict[tuple[Kind, int, bool], Victim] = {
    # Kind, length, and whether the top card is a 2.
    (Kind.SINGLE, 1, True): Victim.ONE_TWO,
    (Kind.PAIR, 1, True): Victim.TWO_TWOS,
    (Kind.TRIPLE, 1, True): Victim.THREE_TWOS,
    (Kind.FOUR, 1, False): Victim.FOUR,
    (Kind.DOUBLE_SEQUENCE, 3, False): Victim.THREE_PAIRS,
    (Kind.DOUBLE_SEQUENCE, 3, True): Victim.THREE_PAIRS,
    (Kind.DOUBLE_SEQUENCE, 4, False): Victim.FOUR_PAIRS,
    (Kind.DOUBLE_SEQUENCE, 4, True): Victim.FOUR_PAIRS,
}


def victim(table: Combination) -> Victim | None:
    """Return what the combination on the table is to a chop, None if nothing chops it."""
    return _VICTIMS.get((table.kind, table.length, table.top.rank == TWO))


def chops(kind: Kind, length: int, table: Victim | None, rules: Iterable[Chop]) -> bool:
    """Whether a combination of that kind and length beats the table by being a chop.

    A chop that itself holds 2s chops like any other.
    """
    return table is not None and any(
        chop.kind is kind and chop.shortest <= length <= chop.longest and table in chop.victims
        for chop in rules
    )
