"""How reports and listings write seats, cards and sums: foreign text made safe and unmistakable."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from p2pclimb.cards import Card
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import printable

__all__ = ["chain", "each", "name", "quoted", "seat_and_name", "signed"]


def name(terms: Terms, seat: int) -> str:
    """Return a seat's name for a line of text (see `quoted`)."""
    return quoted(terms.seats[seat].name)


def quoted(given: str) -> str:
    """Return a name that somebody gave, for a line of text.

    One word of letters and digits stands as it is.  Anything else is quoted, so that no name can
    pass for something that the program says, such as `Bob (seat 2) wins`.
    """
    text = printable(given)
    if all(map(_is_of_a_word, text)):
        return text
    return '"' + text.replace('"', "'") + '"'


def seat_and_name(terms: Terms, seat: int) -> str:
    """Return `seat 1, Ana`; seats count from 1 for people."""
    return f"seat {seat + 1}, {name(terms, seat)}"


def chain(cards: Iterable[Card]) -> str:
    """Return cards in one word: `3s3cTh`."""
    return "".join(map(str, cards))


def signed(points: int) -> str:
    """Return a sum with its sign: `+3`, `-1`, `0`."""
    return f"{points:+d}" if points else "0"


def each(terms: Terms, values: Mapping[int, object]) -> str:
    """Return `Ana 13, Binh 12`; one value `13 each` if it is the same for all."""
    texts = {seat: str(value) for seat, value in values.items()}
    if len(texts) > 1 and len(set(texts.values())) == 1:
        return f"{next(iter(texts.values()))} each"
    return ", ".join(f"{name(terms, seat)} {text}" for seat, text in texts.items())


def _is_of_a_word(character: str) -> bool:
    return character in "-_'" or unicodedata.category(character)[0] in "LMN"
