"""Each verdict, and each way to break a log or a rule, with what the report says about it."""

import random
from dataclasses import replace

import pytest
from recorded import flipped, record_table, recorded, recorded_winner

from p2pclimb.audit.audit import audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger import codec
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.record import decode_record, encode_record

pytestmark = pytest.mark.usefixtures("quick_checks")

TWO = recorded(2)
THREE = recorded(3, (("show_rest", True),))


def found(report, rule):
    """Return the finding with a rule; fails unless there is exactly one."""
    (finding,) = [finding for finding in report.findings if finding.rule == rule]
    return finding


def only(report):
    """Return the one finding of a report."""
    (finding,) = report.findings
    return finding


@pytest.mark.parametrize("table", [TWO, THREE], ids=["two", "three"])
def test_a_whole_log_is_valid(table):
    report = audit(table.records)
    assert report.verdict is Verdict.VALID
    assert report.exit_code == 0
    assert not report.findings
    assert report.end.kind is None
    assert report.end.waiting == ()
    assert report.records.total == report.records.placed == len(table.records)


def test_the_audit_agrees_with_the_live_ledger():
    ledger = Ledger(THREE.terms)
    for data in THREE.records[1:]:
        ledger.accept(decode_record(data))
    report = audit(THREE.records)
    assert report.end.head == ledger.position.previous
    assert report.verified == ledger.tally
    assert report.events == THREE.told


def test_what_was_verified_is_counted():
    verified = audit(THREE.records).verified
    entries = [decode_record(data) for data in THREE.records[1:]]
    plays = [entry for entry in entries if entry.kind is Kind.TURN]
    assert verified.signatures == len(entries)
    assert verified.possessions == verified.shuffles == 3
    assert verified.shares == 3 * 26
    assert verified.plays == len(plays)
    # show_rest: every card of every hand was opened at last.
    assert verified.openings == 3 * 13


def test_records_may_come_in_any_order_after_the_terms():
    rest = list(THREE.records[1:])
    random.Random(1).shuffle(rest)
    report = audit([THREE.records[0], *rest])
    assert report.verdict is Verdict.VALID
    assert report.end.head == audit(THREE.records).end.head


def test_identical_records_are_repetitions_and_nothing_else():
    report = audit([*TWO.records, *TWO.records])
    assert report.verdict is Verdict.VALID
    assert report.records.repeated == len(TWO.records)
    assert report.records.unplaced == 0


def test_a_log_cut_after_any_record_is_incomplete_and_says_who_is_waited_for():
    for count in range(1, len(THREE.records)):
        report = audit(THREE.records[:count])
        assert report.verdict is Verdict.INCOMPLETE
        assert report.exit_code == 3
        missing = THREE.entry(count)
        assert (report.end.step, report.end.kind) == (missing.step, missing.kind)
        assert missing.author in report.end.waiting


def test_an_empty_log_is_malformed():
    report = audit([])
    assert (report.verdict, report.exit_code) == (Verdict.MALFORMED, 4)
    assert only(report).rule == "terms"


def test_a_log_that_does_not_begin_with_the_terms_is_malformed():
    for records in (TWO.records[1:], (TWO.records[1], TWO.records[0], *TWO.records[2:])):
        report = audit(records)
        assert report.verdict is Verdict.MALFORMED
        assert only(report).rule == "terms"


def test_a_torn_tail_is_never_valid():
    report = audit(TWO.records, torn_at=1234)
    assert (report.verdict, report.exit_code) == (Verdict.INCOMPLETE, 3)
    assert "1234" in only(report).text


def test_a_dropped_record_leaves_a_gap():
    for index in range(1, len(TWO.records) - 1):
        report = audit(TWO.records[:index] + TWO.records[index + 1 :])
        missing = TWO.entry(index)
        assert report.verdict in (Verdict.MALFORMED, Verdict.INCOMPLETE)
        assert report.end.step == missing.step
        assert missing.author in report.end.waiting
        later = [n for n, data in enumerate(TWO.records[1:], 2) if n != index + 1]
        later = [n for n in later if decode_record(TWO.records[n - 1]).step > missing.step]
        if later:
            shifted = tuple(n - (n > index + 1) for n in later)
            assert found(report, "gap").records == shifted
            assert report.records.unplaced == len(later)


def test_a_record_of_another_table_is_found():
    report = audit([*TWO.records, THREE.records[5]])
    assert (report.verdict, report.exit_code) == (Verdict.MALFORMED, 4)
    assert only(report).rule == "foreign"
    assert only(report).records == (len(TWO.records) + 1,)


def test_the_terms_of_another_table_are_found():
    report = audit([*TWO.records, THREE.records[0]])
    assert only(report).rule == "foreign"


def test_a_bad_signature_proves_nothing_about_anybody():
    entry = TWO.entry(5)
    forged = replace(entry, signature=flipped(entry.signature, 7))
    report = audit(TWO.replaced(5, encode_record(forged)))
    assert (report.verdict, report.exit_code) == (Verdict.MALFORMED, 4)
    finding = found(report, "signature")
    assert (finding.seat, finding.proved, finding.records) == (None, False, (6,))


def test_an_author_beyond_the_table_is_no_seat_of_it():
    entry = TWO.entry(5)
    signed = codec.decode(entry.signed, 70_000)
    signed[6] = 7
    report = audit([*TWO.records, codec.encode([1, codec.encode(signed), bytes(64)])])
    assert only(report).rule == "record"


def test_a_record_of_a_newer_protocol_is_unsupported():
    signed = codec.decode(TWO.entry(5).signed, 70_000)
    signed[0] = 2
    report = audit([*TWO.records, codec.encode([1, codec.encode(signed), bytes(64)])])
    assert (report.verdict, report.exit_code) == (Verdict.UNSUPPORTED, 5)


def test_unknown_rules_are_unsupported():
    terms = codec.decode(TWO.terms.encode(), 9_000)
    terms[2][0] = "tienlen/99"
    report = audit([codec.encode([0, codec.encode(terms), b""]), *TWO.records[1:]])
    assert (report.verdict, report.exit_code) == (Verdict.UNSUPPORTED, 5)


def test_two_entries_for_a_place_prove_equivocation():
    index = TWO.numbers(Kind.TURN)[3]
    rival = TWO.forge(index, counter=TWO.entry(index).counter + 1)
    report = audit([*TWO.records, rival])
    finding = only(report)
    assert (report.verdict, report.exit_code) == (Verdict.VIOLATION, 1)
    assert (finding.rule, finding.proved) == ("equivocation", True)
    assert finding.seat == TWO.entry(index).author
    assert finding.step == TWO.entry(index).step
    assert finding.records == (index + 1, len(TWO.records) + 1)


def test_equivocation_is_proved_at_places_that_the_history_never_reaches():
    index = TWO.numbers(Kind.TURN)[3]
    rival = TWO.forge(index, counter=TWO.entry(index).counter + 1)
    report = audit([TWO.records[0], TWO.records[index], rival])
    assert found(report, "equivocation").proved


def test_garbage_does_not_hide_a_proved_violation():
    index = TWO.numbers(Kind.TURN)[3]
    rival = TWO.forge(index, counter=TWO.entry(index).counter + 1)
    report = audit([*TWO.records, b"garbage", rival])
    assert (report.verdict, report.exit_code) == (Verdict.VIOLATION, 1)


def test_an_entry_where_none_is_expected_from_its_author_is_proved():
    index = TWO.numbers(Kind.TURN)[3]
    entry = TWO.entry(index)
    place = replace(entry.place, author=1 - entry.author)
    report = audit([*TWO.records, TWO.forge(index, place=place, counter=999)])
    finding = only(report)
    assert (finding.rule, finding.seat, finding.proved) == ("unexpected", place.author, True)
    assert report.exit_code == 1


def test_an_entry_after_the_end_is_proved():
    last = len(TWO.records) - 1
    report = audit(TWO.records)
    place = replace(TWO.entry(last).place, step=report.end.step, previous=report.end.head)
    extra = TWO.forge(last, place=place, counter=999)
    assert only(audit([*TWO.records, extra])).rule == "unexpected"


@pytest.mark.parametrize("step", [0, 10, 10_000])
def test_an_entry_of_another_history_is_found_and_nobody_blamed(step):
    place = replace(TWO.entry(5).place, step=step, previous=bytes(32))
    report = audit([*TWO.records, TWO.forge(5, place=place, counter=999)])
    finding = only(report)
    assert (report.verdict, report.exit_code) == (Verdict.VIOLATION, 4)
    assert (finding.rule, finding.proved, finding.seat) == ("stray", False, None)


def test_an_entry_after_leaving_is_proved_in_either_order():
    index = THREE.numbers(Kind.TURN)[5]
    entry = THREE.entry(index)
    notice = THREE.notice(entry.author, entry.step)
    for records in ([*THREE.records, notice], [THREE.records[0], notice, *THREE.records[1:]]):
        finding = found(audit(records), "leave")
        assert (finding.seat, finding.proved) == (entry.author, True)


def test_two_different_notices_of_one_seat_are_proved():
    step = THREE.entry(len(THREE.records) - 1).step + 1
    records = [*THREE.records, THREE.notice(1, step), THREE.notice(1, step + 1)]
    finding = only(audit(records))
    assert (finding.rule, finding.seat, finding.proved) == ("leave", 1, True)


def test_a_notice_that_never_counts_does_no_harm():
    step = THREE.entry(len(THREE.records) - 1).step + 1
    report = audit([*THREE.records, THREE.notice(1, step)])
    assert report.verdict is Verdict.VALID


def bit_of(body, field):
    """Return a body with the lowest bit of the last scalar of one field flipped."""
    changed = flipped(body[field], 8 * (len(body[field]) - 32))
    return [*body[:field], changed, *body[field + 1 :]]


FORGERIES = {
    "a counter that does not rise": (Kind.TURN, lambda e: {"counter": 0}, "counter"),
    "another deal": (Kind.AGREE, lambda e: {"deal": 2}, "header"),
    "another attempt": (Kind.AGREE, lambda e: {"attempt": 1}, "header"),
    "another kind": (Kind.AGREE, lambda e: {"kind": Kind.OPEN}, "header"),
    "a body of another form": (Kind.AGREE, lambda e: {"body": [1]}, "form"),
    "another coin": (Kind.REVEAL, lambda e: {"body": bit_of(e.body, 0)}, "commitment"),
    "a wrong shuffle proof": (Kind.SHUFFLE, lambda e: {"body": bit_of(e.body, 1)}, "proof"),
    "a missing share": (
        Kind.SHARES,
        lambda e: {"body": [e.body[0][:-32], e.body[1]]},
        "shares",
    ),
    "a wrong share": (
        Kind.SHARES,
        lambda e: {"body": [e.body[0][32:64] + e.body[0][32:], e.body[1]]},
        "proof",
    ),
    "a lead that is a pass": (Kind.TURN, lambda e: {"body": [0]}, "illegal-play"),
    "a card not in the hand": (
        Kind.TURN,
        lambda e: {"body": [1, [not_of(e)], e.body[2][:32], e.body[3]]},
        "ownership",
    ),
    "a wrong opening": (Kind.TURN, lambda e: {"body": bit_of(e.body, 3)}, "proof"),
    "another result": (
        Kind.CLOSE,
        lambda e: {"body": [[[s, 0] for s, _ in e.body[0]], *e.body[1:]]},
        "result",
    ),
}


def not_of(entry):
    """Return a place that belongs to another seat than the one that owns the places played."""
    return entry.body[1][0] + 1


@pytest.mark.parametrize("name", FORGERIES)
def test_a_signed_entry_that_breaks_a_rule_convicts_its_author(name):
    kind, changes, rule = FORGERIES[name]
    index = THREE.numbers(kind)[0]
    entry = THREE.entry(index)
    report = audit(THREE.replaced(index, THREE.forge(index, **changes(entry))))
    finding = only(report)
    assert (report.verdict, report.exit_code) == (Verdict.VIOLATION, 1)
    assert (finding.rule, finding.seat, finding.step) == (rule, entry.author, entry.step)
    assert finding.proved
    assert finding.records == (index + 1,)
    assert finding.expected
    # What builds on the broken step is counted, and is no finding of its own.
    later = sum(record.step > entry.step for record in map(decode_record, THREE.records[1:]))
    assert report.records.unplaced == later + 1


WINNER = recorded_winner()


def test_a_whole_log_of_winner_is_valid_and_everything_in_it_was_verified():
    report = audit(WINNER.records)
    assert report.verdict is Verdict.VALID
    assert report.events == WINNER.told
    assert report.verified.transfers == 4
    assert report.verified.shares == 3 * (3 * 36) + 1  # and the trick card's own
    kinds = {decode_record(data).kind for data in WINNER.records[1:]}
    assert kinds == set(Kind) - {Kind.LOWEST}


WINNER_FORGERIES = {
    "a proof of absence of elsewhere": (
        Kind.TRIBUTE,
        lambda e: [*e.body[:3], e.body[3][:-1] + bytes([e.body[3][-1] ^ 1])],
        "proof",
    ),
    "no proof of absence": (Kind.TRIBUTE, lambda e: [*e.body[:3], b""], "form"),
    "the same card twice": (Kind.OFFER, lambda e: [e.body[0][:1] * 2, *e.body[1:]], "offer"),
    "transfers exchanged": (
        Kind.OFFER,
        lambda e: [e.body[0][::-1], *e.body[1:]],
        "proof",
    ),
    "a card that was not offered": (
        Kind.CHOOSE,
        lambda e: [[(e.body[0][0] + 3) % 54], *e.body[1:]],
        "choice",
    ),
    "an opening of elsewhere": (Kind.CHOOSE, lambda e: bit_of(e.body, 2), "proof"),
    "a claim with a card of another": (
        Kind.CLAIM,
        lambda e: [True, [0, 1], bytes(0), b""],
        "ownership",
    ),
}


@pytest.mark.parametrize("name", WINNER_FORGERIES)
def test_a_signed_entry_that_breaks_a_rule_of_winner_convicts_its_author(name):
    kind, change, rule = WINNER_FORGERIES[name]
    index = WINNER.numbers(kind)[0]
    entry = WINNER.entry(index)
    report = audit(WINNER.replaced(index, WINNER.forge(index, body=change(entry))))
    finding = only(report)
    assert (finding.rule, finding.seat, finding.step) == (rule, entry.author, entry.step)
    assert finding.proved
    assert report.exit_code == 1


def test_every_offender_of_a_step_is_named():
    first, second = TWO.numbers(Kind.SHARES)
    records = list(TWO.records)
    for index in (first, second):
        records[index] = TWO.forge(index, body=bit_of(TWO.entry(index).body, 1))
    assert sorted(f.seat for f in audit(records).findings) == [0, 1]


def test_a_seat_that_leaves_leaves_a_complete_log():
    def in_play(sim):
        return sim.nodes[0].session.ledger.position.stage.kind is Kind.TURN

    for deals in (1, 2):
        table = record_table(
            3,
            f"leaving {deals}",
            {"deals": deals},
            lambda sim: sim.do(2, lambda session: session.leave()),
            in_play,
        )
        report = audit(table.records)
        assert report.verdict is Verdict.VALID
        assert report.events == table.told


def test_progress_ends_with_everything_done():
    seen = []
    audit(TWO.records, progress=lambda done, total: seen.append((done, total)))
    count = len(TWO.records) - 1
    assert seen == [(done, count) for done in range(1, count + 1)]


def test_the_clock_is_the_only_thing_that_two_audits_differ_in():
    ticks = iter(range(10**6))
    first = audit(TWO.records, clock=lambda: next(ticks))
    second = audit(TWO.records)
    assert replace(first, seconds={}) == replace(second, seconds={})
    assert first.seconds["all"] > sum(v for k, v in first.seconds.items() if k != "all") > 0
