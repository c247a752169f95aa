"""The deals of a table in a row, with seats that go and come back."""

import pytest
from table_talk import tienlen

from p2pclimb.errors import OptionsError
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Outcome


def outcome(*order):
    return Outcome(order, (*[0] * (len(order) - 1), 4))


def test_scores_add_up_and_stay_with_those_who_have_gone():
    match = Match.start(tienlen(stake=2), range(4), dealer=0).after(outcome(0, 1, 2, 3))
    assert match.scores == {0: 2, 1: 2, 2: 2, 3: -6}
    match = match.without(3).after(outcome(1, 2, 0))
    assert match.scores == {0: -2, 1: 4, 2: 4, 3: -6}
    assert sum(match.scores.values()) == 0
    assert match.deal == 3


def test_a_dealer_who_has_gone_is_replaced_by_the_next_in_rotation():
    match = Match.start(tienlen(), (0, 2, 5), dealer=2)
    assert match.without(2).dealer == 5
    assert match.without(2, 5).dealer == 0
    backwards = Match.start(tienlen(direction="anticlockwise"), (0, 2, 5), dealer=2)
    assert backwards.without(2).dealer == 0


def test_a_winner_who_has_gone_is_replaced_by_the_next_finisher():
    match = Match.start(tienlen(), range(4), dealer=0).after(outcome(3, 1, 0, 2))
    assert match.leader == 3
    assert match.without(3).leader == 1
    assert match.without(3, 1).leader == 0


def test_if_no_finisher_is_left_the_next_in_rotation_leads():
    match = Match.start(tienlen(), range(4), dealer=0).without(3).after(outcome(1, 0, 2))
    assert match.rejoined(3).without(0, 1, 2).leader == 3


def test_when_everybody_has_gone_nobody_deals_or_leads():
    match = Match.start(tienlen(), range(3), dealer=0).after(outcome(1, 2, 0)).without(0, 1, 2)
    assert match.dealer is None
    assert match.leader is None


def test_a_seat_that_comes_back_is_in_again_with_its_points():
    match = Match.start(tienlen(), range(3), dealer=0).without(1).after(outcome(2, 0))
    assert match.rejoined(1).seats == (0, 1, 2)
    assert match.rejoined(1).scores == {0: -1, 1: 0, 2: 1}
    assert match.rejoined(1).rejoined(1) == match.rejoined(1)


def test_terms_that_no_longer_fit_end_the_table():
    match = Match.start(tienlen(deal=17), range(3), dealer=0)
    assert match.unfit() is None
    assert "exactly three seats" in match.without(0).unfit()
    two = Match.start(tienlen(), range(2), dealer=0)
    assert two.without(0).unfit() == "fewer than two players are left"


def test_a_bad_seat_count_is_refused_at_the_start():
    with pytest.raises(OptionsError):
        Match.start(tienlen(), range(9), dealer=0)


def test_the_agreed_number_of_deals():
    match = Match.start(tienlen(deals=2), range(2), dealer=0)
    assert [match.is_over, match.after(outcome(0, 1)).is_over] == [False, False]
    assert match.after(outcome(0, 1)).after(outcome(0, 1)).is_over
    assert not Match.start(tienlen(), range(2), dealer=0).after(outcome(0, 1)).is_over
