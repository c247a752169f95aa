"""The plays a hand allows: a lazy collection in the spirit of python-chess.

Asked by a person's screen and by bots, never by those who judge: judging needs no hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from p2pclimb.cards import Card
from p2pclimb.errors import PlayError
from p2pclimb.games.fours import FOUR_RANK, fours_needed
from p2pclimb.games.generate import find_plays
from p2pclimb.games.moves import Cards, LeadPass, Pass
from p2pclimb.games.shapes import Combination

if TYPE_CHECKING:
    from p2pclimb.games.play import DealState

__all__ = ["LegalPlays", "legal_claims"]


@dataclass(frozen=True, slots=True)
class LegalPlays:
    """The legal plays of the seat in turn when it holds `hand`.

    `in` accepts every legal play.  Iteration, length and truth are about plays of cards, and name
    one of the runs and full houses that differ only in what decides nothing (see `generate`);
    whether and how the seat may pass instead is in `passing`.
    """

    state: DealState
    hand: tuple[Card, ...] = field(repr=False)

    def combinations(self) -> Iterator[Combination]:
        """Yield what may be played, simple shapes first, low before high."""
        state = self.state
        if state.turn is None or state.asked:
            return
        found = find_plays(
            self.hand, state.options, state.table, state.must_include, inverted=state.inverted
        )
        for combination in found:
            if not state.is_banned_finish(combination):
                yield combination

    @property
    def passing(self) -> Pass | LeadPass | None:
        """The way this seat may pass now: plainly, with its hand shown, or not at all."""
        if Pass() in self:
            return Pass()
        with_hand_shown = LeadPass(self.hand)
        return with_hand_shown if with_hand_shown in self else None

    def __iter__(self) -> Iterator[Cards]:
        return (Cards(combination.cards) for combination in self.combinations())

    def __len__(self) -> int:
        return sum(1 for _ in self.combinations())

    def __bool__(self) -> bool:
        return next(self.combinations(), None) is not None

    def __contains__(self, play: object) -> bool:
        match play:
            case Cards(cards) if Counter(cards) <= Counter(self.hand):
                pass
            case LeadPass(hand) if Counter(hand) == Counter(self.hand):
                pass
            case Pass():
                pass
            case _:
                return False
        try:
            self.state.check(play)
        except PlayError:
            return False
        return True


def legal_claims(state: DealState, hand: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
    """Return the fours with which a seat that is asked may claim the bomb when this is its hand.

    Twins of two packs count as one card (rules.md 2.6).
    """
    if not state.asked or state.table is None:
        return ()
    fours = sorted((card for card in hand if card.rank == FOUR_RANK), key=lambda card: card.index)
    needed = fours_needed(state.table, state.options)
    return tuple(dict.fromkeys(combinations(fours, needed))) if needed else ()
