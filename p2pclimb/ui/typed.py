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

__all__ = ["Wanted", "choose_cards", "in_turn", "read_typed", "require_held"]

_LOOSE_CARD = re.compile("(10|[3-9TJQKA2])([scdh]?)", re.ASCII | re.IGNORECASE)
_LOOSE_CHUNK = re.compile(f"(?:{_LOOSE_CARD.pattern})+", _LOOSE_CARD.flags)


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

    Raises `InvalidPlayError` that names the first token which is no card.
    """
    try:
        return tuple(Wanted(card.rank, card.suit) for card in parse_cards(text))
    except InvalidPlayError:
        wanted = tuple(_loose_cards(text.replace(",", " ")))
        if not wanted:
            raise
        return wanted


def _loose_cards(text: str) -> Iterator[Wanted]:
    """Yield ranks with or without suits, or nothing if there is anything else in the text."""
    if all(map(_LOOSE_CHUNK.fullmatch, text.split())):
        for rank, suit in _LOOSE_CARD.findall(text):
            yield Wanted(RANKS.index(rank.upper().replace("10", "T")), suit.lower())


def in_turn(state: DealState, seat: int) -> DealState:
    """Return the state as if it were the seat's turn now, for judging a play in advance.

    Raises `IllegalPlayError` with the reason when the seat cannot play in this trick at all.
    """
    if state.turn == seat:
        return state
    if seat in state.locked or seat not in state.active:
        state.check(Cards(()), seat)
    return replace(state, turn=seat, must_include=None)


def require_held(cards: Sequence[Card], hand: Sequence[Card]) -> None:
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
    require_held(named, hand)
    free = Counter(want.rank for want in wanted if want.is_free)
    place = rulebook(state.options).place
    rest = sorted((Counter(hand) - Counter(named)).elements(), key=place)
    groups = {rank: [card for card in rest if card.rank == rank] for rank in sorted(free)}
    for rank, group in groups.items():
        if len(group) < free[rank]:
            raise IllegalPlayError(
                f"You hold {len(group)} more of rank {RANKS[rank].replace('T', '10')},"
                f" not {free[rank]}."
            )
    chosen = named
    for cards in _choices(groups, free, state):
        chosen = (*named, *cards)
        try:
            state.check(Cards(chosen))
        except PlayError:
            continue
        break
    return chosen


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
