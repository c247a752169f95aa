"""Around a deal of Winner: dealing, leading, exchange, score; by clause of rules.md section 2."""

from collections import Counter

import pytest
from table_talk import after, deal, tienlen, winner

from p2pclimb.cards import format_cards, parse_card, parse_cards
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.dealing import Opening, hand_sizes, opening_rule, owners
from p2pclimb.games.exchange import Exchange, check_offer, exchange_of, higher_faces, tribute
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Holding, Outcome
from p2pclimb.games.scoring import forfeits, payments


def outcome(*order):
    counted = tuple(Holding(place, 13, True) for place in range(len(order)))
    return Outcome(order, (*[0] * (len(order) - 1), 4), counted=counted)


def later(*order, seats=range(4), **settings):
    """A match after its first deal, which came out in this order."""
    return Match.start(winner(**settings), seats, dealer=0).after(outcome(*order))


# Clause 7: the deal.


def test_clause_07_cards_are_dealt_singly_starting_with_the_dealer():
    assert owners(winner(), range(4), dealer=1)[:6] == (1, 2, 3, 0, 1, 2)
    backwards = winner(direction="anticlockwise")
    assert owners(backwards, range(4), dealer=1)[:6] == (1, 0, 3, 2, 1, 0)


@pytest.mark.parametrize(
    ("seats", "packs", "sizes"),
    [
        (2, 1, [27, 27]),
        (3, 1, [18, 18, 18]),
        (4, 1, [14, 14, 13, 13]),
        (5, 1, [11, 11, 11, 11, 10]),
        (8, 1, [7, 7, 7, 7, 7, 7, 6, 6]),
        (4, 2, [27, 27, 27, 27]),
        (8, 2, [14, 14, 14, 14, 13, 13, 13, 13]),
    ],
)
def test_clause_07_all_cards_are_dealt(seats, packs, sizes):
    dealt = hand_sizes(winner(packs=packs), range(seats), dealer=0)
    assert [dealt[seat] for seat in range(seats)] == sizes
    assert None not in owners(winner(packs=packs), range(seats), dealer=0)


def test_clause_07_a_dealer_who_has_gone_is_replaced_by_the_next_seat():
    assert owners(winner(), (0, 2, 3), dealer=1)[:4] == (2, 3, 0, 2)


def test_clause_07_the_loser_deals_next():
    assert later(3, 0, 2, 1).dealer == 1


# Clause 8: who leads.


def test_clause_08_the_trick_card_decides_in_the_first_deal_alone():
    assert opening_rule(winner(), first_deal=True) is Opening.TRICK_CARD
    assert opening_rule(winner(), first_deal=False) is Opening.LEADER
    assert opening_rule(tienlen(), first_deal=True) is Opening.LOWEST
    assert opening_rule(tienlen(), first_deal=False) is Opening.LEADER
    assert Match.start(winner(), range(4), dealer=0).leader is None


@pytest.mark.parametrize(
    ("settings", "leader"),
    [
        ({}, 1),
        ({"next_lead": "loser"}, 1),
        ({"next_lead": "winner"}, 3),
        ({"next_lead": "left_of_dealer"}, 2),
        ({"next_lead": "left_of_dealer", "direction": "anticlockwise"}, 0),
    ],
)
def test_clause_08_next_lead(settings, leader):
    assert later(3, 0, 2, 1, **settings).leader == leader


def test_section_3_a_leader_who_has_gone():
    assert later(3, 0, 2, 1).without(1).leader == 2
    assert later(3, 0, 2, 1, next_lead="winner").without(3).leader == 0
    assert later(3, 0, 2, 1, next_lead="left_of_dealer").without(2).leader == 3
    # Seat 2 deals for seat 1, so the one after it leads.
    assert later(3, 0, 2, 1, next_lead="left_of_dealer").without(1).leader == 3


# Clause 12: the exchange.


def test_clause_12_the_loser_gives_to_the_winner_before_later_deals():
    assert exchange_of(later(3, 0, 2, 1, exchange=True)) == Exchange(giver=1, receiver=3)
    assert exchange_of(later(3, 0, 2, 1)) is None
    assert exchange_of(Match.start(winner(exchange=True), range(4), dealer=0)) is None
    assert (
        exchange_of(Match.start(tienlen(), range(4), dealer=0).after(outcome(0, 1, 2, 3))) is None
    )


def test_section_3_with_a_partner_gone_nothing_is_exchanged():
    match = later(3, 0, 2, 1, exchange=True)
    assert exchange_of(match.without(1)) is None
    assert exchange_of(match.without(3)) is None
    assert exchange_of(match.without(0)) == Exchange(giver=1, receiver=3)


@pytest.mark.parametrize(
    ("hand", "highest"),
    [("3d RJ BJ 2s", "RJ"), ("3d BJ 2s", "BJ"), ("2s 2h As", "2s"), ("Ad Kh 3s", "Ad")],
)
def test_clause_12_the_highest_card_is_given(hand, highest):
    cards = parse_cards(hand)
    assert tribute(winner(), cards) is parse_card(highest)
    above = higher_faces(winner(), parse_card(highest))
    assert not set(above) & set(cards)
    for card in cards:
        if card is not parse_card(highest):
            assert set(higher_faces(winner(), card)) & set(cards)


def test_clause_12_the_faces_above_a_card():
    assert format_cards(higher_faces(winner(), parse_card("2h"))) == "2s BJ RJ"
    assert format_cards(higher_faces(winner(packs=2), parse_card("2h"))) == "2s BJ RJ"
    assert format_cards(higher_faces(winner(jokers=False), parse_card("Ah"))) == "As 2d 2c 2h 2s"
    assert higher_faces(winner(), parse_card("RJ")) == ()
    assert len(higher_faces(winner(), parse_card("3d"))) == 53


@pytest.mark.parametrize(
    ("offered", "reason"),
    [
        ((4, 4), "two different"),
        ((4,), "two different"),
        ((4, 5, 6), "two different"),
        ((4, 9), "cannot be offered back"),
        ((4, 7), "its own hand"),
    ],
)
def test_clause_12_what_may_be_offered(offered, reason):
    check_offer((4, 5), held=(4, 5, 6, 9), received=9)
    with pytest.raises(IllegalPlayError, match=reason):
        check_offer(offered, held=(4, 5, 6, 9), received=9)


# Clause 13: the score.


def paid(*holdings, packs=1, **settings):
    """Payments by seat, when seat 0 has won and the others have (cards, dealt[, unused])."""
    counted = [Holding(0, 13, True)]
    counted += [Holding(cards, dealt, not unused) for cards, dealt, *unused in holdings]
    order = tuple(range(len(counted)))
    result = Outcome(order, (0,) * len(order), counted=tuple(counted))
    by_seat = payments(winner(packs=packs, **settings), result)
    assert sum(by_seat.values()) == 0
    return [by_seat[seat] for seat in order]


def test_clause_13_the_worked_example():
    assert paid((3, 13), (11, 14), (8, 14)) == [33, -3, -22, -8]
    assert paid((13, 13, True), (1, 13), (1, 13)) == [41, -39, -1, -1]


@pytest.mark.parametrize(("cards", "points"), [(9, -9), (10, -20), (13, -26)])
def test_clause_13_four_players_one_pack(cards, points):
    assert paid((cards, 14), (1, 14), (1, 14))[1] == points
    assert paid((cards, 14, True), (1, 14), (1, 14))[1] == -3 * cards


@pytest.mark.parametrize(("cards", "points"), [(11, -11), (12, -24), (16, -32), (17, -51)])
def test_clause_13_three_players_one_pack(cards, points):
    assert paid((cards, 18), (1, 18))[1] == points
    assert paid((5, 18, True), (1, 18))[1] == -15


@pytest.mark.parametrize(
    ("seats", "packs", "dealt", "cards", "points"),
    [
        (2, 1, 27, 20, -20),
        (2, 1, 27, 21, -42),
        (7, 1, 8, 5, -5),
        (7, 1, 8, 6, -12),
        (5, 1, 11, 8, -8),
        (5, 1, 11, 9, -18),
        (4, 2, 27, 20, -20),
        (4, 2, 27, 21, -42),
        (6, 2, 18, 13, -13),
        (6, 2, 18, 14, -28),
    ],
)
def test_clause_13_other_tables_pay_double_from_three_quarters(seats, packs, dealt, cards, points):
    others = [(cards, dealt)] + [(1, dealt)] * (seats - 2)
    assert paid(*others, packs=packs)[1] == points
    others[0] = (cards, dealt, True)
    assert paid(*others, packs=packs)[1] == -3 * cards


def test_clause_13_cards_are_counted_when_the_winner_goes_out():
    turns = ("0: 3d", "1: 5s", "2: -", "1: 6s")
    end = after(deal([1, 2, 3], game=winner), *turns)
    assert end.outcome().counted == (
        Holding(0, 1, True),
        Holding(2, 2, False),
        Holding(3, 3, False),
    )
    assert payments(end.options, end.outcome()) == {0: 15, 1: -6, 2: -9}
    at_end = after(deal([1, 2, 3], game=winner, score_at="end"), *turns)
    assert payments(at_end.options, at_end.outcome()) == {0: 9, 1: 0, 2: -9}


def test_clause_13_picked_up_cards_count_and_the_fours_as_played():
    state = after(deal([4, 5, 5], game=winner), "0: 7s7c7d", "1: 4s4c", "1: 3s", "2: -", "0: 9s")
    state = after(state, "1: -", "2: -", "1: 3c")
    assert state.at_winner_out[state.seats.index(1)] == Holding(5, 5, True)


def test_clause_13_scoring_none():
    assert paid((3, 13), (11, 13), (8, 14), scoring="none") == [0, 0, 0, 0]


def test_section_3_departed_seats_rank_below_and_score_by_count():
    state = after(deal([1, 5, 4, 3], game=winner), "0: 3d").depart(3).depart(1)
    result = state.outcome()
    assert result.order == (0, 2, 1, 3)
    assert result.hand_sizes == {0: 0, 2: 4, 1: 5, 3: 3}
    assert payments(winner(), result) == {0: 36, 1: -15, 2: -12, 3: -9}


def test_section_3_when_all_others_go_the_last_wins_and_is_paid():
    result = deal([5, 4, 3], game=winner).depart(1).depart(0).outcome()
    assert result.order == (2, 0, 1)
    assert payments(winner(), result) == {0: -15, 1: -12, 2: 27}


def test_points_of_a_match_add_up():
    match = later(3, 0, 2, 1).after(outcome(0, 1, 2, 3))
    assert sum(Counter(match.scores).values()) == 0
    assert match.scores == {0: 6 - 1, 1: -3 - 1, 2: -2 - 2, 3: 6 - 3}


@pytest.mark.parametrize(
    ("options", "dealt", "quitters", "points"),
    [
        (winner(), {0: 14, 1: 14, 2: 13, 3: 13}, {2}, {0: 13, 1: 13, 2: -39, 3: 13}),
        (winner(), {0: 14, 1: 14, 2: 13, 3: 13}, {0, 3}, {0: -42, 1: 40, 2: 40, 3: -38}),
        (winner(scoring="none"), {0: 27, 1: 27}, {0}, {0: 0, 1: 0}),
        (winner(), {0: 27, 1: 27}, {0, 1}, {0: 0, 1: 0}),
        (tienlen(stake=5), {0: 13, 1: 13, 2: 13}, {1}, {0: 5, 1: -10, 2: 5}),
    ],
)
def test_quitting_with_the_hand_seen_costs_as_much_as_playing_none_of_it(
    options, dealt, quitters, points
):
    assert forfeits(options, dealt, quitters) == points
    assert sum(points.values()) == 0
