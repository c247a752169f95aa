"""Answers to what is asked besides plays: how typed lines are read, what the hints are worth."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from simulator import Simulator

from p2pclimb.cards import format_cards, parse_cards
from p2pclimb.errors import IllegalPlayError, InvalidPlayError, PlayError
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.seat.decisions import Choice, Claim, Offer
from p2pclimb.table.session import Session
from p2pclimb.ui.answers import table_answer
from p2pclimb.ui.board import board, question_board, status_line
from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.commands import Command
from p2pclimb.ui.lines import columns
from p2pclimb.ui.questions import (
    ChoiceQuestion,
    ClaimQuestion,
    OfferQuestion,
    best_first,
    question_of,
    typed_answer,
)
from p2pclimb.ui.view import table_view

LINKS = dict.fromkeys(range(4), True)
EXCHANGE = {"exchange": True, "deals": 2, "fours_when": "anyone"}


def asked_at(seed: object, wanted: Callable[[Session], bool], **settings: object) -> Session:
    """Return the session of the first seat of a table of Winner for which something holds."""

    def asked(sim: Simulator) -> bool:
        found.extend(node.session for node in sim.nodes if wanted(node.session))
        return bool(found) or sim.nodes[0].session.ledger.ended

    found: list[Session] = []
    table = Simulator(seed, 3, {**EXCHANGE, **settings}, game="winner/1")
    table.run(asked)
    assert found, "nobody was asked"
    return found[0]


def is_asked(stage: type) -> Callable[[Session], bool]:
    return lambda session: (
        session.awaits_player and isinstance(session.ledger.position.stage, stage)
    )


def can_claim(session: Session) -> bool:
    question = question_of(session) if is_asked(FoursClaiming)(session) else None
    return isinstance(question, ClaimQuestion) and bool(question.claims)


@pytest.fixture(scope="module")
def offering() -> Session:
    return asked_at("offer", is_asked(Offering))


@pytest.fixture(scope="module")
def choosing() -> Session:
    return asked_at("choice", is_asked(Choosing))


@pytest.fixture(scope="module")
def claiming() -> Session:
    for seed in range(5):
        try:
            return asked_at(seed, can_claim)
        except AssertionError:
            continue
    raise AssertionError("nobody can claim")


def answer(session: Session, text: str):
    return typed_answer(text, question_of(session), session)


def refusal(session: Session, text: str) -> str:
    with pytest.raises(PlayError) as refused:
        session.play(answer(session, text))
    return refused.value.text


# -- offers --------------------------------------------------------------------------------------


def test_two_typed_cards_are_the_offer(offering):
    first, second, *_ = question_of(offering).cards
    assert answer(offering, f"{second}{first}") == Offer((second, first))
    assert answer(offering, f"{first}, {second}") == Offer((first, second))


def test_ranks_alone_offer_the_lowest_suits(offering):
    cards = sorted(
        question_of(offering).cards, key=lambda card: (card.rank, "dchs".find(card.suit))
    )
    low, high = cards[0], next(card for card in cards if card.rank > cards[0].rank)
    ranks = "3456789TJQKA2"
    assert answer(offering, f"{ranks[low.rank]} {ranks[high.rank]}") == Offer((low, high))


def test_an_offer_of_other_than_two_cards_is_refused(offering):
    first, second, third, *_ = question_of(offering).cards
    assert refusal(offering, str(first)) == "Offer two cards."
    assert refusal(offering, format_cards([first, second, third])) == "Offer two cards."


def test_the_card_that_was_given_cannot_go_back(offering):
    question = question_of(offering)
    text = format_cards([question.received, question.cards[0]])
    assert refusal(offering, text) == "The card that you were given cannot be offered back."


def test_cards_that_are_not_held_cannot_be_offered(offering):
    held = set(offering.cards())
    missing = next(card for card in parse_cards("3d4d5d6d7d8d9dTd") if card not in held)
    text = format_cards([missing, question_of(offering).cards[0]])
    assert "You do not hold" in refusal(offering, text)


def test_the_hint_for_an_offer_is_an_offer(offering):
    (hint,) = best_first(question_of(offering), offering)
    assert isinstance(hint, Offer)
    assert set(hint.cards) <= set(question_of(offering).cards)
    (line,) = hints(offering)
    assert answer(offering, line.removeprefix("1. ")) == hint


# -- choices -------------------------------------------------------------------------------------


def test_a_card_is_taken_by_its_name(choosing):
    first, second = question_of(choosing).cards
    assert answer(choosing, str(first)) == Choice(first)
    assert answer(choosing, str(second)) == Choice(second)


@pytest.mark.parametrize(
    ("cards", "typed", "taken"),
    [
        ("2c3s", "2", "2c"),
        ("3s2c", "2", "2c"),
        ("3s2c", "3", "3s"),
        ("3s3c", "1", "3s"),
        ("3s3c", "3c", "3c"),
        ("BJ3c", "BJ", "BJ"),
        ("BJ3c", "2", "3c"),
        ("Th9c", "10", "Th"),
    ],
)
def test_what_is_typed_for_a_choice_is_read_without_doubt(choosing, cards, typed, taken):
    question = ChoiceQuestion(1, parse_cards(cards))
    assert typed_answer(typed, question, choosing) == Choice(parse_cards(taken)[0])


@pytest.mark.parametrize(
    ("cards", "typed", "reason"),
    [
        ("3s3c", "3", "Which of the two is meant?"),
        ("3s2c", "1", "neither a card nor a command"),
        ("2s2c", "2", "Which of the two is meant?"),
        ("3s4c", "5", "not what was offered"),
        ("3s4c", "3s4c", "not what was offered"),
        ("3s4c", "3 3", "not what was offered"),
    ],
)
def test_a_doubtful_choice_is_refused_with_the_reason(choosing, cards, typed, reason):
    with pytest.raises((IllegalPlayError, InvalidPlayError), match=reason.replace("?", r"\?")):
        typed_answer(typed, ChoiceQuestion(1, parse_cards(cards)), choosing)


def test_the_hints_for_a_choice_are_both_cards(choosing):
    choices = best_first(question_of(choosing), choosing)
    assert {choice.card for choice in choices} == set(question_of(choosing).cards)
    assert [answer(choosing, line[3:]) for line in hints(choosing)] == list(choices)


# -- claims --------------------------------------------------------------------------------------


def test_fours_are_claimed_by_cards_or_by_rank(claiming):
    question = question_of(claiming)
    fours = question.claims[0]
    assert answer(claiming, format_cards(fours)) == Claim(fours)
    by_rank = answer(claiming, "4" * len(fours))
    assert {card.rank for card in by_rank.cards} == {1}
    claiming.play(by_rank)  # a claim is kept until the time is over, and may be made anew
    assert question_of(claiming).has_claimed
    claiming.play(Claim(fours))


def test_a_claim_with_other_cards_is_refused_with_the_reason(claiming):
    other = next(card for card in claiming.cards() if card.rank > 1)
    assert refusal(claiming, str(other)).startswith("Only fours take a bomb")


def test_the_hints_for_a_claim_say_what_can_be_done(claiming):
    lines = hints(claiming)
    assert sorted(line.split(" ")[1] for line in lines) == ["claim"] * (len(lines) - 1) + ["do"]


def test_a_hand_that_wins_at_once_is_claimed_whole():
    question = ClaimQuestion((parse_cards("3s4s"),), None, True, False)
    session = Simulator("any", 2).nodes[0].session
    assert best_first(question, session) == (Claim(parse_cards("3s4s")), None)
    assert best_first(ClaimQuestion((), None, True, False), session) == (None,)


# -- what is shown -------------------------------------------------------------------------------


def hints(session: Session) -> list[str]:
    view = table_view(session, LINKS)
    return table_answer(Command.HINT, session, view, Notation.LETTERS, 200)


@pytest.mark.parametrize("asked", ["offering", "choosing", "claiming"])
@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("width", [40, 80])
def test_questions_fit_the_width_and_stand_on_the_board(asked, notation, width, request):
    view = table_view(request.getfixturevalue(asked), LINKS)
    lines = question_board(view, notation, width)
    assert all(columns(line) <= width for line in lines)
    assert board(view, notation, width)[-len(lines) :] == lines
    assert status_line(view, notation, 1000).isprintable()
    if notation is Notation.WORDS:
        wide = question_board(view, notation, 10_000)
        assert all(line.isascii() and line.endswith(".") for line in wide)


def test_the_status_says_what_is_waited_for(offering, choosing, claiming):
    def status(session: Session) -> str:
        return status_line(table_view(session, LINKS), Notation.LETTERS, 1000)

    assert "You are to offer" in status(offering)
    assert "You are to take one of" in status(choosing)
    assert "Claims answered: " in status(claiming)
    assert "you have claimed" in status(claiming) or "you may claim" in status(claiming)


def test_the_repr_of_a_question_shows_no_card_that_one_seat_alone_sees(
    offering, choosing, claiming
):
    for session, kind in (
        (offering, OfferQuestion),
        (choosing, ChoiceQuestion),
        (claiming, ClaimQuestion),
    ):
        question = question_of(session)
        assert isinstance(question, kind)
        shown = repr(question)
        closed = set(session.closed_cards()) | set(session.offered())
        assert not any(f"<{card}>" in shown or f" {card}" in shown for card in closed)
