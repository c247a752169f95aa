"""Small records share a frame, large ones come in pieces; only what was sent is made whole."""

import contextlib
import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import MalformedError
from p2pclimb.ledger.record import MAX_RECORD_SIZE
from p2pclimb.net.frames import Piece, Records
from p2pclimb.net.pieces import Assembly, frames_of
from p2pclimb.net.wire import MAX_PIECES, PIECE_SIZE, decode_frame, encode_frame

LARGE = random.Random("large").randbytes(MAX_RECORD_SIZE)
OTHER = random.Random("other").randbytes(PIECE_SIZE + 1)

sizes = st.one_of(
    st.integers(1, 70_000),
    st.integers(PIECE_SIZE - 2, PIECE_SIZE + 2),
    st.sampled_from([PIECE_SIZE * 2, PIECE_SIZE * 2 + 1, MAX_RECORD_SIZE]),
)


def put_together(assembly, frames):
    """Return the records that come out, in order."""
    records = []
    for frame in frames:
        match frame:
            case Records(whole):
                records += whole
            case Piece():
                record = assembly.add(frame)
                records += [record] if record is not None else []
    return records


# -- cutting -------------------------------------------------------------------------------------


@given(st.lists(sizes, max_size=8))
def test_every_record_arrives_in_order_by_frames_within_bounds(sizes):
    records = [bytes([i]) * size for i, size in enumerate(sizes)]
    frames = list(frames_of(records))
    received = [decode_frame(encode_frame(frame)) for frame in frames]
    assert put_together(Assembly(), received) == records
    for frame in frames:
        assert len(encode_frame(frame)) <= PIECE_SIZE + 100


def test_only_what_does_not_fit_into_a_frame_is_cut():
    (whole,) = frames_of([bytes(PIECE_SIZE)])
    assert whole == Records((bytes(PIECE_SIZE),))
    pieces = list(frames_of([bytes(PIECE_SIZE + 1)]))
    assert [(type(piece), piece.number, piece.count) for piece in pieces] == [
        (Piece, 0, 2),
        (Piece, 1, 2),
    ]
    assert len(list(frames_of([LARGE]))) == MAX_PIECES


def test_many_tiny_records_are_split_by_their_number():
    frames = list(frames_of([b"x"] * 3000))
    assert [decode_frame(encode_frame(frame)) for frame in frames] == frames
    assert sum(len(frame.records) for frame in frames) == 3000


# -- putting together ----------------------------------------------------------------------------


@given(st.randoms(use_true_random=False), st.integers(PIECE_SIZE + 1, MAX_RECORD_SIZE))
def test_pieces_in_any_order_and_number_make_the_record_once_all_are_here(source, size):
    record = LARGE[:size]
    pieces = list(frames_of([record]))
    missing = source.choice(pieces)
    shuffled = [piece for piece in pieces if piece is not missing] * 3
    source.shuffle(shuffled)
    assembly = Assembly()
    assert [assembly.add(piece) for piece in shuffled] == [None] * len(shuffled)
    assert assembly.add(missing) == record


def test_a_record_may_come_again_after_it_was_whole():
    assembly = Assembly()
    assert put_together(assembly, frames_of([OTHER, OTHER, LARGE])) == [OTHER, OTHER, LARGE]


def test_what_is_not_whole_gives_way_to_the_next_record():
    assembly = Assembly()
    first, *rest = frames_of([LARGE])
    assert assembly.add(first) is None
    assert put_together(assembly, frames_of([OTHER])) == [OTHER]
    assert put_together(assembly, rest) == []
    assert put_together(assembly, [first]) == [LARGE]


def test_records_that_come_by_turns_bring_nothing_and_do_no_harm():
    assembly = Assembly()
    one, two = list(frames_of([LARGE])), list(frames_of([LARGE[::-1]]))
    mixed = [piece for pair in zip(one, two, strict=True) for piece in pair]
    assert put_together(assembly, mixed) == []
    assert put_together(assembly, one) == [LARGE]


def test_pieces_that_are_not_of_the_record_they_name_are_refused_and_forgotten():
    assembly = Assembly()
    pieces = list(frames_of([LARGE]))
    forged = Piece(pieces[-1].digest, pieces[-1].number, len(pieces), b"forged")
    for piece in pieces[:-1]:
        assembly.add(piece)
    with pytest.raises(MalformedError, match="not of the record"):
        assembly.add(forged)
    assert put_together(assembly, pieces) == [LARGE]


def test_a_piece_that_claims_another_number_of_pieces_belongs_to_another_record():
    assembly = Assembly()
    first, second = frames_of([OTHER])
    assembly.add(first)
    assert assembly.add(Piece(second.digest, 2, 3, second.content)) is None
    assert assembly.add(second) is None
    assert assembly.add(first) == OTHER


@given(
    st.lists(
        st.builds(
            lambda name, number, count: Piece(
                bytes([name]) * 32, number % count, count, bytes([name]) * (1 + number)
            ),
            st.integers(0, 2),
            st.integers(0, MAX_PIECES - 1),
            st.integers(2, MAX_PIECES),
        )
    )
)
def test_made_up_pieces_bring_forth_no_record(pieces):
    assembly = Assembly()
    for piece in pieces:
        with contextlib.suppress(MalformedError):
            assert assembly.add(piece) is None


def test_memory_is_flat_whatever_pieces_come():
    source = random.Random("hostile")
    assembly = Assembly()
    tracemalloc.start()
    try:
        for _ in range(2000):
            count = source.randint(2, MAX_PIECES)
            digest = source.choice([bytes(32), source.randbytes(32)])
            piece = Piece(digest, source.randrange(count), count, bytes(PIECE_SIZE))
            with contextlib.suppress(MalformedError):
                assembly.add(piece)
        assert tracemalloc.get_traced_memory()[0] < (MAX_PIECES + 1) * PIECE_SIZE
    finally:
        tracemalloc.stop()
