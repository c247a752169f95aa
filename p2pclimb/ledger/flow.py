"""Which step follows where several kinds of steps meet; the steps know nothing of each other."""

from __future__ import annotations

from p2pclimb.games.dealing import Opening, lowest_first, opening_rule
from p2pclimb.games.exchange import exchange_of
from p2pclimb.ledger.course import (
    Beginning,
    Course,
    Dealt,
    Next,
    Playing,
    begin_later_play,
    begin_play,
)
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.stage import Stage
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.close import begin_close
from p2pclimb.ledger.steps.commit import begin_deal
from p2pclimb.ledger.steps.lowest import begin_search
from p2pclimb.ledger.steps.tribute import GivingTribute
from p2pclimb.ledger.steps.turn import Turning

__all__ = ["follow"]


def follow(course: Course) -> tuple[Stage, tuple[Event, ...]]:
    """Return the stage from which a course goes on, and what is told on the way to it."""
    match course:
        case Beginning():
            following = begin_deal(course)
        case Dealt():
            following = _after_the_deal(course)
        case Playing():
            return _in_play(course), ()
        case _:
            return course, ()
    stage, events = follow(following.course)
    return stage, (*following.events, *events)


def _after_the_deal(dealt: Dealt) -> Next:
    """Ask for hands that win at once; then find out who leads, or let cards be exchanged."""
    cast, hands, match = dealt.cast, dealt.hands, dealt.cast.match
    options = match.options
    if options.plays_with("instant_wins") and not dealt.claimed:
        return Next(InstantClaiming(cast, hands))
    match opening_rule(options, first_deal=match.is_first_deal):
        case Opening.LOWEST:
            cards = lowest_first(options, len(cast.seats))
            return begin_search(cast, hands, cards, dealt.gone)
        case Opening.TRICK_CARD:
            (place,) = cast.face_up
            leader = hands.owners[place]
            assert leader is not None
            return begin_play(cast, hands, leader, None, dealt.gone)
        case Opening.LEADER:
            exchange = exchange_of(match)
            if exchange is not None:
                return Next(GivingTribute(cast, hands, exchange))
            return begin_later_play(cast, hands, dealt.gone)


def _in_play(playing: Playing) -> Stage:
    """Close a deal that is over; else fours may be claimed, or the next seat plays."""
    cast, hands, state = playing.cast, playing.hands, playing.state
    outcome = state.outcome()
    if outcome is not None:
        return begin_close(cast, hands, outcome, state.departed)
    if state.asked:
        return FoursClaiming(cast, hands, state)
    return Turning(cast, hands, state)
