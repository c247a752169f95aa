"""What absence does in every kind of step, and a third one in a deal (protocol.md, Outcomes)."""

import pytest
from honest_table import HonestTable, reached
from passed_over import left, passed_over, the_rest_sign
from test_step_claim import DRAGON, TWOS, bombed, dealt, fours, holders
from test_step_lowest import at_the_card

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import (
    BombTaken,
    CardTaken,
    Claimed,
    DealBegan,
    DealEnded,
    DealRestarted,
    Departed,
    InstantWon,
    TableEnded,
    TributeGiven,
    TributeReturned,
)

WINNER, THIRD, LOSER = 0, 1, 2
BOMBER, NEXT, LAST = 2, 0, 1


def exchanging(kind: Kind, seed: str = "table", **settings: object) -> HonestTable:
    """A later deal of Winner, at a step of its exchange."""
    rules = {"game": "winner/1", "exchange": True, **settings}
    return HonestTable.of_a_later_deal((WINNER, THIRD, LOSER), seed, **rules).go(kind)


def ended(table: HonestTable) -> DealEnded:
    return [event for event in table.events if isinstance(event, DealEnded)][-1]


def restarts(table: HonestTable) -> list[DealRestarted]:
    return [event for event in table.events if isinstance(event, DealRestarted)]


# -- before the cards are known ------------------------------------------------------------


def test_who_is_absent_at_the_commitments_sits_out_this_deal():
    table = reached(Kind.COMMIT, 3)
    the_rest_sign(passed_over(table, 1))
    assert (table.kind, table.stage.attempt) == (Kind.REVEAL, 0)
    assert DealBegan(1, 0, (0, 2)) in table.events
    table.go()
    assert sorted(ended(table).order) == [0, 2]
    assert ended(table).scores[1] == 0


@pytest.mark.parametrize("kind", [Kind.REVEAL, Kind.SHUFFLE, Kind.AGREE])
def test_before_the_shares_the_next_attempt_goes_without_the_absent_ones(kind):
    table = reached(kind, 4)
    late = table.position.waiting()[0]
    passed_over(table, late)
    # The step is completed first, so that all who are late are out together.
    assert table.kind is (Kind.COMMIT if kind is Kind.SHUFFLE else kind)
    table.go(Kind.COMMIT)
    (told,) = restarts(table)
    assert (told.attempt, told.missing, dict(told.payments)) == (1, (late,), {})
    assert table.position.waiting() == tuple(seat for seat in range(4) if seat != late)


def test_absent_and_gone_seats_are_out_of_the_next_attempt_together():
    table = reached(Kind.AGREE, 4)
    left(passed_over(table, 3), 0)
    the_rest_sign(table)
    assert restarts(table)[0].missing == (0, 3)
    assert table.position.waiting() == (1, 2)


@pytest.mark.parametrize("game", ["tienlen/1", "winner/1"])
def test_who_is_absent_at_the_shares_pays_for_the_hand_it_may_have_seen(game):
    table = reached(Kind.SHARES, 3, game=game)
    the_rest_sign(passed_over(table, 1))
    (told,) = restarts(table)
    price = 1 if game == "tienlen/1" else 3 * (54 // 3 // 2)
    assert told.payments == {0: price, 1: -2 * price, 2: price}
    assert table.position.waiting() == (0, 2)
    assert table.stage.match.scores == told.payments


# -- what is owed about the cards ----------------------------------------------------------


def test_silence_about_an_instant_win_is_a_decline(monkeypatch):
    table = dealt(monkeypatch, TWOS, DRAGON, "")
    twos, dragon, _ = holders(table)
    the_rest_sign(passed_over(table, twos))
    (won,) = [event for event in table.events if isinstance(event, InstantWon)]
    assert won.seat == dragon
    # It is still there, and signs the result.
    assert table.position.waiting() == (0, 1, 2)


def test_who_is_silent_about_an_instant_win_plays_on():
    table = reached(Kind.CLAIM, 3)
    the_rest_sign(passed_over(table, 1))
    assert (table.kind, table.position.waiting()) == (Kind.LOWEST, (0, 1, 2))


def test_who_is_silent_about_the_lowest_card_is_out_and_last_with_its_cards_closed():
    table, holder, _ = at_the_card(3)
    the_rest_sign(passed_over(table, holder))
    table.go(Kind.TURN)
    assert Departed(holder) in table.events
    hands = table.position.hands
    assert len(hands.closed(hands.in_hand(holder))) == 13
    assert table.turn != holder
    table.go()
    assert (ended(table).order[-1], ended(table).payments[holder]) == (holder, -2)


def test_a_loser_that_gives_no_tribute_is_out_and_last():
    table = exchanging(Kind.TRIBUTE)
    passed_over(table, LOSER)
    assert (table.kind, table.events[-1]) == (Kind.TURN, Departed(LOSER))
    assert table.position.hands.known == {}
    table.go()
    assert ended(table).order[-1] == LOSER


def test_without_an_offer_the_tribute_returns_and_both_play_on():
    table = exchanging(Kind.OFFER)
    (given,) = [event.card for event in table.events if isinstance(event, TributeGiven)]
    place = table.stage.received
    passed_over(table, WINNER)
    assert table.events[-1] == TributeReturned(LOSER, given)
    hands = table.position.hands
    assert place in hands.in_hand(LOSER)
    assert hands.faces_at([place]) == (given,)
    assert table.stage.state.active == (LOSER, WINNER, THIRD)
    table.go()
    assert not [event for event in table.events if isinstance(event, Departed)]


def test_without_a_choice_the_first_offered_card_goes_over_closed_and_the_loser_plays_on():
    table = exchanging(Kind.CHOOSE)
    first, second = table.stage.offered
    card = table.hand(WINNER)[first]
    passed_over(table, LOSER)
    assert table.events[-1] == CardTaken(LOSER, WINNER, None)
    hands = table.position.hands
    assert (hands.owners[first], hands.owners[second]) == (LOSER, WINNER)
    assert hands.closed([first]) == (first,)
    # The loser alone reads it with its key, and plays it like its other cards.
    assert table.hand(LOSER)[first] == card
    assert table.stage.state.active == (LOSER, WINNER, THIRD)
    table.go()
    assert not [event for event in table.events if isinstance(event, Departed)]


# -- play ----------------------------------------------------------------------------------


def test_a_missed_turn_is_a_pass():
    table = reached(Kind.TURN, 3, pass_rule="locked")
    table.put(table.sign(table.turn))
    late = table.turn
    passed_over(table, late)
    state = table.stage.state
    assert (state.passed, state.departed) == ({late}, ())
    assert state.table is not None
    assert table.turn != late


def test_who_misses_the_lead_loses_it_to_the_next_seat():
    table = reached(Kind.TURN, 3)
    leader = table.turn
    passed_over(table, leader)
    state = table.stage.state
    assert (state.turn, state.table, state.must_include) == ((leader + 1) % 3, None, None)
    assert leader in state.active


def test_the_third_miss_of_a_deal_puts_a_seat_out_of_it():
    table = reached(Kind.TURN, 3)
    late = table.turn
    for miss in range(1, 4):
        assert Departed(late) not in table.events
        table.go(lambda now: now.position.waiting() == (late,))
        passed_over(table, late)
        assert table.position.misses[late] == miss
    assert Departed(late) in table.events
    assert table.stage.state.departed == (late,)
    table.go()
    assert ended(table).order[-1] == late


def test_silence_about_fours_is_a_decline(monkeypatch):
    table = bombed(monkeypatch)
    passed_over(table, NEXT)
    table.put(table.sign(LAST, fours(table, LAST)))
    assert [event.seat for event in table.events if isinstance(event, BombTaken)] == [LAST]
    assert table.stage.state.departed == ()
    silent = bombed(monkeypatch)
    passed_over(silent, NEXT, LAST)
    assert (silent.kind, silent.turn) == (Kind.TURN, NEXT)
    assert not [event for event in silent.events if isinstance(event, Claimed)]


# -- who is in the next deal ---------------------------------------------------------------


def closed(table: HonestTable, late: int, reachable: dict[int, list[int]]) -> HonestTable:
    """All but one seat sign the result; each lists the seats that it reaches."""
    paid = [[seat, points] for seat, points in table.stage.payments.items()]
    passed_over(table, late)
    for seat in table.position.waiting():
        table.put(table.sign(seat, [paid, reachable[seat], [], b"", b""]))
    return table


def test_who_is_absent_at_the_close_is_in_the_next_deal_if_most_reach_it():
    base = reached(Kind.CLOSE, 4, deals=3)
    reach_it = closed(base.copy(), 3, {0: [3], 1: [2, 3], 2: []})
    assert (reach_it.kind, reach_it.position.waiting()) == (Kind.COMMIT, (0, 1, 2, 3))
    do_not = closed(base.copy(), 3, {0: [3], 1: [0, 2], 2: []})
    assert (do_not.kind, do_not.position.waiting()) == (Kind.COMMIT, (0, 1, 2))


def test_half_of_those_who_sign_the_result_are_no_majority():
    table = closed(reached(Kind.CLOSE, 3, deals=3), 1, {0: [1], 2: []})
    assert table.position.waiting() == (0, 2)


def test_who_sat_out_is_expected_again_and_keeps_its_points():
    table = reached(Kind.SHARES, 3, deals=2)
    the_rest_sign(passed_over(table, 1))
    table.go(lambda now: now.kind is Kind.COMMIT and now.stage.deal == 2)
    assert sorted(ended(table).order) == [0, 2]
    assert table.position.waiting() == (0, 1, 2)
    assert table.stage.match.scores[1] == -2
    assert table.position.misses == {}
    table.go()
    assert sorted(ended(table).order) == [0, 1, 2]
    assert sum(ended(table).scores.values()) == 0


def test_who_was_out_with_a_third_miss_is_expected_again():
    table = reached(Kind.TURN, 3, deals=2)
    late = table.turn
    for _ in range(3):
        passed_over(table.go(lambda now: now.position.waiting() == (late,)), late)
    table.go(Kind.CLOSE)
    assert late not in table.stage.authors()
    table.go(Kind.COMMIT)
    assert table.position.waiting() == (0, 1, 2)


@pytest.mark.parametrize("kind", [Kind.COMMIT, Kind.TURN, Kind.CLOSE])
def test_who_has_left_is_never_expected_again(kind):
    table = reached(kind, 4, deals=3)
    gone = table.position.waiting()[0]
    left(table, gone)
    table.go(lambda now: now.kind is Kind.COMMIT and now.stage.deal == 2)
    assert gone not in table.stage.authors()
    table.go(lambda now: now.kind is Kind.COMMIT and now.stage.deal == 3)
    assert gone not in table.stage.authors()


def test_the_next_seat_deals_and_the_next_finisher_leads_when_those_sit_out():
    table = reached(Kind.CLOSE, 4, deals=2)
    winner, second, *_, loser = table.stage.outcome.order
    table.go(Kind.COMMIT)
    the_rest_sign(passed_over(table, winner, loser))
    table.go(Kind.TURN)
    there = [seat for seat in range(4) if seat not in (winner, loser)]
    dealer = next(seat % 4 for seat in range(loser, loser + 4) if seat % 4 in there)
    assert (table.stage.cast.match.dealer, table.turn) == (dealer, second)


def test_an_exchange_whose_partner_sits_out_is_skipped():
    for late in (WINNER, LOSER):
        table = exchanging(Kind.COMMIT)
        the_rest_sign(passed_over(table, late))
        table.go(lambda now: now.kind in (Kind.TURN, Kind.TRIBUTE))
        assert table.kind is Kind.TURN


def test_the_table_ends_when_too_few_seats_commit():
    table = reached(Kind.COMMIT, 3, deal="17")
    the_rest_sign(passed_over(table, 2))
    assert table.kind is None
    assert isinstance(table.events[-1], TableEnded)


def test_twos_in_a_hand_that_silence_keeps_closed_count_at_worst():
    """Who stays away from the close shows nothing, and pays as if it had held every hidden 2."""
    table = reached(Kind.CLOSE, 3, rotten_twos=True)
    loser, before = table.stage.outcome.loser, table.stage.outcome.order[-2]
    signed, silent = table.stage.payments, table.copy()
    table.go()
    the_rest_sign(passed_over(silent, loser))
    shown, worst = ended(table).payments, ended(silent).payments
    assert worst[loser] < signed[loser]
    assert worst[loser] <= shown[loser]
    assert worst[before] - signed[before] == signed[loser] - worst[loser]
