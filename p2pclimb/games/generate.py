"""Finding the combinations in a hand, by shape and never by trying subsets.

What is found: every set (single, pair, triple, four of a kind), told apart by all its faces; and
of the runs one for each kind, length and top card.  The suits below the top of a run decide
nothing, and a long run may be picked in thousands of ways, so the lowest cards of each rank stand
for all of them.  Twins of two packs count as one card.  Whether a seat may play what is found here
is for `play` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations

from p2pclimb.cards import Card
from p2pclimb.games.chops import Victim, chops, victim
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import Rulebook, rulebook
from p2pclimb.games.shapes import Combination, Kind, Shape

__all__ = ["find_plays"]

_ALL_RANKS = 15

Group = tuple[Card, ...]  # the cards of one rank, lowest first


def find_plays(
    hand: Iterable[Card],
    options: Options,
    table: Combination | None = None,
    required: Card | None = None,
) -> Iterator[Combination]:
    """Yield the combinations in a hand that beat the table, or all of them when there is none.

    Only those with the `required` card, if there is one; it then takes the place of the lowest
    card of its rank.  Simple shapes come first, short before long, low before high.
    """
    book = rulebook(options)
    groups = _by_rank(hand, book)
    size = sum(map(len, groups))
    for shape, length, is_same in _forms(options, table):
        if shape.width * length > size:
            continue
        floor = table.strength if table is not None and is_same else -1
        for cards in _of_form(groups, shape, length, required):
            top = cards[-1]
            strength = book.place(top)
            if strength > floor and (required is None or required in cards):
                yield Combination(shape.kind, length, top, cards, strength)


Form = tuple[Shape, int, bool]  # a shape, a length, and whether the table has the same


def _forms(options: Options, table: Combination | None) -> tuple[Form, ...]:
    """Return the forms that may be led, or those that may beat the table."""
    if table is None:
        return _leading_forms(options)
    return _answering_forms(options, table.kind, table.length, victim(table))


@lru_cache(maxsize=256)
def _leading_forms(options: Options) -> tuple[Form, ...]:
    return tuple(
        (shape, length, False)
        for shape in rulebook(options).shapes
        for length in range(shape.shortest, shape.longest + 1)
    )


@lru_cache(maxsize=4096)
def _answering_forms(
    options: Options, kind: Kind, length: int, on_table: Victim | None
) -> tuple[Form, ...]:
    rules = rulebook(options).chops
    return tuple(
        (shape, own_length, (shape.kind, own_length) == (kind, length))
        for shape, own_length, _ in _leading_forms(options)
        if (shape.kind, own_length) == (kind, length)
        or chops(shape.kind, own_length, on_table, rules)
    )


def _by_rank(hand: Iterable[Card], book: Rulebook) -> list[Group]:
    groups: list[list[Card]] = [[] for _ in range(_ALL_RANKS)]
    for card in sorted(hand, key=book.place):
        groups[card.rank].append(card)
    return [tuple(group) for group in groups]


def _of_form(
    groups: list[Group], shape: Shape, length: int, required: Card | None
) -> Iterator[tuple[Card, ...]]:
    if shape.longest == 1:
        return _sets(groups, shape.width)
    return _runs(groups, shape, length, required)


def _sets(groups: list[Group], width: int) -> Iterator[tuple[Card, ...]]:
    for group in groups:
        if len(group) >= width:
            # Twins make equal sets; a dict keeps one of each and the order.
            yield from dict.fromkeys(combinations(group, width))


def _runs(
    groups: list[Group], shape: Shape, length: int, required: Card | None
) -> Iterator[tuple[Card, ...]]:
    width = shape.width
    in_a_row = 0
    for rank in range(shape.highest + 1):
        in_a_row = in_a_row + 1 if len(groups[rank]) >= width else 0
        if in_a_row >= length:
            below = chain.from_iterable(
                _lowest(group, width, required) for group in groups[rank - length + 1 : rank]
            )
            lower = tuple(below)
            for tops in _tops(groups[rank], width, required):
                yield lower + tops


def _tops(group: Group, width: int, required: Card | None) -> Iterator[Group]:
    """Yield `width` cards of a rank for each card that can be the highest of them."""
    for place in range(width - 1, len(group)):
        # Of twins only the last is taken, so that the other can be among those below it.
        if group[place] not in group[place + 1 :]:
            yield (*_lowest(group[:place], width - 1, required), group[place])


def _lowest(group: Group, count: int, required: Card | None) -> Group:
    """Return the lowest cards of a rank, the required one among them if it is there."""
    if required is not None and count and required in group[count:]:
        return (*group[: count - 1], required)
    return group[:count]
