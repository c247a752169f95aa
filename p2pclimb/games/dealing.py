"""Who sits where in the order of turn, which cards are in the pack, and who is dealt which place.

Places in the shuffled deck, never cards: who holds what is for the cryptography to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from enum import Enum, auto

from p2pclimb.cards import Card, faces
from p2pclimb.games.options import Options
from p2pclimb.games.presets import Family
from p2pclimb.games.rulebook import rulebook

__all__ = [
    "Opening",
    "hand_sizes",
    "lowest_first",
    "opening_leader",
    "opening_rule",
    "owners",
    "pack",
    "pack_count",
    "rotation",
]

_MOST_SEATS_WITH_ONE_PACK = 4


class Opening(Enum):
    """What decides who leads a deal."""

    LOWEST = auto()  # the lowest card dealt, which must be in the first play
    TRICK_CARD = auto()  # whoever is dealt the place that was turned face up
    LEADER = auto()  # the deal before: `Match.leader`


def opening_rule(options: Options, *, first_deal: bool) -> Opening:
    """Return what decides who leads a deal (rules.md 1.4 and 2.8)."""
    if not first_deal:
        return Opening.LEADER
    match options.family:
        case Family.TIENLEN:
            return Opening.LOWEST
        case Family.WINNER:
            return Opening.TRICK_CARD


def rotation(options: Options, seats: Collection[int], start: int) -> tuple[int, ...]:
    """Return the seats in order of turn from `start`, or from the next one if it is not there.

    Seats are numbered clockwise (rules.md 1.3).
    """
    if options.choice("direction") == "clockwise":
        return tuple(sorted(seats, key=lambda seat: (seat < start, seat)))
    return tuple(sorted(seats, key=lambda seat: (seat > start, -seat)))


def pack_count(options: Options, seat_count: int) -> int:
    """Return how many packs are shuffled together (rules.md 1.2 and 2.1).

    Raises `OptionsError` if the options are not for that many seats, as all functions here do.
    """
    options.require_seats(seat_count)
    if options.family is Family.WINNER:
        return options.number("packs")
    return 1 if seat_count <= _MOST_SEATS_WITH_ONE_PACK else 2


def pack(options: Options, seat_count: int) -> tuple[Card, ...]:
    """Return the face of each physical card by its index (see `p2pclimb.cards.faces`)."""
    return faces(pack_count(options, seat_count), jokers=options.plays_with("jokers"))


def owners(options: Options, seats: Collection[int], dealer: int) -> tuple[int | None, ...]:
    """Return for each place of the shuffled deck the seat that it is dealt to.

    Cards are dealt singly in order of turn: in Tien len from the seat after the dealer, in Winner
    from the dealer and all of them.  Places that belong to nobody (None) stay undealt and unseen
    (rules.md 1.2 and 2.7).
    """
    deck_size = len(pack(options, len(seats)))
    match options.family:
        case Family.TIENLEN:
            order = _after(options, seats, dealer)
            dealt = len(order) * _cards_each(options, deck_size // len(order))
        case Family.WINNER:
            order = rotation(options, seats, dealer)
            dealt = deck_size
    return tuple(order[place % len(order)] if place < dealt else None for place in range(deck_size))


def _cards_each(options: Options, most: int) -> int:
    """Return how many cards each seat is dealt in Tien len, where `most` are possible."""
    return most if options.choice("deal") == "all" else int(options.choice("deal"))


def hand_sizes(options: Options, seats: Collection[int], dealer: int) -> dict[int, int]:
    """Return how many cards each seat is dealt."""
    dealt = Counter(owners(options, seats, dealer))
    return {seat: dealt[seat] for seat in sorted(seats)}


def lowest_first(options: Options, seat_count: int) -> tuple[Card, ...]:
    """Return each face of the pack once, from the lowest card of the game upward."""
    return tuple(sorted(set(pack(options, seat_count)), key=rulebook(options).place))


def opening_leader(
    options: Options, seats: Collection[int], dealer: int, holders: Collection[int]
) -> int:
    """Return which holder of the lowest card leads the first deal (rules.md 1.4).

    With two packs two seats may hold a copy: the first in turn order after the dealer leads.
    """
    return next(seat for seat in _after(options, seats, dealer) if seat in holders)


def _after(options: Options, seats: Collection[int], dealer: int) -> tuple[int, ...]:
    """Return the seats in order of turn from the one after the dealer; the dealer comes last."""
    order = rotation(options, seats, dealer)
    return (*order[1:], dealer) if order[0] == dealer else order
