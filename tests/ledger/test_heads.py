"""Heads and positions: one history, whatever the order of arrival; leaving fills places."""

import hashlib
import itertools

import msgpack
import pytest
from honest_table import HonestTable, reached

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import (
    DealEnded,
    DealerDrawn,
    DealRestarted,
    Departed,
    PlaceFilled,
    TableEnded,
)
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.position import Present, Unfilled, next_head


def test_a_head_is_the_hash_of_the_one_before_and_of_all_fillings():
    fillings = {2: Unfilled.LEFT, 0: Present(b"\x01" * 32, 7, None)}
    head = next_head(bytes(32), 5, (0, 2), fillings)
    places = [[0, "entry", b"\x01" * 32], [2, "left", b""]]
    assert head == digest(Label.HEAD, [bytes(32), 5, places])
    written = ["p2pclimb/1 head", [bytes(32), 5, places]]
    assert head == hashlib.sha256(msgpack.packb(written)).digest()
    assert head.hex() == "854f6a25e189ef147056af034db37979e777c607dfe52fc51b0aee6f961d1534"


def test_the_first_head_is_the_table_id():
    table = HonestTable.new()
    assert table.position.previous == table.ledger.terms.table_id
    assert (table.position.step, table.position.waiting()) == (0, (0, 1))


def test_entries_of_one_step_may_come_in_any_order():
    table = reached(Kind.COMMIT, 3)
    entries = [table.sign(seat) for seat in range(3)]
    heads = set()
    for order in itertools.permutations(entries):
        again = table.copy()
        again.put(*order)
        heads.add(again.position.previous)
    assert len(heads) == 1


def test_whoever_fills_the_last_place_can_tell_the_head_before():
    table = reached(Kind.SHUFFLE)
    entry = table.sign(0)
    expected = table.position.head_after(entry)
    table.put(entry)
    assert table.position.previous == expected


def test_a_filled_place_is_told_with_those_who_are_waited_for():
    table = reached(Kind.AGREE, 3)
    table.put(table.sign(1))
    assert table.events[-1] == PlaceFilled(
        table.position.step, Kind.AGREE, 1, 1, present=True, waiting=(0, 2)
    )


@pytest.mark.parametrize("kind", list(Kind))
def test_a_seat_that_left_is_not_waited_for_in_any_kind_of_step(kind):
    table = reached(kind, 3, deals=2)
    seat = table.position.waiting()[-1]
    step = table.position.step
    table.put(table.leave(seat))
    filled = [e for e in table.events if isinstance(e, PlaceFilled) and not e.present]
    assert [(e.step, e.seat) for e in filled] == [(step, seat)]
    table.go()
    assert table.kind is None
    assert table.ledger.last.get(seat) is None or table.ledger.last[seat].step < step


@pytest.mark.parametrize("kind", list(Kind))
def test_all_may_leave_at_once_in_any_kind_of_step(kind):
    for order in ((0, 1, 2), (2, 0, 1)):
        table = reached(kind, 3, deals=2)
        for seat in order:
            table.put(table.leave(seat))
        assert table.kind is None
        assert isinstance(table.events[-1], TableEnded)


@pytest.mark.parametrize("kind", [Kind.REVEAL, Kind.SHUFFLE, Kind.AGREE, Kind.SHARES])
def test_before_the_shares_are_complete_the_deal_begins_anew_without_them(kind):
    table = reached(kind, 4)
    gone = table.position.waiting()[0]
    others = tuple(seat for seat in range(4) if seat != gone)
    table.put(table.leave(gone))
    table.go(lambda t: t.kind is Kind.COMMIT)
    (told,) = [e for e in table.events if isinstance(e, DealRestarted)]
    assert (told.deal, told.attempt, told.missing) == (1, 1, (gone,))
    assert bool(told.payments) is (kind is Kind.SHARES)
    assert (table.stage.deal, table.stage.attempt) == (1, 1)
    assert table.position.waiting() == others
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert sorted(ended.order) == list(others)


def test_whoever_leaves_at_the_commitments_sits_out_and_the_others_play():
    """The honest openings must not be judged by seats that are no longer there."""
    table = reached(Kind.COMMIT, 3)
    table.put(table.sign(0), table.leave(1), table.sign(2))
    assert (table.kind, table.stage.attempt) == (Kind.REVEAL, 0)
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert sorted(ended.order) == [0, 2]


def test_a_first_deal_that_begins_anew_draws_its_dealer_from_the_new_coins():
    table = reached(Kind.AGREE, 4)
    table.put(table.leave(3))
    table.go(Kind.REVEAL)
    coins = digest(Label.COIN, [table.secrets[seat].coin for seat in range(3)])
    table.go(Kind.SHUFFLE)
    assert table.events[-1] == DealerDrawn(1, int.from_bytes(coins, "big") % 3, by_coin=True)


def test_a_later_deal_that_begins_anew_keeps_its_dealer():
    table = reached(Kind.CLOSE, 4, deals=2)
    table.go(lambda t: t.kind is Kind.AGREE and t.stage.deal == 2)
    dealer = table.stage.cast.match.dealer
    leader = table.stage.cast.match.leader
    gone = next(seat for seat in range(4) if seat not in (dealer, leader))
    table.put(table.leave(gone))
    table.go(lambda t: t.kind is Kind.TURN)
    assert (table.stage.deal, table.stage.attempt) == (2, 1)
    assert (table.stage.cast.match.dealer, table.turn) == (dealer, leader)


def test_a_leaver_ranks_below_all_who_stay_and_pays():
    table = reached(Kind.TURN, 3)
    seat = table.turn
    table.put(table.leave(seat))
    assert Departed(seat) in table.events
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert (ended.order[-1], ended.payments[seat]) == (seat, -2)


def test_the_first_to_leave_is_the_lowest():
    table = reached(Kind.TURN, 4)
    first, second = table.turn, None
    table.put(table.leave(first))
    second = table.turn
    table.put(table.leave(second))
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert ended.order[-2:] == (second, first)


def test_a_notice_counts_when_its_author_is_next_expected():
    table = reached(Kind.TURN, 3)
    turn = table.turn
    waiting = next(seat for seat in range(3) if seat != turn)
    table.put(table.leave(waiting))
    assert Departed(waiting) not in table.events
    table.go(lambda t: Departed(waiting) in t.events)
    assert Departed(waiting) in table.events


def test_a_notice_from_a_later_step_leaves_the_present_one_open():
    table = reached(Kind.COMMIT, 3)
    step = table.position.step
    table.put(table.leave(1, step + 1))
    assert table.position.waiting() == (0, 1, 2)
    table.go(lambda t: t.position.step > step)
    assert table.position.waiting() == (0, 2)
    assert table.position.fillings == {1: Unfilled.LEFT}


@pytest.mark.parametrize("kind", list(Kind))
def test_the_order_of_notices_and_entries_makes_no_difference(kind):
    base = reached(kind, 3, deals=2)
    seats = base.position.waiting()
    gone = seats[0]
    records = [base.leave(gone), *(base.sign(seat) for seat in seats[1:])]
    ends = set()
    for order in itertools.permutations(records):
        table = base.copy()
        table.put(*order)
        ends.add((table.position.previous, repr(table.stage)))
    assert len(ends) == 1


def test_a_ledger_replayed_from_records_stands_where_the_first_one_does():
    table = reached(Kind.TURN, 3, deals=2)
    table.put(table.leave(table.turn))
    table.go()
    ledger = Ledger(table.ledger.terms)
    for record in table.records:
        if hasattr(record, "body"):
            ledger.accept(record)
        else:
            ledger.notice(record)
    assert ledger.position.heads == table.position.heads
    assert ledger.tally == table.ledger.tally
    assert ledger.ended
