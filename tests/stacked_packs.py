"""Packs that all seats of a table stack together: the only way to a tribute as large as can be."""

from __future__ import annotations

import itertools
import math

import pytest

from p2pclimb.cards import faces
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook

__all__ = ["deal_the_lowest_cards_to_the_dealer"]


def deal_the_lowest_cards_to_the_dealer(
    monkeypatch: pytest.MonkeyPatch, seats: int, packs: int
) -> None:
    """Let the first to shuffle stack the pack of Winner, and the others leave it as it is.

    In the second deal the dealer is the loser of the first: all other cards rank above its
    tribute, and it proves of each that it keeps none.
    """
    pack = faces(packs, jokers=True)
    place = rulebook(Options.make("winner/1", {"packs": packs})).place
    order = sorted(range(len(pack)), key=lambda card: place(pack[card]))
    hand = math.ceil(len(pack) / seats)
    lowest, others = iter(order[:hand]), iter(order[hand:])
    stacked = tuple(next(lowest if place % seats == 0 else others) for place in range(len(pack)))
    as_it_is = tuple(range(len(pack)))
    shuffles = itertools.cycle([stacked] + [as_it_is] * (seats - 1))
    monkeypatch.setattr(
        "p2pclimb.crypto.shuffle.random_permutation", lambda count, entropy: next(shuffles)
    )
