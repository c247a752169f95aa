"""What a play does beyond itself: who is out, who takes the trick, where a bomb goes.

Found by comparing the state before and after; turns and claims of fours share it.
"""

from __future__ import annotations

from p2pclimb.games.combos import classify
from p2pclimb.games.fours import takes
from p2pclimb.games.moves import Cards
from p2pclimb.games.play import DealState
from p2pclimb.ledger.events import BombTaken, Event, SeatFinished, TrickTaken
from p2pclimb.ledger.hands import Hands

__all__ = ["after_cards", "consequences"]


def after_cards(
    hands: Hands, places: tuple[int, ...], seat: int, before: DealState, after: DealState
) -> Hands:
    """Return the hands after a seat played these places.

    Fours that took a bomb are put aside; the bomb stays on the table or goes into the seat's hand.
    """
    if after.picked_up is not None:
        return hands.discard(places).pick_up(seat)
    return hands.discard(places) if _takes_over(before, after) else hands.play(places)


def consequences(before: DealState, after: DealState) -> tuple[Event, ...]:
    """Return what to tell about the step from one state to the next, in the order it happened."""
    events: list[Event] = []
    if after.picked_up is not None and after.history != before.history:
        events.append(BombTaken(after.picked_up.seat, after.picked_up.combination, into_hand=True))
    elif before.table is not None and _takes_over(before, after):
        events.append(BombTaken(after.history[-1].seat, before.table, into_hand=False))
    events += [
        SeatFinished(seat, place)
        for place, seat in enumerate(after.finished, 1)
        if seat not in before.finished
    ]
    if after.trick_number > before.trick_number and after.turn is not None:
        owner = _owner_at_the_end(before, after)
        events.append(TrickTaken(owner, after.turn))
    return tuple(events)


def _takes_over(before: DealState, after: DealState) -> bool:
    """Whether the last turn were fours that left a bomb on the table, as their seat's own."""
    if before.table is None or len(after.history) == len(before.history):
        return False
    last = after.history[-1]
    if not isinstance(last.play, Cards) or last.picked_up is not None:
        return False
    fours = classify(last.play.cards, before.options, before.packs, inverted=before.inverted)
    return takes(fours, before.table, before.options)


def _owner_at_the_end(before: DealState, after: DealState) -> int:
    """Return whose play took the trick: the last one, if it ended the trick by itself."""
    last = after.history[-1]
    ended_by_cards = len(after.history) > len(before.history) and isinstance(last.play, Cards)
    if ended_by_cards or before.owner is None:
        return last.seat
    return before.owner
