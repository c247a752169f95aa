"""Filled lines: within their width on any terminal, and never broken inside a card."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.cards import FACES, pretty
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.lines import columns, fill, fill_words

HANDS = st.lists(st.sampled_from(FACES), min_size=1, max_size=27)


def width_where_ambiguous_is(cells: int, text: str) -> int:
    """How many cells a terminal takes that draws ambiguous characters in 1 or 2."""
    wide = {"W": 2, "F": 2, "A": cells}
    return sum(wide.get(unicodedata.east_asian_width(letter), 1) for letter in text)


@given(HANDS, st.integers(20, 100), st.sampled_from(Notation))
def test_no_line_is_wider_than_asked_on_any_terminal(hand, width, notation):
    lines = fill(f"Cards: {write_cards(hand, notation)}.", width, "  ")
    for line in lines:
        assert width_where_ambiguous_is(2, line) <= width
        assert width_where_ambiguous_is(1, line) <= width


@given(HANDS, st.integers(20, 100), st.sampled_from(Notation))
def test_no_line_ends_inside_a_card(hand, width, notation):
    lines = fill(write_cards(hand, notation), width)
    cards = [write_card(card, notation) for card in hand]
    for line in lines:
        for card in line.rstrip(",").split(", " if notation is Notation.WORDS else " "):
            assert card in cards
    assert " ".join(lines) == write_cards(hand, notation)


def test_columns_are_counted_for_the_widest_terminal():
    assert columns("ab") == 2
    assert columns("李") == 2
    assert columns("7♥") == 3
    assert columns("e\u0301") == 1


def test_further_lines_are_indented_and_the_beginning_is_kept():
    assert fill("  aa bb cc", 7, "  ") == ["  aa bb", "    cc"]
    assert fill("", 10) == [""]


def test_a_word_wider_than_the_line_stands_alone():
    assert fill("a bbbbbbbbb c", 4) == ["a", "bbbbbbbbb", "c"]


def test_gaps_between_groups_stay():
    assert fill_words(["3s 3c", "4d"], 20, "Hand: ", gap="  ") == ["Hand: 3s 3c  4d"]
    assert fill("Hand: 3s 3c  4d", 20) == ["Hand: 3s 3c  4d"]


def test_ambiguous_glyphs_are_all_counted_alike():
    # Only the diamond is not ambiguous; it must not make lines of other lengths.
    assert {columns(pretty(card)) for card in FACES[:4]} == {2, 3}
