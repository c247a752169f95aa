"""Telling what cards are together, and which combination beats which.

For both games (rules.md 1.6 to 1.8 and 2.2 to 2.6).  Judging cards that are shown; finding
playable cards in a hand is in `generate`, whether a seat may play at all in `play`, and reasons
in words in `refusals`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from p2pclimb.cards import BLACK_JOKER, RED_JOKER, TWO, Card
from p2pclimb.errors import InvalidPlayError
from p2pclimb.games.chops import chops, victim
from p2pclimb.games.fours import takes
from p2pclimb.games.options import Options
from p2pclimb.games.refusals import check_copies, why_no_combination
from p2pclimb.games.rulebook import SHORTEST_FLUSH, rulebook
from p2pclimb.games.shapes import ALL_RANKS, Combination, Kind, Shape

__all__ = ["beats", "classify"]


def classify(
    cards: Sequence[Card], options: Options, packs: int = 1, *, inverted: bool = False
) -> Combination:
    """Return the combination that the cards are, in whatever order they come.

    `packs` is how many packs were shuffled together, hence how often a face may appear.  Cards
    that can be read in two ways are what is stronger: a straight of one suit is a straight flush,
    and a run of all ranks has the ace where the order of ranks, `inverted` or not, favours it.
    Raises `InvalidPlayError` with the reason if they are nothing (rules.md 1.6, 2.2 and 2.3).
    """
    book = rulebook(options)
    ordered = tuple(sorted(cards, key=book.place))
    if not ordered:
        raise InvalidPlayError("A play needs at least one card.")
    if len(ordered) > len(set(ordered)):
        check_copies(ordered, packs)
    form = _grid(ordered, options, inverted) or _full_house(ordered, options)
    if form is None:
        raise InvalidPlayError(why_no_combination(ordered, book))
    shape, length, height = form
    ordered = _decisive_last(ordered, form)
    top = ordered[-1]
    suit_place = book.suit_place(top) if shape.suits_decide else None
    return Combination(shape.kind, length, top, ordered, height, suit_place)


def beats(
    play: Combination, table: Combination, options: Options, *, inverted: bool = False
) -> bool:
    """Whether a combination beats the one on the table.

    Same kind and length and higher (an equal one does not beat), a more powerful bomb, fours that
    take a bomb, or a chop (rules.md 1.7, 1.8 and 2.4 to 2.6).
    """
    if play.kind is table.kind and play.length == table.length:
        return play.strength(inverted=inverted) > table.strength(inverted=inverted)
    book = rulebook(options)
    return (
        book.bombs.get(play.kind, 0) > book.bombs.get(table.kind, 0)
        or takes(play, table, options)
        or chops(play.kind, play.length, victim(table), book.chops)
    )


class _Form(NamedTuple):
    """A shape with so many ranks in a row, the highest of them at `height`."""

    shape: Shape
    length: int
    height: int


_Key = tuple[int, int, bool]  # width, ranks as bits, and whether one suit matters


@lru_cache(maxsize=256)
def _forms(options: Options, inverted: bool) -> dict[_Key, _Form]:
    """Return the form of every grid of cards that is a combination at a table."""
    return {
        key: _Form(shape, length, height)
        for shape in rulebook(options).shapes
        for length in shape.lengths
        for height in shape.tops(length, inverted=inverted)
        for key in _keys(shape, length, height)
    }


def _keys(shape: Shape, length: int, height: int) -> Iterator[_Key]:
    match shape.kind:
        case Kind.FULL_HOUSE:
            return  # no grid
        case Kind.JOKER_PAIR:  # one of each, or two of either
            yield 1, 1 << BLACK_JOKER | 1 << RED_JOKER, False
            yield 2, 1 << BLACK_JOKER, False
            yield 2, 1 << RED_JOKER, False
        case kind:
            heights = range(height - length + 1, height + 1)
            ranks = [rank % ALL_RANKS if rank <= TWO else rank for rank in heights]
            yield shape.width, sum(1 << rank for rank in ranks), kind is Kind.STRAIGHT_FLUSH


def _grid(ordered: tuple[Card, ...], options: Options, inverted: bool) -> _Form | None:
    """Return the form of cards, sorted, if they are a grid of some shape."""
    ranks = [card.rank for card in ordered]
    distinct = list(dict.fromkeys(ranks))
    width = len(ranks) // len(distinct)
    if ranks[::width] != distinct or ranks[width - 1 :: width] != distinct:
        return None
    bits = sum([1 << rank for rank in distinct])
    forms = _forms(options, inverted)
    if width == 1 and len(ordered) >= SHORTEST_FLUSH and len({card.suit for card in ordered}) == 1:
        flush = forms.get((width, bits, True))
        if flush is not None:
            return flush
    return forms.get((width, bits, False))


def _full_house(ordered: tuple[Card, ...], options: Options) -> _Form | None:
    """Return the form of five cards, sorted, if they are a triple and a pair of another rank."""
    ranks = [card.rank for card in ordered]
    shape = rulebook(options).shape(Kind.FULL_HOUSE)
    is_one = (
        len(ranks) == 5
        and ranks[0] == ranks[1] < ranks[3] == ranks[4] <= TWO
        and ranks[2] in (ranks[0], ranks[4])
    )
    return _Form(shape, 1, ranks[2]) if shape is not None and is_one else None


def _decisive_last(ordered: tuple[Card, ...], form: _Form) -> tuple[Card, ...]:
    """Return the cards with those first that do not decide: a low ace and 2, the lesser pair."""
    cut = next((i for i, card in enumerate(ordered) if card.rank > form.height), None)
    return ordered if cut is None else ordered[cut:] + ordered[:cut]
