"""What follows when a place is filled by a conviction (protocol.md, Convicted).

The signatures of an honest seat never prove an offence, so the others lose nothing: before the
hands are known the deal begins anew without the culprit, and afterwards it ends there, with the
culprit as its loser.  What convicts a seat is found elsewhere.
"""

from __future__ import annotations

from p2pclimb.games.dealing import hand_sizes, rotation
from p2pclimb.games.moves import ConvictedOutcome
from p2pclimb.ledger.course import Next, restart_deal
from p2pclimb.ledger.stage import Site, Stage
from p2pclimb.ledger.steps.agree import Agreeing
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.close import Closing, begin_close
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.ended import end
from p2pclimb.ledger.steps.lowest import Seeking
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.opening import Opening
from p2pclimb.ledger.steps.reveal import Revealing
from p2pclimb.ledger.steps.shares import Sharing
from p2pclimb.ledger.steps.shuffle import Shuffling
from p2pclimb.ledger.steps.tribute import GivingTribute
from p2pclimb.ledger.steps.turn import Turning

__all__ = ["convict"]

_Dealt = InstantClaiming | Seeking | GivingTribute | Offering | Choosing | Turning | FoursClaiming


def convict(
    stage: Stage,
    site: Site,
    seats: frozenset[int],
    gone: frozenset[int],
    missed: frozenset[int],
) -> Next:
    """Return what follows a step in which `seats` were convicted.

    `gone` and `missed` are the other seats that are not in it, as for `Stage.complete`; what the
    rest signed in this step counts no more.
    """
    missing = seats | gone | missed
    match stage:
        case Opening():
            return end("a player was convicted before the table opened", None)
        case Committing() | Revealing():
            return restart_deal(stage.match, stage.attempt, missing)
        case Shuffling() | Agreeing():
            return restart_deal(stage.cast.match, stage.cast.attempt, missing)
        case Sharing():
            return stage.without(missing)
        case Closing(outcome=ConvictedOutcome(order=order, culprits=culprits)):
            return _broken_off(stage, order, culprits | seats, (*stage.departed, *gone))
        case Closing(outcome=outcome):
            return _broken_off(stage, outcome.order, seats, (*stage.departed, *gone))
    assert isinstance(stage, _Dealt)
    return _broken_off(stage, _standing(stage), seats, (*_departed(stage), *gone))


def _broken_off(
    stage: _Dealt | Closing,
    order: tuple[int, ...],
    culprits: frozenset[int],
    departed: tuple[int, ...],
) -> Next:
    """Return the step that signs that the culprits lost; the others keep their order."""
    cast = stage.cast
    match = cast.match
    assert match.dealer is not None
    others = tuple(seat for seat in order if seat not in culprits)
    dealt = hand_sizes(match.options, match.seats, match.dealer)
    outcome = ConvictedOutcome((*others, *sorted(culprits)), dealt, culprits)
    return Next(begin_close(cast, stage.hands, outcome, (*departed, *culprits)))


def _standing(stage: _Dealt) -> tuple[int, ...]:
    """Return the seats of a deal that goes on: the finished, those in it, those that departed."""
    match stage:
        case Turning(state=state) | FoursClaiming(state=state):
            return state.standing
    match = stage.cast.match
    leader = match.dealer if match.leader is None else match.leader
    assert leader is not None
    departed = _departed(stage)
    staying = (seat for seat in match.seats if seat not in departed)
    return (*rotation(match.options, tuple(staying), leader), *reversed(departed))


def _departed(stage: _Dealt) -> tuple[int, ...]:
    match stage:
        case Turning(state=state) | FoursClaiming(state=state):
            return state.departed
        case Seeking(out=out):
            return out
        case _:
            return ()
