"""Each clause of the rules of Tien len, by its number in rules.md section 1."""

import pytest
from table_talk import after, combo, deal, listed, play, tienlen

from p2pclimb.cards import format_cards, parse_card, parse_cards, pretty
from p2pclimb.errors import IllegalPlayError, InvalidPlayError, OptionsError
from p2pclimb.games.combos import beats
from p2pclimb.games.dealing import (
    hand_sizes,
    lowest_first,
    opening_leader,
    owners,
    pack,
    rotation,
)
from p2pclimb.games.describe import rules_text
from p2pclimb.games.match import Match
from p2pclimb.games.moves import LeadPass, Outcome, Pass
from p2pclimb.games.scoring import payments


def beaten(play_text, table, packs=1, **settings):
    options = tienlen(**settings)
    return beats(combo(play_text, options, packs), combo(table, options, packs), options)


def refusal(state, text, seat=None):
    with pytest.raises(IllegalPlayError) as caught:
        state.check(play(text), seat)
    return caught.value.text


# Clause 1: the pack.


def test_clause_01_rank_before_suit_and_spades_clubs_diamonds_hearts():
    order = lowest_first(tienlen(), 4)
    assert len(order) == 52
    assert format_cards(order[:5]) == "3s 3c 3d 3h 4s"
    assert format_cards(order[-5:]) == "Ah 2s 2c 2d 2h"
    assert beaten("2s", "Ah")
    assert beaten("4s", "3h")


# Clause 2: seats and cards.


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_clause_02_thirteen_cards_each(seats):
    sizes = hand_sizes(tienlen(), range(seats), dealer=0)
    assert sizes == dict.fromkeys(range(seats), 13)
    assert len(pack(tienlen(), seats)) == (52 if seats <= 4 else 104)


@pytest.mark.parametrize(
    ("seats", "each"), [(2, 26), (3, 17), (4, 13), (5, 20), (6, 17), (7, 14), (8, 13)]
)
def test_clause_02_as_many_as_possible_equally(seats, each):
    sizes = hand_sizes(tienlen(deal="all"), range(seats), dealer=0)
    assert sizes == dict.fromkeys(range(seats), each)


def test_clause_02_seventeen_cards_for_three_leave_one_undealt():
    options = tienlen(deal=17)
    assert owners(options, range(3), dealer=0).count(None) == 1
    for seats in (2, 4, 5, 8):
        with pytest.raises(OptionsError, match="exactly three seats"):
            pack(options, seats)


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_clause_02_two_to_eight_seats(seats):
    with pytest.raises(OptionsError, match="2 to 8 seats"):
        tienlen().require_seats(seats)


# Clause 3: dealer and direction.


def test_clause_03_the_loser_deals_next():
    match = Match.start(tienlen(), range(4), dealer=2)
    assert match.dealer == 2
    assert match.after(Outcome((3, 0, 2, 1), (0, 0, 0, 5))).dealer == 1


def test_clause_03_cards_are_dealt_singly_from_the_seat_after_the_dealer():
    assert owners(tienlen(), range(4), dealer=1)[:6] == (2, 3, 0, 1, 2, 3)
    assert owners(tienlen(direction="anticlockwise"), range(4), dealer=1)[:6] == (0, 3, 2, 1, 0, 3)
    assert owners(tienlen(), (0, 2, 3), dealer=3)[-14:] == (3, *[None] * 13)


def test_clause_03_direction():
    assert rotation(tienlen(), (0, 2, 3), start=2) == (2, 3, 0)
    assert rotation(tienlen(direction="anticlockwise"), (0, 2, 3), start=2) == (2, 0, 3)
    clockwise, anticlockwise = deal([2, 2, 2]), deal([2, 2, 2], direction="anticlockwise")
    assert after(clockwise, "0: 3s").turn == 1
    assert after(anticlockwise, "0: 3s").turn == 2


def test_clause_03_when_the_dealer_has_gone_the_deal_begins_with_the_next_seat():
    assert owners(tienlen(), (0, 2, 3), dealer=1)[:4] == (2, 3, 0, 2)


# Clause 4: who leads, and what.


def test_clause_04_the_first_play_contains_the_lowest_card():
    state = deal([13] * 4, first="3s")
    assert refusal(state, "4s") == "The first play must contain 3♠."
    for text in ("3s", "3s 3h", "3s 4d 5h", "3s3c 4s4c 5s5c"):
        state.check(play(text))


def test_clause_04_the_obligation_ends_with_the_first_play():
    assert after(deal([13] * 3, first="3s"), "0: 3s", "1: 4s", "2: -", "0: 5s").must_include is None


def test_clause_04_of_two_holders_the_first_after_the_dealer_leads():
    seats = range(6)
    assert opening_leader(tienlen(), seats, dealer=2, holders=[1, 4]) == 4
    assert opening_leader(tienlen(), seats, dealer=2, holders=[2, 1]) == 1
    assert opening_leader(tienlen(), seats, dealer=2, holders=[2]) == 2
    backwards = tienlen(direction="anticlockwise")
    assert opening_leader(backwards, seats, dealer=2, holders=[1, 4]) == 1


def test_clause_04_later_the_winner_leads_anything():
    first = Match.start(tienlen(), range(4), dealer=0)
    later = first.after(Outcome((3, 0, 2, 1), (0, 0, 0, 5)))
    assert first.leader is None
    assert later.leader == 3
    assert later.without(3).leader == 0


# Clause 5: beat or pass.


def test_clause_05_pass_locks_out_until_the_pile_is_cleared():
    state = after(deal([5] * 4), "0: 3s", "1: -", "2: 5s", "3: 6s", "0: 9c")
    assert state.turn == 2
    assert refusal(state, "Tc", seat=1) == "You passed in this trick."
    cleared = after(state, "2: -", "3: -")
    assert (cleared.turn, cleared.table, cleared.locked) == (0, None, frozenset())
    assert after(cleared, "0: 3c").turn == 1


def test_clause_05_a_leader_may_not_pass():
    assert refusal(deal([5, 5]), "-") == "The leader may not pass."


def test_clause_05_the_trick_ends_when_all_others_have_passed():
    state = after(deal([5] * 3), "0: 3s", "1: -", "2: 5s", "0: -")
    assert (state.turn, state.table) == (2, None)


def test_clause_05_the_trick_ends_on_the_very_play_when_all_others_are_locked_out():
    state = after(deal([1, 5, 5, 5]), "0: 9s", "1: -", "2: -", "3: Ts")
    assert (state.turn, state.table, state.locked) == (3, None, frozenset())


def test_clause_05_out_of_turn_is_refused():
    state = after(deal([1, 5, 5]), "0: 3s")
    assert refusal(state, "4s", seat=2) == "It is not your turn."
    assert refusal(state, "4s", seat=0) == "You have no cards left."
    assert refusal(state, "4s", seat=7) == "You are not in this deal."


def test_clause_05_pass_rule_free_lets_you_come_back():
    state = after(deal([5] * 3, pass_rule="free"), "0: 3s", "1: -", "2: 5s", "0: 6s", "1: 7s")
    assert state.turn == 2
    # It ends when all others have passed in succession.
    assert after(state, "2: -").table is not None
    assert after(state, "2: -", "0: -").turn == 1


# Clause 6: combinations.


@pytest.mark.parametrize(
    ("text", "kind", "length", "top"),
    [
        ("2h", "single", 1, "2h"),
        ("7d 7c", "pair", 1, "7d"),
        ("5d 5h 5c", "triple", 1, "5h"),
        ("9s 9c 9d 9h", "four_of_a_kind", 1, "9h"),
        ("9c Td 8d", "sequence", 3, "Td"),
        ("3s4s5d6c7h8s9sTdJcQhKsAd2c", "sequence", 13, "2c"),
        ("7s7h 8s8h 9s9h", "double_sequence", 3, "9h"),
    ],
)
def test_clause_06_combinations(text, kind, length, top):
    combination = combo(text)
    assert combination.kind == kind
    assert (combination.length, combination.top) == (length, parse_card(top))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7s 8h", "a sequence of three ranks or more"),
        ("7s7h 8s8h", "a sequence of three ranks or more"),
        ("3s 4h 6d", "consecutive"),
        ("As 2d 3h", "round the corner"),
        ("AsAc 2s2c 3s3c", "round the corner"),
        ("3s3c3d 4s4c4d 5s5c5d", "Only single cards and pairs"),
        ("3s3c 4s4c 5s", "one card of each rank"),
        ("7s7s", "named 2 times, but there is only one"),
    ],
)
def test_clause_06_what_is_no_combination_and_why(text, reason):
    with pytest.raises(InvalidPlayError, match=reason):
        combo(text)


def test_clause_06_with_two_packs_no_five_of_a_kind_and_no_third_twin():
    assert combo("7s7s", packs=2).kind == "pair"
    with pytest.raises(InvalidPlayError, match="5 of a kind"):
        combo("3s3c3d3h3h", packs=2)
    with pytest.raises(InvalidPlayError, match="only 2"):
        combo("3h3h3h", packs=2)


def test_clause_06_twos_in_runs():
    assert combo("Js Qs Kd Ac 2h").top is parse_card("2h")
    assert combo("KsKd AcAh 2s2d").kind == "double_sequence"
    for text in ("Ks Ac 2d", "KsKd AcAh 2s2d"):
        with pytest.raises(InvalidPlayError, match="no 2 in a"):
            combo(text, tienlen(twos_in_runs=False))
    assert combo("Qs Ks Ac", tienlen(twos_in_runs=False)).kind == "sequence"


# Clause 7: the highest card decides.


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("7h7s", "7d7c"),
        ("8s9sTd", "8h9hTc"),
        ("5s5c5d", "4s4c4h"),
        ("4s5c6h", "3s4c5h"),
        ("6s6c7s7c8s8h", "6d6h7d7h8c8d"),
        ("KsAs2d", "QsKdAh"),
    ],
)
def test_clause_07_same_type_and_number_the_highest_card_decides(higher, lower):
    assert beaten(higher, lower)
    assert not beaten(lower, higher)


@pytest.mark.parametrize(
    ("text", "table"), [("8s8h", "7s"), ("4s5c6h7d", "3s4c5h"), ("AsAcAd", "3s3c"), ("2h", "3s3c")]
)
def test_clause_07_another_type_or_number_does_not_beat(text, table):
    assert not beaten(text, table)


def test_clause_07_an_equal_highest_card_does_not_beat():
    assert not beaten("5h", "5h", packs=2)
    assert not beaten("3d4d5h", "3s4c5h", packs=2)
    state = after(deal([13] * 5), "0: 5h")
    assert refusal(state, "5h") == "An equal highest card does not beat 5♥."


def test_clause_07_refusals_say_why():
    state = after(deal([13] * 4), "0: 5s5c5d")
    assert refusal(state, "7s7c") == "A pair cannot answer a triple."
    assert refusal(state, "4s4c4d") == "The highest card is lower than 5♦."


def test_refusals_name_no_card_that_is_still_hidden():
    state = after(deal([13] * 4), "0: 5s5c5d")
    for text in ("4s4c4d", "4s4c", "4s 6c 8d", "4s4s", "4s4c6d6h", "4s 5c 6d As 2h"):
        with pytest.raises((IllegalPlayError, InvalidPlayError)) as caught:
            state.check(play(text))
        for card in parse_cards(text):
            assert str(card) not in caught.value.diagnostics()
            assert pretty(card) not in caught.value.diagnostics()


# Clause 8: chops.  Written out as a table: which of these beats which.

CHOPPERS = {
    "3 pairs": "5s5c6s6c7s7c",
    "four": "9s9c9d9h",
    "4 pairs": "5s5c6s6c7s7c8s8c",
    "5 pairs": "5s5c6s6c7s7c8s8c9s9c",
    "6 pairs": "5s5c6s6c7s7c8s8c9s9cTsTc",
}
VICTIMS = {
    "2": "2h",
    "2-2": "2d2h",
    "2-2-2": "2c2d2h",
    "2-2-2-2": "2s2c2d2h",
    "3 pairs": "TsTcJsJcQsQc",
    "four": "AsAcAdAh",
    "4 pairs": "TsTcJsJcQsQcKsKc",
    "5 pairs": "TsTcJsJcQsQcKsKcAsAc",
    "ace": "Ah",
    "run": "KhAh2h",
}
CHOP_TABLE = {
    "source": {"3 pairs": "2", "four": "2", "4 pairs": "2-2", "5 pairs": "2-2-2", "6 pairs": ""},
    "cumulative": {
        "3 pairs": "2",
        "four": "2",
        "4 pairs": "2, 2-2",
        "5 pairs": "2, 2-2, 2-2-2",
        "6 pairs": "2, 2-2, 2-2-2",
    },
    "southern": {
        "3 pairs": "2",
        "four": "2, 2-2, 3 pairs",
        "4 pairs": "2, 2-2, 3 pairs, four",
        "5 pairs": "2, 2-2, 2-2-2, 3 pairs, four, 4 pairs",
        "6 pairs": "2, 2-2, 2-2-2, 3 pairs, four, 4 pairs",
    },
}


@pytest.mark.parametrize("rule", CHOP_TABLE)
@pytest.mark.parametrize("chopper", CHOPPERS)
def test_clause_08_chops(rule, chopper):
    beats_these = {
        victim for victim, table in VICTIMS.items() if beaten(CHOPPERS[chopper], table, chops=rule)
    }
    assert beats_these == set(filter(None, CHOP_TABLE[rule][chopper].split(", ")))


@pytest.mark.parametrize("rule", CHOP_TABLE)
def test_clause_08_each_is_beaten_by_a_higher_one_of_its_own_kind_and_length(rule):
    for name, low in CHOPPERS.items():
        if name in VICTIMS:
            assert beaten(VICTIMS[name], low, chops=rule)
            assert not beaten(low, VICTIMS[name], chops=rule)


def test_clause_08_a_chop_that_holds_2s_chops_like_any_other():
    assert beaten("KsKdAcAh2s2d", "2h")
    assert beaten("2s2c2d2h", "2h", packs=2)
    assert beaten("2s2c2d2h", "5s5c6s6c7s7c", chops="southern")


def test_clause_08_southern_pairs_do_not_beat_four_2s_but_higher_twos_do():
    assert not beaten("5s5c6s6c7s7c8s8c", "2s2c2d2h", chops="southern")
    assert beaten("2d2d2h2h", "2s2s2d2d", packs=2)


def test_clause_08_a_2_never_answers_a_chop():
    state = after(deal([9, 9, 9]), "0: 2s", "1: 8s8c8d8h")
    assert refusal(state, "2h") == "A single card cannot answer four of a kind."


# Clause 9: going out.


def test_clause_09_a_finisher_drops_out_and_its_play_is_offered_to_all_not_locked_out():
    state = after(deal([1, 5, 5, 5]), "0: 9s", "1: -", "2: -")
    assert (state.turn, state.finished) == (3, (0,))
    assert state.table is not None


def test_clause_09_unbeaten_the_next_in_rotation_leads_even_if_it_had_passed():
    state = after(deal([1, 5, 5, 5]), "0: 9s", "1: -", "2: -", "3: -")
    assert (state.turn, state.table, state.locked) == (1, None, frozenset())


def test_clause_09_beaten_the_trick_goes_on_without_the_finisher():
    state = after(deal([1, 5, 5]), "0: 9s", "1: Ts", "2: -")
    assert (state.turn, state.table) == (1, None)


def test_clause_09_the_lead_skips_seats_without_cards():
    state = after(deal([1, 1, 5, 5]), "0: 8s", "1: 9s", "2: -", "3: -")
    assert (state.turn, state.finished) == (2, (0, 1))


def test_clause_09_nobody_is_asked_when_the_deal_is_over():
    state = after(deal([1, 2]), "0: 3s")
    assert state.turn is None
    assert refusal(state, "4s") == "The deal is over."


def test_clause_09_nobody_plays_more_cards_than_it_holds():
    assert refusal(deal([1, 5]), "3s3c") == "You do not hold that many cards."


# Clause 10: the loser pays.


def test_clause_10_the_last_with_cards_loses_and_pays_each_other_seat():
    outcome = after(deal([1, 1, 1, 3]), "0: 3s", "1: 4s", "2: 5s").outcome()
    assert (outcome.order, outcome.loser) == ((0, 1, 2, 3), 3)
    assert outcome.hand_sizes == {0: 0, 1: 0, 2: 0, 3: 3}
    assert payments(tienlen(stake=5), outcome) == {0: 5, 1: 5, 2: 5, 3: -15}


# Clause 11: folklore.


def test_clause_11_the_rules_text_says_that_peeking_is_impossible():
    assert "Peeking and playing out of turn" in rules_text(tienlen())


# The options of both presets.


def test_option_finish_on_two_refuses_to_go_out_on_2s_alone():
    state = deal([2, 5], finish_on_two=False)
    assert refusal(state, "2s2h") == "You may not go out on 2s alone at this table."
    state.check(play("2s"))
    assert listed(state, "2s 2h") == {"2s", "2h"}
    # A run that ends in 2 is not 2s alone.
    deal([3, 5], finish_on_two=False).check(play("Ks As 2s"))
    deal([2, 5]).check(play("2s2h"))


def test_option_finish_on_two_lets_a_stuck_leader_pass_the_lead_with_its_hand_open():
    state = deal([1, 5, 5], finish_on_two=False)
    hand = parse_cards("2s")
    assert not state.legal_plays(hand)
    assert state.legal_plays(hand).passing == LeadPass(hand)
    assert LeadPass(parse_cards("2h")) not in state.legal_plays(hand)
    passed = state.apply(LeadPass(hand))
    assert (passed.turn, passed.locked, passed.table) == (1, frozenset(), None)
    # It is not locked out of the trick that follows.
    assert after(passed, "1: 3s", "2: -").turn == 0


def test_option_finish_on_two_nobody_else_may_pass_the_lead():
    with pytest.raises(IllegalPlayError, match="has a play"):
        deal([1, 5], finish_on_two=False).check(LeadPass(parse_cards("3s")))
    with pytest.raises(IllegalPlayError, match="has a play"):
        deal([1, 5]).check(LeadPass(parse_cards("2s")))
    with pytest.raises(IllegalPlayError, match="whole hand"):
        deal([2, 5], finish_on_two=False).check(LeadPass(parse_cards("2s")))
    with pytest.raises(IllegalPlayError, match="Only a leader"):
        after(deal([2, 1], finish_on_two=False), "0: 3s").check(LeadPass(parse_cards("2s")))
    with pytest.raises(IllegalPlayError, match="may not pass"):
        deal([1, 5], finish_on_two=False).check(Pass())


def test_option_finish_on_two_the_ban_is_lifted_when_all_have_passed_the_lead():
    state = deal([1, 1, 1], finish_on_two=False)
    for text in ("2s", "2c", "2d"):
        state = state.apply(LeadPass(parse_cards(text)))
    assert state.turn == 0
    state = after(state, "0: 2s", "1: 2c")
    assert state.outcome().order == (0, 1, 2)


def test_option_finish_on_two_only_passes_in_succession_lift_the_ban():
    state = deal([1, 3, 1], finish_on_two=False).apply(LeadPass(parse_cards("2s")))
    state = after(state, "1: 3s", "2: -", "0: -", "1: 4s", "2: -", "0: -")
    assert state.lead_passes == ()
    assert state.apply(play("5s")).outcome() is None


def test_option_scoring_places():
    def paid(seats, stake=1):
        outcome = Outcome(tuple(range(seats)), (0,) * (seats - 1) + (1,))
        return list(payments(tienlen(scoring="places", stake=stake), outcome).values())

    assert paid(2) == [1, -1]
    assert paid(3, stake=10) == [10, 0, -10]
    assert paid(4) == [2, 1, -1, -2]
    assert paid(6) == [2, 1, 0, 0, -1, -2]
