"""Logs in which seats are passed over, dropped back and convicted: the audit checks each record.

Forged decisions are found by the check that each of them breaks.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from cast_votes import (
    accept,
    certificate,
    decide,
    late_place,
    pause,
    promise,
    proposal,
    put,
    whole_vote,
)
from honest_table import HonestTable, reached

from p2pclimb.audit.audit import Report, audit
from p2pclimb.audit.findings import Finding, Verdict
from p2pclimb.audit.report import report_json, report_text
from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.events import Convicted, Event, HistoryDropped, Missed, PlaceFilled
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import Record, encode_record
from p2pclimb.ledger.votes import ABSENT, Certificate, Promise

pytestmark = pytest.mark.usefixtures("quick_checks")


def log_of(table: HonestTable, *more: Record) -> list[bytes]:
    return [encode_record(each) for each in (table.ledger.terms, *table.records, *more)]


def in_play(seats: int = 4, seed: str = "votes") -> HonestTable:
    """A table in the middle of its first deal."""
    return reached(Kind.TURN, seats, seed).go(lambda now: now.position.step % 4 == 3)


def played_on(table: HonestTable) -> HonestTable:
    return table.go(lambda now: now.kind is None)


def audited(table: HonestTable, *more: Record) -> Report:
    return audit(log_of(table, *more))


def only(report: Report) -> Finding:
    (finding,) = report.findings
    return finding


def convicts(report: Report, rule: str, seat: int, step: int) -> Finding:
    """Assert that a report proves one offence, and that the history went on without the seat."""
    finding = only(report)
    assert (finding.rule, finding.seat, finding.step) == (rule, seat, step)
    assert finding.proved
    assert (report.verdict, report.exit_code) == (Verdict.VIOLATION, 1)
    assert [event.seat for event in report.events if isinstance(event, Convicted)] == [seat]
    return finding


# -- what is right ---------------------------------------------------------------------------------


def test_a_log_with_seats_passed_over_is_valid_and_everything_in_it_has_its_place():
    table = in_play()
    late = table.turn
    put(table, pause(table, late), pause(table, late, asks=False))
    decide(table, late)
    played_on(table)
    report = audited(table)
    assert report.verdict is Verdict.VALID
    assert report.records.placed == report.records.total == len(table.records) + 1
    assert report.verified.certificates == 1
    assert report.end.head == table.position.previous
    assert list(report.events) == table.events
    (missed,) = [event for event in report.events if isinstance(event, Missed)]
    assert (missed.seat, missed.misses) == (late, 1)


def test_what_was_dropped_is_checked_and_not_told():
    table = in_play()
    late, step = table.turn, table.position.step
    overridden = table.sign(late)
    table.put(overridden)
    table.go(lambda now: now.position.step == step + 2)
    dropped = table.records[-1]
    put(table, certificate(table, overridden.place))
    assert isinstance(table.events[-3], HistoryDropped)
    played_on(table)
    report = audited(table)
    assert (report.verdict, report.findings) == (Verdict.VALID, ())
    assert report.end.head == table.position.previous
    assert not any(isinstance(event, HistoryDropped) for event in report.events)
    (missed,) = [event for event in report.events if isinstance(event, Missed)]
    assert missed.seat == late
    # The entries of the branch that counts no more are judged all the same.
    wrong = table.forged(dropped, counter=0)
    records = [wrong if record is dropped else record for record in table.records]
    report = audit([encode_record(each) for each in (table.ledger.terms, *records)])
    assert only(report).rule == "counter"
    assert only(report).seat == dropped.author


def test_a_record_on_a_branch_that_never_counted_here_is_checked():
    """The decision came before the entry that it overrides, and others had built on that one."""
    table = in_play()
    late, step = table.turn, table.position.step
    other = table.copy()
    decided = certificate(table, late_place(table, late))
    other.put(other.sign(late))
    other.go(lambda now: now.position.step == step + 2)
    put(table, decided)
    played_on(table)
    branch = [record for record in other.records if record not in table.records]
    for records in ([*table.records, *branch], [*branch, *table.records]):
        data = [encode_record(each) for each in (table.ledger.terms, *records)]
        report = audit(data)
        assert (report.verdict, report.findings) == (Verdict.VALID, ())
        assert report.records.unplaced == 0
        assert report.end.head == table.position.previous
        wrong = encode_record(table.forged(branch[-1], counter=0))
        data[data.index(encode_record(branch[-1]))] = wrong
        assert only(audit(data)).rule == "counter"


def test_the_audit_says_how_far_the_history_is_final():
    table = in_play()
    report = audited(table)
    ledger = table.ledger
    entries = [record for record in table.records if isinstance(record, Entry)]
    tentative = [each for each in entries if not ledger.is_final(each.step, each.author)]
    assert 0 < report.end.final < report.end.step
    assert report.end.tentative == len(tentative) > 1
    assert f"the last {len(tentative)} entries are tentative" in report_text(report, "x")
    assert report_json(report, "x")["end"]["final"] == report.end.final
    # A certificate makes what it names final, if all before it is.
    assert "tentative" not in report_text(audited(played_on(table)), "x")


# -- forged decisions ------------------------------------------------------------------------------


def test_a_certificate_without_a_majority_decides_nothing():
    table = in_play()
    late = table.turn
    others = [seat for seat in range(4) if seat != late]
    report = audited(table, certificate(table, late_place(table, late), others[:2]))
    assert (only(report).rule, report.verdict) == ("certificate", Verdict.MALFORMED)
    assert report.end.head == table.position.previous
    assert report.end.waiting == (late,)


def test_seats_outside_the_electorate_make_no_majority():
    table = in_play()
    gone = next(seat for seat in range(4) if seat != table.turn)
    table.put(table.leave(gone, table.position.step + 4))
    table.go(lambda now: gone in now.position.away and now.kind is Kind.TURN)
    late = table.turn
    voters = [seat for seat in range(4) if seat not in (late, gone)]
    place = late_place(table, late)
    forged = certificate(table, place, [gone, voters[0]])
    assert only(audited(table, forged)).rule == "certificate"
    more = certificate(table, place, [gone, *voters])
    report = audited(table, more)
    assert (only(report).rule, only(report).proved) == ("vote", False)
    # Without that accept it is a majority, and counts.
    assert report.end.step > place.step
    lone = accept(table, place, gone, ballot=3)
    assert only(audited(table, lone)).rule == "vote"


def test_a_certificate_with_an_accept_that_nobody_signed_is_refused():
    table = in_play()
    decided = certificate(table, late_place(table, table.turn))
    first, *rest = decided.accepts
    forged = replace(decided, accepts=(replace(first, signature=rest[0].signature), *rest))
    report = audited(table, forged)
    assert (only(report).rule, report.verdict) == ("signature", Verdict.MALFORMED)


def test_a_certificate_for_a_place_that_waits_for_nobody_is_refused():
    table = in_play()
    idle = (table.turn + 1) % 4
    report = audited(table, certificate(table, late_place(table, idle)))
    assert only(report).rule == "certificate"


def test_nobody_votes_on_the_opening():
    table = HonestTable.new(3, "votes")
    report = audited(table, certificate(table, late_place(table, 0)))
    assert only(report).rule == "certificate"


def test_two_decisions_on_a_place_are_found_even_if_nobody_is_proved_to_lie():
    table = in_play()
    late = table.turn
    place, entry = late_place(table, late), table.sign(late)
    table.put(entry)
    both = (certificate(table, place), certificate(table, place, value=entry.id, ballot=2))
    report = audited(table, *both)
    assert (only(report).rule, only(report).proved) == ("decision", False)
    assert (report.verdict, report.exit_code) == (Verdict.VIOLATION, 4)


def test_a_vote_on_a_place_that_the_history_never_reaches_is_stray_or_early():
    table = in_play()
    for step, rule in ((table.position.step, "stray"), (table.position.step + 5, "gap")):
        place = Place(step, bytes(32), 0)
        voted = promise(table, place, 1)
        assert only(audited(table, voted)).rule == rule


# -- contradictions --------------------------------------------------------------------------------


def went_on(table: HonestTable, place: Place) -> HonestTable:
    """Let the others play on until everybody's turn after a place has come."""
    return table.go(lambda now: now.position.step == place.step + 5)


def others_of(table: HonestTable) -> tuple[Place, list[int]]:
    late = table.turn
    return late_place(table, late), [seat for seat in range(4) if seat != late]


def test_two_accepts_in_a_ballot_convict():
    table = in_play()
    place, (liar, *_) = others_of(table)
    lies = [accept(table, place, liar, value) for value in (ABSENT, bytes(32))]
    finding = convicts(audited(went_on(table, place), *lies), "two-accepts", liar, place.step)
    count = len(table.records)
    assert finding.records == (count + 2, count + 3)


def test_an_accept_in_a_certificate_is_a_vote_like_any_other():
    table = in_play()
    place, (liar, *_) = others_of(table)
    lie = accept(table, place, liar, bytes(32))
    decided = certificate(table, place)
    put(table, decided)
    finding = convicts(audited(went_on(table, place), lie), "two-accepts", liar, place.step)
    numbers = table.records.index(decided) + 2, len(table.records) + 2
    assert finding.records == numbers


def test_two_promises_of_a_ballot_convict():
    table = in_play()
    place, (liar, *_) = others_of(table)
    stated = [(0, bytes(32)), (0, bytes(range(32)))]
    lies = [promise(table, place, liar, 1, said) for said in stated]
    convicts(audited(went_on(table, place), *lies), "two-promises", liar, place.step)


def test_a_promise_that_omits_an_acceptance_convicts_in_either_order():
    table = in_play()
    place, (liar, *_) = others_of(table)
    lies = [accept(table, place, liar), promise(table, place, liar, 2)]
    for records in (lies, lies[::-1]):
        convicts(audited(went_on(table, place), *records), "broken-promise", liar, place.step)


def test_two_values_of_a_coordinator_convict():
    table = in_play()
    place, _ = others_of(table)
    votes = whole_vote(table, place)
    put(table, *votes)
    promises = [each for each in votes if isinstance(each, Promise)]
    lie = proposal(table, place, promises, bytes(32))
    report = audited(went_on(table, place), lie)
    convicts(report, "two-proposals", lie.vote.signer, place.step)


def test_a_proposal_that_its_promises_do_not_allow_convicts():
    table = in_play()
    place, voters = others_of(table)
    entry = table.sign(place.author)
    promises = [promise(table, place, seat, accepted=(0, entry.id)) for seat in voters]
    lie = proposal(table, place, promises, ABSENT)
    convicts(audited(went_on(table, place), lie), "unfounded-proposal", lie.vote.signer, place.step)
    too_few = proposal(table, place, promises[:2], entry.id)
    convicts(
        audited(went_on(table, place), too_few), "unfounded-proposal", lie.vote.signer, place.step
    )


def test_building_on_an_entry_after_promising_it_away_convicts():
    """An absent seat's entry is smuggled in after it was passed over, and a liar builds on it."""
    table = in_play()
    place, _ = others_of(table)
    branch = table.copy()
    smuggled = branch.sign(place.author)
    branch.put(smuggled)
    liar = branch.turn
    built = branch.sign(liar)
    put(table, *whole_vote(table, place))
    played_on(table)
    report = audited(table, smuggled)
    assert report.verdict is Verdict.VALID
    report = audited(table, smuggled, built)
    finding = only(report)
    assert (finding.rule, finding.seat, finding.proved) == ("broken-promise", liar, True)
    assert report.exit_code == 1


def test_a_leave_notice_that_acknowledges_what_was_promised_away_convicts():
    table = in_play()
    place, (liar, *_) = others_of(table)
    put(table, promise(table, place, liar))
    table.go(lambda now: now.position.step == place.step + 1)
    table.put(table.leave(liar))
    report = audited(table)
    assert [(each.rule, each.seat) for each in report.findings] == [("broken-promise", liar)]


def test_a_history_that_goes_on_as_if_nobody_was_convicted_counts_no_more():
    table = in_play()
    place, (liar, *_) = others_of(table)
    lies = [accept(table, place, liar, value) for value in (ABSENT, bytes(32))]
    table.go(lambda now: now.position.step == place.step + 3)
    report = audited(table, *lies)
    convicts(report, "two-accepts", liar, place.step)
    assert report.end.head != table.position.previous
    assert report.end.kind is Kind.CLOSE
    assert liar not in report.end.waiting


def test_a_seat_that_missed_three_places_is_out_whatever_it_signs():
    table = in_play()
    late = table.turn
    for _ in range(3):
        table.go(lambda now: now.position.waiting() == (late,))
        decide(table, late)
    assert table.position.misses[late] == 3
    report = audited(table, table.sign(late, [0]))
    finding = only(report)
    assert (finding.rule, finding.seat) == ("unexpected", late)
    # It has no vote either.
    assert only(audited(table, accept(table, late_place(table, table.turn), late))).rule == "vote"
    assert audited(played_on(table)).verdict is Verdict.VALID


def test_a_miss_that_is_left_out_is_another_history():
    table = in_play()
    decide(table, table.turn)
    played_on(table)
    without = [each for each in table.records if not isinstance(each, Certificate)]
    report = audit([encode_record(each) for each in (table.ledger.terms, *without)])
    assert only(report).rule == "gap"


# -- order -----------------------------------------------------------------------------------------


def eventful() -> HonestTable:
    """A table on which a seat is passed over, an entry is dropped, and a seat leaves."""
    table = in_play(seed="eventful")
    late = table.turn
    decide(table, late)
    first = table.position.step
    table.go(lambda now: now.position.step == first + 2)
    dropped = table.sign(table.turn)
    table.put(dropped)
    table.go(lambda now: now.position.step == first + 4)
    put(table, certificate(table, dropped.place))
    table.go(lambda now: now.position.step == first + 5)
    table.put(table.leave((table.turn + 2) % 4, first + 7))
    table.go(lambda now: now.position.step == first + 9 or now.kind is Kind.CLOSE)
    return table


def what_happened(report: Report) -> list[Event]:
    """What was told, but for the order in which the places of a step were filled."""
    return [event for event in report.events if not isinstance(event, PlaceFilled)]


def test_the_order_of_the_records_changes_nothing():
    table = eventful()
    place = late_place(table, table.position.waiting()[0])
    liar = next(seat for seat in table.position.electorate() if seat != place.author)
    lies = [accept(table, place, liar, value) for value in (ABSENT, bytes(32))]
    for more in ((), lies):
        first, *rest = log_of(table, *more)
        expected = audit([first, *rest])
        assert bool(more) == bool(expected.findings)
        for seed in range(12):
            random.Random(seed).shuffle(rest)
            report = audit([first, *rest])
            assert replace(report, findings=(), events=(), seconds={}) == replace(
                expected, findings=(), events=(), seconds={}
            )
            assert [(f.rule, f.seat, f.step) for f in report.findings] == [
                (f.rule, f.seat, f.step) for f in expected.findings
            ]
            assert what_happened(report) == what_happened(expected)
