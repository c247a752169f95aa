"""Each clause of the rules of Winner about cards and turns, by its number in rules.md section 2.

What happens between deals (clauses 7, 8, 12 and 13) is in `test_winner_deals`, fours that take
bombs (clause 6) in `test_winner_fours`.
"""

import pytest
from table_talk import after, combo, deal, play, winner

from p2pclimb.cards import format_cards, parse_card, parse_cards
from p2pclimb.errors import IllegalPlayError, InvalidPlayError, OptionsError
from p2pclimb.games.combos import beats, classify
from p2pclimb.games.dealing import hand_sizes, pack
from p2pclimb.games.describe import rules_text
from p2pclimb.games.rulebook import rulebook


def beaten(play_text, table, packs=1, inverted=False, **settings):
    options = winner(packs=packs, **settings)
    own, other = (
        classify(parse_cards(text), options, packs, inverted=inverted)
        for text in (play_text, table)
    )
    return beats(own, other, options, inverted=inverted)


def kind_of(text, packs=1, **settings):
    return combo(text, winner(packs=packs, **settings), packs).kind


def table(sizes, **settings):
    return deal(sizes, game=winner, **settings)


def refusal(state, text, seat=None):
    with pytest.raises(IllegalPlayError) as caught:
        state.check(play(text), seat)
    return caught.value.text


# Clause 1: the pack.


def test_clause_01_two_jokers_above_the_twos_and_spades_the_highest_suit():
    order = sorted(set(pack(winner(), 4)), key=rulebook(winner()).place)
    assert len(order) == 54
    assert format_cards(order[:5]) == "3d 3c 3h 3s 4d"
    assert format_cards(order[-6:]) == "2d 2c 2h 2s BJ RJ"
    for higher, lower in (("3s", "3h"), ("3h", "3c"), ("BJ", "2s"), ("RJ", "BJ")):
        assert beaten(higher, lower)
        assert not beaten(lower, higher)


def test_clause_01_without_jokers_four_players_get_13_each():
    assert hand_sizes(winner(jokers=False), range(4), dealer=0) == dict.fromkeys(range(4), 13)
    with pytest.raises(InvalidPlayError, match="no jokers at this table"):
        combo("RJ", winner(jokers=False))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_clause_01_two_packs_for_four_players_or_more(seats):
    assert len(pack(winner(), seats)) == 54
    if seats >= 4:
        assert len(pack(winner(packs=2), seats)) == 108
    else:
        with pytest.raises(OptionsError, match="four or more seats, not"):
            pack(winner(packs=2), seats)


@pytest.mark.parametrize("seats", [1, 9])
def test_clause_01_two_to_eight_players(seats):
    with pytest.raises(OptionsError, match="2 to 8 seats"):
        winner().require_seats(seats)


def test_clause_01_two_players_are_told_that_they_know_each_others_hands():
    assert "tell the hand of the other" in rules_text(winner(), 2)
    assert "tell the hand of the other" not in rules_text(winner(), 3)


# Clause 2: combinations.


@pytest.mark.parametrize(
    ("text", "kind", "length", "top"),
    [
        ("2s", "single", 1, "2s"),
        ("RJ", "single", 1, "RJ"),
        ("Ks Kd", "pair", 1, "Ks"),
        ("5d 5s 5c", "triple", 1, "5s"),
        ("9s 9c 4d 9d 4h", "full_house", 1, "9s"),
        ("4d 4c 4h 9s 9d", "full_house", 1, "4h"),
        ("9s 9c 9d 9h", "four_of_a_kind", 1, "9s"),
        ("9c Td 8d 7s Jh", "straight", 5, "Jh"),
        ("Ad 2c 3h 4s 5d", "straight", 5, "5d"),
        ("7s7h 8s8h", "pair_straight", 2, "8s"),
        ("AsAd 2s2h 3s3d", "pair_straight", 3, "3s"),
        ("7s7h7d 8s8h8d", "triple_straight", 2, "8s"),
        ("3h 4h 5h 6h 7h", "straight_flush", 5, "7h"),
        ("Ah 2h 3h 4h 5h 6h", "straight_flush", 6, "6h"),
        ("BJ RJ", "joker_pair", 1, "RJ"),
    ],
)
def test_clause_02_combinations(text, kind, length, top):
    combination = combo(text, winner())
    assert combination.kind == kind
    assert (combination.length, combination.top) == (length, parse_card(top))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7s 8h", "straight has 5 cards or more"),
        ("3s 4h 5d 6c", "straight has 5 cards or more"),
        ("3s 4h 6d 7c 8c", "consecutive"),
        ("Kd Ac 2h 3s 4d", "round the corner"),
        ("Jd Qh Kh Ac 2d", "the 2 below the 3"),
        ("AsAc 2s2d KsKc", "the 2 below the 3"),
        ("QsQc KsKc 3s3d", "consecutive"),
        ("4s4c4d 9h Ts", "full house is a triple and a pair"),
        ("4s4c4d4h Ts", "full house is a triple and a pair"),
        ("4s4c 5s", "as many cards of each"),
        ("3s3c3d3h 4s4c4d4h", "Only single cards, pairs and triples"),
        ("RJ Ks", "joker is played alone"),
        ("RJ 3s4s5s6s", "joker is played alone"),
        ("BJ RJ 3s3d3c", "joker is played alone"),
        ("7s7s", "named 2 times, but there is only one"),
    ],
)
def test_clause_02_what_is_no_combination_and_why(text, reason):
    with pytest.raises(InvalidPlayError, match=reason):
        combo(text, winner())


def test_clause_02_with_two_packs_any_two_jokers_and_no_more():
    for text in ("BJ BJ", "RJ RJ", "BJ RJ"):
        assert kind_of(text, packs=2) == "joker_pair"
    for text in ("BJ BJ RJ", "BJ BJ RJ RJ", "3s3s3c3d3h"):
        with pytest.raises(InvalidPlayError):
            kind_of(text, packs=2)


def test_clause_02_a_pair_counts_by_its_higher_suited_card():
    assert beaten("KsKd", "KhKc")
    assert not beaten("KhKc", "KsKd")


# Clause 3: straights.


def test_clause_03_the_lowest_card_decides_and_suits_never_do():
    lowest_first = ["Ad2c3h4s5d", "2s3c4h5s6d", "3d4c5h6s7d", "9d TcJhQsKd", "TdJcQhKsAd"]
    for place, text in enumerate(lowest_first):
        for other in lowest_first[:place]:
            assert beaten(text, other)
            assert not beaten(other, text)
    assert not beaten("3s4s5s6h7s", "3d4c5h6s7d")
    assert not beaten("4d5c6h7s8d9d", "3d4c5h6s7d")


def test_clause_03_the_same_rule_for_pairs_and_triples():
    assert beaten("3d3c4d4c", "AsAh2s2h")
    assert beaten("KdKcAdAc", "QsQhKsKh")
    assert beaten("2d2c2h3d3c3h", "AsAhAd2s2c2h", packs=2)
    assert not beaten("5s5h6s6h", "5d5c6d6c")
    assert not beaten("5s5h6s6h", "5d5c6d6c", straight_suit=True)


def test_clause_03_all_thirteen_ranks_count_by_the_better_reading():
    text = "3s4s5d6c7h8s9sTdJcQhKsAd2c"
    assert (combo(text, winner()).bottom_rank, str(combo(text, winner()).top)) == (12, "Ad")
    turned = classify(parse_cards(text), winner(revolution=True), inverted=True)
    assert (turned.bottom_rank, str(turned.top)) == (11, "Ks")


def test_clause_03_straight_suit_decides_by_the_suit_of_the_highest_card():
    assert beaten("3d4d5d6d7s", "3s4s5s6s7h", straight_suit=True)
    assert not beaten("3s4s5s6s7h", "3d4d5d6d7s", straight_suit=True)
    assert beaten("Ad2d3d4d5s", "As2s3s4s5h", straight_suit=True)
    assert beaten("3s4s5s6s7s", "3h4h5h6h7h", straight_suit=True)
    assert not beaten("3s4s5s6s7s", "3h4h5h6h7h")


def test_clause_03_min_straight_and_straight_flushes_of_five():
    assert kind_of("3s4h5d", min_straight=3) == "straight"
    assert kind_of("3s4s5s", min_straight=3) == "straight"
    assert kind_of("3s4s5s6s7s", min_straight=3) == "straight_flush"
    assert kind_of("3s4s5s6s7s", min_straight=8) == "straight_flush"
    with pytest.raises(InvalidPlayError, match="8 cards or more"):
        kind_of("3s4s5s6s7h", min_straight=8)


# Clause 4: otherwise the same type and number, higher.


@pytest.mark.parametrize(
    ("higher", "lower"),
    [("8s", "7s"), ("8d8c", "7s7h"), ("5d5c5h3d3c", "4s4h4dAsAh"), ("BJ", "2s")],
)
def test_clause_04_same_type_and_number_higher(higher, lower):
    assert beaten(higher, lower)
    assert not beaten(lower, higher)


def test_clause_04_equal_does_not_beat():
    for text in ("7s", "KsKd", "7s7h7d3d3c", "3d4c5h6s7d", "RJ"):
        assert not beaten(text, text, packs=2)
    assert not beaten("KsKc", "KsKd", packs=2)
    assert not beaten("9s9h9d", "9d9c9c", packs=2)
    assert not beaten("9s9s9h9h", "9d9d9c9c", packs=2)


def test_clause_04_refusals_say_why():
    state = after(table([13] * 4), "0: 5s5c")
    assert refusal(state, "7s") == "A single card cannot answer a pair."
    assert refusal(state, "4s4c") == "The highest card is lower than 5♠."
    straight = after(table([13] * 4), "0: 5s6c7d8h9s")
    assert refusal(straight, "3s4c5d6h7s") == "The rank that decides is lower than the five."
    assert refusal(straight, "5d6d7s8s9d") == "An equal rank that decides does not beat the five."
    bomb = after(table([13] * 4), "0: 5s5c5d")
    assert refusal(bomb, "7s7c") == "A pair cannot answer a triple."


def test_refusals_name_no_card_that_is_still_hidden():
    state = after(table([13] * 4), "0: 5s5c")
    for text in ("7s", "4s4c", "RJ Ks", "3s 4h 6d 7c 8c", "7s7s", "4s4c4d 9h Ts"):
        with pytest.raises((IllegalPlayError, InvalidPlayError)) as caught:
            state.check(play(text))
        for card in parse_cards(text):
            assert str(card) not in caught.value.diagnostics()


# Clause 5: bombs.  Written out: what each beats, of the plays below.

PLAYS = {
    "ace": "As",
    "red joker": "RJ",
    "pair": "2s2h",
    "full house": "KsKhKdAsAd",
    "straight": "TdJcQhKsAd",
    "pair straight": "KdKcAdAc",
    "triple straight": "KdKcKhAdAcAh",
    "triple": "9s9h9d",
    "four": "9s9h9d9c",
    "flush": "8h9hThJhQh",
    "jokers": "BJ RJ",
}
ORDINARY = list(PLAYS)[:7]
LADDERS = {
    "usual": ({}, ["triple", "four", "flush", "jokers"]),
    "triple_is_bomb": ({"triple_is_bomb": False}, ["four", "flush", "jokers"]),
    "bomb_variation": ({"bomb_variation": True}, ["flush", "jokers", "four"]),
    "revolution": ({"revolution": True}, ["flush", "jokers"]),
}


@pytest.mark.parametrize("rule", LADDERS)
def test_clause_05_bombs(rule):
    settings, ladder = LADDERS[rule]
    plain = [name for name in PLAYS if name not in ladder]
    for bomb, text in PLAYS.items():
        weaker = [*plain, *ladder[: ladder.index(bomb)]] if bomb in ladder else []
        expected = {"ace"} & {bomb} or set(weaker)
        seen = {name for name, other in PLAYS.items() if beaten(text, other, **settings)}
        if bomb == "red joker":
            expected = {"ace"}
        assert seen == expected - {bomb}, bomb


def test_clause_05_a_higher_one_of_the_same_class_wins():
    assert beaten("TdTcTh", "9s9h9d")
    assert not beaten("8d8c8h", "9s9h9d")
    assert beaten("TdTcThTs", "9s9h9d9c")
    assert beaten("9h ThJhQhKh", "8s9sTsJsQs")


def test_clause_05_straight_flushes_answer_their_own_length_only():
    assert not beaten("4c5c6c7c8c9c", "3d4d5d6d7d")
    assert not beaten("9c TcJcQcKc", "3d4d5d6d7d8d")


def test_clause_05_both_jokers_end_the_trick_at_once():
    state = after(table([5, 5, 5]), "0: 2s", "1: BJ RJ")
    assert (state.turn, state.table, state.trick_number) == (1, None, 2)
    other = table([5, 5, 5, 5], packs=2)
    assert after(other, "0: RJ RJ", "0: 3d").turn == 1


def test_clause_05_both_jokers_as_last_cards_give_the_lead_to_the_next_seat():
    state = after(table([2, 5, 5]), "0: BJ RJ")
    assert (state.turn, state.finished) == (1, (0,))


def test_clause_05_bomb_variation_lets_four_of_a_kind_answer_both_jokers():
    state = after(table([9, 9, 9], bomb_variation=True), "0: BJ RJ")
    assert state.turn == 1
    state = after(state, "1: 3d3c3h3s", "2: 9s9h9d9c", "0: -")
    assert refusal(state, "BJ RJ") == "Two jokers cannot answer four of a kind."
    state.check(play("TsThTdTc"))


def test_clause_05_bomb_variation_makes_triples_ordinary():
    assert not beaten("9s9h9d", "2s", bomb_variation=True)
    assert beaten("9s9h9d", "8s8h8d", bomb_variation=True)


def test_clause_05_revolution_turns_the_ranks_with_each_four_of_a_kind():
    state = after(table([9, 9, 9], revolution=True), "0: 8s8c8d8h")
    assert state.inverted
    # One that answers is judged in the order that the first has just made.
    assert "Ranks are upside down" in refusal(state, "9s9h9d9c")
    turned_back = after(state, "1: 7s7h7d7c")
    assert not turned_back.inverted
    assert refusal(turned_back, "6s6h6d6c") == "The rank that decides is lower than the seven."
    after(turned_back, "2: 9s9h9d9c")


def test_clause_05_revolution_lasts_beyond_the_trick():
    state = after(table([9, 9, 9], revolution=True), "0: 8s8c8d8h", "1: -", "2: -", "0: 9s")
    assert state.inverted
    assert "Ranks are upside down" in refusal(state, "Js")
    after(state, "1: 4d", "2: 3d", "0: BJ", "1: RJ")


def test_clause_05_under_revolution_suits_and_jokers_do_not_turn():
    def turned(play_text, other, **settings):
        return beaten(play_text, other, revolution=True, inverted=True, **settings)

    assert turned("3d", "4s")
    assert turned("5s", "5d")
    assert not turned("5d", "5s")
    assert turned("BJ", "3s")
    assert turned("RJ", "BJ")
    assert not turned("3s", "BJ")
    assert turned("KsKd", "KhKc")
    assert turned("3d4c5h6s7d", "4d5c6h7s8d")
    assert turned("Ad2c3h4s5d", "2s3c4h5s6d")
    assert turned("Ad2d3d4d5d", "2s3s4s5s6s")
    assert turned("3d4d5d6d7s", "3s4s5s6s7h", straight_suit=True)
    assert turned("8h9hThJhQh", "3d")
    assert turned("3d3c3h4d4c", "4s4h4dAsAh")
    for text in ("9s9h9d", "9s9h9d9c"):
        assert not turned(text, "3d")


# Clauses 9 and 10: passes and the end of a trick.


def test_clause_09_a_pass_does_not_lock():
    state = after(table([5] * 4), "0: 3d", "1: -", "2: 5d", "3: -", "0: 9s", "1: Js")
    assert (state.turn, state.owner, state.locked) == (2, 1, frozenset())


def test_clause_09_the_trick_ends_when_all_others_have_passed_in_succession():
    state = after(table([5] * 4), "0: 3d", "1: -", "2: -", "3: 6d", "0: -", "1: -")
    assert (state.turn, state.table is None) == (2, False)
    ended = after(state, "2: -")
    assert (ended.turn, ended.table) == (3, None)


def test_clause_09_if_the_last_to_play_has_no_cards_the_next_seat_leads():
    state = after(table([1, 5, 5]), "0: 2s", "1: -", "2: -")
    assert (state.turn, state.table) == (1, None)


def test_clause_09_a_leader_may_not_pass():
    assert refusal(table([5, 5]), "-") == "The leader may not pass."


def test_clause_09_pass_rule_locked():
    state = after(table([5] * 3, pass_rule="locked"), "0: 3s", "1: -", "2: 5s", "0: 9c")
    assert state.turn == 2
    assert refusal(state, "Tc", seat=1) == "You passed in this trick."


@pytest.mark.parametrize("lead", ["RJ", "2d2c", "2s2h"])
def test_clause_10_skip_formalities(lead):
    skipping = after(table([5] * 3, skip_formalities=True, triple_is_bomb=False), f"0: {lead}")
    assert (skipping.turn, skipping.table) == (0, None)
    asking = after(table([5] * 3, triple_is_bomb=False), f"0: {lead}")
    assert asking.turn == 1


@pytest.mark.parametrize("lead", ["BJ", "2s", "AsAh", "2s2h2d"])
def test_clause_10_nothing_else_is_skipped(lead):
    skipping = after(table([5] * 3, skip_formalities=True, triple_is_bomb=False), f"0: {lead}")
    assert skipping.turn == 1


# Clause 11: the end.


def test_clause_11_the_deal_goes_on_until_winner_and_loser_are_known():
    state = after(table([1, 1, 2]), "0: 3d")
    assert state.outcome() is None
    outcome = after(state, "1: 4d").outcome()
    assert (outcome.winner, outcome.loser, outcome.order) == (0, 2, (0, 1, 2))
