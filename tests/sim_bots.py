"""How the bots of a simulated table decide: anything that is legal, as their seeded source says."""

from __future__ import annotations

import random

from p2pclimb.cards import Card
from p2pclimb.games.instant_wins import best_instant_win
from p2pclimb.games.legal import legal_claims
from p2pclimb.games.moves import Play
from p2pclimb.games.play import DealState
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.seat.decisions import Choice, Claim, Decision, Offer
from p2pclimb.table.notices import ChoiceAsked, ClaimAsked, OfferAsked
from p2pclimb.table.session import Session

__all__ = ["random_decision", "random_play"]


def random_play(state: DealState, hand: tuple[Card, ...], source: random.Random) -> Play:
    """Play any legal cards, or pass once in a while when that is allowed."""
    legal = state.legal_plays(hand)
    plays = list(legal)
    if legal.passing and (not plays or source.random() < 0.2):
        return legal.passing
    return source.choice(plays)


def random_decision(
    session: Session, notice: ClaimAsked | OfferAsked | ChoiceAsked, source: random.Random
) -> Decision | None:
    """Claim as often as that is right, offer and choose anything."""
    hand = session.cards()
    match notice, session.ledger.position.stage:
        case ClaimAsked(), InstantClaiming(cast=cast):
            options, is_first = cast.match.options, cast.match.is_first_deal
            return Claim(hand) if best_instant_win(hand, options, is_first) else None
        case ClaimAsked(), FoursClaiming(state=state):
            claims = legal_claims(state, hand)
            return Claim(source.choice(claims)) if claims else None
        case OfferAsked(received=received), _:
            others = list(hand)
            others.remove(received)
            return Offer(tuple(source.sample(others, 2)))
        case ChoiceAsked(cards=cards), _:
            return Choice(source.choice(cards))
    raise AssertionError(f"{notice} is asked at another step")
