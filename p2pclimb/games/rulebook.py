"""What the engine needs to know of a table's options to tell, compare and judge combinations.

A rulebook is data made once from `Options`, one for each game; the code that obeys it is in
`combos`, `fours`, `generate` and `play`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from p2pclimb.cards import FACES, RED_JOKER, TWO, Card
from p2pclimb.games.chops import CHOPS, Chop
from p2pclimb.games.options import Options
from p2pclimb.games.presets import Family
from p2pclimb.games.shapes import ALL_RANKS, Kind, Shape, strength

__all__ = ["SHORTEST_FLUSH", "Rulebook", "rulebook"]

_ACE = TWO - 1
_LOW_ACE = _ACE - ALL_RANKS
SHORTEST_FLUSH = 5  # a straight flush always needs five (rules.md, defaults of Winner)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules about plays of one table.

    `shapes` are listed from the simplest on; `order` gives for `Card.index` the place of a card
    in the game's order, where rank comes before suit.  `chops` say which kinds beat some other
    plays, `bombs` give kinds a power: a play beats every play of less power.  `fours` says for a
    kind of bomb which kind of play takes it when made of fours.  `closing` are the kinds and
    heights that end a trick at once, `turning` the kinds that turn the order of ranks upside down.
    `twos_may_finish` allows going out on 2s alone.
    """

    shapes: tuple[Shape, ...]
    order: tuple[int, ...]
    chops: tuple[Chop, ...] = ()
    bombs: Mapping[Kind, int] = field(default_factory=dict)
    fours: Mapping[Kind, Kind] = field(default_factory=dict)
    closing: frozenset[tuple[Kind, int]] = frozenset()
    turning: frozenset[Kind] = frozenset()
    twos_may_finish: bool = True

    def place(self, card: Card) -> int:
        """Return the card's place in the order of the game; a higher card has a higher place."""
        return self.order[card.index]

    def suit_place(self, card: Card) -> int:
        """Return the place of the card's suit in the order of the game; 0 for a joker."""
        return self.order[card.index] % 4

    def worth(self, card: Card, *, inverted: bool) -> int:
        """Return a number that is more for the card that is higher when played alone."""
        return strength(card.rank, self.suit_place(card), inverted=inverted)

    def shape(self, kind: Kind) -> Shape | None:
        """Return the shape of a kind, None if there is no such play at this table."""
        return next((shape for shape in self.shapes if shape.kind is kind), None)


@lru_cache(maxsize=256)
def rulebook(options: Options) -> Rulebook:
    """Return the rulebook of these options (rules.md 1.1, 1.6 and 1.8; 2.1 to 2.6 and 2.10)."""
    match options.family:
        case Family.TIENLEN:
            return _tienlen(options)
        case Family.WINNER:
            return _winner(options)


def _tienlen(options: Options) -> Rulebook:
    highest = TWO if options.flag("twos_in_runs") else _ACE
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
        twos_may_finish=options.flag("finish_on_two"),
    )


def _winner(options: Options) -> Rulebook:
    bombs = _bombs(options)
    return Rulebook(
        shapes=tuple(_winner_shapes(options)),
        order=_order("dchs"),
        bombs=bombs,
        fours=_fours(options, bombs),
        closing=_closing(options, bombs),
        turning=frozenset({Kind.FOUR} if options.flag("revolution") else ()),
    )


def _winner_shapes(options: Options) -> Iterable[Shape]:
    """Yield what may be played (rules.md 2.2 and 2.3)."""

    def run(kind: Kind, width: int, shortest: int, *, suits_decide: bool = False) -> Shape:
        return Shape(kind, width, shortest, ALL_RANKS, _LOW_ACE, _ACE, suits_decide)

    jokers, by_suit = options.flag("jokers"), options.flag("straight_suit")
    yield Shape(Kind.SINGLE, width=1, highest=RED_JOKER if jokers else TWO)
    yield Shape(Kind.PAIR, width=2)
    yield Shape(Kind.TRIPLE, width=3, suits_decide=False)
    yield Shape(Kind.FULL_HOUSE, width=3, suits_decide=False)
    yield Shape(Kind.FOUR, width=4, suits_decide=False)
    yield run(Kind.STRAIGHT, 1, options.number("min_straight"), suits_decide=by_suit)
    yield run(Kind.PAIR_STRAIGHT, 2, 2)
    yield run(Kind.TRIPLE_STRAIGHT, 3, 2)
    yield run(Kind.STRAIGHT_FLUSH, 1, SHORTEST_FLUSH, suits_decide=by_suit)
    if jokers:
        yield Shape(Kind.JOKER_PAIR, 2, lowest=RED_JOKER, highest=RED_JOKER, suits_decide=False)


def _bombs(options: Options) -> dict[Kind, int]:
    """Return the power of every kind that is a bomb (rules.md 2.5)."""
    weakest_first = [Kind.TRIPLE, Kind.FOUR, Kind.STRAIGHT_FLUSH, Kind.JOKER_PAIR]
    if options.flag("revolution"):
        weakest_first = [Kind.STRAIGHT_FLUSH, Kind.JOKER_PAIR]
    elif options.flag("bomb_variation"):
        weakest_first = [Kind.STRAIGHT_FLUSH, Kind.JOKER_PAIR, Kind.FOUR]
    elif not options.flag("triple_is_bomb"):
        weakest_first.remove(Kind.TRIPLE)
    return {kind: power for power, kind in enumerate(weakest_first, start=1)}


def _fours(options: Options, bombs: Mapping[Kind, int]) -> dict[Kind, Kind]:
    """Return what takes a bomb of each kind when made of fours (rules.md 2.6)."""
    if options.choice("fours") == "off":
        return {}
    takers = {Kind.TRIPLE: Kind.PAIR, Kind.FOUR: Kind.TRIPLE}
    return {bomb: taker for bomb, taker in takers.items() if bomb in bombs}


def _closing(options: Options, bombs: Mapping[Kind, int]) -> frozenset[tuple[Kind, int]]:
    """Return the plays that end the trick at once (rules.md 2.5 and 2.10)."""
    closing = set()
    if max(bombs, key=lambda kind: bombs[kind]) is Kind.JOKER_PAIR:
        closing.add((Kind.JOKER_PAIR, RED_JOKER))
    if options.flag("skip_formalities"):
        closing |= {(Kind.SINGLE, RED_JOKER), (Kind.PAIR, TWO)}
    return frozenset(closing)


def _order(suits: str) -> tuple[int, ...]:
    """Return the place of every face when suits rank as listed, from the lowest."""
    return tuple(card.rank * 4 + (suits.index(card.suit) if card.suit else 0) for card in FACES)
