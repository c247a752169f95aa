"""What a seat's player is told and asked at a position."""

from __future__ import annotations

from p2pclimb.cards import Card
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.table.effects import ClaimsDue, Effect, Tell, Wake
from p2pclimb.table.notices import ChoiceAsked, ClaimAsked, OfferAsked, TurnBegan

__all__ = ["CLAIMS", "DECISIONS", "ask"]

CLAIMS = (InstantClaiming, FoursClaiming)
"""The stages that ask for a claim, which is answered when the time for it is over."""

DECISIONS = (Turning, Offering, Choosing, *CLAIMS)
"""The stages that wait for a decision of a player."""


def ask(position: Position, seat: int, offered: tuple[Card, ...]) -> list[Effect]:
    """Tell whose turn it is, and ask a seat's player for what else is to be decided.

    `offered` is the choice that the seat has, if it is to choose.
    """
    match position.stage:
        case Turning(state=state) if state.turn is not None:
            return [Tell(TurnBegan(state.turn))]
        case _ if seat not in position.waiting():
            return []
        case InstantClaiming() | FoursClaiming() as stage:
            seconds = position.terms.options.number("claim_seconds")
            asked = ClaimAsked(seconds, isinstance(stage, InstantClaiming))
            return [Tell(asked), Wake(seconds, ClaimsDue(position.step))]
        case Offering(hands=hands, exchange=exchange, received=received):
            (card,) = hands.faces_at([received])
            return [Tell(OfferAsked(exchange.giver, card))]
        case Choosing(exchange=exchange):
            return [Tell(ChoiceAsked(exchange.receiver, offered))]
        case _:
            return []
