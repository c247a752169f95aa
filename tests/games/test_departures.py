"""Absent turns and departed seats (rules.md section 3, protocol.md section 4)."""

import pytest
from table_talk import after, deal, play

from p2pclimb.cards import parse_cards
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.moves import Absent, LeadPass


def test_an_absent_turn_is_a_pass_that_locks():
    state = after(deal([5, 5, 5]), "0: 3s").absent_turn()
    assert (state.turn, state.locked) == (2, {1})
    assert state.history[-1].play == Absent()
    assert after(state, "2: -").turn == 0


def test_an_absent_leader_loses_the_lead_to_the_next_seat_and_is_not_locked():
    state = deal([5, 5, 5]).absent_turn()
    assert (state.turn, state.table, state.locked) == (1, None, frozenset())
    assert after(state, "1: 3s", "2: -").turn == 0


def test_an_absent_first_leader_takes_the_obligation_with_it():
    state = deal([5, 5, 5], first="3s").absent_turn()
    assert after(state, "1: 4s").turn == 2


def test_no_turn_is_missed_when_the_deal_is_over():
    with pytest.raises(IllegalPlayError, match="over"):
        after(deal([1, 2]), "0: 3s").absent_turn()


def test_a_departed_seat_is_not_asked_again_and_ranks_below_all_that_stay():
    state = after(deal([1, 5, 2, 5]).depart(1), "0: 3s")
    assert state.turn == 2
    state = after(state, "2: -", "3: -", "2: 4s4c")
    assert state.outcome().order == (0, 2, 3, 1)
    assert state.outcome().hand_sizes == {0: 0, 2: 0, 3: 5, 1: 5}


def test_the_first_to_go_ranks_lowest():
    state = deal([5, 5, 5, 5]).depart(2).depart(0).depart(3)
    assert state.turn is None
    assert state.outcome().order == (1, 3, 0, 2)
    assert (state.outcome().winner, state.outcome().loser) == (1, 2)


def test_the_deal_goes_on_until_one_seat_still_in_holds_cards():
    state = deal([1, 5, 5, 5]).depart(3)
    state = after(state, "0: 3s")
    assert state.outcome() is None
    assert state.depart(1).outcome().order == (0, 2, 1, 3)


def test_when_the_seat_in_turn_departs_the_next_is_asked():
    state = after(deal([5, 5, 5, 5]), "0: 3s").depart(1)
    assert (state.turn, state.owner) == (2, 0)


def test_when_the_last_to_be_asked_departs_the_trick_ends():
    state = after(deal([5, 5, 5]), "0: 3s", "1: -").depart(2)
    assert (state.turn, state.table, state.locked) == (0, None, frozenset())


def test_when_the_leader_departs_the_next_seat_leads_anything():
    state = deal([5, 5, 5], first="3s").depart(0)
    assert state.turn == 1
    state.check(play("4s"))


def test_when_another_seat_departs_the_leader_is_still_bound():
    state = deal([5, 5, 5], first="3s").depart(1)
    with pytest.raises(IllegalPlayError, match="must contain"):
        state.check(play("4s"))


def test_what_a_departed_owner_played_stays_to_be_beaten_and_the_next_seat_leads():
    state = after(deal([5, 5, 5, 5]), "0: 9s", "1: -").depart(0)
    assert state.turn == 2
    with pytest.raises(IllegalPlayError, match="lower"):
        state.check(play("8s"))
    unbeaten = after(state, "2: -", "3: -")
    assert (unbeaten.turn, unbeaten.table) == (1, None)


def test_a_departed_seat_is_told_that_it_is_not_in_the_deal():
    with pytest.raises(IllegalPlayError, match="not in this deal"):
        deal([5, 5, 5]).depart(1).check(play("4s"), seat=1)


def test_who_has_finished_keeps_its_place_when_it_goes():
    state = after(deal([1, 5, 5]), "0: 3s")
    assert state.depart(0) is state


def test_departures_after_the_end_change_nothing():
    state = after(deal([1, 5]), "0: 3s")
    assert state.depart(1) is state


def test_a_departure_can_complete_the_passes_of_the_lead():
    state = deal([1, 1, 5], finish_on_two=False)
    for text in ("2s", "2c"):
        state = state.apply(LeadPass(parse_cards(text)))
    assert state.turn == 2
    state = state.depart(2)
    assert state.turn == 0
    assert after(state, "0: 2s").outcome().order == (0, 1, 2)


def test_when_all_have_passed_the_lead_the_first_who_is_still_there_leads():
    state = deal([1, 1, 1, 1], finish_on_two=False)
    for text in ("2s", "2c"):
        state = state.apply(LeadPass(parse_cards(text)))
    state = state.depart(0)
    for text in ("2d", "2h"):
        state = state.apply(LeadPass(parse_cards(text)))
    assert state.turn == 1
    state.check(play("2c"))


def test_an_absence_does_not_count_as_a_pass_of_the_lead():
    state = deal([1, 5, 1], finish_on_two=False).apply(LeadPass(parse_cards("2s"))).absent_turn()
    state = state.apply(LeadPass(parse_cards("2c")))
    assert state.turn == 0
    with pytest.raises(IllegalPlayError, match="go out on 2s"):
        state.check(play("2s"))
    # It is asked again as often as the lead comes round, and may then lead anything.
    state = state.apply(LeadPass(parse_cards("2s")))
    assert after(state, "1: 3s").turn == 2
