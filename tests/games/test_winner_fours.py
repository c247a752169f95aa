"""Double o'Four: fours that take bombs, in turn and out of turn (rules.md 2.6)."""

import pytest
from table_talk import after, combo, deal, play, winner

from p2pclimb.cards import format_cards, parse_cards
from p2pclimb.errors import IllegalPlayError, InvalidPlayError
from p2pclimb.games.legal import legal_claims
from p2pclimb.games.moves import Cards, PickUp

BOMB = "7s7c7d"
LARGE_BOMB = "7s7c7d7h"


def table(sizes, **settings):
    return deal(sizes, game=winner, **settings)


def accepts(text, bomb, **settings):
    state = after(table([9, 9, 9, 9], **settings), f"0: {bomb}")
    try:
        state.check(play(text))
    except IllegalPlayError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "bomb", "is_taken"),
    [
        ("4s4c", BOMB, True),
        ("4s4c4d", BOMB, False),
        ("4s4c4d", LARGE_BOMB, True),
        ("4s4c", LARGE_BOMB, False),
        ("4s4c4d4h", LARGE_BOMB, False),
        ("3s3c", BOMB, False),
        ("5s5c", BOMB, False),
        ("4s", BOMB, False),
        ("4s4c4d", "3h4h5h6h7h", False),
        ("4s4c", "2s2h", False),
    ],
)
def test_exactly_two_fours_take_a_bomb_and_exactly_three_a_large_bomb(text, bomb, is_taken):
    assert accepts(text, bomb) is is_taken


@pytest.mark.parametrize(
    ("settings", "takes_triple", "takes_four"),
    [
        ({"fours": "off"}, False, False),
        ({"triple_is_bomb": False}, False, True),
        ({"bomb_variation": True}, False, True),
        ({"revolution": True}, False, False),
        ({"fours": "takeover"}, True, True),
    ],
)
def test_fours_have_no_power_where_there_is_no_bomb(settings, takes_triple, takes_four):
    assert accepts("4s4c", BOMB, **settings) is takes_triple
    assert accepts("4s4c4d", LARGE_BOMB, **settings) is takes_four


def test_fours_stay_ordinary_cards():
    assert accepts("4s4c", "3s3c")
    assert accepts("4s4c4d", "3s3c3d")
    assert accepts("4s4c4d4h", "3s3c3d3h")


def test_pickup_takes_the_bomb_into_the_hand_and_leads():
    state = after(table([9, 9, 9]), "0: 2s", "1: " + BOMB, "2: 4s4c")
    assert state.picked_up == PickUp(2, combo(BOMB, winner()))
    assert format_cards(state.picked_up.combination.cards) == "7d 7c 7s"
    assert (state.turn, state.table, state.owner) == (2, None, None)
    assert state.hand_sizes == {0: 8, 1: 6, 2: 9 - 2 + 3}
    # The rest of the pile and the fours are gone, the bomb is not.
    assert format_cards(state.shown) == "2s 4s 4c"
    assert after(state, "2: 7s7c7d").picked_up is None


def test_pickup_brings_a_seat_back_whose_last_cards_were_the_fours():
    state = after(table([4, 2, 5]), "0: " + BOMB, "1: 4s4c")
    assert (state.turn, state.finished, state.hand_sizes[1]) == (1, (), 3)
    assert state.outcome() is None


def test_pickup_from_a_seat_that_went_out_with_its_bomb():
    state = after(table([3, 2, 5]), "0: " + BOMB, "1: -", "2: 4s4c")
    assert (state.finished, state.turn, state.hand_sizes[2]) == ((0,), 2, 6)


def test_takeover_leaves_the_bomb_on_the_table_for_its_new_owner():
    state = after(table([9, 9, 9], fours="takeover"), "0: " + BOMB, "1: 4s4c")
    assert (state.turn, state.owner, state.picked_up) == (2, 1, None)
    assert format_cards(state.table.cards) == "7d 7c 7s"
    with pytest.raises(IllegalPlayError, match="lower"):
        state.check(play("6s6c6d"))
    state.check(play("8s8c8d"))
    # Fours may take it again, and if all pass the new owner leads.
    assert after(state, "2: 4d4h").owner == 2
    assert after(state, "2: -", "0: -").turn == 1


def test_takeover_with_the_last_cards_goes_out():
    state = after(table([9, 2, 9], fours="takeover"), "0: " + BOMB, "1: 4s4c")
    assert (state.finished, state.owner) == ((1,), 1)
    assert after(state, "2: -", "0: -").turn == 2


def test_takeover_with_the_last_cards_may_end_the_deal():
    state = after(table([9, 2], fours="takeover"), "0: " + BOMB, "1: 4s4c")
    assert state.outcome().order == (1, 0)


# The window in which anyone may claim.


def asked_by(*turns, sizes=(9, 9, 9, 9), **settings):
    return after(table(list(sizes), fours_when="anyone", **settings), *turns)


def fours(text="4s4c"):
    return parse_cards(text)


def test_a_bomb_asks_every_other_seat_with_cards():
    state = asked_by("0: " + BOMB)
    assert (state.asked, state.turn) == ((1, 2, 3), 1)
    assert asked_by("0: 2s").asked == ()
    assert after(table([9, 9, 9]), "0: " + BOMB).asked == ()


@pytest.mark.parametrize("settings", [{"fours": "off"}, {"triple_is_bomb": False}])
def test_only_a_bomb_that_fours_can_take_asks(settings):
    assert asked_by("0: " + BOMB, **settings).asked == ()
    assert asked_by("0: 3h4h5h6h7h").asked == ()


def test_seats_that_passed_or_are_locked_are_asked_too_and_finished_ones_not():
    state = asked_by("0: 2s", "1: -", "2: " + BOMB, pass_rule="locked")
    assert set(state.asked) == {0, 1, 3}
    out = asked_by("0: 2s", "1: " + BOMB, sizes=(1, 9, 9, 9))
    assert set(out.asked) == {2, 3}


def test_nobody_is_asked_when_the_deal_is_over():
    state = asked_by("0: " + BOMB, sizes=(3, 9))
    assert (state.turn, state.asked) == (None, ())


def test_nobody_plays_before_the_answers():
    state = asked_by("0: " + BOMB)
    for text in ("-", "8s8c8d", "4s4c"):
        with pytest.raises(IllegalPlayError, match="asked for their fours"):
            state.check(play(text))
    legal = state.legal_plays(parse_cards("8s8c8d4s4c"))
    assert (list(legal), legal.passing, bool(legal)) == ([], None, False)
    with pytest.raises(IllegalPlayError):
        state.absent_turn()


def test_when_all_decline_the_trick_goes_on_and_fours_may_still_be_played_in_turn():
    state = asked_by("0: " + BOMB).answer({})
    assert (state.asked, state.turn, state.owner) == ((), 1, 0)
    assert after(state, "1: 4s4c").picked_up.seat == 1


def test_the_claimant_nearest_after_the_bomber_wins_and_the_others_keep_their_fours():
    state = asked_by("0: 2s", "1: " + BOMB)
    answered = state.answer({0: fours("4s4c"), 3: fours("4d4h")})
    assert (answered.picked_up.seat, answered.turn, answered.table) == (3, 3, None)
    assert answered.hand_sizes == {0: 8, 1: 6, 2: 9, 3: 10}
    backwards = asked_by("0: 2s", "3: " + BOMB, direction="anticlockwise")
    assert backwards.answer({0: fours("4s4c"), 1: fours("4d4h")}).picked_up.seat == 1


def test_a_claim_under_takeover_opens_no_window_of_its_own():
    state = asked_by("0: " + BOMB, fours="takeover").answer({2: fours()})
    assert (state.asked, state.owner, state.turn) == ((), 2, 3)
    assert after(state, "3: 8s8c8d").asked == (0, 1, 2)


def test_a_window_opens_for_each_bomb_once():
    state = asked_by("0: " + BOMB).answer({})
    state = after(state, "1: 8s8c8d")
    assert set(state.asked) == {0, 2, 3}
    assert state.answer({}).asked == ()


def test_a_bomb_that_ends_the_trick_asks_first():
    # The only other seat with cards is locked out, so that nobody could beat it in turn.
    state = asked_by("0: 3s", "1: -", "2: " + BOMB, pass_rule="locked", sizes=(1, 9, 9))
    assert (state.asked, state.turn, state.owner) == ((1,), 2, 2)
    ended = state.answer({})
    assert (ended.turn, ended.table, ended.asked) == (2, None, ())
    assert state.answer({1: fours()}).turn == 1


@pytest.mark.parametrize(
    ("seat", "text", "reason"),
    [
        (0, "4s4c", "not asked"),
        (9, "4s4c", "not asked"),
        (1, "4s4c4d", "Only fours"),
        (1, "8s8c8d", "Only fours"),
        (1, "5s5c", "Only fours"),
        (2, "4s4c", "not hold that many"),
    ],
)
def test_bad_claims_are_refused(seat, text, reason):
    state = asked_by("0: " + BOMB, sizes=(9, 9, 1, 9))
    with pytest.raises(IllegalPlayError, match=reason):
        state.check_claim(seat, parse_cards(text))
    with pytest.raises(IllegalPlayError, match=reason):
        state.answer({seat: parse_cards(text)})


def test_a_claim_of_no_combination_is_invalid():
    with pytest.raises(InvalidPlayError):
        asked_by("0: " + BOMB).check_claim(1, parse_cards("4s 5s"))


def test_nobody_answers_when_nobody_is_asked():
    with pytest.raises(IllegalPlayError, match="Nobody is asked"):
        asked_by("0: 2s").answer({})
    with pytest.raises(IllegalPlayError, match="not asked"):
        asked_by("0: 2s").check_claim(1, fours())


def test_legal_claims_are_the_fours_that_are_needed():
    state = asked_by("0: " + BOMB, sizes=(9, 9, 9, 9))
    hand = parse_cards("4s4c4h 8s8c8d")
    claims = legal_claims(state, hand)
    assert {format_cards(claim) for claim in claims} == {"4s 4c", "4s 4h", "4c 4h"}
    for claim in claims:
        state.check_claim(1, claim)
    large = asked_by("0: " + LARGE_BOMB)
    assert legal_claims(large, hand) == (parse_cards("4s4c4h"),)
    assert legal_claims(large, parse_cards("4s4c")) == ()
    assert legal_claims(state.answer({}), hand) == ()


def test_a_seat_that_departs_is_not_asked_any_more():
    state = asked_by("0: " + BOMB).depart(1)
    assert (state.asked, state.turn) == ((2, 3), 2)
    over = state.depart(2).depart(3)
    assert (over.outcome().order, over.asked) == ((0, 3, 2, 1), ())


def test_when_the_bomber_departs_the_bomb_is_still_to_be_claimed():
    state = asked_by("0: " + BOMB).depart(0)
    assert (state.asked, state.turn) == ((1, 2, 3), 1)
    assert state.answer({}).turn == 1
    assert state.answer({2: fours()}).turn == 2


def test_the_last_seat_that_is_asked_departs():
    state = asked_by("0: 2s", "1: " + BOMB, sizes=(9, 9, 9)).depart(0).depart(2)
    assert state.outcome().order == (1, 2, 0)
    going_on = asked_by("0: " + BOMB, sizes=(9, 9, 9)).depart(1)
    assert going_on.answer({}).turn == 2


def test_the_record_of_a_claim_replays():
    state = asked_by("0: 2s", "1: " + BOMB).answer({3: fours("4d4h")})
    turn = state.history[-1]
    assert (turn.seat, turn.play, turn.trick) == (3, Cards(fours("4d4h")), 1)
    assert turn.picked_up is state.picked_up.combination
