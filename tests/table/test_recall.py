"""What a session knows again from its own log after a restart."""

from __future__ import annotations

import pytest
from cast_votes import late_place, promise
from honest_table import identity, seeded
from table_setup import Company, hand_in, jobs, stored, told

from p2pclimb.ledger.entry import Kind
from p2pclimb.seat.duties import Seat
from p2pclimb.table.effects import Effect
from p2pclimb.table.notices import RuleBroken
from p2pclimb.table.session import Session


class Logged(Company):
    """A session whose log is kept."""

    log: tuple[bytes, ...] = ()

    def work(self, effects: list[Effect]) -> list[Effect]:
        self.log += tuple(stored(effects))
        return super().work(effects)


@pytest.mark.parametrize("kind", ["entry", "leave"])
def test_a_seat_that_built_on_what_it_had_promised_away_stays_convicted(kind):
    company = Logged(0).go(Kind.COMMIT)
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
    again = Session(session.terms, Seat(0, seeded("again")), identity(0))
    again.resume([*company.log, *stored(effects)], {}, {})
    assert again.ledger.convictions.keys() == {2}
    assert again.ledger.position.heads == session.ledger.position.heads
