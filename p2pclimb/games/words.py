"""Cards and combinations in words, for refusals, plain mode and screen readers.

The rules in words are in `describe`.
"""

from __future__ import annotations

from p2pclimb.cards import BLACK_JOKER, RED_JOKER, Card
from p2pclimb.games.instant_wins import InstantWin, InstantWinKind
from p2pclimb.games.shapes import Combination, Kind

__all__ = ["card_in_words", "combination_in_words", "form_in_words", "instant_win_in_words"]

_RANKS = (
    "three four five six seven eight nine ten jack queen king ace two".split()  # noqa: SIM905
)
_SUITS = {"s": "spades", "c": "clubs", "d": "diamonds", "h": "hearts"}
_JOKERS = {BLACK_JOKER: "black joker", RED_JOKER: "red joker"}
_SETS = {Kind.PAIR: "pair of", Kind.TRIPLE: "three", Kind.FOUR: "four"}


def card_in_words(card: Card) -> str:
    """Return the name of a card: `queen of hearts`, `black joker`."""
    return _JOKERS.get(card.rank) or f"{_RANKS[card.rank]} of {_SUITS[card.suit]}"


def combination_in_words(combination: Combination) -> str:
    """Return what a combination is: `pair of nines, hearts high`, `sequence of 5 up to the ...`."""
    top = combination.top
    match combination.kind:
        case Kind.SINGLE:
            return card_in_words(top)
        case Kind.SEQUENCE:
            return f"sequence of {combination.length} up to the {card_in_words(top)}"
        case Kind.DOUBLE_SEQUENCE:
            return f"{combination.length} pairs in sequence up to the {card_in_words(top)}"
        case Kind.PAIR | Kind.TRIPLE | Kind.FOUR as kind:
            rank = _RANKS[top.rank]
            plural = f"{rank}es" if rank == "six" else f"{rank}s"
            return f"{_SETS[kind]} {plural}, {_SUITS[top.suit]} high"


def form_in_words(combination: Combination) -> str:
    """Return kind and length with their article: `a pair`, `a sequence of 5`, `3 pairs in ...`."""
    match combination.kind:
        case Kind.SINGLE:
            return "a single card"
        case Kind.PAIR:
            return "a pair"
        case Kind.TRIPLE:
            return "a triple"
        case Kind.FOUR:
            return "four of a kind"
        case Kind.SEQUENCE:
            return f"a sequence of {combination.length}"
        case Kind.DOUBLE_SEQUENCE:
            return f"{combination.length} pairs in sequence"


def instant_win_in_words(win: InstantWin) -> str:
    """Return what an instant win is: `dragon up to the ace of clubs`, `four twos`."""
    match win.kind:
        case InstantWinKind.FOUR_TWOS:
            return "four twos"
        case InstantWinKind.FOUR_THREES:
            return "four threes"
        case InstantWinKind.DRAGON:
            return f"dragon up to the {card_in_words(win.top)}"
        case InstantWinKind.FIVE_PAIRS:
            return f"five pairs in sequence up to the {card_in_words(win.top)}"
        case InstantWinKind.SIX_PAIRS:
            return f"six pairs up to the {card_in_words(win.top)}"
