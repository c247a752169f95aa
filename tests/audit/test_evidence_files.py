"""A file of evidence proves an offence by itself: an audit of it alone convicts the culprit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cast_votes import accept, certificate, late_place, promise, proposal, put, whole_vote
from honest_table import HonestTable, identity, reached, seeded

from p2pclimb.cli.main import main
from p2pclimb.errors import ViolationError
from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.record import Record, encode_record
from p2pclimb.ledger.votes import ABSENT, Promise
from p2pclimb.node.journal import Journal
from p2pclimb.store.peersfile import Whereabouts
from p2pclimb.table.effects import Store

pytestmark = pytest.mark.usefixtures("quick_checks")

Offence = Callable[[HonestTable], Conviction]


def in_play() -> HonestTable:
    """A table of four whose first round is over; it can be gone on with."""
    return reached(Kind.TURN, 4, "evidence").go(lambda now: now.position.step % 4 == 3)


def _last_of(table: HonestTable, seat: int) -> Entry:
    return [each for each in table.records if isinstance(each, Entry) and each.author == seat][-1]


def _caught(act: Callable[[], object], *proof: Record) -> Conviction:
    with pytest.raises(ViolationError) as caught:
        act()
    return Conviction(caught.value, proof)


def two_entries(table: HonestTable) -> Conviction:
    known = _last_of(table, 1)
    lie = table.forged(known, counter=known.counter + 100)
    return _caught(lambda: table.ledger.standing(lie), known, lie)


def a_wrong_entry(table: HonestTable) -> Conviction:
    lie = table.sign(table.turn, [7])
    return _caught(lambda: table.ledger.accept(lie), lie)


def an_entry_after_leaving(table: HonestTable) -> Conviction:
    leave = table.leave(table.turn)
    entry = table.sign(table.turn)
    table.copy().put(entry)
    table.put(leave)
    return _caught(lambda: table.ledger.standing(entry), leave, entry)


def two_accepts(table: HonestTable) -> Conviction:
    place = late_place(table, table.turn)
    first, second = (accept(table, place, 0, value) for value in (ABSENT, bytes(32)))
    put(table, first)
    table.go(lambda now: now.position.step == place.step + 3)
    (conviction,) = table.ledger.vote(second)
    return conviction


def building_on_what_was_promised_away(table: HonestTable) -> Conviction:
    """The entry that proves it stands steps after the place."""
    place = late_place(table, table.turn)
    votes = whole_vote(table, place)
    promises = [each for each in votes if isinstance(each, Promise)]
    table.put(table.sign(place.author))
    last = max(promises, key=lambda each: (each.vote.signer - place.author) % 4)
    table.go(lambda now: now.turn == last.vote.signer)
    table.put(table.sign(table.turn))
    (conviction,) = table.ledger.vote(last)
    return conviction


def an_unfounded_proposal(table: HonestTable) -> Conviction:
    place = late_place(table, table.turn)
    too_few = [promise(table, place, place.author)]
    (conviction,) = table.ledger.vote(proposal(table, place, too_few, bytes(32)))
    return conviction


def two_entries_behind_a_decision(table: HonestTable) -> Conviction:
    """What the culprit signed stands on a branch that counts no more."""
    place = late_place(table, table.turn)
    table.put(table.sign(place.author))
    known = table.sign(table.turn)
    table.put(known)
    put(table, certificate(table, place))
    lie = table.forged(known, counter=known.counter + 100)
    return _caught(lambda: table.ledger.standing(lie), known, lie)


OFFENCES: list[Offence] = [
    two_entries,
    a_wrong_entry,
    an_entry_after_leaving,
    two_accepts,
    building_on_what_was_promised_away,
    an_unfounded_proposal,
    two_entries_behind_a_decision,
]


def evidence_of(table: HonestTable, conviction: Conviction, folder: Path) -> Path:
    """The file that a node writes which has this table's records in its log."""
    log = folder / "evening.climb"
    entropy = seeded("evidence")
    journal = Journal.create(log, identity(0, table.seed), entropy, Whereabouts("127.0.0.1", 1))
    for record in (table.ledger.terms, *table.records):
        journal.keep(Store(encode_record(record), sync=False))
    proof = [encode_record(record) for record in conviction.proof]
    path = journal.keep_evidence(conviction.seat, conviction.step, proof)
    journal.close(finished=False)
    return path


@pytest.mark.parametrize("offence", OFFENCES)
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
