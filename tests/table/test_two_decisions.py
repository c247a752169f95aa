"""A place that a liar has decided twice: all who know both decisions go on from the same one."""

from itertools import permutations

import pytest
from cast_votes import certificate, late_place, promise, proposal
from honest_table import HonestTable, reached
from table_setup import Company

from p2pclimb.ledger.ballots import coordinator
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.record import encode_record
from p2pclimb.ledger.votes import ABSENT, Certificate
from p2pclimb.table.effects import Flood, Records

SEATS = (0, 1, 2)


def decided_twice(table: HonestTable, liar: int, honest: int):
    """What the late seat signed, and both decisions in the ballot that the liar coordinates.

    To one honest seat it proposed absence, to the late seat itself what that one has signed.
    """
    (late,) = set(SEATS) - {liar, honest}
    place, entry = late_place(table, late), table.sign(late)
    ballot = next(b for b in (1, 2, 3) if coordinator(SEATS, late, b) == liar)
    promises = [promise(table, place, seat, ballot) for seat in (honest, liar)]
    proposals = [proposal(table, place, promises, value, ballot) for value in (ABSENT, entry.id)]
    absent = certificate(table, place, (honest, liar), ABSENT, ballot)
    present = certificate(table, place, (late, liar), entry.id, ballot)
    return entry, absent, present, proposals


@pytest.mark.parametrize("liars_turn", [0, 1])
def test_the_order_in_which_two_decisions_come_changes_nothing(liars_turn):
    base = reached(Kind.TURN, 3)
    others = [seat for seat in SEATS if seat != base.turn]
    liar, honest = others[liars_turn], others[1 - liars_turn]
    entry, *decisions, proposals = decided_twice(base, liar, honest)
    heads = set()
    for order in permutations((entry, *decisions, *proposals)):
        ledger = base.copy().ledger
        for record in order:
            match record:
                case Certificate():
                    ledger.certify(record)
                case _ if record is entry:
                    ledger.accept(entry)
                case _:
                    for found in ledger.vote(record):
                        ledger.convict(found.violation, *found.proof)
        assert set(ledger.convictions) == {liar}
        assert ledger.entry_at(entry.place) == entry
        heads.add(ledger.position.previous)
    assert len(heads) == 1


def in_company() -> tuple[Company, HonestTable, int]:
    """A session at the turn of another seat, and the third seat, which lies."""
    company = Company(0).go(Kind.TURN)
    late = company.table.turn
    (liar,) = set(SEATS) - {0, late}
    return company, company.table, liar


def test_a_node_gives_up_the_weaker_of_two_decisions_and_answers_it_with_the_stronger():
    company, table, liar = in_company()
    entry, absent, present, _ = decided_twice(table, liar, 0)
    session, step = company.session, table.position.step
    company.hear(absent)
    assert session.ledger.certificate_at(entry.place) == absent
    assert session.ledger.position.step > step
    company.hear(entry)
    company.hear(present)
    assert session.ledger.certificate_at(entry.place) == present
    assert set(session.ledger.convictions) == {liar}

    company, table, liar = in_company()
    company.hear(entry, present)
    answers = company.hear(absent)
    assert session.ledger.position.previous == company.session.ledger.position.previous
    sent = [e.message for e in answers if isinstance(e, Flood) and e.without is None]
    assert Records((encode_record(present),)) in sent
