"""Packs that all seats of a table stack together: the only way to a hand that somebody wants."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import pytest

from p2pclimb.cards import Card, faces, parse_cards
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook

__all__ = ["deal_hands", "deal_the_lowest_cards_to_the_dealer"]


def deal_hands(
    monkeypatch: pytest.MonkeyPatch, hands: Sequence[str], *, packs: int = 1, jokers: bool = False
) -> None:
    """Let these hands be dealt, in the order of dealing.

    A hand is written as far as it matters; the rest of the pack fills them up from the lowest card.
    """
    unused = list(enumerate(faces(packs, jokers=jokers)))
    count = len(unused)
    rows = []
    for hand in hands:
        numbers = []
        for card in _cards(hand):
            number, _ = found = next(item for item in unused if item[1] is card)
            unused.remove(found)
            numbers.append(number)
        rows.append(iter(numbers))
    wanted = [next(rows[place % len(rows)], None) for place in range(count)]
    _stack(monkeypatch, wanted, iter([number for number, _ in unused]), len(hands))


def deal_the_lowest_cards_to_the_dealer(
    monkeypatch: pytest.MonkeyPatch, seats: int, packs: int
) -> None:
    """Stack the pack of Winner so that the dealer has the lowest cards.

    In the second deal the dealer is the loser of the first: all other cards rank above its
    tribute, and it proves of each that it keeps none.
    """
    pack = faces(packs, jokers=True)
    place = rulebook(Options.make("winner/1", {"packs": packs})).place
    order = sorted(range(len(pack)), key=lambda card: place(pack[card]))
    hand = math.ceil(len(pack) / seats)
    lowest, others = iter(order[:hand]), iter(order[hand:])
    wanted = [next(lowest) if place % seats == 0 else None for place in range(len(pack))]
    _stack(monkeypatch, wanted, others, seats)


def _cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text) if text else ()


def _stack(
    monkeypatch: pytest.MonkeyPatch, wanted: list[int | None], rest: Iterator[int], seats: int
) -> None:
    """Let the first to shuffle stack the pack, and the others leave it as it is."""
    stacked = tuple(next(rest) if card is None else card for card in wanted)
    as_it_is = tuple(range(len(wanted)))
    shuffles = itertools.cycle([stacked] + [as_it_is] * (seats - 1))
    monkeypatch.setattr(
        "p2pclimb.crypto.shuffle.random_permutation", lambda count, entropy: next(shuffles)
    )
