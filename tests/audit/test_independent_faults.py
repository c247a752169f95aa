"""The two auditors agree about tables at which seats are absent, leave, come back, or lie.

The proofs are left to `test_independent_auditor`: they are the same here, and slow to check.
"""

from __future__ import annotations

from collections.abc import Sequence

import independent_deal
import independent_dealing
import pytest
from cast_votes import decide
from honest_table import HonestTable, reached
from independent_auditor import Audit
from offences import OFFENCES, Offence, in_play
from sim_judge import Judge
from sim_scenarios import troubled

from p2pclimb.audit.audit import Report, audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.record import encode_record
from p2pclimb.store.frames import HEADER, frame

pytestmark = pytest.mark.usefixtures("quick_checks", "no_proofs")

PROOFS = ("absence", "shares", "shuffle", "sigma", "transfer")
FOLLOWED = range(10)


@pytest.fixture
def no_proofs(monkeypatch):
    for module in (independent_deal, independent_dealing):
        for name in PROOFS:
            monkeypatch.setattr(module, f"check_{name}", lambda *_, **__: None, raising=False)


def agree(records: Sequence[bytes]) -> Report:
    """Assert that both come to the same head, scores and convictions."""
    report = audit(records)
    found = Audit(HEADER + b"".join(map(frame, records)))
    assert (found.head, found.step) == (report.end.head, report.end.step)
    assert found.ended is (report.end.kind is None)
    assert {seat: found.scores[seat] for seat in report.scores} == report.scores
    assert {finding.seat for finding in report.findings} == set(found.log.guilty)
    return report


def agree_about(table: HonestTable) -> Report:
    return agree([encode_record(each) for each in (table.ledger.terms, *table.records)])


@pytest.mark.parametrize("seed", FOLLOWED)
def test_both_agree_about_a_table_that_faults_befall(seed):
    sim = troubled(seed)
    Judge(sim).play()
    for node in sim.nodes[:2]:
        assert agree(tuple(node.log)).verdict is Verdict.VALID


@pytest.mark.parametrize("offence", OFFENCES)
def test_both_convict_for_the_same_and_go_on_alike(offence: Offence):
    table = in_play()
    conviction = offence(table)
    known = [*table.records]
    table.records += [record for record in conviction.proof if record not in known]
    table.events += table.ledger.convict(conviction.violation, *conviction.proof)
    table.go(lambda now: now.kind is None)
    report = agree_about(table)
    assert [finding.seat for finding in report.findings] == [conviction.seat]
    assert report.end.kind is None


BEFORE_THE_PLAY = [Kind.COMMIT, Kind.REVEAL, Kind.SHUFFLE, Kind.AGREE, Kind.SHARES, Kind.LOWEST]
IN_WINNER = [Kind.TRIBUTE, Kind.OFFER, Kind.CHOOSE]


@pytest.mark.parametrize("kind", [*BEFORE_THE_PLAY, Kind.TURN, Kind.CLOSE, *IN_WINNER])
@pytest.mark.parametrize("how", ["absent", "left"])
def test_both_agree_about_who_is_missing_in_every_kind_of_step(kind, how):
    table = reached(kind, 3, "missing", deals=2)
    seat = table.position.waiting()[0]
    if how == "absent":
        decide(table, seat)
    else:
        table.put(table.leave(seat))
    table.go(lambda now: now.kind is None)
    assert agree_about(table).verdict is Verdict.VALID


def test_both_count_the_misses():
    table = in_play()
    late = table.turn
    for _ in range(3):
        table.go(lambda now: now.position.waiting() == (late,))
        decide(table, late)
    table.go(lambda now: now.kind is None)
    report = agree_about(table)
    assert report.verdict is Verdict.VALID
    assert report.scores[late] < 0
