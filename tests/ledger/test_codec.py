"""The codec accepts exactly the canonical encodings, and only MalformedError escapes it."""

import struct
import tracemalloc

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pclimb.errors import MalformedError
from p2pclimb.ledger.codec import (
    MAX_ITEMS,
    as_bool,
    as_bytes,
    as_int,
    as_list,
    as_text,
    decode,
    encode,
    fields,
)

SIZE = 1 << 16

scalars = (
    st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=300)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
    | st.booleans()
)


def nested(depth: int) -> st.SearchStrategy:
    if depth == 0:
        return scalars
    return scalars | st.lists(nested(depth - 1), max_size=5)


@given(nested(6))
def test_decoding_gives_back_what_was_encoded(value):
    decoded = decode(encode(value), SIZE)
    assert decoded == value
    assert encode(decoded) == encode(value)


@given(nested(3))
def test_booleans_and_integers_stay_apart(value):
    assert repr(decode(encode(value), SIZE)) == repr(value)


def test_tuples_encode_like_lists():
    assert encode((1, (b"a", "b"))) == encode([1, [b"a", "b"]])


@given(st.binary(max_size=200))
@example(b"")
@example(b"\x81\x90\x00")  # a map with an array as its key
@example(b"\xdf\xff\xff\xff\xff")
@example(b"\xc1")
@example(b"\xd6\xff\xff\xff\xff\xff")  # a timestamp
@example(b"\xa2\xff\xff")  # a text that is not UTF-8
@example(b"\xa3\xed\xa0\x80")  # a lone surrogate
@example(b"\x91" * 2000)
def test_only_malformed_error_escapes_and_what_passes_is_canonical(data):
    try:
        value = decode(data, SIZE)
    except MalformedError:
        return
    assert encode(value) == data


@given(nested(4), st.data())
def test_a_mutated_byte_never_gives_the_same_value(value, data):
    original = encode(value)
    place = data.draw(st.integers(0, len(original) - 1))
    mutated = bytearray(original)
    mutated[place] ^= data.draw(st.integers(1, 255))
    try:
        decoded = decode(bytes(mutated), SIZE)
    except MalformedError:
        return
    assert repr(decoded) != repr(value)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xcc\x05", id="integer 5 in two bytes"),
        pytest.param(b"\xcd\x00\xff", id="integer 255 in three bytes"),
        pytest.param(b"\xd0\x05", id="positive integer in a signed format"),
        pytest.param(b"\xd0\xff", id="minus one in two bytes"),
        pytest.param(b"\xc5\x00\x01a", id="one byte with a two-byte length"),
        pytest.param(b"\xd9\x01a", id="one character with a long length"),
        pytest.param(b"\xdc\x00\x01\x05", id="array of one with a two-byte length"),
        pytest.param(b"\xc0", id="nil"),
        pytest.param(b"\xca" + struct.pack(">f", 1.0), id="float"),
        pytest.param(b"\x80", id="empty map"),
        pytest.param(b"\x81\x01\x02", id="map"),
        pytest.param(b"\xd4\x01\x00", id="extension"),
        pytest.param(b"\x05\x05", id="trailing byte"),
        pytest.param(b"\x92\x05", id="truncated array"),
        pytest.param(b"\xc4\x05abc", id="truncated bytes"),
    ],
)
def test_anything_but_the_canonical_form_is_malformed(data):
    with pytest.raises(MalformedError):
        decode(data, SIZE)


def test_depth_and_size_and_items_are_bounded():
    assert decode(encode([[[[[[1]]]]]]), SIZE) == [[[[[[1]]]]]]
    with pytest.raises(MalformedError, match="nested"):
        decode(encode([[[[[[[1]]]]]]]), SIZE)
    with pytest.raises(MalformedError, match="nested"):
        decode(encode([[1]]), SIZE, max_depth=1)
    assert decode(encode(b"abc"), 5) == b"abc"
    with pytest.raises(MalformedError, match="at most 4"):
        decode(encode(b"abc"), 4)
    assert decode(encode([0] * (MAX_ITEMS - 1)), SIZE)
    with pytest.raises(MalformedError):
        decode(encode([0] * MAX_ITEMS), SIZE)
    assert decode(encode([[0, 0], [], 0]), SIZE, max_items=8)
    with pytest.raises(MalformedError, match="arrays and items"):
        decode(encode([[0, 0], [], 0]), SIZE, max_items=7)


@pytest.mark.parametrize(
    ("data", "most_memory"),
    [
        pytest.param(encode([[[[[] for _ in range(15)]] * 15] * 15] * 15), 100_000, id="trees"),
        pytest.param(b"\xdc\x08\x00" * 20_000, 100_000, id="nothing but headers"),
        pytest.param(b"\x91" * SIZE, 100_000, id="deeper than anything"),
    ],
)
def test_hostile_bytes_are_given_up_before_they_take_room_or_time(data, most_memory):
    """msgpack makes an array of each header that it reads, 1024 deep."""
    tracemalloc.start()
    try:
        with pytest.raises(MalformedError):
            decode(data, SIZE)
        assert tracemalloc.get_traced_memory()[1] < most_memory
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("value", [1.0, None, {}, [None], [[{1: 2}]], bytearray(b"a")])
def test_encoding_refuses_other_types(value):
    with pytest.raises(TypeError):
        encode(value)


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, "\ud800"])
def test_encoding_refuses_values_out_of_range(value):
    with pytest.raises(ValueError, match=r"64 bits|surrogates"):
        encode(value)


def test_msgpack_itself_would_let_long_forms_through():
    assert msgpack.unpackb(b"\xcd\x00\xff") == 255


def test_fields_takes_an_array_of_exactly_that_many():
    assert fields([1, b"a"], 2) == [1, b"a"]
    for wrong in ([1], [1, 2, 3], 5, b"ab", "ab"):
        with pytest.raises(MalformedError):
            fields(wrong, 2)


def test_as_int_is_inclusive_and_no_boolean():
    assert (as_int(0, 0, 3), as_int(3, 0, 3)) == (0, 3)
    for wrong in (-1, 4, True, b"1", "1", [1]):
        with pytest.raises(MalformedError):
            as_int(wrong, 0, 3)


def test_as_bool_takes_no_integer():
    assert as_bool(True) is True
    for wrong in (0, 1, b"", []):
        with pytest.raises(MalformedError):
            as_bool(wrong)


def test_as_bytes_checks_an_exact_length_or_a_bound():
    assert as_bytes(b"abcd", 4) == b"abcd"
    assert as_bytes(b"", at_most=4) == b""
    assert as_bytes(b"abcd", at_most=4) == b"abcd"
    for wrong in (b"abc", b"abcde", "abcd", 4):
        with pytest.raises(MalformedError):
            as_bytes(wrong, 4)
    for wrong in (b"abcde", "abcd"):
        with pytest.raises(MalformedError):
            as_bytes(wrong, at_most=4)


def test_as_text_and_as_list_are_bounded():
    assert as_text("héé", 3) == "héé"
    assert as_list([1, 2], 2) == [1, 2]
    for wrong in ("abcd", b"abc", 1):
        with pytest.raises(MalformedError):
            as_text(wrong, 3)
    for wrong in ([1, 2, 3], [], "ab", 1):
        with pytest.raises(MalformedError):
            as_list(wrong, 2, at_least=1)
