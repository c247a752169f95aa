"""Logs of one table that part: who signed two things, or whose history was only tentative."""

from __future__ import annotations

import json

import pytest
from cast_votes import certificate, late_place, put
from honest_table import HonestTable, reached
from recorded import write_log

from p2pclimb.audit import replay
from p2pclimb.audit.audit import audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.together import Parting, partings, union
from p2pclimb.cli.main import main
from p2pclimb.games.moves import Pass, Play
from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.record import encode_record

pytestmark = pytest.mark.usefixtures("quick_checks")


def log_of(table: HonestTable) -> list[bytes]:
    return [encode_record(each) for each in (table.ledger.terms, *table.records)]


def in_play() -> HonestTable:
    return reached(Kind.TURN, 4, "together").go(lambda now: now.position.step % 4 == 3)


def on_two_ways() -> tuple[HonestTable, HonestTable, int]:
    """Two seats' views: one went on with an entry, the other passed its author over."""
    tentative = in_play()
    decided, fork = tentative.copy(), tentative.position.step
    tentative.go(lambda now: now.position.step == fork + 2)
    put(decided, certificate(decided, late_place(decided, decided.turn)))
    decided.go(lambda now: now.position.step == fork + 3)
    return tentative, decided, fork


def where_they_part(*tables: HonestTable) -> tuple[Parting, ...]:
    logs = [log_of(table) for table in tables]
    alone = [(f"{number}", audit(log)) for number, log in enumerate(logs)]
    return partings(audit(union(logs)), alone)


def test_what_was_tentative_in_one_log_is_told_with_its_step():
    tentative, decided, fork = on_two_ways()
    tentatively, for_good = Parting("0", fork, was_final=False), Parting("1", None, was_final=False)
    assert where_they_part(tentative, decided) == (tentatively, for_good)
    assert [each.step for each in where_they_part(decided, tentative)] == [None, fork]


def test_both_together_are_valid_where_nobody_lied():
    tentative, decided, _ = on_two_ways()
    report = audit(union([log_of(tentative), log_of(decided)]))
    assert (report.verdict, report.findings) == (Verdict.INCOMPLETE, ())
    assert report.end.head == decided.position.previous


def plays(table: HonestTable) -> bool:
    """Whether the seat whose turn it is could do something else than pass."""
    return isinstance(table.first_play(table.turn), Play)


def test_whoever_signed_two_things_is_named():
    one = in_play().go(lambda now: now.stage.state.table is not None and plays(now))
    other, liar, step = one.copy(), one.turn, one.position.step
    one.put(one.sign(liar))
    other.play(liar, Pass())
    report = audit(union([log_of(one), log_of(other)]))
    (finding,) = report.findings
    assert (finding.rule, finding.seat, finding.step) == ("equivocation", liar, step)


def test_logs_that_differ_in_nothing_but_their_length_do_not_part():
    table = in_play()
    shorter = log_of(table)
    table.go(lambda now: now.kind is None)
    whole = log_of(table)
    alone = [("short", audit(shorter)), ("whole", audit(whole))]
    found = partings(audit(union([shorter, whole])), alone)
    assert [each.step for each in found] == [None, None]


def test_the_command_judges_logs_of_one_table_together(tmp_path, capsys):
    tentative, decided, fork = on_two_ways()
    files = [
        str(write_log(tmp_path / f"{name}.climb", log_of(table)))
        for name, table in (("ana", tentative), ("binh", decided))
    ]
    assert main(["audit", *files]) == 3
    text = capsys.readouterr().out
    assert "The 2 logs of this table together:" in text
    assert f"goes another way from step {fork} on: what it has there was tentative" in text
    assert main(["audit", "--json", *files]) == 3
    *_, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert [each["parts_at"] for each in last["logs"]] == [fork, None]


def test_a_log_that_is_in_another_one_is_not_judged_again(tmp_path, capsys):
    table = in_play()
    shorter = write_log(tmp_path / "short.climb", log_of(table)[:-1])
    longer = write_log(tmp_path / "long.climb", log_of(table))
    assert main(["audit", str(shorter), str(longer)]) == 3
    assert "together" not in capsys.readouterr().out


def test_two_logs_are_checked_once(tmp_path, capsys, monkeypatch):
    checked, check = [], replay.check_entry
    monkeypatch.setattr(
        replay, "check_entry", lambda at, entry: checked.append(entry) or check(at, entry)
    )
    table = in_play()
    files = [str(write_log(tmp_path / f"{n}.climb", log_of(table))) for n in range(2)]
    assert main(["audit", *files]) == 3
    assert len(checked) == sum(isinstance(record, Entry) for record in table.records)


def test_two_histories_that_were_both_final_are_the_work_of_liars():
    one = in_play()
    other, place, entry = one.copy(), late_place(one, one.turn), one.sign(one.turn)
    one.put(entry)
    put(one, certificate(one, place, value=entry.id))
    put(other, certificate(other, place, ballot=2))
    for table in (one, other):
        table.go(lambda now: now.position.step == place.step + 5)
    report = audit(union([log_of(one), log_of(other)]))
    assert "decision" in [finding.rule for finding in report.findings]
    assert Parting("1", place.step, was_final=True) in where_they_part(one, other)
