"""The option chop_pay: what is chopped, what it costs, and who pays whom."""

from random import Random

import pytest
from rules_by_subsets import name_of, nickname
from table_talk import after, deal, tienlen

from p2pclimb.bots.arena import deal_openly
from p2pclimb.bots.chance import choose_any
from p2pclimb.games.chop_pay import chop_payments
from p2pclimb.games.moves import Absent, Cards, ChopPayment, Outcome
from p2pclimb.games.scoring import payments

THREE_PAIRS, HIGHER_THREE_PAIRS = "3s3c4s4c5s5c", "6s6c7s7c8s8c"
FOUR_PAIRS = "6s6c7s7c8s8c9s9c"
FIVE_PAIRS = "TsTcJsJcQsQcKsKcAsAc"
FOUR, HIGHER_FOUR = "9s9c9d9h", "TsTcTdTh"


def chopped(*turns, sizes=(20, 20, 20), **settings):
    """The payments for the chops of some turns, as (trick, payer, receiver, stakes)."""
    state = after(deal(sizes, chop_pay=True, **settings), *turns)
    return [
        (chop.trick, chop.payer, chop.receiver, chop.stakes)
        for chop in chop_payments(state.options, state.packs, state.history)
    ]


@pytest.mark.parametrize(
    ("table", "play", "stakes"),
    [
        ("2s", FOUR, 1),
        ("2c", FOUR, 1),
        ("2d", FOUR, 2),
        ("2h", THREE_PAIRS, 2),
        ("2s2c", FOUR_PAIRS, 2),
        ("2c2d", FOUR_PAIRS, 3),
        ("2d2h", FOUR_PAIRS, 4),
        ("2s2c2h", FIVE_PAIRS, 4),
        (THREE_PAIRS, HIGHER_THREE_PAIRS, 3),
        (FOUR, HIGHER_FOUR, 4),
        ("3s3c4s4c5s5c6s6c", "7s7c8s8c9s9cTsTc", 5),
        ("3s3c4s4c5s5c6s6c7s7c", FIVE_PAIRS, 6),
        ("3s3c4s4c5s5c6s6c7s7c8s8c", "3d3h4d4h5d5h6d6h7d7h8d8h", 6),
    ],
)
def test_what_each_costs(table, play, stakes):
    assert chopped(f"0: {table}", f"1: {play}") == [(1, 0, 1, stakes)]


@pytest.mark.parametrize(
    ("table", "play", "stakes"),
    [(THREE_PAIRS, FOUR, 3), (FOUR, FOUR_PAIRS, 4), (FOUR_PAIRS, FIVE_PAIRS, 5)],
)
def test_any_four_of_a_kind_or_double_sequence_that_is_beaten_is_chopped(table, play, stakes):
    assert chopped(f"0: {table}", f"1: {play}", chops="southern") == [(1, 0, 1, stakes)]


@pytest.mark.parametrize(
    ("table", "play"),
    [
        ("2s", "2h"),
        ("2s2c", "2d2h"),
        ("As", "2s"),
        ("9s9c9d", "TsTcTd"),
        ("QsKsAs", "KcAc2s"),
        ("KcAc2s", "KdAd2h"),
    ],
)
def test_ordinary_plays_cost_nothing_2s_among_them(table, play):
    assert chopped(f"0: {table}", f"1: {play}") == []


def test_a_chop_that_is_not_beaten_costs_its_player_nothing():
    assert chopped(f"0: {FOUR}", "1: -", "2: -") == []


def test_four_2s_beaten_by_higher_ones_are_four_of_a_kind():
    sizes = (20,) * 5
    assert chopped("0: 2s2s2d2d", "1: 2c2c2h2h", sizes=sizes) == [(1, 0, 1, 4)]
    assert chopped("0: 2h", "1: 2s2c2d2h", sizes=sizes) == [(1, 0, 1, 2)]


def test_the_seat_chopped_last_pays_the_last_chopper_for_the_whole_trick():
    turns = ["0: 2h", f"1: {THREE_PAIRS}", f"2: {FOUR}", f"0: {FOUR_PAIRS}"]
    assert chopped(*turns[:2], chops="southern") == [(1, 0, 1, 2)]
    assert chopped(*turns[:3], chops="southern") == [(1, 1, 2, 2 + 3)]
    assert chopped(*turns, chops="southern") == [(1, 2, 0, 2 + 3 + 4)]


def test_2s_that_were_beaten_by_higher_2s_are_not_chopped():
    assert chopped("0: 2s", "1: 2h", f"2: {FOUR}") == [(1, 1, 2, 2)]


def test_each_trick_is_settled_by_itself():
    turns = ["0: 2h", f"1: {FOUR}", "2: -", "0: -", "1: 2s", "2: -", f"0: {HIGHER_FOUR}"]
    assert chopped(*turns) == [(1, 0, 1, 2), (2, 1, 0, 1)]


def test_passes_and_absent_turns_between_change_nothing():
    state = after(deal([20, 20, 20, 20], chop_pay=True), "0: 2h", "1: -")
    state = after(state.absent_turn(), f"3: {FOUR}")
    assert chop_payments(state.options, 1, state.history) == (ChopPayment(1, 0, 3, 2),)


def test_a_trick_cut_short_by_the_end_of_the_deal_counts():
    state = after(deal([5, 4], chop_pay=True, stake=10), "0: 2h", f"1: {FOUR}")
    outcome = state.outcome()
    assert outcome.chops == (ChopPayment(1, 0, 1, 2),)
    assert payments(state.options, outcome) == {1: 10 + 20, 0: -10 - 20}


def test_it_is_added_to_either_scoring():
    for scoring, usual in (("stake", {0: -2, 1: 1, 2: 1}), ("places", {0: -1, 1: 1, 2: 0})):
        state = deal([5, 4, 1], chop_pay=True, scoring=scoring)
        state = after(state, "0: 2d", f"1: {FOUR}", "2: -", "0: -", "2: 3s")
        paid = payments(state.options, state.outcome())
        assert paid == {0: usual[0] - 2, 1: usual[1] + 2, 2: usual[2]}


def test_a_departed_seat_still_pays_for_what_was_chopped():
    state = after(deal([9, 9, 9], chop_pay=True), "0: 2h", f"1: {FOUR}")
    outcome = state.depart(0).depart(2).outcome()
    assert payments(state.options, outcome) == {1: 1 + 2, 2: 1, 0: -2 - 2}


def test_without_the_option_nothing_is_paid():
    state = after(deal([5, 4]), "0: 2h", f"1: {FOUR}")
    assert chop_payments(state.options, 1, state.history) == ()
    assert state.outcome().chops == ()


# The same written a second time: a purse that follows the deal play by play.

PRICES = {
    "2": None,
    "2-2": None,
    "2-2-2": None,
    "four": 4,
    "3 pairs": 3,
    "4 pairs": 5,
    **{f"{pairs} pairs": 6 for pairs in range(5, 14)},
}


def price(cards, beater, settings, packs):
    """What it costs to be beaten, 0 for what is not chopped."""
    name = name_of(cards, settings["twos_in_runs"], packs)
    called = "four" if name[0] == "four" else nickname(name, cards)
    if called not in PRICES:
        return 0
    if PRICES[called] is None:
        if name == name_of(beater, settings["twos_in_runs"], packs):
            return 0
        return sum({"s": 1, "c": 1, "d": 2, "h": 2}[str(card)[1]] for card in cards)
    return PRICES[called]


def follow(state, hands, rng, settings):
    """Play a deal at random; return its end and what each seat won and lost by chops."""
    purse = dict.fromkeys(state.seats, 0)
    debt = None  # payer, receiver and stakes of the trick so far
    while state.turn is not None:
        seat, owner, table, trick = state.turn, state.owner, state.table, state.trick_number
        play = choose_any(state, hands[seat], rng)
        if isinstance(play, Cards):
            if table is not None:
                cost = price(table.cards, play.cards, settings, state.packs)
                if cost:
                    debt = (owner, seat, cost + (debt[2] if debt else 0))
            left = list(hands[seat])
            for card in play.cards:
                left.remove(card)
            hands[seat] = tuple(left)
        state = state.apply(play)
        if debt and (state.trick_number > trick or state.turn is None):
            purse[debt[0]] -= debt[2]
            purse[debt[1]] += debt[2]
            debt = None
    return state, purse


@pytest.mark.parametrize(
    ("seats", "settings"),
    [
        (2, {"deal": "all", "chops": "southern", "twos_in_runs": False}),
        (2, {"deal": "all", "chops": "cumulative", "twos_in_runs": True, "pass_rule": "free"}),
        (4, {"chops": "southern", "twos_in_runs": True}),
        (5, {"deal": "all", "chops": "southern", "twos_in_runs": True, "pass_rule": "free"}),
    ],
    ids=str,
)
def test_payments_agree_with_a_purse_that_follows_the_deal(seats, settings):
    options = tienlen(chop_pay=True, stake=3, **settings)
    paying = 0
    for seed in range(60):
        rng = Random(f"{seats}{settings}{seed}")
        state, hands = deal_openly(options, range(seats), 0, rng)
        end, purse = follow(state, hands, rng, settings)
        outcome = end.outcome()
        usual = payments(options, Outcome(outcome.order, outcome.cards_left))
        paid = payments(options, outcome)
        assert paid == {seat: usual[seat] + 3 * purse[seat] for seat in outcome.order}
        assert sum(paid.values()) == 0
        paying += bool(outcome.chops)
    assert paying >= 5  # the deals were worth following


def test_an_absent_turn_has_no_cards_to_chop():
    state = after(deal([20, 20], chop_pay=True), "0: 2h").absent_turn()
    assert state.history[-1].play == Absent()
    assert chop_payments(state.options, 1, state.history) == ()
