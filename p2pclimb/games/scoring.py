"""What each seat wins or pays for a deal (rules.md 1.10 and 2.13, and the options for payments).

What chops cost is found in `chop_pay`, what 2s left in the hand cost in `rotten_twos`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from p2pclimb.cards import TWO, Card
from p2pclimb.games.moves import ClaimedOutcome, ConvictedOutcome, Holding, Outcome, Result
from p2pclimb.games.options import Options
from p2pclimb.games.presets import Family

__all__ = ["forfeits", "payments", "value_of_twos"]

_UNPLAYED = 3  # points for each card of a hand from which nothing was played


def payments(options: Options, outcome: Result) -> dict[int, int]:
    """Return the points each seat of the deal wins (or pays, below zero); they add up to zero.

    Chops are counted, 2s left in the hand are not: those are seen only after the deal.  Who was
    convicted pays as if it had quit with its whole hand, and nothing else counts.
    """
    if isinstance(outcome, ConvictedOutcome):
        return forfeits(options, outcome.dealt, outcome.culprits)
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


def forfeits(
    options: Options, dealt: Mapping[int, int], quitters: Collection[int]
) -> dict[int, int]:
    """Return what seats pay that quit when they may have seen their hands, before the first lead.

    `dealt` has the cards dealt to every seat.  Each quitter pays every seat that stays the same:
    in Tien len one stake, however places are scored, as there are none; in Winner its share of what
    a hand costs from which nothing was played.  The points add up to zero (protocol.md section 4).
    """
    points = dict.fromkeys(sorted(dealt), 0)
    staying = [seat for seat in points if seat not in quitters]
    for quitter in quitters if staying else ():
        share = _forfeit(options, dealt[quitter], len(staying))
        points[quitter] -= share * len(staying)
        for seat in staying:
            points[seat] += share
    return points


def _forfeit(options: Options, dealt: int, staying: int) -> int:
    """Return what a quitter pays to each seat that stays."""
    match options.choice("scoring"):
        case "stake" | "places":
            return options.number("stake")
        case "cards":
            return _UNPLAYED * dealt // staying
        case _:
            return 0


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
    """Return what a seat pays for each card: most if it has played none, 2 for many, else 1."""
    if not holding.has_played:
        return _UNPLAYED
    match seats, packs:
        case 4, 1:
            return 2 if holding.cards >= 10 else 1
        case 3, 1:
            return 3 if holding.cards >= 17 else 2 if holding.cards >= 12 else 1
        case _:
            return 2 if 4 * holding.cards >= 3 * holding.dealt else 1
