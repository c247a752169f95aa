"""Telling what cards are together, and which combination beats which (rules.md 1.6 to 1.8).

Judging cards that are shown; finding playable cards in a hand is in `generate`, and whether a
seat may play at all in `play`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from p2pclimb.cards import TWO, Card
from p2pclimb.errors import InvalidPlayError
from p2pclimb.games.chops import chops, victim
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import Combination

__all__ = ["beats", "classify"]


def classify(cards: Sequence[Card], options: Options, packs: int = 1) -> Combination:
    """Return the combination that the cards are, in whatever order they come.

    `packs` is how many packs were shuffled together, hence how often a face may appear.  Raises
    `InvalidPlayError` with the reason if they are none (rules.md 1.6).
    """
    book = rulebook(options)
    ordered = tuple(sorted(cards, key=book.place))
    if not ordered:
        raise InvalidPlayError("A play needs at least one card.")
    if len(ordered) > len(set(ordered)):
        _check_copies(ordered, packs)
    bottom, top = ordered[0], ordered[-1]
    length = top.rank - bottom.rank + 1
    width = len(ordered) // length
    is_grid = len(ordered) == width * length and all(
        card.rank == bottom.rank + place // width for place, card in enumerate(ordered)
    )
    if is_grid:
        for shape in book.shapes:
            if shape.width == width and shape.shortest <= length <= shape.longest:
                if top.rank > shape.highest:
                    break
                return Combination(shape.kind, length, top, ordered, book.place(top))
    raise InvalidPlayError(_what_is_wrong(ordered))


def beats(play: Combination, table: Combination, options: Options) -> bool:
    """Whether a combination beats the one on the table.

    Same kind and length with a higher top card (an equal one does not beat), or a chop
    (rules.md 1.7 and 1.8).
    """
    if play.kind is table.kind and play.length == table.length:
        return play.strength > table.strength
    return chops(play.kind, play.length, victim(table), rulebook(options).chops)


# The reasons name no card: what a person tried to play is still hidden from everybody else.


def _check_copies(cards: Sequence[Card], packs: int) -> None:
    copies = max(Counter(cards).values())
    if copies > packs:
        there = "only one" if packs == 1 else f"only {packs}"
        raise InvalidPlayError(f"A card is named {copies} times, but there is {there} of it.")


def _what_is_wrong(cards: Sequence[Card]) -> str:
    """Return why the cards, lowest first, are no combination, as a sentence."""
    counts = Counter(card.rank for card in cards)
    widths = set(counts.values())
    if len(counts) == 1:
        return f"{len(cards)} of a kind are no combination."
    if len(counts) == 2:
        return "A pair or more is of one rank, a sequence of three ranks or more."
    if widths in ({1}, {2}):
        return _no_run("sequence" if widths == {1} else "double sequence", list(counts))
    if len(widths) == 1:
        return "Only single cards and pairs make sequences."
    return "A sequence has one card of each rank, a double sequence two."


def _no_run(name: str, ranks: list[int]) -> str:
    """Return why three or more different ranks, lowest first, are no run."""
    has_gap = ranks[-1] - ranks[0] >= len(ranks)
    if has_gap and ranks[0] == 0 and ranks[-1] == TWO:
        return f"A {name} may not go round the corner."
    if has_gap:
        return f"The ranks of a {name} are consecutive."
    return f"There is no 2 in a {name} at this table."
