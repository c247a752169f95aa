"""Sessions: disk before wire, nothing signed twice, nothing lost, nothing believed."""

import dataclasses

import pytest
from sim_records import replay
from simulator import Faults, Simulator
from table_setup import (
    QUIET,
    Company,
    all_at,
    at,
    flooded,
    forge,
    forge_leave,
    hand_in,
    jobs,
    signed,
    stored,
    table_at,
    told,
)

from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.moves import Pass
from p2pclimb.ledger import codec
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.table.effects import Flood, KeepEvidence, Records, Remember, Send, Store, Tell, Wake
from p2pclimb.table.jobs import CheckJob, DutyJob
from p2pclimb.table.notices import (
    Leaving,
    PeerFault,
    RuleBroken,
)


def is_own(sim: Simulator, seat: int, record: bytes) -> bool:
    entry = decode_record(record)
    return getattr(entry, "author", None) == seat


@pytest.mark.parametrize("seed", range(3))
def test_what_is_signed_is_guarded_and_logged_with_all_it_builds_on_before_it_is_sent(seed):
    sent = set()

    def observe(sim, seat, effect):
        if not isinstance(effect, Flood | Send) or not isinstance(effect.message, Records):
            return
        node = sim.nodes[seat]
        for record in effect.message.records:
            if is_own(sim, seat, record) and record not in sent:
                sent.add(record)
                on_disk = node.log[: node.synced]
                assert record in on_disk
                place = getattr(decode_record(record), "place", None)
                assert place is None or node.signed[place.key()] == record
                ledger = replay(on_disk[: on_disk.index(record)], sim.checks)
                assert place is None or ledger.position.previous == place.previous

    faults = Faults(latest=0.3, lost=0.05, doubled=0.2)
    sim = Simulator(seed, 2, {"deals": 1}, faults, observe=observe)
    sim.run()
    assert len(sent) > 30


def test_the_effects_of_a_signature_come_in_this_order():
    sim = table_at(Kind.TURN)
    seat = sim.nodes[0].session.ledger.position.waiting()[0]
    session = sim.nodes[seat].session
    stage = session.ledger.position.stage
    play = next(iter(stage.state.legal_plays(session.cards())))
    effects = session.play(play)
    kinds = [type(effect) for effect in effects[:3]]
    assert kinds == [Remember, Store, Flood]
    assert effects[1].sync
    assert effects[0].record == effects[1].record == effects[2].message.records[0]
    assert all(isinstance(effect, Tell | Wake) for effect in effects[3:])


def test_a_result_that_comes_twice_is_signed_once():
    sim = Simulator("twice", 2, {"deals": 1}, QUIET)
    session = sim.nodes[0].session
    (job,) = jobs(session.start())
    result = job.run()
    assert len(signed(session.done(job, result))) == 1
    assert session.done(job, result) == []


def test_a_play_out_of_turn_changes_nothing():
    sim = Simulator("early", 2, {"deals": 1}, QUIET)
    session = sim.nodes[0].session
    session.start()
    with pytest.raises(IllegalPlayError, match="turn"):
        session.play(Pass())
    sim = table_at(Kind.TURN)
    leader = sim.nodes[0].session.ledger.position.waiting()[0]
    before = sim.nodes[leader].session.ledger.position
    for seat, saying in ((leader, "leader may not pass"), (1 - leader, "turn")):
        with pytest.raises(IllegalPlayError, match=saying):
            sim.nodes[seat].session.play(Pass())
        assert sim.nodes[seat].session.ledger.position == before


# -- the shuffle that is made while the one before is being checked -------------------------


def first_shuffle() -> tuple[Simulator, bytes]:
    """The table before the first shuffle has come to the second seat, and that shuffle."""
    sim = table_at(Kind.SHUFFLE, seed="ahead")
    session = sim.nodes[0].session
    assert session.ledger.position.waiting() == (0,)
    job = DutyJob(session.seat, session.ledger.position, session._own.secrets, ())
    effects = session.done(job, job.run())
    (record,) = signed(effects)
    return sim, record


def ahead(sim: Simulator, record: bytes) -> tuple:
    session = sim.nodes[1].session
    effects = session.receive(sim.peers[0], [record])
    check, duty = jobs(effects)
    assert isinstance(check, CheckJob)
    assert isinstance(duty, DutyJob)
    return session, check, duty


def test_a_shuffle_is_made_ahead_and_signed_only_when_the_one_before_is_right():
    sim, record = first_shuffle()
    session, check, duty = ahead(sim, record)
    assert session.done(duty, duty.run()) == []
    effects = session.done(check, check.run())
    (own,) = signed(effects)
    assert [job.position.stage.kind for job in jobs(effects)] == [Kind.AGREE]
    assert decode_record(own).kind is Kind.SHUFFLE
    assert sim.nodes[0].session.ledger.standing(decode_record(own)).name == "OPEN"


def test_a_shuffle_that_was_not_ready_in_time_is_signed_when_it_is():
    sim, record = first_shuffle()
    session, check, duty = ahead(sim, record)
    effects = session.done(check, check.run())
    assert (signed(effects), jobs(effects)) == ([], [])
    assert len(signed(session.done(duty, duty.run()))) == 1


@pytest.mark.parametrize("first", ["duty", "check"])
def test_a_shuffle_made_ahead_of_a_bad_one_is_never_used(first):
    sim, record = first_shuffle()
    deck, proof = decode_record(record).body
    bad = forge(sim, 0, [deck[64:] + deck[:64], proof], ledger_of=1)
    session, check, duty = ahead(sim, encode_record(bad))
    order = (duty, check) if first == "duty" else (check, duty)
    effects = [effect for job in order for effect in session.done(job, job.run())]
    assert signed(effects) == []
    assert told(effects, RuleBroken)[0].violation.rule == "proof"
    assert session.ledger.convictions[0].violation.rule == "proof"


def test_a_shuffle_is_not_made_ahead_of_something_that_is_none():
    sim, _ = first_shuffle()
    bad = forge(sim, 0, ["nothing"], ledger_of=1)
    session, check, duty = ahead(sim, encode_record(bad))
    assert duty.run() is None
    assert session.done(duty, None) == []
    effects = session.done(check, check.run())
    assert told(effects, RuleBroken)[0].violation.rule == "form"


# -- early, late, double ------------------------------------------------------------------


def test_an_entry_that_comes_again_is_dropped_without_a_second_check():
    sim = table_at(Kind.SHUFFLE, seed="ahead")
    _, record = first_shuffle()
    session = sim.nodes[1].session
    first = session.receive(sim.peers[0], [record])
    assert [type(job) for job in jobs(first)] == [CheckJob, DutyJob]
    assert session.receive(sim.peers[0], [record, record]) == []
    check = jobs(first)[0]
    session.done(check, check.run())
    assert session.receive(sim.peers[0], [record]) == []


def test_entries_in_reverse_order_wait_for_each_other():
    company = Company(2).go(Kind.SHUFFLE)
    table, session = company.table, company.session
    shuffles = []
    for seat in (0, 1):
        shuffles.append(table.sign(seat))
        table.put(shuffles[-1])
    assert company.hear(shuffles[1]) == []
    assert company.hear(shuffles[1]) == []
    effects = company.hear(shuffles[0])
    assert [decode_record(record) for record in stored(effects)[:2]] == shuffles
    assert [decode_record(record).kind for record in signed(effects)] == [
        Kind.SHUFFLE,
        Kind.AGREE,
    ]
    assert session.ledger.position.heads == table.position.heads


def test_passed_on_records_go_to_everybody_but_the_one_they_came_from():
    sim, record = first_shuffle()
    effects = sim.nodes[1].session.receive(sim.peers[0], [record])
    (flood,) = [effect for effect in effects if isinstance(effect, Flood)]
    assert (flood.without, flood.message.records) == (sim.peers[0], (record,))


# -- hostile bytes ------------------------------------------------------------------------


def hostile_records(sim: Simulator) -> list[bytes]:
    session = sim.nodes[1].session
    terms = session.terms
    soon = session.ledger.position.step + 1
    good = forge(sim, 1, [0], ledger_of=0, step=soon, previous=bytes(32))
    shape = codec.decode(encode_record(good), 70_000)
    options = terms.options.to_wire()
    seat = [s := terms.seats[0], s.name, s.identity, s.curve, 0, True][1:]
    two = codec.encode([2, b"a", 1])
    lonely = codec.encode([1, bytes(16), options, [seat]])
    unknown = codec.encode([1, bytes(16), ["whist/1", []], [seat]])
    return [
        b"",
        b"\x00",
        b"\xc1" * 100,
        bytes(100_000),
        b"\x93" * 2000,
        encode_record(terms),
        codec.encode([0, lonely, b""]),
        codec.encode([0, unknown, b""]),
        codec.encode([1, two, bytes(64)]),
        codec.encode([9, shape[1], shape[2]]),
        codec.encode([1, shape[1], bytes(64)]),
        codec.encode([2, shape[1], shape[2]]),
        encode_record(forge(sim, 1, [0], ledger_of=0, table=bytes(32))),
        encode_record(good)[:-1] + b"\x00",
    ]


def test_bytes_that_prove_nothing_are_dropped_and_the_peer_is_named():
    sim = table_at(Kind.TURN)
    session = sim.nodes[0].session
    before = session.ledger.position
    hostile = hostile_records(sim)
    for data in hostile:
        (effect,) = session.receive(sim.peers[1], [data])
        assert effect == Tell(PeerFault(sim.peers[1], effect.notice.text))
    assert session.ledger.position == before
    sim.go_on()
    assert not any(node.session.ledger.convictions for node in sim.nodes)


def test_a_record_of_a_seat_that_is_not_at_the_table_is_dropped():
    sim = table_at(Kind.TURN)
    eight = table_at(Kind.OPEN, 8, "t")
    stranger = forge(eight, 7, [], ledger_of=0)
    (effect,) = hand_in(sim.nodes[0].session, sim.peers[1], stranger)
    assert isinstance(effect.notice, PeerFault)


def test_records_before_a_bad_one_are_taken_and_those_behind_it_are_dropped():
    sim, record = first_shuffle()
    session, peer = sim.nodes[1].session, sim.peers[0]
    (fault,) = session.receive(peer, [b"", record, b"\x00"])
    assert isinstance(fault.notice, PeerFault)
    effects = session.receive(peer, [record, b"", b"\x00"])
    assert len(told(effects, PeerFault)) == 1
    assert len(jobs(effects)) == 2


# -- offences -----------------------------------------------------------------------------


def offence_at_an_open_place(sim):
    seat = 0
    entry = forge(sim, seat, [bytes(32)] * 3, ledger_of=1)
    return [entry], "form"


def offence_at_a_filled_place(sim):
    known = sim.nodes[1].session.ledger.last[0]
    again = forge(
        sim,
        0,
        ["other"],
        step=known.step,
        previous=known.place.previous,
        kind=known.kind,
    )
    return [again], "equivocation"


def notice_below_a_signed_step(sim):
    known = sim.nodes[1].session.ledger.last[0]
    return [forge_leave(sim, 0, known.step)], "leave"


def two_notices(sim):
    step = sim.nodes[1].session.ledger.position.step
    return [forge_leave(sim, 0, step + 9), forge_leave(sim, 0, step + 8)], "leave"


def entry_after_a_notice(sim):
    step = sim.nodes[1].session.ledger.position.step
    return [
        forge_leave(sim, 0, step + 9),
        forge(sim, 0, [0], step=step + 10, previous=bytes(32)),
    ], "leave"


OFFENCES = [
    offence_at_an_open_place,
    offence_at_a_filled_place,
    notice_below_a_signed_step,
    two_notices,
    entry_after_a_notice,
]


@pytest.mark.parametrize("offence", OFFENCES)
def test_an_offence_convinces_all_others_and_they_play_on(offence):
    sim = Simulator("offence", 3, {"deals": 1}, QUIET, silent={0: at(Kind.REVEAL)})
    sim.run(all_at(Kind.REVEAL))
    records, rule = offence(sim)
    sim.inject(1, sim.peers[0], tuple(map(encode_record, records)))
    others = sim.nodes[1:]
    sim.go_on(lambda sim: all(node.session.ledger.ended for node in others))
    for node in others:
        ledger = node.session.ledger
        assert ledger.convictions[0].violation.rule == rule
        assert 0 not in ledger.position.match.seats
        assert set(map(encode_record, ledger.proofs())) <= set(node.log)
        assert len([n for n in node.told if isinstance(n, RuleBroken)]) == 1
        assert [n.order for n in node.told if isinstance(n, DealEnded)] != []
    assert len({node.session.ledger.position.previous for node in others}) == 1


def test_the_proof_of_an_offence_is_stored_before_it_is_passed_on_and_told():
    sim = table_at(Kind.REVEAL, 3, "offence")
    (entry,), _ = offence_at_a_filled_place(sim)
    session = sim.nodes[1].session
    known = session.ledger.last[0]
    effects = hand_in(session, sim.peers[0], entry)
    proof = (encode_record(known), encode_record(entry))
    first = [type(effect) for effect in effects[:5]]
    assert first == [Store, Store, Flood, KeepEvidence, Tell]
    assert tuple(stored(effects[:3])) == proof == tuple(flooded(effects[:3]))
    assert effects[3] == KeepEvidence(0, entry.step, proof)
    assert all(effect.sync for effect in effects[:2])


def test_a_second_body_convicts_while_the_first_is_being_checked():
    sim, record = first_shuffle()
    session, check, _ = ahead(sim, record)
    rival = forge(sim, 0, [b"", b""], ledger_of=1)
    effects = hand_in(session, sim.peers[0], rival)
    assert told(effects, RuleBroken)[0].violation.rule == "equivocation"
    assert {record, encode_record(rival)} <= set(flooded(effects))
    assert not told(session.done(check, check.run()), RuleBroken)
    assert session.ledger.position.away == {0}


def test_two_early_bodies_convict_when_their_step_comes():
    company = Company(2).go(Kind.COMMIT)
    table = company.table
    commits = [table.sign(seat) for seat in (0, 1)]
    table.put(*commits)
    company.hear(commits[0])
    reveal = table.sign(0)
    rival = table.sign(0, [*reveal.body[:2], bytes(64)])
    assert company.hear(reveal, rival) == []
    effects = company.hear(commits[1])
    assert told(effects, RuleBroken)[0].violation.rule == "equivocation"
    # What had filled its place before the offence was found is on disk all the same.
    assert encode_record(commits[1]) in stored(effects)
    assert list(company.session.ledger.proofs()) == [reveal, rival]


def test_a_notice_that_comes_while_its_authors_entry_is_being_checked_convicts():
    """The entry and the notice contradict each other; what is under way must not raise."""
    company = Company(2).go(Kind.REVEAL)
    table, session = company.table, company.session
    entry, notice = table.sign(0), table.leave(0)
    assert notice.step == entry.step
    (check,) = jobs(hand_in(session, company.peer, entry))
    effects = hand_in(session, company.peer, notice)
    assert not session.ledger.convictions
    assert told(effects, Leaving) == [Leaving(0)]
    effects = session.done(check, check.run())
    assert told(effects, RuleBroken)[0].violation.rule == "leave"
    assert list(session.ledger.proofs()) == [notice, entry]


def test_what_a_culprit_signs_after_its_offence_changes_nothing():
    company = Company(2).go(Kind.REVEAL)
    table, session = company.table, company.session
    good = table.sign(0)
    company.hear(table.sign(0, [bytes(32), bytes(32), bytes(64)]))
    assert session.ledger.convictions[0].violation.rule == "form"
    position = session.ledger.position
    company.hear(good)
    assert session.ledger.position == position


def test_an_honest_seat_is_never_convicted_by_what_a_peer_makes_up():
    """Only its own signatures speak against a seat."""
    company = Company(2).go(Kind.REVEAL)
    table, session = company.table, company.session
    entry = table.sign(1)
    stolen = dataclasses.replace(entry, signature=table.sign(0).signature)
    notice = dataclasses.replace(table.leave(1), signature=table.leave(0).signature)
    effects = [*company.hear(stolen), *company.hear(notice)]
    assert [type(effect.notice) for effect in effects] == [PeerFault, PeerFault]
    assert not session.ledger.convictions
    company.hear(entry)
    assert session.ledger.last[1] == entry


# -- leaving ------------------------------------------------------------------------------


def test_leaving_is_logged_before_it_is_sent_and_nothing_is_signed_afterwards():
    company = Company(2).go(Kind.REVEAL)
    table, session = company.table, company.session
    effects = session.leave()
    (record,) = flooded(effects)
    notice = decode_record(record)
    assert notice.step == 1 + table.ledger.last[2].step
    assert [type(effect) for effect in effects[:2]] == [Store, Flood]
    assert effects[0] == Store(record, sync=True)
    assert session.leave() == []
    table.put(notice)
    for _ in range(4):
        entry = table.sign(table.position.waiting()[0])
        table.put(entry)
        assert signed(company.hear(entry)) == []
    # Its shuffle would have been next: the others begin the deal anew without it.
    assert (session.ledger.position.stage.attempt, table.stage.attempt) == (1, 1)


def test_a_seat_whose_turn_it_is_leaves_from_this_turn_on():
    sim = table_at(Kind.TURN, 3, "leaving")
    seat = sim.nodes[0].session.ledger.position.waiting()[0]
    session = sim.nodes[seat].session
    step = session.ledger.position.step
    sim.do(seat, lambda session: session.leave())
    assert decode_record(sim.nodes[seat].log[-1]).step == step
    with pytest.raises(IllegalPlayError):
        session.play(Pass())
    sim.go_on()
    heads = {node.session.ledger.position.previous for node in sim.nodes}
    assert len(heads) == 1


def test_a_notice_that_comes_again_is_dropped():
    company = Company(2).go(Kind.REVEAL)
    notice = company.table.leave(0)
    assert stored(company.hear(notice)) == [encode_record(notice)]
    assert company.hear(notice, notice) == []
