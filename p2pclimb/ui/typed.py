"""Reading what a person types: cards with or without suits, and judging them before they are sent.

Whatever is read, the table judges the play once more; nothing here decides what is legal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from p2pclimb.cards import RANKS, TWO, Card, parse_cards, pretty
from p2pclimb.errors import IllegalPlayError, InvalidPlayError, PlayError
from p2pclimb.games.moves import Cards
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState
from p2pclimb.games.rulebook import rulebook

__all__ = ["Wanted", "cheapest_cards", "choose_cards", "in_turn", "read_typed"]

_LOOSE_CARD = re.compile("(10|[3-9TJQKA2])([scdh]?)", re.ASCII | re.IGNORECASE)
_LOOSE_CARDS = re.compile(f"(?:{_LOOSE_CARD.pattern})+", _LOOSE_CARD.flags)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A card as typed: its suit is empty when only the rank was given."""

    rank: int
    suit: str

    @property
    def is_free(self) -> bool:
        """Whether any suit will do; a joker has none."""
        return not self.suit and self.rank <= TWO


def read_typed(text: str) -> tuple[Wanted, ...]:
    """Read cards as `parse_cards` does, or by rank alone: `33`, `10jqk`, `3s 4 5`.

    Raises `InvalidPlayError` that names the first word which is no card.
    """
    words = text.replace(",", " ").split()
    return tuple(wanted for word in words for wanted in _read_word(word))


def _read_word(word: str) -> list[Wanted]:
    try:
        return [Wanted(card.rank, card.suit) for card in parse_cards(word)]
    except InvalidPlayError as error:
        if not _LOOSE_CARDS.fullmatch(word):
            named = ascii(word if len(word) <= 20 else f"{word[:20]}...")
            raise InvalidPlayError(
                f"{named} is neither a card nor a command.",
                hint="Write cards like 3s 10h 2d; type ? for help.",
            ) from error
    return [
        Wanted(RANKS.index(rank.upper().replace("10", "T")), suit.lower())
        for rank, suit in _LOOSE_CARD.findall(word)
    ]


def in_turn(state: DealState, seat: int) -> DealState:
    """Return the state as if it were the seat's turn now, for judging a play in advance.

    Raises `IllegalPlayError` with the reason when the seat cannot play in this trick at all.
    """
    if state.turn == seat:
        return state
    if seat in state.locked or seat not in state.active:
        state.check(Cards(()), seat)
    return replace(state, turn=seat, must_include=None)


def _require_held(cards: Sequence[Card], hand: Sequence[Card]) -> None:
    """Raise `IllegalPlayError` that names the first card which is not in the hand."""
    held = Counter(hand)
    for card, count in Counter(cards).items():
        if not held[card]:
            raise IllegalPlayError(f"You do not hold {pretty(card)}.")
        if held[card] < count:
            raise IllegalPlayError(f"You do not hold {pretty(card)} {count} times.")


def choose_cards(
    wanted: Sequence[Wanted], hand: Sequence[Card], state: DealState
) -> tuple[Card, ...]:
    """Return cards of the hand as wanted, choosing suits where none were typed.

    The lowest are taken, but as high a deciding card as the table demands, all of one suit where
    that alone will do, and the card that the first play must contain.  If no choice is legal the
    one with the highest top card is returned, whose refusal says most.  Raises `IllegalPlayError`
    for cards that are not in the hand.
    """
    named, groups, free = _sort_out(wanted, hand, state.options)
    refused = []
    for cards in _choices(groups, free, state):
        chosen = (*named, *cards)
        try:
            state.check(Cards(chosen))
        except PlayError:
            refused.append(chosen)
            continue
        return chosen
    return refused[_count_of_top_picks(groups, free) - 1]


def cheapest_cards(
    wanted: Sequence[Wanted], hand: Sequence[Card], options: Options
) -> tuple[Card, ...]:
    """Return cards of the hand as wanted, the lowest suits where none were typed.

    Raises `IllegalPlayError` for cards that are not in the hand.
    """
    named, groups, free = _sort_out(wanted, hand, options)
    return (*named, *(card for rank, group in groups.items() for card in group[: free[rank]]))


_Groups = dict[int, list[Card]]  # the cards to choose from by their rank, low before high


def _sort_out(
    wanted: Sequence[Wanted], hand: Sequence[Card], options: Options
) -> tuple[tuple[Card, ...], _Groups, Counter[int]]:
    """Return the cards typed in full, those to choose from for the others, and how many of each."""
    named = tuple(Card(want.rank, want.suit) for want in wanted if not want.is_free)
    _require_held(named, hand)
    _require_ranks(Counter(want.rank for want in wanted), hand)
    free = Counter(want.rank for want in wanted if want.is_free)
    rest = sorted((Counter(hand) - Counter(named)).elements(), key=rulebook(options).place)
    groups = {rank: [card for card in rest if card.rank == rank] for rank in sorted(free)}
    return named, groups, free


def _require_ranks(wanted: Counter[int], hand: Sequence[Card]) -> None:
    held = Counter(card.rank for card in hand)
    for rank, count in wanted.items():
        if held[rank] < count:
            name = "10" if RANKS[rank] == "T" else RANKS[rank]
            how_many = f"only {held[rank]}" if held[rank] else "no card"
            raise IllegalPlayError(f"You hold {how_many} of rank {name}.")


def _choices(groups: _Groups, free: Counter[int], state: DealState) -> Iterator[tuple[Card, ...]]:
    """Yield choices of suits, the cheapest first: one rank's suits decide, mostly the top one's.

    In Winner it may be another's, as in A-2-3-4-5, and a straight may have to be of one suit.
    """
    if not groups:
        yield ()
        return
    place = rulebook(state.options).place
    for deciding in reversed(groups):
        picks = combinations(groups[deciding], free[deciding])
        for pick in sorted(picks, key=lambda cards: [place(card) for card in reversed(cards)]):
            yield tuple(
                card
                for rank, group in groups.items()
                for card in (
                    pick if rank == deciding else _lowest(group, free[rank], state.must_include)
                )
            )
    yield from _one_suit(groups, free)


def _count_of_top_picks(groups: _Groups, free: Counter[int]) -> int:
    """Return how many choices come first in which the top rank's suits differ."""
    if not groups:
        return 1
    top = max(groups)
    return comb(len(groups[top]), free[top])


def _one_suit(groups: _Groups, free: Counter[int]) -> Iterator[tuple[Card, ...]]:
    """Yield the choices of one card of every rank, all of the same suit."""
    if set(free.values()) != {1}:
        return
    for suit in dict.fromkeys(card.suit for group in groups.values() for card in group):
        of_suit = [next((c for c in group if c.suit == suit), None) for group in groups.values()]
        cards = tuple(card for card in of_suit if card is not None)
        if len(cards) == len(groups):
            yield cards


def _lowest(group: list[Card], count: int, required: Card | None) -> list[Card]:
    """Return the lowest cards of a rank, the required one among them if it is there."""
    if required is not None and required in group[count:]:
        return [*group[: count - 1], required]
    return group[:count]
