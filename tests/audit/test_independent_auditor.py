"""Two auditors that share no code agree: the program's, and one written from protocol.md alone."""

import dataclasses
from pathlib import Path

import independent_auditor
import independent_group
import pytest
from honest_table import HonestTable
from independent_auditor import Audit, WrongLogError

from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Kind, encode_record
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.position import Verified
from p2pclimb.store.frames import HEADER, frame

GOLDEN = Path(__file__).parent.parent / "golden" / "table.climb"


def file_of(table: HonestTable) -> bytes:
    records = [table.ledger.terms, *table.records]
    return HEADER + b"".join(frame(encode_record(record)) for record in records)


@pytest.mark.parametrize("module", [independent_auditor, independent_group])
def test_it_shares_no_code_with_the_program(module):
    source = Path(module.__file__).read_text("utf-8")
    assert "p2pclimb." not in source.replace("protocol.md", "")
    assert "import p2pclimb" not in source


def test_both_find_the_same_head_and_scores_in_the_recorded_log():
    table = HonestTable.new(2, "golden", show_rest=True).go()
    found = Audit(GOLDEN.read_bytes())
    assert found.head == table.position.previous
    assert found.scores == table.stage.match.scores


def test_both_find_the_same_head_and_scores_over_two_deals():
    table = HonestTable.new(2, "two deals", deals=2).go()
    found = Audit(file_of(table))
    assert (found.head, found.step) == (table.position.previous, table.position.step)
    assert found.scores == table.stage.match.scores


def changed(kind: Kind, body: list[Value]) -> list[Value]:
    """The body with a lie in it that its author signs."""
    match kind:
        case Kind.COMMIT:
            return [bytes(32)]
        case Kind.REVEAL:
            return [bytes(32), *body[1:]]
        case Kind.SHUFFLE:
            return [body[0][64:] + body[0][:64], body[1]]
        case Kind.SHARES:
            return [body[0][32:] + body[0][:32], body[1]]
        case Kind.CLOSE:
            return [[[seat, -points] for seat, points in body[0]], *body[1:]]
        case _:
            raise AssertionError(kind)


LIES = {
    Kind.COMMIT: ("commitment", "commitment"),
    Kind.REVEAL: ("commitment", "commitment"),
    Kind.SHUFFLE: ("proof", "a shuffle proof"),
    Kind.SHARES: ("proof", "a proof of shares"),
    Kind.CLOSE: ("result", "result"),
}


@pytest.mark.parametrize("kind", LIES)
def test_both_refuse_a_log_in_which_one_seat_lies(kind):
    rule, reason = LIES[kind]
    table = HonestTable.new(2, "liar").go(kind)
    step = table.position.step
    liar = table.position.waiting()[0]
    while table.position.step == step:
        seat = table.position.waiting()[0]
        body = table.body(seat)
        entry = table.sign(seat, changed(kind, body) if seat == liar else body)
        if seat == liar and kind is not Kind.COMMIT:
            table.refused(entry, rule)
        # The liar's own program takes it without a check.
        table.ledger.fill(Verified(entry, table.stage.read(entry.body), Tally()))
        table.records.append(entry)
    if kind is Kind.COMMIT:  # what nobody can open shows when it is to be opened
        opened = table.sign(liar, counter=9)
        table.refused(opened, rule)
        table.records += [opened, table.sign(1 - liar, counter=9)]
    with pytest.raises(WrongLogError, match=f"^{reason}$"):
        Audit(file_of(table))


def test_both_refuse_an_entry_without_its_signature():
    table = HonestTable.new(2, "liar").go(Kind.COMMIT)
    table.records[0] = dataclasses.replace(table.records[0], signature=bytes(64))
    with pytest.raises(WrongLogError, match="signature"):
        Audit(file_of(table))
