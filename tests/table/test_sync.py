"""Repair of gaps, forks that come to light, and the bounds of what waits."""

import dataclasses
import math

import pytest
from cast_votes import certificate
from honest_table import reached
from simulator import Simulator
from table_setup import (
    QUIET,
    Company,
    all_at,
    at,
    forge,
    hand_in,
    jobs,
    table_at,
    told,
)

from p2pclimb.errors import ViolationError
from p2pclimb.ledger.entry import MAX_ENTRY_SIZE, MAX_TRIBUTE_SIZE, Kind
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.table.effects import Heads, Records
from p2pclimb.table.notices import PeerFault, RuleBroken
from p2pclimb.table.pool import MAX_AHEAD, MAX_WAITING, Pool
from p2pclimb.table.sync import MAX_BATCH, MAX_MESSAGES, answer, heads


def records_of(messages: list) -> list:
    return [decode_record(r) for m in messages if isinstance(m, Records) for r in m.records]


def test_large_proofs_leave_room_for_what_a_seat_that_comes_back_lacks():
    table = reached(Kind.TURN, 3)
    liar = (table.turn + 1) % 3
    body, kind = [bytes(4 * MAX_ENTRY_SIZE - 1000)], Kind.TRIBUTE
    both = [table.sign(liar, body, kind=kind, counter=1000 + n) for n in (1, 2)]
    table.ledger.convict(table.ledger.equivocation(both[0]), *both)
    behind = reached(Kind.COMMIT, 3).ledger
    step = behind.position.step
    sent = records_of(answer(table.ledger, heads(behind)))
    assert all(each in sent for each in both)
    for record in sent:
        if record not in both:
            behind.accept(record)
    assert behind.position.step > step


def test_proofs_that_one_answer_cannot_carry_come_with_the_next():
    """Two culprits, and the proof of each fills more than half of what goes beside the history."""
    company = Company(0, 5).go(Kind.COMMIT)
    table, ledger = company.table, company.session.ledger
    body, kind = [bytes(4 * MAX_ENTRY_SIZE - 1000)], Kind.TRIBUTE
    proofs = []
    for liar in (1, 2):
        both = [table.sign(liar, body, kind=kind, counter=1000 + n) for n in (1, 2)]
        ledger.convict(ledger.equivocation(both[0]), *both)
        proofs += both
    behind = heads(Ledger(table.ledger.terms))
    sent = [company.session.compare(company.peer, behind) for _ in proofs[:2]]
    carried = [records_of([effect.message for effect in effects]) for effects in sent]
    assert all(any(proof in records for records in carried) for proof in proofs)
    assert not any(all(proof in records for proof in proofs) for records in carried)


def test_a_node_that_is_behind_gets_exactly_what_it_lacks():
    table = reached(Kind.CLOSE, 3)
    behind = Ledger(table.ledger.terms)
    for count, record in enumerate(table.records):
        if record.step >= table.ledger.first_step:
            messages = answer(table.ledger, heads(behind))
            missing = [*table.records[count:]]
            assert records_of(messages) == missing[: len(records_of(messages))]
            assert all(isinstance(message, Records) for message in messages)
        behind.accept(record)
    assert answer(table.ledger, heads(behind)) == []


def test_an_answer_is_cut_into_messages_of_bounded_size_and_number(monkeypatch):
    monkeypatch.setattr("p2pclimb.table.sync.MAX_MESSAGES", 4)
    table = reached(Kind.CLOSE, 8, "large", deal="all")
    messages = answer(table.ledger, heads(Ledger(table.ledger.terms)))
    assert len(messages) == 4
    for message in messages:
        assert sum(map(len, message.records)) <= MAX_BATCH
    kept = [record for record in table.records if record.step >= table.ledger.first_step]
    assert records_of(messages) == kept[: len(records_of(messages))]


def test_a_record_larger_than_a_message_is_sent_alone_and_counts_by_its_size(monkeypatch):
    table = reached(Kind.CLOSE, 8, "large", deal="all")
    tribute = table.records[len(table.records) // 4]
    large = bytes(200_000)
    monkeypatch.setattr(
        "p2pclimb.table.sync.encode_record",
        lambda record: large if record == tribute else encode_record(record),
    )
    behind, carried = Ledger(table.ledger.terms), []
    while large not in carried:
        messages = answer(table.ledger, heads(behind))
        carried = [record for message in messages for record in message.records]
        sizes = [sum(map(len, message.records)) for message in messages]
        assert all(size <= MAX_BATCH or size == len(large) for size in sizes)
        assert sum(math.ceil(size / MAX_BATCH) for size in sizes) <= MAX_MESSAGES
        assert carried
        count = next(n for n, r in enumerate(table.records) if r.step >= behind.position.step)
        for record in table.records[count:][: len(carried)]:
            if behind.standing(record) is Standing.OPEN:
                behind.accept(record)


def test_a_node_that_is_ahead_is_told_where_this_one_stands():
    table = reached(Kind.TURN, 2)
    behind = Ledger(table.ledger.terms)
    assert answer(behind, heads(table.ledger)) == [heads(behind)]


def test_notices_are_always_passed_on():
    table = reached(Kind.TURN, 3)
    seat = next(seat for seat in range(3) if seat != table.turn)
    notice = table.leave(seat)
    before = heads(table.ledger)
    table.put(notice)
    assert records_of(answer(table.ledger, before)) == [notice]
    filled = dataclasses.replace(before, filled=(seat,))
    assert notice in records_of(answer(table.ledger, filled))


def test_two_nodes_that_each_lack_something_do_not_ask_each_other_in_a_circle():
    """Both send what they have; asking back would go on until the proofs are checked."""
    base = reached(Kind.COMMIT, 3)
    one, two = base.copy(), base.copy()
    one.put(one.sign(0))
    two.put(two.sign(1))
    for mine, theirs in ((one, two), (two, one)):
        messages = answer(mine.ledger, heads(theirs.ledger))
        assert [type(message) for message in messages] == [Records]
    assert answer(base.ledger, heads(one.ledger)) == [heads(base.ledger)]


def test_comparing_comes_to_an_end():
    """Whatever two nodes have, a few messages after one comparison nobody says anything."""
    base = reached(Kind.COMMIT, 4)
    ledgers = []
    for seats in ((0, 1), (1, 2, 3), (), (0, 1, 2, 3)):
        table = base.copy()
        table.put(*(table.sign(seat) for seat in seats))
        ledgers.append(table.ledger)
    for mine in ledgers:
        for theirs in ledgers:
            messages, sides, count = [heads(theirs)], (mine, theirs), 0
            while messages and count < 10:
                asked = [m for m in messages if isinstance(m, Heads)]
                messages = [a for m in asked for a in answer(sides[0], m)]
                sides, count = sides[::-1], count + 1
            assert count <= 3


def test_proofs_of_offences_reach_nodes_that_are_behind_level_and_ahead():
    table = reached(Kind.TURN, 2)
    bad = table.sign(table.turn, [0, 0])
    with pytest.raises(ViolationError) as caught:
        table.copy().ledger.accept(bad)
    ahead = table.copy()
    ahead.go(lambda t: t.position.step > table.position.step + 2)
    others = (Ledger(table.ledger.terms), table.copy().ledger, ahead.ledger)
    table.ledger.convict(caught.value, bad)
    for other in others:
        assert bad in records_of(answer(table.ledger, heads(other)))


# -- split views --------------------------------------------------------------------------


def split_view(sim: Simulator) -> None:
    """Seat 0 says one thing to seat 1 and another to seat 2; nothing of it is passed on."""
    step = sim.nodes[1].session.ledger.position.step
    for victim, counter in ((1, 700), (2, 701)):
        session = sim.nodes[victim].session
        entry = forge(sim, 0, [bytes([counter % 256]) * 32], ledger_of=victim, counter=counter)
        (check,) = jobs(hand_in(session, sim.peers[0], entry))
        session.done(check, check.run())
        assert session.ledger.entry_at(entry.place) == entry
        assert entry.step == step


def test_row_15_a_split_view_comes_to_light_and_no_share_leaves_an_honest_seat():
    sim = Simulator("split", 3, {"deals": 1}, QUIET, silent={0: at(Kind.COMMIT)})
    sim.run(all_at(Kind.COMMIT))
    split_view(sim)
    sim.go_on(lambda sim: all(sim.nodes[n].session.ledger.convictions for n in (1, 2)))
    for node in sim.nodes[1:]:
        assert node.session.ledger.convictions[0].violation.rule == "equivocation"
        signed = [decode_record(record) for record in node.signed.values()]
        assert not {Kind.SHARES, Kind.AGREE} & {r.kind for r in signed if r.attempt == 0}


def test_two_histories_are_told_by_their_heads_when_no_record_got_through():
    """Both nodes went on, each on its own branch; their comparison alone convicts the liar."""
    base = reached(Kind.COMMIT, 3)
    honest = [base.sign(seat) for seat in (1, 2)]
    one, two = base.copy(), base.copy()
    one.put(*honest, one.sign(0))
    two.put(*honest, two.sign(0, [bytes(32)]))
    assert one.position.step == two.position.step
    assert one.position.previous != two.position.previous
    for mine, theirs in ((one, two), (two, one)):
        received = records_of(answer(mine.ledger, heads(theirs.ledger)))
        found = []
        for record in received:
            try:
                theirs.ledger.standing(record)
            except ViolationError as error:
                found.append(error.rule)
        assert found == ["equivocation"]


def test_a_leave_notice_against_an_entry_is_told_by_comparing():
    base = reached(Kind.REVEAL, 3)
    one, two = base.copy(), base.copy()
    one.put(one.sign(0))
    notice = two.leave(0)
    two.put(notice)
    assert notice in records_of(answer(two.ledger, heads(one.ledger)))
    with pytest.raises(ViolationError, match="had signed"):
        one.ledger.notice(notice)


def test_a_peer_that_makes_up_a_head_gets_a_bounded_answer():
    table = reached(Kind.CLOSE, 8, "large", deal="all")
    for step in (0, 1, table.position.step // 2, table.position.step):
        lie = Heads(step, bytes(32), (0, 1, 2))
        messages = answer(table.ledger, lie)
        assert len([m for m in messages if isinstance(m, Records)]) <= MAX_MESSAGES


# -- what waits ---------------------------------------------------------------------------


def early(author: int, number: int, size: int, step: int = 10):
    table = reached(Kind.COMMIT)
    return table.sign(author, [bytes(size), number], step=step, previous=bytes(32))


def test_a_flood_of_early_entries_of_one_seat_is_bounded_and_harms_no_other():
    pool = Pool()
    for number in range(40):
        pool.add(early(0, number, 10_000), 0)
    kept = [entry for entry in pool.take([bytes(32)], 0) if entry.author == 0]
    assert sum(len(entry.signed) for entry in kept) <= MAX_WAITING
    assert len(kept) == MAX_WAITING // 10_200
    for number in range(40):
        pool.add(early(0, number, 10_000), 0)
    other = early(1, 0, 10_000)
    pool.add(other, 0)
    assert other in pool
    assert other in pool.take([bytes(32)], 0)


def test_made_up_certificates_take_no_room_of_the_seat_that_they_are_about():
    pool, table = Pool(), reached(Kind.COMMIT, 3)
    for number in range(2000):
        place = Place(10, number.to_bytes(32, "big"), 0)
        pool.add(certificate(table, place, ()), 0)
        pool.add(certificate(table, place, (2,)), 0)
    waiting = pool.take([number.to_bytes(32, "big") for number in range(2000)], 0)
    assert all(each.accepts for each in waiting)
    for number in range(2000):
        pool.add(certificate(table, Place(10, number.to_bytes(32, "big"), 0), (2,)), 0)
    for other in (early(0, 0, 10_000), certificate(table, Place(10, bytes(32), 0), (0, 2))):
        pool.add(other, 0)
        assert other in pool


def test_there_is_room_again_when_entries_have_been_taken():
    pool = Pool()
    for round_number in range(3):
        for number in range(40):
            pool.add(early(0, number, 10_000, step=round_number), round_number)
        assert len(pool.take([bytes(32)], 0)) == MAX_WAITING // 10_200


def test_entries_far_ahead_are_not_kept():
    pool = Pool()
    near, far = early(0, 0, 10, step=5 + MAX_AHEAD), early(0, 1, 10, step=6 + MAX_AHEAD)
    pool.add(near, 5)
    pool.add(far, 5)
    assert near in pool
    assert far not in pool


def test_the_same_entry_takes_its_room_once():
    pool = Pool()
    entry = early(0, 0, 60_000)
    for _ in range(10):
        pool.add(entry, 0)
    second = early(0, 1, 60_000)
    pool.add(second, 0)
    assert {e.signed for e in pool.take([bytes(32)], 0)} == {entry.signed, second.signed}


def test_records_wait_for_their_head_until_their_step_is_settled():
    pool = Pool()
    entries = [early(0, n, 10, step=n) for n in (3, 4, 9)]
    for entry in entries:
        pool.add(entry, 0)
    assert pool.take([b"h" * 32], 3) == []
    assert pool.take([b"h" * 32], 5) == entries[:2]
    assert pool.take([bytes(32)], 5) == entries[2:]


def test_the_largest_tribute_can_wait_with_the_rest_of_its_author_s_deal():
    pool = Pool()
    tribute = early(0, 0, MAX_TRIBUTE_SIZE - 200)
    others = [early(0, number, 60_000) for number in (1, 2)]
    for entry in (tribute, *others):
        pool.add(entry, 0)
    assert pool.take([bytes(32)], 0) == [tribute, *others]
    second = early(0, 3, MAX_TRIBUTE_SIZE - 200)
    for entry in (tribute, second):
        pool.add(entry, 0)
    assert pool.take([bytes(32)], 0) == [tribute]


def test_a_whole_honest_deal_fits_into_the_pool():
    for seats in (2, 8):
        table = reached(Kind.TURN, seats, "large", deal="all")
        for seat in range(seats):
            size = sum(len(r.signed) for r in table.records if r.author == seat)
            assert size < MAX_WAITING


def test_a_flood_does_not_keep_the_table_from_going_on():
    sim = Simulator("flood", 2, {"deals": 1}, QUIET)
    sim.run(all_at(Kind.COMMIT))
    session = sim.nodes[0].session
    step = session.ledger.position.step
    for number in range(300):
        entry = forge(sim, 1, [bytes(5_000), number], step=step + 3, previous=bytes(32))
        assert hand_in(session, sim.peers[1], entry) == []
    assert sum(session._reception.pool._sizes.values()) <= MAX_WAITING
    sim.go_on()
    assert not any(node.session.ledger.convictions for node in sim.nodes)


def test_many_notices_are_one_offence():
    company = Company(2).go(Kind.REVEAL)
    step = company.table.position.step
    notices = [company.table.leave(0, step + 5 + n) for n in range(50)]
    effects = company.hear(*notices)
    assert len(list(company.session.ledger.proofs())) <= 3
    assert len(told(effects, RuleBroken)) == 1
    assert not told(effects, PeerFault)


def test_records_of_two_forms_are_told_apart_before_signatures_are_verified(monkeypatch):
    """What is known costs a look-up: a flood of repetitions is cheap."""
    sim = table_at(Kind.TURN)
    session = sim.nodes[0].session
    log = sim.nodes[1].log[1:]

    def verified(*_):
        raise AssertionError("a known record was verified again")

    monkeypatch.setattr("p2pclimb.ledger.entry.verify_signature", verified)
    assert session.receive(sim.peers[1], log * 3) == []


def test_a_flood_of_entries_that_find_no_place_is_not_even_verified(monkeypatch):
    """Settled, or too far ahead: a peer can send more of them than a node can verify."""
    sim = table_at(Kind.TURN)
    session = sim.nodes[0].session
    step = session.ledger.position.step
    useless = [
        encode_record(forge(sim, 1, [number], step=there, previous=bytes(32)))
        for number in range(20)
        for there in (0, step + MAX_AHEAD + 1)
    ]

    def verified(*_):
        raise AssertionError("a record that changes nothing was verified")

    monkeypatch.setattr("p2pclimb.ledger.entry.verify_signature", verified)
    assert session.receive(sim.peers[1], useless) == []


def test_early_entries_are_not_verified_once_their_author_has_too_many(monkeypatch):
    sim = table_at(Kind.TURN)
    session = sim.nodes[0].session
    step = session.ledger.position.step + 3
    for number in range(MAX_WAITING // 10_000):
        entry = forge(sim, 1, [bytes(9_900), number], step=step, previous=bytes(32))
        hand_in(session, sim.peers[1], entry)
    verified = []
    monkeypatch.setattr("p2pclimb.ledger.entry.verify_signature", lambda *_: verified.append(1))
    one_more = encode_record(forge(sim, 1, [bytes(9_900), -1], step=step, previous=bytes(32)))
    assert session.receive(sim.peers[1], [one_more]) == []
    assert verified == []


def test_a_peer_that_makes_up_a_head_does_not_have_a_long_history_encoded(monkeypatch):
    """Heads are short and may come five times a second; a history may have megabytes."""
    table = reached(Kind.CLOSE, 8, "large", deal="all")
    encoded = []

    def counted(record):
        encoded.append(record)
        return bytes(MAX_BATCH // 2)

    monkeypatch.setattr("p2pclimb.table.sync.encode_record", counted)
    answer(table.ledger, Heads(table.position.step, bytes(32), ()))
    assert len(encoded) <= 2 * (MAX_MESSAGES + 1) + 1
