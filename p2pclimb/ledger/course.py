"""What follows a completed step: a stage, or a point of the deal from which one is found.

The points are where several kinds of steps meet: a deal that begins, a hand that has been dealt, a
play that goes on.  `flow` says which stage follows from each, so that no step knows the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from p2pclimb.cards import Card
from p2pclimb.games.match import Match
from p2pclimb.games.play import DealState, start
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.events import DealRestarted, Departed, Event
from p2pclimb.ledger.hands import Hands

if TYPE_CHECKING:
    from p2pclimb.ledger.stage import Stage

__all__ = [
    "Beginning",
    "Course",
    "Dealt",
    "Next",
    "Playing",
    "begin_later_play",
    "begin_play",
    "restart_deal",
]


@dataclass(frozen=True, slots=True)
class Beginning:
    """A deal is to begin: the next one (attempt 0), or the same one anew."""

    match: Match
    attempt: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands are known to their owners.

    `claimed`: the question for hands that win at once has been answered.  `gone` are the seats that
    are out of the deal since the cards are known, the first of them first.
    """

    cast: Cast
    hands: Hands = field(repr=False)
    claimed: bool = False
    gone: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Playing:
    """A play goes on in this state, or is over."""

    cast: Cast
    hands: Hands = field(repr=False)
    state: DealState


Course: TypeAlias = "Stage | Beginning | Dealt | Playing"


@dataclass(frozen=True, slots=True)
class Next:
    """What a completed step gives: how it goes on, and what to tell about it."""

    course: Course
    events: tuple[Event, ...] = ()

    def after(self, *events: Event) -> Next:
        """Return the same course, with these events told before its own."""
        return Next(self.course, (*events, *self.events))


def restart_deal(
    match: Match, attempt: int, missing: frozenset[int], payments: Mapping[int, int] | None = None
) -> Next:
    """Return the next attempt of the same deal, without the seats that were missing.

    Until the shares are complete every seat is needed (protocol.md, The next attempt).  A first
    deal draws its dealer anew, a later one keeps it.  `payments` are due at once.
    """
    paid = payments or {}
    told = DealRestarted(match.deal, attempt + 1, tuple(sorted(missing)), paid)
    anew = (match.with_dealer(None) if match.is_first_deal else match).paid(paid)
    return Next(Beginning(anew.without(*missing), attempt + 1), (told,))


def begin_play(
    cast: Cast, hands: Hands, leader: int, must_include: Card | None, gone: Sequence[int]
) -> Next:
    """Return the first lead of a deal; `gone` are the seats that are out of it already."""
    state = start(cast.match.options, cast.seats, hands.sizes(cast.seats), leader, must_include)
    for seat in gone:
        state = state.depart(seat)
    return Next(Playing(cast, hands, state), tuple(Departed(seat) for seat in gone))


def begin_later_play(cast: Cast, hands: Hands, gone: Sequence[int] = ()) -> Next:
    """Return the first lead of a deal in which the deal before decides who leads."""
    leader = cast.match.leader
    assert leader is not None
    return begin_play(cast, hands, leader, None, gone)
