"""What may be typed, and which cards are meant by it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.cards import FACES, format_cards, parse_cards
from p2pclimb.errors import IllegalPlayError, InvalidPlayError, PlayError
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import start
from p2pclimb.ui.typed import cheapest_cards, choose_cards, in_turn, read_typed

OPTIONS = Options.make("tienlen")
HAND = parse_cards("3s 3c 3h 4d 5s 5h 6c 9s 9d Th Js 2c 2h")


def lead(must_include=None, **settings):
    options = Options.make("tienlen", settings)
    return start(options, (0, 1, 2), {0: 13, 1: 13, 2: 13}, 0, must_include)


def answer_to(played: str, **settings):
    """Seat 0 is to answer what seat 2 has led."""
    options = Options.make("tienlen", settings)
    state = start(options, (0, 1, 2), {0: 13, 1: 13, 2: 13}, 2)
    return state.apply(Cards(parse_cards(played)))


def winner(played: str = "", **settings):
    """Seat 0 leads at a table of Winner, or is to answer what seat 2 has led."""
    state = start(
        Options.make("winner", settings), (0, 1, 2), {0: 18, 1: 18, 2: 18}, 2 if played else 0
    )
    return state.apply(Cards(parse_cards(played))) if played else state


def chosen(text: str, state, hand=HAND) -> str:
    return format_cards(sorted(choose_cards(read_typed(text), hand, state), key=lambda c: c.index))


def read(text: str) -> str:
    ranks = "3456789TJQKA2"
    jokers = {13: "BJ", 14: "RJ"}
    wanted = read_typed(text)
    return " ".join(jokers.get(w.rank) or ranks[w.rank] + (w.suit or "*") for w in wanted)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("3s3c", "3s 3c"),
        ("3S3C", "3s 3c"),
        ("3s, 3c", "3s 3c"),
        ("10h", "Th"),
        ("h10", "Th"),
        ("Th", "Th"),
        ("th", "Th"),
        ("3♠ 10♥", "3s Th"),
        ("33", "3* 3*"),
        ("3 3", "3* 3*"),
        ("10", "T*"),
        ("1010", "T* T*"),
        ("9 10 j", "9* T* J*"),
        ("910J", "9* T* J*"),
        ("TJQKA2", "T* J* Q* K* A* 2*"),
        ("3s 4 5", "3s 4* 5*"),
        ("3s45h", "3s 4* 5h"),
        ("BJ RJ", "BJ RJ"),
        ("3s3s", "3s 3s"),
    ],
)
def test_what_is_read(text, cards):
    assert read(text) == cards


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("1s", "1s"),
        ("33x", "33x"),
        ("x33", "x33"),
        ("3s banana", "banana"),
        ("three", "three"),
        ("3z", "3z"),
        ("11", "11"),
        ("3s-4s", "3s-4s"),
        ("0", "0"),
        ("３s", "\\uff13s"),
        ("\x1b[2J", "\\x1b[2J"),
    ],
)
def test_what_is_no_card_is_named(text, token):
    with pytest.raises(InvalidPlayError) as refused:
        read_typed(text)
    assert token in refused.value.text
    assert refused.value.text.isprintable()


@given(st.text(max_size=20))
def test_nothing_typed_raises_anything_but_a_play_error(text):
    refusal = ""
    try:
        choose_cards(read_typed(text), HAND, lead())
    except PlayError as error:
        refusal = error.diagnostics()
    assert refusal == "" or refusal.isprintable()


@given(st.lists(st.sampled_from(FACES[:52]), min_size=1, max_size=13, unique=True))
def test_cards_typed_in_full_are_taken_as_they_are(cards):
    assert choose_cards(read_typed(format_cards(cards)), cards, lead()) == tuple(cards)


def test_the_only_suit_there_is_is_taken():
    assert chosen("4", lead()) == "4d"
    assert chosen("99", lead()) == "9s 9d"


def test_the_cheapest_suits_are_taken_for_a_lead():
    assert chosen("3", lead()) == "3s"
    assert chosen("33", lead()) == "3s 3c"
    assert chosen("345", lead()) == "3s 4d 5s"


def test_as_much_is_taken_as_the_table_demands():
    assert chosen("5", answer_to("5c")) == "5h"
    assert chosen("3", answer_to("3d")) == "3h"
    assert chosen("345", answer_to("3d 4s 5d")) == "3s 4d 5h"


def test_the_card_that_the_first_play_must_contain_is_taken():
    club = parse_cards("3c")[0]
    assert chosen("3", lead(club)) == "3c"
    assert chosen("345", lead(club)) == "3c 4d 5s"


def test_a_straight_is_of_one_suit_where_only_that_will_do():
    hand = parse_cards("3s 3d 4d 4s 5d 5s 6d 6s 7s 7h")
    assert chosen("34567", winner(), hand) == "3d 4d 5d 6d 7h"
    assert chosen("34567", winner("8c8d8h"), hand) == "3s 4s 5s 6s 7s"
    assert chosen("3s 4567", winner("8c8d8h"), hand) == "3s 4s 5s 6s 7s"


def test_the_card_that_decides_a_low_straight_is_chosen():
    hand = parse_cards("Ac Ad 2c 2d 3s 4d 5d 5s")
    assert chosen("A2345", winner(straight_suit=True), hand) == "3s 4d 5d Ad 2d"
    answer = winner("Ah 2h 3h 4s 5h", straight_suit=True)
    assert chosen("A2345", answer, hand) == "3s 4d 5s Ad 2d"


def test_a_pair_of_winner_takes_the_suit_that_beats():
    hand = parse_cards("9d 9c 9s")
    assert chosen("99", winner(), hand) == "9c 9d"
    assert chosen("99", winner("9h 9c"), hand) == "9s 9d"


def test_the_cheapest_cards_are_taken_without_a_table():
    options = Options.make("winner")
    typed = read_typed("9 RJ 9")
    hand = parse_cards("9s 9c 9d RJ")
    assert cheapest_cards(typed, hand, options) == parse_cards("RJ 9d 9c")
    with pytest.raises(IllegalPlayError, match="only 3 of rank 9"):
        cheapest_cards(read_typed("9999"), hand, options)


def test_a_suit_typed_is_kept():
    assert chosen("3h 3", lead()) == "3s 3h"
    assert chosen("3c45", lead()) == "3c 4d 5s"


def test_if_no_choice_is_legal_the_highest_is_refused():
    state = answer_to("7d")
    assert chosen("5", state) == "5h"
    with pytest.raises(IllegalPlayError, match="lower than 7♦"):
        state.check(Cards(parse_cards("5h")))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3d", "You do not hold 3♦."),
        ("3s3s", "You do not hold 3♠ 2 times."),
        ("444", "You hold only 1 of rank 4."),
        ("1010", "You hold only 1 of rank 10."),
        ("K", "You hold no card of rank K."),
        ("9s9s9", "You do not hold 9♠ 2 times."),
        ("3s333", "You hold only 3 of rank 3."),
        ("BJ", "You do not hold BJ."),
    ],
)
def test_cards_that_are_not_in_the_hand_are_named(text, reason):
    with pytest.raises(IllegalPlayError) as refused:
        choose_cards(read_typed(text), HAND, lead())
    assert refused.value.text == reason


def test_twins_of_two_packs_are_two_cards():
    hand = parse_cards("3s 3s 4s")
    state = replace(lead(), packs=2)
    assert chosen("3s3s", state, hand) == "3s 3s"
    assert chosen("33", state, hand) == "3s 3s"


# -- before one's turn ---------------------------------------------------------------------------


def test_in_turn_nothing_changes():
    state = lead()
    assert in_turn(state, 0) is state


def test_a_play_is_judged_by_what_lies_there_before_the_turn_has_come():
    state = start(OPTIONS, (0, 1, 2), {0: 13, 1: 13, 2: 13}, 1).apply(Cards(parse_cards("9h")))
    assert state.turn == 2
    ahead = in_turn(state, 0)
    assert ahead.check(Cards(parse_cards("Th")))
    with pytest.raises(IllegalPlayError, match="lower than 9♥"):
        ahead.check(Cards(parse_cards("9d")))


def test_the_card_that_another_must_lead_is_not_demanded():
    state = start(OPTIONS, (0, 1), {0: 13, 1: 13}, 1, parse_cards("3d")[0])
    assert in_turn(state, 0).check(Cards(parse_cards("9d")))


def test_who_has_passed_is_told_so():
    state = lead().apply(Cards(parse_cards("3s"))).apply(Pass())
    with pytest.raises(IllegalPlayError, match="You passed in this trick"):
        in_turn(state, 1)
