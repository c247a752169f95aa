"""What a session knows again from its own log after a restart."""

from __future__ import annotations

import pytest
from cast_votes import late_place, promise
from table_setup import Company, flooded, hand_in, jobs, stored, told

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.record import encode_record
from p2pclimb.table.notices import RuleBroken
from p2pclimb.table.sync import heads


@pytest.mark.parametrize("kind", ["entry", "leave"])
def test_a_seat_that_built_on_what_it_had_promised_away_stays_convicted(kind):
    company = Company(0).go(Kind.COMMIT)
    table, session = company.table, company.session
    company.hear(promise(table, late_place(table, 1), 2))
    for seat in (1, 2):
        commit = table.sign(seat)
        table.put(commit)
        company.hear(commit)
    effects = hand_in(session, company.peer, table.sign(2) if kind == "entry" else table.leave(2))
    for job in jobs(effects):
        effects += session.done(job, job.run())
    assert told(effects, RuleBroken)[0].violation.rule == "broken-promise"
    company.log += stored(effects)
    again = company.resumed()
    assert again.ledger.convictions.keys() == {2}
    assert again.ledger.position.heads == session.ledger.position.heads


def test_an_own_vote_that_stands_in_the_log_before_its_step_is_known_again():
    company = Company(0).go(Kind.COMMIT)
    vote = encode_record(promise(company.table, late_place(company.table, 1), 0))
    company.log.insert(1, vote)
    assert vote in flooded(company.resumed().greet(company.peer))


def test_whoever_comes_back_waits_no_longer_for_a_seat_that_has_gone_again():
    company = Company(0).go(Kind.COMMIT)
    again = company.resumed()
    again.reachable = (1, 2)
    peer = company.session.terms.seats[1].curve
    again.compare(peer, heads(company.session.ledger))
    again.tick()
    assert not again.may_sign
    again.reachable = (1,)
    again.tick()
    assert again.may_sign
