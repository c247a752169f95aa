"""What a session knows again from its own log after a restart."""

from __future__ import annotations

import pytest
from cast_votes import accept, late_place, promise
from table_setup import Company, flooded, hand_in, jobs, stored, told

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.ledger.votes import Promise
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


def test_whoever_comes_back_joins_the_votes_that_came_while_it_listened():
    company = Company(0).go(Kind.COMMIT)
    table = company.table
    late = late_place(table, 1)
    company.hear(table.sign(1))
    again = company.resumed()
    again.reachable = (1, 2)
    vote = promise(table, late, 2)
    assert encode_record(vote) in stored(hand_in(again, company.peer, vote))
    assert stored(hand_in(again, company.peer, vote)) == []
    stands = heads(again.ledger)
    for seat, is_last in ((1, False), (2, True)):
        effects = again.compare(table.ledger.terms.seats[seat].curve, stands)
        votes = [decode_record(record) for record in stored(effects)]
        joined = [v for v in votes if isinstance(v, Promise) and v.vote.signer == 0]
        assert len(joined) == is_last


def test_a_decision_that_a_crash_kept_out_of_the_log_is_made_again():
    company = Company(0).go(Kind.COMMIT)
    table = company.table
    late = late_place(table, 1)
    company.log += [encode_record(accept(table, late, seat)) for seat in (0, 2)]
    again = company.resumed()
    again.reachable = (2,)
    effects = again.compare(table.ledger.terms.seats[2].curve, heads(again.ledger))
    certificate = again.ledger.certificate_at(late)
    assert certificate is not None
    assert encode_record(certificate) in stored(effects)
