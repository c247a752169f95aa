"""Which peers are up, in what order events come, and over what is sent."""

import asyncio

import pytest
from link_harness import at

from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission
from p2pclimb.net.diagnosis import Cause, Diagnosis
from p2pclimb.net.frames import Join
from p2pclimb.net.gate import MAX_GUESTS, Gate, Rate
from p2pclimb.net.sockets import Delivery
from p2pclimb.net.switchboard import (
    Incoming,
    LinkDown,
    LinkUp,
    Reached,
    Switchboard,
    Trouble,
)
from p2pclimb.net.wire import encode_frame

ANA, BINH = b"a" * 32, b"b" * 32
HEADS = encode_frame(at(7))
JOIN_FRAME = Join(b"l" * 16, b"s" * 16, "Ana", b"i" * 32, b"g" * 64, (), False)
HOME = Address("192.0.2.7", 5)


class FakeCarrier:
    def __init__(self, delivery=Delivery.QUEUED):
        self.delivery = delivery
        self.sent = []

    def send(self, data):
        self.sent.append(data)
        return self.delivery


def switchboard(*listed, lobby_open=False):
    admission = Admission(listed, lobby_open=lobby_open)
    board = Switchboard(admission, Gate(admission, Rate(1e6, 1e6)), clock=lambda: 0.0)
    return board, admission


def events(board):
    async def drain():
        return [await board.next_event() for _ in range(board._events.qsize())]

    return asyncio.run(drain())


def test_a_peer_comes_up_with_its_first_valid_frame_and_down_with_its_last_carrier():
    board, _ = switchboard(ANA)
    ours, theirs = FakeCarrier(), FakeCarrier()
    board.reached(ANA, ours)
    assert board.peers() == frozenset()
    assert board.received(ANA, theirs, [HEADS], None)
    assert board.received(ANA, ours, [HEADS], HOME)
    assert board.peers() == {ANA}
    board.lost(ANA, theirs)
    assert board.peers() == {ANA}
    board.lost(ANA, ours)
    board.lost(ANA, ours)
    assert board.peers() == frozenset()
    said = Incoming(ANA, at(7))
    assert events(board) == [Reached(ANA), LinkUp(ANA), said, said, LinkDown(ANA)]


def test_an_invalid_frame_does_not_bring_a_peer_up():
    board, _ = switchboard(ANA)
    assert not board.received(ANA, FakeCarrier(), [b"nonsense"], HOME)
    assert not board.received(ANA, FakeCarrier(), [HEADS, HEADS], HOME)
    assert board.peers() == frozenset()
    assert {type(event) for event in events(board)} == {Trouble}
    assert not board.send(ANA, HEADS)


def test_last_words_of_a_connection_that_is_gone_count_but_do_not_bring_up():
    board, _ = switchboard(ANA)
    assert board.received(ANA, None, [HEADS], None)
    assert events(board) == [Incoming(ANA, at(7))]
    assert board.peers() == frozenset()


def test_sending_prefers_the_carrier_heard_last_and_falls_back():
    board, _ = switchboard(ANA)
    older, newer = FakeCarrier(), FakeCarrier()
    board.received(ANA, older, [HEADS], None)
    board.received(ANA, newer, [HEADS], None)
    assert board.send(ANA, b"1")
    newer.delivery = Delivery.BEHIND
    assert board.send(ANA, b"2")
    newer.delivery = Delivery.GONE
    assert board.send(ANA, b"3")
    assert newer.sent == [b"1", b"2", b"3"]
    assert older.sent == [b"2", b"3"]


def test_a_connection_that_takes_nothing_is_lost_when_its_last_words_are_read_and_not_before():
    board, _ = switchboard(ANA)
    gone = FakeCarrier()
    board.received(ANA, gone, [HEADS], None)
    gone.delivery = Delivery.GONE
    assert not board.send(ANA, b"1")
    board.received(ANA, gone, [HEADS], None)
    board.lost(ANA, gone)
    assert events(board) == [LinkUp(ANA), *[Incoming(ANA, at(7))] * 2, LinkDown(ANA)]


def test_a_removed_peer_is_neither_up_nor_sent_to():
    board, admission = switchboard(ANA)
    carrier = FakeCarrier()
    board.received(ANA, carrier, [HEADS], None)
    admission.remove(ANA)
    assert board.peers() == frozenset()
    assert not board.send(ANA, HEADS)
    assert not board.received(ANA, carrier, [HEADS], None)
    assert carrier.sent == []


def test_a_guest_that_was_listed_and_goes_without_another_word_is_told_to_be_down():
    board, admission = switchboard(lobby_open=True)
    carrier = FakeCarrier()
    board.received(BINH, carrier, [encode_frame(JOIN_FRAME)], None)
    admission.admit(BINH)
    assert board.peers() == {BINH}
    board.lost(BINH, carrier)
    assert board.peers() == frozenset()
    assert events(board) == [Incoming(BINH, JOIN_FRAME), LinkDown(BINH)]


def test_a_guest_that_was_never_listed_goes_without_a_word():
    board, _ = switchboard(lobby_open=True)
    carrier = FakeCarrier()
    board.received(BINH, carrier, [encode_frame(JOIN_FRAME)], None)
    board.lost(BINH, carrier)
    assert events(board) == [Incoming(BINH, JOIN_FRAME)]


def test_guests_can_be_answered_but_are_never_up():
    board, admission = switchboard(lobby_open=True)
    carrier = FakeCarrier()
    assert board.received(BINH, carrier, [encode_frame(JOIN_FRAME)], None)
    assert board.peers() == frozenset()
    assert board.send(BINH, b"refused")
    admission.admit(BINH)
    board.received(BINH, carrier, [HEADS], None)
    assert events(board) == [Incoming(BINH, JOIN_FRAME), LinkUp(BINH), Incoming(BINH, at(7))]


def test_guests_are_forgotten_oldest_first():
    board, _ = switchboard(lobby_open=True)
    board._gate._all_guests.level = 1e6
    board._gate._all_guests.rate = Rate(1e6, 1e6)
    crowd = [number.to_bytes(32, "big") for number in range(MAX_GUESTS + 10)]
    for key in crowd:
        assert board.received(key, FakeCarrier(), [encode_frame(JOIN_FRAME)], None)
    assert [board.send(key, b"x") for key in crowd] == [False] * 10 + [True] * MAX_GUESTS


def test_one_peer_s_connections_are_bounded():
    board, _ = switchboard(ANA)
    carriers = [FakeCarrier(Delivery.BEHIND) for _ in range(100)]
    for carrier in carriers:
        board.received(ANA, carrier, [HEADS], None)
    board.send(ANA, b"x")
    assert sum(len(carrier.sent) for carrier in carriers) == 4


def test_a_reason_is_told_once_until_it_changes_or_the_peer_was_up():
    board, _ = switchboard(ANA)
    closed, other = Diagnosis(Cause.NOBODY_ANSWERS, "x"), Diagnosis(Cause.OTHER_PROGRAM, "y")
    for diagnosis in (closed, closed, other, other, closed):
        board.trouble(ANA, HOME, diagnosis)
    carrier = FakeCarrier()
    board.received(ANA, carrier, [HEADS], HOME)
    board.lost(ANA, carrier)
    board.trouble(ANA, HOME, closed)
    reasons = [event.diagnosis for event in events(board) if isinstance(event, Trouble)]
    assert reasons == [closed, other, closed, closed]


def test_a_node_that_does_not_read_loses_frames_but_no_link_event():
    board, _ = switchboard(ANA)
    carrier = FakeCarrier()
    for _ in range(3000):
        board.received(ANA, carrier, [HEADS], None)
    board.lost(ANA, carrier)
    seen = events(board)
    assert len(seen) < 1100
    assert (seen[0], seen[-1]) == (LinkUp(ANA), LinkDown(ANA))


def test_an_error_of_the_links_is_raised_to_the_node():
    board, _ = switchboard()
    board.failed(RuntimeError("broken"))
    with pytest.raises(RuntimeError, match="broken"):
        events(board)
