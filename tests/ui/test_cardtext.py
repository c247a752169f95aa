"""Cards on terminals of every kind."""

from __future__ import annotations

import io
import re

import pytest

from p2pclimb.cards import FACES, parse_cards
from p2pclimb.ui.cardtext import Look, Notation, look_of, paint, respell, write_card, write_cards


class Terminal(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_glyphs_in_colour():
    look = look_of(Terminal(), {"TERM": "xterm"}, plain=False)
    assert look == Look(Notation.GLYPHS, colour=True)
    assert not look.is_plain


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_encoding_without_suits_shows_letters(encoding):
    assert look_of(Terminal(encoding), {}, plain=False).notation is Notation.LETTERS


def test_no_color_is_honoured():
    assert not look_of(Terminal(), {"NO_COLOR": "1"}, plain=False).colour
    assert look_of(Terminal(), {"NO_COLOR": ""}, plain=False).colour


@pytest.mark.parametrize(
    ("stream", "environ", "plain"),
    [(Terminal(), {}, True), (Terminal(), {"TERM": "dumb"}, False), (io.StringIO(), {}, False)],
)
def test_plain_mode_has_words_and_no_colour(stream, environ, plain):
    look = look_of(stream, environ, plain=plain)
    assert look == Look(Notation.WORDS, colour=False)
    assert look.is_plain


@pytest.mark.parametrize("notation", Notation)
def test_every_suit_can_be_told_without_colour(notation):
    assert len({write_card(card, notation) for card in FACES}) == len(FACES)


def test_the_notations():
    cards = parse_cards("3s Th RJ")
    assert write_cards(cards, Notation.GLYPHS) == "3♠ 10♥ RJ"
    assert write_cards(cards, Notation.LETTERS) == "3s Th RJ"
    words = write_cards(cards, Notation.WORDS)
    assert words == "three of spades, ten of hearts, red joker"


@pytest.mark.parametrize("notation", [Notation.GLYPHS, Notation.LETTERS])
def test_four_colours_and_nothing_but_colour_is_added(notation):
    line = write_cards(FACES[:52], notation)
    painted = paint(line, Look(notation, colour=True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == line
    assert len(set(re.findall(r"\x1b\[([0-9;]+)m", painted)) - {"0"}) == 4


@pytest.mark.parametrize("notation", Notation)
def test_no_escape_sequence_without_colour(notation):
    line = write_cards(FACES, notation)
    assert paint(line, Look(notation, colour=False)) == line


def test_colour_is_only_for_cards():
    line = "Ana 9 leads 10 of 12; asks 3dogs"
    for notation in (Notation.GLYPHS, Notation.LETTERS):
        assert paint(line, Look(notation, colour=True)) == line


def test_refusals_of_the_engine_are_told_in_the_notation_of_the_screen():
    text = "10♥ is lower than J♠."
    assert respell(text, Notation.GLYPHS) == text
    assert respell(text, Notation.LETTERS) == "Th is lower than Js."
    assert respell(text, Notation.WORDS) == "ten of hearts is lower than jack of spades."
