"""Filling lines of a given width: broken between words, never inside a card.

Widths are upper bounds: a terminal may draw a suit glyph, as any character of ambiguous East Asian
width, in one column or two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["columns", "fill", "fill_words"]

_NO_BREAK = "\u00a0"
_CARD_IN_WORDS = re.compile(r"\w+ of (?:spades|clubs|diamonds|hearts)|(?:black|red) joker")


def columns(text: str) -> int:
    """Return the most columns that a terminal gives to a text (Unicode Standard Annex 11)."""
    return sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WFA" else 1


def fill(text: str, width: int, indent: str = "") -> list[str]:
    """Return a text in lines of at most `width` columns, as far as its words allow.

    Blanks at the beginning of the text are kept, and `indent` goes before every further line.
    """
    if columns(text) <= width:
        return [text]
    start = text[: len(text) - len(text.lstrip(" "))]
    glued = _CARD_IN_WORDS.sub(lambda card: card[0].replace(" ", _NO_BREAK), text)
    lines = fill_words(glued.split(" "), width, start, start + indent)
    return [line.replace(_NO_BREAK, " ") for line in lines]


def fill_words(
    words: Iterable[str], width: int, first: str = "", indent: str = "", gap: str = " "
) -> list[str]:
    """Return words in lines of at most `width` columns, `gap` between two in the same line.

    `first` begins the first line, `indent` the others; a word wider than a line has it alone.
    """
    lines: list[str] = []
    line, is_empty = first, True
    for word in filter(None, words):
        if not is_empty and columns(line) + columns(gap) + columns(word) > width:
            lines.append(line)
            line, is_empty = indent, True
        line += word if is_empty else gap + word
        is_empty = False
    return [whole.rstrip() for whole in (*lines, line)]
