"""Reading what a person types: cards with or without suits, and judging them before they are sent.

Whatever is read, the table judges the play once more; nothing here decides what is legal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from p2pclimb.cards import RANKS, TWO, Card, parse_cards, pretty
from p2pclimb.errors import IllegalPlayError, InvalidPlayError, PlayError
from p2pclimb.games.moves import Cards
from p2pclimb.games.play import DealState
from p2pclimb.games.rulebook import rulebook

__all__ = ["Wanted", "choose_cards", "in_turn", "read_typed"]

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

    The lowest are taken, but as high a top card as the table demands, and the card that the first
    play must contain.  If no choice is legal the highest one is returned, whose refusal says most.
    Raises `IllegalPlayError` for cards that are not in the hand.
    """
    named = tuple(Card(want.rank, want.suit) for want in wanted if not want.is_free)
    _require_held(named, hand)
    _require_ranks(Counter(want.rank for want in wanted), hand)
    free = Counter(want.rank for want in wanted if want.is_free)
    place = rulebook(state.options).place
    rest = sorted((Counter(hand) - Counter(named)).elements(), key=place)
    groups = {rank: [card for card in rest if card.rank == rank] for rank in sorted(free)}
    chosen = named
    for cards in _choices(groups, free, state):
        chosen = (*named, *cards)
        try:
            state.check(Cards(chosen))
        except PlayError:
            continue
        break
    return chosen


def _require_ranks(wanted: Counter[int], hand: Sequence[Card]) -> None:
    held = Counter(card.rank for card in hand)
    for rank, count in wanted.items():
        if held[rank] < count:
            name = "10" if RANKS[rank] == "T" else RANKS[rank]
            how_many = f"only {held[rank]}" if held[rank] else "no card"
            raise IllegalPlayError(f"You hold {how_many} of rank {name}.")


def _choices(
    groups: dict[int, list[Card]], free: Counter[int], state: DealState
) -> Iterator[tuple[Card, ...]]:
    """Yield choices of suits, the cheapest first: only the top rank's suits decide."""
    if not groups:
        yield ()
        return
    *lower, top = groups
    place = rulebook(state.options).place
    base = tuple(
        card for rank in lower for card in _lowest(groups[rank], free[rank], state.must_include)
    )
    picks = combinations(groups[top], free[top])
    for pick in sorted(picks, key=lambda cards: [place(card) for card in reversed(cards)]):
        yield (*base, *pick)


def _lowest(group: list[Card], count: int, required: Card | None) -> list[Card]:
    """Return the lowest cards of a rank, the required one among them if it is there."""
    if required is not None and required in group[count:]:
        return [*group[: count - 1], required]
    return group[:count]
