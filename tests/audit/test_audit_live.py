"""Whom live nodes convict, an audit of their logs convicts, and both go on alike."""

import pytest
from simulator import Simulator, seeded_entropy

from p2pclimb.audit.audit import audit
from p2pclimb.crypto.identity import Identity
from p2pclimb.ledger.entry import Kind, sign_entry, sign_leave
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import encode_record


def entry_of(sim, place, kind, counter, body):
    """Return an entry signed by the place's author."""
    identity = Identity.new(seeded_entropy((sim.seed, "identity", place.author)))
    return encode_record(
        sign_entry(
            identity,
            table=sim.terms.table_id,
            deal=1,
            attempt=0,
            place=place,
            counter=counter,
            kind=kind,
            body=body,
        )
    )


def rival(sim):
    """Seat 1 signs another body for a place that it has filled."""
    last = sim.nodes[0].session.ledger.last[1]
    return entry_of(sim, last.place, last.kind, last.counter + 50, [0])


def pass_of_a_leader(sim):
    """Seat 1 passes though it is to lead."""
    position = sim.nodes[0].session.ledger.position
    return entry_of(sim, Place(position.step, position.previous, 1), Kind.TURN, 900, [0])


def notice_of_the_past(sim):
    """Seat 1 leaves from a step on that it has signed."""
    ledger = sim.nodes[0].session.ledger
    identity = Identity.new(seeded_entropy((sim.seed, "identity", 1)))
    step = ledger.last[1].step
    return encode_record(
        sign_leave(
            identity,
            table=ledger.position.table,
            deal=1,
            step=step,
            author=1,
            counter=900,
            head=ledger.position.previous,
        )
    )


def seat_1_is_to_lead(sim):
    position = sim.nodes[0].session.ledger.position
    if position.stage.kind is not Kind.TURN or position.waiting() != (1,):
        return False
    return position.stage.state.table is None


@pytest.mark.parametrize("offence", [rival, pass_of_a_leader, notice_of_the_past])
def test_the_log_of_a_table_that_goes_on_convicts_whom_the_nodes_convicted(offence):
    sim = Simulator("live", 3)
    sim.run(seat_1_is_to_lead)
    sim.inject(0, sim.peers[1], (offence(sim),))
    sim.go_on(lambda sim: all(1 in node.session.ledger.convictions for node in sim.nodes[::2]))
    sim.go_on(lambda sim: sim.nodes[0].session.ledger.position.stage.kind is Kind.CLOSE)
    for node in sim.nodes[::2]:
        ledger = node.session.ledger
        report = audit(node.log)
        (finding,) = [finding for finding in report.findings if finding.proved]
        assert (finding.seat, finding.rule) == (1, ledger.convictions[1].violation.rule)
        assert report.exit_code == 1
        assert report.end.head == ledger.position.previous
