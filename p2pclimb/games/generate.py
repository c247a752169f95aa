"""Finding the combinations in a hand, by shape and never by trying subsets.

What is found: every set (single, pair, triple, four of a kind, two jokers), told apart by all its
faces; of the runs one for each kind, length and top card; and of the full houses one for each rank
of the triple and of the pair.  The other suits of these decide nothing, and there may be thousands
of ways to pick them, so the lowest cards of each rank stand for all of them.  Twins of two packs
count as one card.  Whether a seat may play what is found here is for `play` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations

from p2pclimb.cards import BLACK_JOKER, RED_JOKER, SUITS, TWO, Card
from p2pclimb.games.chops import Victim, chops, victim
from p2pclimb.games.fours import FOUR_RANK, taker_of
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import SHORTEST_FLUSH, Rulebook, rulebook
from p2pclimb.games.shapes import ALL_RANKS, Combination, Kind, Shape

__all__ = ["find_plays"]

Group = tuple[Card, ...]  # the cards of one rank, lowest first
Find = tuple[int, int, Group]  # length and height of what was found, and its cards


def find_plays(
    hand: Iterable[Card],
    options: Options,
    table: Combination | None = None,
    required: Card | None = None,
    *,
    inverted: bool = False,
) -> Iterator[Combination]:
    """Yield the combinations in a hand that beat the table, or all of them when there is none.

    Only those with the `required` card, if there is one; it then takes the place of the lowest
    card of its rank.  Simple shapes come first, short before long, low before high.  `inverted`
    says that the order of ranks is upside down.
    """
    book = rulebook(options)
    groups = _by_rank(hand, book)
    floor = -1 if table is None else table.strength(inverted=inverted)
    size = sum(map(len, groups))
    for shape, lengths in _forms(options, table):
        if shape.width * lengths[0] > size:
            continue
        rival = table.length if table is not None and shape.kind is table.kind else None
        for length, height, cards in _of_shape(groups, shape, lengths, inverted, required):
            if required is not None and required not in cards:
                continue
            top = cards[-1]
            suit_place = book.suit_place(top) if shape.suits_decide else None
            play = Combination(shape.kind, length, top, cards, height, suit_place)
            # Against the same kind and length only the higher play counts.
            if length != rival or play.strength(inverted=inverted) > floor:
                yield play


Forms = tuple[tuple[Shape, tuple[int, ...]], ...]  # shapes, each with some lengths


def _forms(options: Options, table: Combination | None) -> Forms:
    """Return the forms that may be led, or those that may beat the table."""
    if table is None:
        return _leading_forms(options)
    return _answering_forms(
        options, table.kind, table.length, victim(table), taker_of(table, options)
    )


@lru_cache(maxsize=256)
def _leading_forms(options: Options) -> Forms:
    return tuple((shape, tuple(shape.lengths)) for shape in rulebook(options).shapes)


@lru_cache(maxsize=4096)
def _answering_forms(
    options: Options, kind: Kind, length: int, on_table: Victim | None, taker: Kind | None
) -> Forms:
    book = rulebook(options)
    power = book.bombs.get(kind, 0)
    forms: list[tuple[Shape, tuple[int, ...]]] = []
    for shape, lengths in _leading_forms(options):
        if shape.kind is taker:
            forms.append((replace(shape, lowest=FOUR_RANK, highest=FOUR_RANK), lengths))
        is_stronger = book.bombs.get(shape.kind, 0) > power
        answering = tuple(
            own
            for own in lengths
            if is_stronger
            or (shape.kind, own) == (kind, length)
            or chops(shape.kind, own, on_table, book.chops)
        )
        if answering:
            forms.append((shape, answering))
    return tuple(forms)


def _by_rank(hand: Iterable[Card], book: Rulebook) -> list[Group]:
    groups: list[list[Card]] = [[] for _ in range(RED_JOKER + 1)]
    for card in sorted(hand, key=book.place):
        groups[card.rank].append(card)
    return [tuple(group) for group in groups]


def _of_shape(
    groups: list[Group],
    shape: Shape,
    lengths: tuple[int, ...],
    inverted: bool,
    required: Card | None,
) -> Iterator[Find]:
    match shape.kind:
        case Kind.FULL_HOUSE:
            return _full_houses(groups)
        case Kind.JOKER_PAIR:
            return _joker_pairs(groups)
        case Kind.STRAIGHT_FLUSH:
            return _flushes(groups, shape, lengths, inverted)
        case _ if shape.longest == 1:
            return _sets(groups, shape)
        case _:
            return _runs(groups, shape, lengths, inverted, required)


def _sets(groups: list[Group], shape: Shape) -> Iterator[Find]:
    for rank in range(shape.lowest, shape.highest + 1):
        group = groups[rank]
        if len(group) == shape.width:
            yield 1, rank, group
        elif len(group) > shape.width:
            # Twins make equal sets; a dict keeps one of each and the order.
            for cards in dict.fromkeys(combinations(group, shape.width)):
                yield 1, rank, cards


def _joker_pairs(groups: list[Group]) -> Iterator[Find]:
    for cards in dict.fromkeys(combinations(groups[BLACK_JOKER] + groups[RED_JOKER], 2)):
        yield 1, RED_JOKER, cards


def _full_houses(groups: list[Group]) -> Iterator[Find]:
    for rank, triple in enumerate(groups[: TWO + 1]):
        if len(triple) >= 3:
            for other, pair in enumerate(groups[: TWO + 1]):
                if len(pair) >= 2 and other != rank:
                    yield 1, rank, pair[:2] + triple[:3]


def _flushes(
    groups: list[Group], shape: Shape, lengths: tuple[int, ...], inverted: bool
) -> Iterator[Find]:
    cards = tuple(chain.from_iterable(groups))
    runs: list[Find] = []
    for suit in SUITS:
        of_suit = {card.rank: (card,) for card in cards if card.suit == suit}
        if len(of_suit) >= lengths[0]:
            suited: list[Group] = [of_suit.get(rank, ()) for rank in range(len(groups))]
            runs += _runs(suited, shape, lengths, inverted, None)
    yield from sorted(runs, key=lambda find: find[:2])


def _runs(
    groups: list[Group],
    shape: Shape,
    lengths: tuple[int, ...],
    inverted: bool,
    required: Card | None,
) -> Iterator[Find]:
    if sum(len(group) >= shape.width for group in groups) < lengths[0]:
        return
    in_a_row = _in_a_row(groups, shape)
    longest = max(in_a_row.values())
    for length in lengths:
        if length > longest:
            return
        for height in shape.tops(length, inverted=inverted):
            if in_a_row[height] >= length:
                row = [groups[rank % ALL_RANKS] for rank in range(height - length + 1, height + 1)]
                for cards in _choices(row, shape, required):
                    yield length, height, cards


def _in_a_row(groups: list[Group], shape: Shape) -> dict[int, int]:
    """Return for each height how many ranks in a row end there, with enough cards each."""
    counts = {}
    count = 0
    for height in range(shape.lowest, shape.highest + 1):
        count = count + 1 if len(groups[height % ALL_RANKS]) >= shape.width else 0
        counts[height] = count
    return counts


def _choices(row: list[Group], shape: Shape, required: Card | None) -> Iterator[Group]:
    """Yield the cards of a run for each card that can be the highest of it."""
    below = (_lowest(group, shape.width, required) for group in row[:-1])
    lower = tuple(chain.from_iterable(below))
    may_be_flush = shape.kind is Kind.STRAIGHT and len(row) >= SHORTEST_FLUSH
    for tops in _tops(row[-1], shape.width, required):
        cards = _of_two_suits(row, lower + tops) if may_be_flush else lower + tops
        if cards is not None:
            yield cards


def _of_two_suits(row: list[Group], cards: Group) -> Group | None:
    """Return a straight with this top that is no flush, None if the row has no other suit.

    As low as can be: of a flush the highest card below the top that has another suit gives way.
    """
    suit = cards[-1].suit
    if any(card.suit != suit for card in cards):
        return cards
    for place in range(len(cards) - 2, -1, -1):
        for other in row[place]:
            if other.suit != suit:
                return (*cards[:place], other, *cards[place + 1 :])
    return None


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
