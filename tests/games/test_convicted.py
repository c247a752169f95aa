"""How a deal counts that was broken off because seats were convicted (protocol.md, Outcomes)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.games.dealing import hand_sizes
from p2pclimb.games.match import Match
from p2pclimb.games.moves import ConvictedOutcome
from p2pclimb.games.options import Options
from p2pclimb.games.scoring import payments


def broken_off(options, order, culprits, dealer=0):
    return ConvictedOutcome(order, hand_sizes(options, order, dealer), frozenset(culprits))


@pytest.mark.parametrize("scoring", ["stake", "places"])
def test_in_tien_len_a_culprit_pays_every_other_seat_one_stake(scoring):
    options = Options.make("tienlen", {"stake": 5, "scoring": scoring})
    paid = payments(options, broken_off(options, (2, 0, 3, 1), {1}))
    assert paid == {0: 5, 1: -15, 2: 5, 3: 5}


def test_in_winner_a_culprit_pays_for_its_whole_hand_as_if_it_had_played_nothing():
    options = Options.make("winner")
    # The dealer and the seat after it are dealt 14 cards, the others 13.
    assert payments(options, broken_off(options, (3, 2, 1, 0), {0})) == {
        0: -42,
        1: 14,
        2: 14,
        3: 14,
    }
    assert payments(options, broken_off(options, (3, 1, 0, 2), {2})) == {
        0: 13,
        1: 13,
        2: -39,
        3: 13,
    }


def test_two_culprits_pay_the_others_and_not_each_other():
    options = Options.make("tienlen")
    assert payments(options, broken_off(options, (3, 0, 1, 2), {1, 2})) == {
        0: 2,
        1: -2,
        2: -2,
        3: 2,
    }


@given(
    game=st.sampled_from(["tienlen", "winner"]),
    order=st.integers(2, 4).flatmap(lambda count: st.permutations(range(count))),
    dealer=st.integers(0, 1),
    culprits=st.sets(st.integers(0, 3), min_size=1),
)
def test_points_add_up_whoever_is_convicted(game, order, dealer, culprits):
    options = Options.make(game)
    paid = payments(options, broken_off(options, tuple(order), culprits & set(order), dealer))
    assert sum(paid.values()) == 0
    assert set(paid) == set(order)
    assert all(points >= 0 for seat, points in paid.items() if seat not in culprits)


def test_the_culprit_counts_as_the_loser_and_the_first_of_the_others_as_the_winner():
    options = Options.make("tienlen")
    match = Match.start(options, range(4), dealer=3)
    after = match.after(broken_off(options, (2, 0, 3, 1), {1})).without(1)
    assert (after.deal, after.named_dealer, after.last_order) == (2, 1, (2, 0, 3, 1))
    assert (after.dealer, after.leader) == (2, 2)
    assert after.scores == {0: 1, 1: -3, 2: 1, 3: 1}


def test_when_the_loser_leads_it_is_the_seat_after_the_culprit():
    options = Options.make("winner", {"next_lead": "loser"})
    after = Match.start(options, range(4), 3).after(broken_off(options, (2, 0, 3, 1), {1}))
    assert after.without(1).leader == 2
