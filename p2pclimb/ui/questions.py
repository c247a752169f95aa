"""What the player of a seat is asked besides plays: to claim, to offer two cards, to take one.

The questions as plain values, and how what is typed answers them.  An answer is judged once more
by the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from p2pclimb.bots import basic
from p2pclimb.cards import TWO, Card
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.instant_wins import InstantWin, best_instant_win
from p2pclimb.games.legal import legal_claims
from p2pclimb.games.options import Options
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.seat.decisions import Choice, Claim, Decision, Offer
from p2pclimb.table.session import Session
from p2pclimb.ui.typed import Wanted, cheapest_cards, read_typed

__all__ = [
    "ChoiceQuestion",
    "ClaimQuestion",
    "OfferQuestion",
    "Question",
    "best_claim",
    "best_first",
    "question_of",
    "typed_answer",
]


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    """The seat may claim: the bomb on the table with fours, or with its whole hand.

    `claims` are the cards of every claim that the hand allows, and `win` what a whole hand wins by.
    `has_claimed`: one will be made when the time for claims is over.
    """

    claims: tuple[tuple[Card, ...], ...] = field(repr=False)
    win: InstantWin | None = field(repr=False)
    is_whole_hand: bool
    has_claimed: bool


@dataclass(frozen=True, slots=True)
class OfferQuestion:
    """The seat is to offer two of `cards` to the loser, which gave it `received`."""

    receiver: int
    received: Card
    cards: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """The seat is to take one of the two `cards` that the winner, `giver`, offers."""

    giver: int
    cards: tuple[Card, ...] = field(repr=False)

    @property
    def is_numbered(self) -> bool:
        """Whether a number says which card is meant; a 2 would say it as well as a number."""
        return all(card.rank != TWO for card in self.cards)


Question: TypeAlias = ClaimQuestion | OfferQuestion | ChoiceQuestion


def question_of(session: Session) -> Question | None:
    """Return what the player of a session is asked now, None if nothing but a play at most."""
    if not session.awaits_player:
        return None
    match session.ledger.position.stage:
        case InstantClaiming(cast=cast):
            hand = session.cards()
            win = best_instant_win(hand, cast.match.options, cast.match.is_first_deal)
            return ClaimQuestion((hand,) if win else (), win, True, session.has_claimed)
        case FoursClaiming(state=state):
            claims = legal_claims(state, session.cards())
            return ClaimQuestion(claims, None, False, session.has_claimed)
        case Offering(hands=hands, exchange=exchange, received=received):
            (card,) = hands.faces_at([received])
            return OfferQuestion(exchange.giver, card, session.closed_cards())
        case Choosing(exchange=exchange):
            return ChoiceQuestion(exchange.receiver, session.offered())
        case _:
            return None


def best_first(question: Question, session: Session) -> tuple[Decision | None, ...]:
    """Return what can be answered, the better first; None is to do nothing.

    Of offers only the one that is missed least.
    """
    options, hand, no_chance = session.terms.options, session.cards(), Random(0)  # noqa: S311
    match question:
        case ClaimQuestion():
            claims = [Claim(cards) for cards in question.claims]
            return (*claims, None) if best_claim(question, session) else (None, *claims)
        case OfferQuestion(cards=cards):
            return (Offer(basic.offer_least_useful(options, cards, no_chance)),)
        case ChoiceQuestion(cards=(first, second)):
            best = basic.choose_most_useful(options, hand, (first, second), no_chance)
            return Choice(best), Choice(second if best == first else first)
        case ChoiceQuestion():
            return ()


def best_claim(question: ClaimQuestion, session: Session) -> tuple[Card, ...]:
    """Return the claim that is worth making, nothing if none is."""
    stage = session.ledger.position.stage
    if isinstance(stage, FoursClaiming):
        own, hand = session.seat.number, session.cards()
        return basic.claim_if_shorter(stage.state, own, hand, Random(0))  # noqa: S311
    return question.claims[0] if question.claims else ()


def typed_answer(text: str, question: Question, session: Session) -> Decision:
    """Return what a typed line answers; raises PlayError for what is no answer.

    Suits that are not typed are the lowest there are.
    """
    options, hand = session.terms.options, session.cards()
    match question:
        case ClaimQuestion():
            return Claim(cheapest_cards(read_typed(text), hand, options))
        case OfferQuestion():
            return Offer(_offer(read_typed(text), question, options))
        case ChoiceQuestion():
            return Choice(_choice(text, question))


def _offer(wanted: Sequence[Wanted], question: OfferQuestion, options: Options) -> tuple[Card, ...]:
    if len(wanted) != 2:
        raise IllegalPlayError("Offer two cards.", hint="Type both in one line, such as 3d 7c.")
    try:
        return cheapest_cards(wanted, question.cards, options)
    except IllegalPlayError:
        if any(_means(want, question.received) for want in wanted):
            raise IllegalPlayError("The card that you were given cannot be offered back.") from None
        raise


def _choice(text: str, question: ChoiceQuestion) -> Card:
    """Return the offered card that is meant: by its number, or as cards are typed."""
    if question.is_numbered and text.strip() in ("1", "2"):
        return question.cards[int(text) - 1]
    wanted = read_typed(text)
    meant = {card for card in question.cards if wanted and _means(wanted[0], card)}
    if len(wanted) != 1 or len(meant) != 1:
        which = "Which of the two is meant?" if len(meant) > 1 else "That is not what was offered."
        raise IllegalPlayError(which, hint="Type the one card that you take.")
    return meant.pop()


def _means(wanted: Wanted, card: Card) -> bool:
    return wanted.rank == card.rank and (wanted.is_free or wanted.suit == card.suit)
