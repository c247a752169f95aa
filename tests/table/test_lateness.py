"""What a session does when a seat is late, and what it tells of it."""

import pytest
from cast_votes import accept, certificate, late_place, pause, promise
from simulator import Simulator
from table_setup import QUIET, Company, all_at, at, hand_in, told

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import Missed
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import decode_record
from p2pclimb.ledger.votes import Promise
from p2pclimb.table.effects import BallotLate, Effect, EnoughWaited, StepLate, Store, Wake
from p2pclimb.table.lateness import seconds_for
from p2pclimb.table.notices import (
    NextDealWaits,
    NoMajority,
    Notice,
    PauseHeld,
    RuleBroken,
    TimeRuns,
    VoteStands,
)
from p2pclimb.table.session import Session


def late_at(kind: Kind, seats: int, **settings: object) -> Simulator:
    """A table in which seat 0 falls silent when a step of this kind begins."""
    sim = Simulator("late", seats, {"deals": 1, **settings}, QUIET, silent={0: at(kind)})
    sim.run(all_at(kind))
    return sim


def test_the_time_of_a_step_is_told_and_measured_once():
    seen = []
    sim = Simulator(
        "clock", 2, {"turn_seconds": 7, "duty_seconds": 5}, QUIET, observe=lambda *e: seen.append(e)
    )
    sim.run(all_at(Kind.TURN))
    wakes = [
        (seat, e.seconds, e.alarm.head)
        for _, seat, e in seen
        if isinstance(e, Wake) and isinstance(e.alarm, StepLate)
    ]
    assert len(wakes) == len(set(wakes))
    position = sim.nodes[1].session.ledger.position
    assert (1, 7, position.previous) in wakes
    assert {seconds for _, seconds, _ in wakes} == {5, 7}
    assert seconds_for(position.stage, sim.terms.options) == 7
    last = [n for n in sim.nodes[1].told if isinstance(n, TimeRuns)][-1]
    assert last == TimeRuns(position.waiting(), 7)


def test_a_majority_passes_over_a_late_seat_and_shows_its_vote():
    sim = late_at(Kind.REVEAL, 4)
    sim.go_on(lambda sim: all(n.session.ledger.ended for n in sim.nodes[1:]))
    for node in sim.nodes[1:]:
        assert [n for n in node.told if isinstance(n, Missed)] == [Missed(0, Kind.REVEAL, 1)]
        votes = [n for n in node.told if isinstance(n, VoteStands)]
        assert {vote.seat for vote in votes} == {0}
        assert max(len(vote.promised) for vote in votes) == 3
        assert not [n for n in node.told if isinstance(n, NoMajority)]


def test_two_players_wait_for_each_other_and_are_told_so():
    sim = late_at(Kind.REVEAL, 2)
    session, step = sim.nodes[1].session, sim.nodes[1].session.ledger.position.step
    session.reachable = ()
    effects = session.time_up(StepLate(session.ledger.position.previous))
    assert told(effects, NoMajority) == [NoMajority((1,), (0, 1))]
    assert session.ledger.position.step == step


def test_the_clock_of_a_step_that_went_by_does_nothing():
    sim = late_at(Kind.REVEAL, 3)
    session = sim.nodes[1].session
    before = session.ledger.position.heads[session.ledger.position.step - 1]
    assert session.time_up(StepLate(before)) == []


def test_an_accept_in_a_decision_convicts_as_it_would_alone():
    company = Company(0).go(Kind.COMMIT)
    late = late_place(company.table, 1)
    hand_in(company.session, company.peer, accept(company.table, late, 2, bytes(32)))
    effects = hand_in(company.session, company.peer, certificate(company.table, late, [1, 2]))
    assert told(effects, RuleBroken)[0].violation.rule == "two-accepts"


def ballot_clocks(effects: list[Effect]) -> list[BallotLate]:
    wakes = [each.alarm for each in effects if isinstance(each, Wake)]
    return [alarm for alarm in wakes if isinstance(alarm, BallotLate)]


def test_a_ballot_has_one_clock_which_runs_again_while_it_is_undecided():
    sim = late_at(Kind.REVEAL, 4)
    session = sim.nodes[1].session
    late = Place(session.ledger.position.step, session.ledger.position.previous, 0)
    clocks = ballot_clocks(session.time_up(StepLate(late.previous)))
    assert clocks.count(BallotLate(late, 1)) == 1
    assert ballot_clocks(session.time_up(BallotLate(late, 1))) == [BallotLate(late, 1)]


def test_after_a_restart_the_clocks_of_undecided_ballots_run_again():
    """Also of places of earlier steps, for which nobody waits any more."""
    company = Company(0, 4).go(Kind.COMMIT)
    table, session = company.table, company.session
    late = late_place(table, 1)
    company.work(session.time_up(StepLate(late.previous)))
    for seat in (1, 2, 3):
        commit = table.sign(seat)
        table.put(commit)
        company.hear(commit)
    again = company.resumed()
    assert again.ledger.position.step == late.step + 1
    assert BallotLate(late, 1) in ballot_clocks(again.time_up(EnoughWaited()))


def test_while_a_pause_holds_nothing_is_promised_away():
    company = Company(0).go(Kind.COMMIT)
    table, session = company.table, company.session
    late = late_place(table, 1)
    hand_in(session, company.peer, pause(table, 1), pause(table, 2))
    hand_in(session, company.peer, promise(table, late, 2))
    assert signed_promises(session.time_up(StepLate(late.previous))) == []
    hand_in(session, company.peer, pause(table, 1, asks=False))
    assert set(signed_promises(session.time_up(StepLate(late.previous)))) == {None}


def test_a_pause_does_not_hold_up_a_vote_on_what_has_come_meanwhile():
    """Whoever promised it away before the pause could sign nothing more until it is decided."""
    company = Company(0).go(Kind.COMMIT)
    table, session = company.table, company.session
    late, commit = late_place(table, 1), table.sign(1)
    company.hear(commit)
    hand_in(session, company.peer, pause(table, 1), pause(table, 2))
    effects = hand_in(session, company.peer, promise(table, late, 2))
    assert signed_promises(effects) == [(0, commit.id)]


def signed_promises(effects: list[Effect]) -> list[tuple[int, bytes] | None]:
    """What the promises state that seat 0 signs."""
    stored = [decode_record(each.record) for each in effects if isinstance(each, Store)]
    promises = [record for record in stored if isinstance(record, Promise)]
    return [promise.accepted for promise in promises if promise.vote.signer == 0]


def test_a_pause_that_the_log_knows_is_told_again_after_a_restart():
    company = Company(0).go(Kind.COMMIT)
    company.hear(pause(company.table, 1), pause(company.table, 2))
    session = company.session
    effects = Session(session.terms, session.seat, session.identity).resume(company.log, {}, {})
    assert told(effects, PauseHeld) == [PauseHeld((1, 2), True, (0, 1, 2))]


class Break(Simulator):
    """A table of four whose first `ready` seats alone go on to the second deal."""

    def __init__(self, ready: int) -> None:
        super().__init__("break", 4, {"deals": 2, "turn_seconds": 9, "between": 0}, QUIET)
        self.ready = ready

    def _react(self, seat: int, notice: Notice) -> None:
        if not isinstance(notice, NextDealWaits) or seat < self.ready:
            super()._react(seat, notice)

    def missed(self) -> list[Missed]:
        return [n for node in self.nodes for n in node.told if isinstance(n, Missed)]


@pytest.mark.parametrize("ready", [0, 1, 2])
def test_a_break_between_deals_lasts_until_a_majority_is_ready(ready):
    sim = Break(ready)
    sim.run(lambda sim: sim.clock > 500)
    for node in sim.nodes:
        position = node.session.ledger.position
        assert (position.stage.kind, position.stage.deal) == (Kind.COMMIT, 2)
        assert len(position.fillings) == ready
    assert sim.missed() == []


def test_when_a_majority_is_ready_for_the_next_deal_the_others_time_runs():
    sim = Break(3)
    sim.run(lambda sim: all_at(Kind.SHUFFLE)(sim) and sim.missed() != [])
    assert sim.missed() == [Missed(3, Kind.COMMIT, 1)] * 4
    for node in sim.nodes:
        assert TimeRuns((3,), 9.0) in node.told


def test_two_players_pass_over_one_who_is_here_and_does_not_decide():
    """Of a decision of its player a node is a witness like any other."""
    sim = Simulator("idle", 2, {"deals": 1, "turn_seconds": 9}, QUIET)
    sim.run(all_at(Kind.TURN))
    idle = sim.nodes[0].session.ledger.position.waiting()[0]
    step = sim.nodes[idle].session.ledger.position.step
    sim._play = lambda seat: None  # nobody's player does anything
    sim.go_on(lambda sim: all(n.session.ledger.position.step > step for n in sim.nodes))
    for node in sim.nodes:
        assert [n for n in node.told if isinstance(n, Missed)] == [Missed(idle, Kind.TURN, 1)]
