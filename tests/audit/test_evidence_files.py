"""A file of evidence proves an offence by itself: an audit of it alone convicts the culprit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from honest_table import HonestTable, identity, seeded
from offences import OFFENCES, a_wrong_entry, in_play, two_accepts

from p2pclimb.cli.main import main
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.record import encode_record
from p2pclimb.node.journal import Journal
from p2pclimb.store.peersfile import Whereabouts
from p2pclimb.table.effects import Store

pytestmark = pytest.mark.usefixtures("quick_checks")


def evidence_of(table: HonestTable, conviction: Conviction, folder: Path) -> Path:
    """The file that a node writes which has this table's records in its log."""
    log = folder / "evening.climb"
    entropy = seeded("evidence")
    journal = Journal.create(log, identity(0, table.seed), entropy, Whereabouts("127.0.0.1", 1))
    for record in (table.ledger.terms, *table.records):
        journal.keep(Store(encode_record(record), sync=False))
    proof = [encode_record(record) for record in conviction.proof]
    evidence = journal.evidence(conviction.seat, conviction.step, proof)
    journal.close(finished=False)
    return evidence.write()


@pytest.mark.parametrize("offence", [*OFFENCES, a_wrong_entry])
def test_the_file_alone_proves_the_offence(offence, tmp_path, capsys):
    table = in_play()
    conviction = offence(table)
    path = evidence_of(table, conviction, tmp_path)
    assert path.name == f"evening.climb.evidence-{conviction.seat + 1}"
    assert main(["audit", "--json", str(path)]) == 1
    report = json.loads(capsys.readouterr().out)
    (finding,) = report["findings"]
    assert report["verdict"] == "violation"
    assert finding["proved"]
    assert finding["seat"] == conviction.seat
    assert finding["rule"] == conviction.violation.rule
    assert finding["step"] == conviction.step
    assert finding["records"]


def test_without_its_proof_the_file_proves_nothing(tmp_path, capsys):
    table = in_play()
    conviction = two_accepts(table)
    path = evidence_of(table, Conviction(conviction.violation, ()), tmp_path)
    assert main(["audit", str(path)]) == 3
    assert "blame" not in capsys.readouterr().out
