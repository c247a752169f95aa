"""What passes the gate: by standing, size, form and rate."""

from dataclasses import replace

import pytest
from link_harness import at

from p2pclimb.ledger.record import MAX_RECORD_SIZE
from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission
from p2pclimb.net.diagnosis import Cause
from p2pclimb.net.frames import Heads, Join, Piece, Records
from p2pclimb.net.gate import (
    ALL_GUESTS_RATE,
    GUEST_RATE,
    LISTED_RATE,
    MAX_GUESTS,
    Gate,
    Rate,
    TokenBucket,
)
from p2pclimb.net.pieces import frames_of
from p2pclimb.net.wire import MAX_RECORD, decode_frame, encode_frame

ANA, BINH = b"a" * 32, b"b" * 32
HEADS = encode_frame(at(7))
JOIN_FRAME = Join(b"l" * 16, b"s" * 16, "Ana", b"i" * 32, b"g" * 64, (), False)
JOIN = encode_frame(JOIN_FRAME)


def guest(number):
    return number.to_bytes(32, "big")


def accepted(gate, sender, data, times, now):
    return sum(isinstance(gate.judge(sender, [data], now), Heads | Join) for _ in range(times))


def test_listed_peers_may_say_anything_guests_only_join_strangers_nothing():
    admission = Admission([ANA])
    gate = Gate(admission)
    assert gate.judge(ANA, [HEADS], 0) == at(7)
    assert gate.judge(BINH, [JOIN], 0) is None
    admission = Admission([ANA], lobby_open=True)
    gate = Gate(admission)
    assert gate.judge(BINH, [JOIN], 0) == JOIN_FRAME
    assert gate.judge(BINH, [HEADS], 0) is None
    admission.remove(ANA)
    assert gate.judge(ANA, [HEADS], 0) is None


@pytest.mark.parametrize(
    ("parts", "cause"),
    [
        pytest.param([HEADS, HEADS], Cause.BAD_FRAME, id="two parts"),
        pytest.param([], Cause.BAD_FRAME, id="no part"),
        pytest.param([b""], Cause.BAD_FRAME, id="empty"),
        pytest.param([b"GET / HTTP/1.1\r\n"], Cause.BAD_FRAME, id="another protocol"),
        pytest.param([HEADS[:2] + b"\x02" + HEADS[3:]], Cause.OTHER_VERSION, id="newer version"),
    ],
)
def test_a_listed_peer_s_bad_frames_are_dropped_with_a_reason(parts, cause):
    assert Gate(Admission([ANA])).judge(ANA, parts, 0).cause is cause


def test_a_flood_is_cut_to_the_rate_and_others_are_not_touched():
    gate = Gate(Admission([ANA, BINH]), Rate(10, 20))
    assert accepted(gate, ANA, HEADS, 500, now=100.0) == 20
    assert gate.judge(ANA, [HEADS], 100.0).cause is Cause.FLOOD
    assert accepted(gate, BINH, HEADS, 20, now=100.0) == 20
    assert accepted(gate, ANA, HEADS, 500, now=101.0) == 10
    assert accepted(gate, ANA, HEADS, 500, now=1000.0) == 20


def test_large_frames_cost_more_than_small_ones():
    gate = Gate(Admission([ANA]), Rate(1, 90))
    large = encode_frame(Records((bytes(MAX_RECORD),)))
    passed = sum(isinstance(gate.judge(ANA, [large], 0), Records) for _ in range(90))
    assert passed == 18  # of 64 KiB each, at a token for every 16 KiB and one more


def test_nonsense_costs_so_much_that_it_is_soon_not_even_decoded():
    gate = Gate(Admission([ANA]), Rate(10, 100))
    judged = [gate.judge(ANA, [b"nonsense"], 0).cause for _ in range(100)]
    assert judged.count(Cause.BAD_FRAME) == 5
    assert judged[5:] == [Cause.FLOOD] * 95


def test_frames_that_turn_out_to_be_worth_nothing_cost_as_much():
    gate = Gate(Admission([ANA]), Rate(10, 100))
    for _ in range(5):
        assert accepted(gate, ANA, HEADS, 1, now=0) == 1
        gate.charge(ANA)
    assert accepted(gate, ANA, HEADS, 1, now=0) == 0


LARGEST = [encode_frame(piece) for piece in frames_of([bytes(MAX_RECORD_SIZE)])]


def test_a_peer_may_send_the_tributes_of_a_whole_table_at_once_and_no_endless_pieces():
    """At most seven pass a tribute on; what answers a comparison holds no more than one."""
    gate = Gate(Admission([ANA, BINH]))
    for data in LARGEST * 7:
        assert isinstance(gate.judge(ANA, [data], 5.0), Piece)
    assert accepted(gate, ANA, HEADS, 10, now=5.0) == 10
    passed = 0
    for second in range(60):
        judged = [(data, gate.judge(BINH, [data], second)) for data in LARGEST * 20]
        passed += sum(len(data) for data, frame in judged if isinstance(frame, Piece))
    assert 0 < passed <= (LISTED_RATE.burst + 60 * LISTED_RATE.per_second) * 16_384
    assert gate.judge(BINH, [LARGEST[0]], 59).cause is Cause.FLOOD


def test_guests_may_ask_a_few_times_and_not_at_length():
    gate = Gate(Admission(lobby_open=True))
    assert accepted(gate, BINH, JOIN, 50, now=0) == GUEST_RATE.burst
    assert accepted(gate, BINH, JOIN, 50, now=10) == 1
    home = Address("x" * 60 + ".example", 27271)
    longest = replace(JOIN_FRAME, addresses=(home,) * 8, name="A" * 64)
    assert gate.judge(ANA, [encode_frame(longest)], 10) == longest
    far = replace(longest, addresses=(Address("x.example" + ".x" * 120, 1),) * 8)
    assert decode_frame(encode_frame(far)) == far
    assert gate.judge(ANA, [encode_frame(far)], 10) is None


def test_many_guests_together_are_bounded_too_and_none_is_remembered_for_ever():
    gate = Gate(Admission(lobby_open=True))
    crowd = [guest(number) for number in range(500)]
    assert sum(accepted(gate, key, JOIN, 1, now=0) for key in crowd) == ALL_GUESTS_RATE.burst
    assert len(gate._guests) <= MAX_GUESTS


def test_one_guest_s_flood_leaves_the_allowance_of_all_to_the_others():
    gate = Gate(Admission(lobby_open=True))
    accepted(gate, BINH, JOIN, 1000, now=0)
    assert accepted(gate, ANA, JOIN, 1, now=0) == 1


def test_a_guest_that_becomes_listed_starts_with_a_full_allowance():
    admission = Admission(lobby_open=True)
    gate = Gate(admission)
    accepted(gate, ANA, JOIN, 50, now=0)
    admission.admit(ANA)
    assert accepted(gate, ANA, HEADS, 10, now=0) == 10


def test_a_bucket_s_debt_is_bounded():
    bucket = TokenBucket(Rate(1, 5))
    assert bucket.take(0)
    bucket.charge(1e9)
    assert not bucket.take(5.5)
    assert bucket.take(6.5)
