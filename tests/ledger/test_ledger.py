"""The ledger: where an entry stands, who signed twice, who left too late, what is final."""

import dataclasses

import pytest
from honest_table import HonestTable, identity, reached

from p2pclimb.errors import MalformedError, SignatureError, ViolationError
from p2pclimb.ledger.entry import Kind, sign_entry
from p2pclimb.ledger.ledger import Standing
from p2pclimb.ledger.place import Place


def violation(table: HonestTable, record) -> ViolationError:
    take = table.ledger.standing if hasattr(record, "body") else table.ledger.notice
    before = table.position
    with pytest.raises(ViolationError) as caught:
        take(record)
    assert table.position is before
    assert caught.value.seat == record.author
    return caught.value


def test_accept_takes_only_what_is_due_signed_and_right():
    table = reached(Kind.TURN)
    seat = table.turn
    good = table.sign(seat)
    with pytest.raises(SignatureError):
        table.ledger.accept(dataclasses.replace(good, signature=bytes(64)))
    with pytest.raises(MalformedError, match="no place"):
        table.ledger.accept(table.sign(1 - seat, [0]))
    early = table.sign(seat, step=table.position.step + 1, previous=bytes(32))
    with pytest.raises(MalformedError, match="not known"):
        table.ledger.accept(early)
    with pytest.raises(ViolationError):
        table.ledger.accept(table.sign(seat, [0]))
    table.ledger.accept(good)
    with pytest.raises(MalformedError, match="already"):
        table.ledger.accept(good)


@pytest.mark.parametrize("kind", list(Kind))
def test_two_bodies_for_one_place_convict_while_the_step_is_open(kind):
    table = reached(kind, 3, deals=2)
    seat = table.position.waiting()[0]
    first, second = table.sign(seat), table.sign(seat, counter=1000)
    table.put(first)
    found = violation(table, second)
    assert (found.rule, found.step) == ("equivocation", first.step)
    assert table.ledger.conflicting(second) == [first]


def unsettled(table: HonestTable) -> list:
    return [record for record in table.records if record.step >= table.ledger.first_step]


def test_two_bodies_for_one_place_convict_until_the_deal_is_settled():
    table = reached(Kind.CLOSE, 2)
    assert len(unsettled(table)) > 30
    for known in unsettled(table):
        forged = sign_entry(
            identity(known.author),
            table=known.table,
            deal=known.deal,
            attempt=known.attempt,
            place=known.place,
            counter=known.counter,
            kind=known.kind,
            body=["another"],
        )
        assert violation(table, forged).rule == "equivocation"
        assert table.ledger.conflicting(forged) == [known]


def test_the_same_entry_again_is_no_offence():
    table = reached(None, 2)
    for known in table.records:
        is_kept = known.step >= table.ledger.first_step
        assert table.ledger.standing(known) is (Standing.KNOWN if is_kept else Standing.SETTLED)


def test_a_notice_below_a_signed_step_convicts():
    table = reached(Kind.TURN, 3)
    last = table.ledger.last[1]
    notice = table.leave(1, last.step)
    assert violation(table, notice).rule == "leave"
    assert table.ledger.conflicting(notice) == [last]
    table.put(table.leave(1, last.step + 1))


def test_an_entry_after_leaving_convicts_on_any_branch():
    table = reached(Kind.AGREE, 3)
    step = table.position.step
    notice = table.leave(1)
    table.put(notice)
    body = table.copy().sign(0).body
    for entry in (
        table.sign(1, body, step=step, previous=table.position.heads[step]),
        table.sign(1, body, step=step + 5, previous=bytes(32)),
        table.sign(1, body, step=step, previous=bytes(32)),
    ):
        assert violation(table, entry).rule == "leave"
        assert table.ledger.conflicting(entry) == [notice]


def test_two_different_notices_convict_and_the_same_one_again_does_not():
    table = reached(Kind.TURN, 3)
    seat = next(s for s in range(3) if s != table.turn)
    notice = table.leave(seat, table.position.step + 4)
    table.put(notice, notice)
    for step in (table.position.step + 3, table.position.step + 5):
        other = table.leave(seat, step)
        assert violation(table, other).rule == "leave"
        assert notice in table.ledger.conflicting(other)


def test_a_notice_for_another_table_is_nobodys_offence():
    table = reached(Kind.TURN, 3)
    other = HonestTable.new(3, "table", stake=2)
    with pytest.raises(MalformedError, match="another table"):
        table.ledger.notice(other.leave(1))


def test_entries_that_build_on_an_unknown_head_wait_until_it_is_known_or_settled():
    table = reached(Kind.TURN, 2)
    for known in table.records:
        place = Place(known.step, bytes(32), known.author)
        entry = sign_entry(
            identity(known.author),
            table=known.table,
            deal=known.deal,
            attempt=known.attempt,
            place=place,
            counter=known.counter,
            kind=known.kind,
            body=known.body,
        )
        is_later = known.step > table.ledger.first_step
        assert table.ledger.standing(entry) is (Standing.EARLY if is_later else Standing.STRAY)


def test_since_gives_the_entries_of_a_step_and_after_oldest_first():
    table = reached(Kind.CLOSE, 3)
    for step in range(table.position.step + 2):
        expected = [record for record in unsettled(table) if record.step >= step]
        assert list(table.ledger.since(step)) == expected


def test_an_entry_is_final_when_half_of_the_seats_but_its_author_built_on_it():
    for seats, needed in ((2, 1), (3, 2), (4, 2), (5, 3)):
        table = reached(Kind.COMMIT, seats)
        step = table.position.step
        table.go(Kind.REVEAL)
        ledger = table.ledger
        assert not ledger.is_final(step, 0)
        for count, seat in enumerate(range(1, seats), 1):
            table.put(table.sign(seat))
            assert ledger.is_final(step, 0) == (count >= needed)


def test_ones_own_signature_makes_nothing_final():
    table = reached(Kind.REVEAL, 3)
    step = table.position.step - 1
    table.put(table.sign(0), table.sign(1))
    assert table.ledger.seen_by(step) == {0, 1}
    assert not table.ledger.is_final(step, 0)
    assert table.ledger.is_final(step, 2)


def test_those_who_left_are_not_waited_for_to_make_an_entry_final():
    table = reached(Kind.TURN, 4)
    for _ in range(2):
        table.put(table.leave(table.turn))
    seat, step = table.turn, table.position.step
    table.go(lambda t: t.turn != seat)
    assert not table.ledger.is_final(step, seat)
    other = table.turn
    table.go(lambda t: t.kind is not Kind.TURN or t.turn != other)
    assert table.ledger.seen_by(step) == {other}
    assert table.ledger.is_final(step, seat)


def test_what_was_verified_is_counted():
    table = reached(Kind.CLOSE, 3)
    tally = table.ledger.tally
    assert (tally.signatures, tally.possessions, tally.shuffles) == (len(table.records), 3, 3)
    assert tally.shares == 3 * 26
    assert tally.plays == sum(record.kind is Kind.TURN for record in table.records)
    assert tally.openings == len(table.position.hands.known)
    denials = [r for r in table.records if r.kind is Kind.LOWEST and r.body[0] is False]
    assert tally.absences == 13 * len(denials) > 0
