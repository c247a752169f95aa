"""The option rotten_twos: what 2s left in the loser's hand cost it."""

from itertools import combinations
from random import Random

import pytest
from table_talk import tienlen

from p2pclimb.cards import faces, parse_cards
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Outcome
from p2pclimb.games.rotten_twos import rotten_payments

ROTTEN = tienlen(rotten_twos=True)


def outcome(*order, left=4):
    return Outcome(order, (*[0] * (len(order) - 1), left))


def paid(opened, seen="", options=ROTTEN, order=(0, 1, 2, 3), left=None):
    hand = None if opened is None else parse_cards(opened)
    count = left if left is not None else len(hand)
    shown = parse_cards(seen) if seen else ()
    return rotten_payments(options, outcome(*order, left=count), hand, shown)


@pytest.mark.parametrize(
    ("hand", "stakes"),
    [("2s", 1), ("2c 3s", 1), ("2d", 2), ("2h 5c", 2), ("2s2c2d2h", 6), ("2c 2h As", 3)],
)
def test_a_black_2_costs_one_stake_and_a_red_2_two(hand, stakes):
    assert paid(hand) == {3: -stakes, 2: stakes}


def test_it_is_paid_to_the_seat_that_finished_just_before():
    assert paid("2h", order=(3, 1, 0, 2)) == {2: -2, 0: 2}
    assert paid("2h", order=(1, 0)) == {0: -2, 1: 2}


def test_it_is_counted_in_stakes():
    options = tienlen(rotten_twos=True, stake=50, scoring="places")
    assert paid("2h", options=options) == {3: -100, 2: 100}


def test_no_2s_cost_nothing():
    assert paid("As Kd 3h") == {}
    # A hand that was opened is judged by what is in it, whatever else is unseen.
    assert paid("As", seen="") == {}


def test_without_the_option_2s_cost_nothing():
    assert paid("2h", options=tienlen()) == {}
    assert paid(None, left=4, options=tienlen()) == {}


def test_a_loser_that_does_not_open_pays_for_every_2_not_yet_seen():
    assert paid(None, left=9) == {3: -6, 2: 6}
    assert paid(None, "2h 3s", left=9) == {3: -4, 2: 4}
    assert paid(None, "2s2c2d2h", left=9) == {}


def test_it_pays_for_no_more_2s_than_it_has_cards_the_red_ones_first():
    assert paid(None, left=1) == {3: -2, 2: 2}
    assert paid(None, left=3) == {3: -5, 2: 5}
    assert paid(None, "2d 2h", left=1) == {3: -1, 2: 1}
    assert paid(None, "2d", left=2) == {3: -3, 2: 3}


def test_with_two_packs_both_twins_count():
    five = (0, 1, 2, 3, 4)
    assert paid("2h2h2s", order=five) == {4: -5, 3: 5}
    assert paid(None, order=five, left=20) == {4: -12, 3: 12}
    assert paid(None, "2h", order=five, left=20) == {4: -10, 3: 10}
    assert paid(None, "2h2h2d2d", order=five, left=20) == {4: -4, 3: 4}
    assert paid(None, "2h2h2d", order=five, left=2) == {4: -3, 3: 3}


@pytest.mark.parametrize("packs", [1, 2])
def test_not_opening_never_costs_less_than_the_dearest_hand_there_can_be(packs):
    rng = Random(packs)
    order = range(4 if packs == 1 else 5)
    pack = list(faces(packs, jokers=False))
    for _ in range(60):
        twos = [card for card in pack if card.rank == 12]
        seen = rng.sample(twos, rng.randint(0, len(twos))) + rng.sample(pack[:48], 5)
        unseen = list(twos)
        for card in seen:
            if card in unseen:
                unseen.remove(card)
        left = rng.randint(1, 6)
        result = outcome(*order, left=left)
        possible = [
            rotten_payments(ROTTEN, result, hand)
            for size in range(min(left, len(unseen)) + 1)
            for hand in combinations(unseen, size)
        ]
        dearest = min(possible, key=lambda payments: payments.get(order[-1], 0))
        assert rotten_payments(ROTTEN, result, None, seen) == dearest


def test_the_match_adds_it_to_the_score():
    match = Match.start(ROTTEN, range(4), dealer=0)
    result = outcome(0, 1, 2, 3, left=2)
    rotten = rotten_payments(ROTTEN, result, parse_cards("2s 2h"))
    after = match.after(result, rotten)
    assert after.scores == {0: 1, 1: 1, 2: 1 + 3, 3: -3 - 3}
    assert (after.dealer, after.leader) == (3, 0)
    assert match.after(result).scores == {0: 1, 1: 1, 2: 1, 3: -3}
