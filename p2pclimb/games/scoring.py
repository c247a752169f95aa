"""What each seat wins or pays for a deal (rules.md 1.10 and 2.13, and the options for payments).

What chops cost is found in `chop_pay`, what 2s left in the hand cost in `rotten_twos`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from p2pclimb.cards import TWO, Card
from p2pclimb.games.dealing import pack
from p2pclimb.games.moves import ClaimedOutcome, Holding, Outcome
from p2pclimb.games.options import Options
from p2pclimb.games.presets import Family

__all__ = ["forfeits", "payments", "value_of_twos"]


def payments(options: Options, outcome: Outcome | ClaimedOutcome) -> dict[int, int]:
    """Return the points each seat of the deal wins (or pays, below zero); they add up to zero.

    Chops are counted, 2s left in the hand are not: those are seen only after the deal.
    """
    unit = options.number("stake") if options.family is Family.TIENLEN else 1
    paid = {
        seat: share * unit
        for seat, share in zip(outcome.order, _shares(options, outcome), strict=True)
    }
    if isinstance(outcome, Outcome):
        for chop in outcome.chops:
            paid[chop.payer] -= chop.stakes * unit
            paid[chop.receiver] += chop.stakes * unit
    return paid


def forfeits(options: Options, seats: Collection[int], quitters: Collection[int]) -> dict[int, int]:
    """Return what seats pay that quit when they may have seen their hands, before the first lead.

    Like losers each pays every seat that stays, however places are scored: there are none
    (protocol.md section 4).  That is one stake in Tien len; in Winner, scored by cards, three
    points for each card that such a hand has for every seat that stays.  The points add up to zero.
    """
    staying = len(seats) - len(quitters)
    each = _forfeit(options, len(seats), staying)
    return {
        seat: -each * staying if seat in quitters else each * len(quitters)
        for seat in sorted(seats)
    }


def _forfeit(options: Options, seat_count: int, staying: int) -> int:
    if options.family is Family.TIENLEN:
        return options.number("stake")
    if options.choice("scoring") == "none" or staying == 0:
        return 0
    return 3 * (len(pack(options, seat_count)) // seat_count // staying)


def value_of_twos(cards: Iterable[Card]) -> int:
    """Return what the 2s among some cards are worth in stakes: a black one 1, a red one 2."""
    return sum(2 if card.suit in "dh" else 1 for card in cards if card.rank == TWO)


def _shares(options: Options, outcome: Outcome | ClaimedOutcome) -> list[int]:
    """Return the stakes, or the points of Winner, by place and before side payments."""
    count = len(outcome.order)
    if isinstance(outcome, ClaimedOutcome):
        return _others_pay(count)
    match options.choice("scoring"):
        case "places":
            return _by_place(count)
        case "cards":
            return _by_cards(options, outcome)
        case "none":
            return [0] * count
        case _:
            return _loser_pays(count)


def _others_pay(count: int) -> list[int]:
    """Return stakes by place when each of the others pays one to the first."""
    return [count - 1] + [-1] * (count - 1)


def _loser_pays(count: int) -> list[int]:
    """Return stakes by place when the last pays one to each of the others."""
    return [1] * (count - 1) + [1 - count]


def _by_place(count: int) -> list[int]:
    """Return stakes by place: the last pays the first two, the last but one pays the second one.

    Fewer than four seats have no second pair of places.
    """
    if count < 4:
        return [1] + [0] * (count - 2) + [-1]
    return [2, 1] + [0] * (count - 4) + [-1, -2]


def _by_cards(options: Options, outcome: Outcome) -> list[int]:
    """Return points by place: all others pay the winner for their cards (rules.md 2.13)."""
    seats, packs = len(outcome.order), options.number("packs")
    paid = [
        holding.cards * _points_a_card(holding, seats, packs) for holding in outcome.counted[1:]
    ]
    return [sum(paid), *(-points for points in paid)]


def _points_a_card(holding: Holding, seats: int, packs: int) -> int:
    """Return what a seat pays for each card: 3 if it has played none, 2 for many, else 1."""
    if not holding.has_played:
        return 3
    match seats, packs:
        case 4, 1:
            return 2 if holding.cards >= 10 else 1
        case 3, 1:
            return 3 if holding.cards >= 17 else 2 if holding.cards >= 12 else 1
        case _:
            return 2 if 4 * holding.cards >= 3 * holding.dealt else 1
