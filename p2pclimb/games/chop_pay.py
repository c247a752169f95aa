"""What is paid for chops: the option `chop_pay` (rules.md section 1).

Found in the record of the tricks.  Which combination beats which is in `combos` and `chops`; the
sum of all payments of a deal is in `scoring`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter

from p2pclimb.games.combos import classify
from p2pclimb.games.moves import Cards, ChopPayment, Turn
from p2pclimb.games.options import Options
from p2pclimb.games.scoring import value_of_twos
from p2pclimb.games.shapes import Combination, Kind

__all__ = ["chop_payments"]

_PAIRS_IN_SEQUENCE = {3: 3, 4: 5}
_FIVE_PAIRS_OR_MORE = 6
_FOUR_OF_A_KIND = 4


def chop_payments(options: Options, packs: int, history: Iterable[Turn]) -> tuple[ChopPayment, ...]:
    """Return what the chops of a deal cost: at most one payment for each trick, in their order.

    The last trick counts as far as it went, so at the end of a deal this is what was cut short,
    and before it what is at stake on the table.  Nothing when the option is off.
    """
    if not options.plays_with("chop_pay"):
        return ()
    return tuple(
        payment
        for number, turns in groupby(history, key=attrgetter("trick"))
        for payment in _payment_of_trick(number, _plays(turns, options, packs))
    )


def _plays(
    turns: Iterable[Turn], options: Options, packs: int
) -> Iterator[tuple[int, Combination]]:
    for turn in turns:
        if isinstance(turn.play, Cards):
            yield turn.seat, classify(turn.play.cards, options, packs)


def _payment_of_trick(
    number: int, plays: Iterable[tuple[int, Combination]]
) -> Iterator[ChopPayment]:
    """Yield what the seat chopped last owes the last chopper: the values of all that was chopped.

    Those chopped earlier in the trick pay nothing.
    """
    stakes, payer, receiver = 0, None, None
    for (beaten_seat, beaten), (seat, play) in pairwise(plays):
        if _is_chopped(beaten, play):
            stakes += _value(beaten)
            payer, receiver = beaten_seat, seat
    if payer is not None and receiver is not None:
        yield ChopPayment(number, payer, receiver, stakes)


def _is_chopped(beaten: Combination, play: Combination) -> bool:
    """Whether what was beaten is paid for.

    A four of a kind or double sequence always is; anything else, which can be 2s only, if it was
    beaten by another kind, hence by a chop and not by higher 2s.
    """
    return beaten.kind in (Kind.FOUR, Kind.DOUBLE_SEQUENCE) or play.kind is not beaten.kind


def _value(chopped: Combination) -> int:
    match chopped.kind:
        case Kind.FOUR:
            return _FOUR_OF_A_KIND
        case Kind.DOUBLE_SEQUENCE:
            return _PAIRS_IN_SEQUENCE.get(chopped.length, _FIVE_PAIRS_OR_MORE)
        case _:
            return value_of_twos(chopped.cards)
