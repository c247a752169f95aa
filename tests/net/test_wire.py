"""Frames survive the round trip; everything else is refused by one of two errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from link_harness import at

from p2pclimb.errors import MalformedError, UnsupportedError
from p2pclimb.ledger.codec import encode
from p2pclimb.net.address import Address
from p2pclimb.net.frames import (
    Bye,
    Decline,
    Heads,
    Hello,
    Join,
    Lobby,
    Peers,
    Piece,
    Records,
    Refused,
    RosterSeat,
    Terms,
    Welcome,
)
from p2pclimb.net.wire import (
    MAX_FRAME,
    MAX_PIECES,
    MAX_RECORD,
    PIECE_SIZE,
    common_version,
    decode_frame,
    encode_frame,
)

HOMES = (Address("192.0.2.7", 27271), Address("2001:db8::7", 1), Address("ana.example", 65535))
SEAT = RosterSeat("Ana", b"i" * 32, b"c" * 32, 3, False, HOMES)

EXAMPLES = {
    1: Join(b"l" * 16, b"s" * 16, "Bình", b"i" * 32, b"g" * 64, HOMES, True),
    2: Welcome(7),
    3: Refused("used", "That invitation has been used by somebody else."),
    4: Lobby((SEAT, SEAT), 8, ["tienlen/1", ["deal", "13"], ["twos_in_runs", True]]),
    5: Terms(b"terms"),
    6: Decline("too many twos"),
    16: Hello(1, 3, b"t" * 32, HOMES),
    17: Heads(2**32 - 1, b"h" * 32, (0, 3, 7)),
    18: Records((b"one", b"two")),
    19: Bye("left", "Ana left the table."),
    20: Piece(b"d" * 32, 1, 2, b"the rest"),
    21: Peers(((b"c" * 32, HOMES), (b"d" * 32, ()))),
}
BODIES = {kind: encode_frame(frame)[4:] for kind, frame in EXAMPLES.items()}


def frame_bytes(kind, body):
    return b"\xc1\x33\x01" + bytes([kind]) + encode(body)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_kind_survives_the_round_trip(kind):
    data = encode_frame(EXAMPLES[kind])
    assert data[:4] == b"\xc1\x33\x01" + bytes([kind])
    assert decode_frame(data) == EXAMPLES[kind]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_body_of_one_kind_is_malformed_under_another(kind):
    for other, body in BODIES.items():
        shapes_alike = {kind, other} in ({3, 19},)
        if other != kind and not shapes_alike:
            with pytest.raises(MalformedError):
                decode_frame(b"\xc1\x33\x01" + bytes([kind]) + body)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        pytest.param(21, [[[b"c" * 31, []]]], id="peer-key"),
        pytest.param(21, [[[b"c" * 32, ["a:6"] * 9]]], id="peer-addresses"),
        pytest.param(21, [[[b"c" * 32, []]] * 9], id="peers"),
        pytest.param(1, [b"l" * 15, b"s" * 16, "n", b"i" * 32, b"g" * 64, [], False], id="id"),
        pytest.param(1, [b"l" * 16, b"s" * 16, "n", b"i" * 32, b"g" * 63, [], False], id="sig"),
        pytest.param(1, [b"l" * 16, b"s" * 16, "n", b"i" * 32, b"g" * 64, [], 0], id="bot"),
        pytest.param(
            1, [b"l" * 16, b"s" * 16, "n" * 65, b"i" * 32, b"g" * 64, [], True], id="name"
        ),
        pytest.param(
            1, [b"l" * 16, b"s" * 16, "n", b"i" * 32, b"g" * 64, ["h:0"], True], id="port"
        ),
        pytest.param(2, [8], id="seat 8"),
        pytest.param(2, [True], id="seat true"),
        pytest.param(3, ["c" * 33, "text"], id="long code"),
        pytest.param(4, [[], 9, []], id="nine seats"),
        pytest.param(4, [[["n", b"i" * 32, b"c" * 32, 0, False, []]] * 9, 8, []], id="roster of 9"),
        pytest.param(5, [b"t" * 16_385], id="terms"),
        pytest.param(6, ["r" * 501], id="reason"),
        pytest.param(16, [0, 1, b"t" * 32, []], id="version 0"),
        pytest.param(16, [3, 2, b"t" * 32, []], id="empty range"),
        pytest.param(16, [1, 1, b"t" * 32, ["a:1"] * 9], id="nine addresses"),
        pytest.param(17, [1, b"h" * 32, [3, 0]], id="unsorted"),
        pytest.param(17, [1, b"h" * 32, [3, 3]], id="twice"),
        pytest.param(17, [-1, b"h" * 32, []], id="negative step"),
        pytest.param(18, [[]], id="no records"),
        pytest.param(18, [[b""]], id="empty record"),
        pytest.param(18, [["text"]], id="text record"),
        pytest.param(19, ["left"], id="missing text"),
        pytest.param(19, ["left", "text", 0], id="extra field"),
        pytest.param(20, [b"d" * 31, 1, 2, b"rest"], id="short digest"),
        pytest.param(20, [b"d" * 32, 0, 1, b"rest"], id="a single piece"),
        pytest.param(20, [b"d" * 32, 0, MAX_PIECES + 1, bytes(PIECE_SIZE)], id="many pieces"),
        pytest.param(20, [b"d" * 32, 2, 2, b"rest"], id="a piece after the last"),
        pytest.param(20, [b"d" * 32, -1, 2, bytes(PIECE_SIZE)], id="a piece before the first"),
        pytest.param(20, [b"d" * 32, 0, 2, bytes(PIECE_SIZE - 1)], id="a short piece"),
        pytest.param(20, [b"d" * 32, 1, 2, bytes(PIECE_SIZE + 1)], id="a long piece"),
        pytest.param(20, [b"d" * 32, 1, 2, b""], id="an empty piece"),
        pytest.param(22, [], id="unknown kind"),
    ],
)
def test_fields_out_of_bounds_are_malformed(kind, body):
    with pytest.raises(MalformedError):
        decode_frame(frame_bytes(kind, body))


@given(st.binary(max_size=120))
def test_only_the_two_errors_escape_for_any_bytes(data):
    for candidate in (data, b"\xc1\x33" + data, b"\xc1\x33\x01" + data):
        try:
            frame = decode_frame(candidate)
        except (MalformedError, UnsupportedError):
            continue
        assert encode_frame(frame) == candidate


@given(st.sampled_from(sorted(EXAMPLES)), st.data())
def test_a_flipped_byte_is_refused_or_another_frame(kind, data):
    original = encode_frame(EXAMPLES[kind])
    mutated = bytearray(original)
    mutated[data.draw(st.integers(0, len(original) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        frame = decode_frame(bytes(mutated))
    except (MalformedError, UnsupportedError):
        return
    assert frame != EXAMPLES[kind]


def test_the_largest_record_fits_and_a_larger_frame_does_not():
    data = encode_frame(Records((b"r" * MAX_RECORD,)))
    assert len(data) <= MAX_FRAME
    assert decode_frame(data) == Records((b"r" * MAX_RECORD,))
    with pytest.raises(MalformedError):
        decode_frame(frame_bytes(18, [[b"r" * (MAX_RECORD + 1)]]))
    with pytest.raises(MalformedError):
        encode_frame(Records((b"r" * MAX_RECORD, b"more" * 20)))
    with pytest.raises(MalformedError):
        decode_frame(data + bytes(MAX_FRAME))


def test_the_largest_piece_fits_into_a_frame():
    piece = Piece(b"d" * 32, MAX_PIECES - 1, MAX_PIECES, bytes(PIECE_SIZE))
    assert decode_frame(encode_frame(piece)) == piece
    assert len(encode_frame(piece)) < PIECE_SIZE + 100


def test_an_unknown_version_is_told_with_its_number():
    data = bytearray(encode_frame(at(5)))
    data[2] = 9
    with pytest.raises(UnsupportedError, match="version 9 of the protocol, this one version 1"):
        decode_frame(bytes(data))


def test_both_ranges_are_told_when_no_version_is_common():
    assert common_version(Hello(1, 4, bytes(32), ())) == 1
    with pytest.raises(UnsupportedError, match=r"versions 2 to 3 of .* this one version 1"):
        common_version(Hello(2, 3, bytes(32), ()))


def test_the_secret_of_a_join_is_not_in_its_repr():
    assert "ssss" not in repr(EXAMPLES[1])
