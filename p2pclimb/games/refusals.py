"""Why cards are no combination, and why one combination does not beat another, in words.

The reasons name no card but those on the table: what a person tried to play is still hidden from
everybody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from p2pclimb.cards import TWO, Card, pretty
from p2pclimb.errors import InvalidPlayError
from p2pclimb.games.rulebook import Rulebook
from p2pclimb.games.shapes import ALL_RANKS, Combination, Kind
from p2pclimb.games.words import form_in_words, rank_in_words

__all__ = ["check_copies", "why_no_combination", "why_not_beaten"]


def check_copies(cards: Sequence[Card], packs: int) -> None:
    """Raise `InvalidPlayError` if a card is named more often than there are packs."""
    copies = max(Counter(cards).values())
    if copies > packs:
        there = "only one" if packs == 1 else f"only {packs}"
        raise InvalidPlayError(f"A card is named {copies} times, but there is {there} of it.")


def why_no_combination(cards: Sequence[Card], book: Rulebook) -> str:
    """Return why the cards, lowest first, are no combination, as a sentence."""
    if cards[-1].rank > TWO:
        if book.shape(Kind.JOKER_PAIR) is None:
            return "There are no jokers at this table."
        return "A joker is played alone, or with one other joker and nothing else."
    counts = Counter(card.rank for card in cards)
    if len(counts) == 1:
        return f"{len(cards)} of a kind are no combination."
    straight = book.shape(Kind.STRAIGHT)
    if straight is None:
        return _no_sequence(counts)
    return _no_straight(counts, straight.shortest)


def _no_sequence(counts: Counter[int]) -> str:
    """Return why two or more ranks are no combination of Tien len."""
    widths = set(counts.values())
    if len(counts) == 2:
        return "A pair or more is of one rank, a sequence of three ranks or more."
    if widths in ({1}, {2}):
        name = "sequence" if widths == {1} else "double sequence"
        return _no_row(list(counts), name) or f"There is no 2 in a {name} at this table."
    if len(widths) == 1:
        return "Only single cards and pairs make sequences."
    return "A sequence has one card of each rank, a double sequence two."


def _no_straight(counts: Counter[int], shortest: int) -> str:
    """Return why two or more ranks are no combination of Winner."""
    widths = sorted(counts.values())
    if widths in ([1, 1, 3], [1, 4]):
        return "A full house is a triple and a pair."
    if widths[0] != widths[-1]:
        return "A straight has as many cards of each of its ranks."
    if widths[0] > 3:
        return "Only single cards, pairs and triples make straights."
    name = ("straight", "pair straight", "triple straight")[widths[0] - 1]
    if widths[0] == 1 and len(counts) < shortest:
        return f"A straight has {shortest} cards or more."
    return _no_row(list(counts), name) or f"A {name} has the 2 below the 3, never above the ace."


def _no_row(ranks: list[int], name: str) -> str | None:
    """Return why different ranks, lowest first, are no row; None if they are one."""
    after = [*ranks[1:], ranks[0] + ALL_RANKS]
    gaps = [high - low > 1 for low, high in zip(ranks, after, strict=True)]
    if not any(gaps[:-1]):
        return None
    if sum(gaps) == 1:
        return f"A {name} may not go round the corner."
    return f"The ranks of a {name} are consecutive."


def why_not_beaten(play: Combination, table: Combination, *, inverted: bool = False) -> str:
    """Return why a combination does not beat the table, as a sentence."""
    if (play.kind, play.length) != (table.kind, table.length):
        return f"{form_in_words(play)} cannot answer {form_in_words(table)}.".capitalize()
    what, than = "highest card", pretty(table.top)
    if table.suit_place is None:
        what, than = "rank that decides", f"the {rank_in_words(table.bottom_rank)}"
    if play.strength() == table.strength():
        return f"An equal {what} does not beat {than}."
    if inverted and table.height <= TWO:
        return f"Ranks are upside down, and the {what} is not below {than}."
    return f"The {what} is lower than {than}."
