"""How cards are written on a terminal: words, letters or suit glyphs, and in which colours.

A suit is always told by its glyph, letter or word; colour only helps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TextIO

from p2pclimb.cards import Card, parse_card, pretty
from p2pclimb.games.words import card_in_words

__all__ = [
    "Look",
    "Notation",
    "look_of",
    "paint",
    "respell",
    "write_card",
    "write_cards",
]


class Notation(Enum):
    """How a card is written."""

    WORDS = auto()
    LETTERS = auto()
    GLYPHS = auto()


@dataclass(frozen=True, slots=True)
class Look:
    """How cards look on one output; `is_plain` asks for lines that a screen reader can follow."""

    notation: Notation
    colour: bool

    @property
    def is_plain(self) -> bool:
        """Whether only appended lines of words are wanted, without any escape sequence."""
        return self.notation is Notation.WORDS


def look_of(stream: TextIO, environ: Mapping[str, str], *, plain: bool) -> Look:
    """Return the best look that an output can show (experience.md, Plain mode).

    Words when asked for, for a dumb terminal and for anything else than a terminal; glyphs where
    the encoding has them; no colour with `NO_COLOR` (no-color.org).
    """
    if plain or environ.get("TERM") == "dumb" or not stream.isatty():
        return Look(Notation.WORDS, colour=False)
    try:
        "♠♣♦♥".encode(stream.encoding)
        notation = Notation.GLYPHS
    except (LookupError, UnicodeEncodeError):
        notation = Notation.LETTERS
    return Look(notation, colour=not environ.get("NO_COLOR"))


def write_card(card: Card, notation: Notation) -> str:
    """Return a card in a notation."""
    match notation:
        case Notation.WORDS:
            return card_in_words(card)
        case Notation.LETTERS:
            return str(card)
        case Notation.GLYPHS:
            return pretty(card)


def write_cards(cards: Iterable[Card], notation: Notation) -> str:
    """Return several cards in a notation, in the order given."""
    gap = ", " if notation is Notation.WORDS else " "
    return gap.join(write_card(card, notation) for card in cards)


_PRETTY = re.compile(r"(?<!\w)(?:(?:10|[3-9JQKA2])[♠♣♦♥]|BJ|RJ)(?!\w)")


def respell(text: str, notation: Notation) -> str:
    """Return a text of the engine, in which cards stand with glyphs, in another notation."""
    if notation is Notation.GLYPHS:
        return text
    return _PRETTY.sub(lambda found: write_card(parse_card(found[0]), notation), text)


# Select Graphic Rendition codes of the basic eight colours, readable on light and dark alike.
_COLOURS = {
    "♠": "1",
    "♣": "32",
    "♦": "1;34",
    "♥": "31",
    "s": "1",
    "c": "32",
    "d": "1;34",
    "h": "31",
}
_CARDS = {
    Notation.GLYPHS: re.compile(r"(?<!\w)(?:10|[3-9JQKA2])([♠♣♦♥])"),
    Notation.LETTERS: re.compile(r"(?<!\w)[3-9TJQKA2]([scdh])(?!\w)"),
}


def paint(line: str, look: Look) -> str:
    """Return a line with every card in the colour of its suit (ECMA-48), if colour is wanted."""
    if not look.colour or look.is_plain:
        return line
    pattern = _CARDS[look.notation]
    return pattern.sub(lambda card: f"\x1b[{_COLOURS[card[1]]}m{card[0]}\x1b[0m", line)
