"""Playing cards: the 54 faces, the faces of a shuffled pack, reading and writing them.

Cards know no game: which suit is higher is a matter of `p2pclimb.games.rulebook`.  Two cards with
the same face (two packs) are one and the same `Card` object.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar, NoReturn

from p2pclimb.errors import InvalidPlayError

__all__ = [
    "BLACK_JOKER",
    "FACES",
    "RANKS",
    "RED_JOKER",
    "SUITS",
    "TWO",
    "Card",
    "faces",
    "format_cards",
    "parse_card",
    "parse_cards",
    "pretty",
]

RANKS = "3456789TJQKA2"
SUITS = "scdh"
TWO = 12
BLACK_JOKER = 13
RED_JOKER = 14

_JOKERS = {BLACK_JOKER: "BJ", RED_JOKER: "RJ"}
_GLYPHS = {"s": "♠", "c": "♣", "d": "♦", "h": "♥"}
_FROM_GLYPHS = str.maketrans({glyph: suit for suit, glyph in _GLYPHS.items()})

_RANK = "10|[3-9TJQKA2]"
_FLAGS = re.ASCII | re.IGNORECASE
_JOKER_FIRST = re.compile("BJ|RJ", _FLAGS)
_RANK_FIRST = re.compile(f"(?P<rank>{_RANK})(?P<suit>[{SUITS}])", _FLAGS)
_SUIT_FIRST = re.compile(f"(?P<suit>[{SUITS}])(?P<rank>{_RANK})", _FLAGS)


class Card:
    """One face, immutable and interned: equal faces are the same object.

    `rank` is 0..12 for 3 4 5 6 7 8 9 10 J Q K A 2, 13 for the black and 14 for the red joker;
    `suit` is `s`, `c`, `d`, `h`, or empty for a joker; `index` is the place in `FACES`, the same
    in every run of the program, and also the hash.  Raises `InvalidPlayError` for a face that
    does not exist.
    """

    __slots__ = ("index", "rank", "suit")

    index: int
    rank: int
    suit: str
    _interned: ClassVar[dict[tuple[int, str], Card]] = {}

    def __new__(cls, rank: int, suit: str = "") -> Card:
        """Return the one card with this face."""
        known = cls._interned.get((rank, suit))
        if known is None:
            raise InvalidPlayError(f"There is no card of rank {rank!a} and suit {suit!a}.")
        return known

    @classmethod
    def _intern(cls, index: int, rank: int, suit: str) -> Card:
        card = super().__new__(cls)
        for name, value in (("index", index), ("rank", rank), ("suit", suit)):
            object.__setattr__(card, name, value)
        cls._interned[rank, suit] = card
        return card

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card is immutable, {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a card is immutable, {name} cannot be deleted")

    def __hash__(self) -> int:
        return self.index

    def __reduce__(self) -> tuple[type[Card], tuple[int, str]]:
        return (Card, (self.rank, self.suit))

    def __str__(self) -> str:
        return _JOKERS.get(self.rank) or f"{RANKS[self.rank]}{self.suit}"

    def __repr__(self) -> str:
        return f"<{self}>"


FACES: tuple[Card, ...] = tuple(
    Card._intern(index, rank, suit)
    for index, (rank, suit) in enumerate(
        [(rank, suit) for rank in range(13) for suit in SUITS]
        + [(BLACK_JOKER, ""), (RED_JOKER, "")]
    )
)


def faces(packs: int, *, jokers: bool) -> tuple[Card, ...]:
    """Return the face of each physical card: card `copy * pack_size + face` has face `face`.

    Faces run 3s 3c 3d 3h 4s ... 2h, then BJ RJ, in every game, so that the numbering of physical
    cards does not depend on the rules played with them.
    """
    return FACES[: 54 if jokers else 52] * packs


def parse_card(text: str) -> Card:
    """Read one card, as `parse_cards` does; raises `InvalidPlayError` unless it is exactly one."""
    match parse_cards(text):
        case (card,):
            return card
        case _:
            raise InvalidPlayError(f"{_quoted(text)} is not one card.", hint="Write 3s or 10h.")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards such as `3s 3c`, `3s3c`, `10h`, `h10`, `Th`, `BJ`, `7♥`, in any case.

    Blanks and commas separate cards and may be left out; within one unbroken chunk all cards put
    the rank first or all put the suit first.  The order is kept.  Raises `InvalidPlayError` that
    names the first token which is no card, or says that there is none at all.
    """
    chunks = text.translate(_FROM_GLYPHS).replace(",", " ").split()
    if not chunks:
        raise InvalidPlayError("No cards are named.", hint="Write them like 3s 10h 2d.")
    return tuple(card for chunk in chunks for card in _parse_chunk(chunk))


def _parse_chunk(chunk: str) -> list[Card]:
    readings = [_read(chunk, pattern) for pattern in (_RANK_FIRST, _SUIT_FIRST)]
    cards, rest = min(readings, key=lambda reading: len(reading[1]))
    if rest:
        raise InvalidPlayError(f"{_quoted(rest)} is not a card.", hint="Write them like 3s 10h 2d.")
    return cards


def _read(chunk: str, pattern: re.Pattern[str]) -> tuple[list[Card], str]:
    """Return the cards at the beginning of the chunk and what follows them."""
    cards: list[Card] = []
    place = 0
    while place < len(chunk):
        if joker := _JOKER_FIRST.match(chunk, place):
            cards.append(Card(BLACK_JOKER if joker[0][0] in "Bb" else RED_JOKER))
            place = joker.end()
        elif found := pattern.match(chunk, place):
            rank = found["rank"].upper().replace("10", "T")
            cards.append(Card(RANKS.index(rank), found["suit"].lower()))
            place = found.end()
        else:
            break
    return cards, chunk[place:]


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 12 else f"{text[:12]}...")


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards so that `parse_cards` reads the same ones back, such as `3s Th BJ`."""
    return " ".join(map(str, cards))


def pretty(card: Card) -> str:
    """Write a card for a person's eyes: `3♠`, `10♥`, `BJ`."""
    if not card.suit:
        return str(card)
    return f"{'10' if card.rank == 7 else RANKS[card.rank]}{_GLYPHS[card.suit]}"
