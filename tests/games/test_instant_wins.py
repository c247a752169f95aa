"""The option instant_wins: which hands win, which claim is best, and what follows."""

from itertools import combinations
from random import Random

import pytest
from table_talk import tienlen

from p2pclimb.cards import FACES, format_cards, parse_cards
from p2pclimb.errors import ClimbError, MalformedError, OptionsError
from p2pclimb.games.instant_wins import (
    InstantWinKind,
    best_instant_win,
    claimed_outcome,
    winning_claim,
)
from p2pclimb.games.match import Match
from p2pclimb.games.moves import ClaimedOutcome, Outcome
from p2pclimb.games.options import Options
from p2pclimb.games.scoring import payments
from p2pclimb.games.words import instant_win_in_words

FOUR_TWOS = "2s2c2d2h 3c5d7h8s9cJdQsKcAh"
DRAGON = "3s4c5d6h7s8c9dThJsQcKdAs 6s"
DRAGON_OF_HEARTS = "3c4d5h6c7d8h9sTsJcQdKsAh Tc"
FIVE_PAIRS = "5s5c6s6c7s7c8s8c9s9c JdKh2s"
SIX_PAIRS = "3c3d5s5d7s7c9s9cJcJd2s2d Kh"
FOUR_THREES = "3s3c3d3h 5c6h7d8s9hTcJsKcAd"
NOTHING = "3s3c4s5c7d7h9c9dJdJhKsAcAd"


def claim(hand, first_deal=False, **settings):
    return best_instant_win(parse_cards(hand), tienlen(instant_wins=True, **settings), first_deal)


def kind(hand, first_deal=False, **settings):
    win = claim(hand, first_deal, **settings)
    return win and win.kind


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (FOUR_TWOS, "four_twos"),
        (DRAGON, "dragon"),
        (FIVE_PAIRS, "five_pairs"),
        (SIX_PAIRS, "six_pairs"),
        (NOTHING, None),
    ],
)
def test_the_hands_that_win_at_once(hand, expected):
    assert kind(hand, first_deal=False) == expected
    assert kind(hand, first_deal=True) == expected


def test_four_threes_win_in_the_first_deal_only():
    assert kind(FOUR_THREES, first_deal=True) == "four_threes"
    assert kind(FOUR_THREES, first_deal=False) is None


def test_nothing_wins_at_once_without_the_option():
    for hand in (FOUR_TWOS, DRAGON, FIVE_PAIRS, SIX_PAIRS, FOUR_THREES):
        assert best_instant_win(parse_cards(hand), tienlen(), True) is None


def test_a_dragon_runs_from_3_to_ace_with_or_without_2s_in_runs():
    full = "3s4c5d6h7s8c9dThJsQcKdAs2s"
    from_four = "4c4d5d6h7s8c9dThJsQcKdAs2s"
    for twos in (True, False):
        assert kind(full, twos_in_runs=twos) == "dragon"
        assert kind(from_four, twos_in_runs=twos) is None


def test_five_pairs_in_sequence_reach_2_where_runs_do():
    hand = "JsJcQsQcKsKcAsAc2s2c 3d5h7d"
    assert kind(hand, twos_in_runs=True) == "five_pairs"
    assert kind(hand, twos_in_runs=False) is None
    assert kind("3s3cAsAc2s2c KsKcQsQc 5h7d9d") is None  # not round the corner


def test_a_rank_of_four_counts_as_two_of_six_pairs():
    assert kind("5s5c5d5h 7s7c9s9cJcJd2s2d Kh") == "six_pairs"
    assert kind("5s5c5d5h 7s7c7d7h 2s2cKsKc Ah") == "six_pairs"
    assert kind("5s5c5d 7s7c7d 9s9c9d JcJdJs Kh") is None  # a triple counts once


@pytest.mark.parametrize(
    ("hand", "first_deal", "best"),
    [
        ("2s2c2d2h 3s3c4s4c5s5c6s6c 7d", False, "four_twos"),  # also six pairs
        ("4s4c5s5c6s6c7s7c8s8c 9s9c Kd", False, "five_pairs"),  # also six pairs
        ("3s3c3d3h 5s5c7s7c9s9cJsJc Ad", True, "six_pairs"),  # also four 3s
        ("3s3c3d3h 2s2c2d2h 5s7s9sJcKc", True, "four_twos"),
    ],
)
def test_a_hand_is_claimed_by_the_best_it_has(hand, first_deal, best):
    assert kind(hand, first_deal) == best


def test_kinds_are_ranked_as_the_rules_list_them():
    hands = [FOUR_TWOS, DRAGON, FIVE_PAIRS, SIX_PAIRS, FOUR_THREES]
    claims = dict(enumerate(claim(hand, first_deal=True) for hand in hands))
    assert [win.kind for win in claims.values()] == list(InstantWinKind)
    for better, worse in combinations(claims, 2):
        two = {seat: claims[seat] for seat in (better, worse)}
        assert winning_claim(two, [worse, better]) == better


def test_equal_claims_go_by_the_best_card_of_the_combination():
    claims = {0: claim(DRAGON), 1: claim(DRAGON_OF_HEARTS)}
    assert winning_claim(claims, [0, 1]) == 1
    low, high = claim(SIX_PAIRS), claim("4s4c6s6d8s8cTsTcQcQd2c2h Kd")
    assert winning_claim({0: low, 1: high}, [0, 1]) == 1
    # The king of hearts beside the six pairs decides nothing.
    assert format_cards([low.top]) == "2d"
    # Of six pairs in sequence the five highest are claimed; of three nines the better two.
    assert claim("4s4c5s5c6s6c7s7c8s8c 9s9c Kd").cards == parse_cards("5s5c6s6c7s7c8s8c9s9c")
    assert format_cards([claim("5s5c6s6c7s7c8s8c9s9c9h JdKh").top]) == "9h"
    assert format_cards([claim("3c3d5s5d7s7c9s9cJcJdKsKcKh").top]) == "Kh"
    assert format_cards([claim("3s4c5d6h7s8c9dThJsQcKdAsAd").top]) == "Ad"


def test_claims_equal_in_everything_go_to_the_first_in_turn_order_from_the_leader():
    same = claim(DRAGON)
    assert winning_claim({0: same, 1: same, 3: same}, [2, 3, 0, 1]) == 3


def test_the_claimant_is_paid_one_stake_by_every_other_seat():
    for scoring in ("stake", "places"):
        options = tienlen(instant_wins=True, stake=5, scoring=scoring, chop_pay=True)
        outcome = claimed_outcome(options, range(4), 2)
        assert payments(options, outcome) == {2: 15, 3: -5, 0: -5, 1: -5}


def test_nobody_loses_the_dealer_deals_again_and_the_claimant_leads():
    options = tienlen(instant_wins=True)
    match = Match.start(options, range(4), dealer=3)
    after = match.after(claimed_outcome(options, range(4), 1))
    assert (after.deal, after.dealer, after.leader) == (2, 3, 1)
    assert after.scores == {0: -1, 1: 3, 2: -1, 3: -1}
    assert not after.is_first_deal
    again = after.after(Outcome((2, 1, 3, 0), (0, 0, 0, 4)))
    assert again.after(claimed_outcome(options, range(4), 3)).dealer == 0


def test_claimant_or_dealer_gone_the_next_in_rotation_takes_the_place():
    options = tienlen(instant_wins=True, direction="anticlockwise")
    match = Match.start(options, range(4), dealer=3).after(claimed_outcome(options, range(4), 1))
    assert match.without(1).leader == 0
    assert match.without(3).dealer == 2
    # The seat that dealt in place of another deals again, should the other come back.
    absent = Match.start(options, range(4), dealer=3).without(3)
    after = absent.after(claimed_outcome(options, (0, 1, 2), 1))
    assert after.rejoined(3).dealer == 2


def test_the_outcome_has_all_seats_in_order_of_turn_from_the_claimant():
    assert claimed_outcome(tienlen(), (0, 2, 5), 2) == ClaimedOutcome((2, 5, 0))
    assert claimed_outcome(tienlen(direction="anticlockwise"), (0, 2, 5), 2).order == (2, 0, 5)


# One pack and 13 cards only.


def test_hands_of_another_size_are_refused():
    with pytest.raises(OptionsError, match="instant_wins needs hands of 13 cards"):
        tienlen(instant_wins=True, deal=17)
    every = tienlen(instant_wins=True, deal="all")
    every.require_seats(4)
    for seats, cards in ((2, 26), (3, 17)):
        with pytest.raises(OptionsError, match=f"deal=all gives {cards} each"):
            every.require_seats(seats)


def test_two_packs_are_refused():
    options = tienlen(instant_wins=True)
    for seats in (2, 3, 4):
        options.require_seats(seats)
    for seats in (5, 8):
        with pytest.raises(OptionsError, match="needs a single pack"):
            options.require_seats(seats)
        assert "single pack" in refusal_at_the_start(options, seats)


def refusal_at_the_start(options, seats):
    try:
        Match.start(options, range(seats), dealer=0)
    except ClimbError as error:
        return error.text
    return ""


def test_a_contradiction_is_refused_from_the_wire_too():
    wire = Options.make("tienlen", {"instant_wins": True}).to_wire()
    for pair in wire[1]:
        if pair[0] == "deal":
            pair[1] = "17"
    with pytest.raises(MalformedError, match="13 cards"):
        Options.from_wire(wire)


def test_a_table_that_no_longer_fits_ends():
    match = Match.start(tienlen(instant_wins=True, deal="all"), range(4), dealer=0)
    assert match.unfit() is None
    assert "13 cards" in match.without(1).unfit()


# Words.


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (FOUR_TWOS, "four twos"),
        (DRAGON, "dragon up to the ace of spades"),
        (FIVE_PAIRS, "five pairs in sequence up to the nine of clubs"),
        (SIX_PAIRS, "six pairs up to the two of diamonds"),
        (FOUR_THREES, "four threes"),
    ],
)
def test_instant_wins_in_words(hand, words):
    assert instant_win_in_words(claim(hand, first_deal=True)) == words


# The same written a second time, from the ranks as text.

RANKS = "3456789TJQKA2"


def plainly(hand, first_deal, twos_in_runs):
    """The best claim and its best card as text, None if there is none."""
    names = [str(card) for card in sorted(hand, key=lambda card: card.index)]
    ranks = [name[0] for name in names]

    def best_of(rank):
        return [name for name in names if name[0] == rank][-1]

    if ranks.count("2") == 4:
        return "four_twos", "2h"
    if set(RANKS[:12]) <= set(ranks):
        return "dragon", best_of("A")
    row = RANKS if twos_in_runs else RANKS[:12]
    windows = [row[start : start + 5] for start in range(len(row) - 4)]
    in_pairs = [window for window in windows if all(ranks.count(rank) >= 2 for rank in window)]
    if in_pairs:
        return "five_pairs", best_of(in_pairs[-1][-1])
    paired = [rank for rank in RANKS if ranks.count(rank) >= 2]
    if sum(ranks.count(rank) // 2 for rank in paired) == 6:
        return "six_pairs", best_of(paired[-1])
    if first_deal and ranks.count("3") == 4:
        return "four_threes", "3h"
    return None


def likely_hand(rng):
    """Thirteen cards that may well win: of few ranks, or of all, or with all of one rank."""
    if rng.random() < 0.2:
        hand = [rng.choice([card for card in FACES if card.rank == rank]) for rank in range(12)]
        return [*hand, rng.choice([card for card in FACES[:52] if card not in hand])]
    ranks = rng.sample(range(13), k=rng.randint(5, 8))
    pool = [card for card in FACES[:52] if card.rank in ranks]
    return rng.sample(pool, k=13)


@pytest.mark.parametrize("twos_in_runs", [True, False])
def test_the_best_claim_agrees_with_a_plain_reading_of_the_rules(twos_in_runs):
    rng = Random(7)
    options = tienlen(instant_wins=True, twos_in_runs=twos_in_runs)
    seen = set()
    for number in range(4_000):
        hand = likely_hand(rng) if number % 4 else rng.sample(FACES[:52], 13)
        first_deal = rng.random() < 0.5
        win = best_instant_win(hand, options, first_deal)
        found = win and (win.kind.value, str(win.top))
        assert found == plainly(hand, first_deal, twos_in_runs), format_cards(hand)
        if win:
            assert set(win.cards) <= set(hand)
            assert len(win.cards) == len(set(win.cards))
            seen.add(win.kind)
    assert seen == set(InstantWinKind)
