"""Cards and combinations in words, for refusals, plain mode and screen readers.

The rules in words are in `describe`.
"""

from __future__ import annotations

from p2pclimb.cards import BLACK_JOKER, RED_JOKER, Card
from p2pclimb.games.instant_wins import InstantWin, InstantWinKind
from p2pclimb.games.shapes import Combination, Kind

__all__ = [
    "card_in_words",
    "combination_in_words",
    "form_in_words",
    "instant_win_in_words",
    "rank_in_words",
]

_RANKS = (
    "three four five six seven eight nine ten jack queen king ace two".split()  # noqa: SIM905
)
_SUITS = {"s": "spades", "c": "clubs", "d": "diamonds", "h": "hearts"}
_JOKERS = {BLACK_JOKER: "black joker", RED_JOKER: "red joker"}
_SETS = {Kind.PAIR: "pair of", Kind.TRIPLE: "three", Kind.FOUR: "four"}
# What each run is made of, as in `5 pairs in sequence` and `a sequence of 5`.
_RUNS = {
    Kind.SEQUENCE: "sequence of {}",
    Kind.DOUBLE_SEQUENCE: "{} pairs in sequence",
    Kind.STRAIGHT: "straight of {}",
    Kind.STRAIGHT_FLUSH: "straight flush of {}",
    Kind.PAIR_STRAIGHT: "straight of {} pairs",
    Kind.TRIPLE_STRAIGHT: "straight of {} triples",
}


def rank_in_words(rank: int) -> str:
    """Return the name of a rank: `queen`, `red joker`."""
    return _JOKERS.get(rank) or _RANKS[rank]


def card_in_words(card: Card) -> str:
    """Return the name of a card: `queen of hearts`, `black joker`."""
    return _JOKERS.get(card.rank) or f"{_RANKS[card.rank]} of {_SUITS[card.suit]}"


def combination_in_words(combination: Combination) -> str:
    """Return what a combination is: `pair of nines, hearts high`, `sequence of 5 up to the ...`.

    Suits are named where they decide; of a run that the ace or the 2 may begin, both ends are.
    """
    top = combination.top
    match combination.kind:
        case Kind.SINGLE:
            return card_in_words(top)
        case Kind.SEQUENCE | Kind.DOUBLE_SEQUENCE:
            return f"{_run(combination)} up to the {card_in_words(top)}"
        case Kind.PAIR | Kind.TRIPLE | Kind.FOUR as kind:
            by_suit = combination.suit_place is not None
            return f"{_SETS[kind]} {_plural(top.rank)}" + f", {_SUITS[top.suit]} high" * by_suit
        case Kind.FULL_HOUSE:
            return f"full house of three {_plural(top.rank)} and two {_lesser(combination)}"
        case Kind.JOKER_PAIR:
            return f"two jokers, {' and '.join(map(card_in_words, combination.cards))}"
        case Kind.STRAIGHT | Kind.STRAIGHT_FLUSH | Kind.PAIR_STRAIGHT | Kind.TRIPLE_STRAIGHT:
            bottom = _RANKS[combination.bottom_rank]
            return f"{_run(combination)} from the {bottom} to the {_end(combination)}"


def form_in_words(combination: Combination) -> str:
    """Return kind and length with their article: `a pair`, `a sequence of 5`, `3 pairs in ...`."""
    match combination.kind:
        case Kind.SINGLE:
            return "a single card"
        case Kind.FOUR:
            return "four of a kind"
        case Kind.JOKER_PAIR:
            return "two jokers"
        case Kind.PAIR | Kind.TRIPLE | Kind.FULL_HOUSE as kind:
            return f"a {kind.value.replace('_', ' ')}"
        case Kind.DOUBLE_SEQUENCE:
            return _run(combination)
        case _:
            return f"a {_run(combination)}"


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


def _run(combination: Combination) -> str:
    return _RUNS[combination.kind].format(combination.length)


def _plural(rank: int) -> str:
    return f"{_RANKS[rank]}es" if _RANKS[rank] == "six" else f"{_RANKS[rank]}s"


def _lesser(combination: Combination) -> str:
    return _plural(combination.cards[0].rank)


def _end(combination: Combination) -> str:
    """Return the top of a straight, with its suit where that is what it is about."""
    is_by_suit = combination.suit_place is not None or combination.kind is Kind.STRAIGHT_FLUSH
    top = combination.top
    return card_in_words(top) if is_by_suit else _RANKS[top.rank]
