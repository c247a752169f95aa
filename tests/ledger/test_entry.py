"""Records: one encoding each, whole or refused, and signed by their author alone."""

import dataclasses

import pytest
from honest_table import identity, new_terms, reached
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import ClimbError, MalformedError, SignatureError, UnsupportedError
from p2pclimb.ledger import codec
from p2pclimb.ledger.entry import MAX_ENTRY_SIZE, MAX_TRIBUTE_SIZE, Kind, sign_entry, sign_leave
from p2pclimb.ledger.place import MAX_STEP, Place
from p2pclimb.ledger.record import MAX_RECORD_SIZE, decode_record, encode_record

TERMS = new_terms(2)
TABLE = TERMS.table_id
HEAD = bytes(range(32))


def entry(**changes):
    header = {
        "table": TABLE,
        "deal": 1,
        "attempt": 0,
        "place": Place(9, HEAD, 1),
        "counter": 4,
        "kind": Kind.TURN,
        "body": [0],
        **changes,
    }
    return sign_entry(identity(1), **header)


def leave(**changes):
    fields = {"table": TABLE, "deal": 1, "step": 9, "author": 1, "counter": 4}
    fields |= {"head": bytes(32), **changes}
    return sign_leave(identity(1), **fields)


ENTRY, LEAVE = entry(), leave()
EXCEPTING = entry(excepted=((3, 0), (8, 0), (8, 1)))
RECORDS = [TERMS, ENTRY, EXCEPTING, LEAVE]


@pytest.mark.parametrize("record", RECORDS, ids=["terms", "entry", "excepting entry", "leave"])
def test_a_record_is_read_as_it_was_written(record):
    data = encode_record(record)
    assert decode_record(data) == record
    assert encode_record(decode_record(data)) == data


def test_every_record_of_a_deal_is_read_as_it_was_written():
    for record in reached(None, 3).records:
        assert decode_record(encode_record(record)) == record


def test_the_id_covers_what_is_signed_and_not_the_signature():
    other = dataclasses.replace(ENTRY, signature=bytes(64))
    assert other.id == ENTRY.id
    changed = [
        entry(table=bytes(32)),
        entry(deal=2),
        entry(attempt=1),
        entry(place=Place(8, HEAD, 1)),
        entry(place=Place(9, bytes(32), 1)),
        entry(place=Place(9, HEAD, 0)),
        entry(counter=5),
        entry(kind=Kind.CLOSE),
        entry(body=[1]),
    ]
    assert len({ENTRY.id, *(e.id for e in changed)}) == 10


def test_only_the_author_signs_for_its_seat():
    ENTRY.verify(TERMS)
    LEAVE.verify(TERMS)
    for forged in (
        entry(place=Place(9, HEAD, 0)),
        leave(author=0),
        dataclasses.replace(ENTRY, signature=LEAVE.signature),
        dataclasses.replace(ENTRY, signature=ENTRY.signature[:-1] + b"\x7f"),
        dataclasses.replace(ENTRY, signed=entry(body=[1]).signed),
    ):
        with pytest.raises(SignatureError):
            forged.verify(TERMS)


def test_a_signature_under_one_label_is_none_under_another():
    """An entry cannot be presented as a notice: what is signed begins with its own label."""
    signed = identity(1).sign(b"p2pclimb/1 leave", ENTRY.signed)
    with pytest.raises(SignatureError):
        dataclasses.replace(ENTRY, signature=signed).verify(TERMS)


def test_the_second_form_of_a_signature_is_refused():
    """Row 23: S + L is the same number modulo the order, and another record."""
    order = 2**252 + 27742317777372353535851937790883648493
    scalar = int.from_bytes(ENTRY.signature[32:], "little") + order
    second = ENTRY.signature[:32] + scalar.to_bytes(32, "little")
    with pytest.raises(SignatureError):
        dataclasses.replace(ENTRY, signature=second).verify(TERMS)


def resigned(fields: list) -> bytes:
    return codec.encode([1, codec.encode(fields), bytes(64)])


ENTRY_FIELDS = codec.decode(ENTRY.signed, MAX_ENTRY_SIZE)
LEAVE_FIELDS = codec.decode(LEAVE.signed, MAX_ENTRY_SIZE)


@pytest.mark.parametrize(
    "bad",
    [
        [],
        [[9, 0]],
        [[-1, 0]],
        [[3, 8]],
        [[3, 1], [3, 0]],
        [[3, 0], [3, 0]],
        [[step, 0] for step in range(65)],
        [[3]],
        b"",
    ],
)
def test_excepted_places_are_before_the_entry_in_order_and_not_too_many(bad):
    high = entry(place=Place(100, HEAD, 1))
    fields = codec.decode(high.signed if len(bad) > 3 else ENTRY.signed, MAX_ENTRY_SIZE)
    with pytest.raises(MalformedError):
        decode_record(resigned([*fields, bad]))


@pytest.mark.parametrize("field", range(1, 9))
@pytest.mark.parametrize("bad", [-1, MAX_STEP + 1, "x", b"x", bytes(33), [], True])
def test_a_header_field_of_another_kind_is_refused(field, bad):
    fields = [*ENTRY_FIELDS]
    fields[field] = bad
    with pytest.raises(MalformedError):
        decode_record(resigned(fields))


@pytest.mark.parametrize("field", range(1, 6))
@pytest.mark.parametrize("bad", [-1, MAX_STEP + 1, "x", b"x", bytes(33), [], True])
def test_a_field_of_a_notice_of_another_kind_is_refused(field, bad):
    fields = [*LEAVE_FIELDS]
    fields[field] = bad
    with pytest.raises(MalformedError):
        decode_record(codec.encode([2, codec.encode(fields), bytes(64)]))


def test_another_version_is_told_from_damage():
    with pytest.raises(UnsupportedError, match="version 2"):
        decode_record(resigned([2, *ENTRY_FIELDS[1:]]))
    with pytest.raises(UnsupportedError, match="version 2"):
        decode_record(codec.encode([2, codec.encode([2, *LEAVE_FIELDS[1:]]), bytes(64)]))


def test_records_of_another_shape_are_refused():
    good = codec.decode(encode_record(ENTRY), MAX_ENTRY_SIZE)
    for bad in (
        [],
        good[:2],
        [*good, 0],
        [3, *good[1:]],
        [256, *good[1:]],
        [-1, *good[1:]],
        [1, good[1], bytes(63)],
        [1, good[1], bytes(65)],
        [2, good[1], good[2]],
        [0, TERMS.encode(), bytes(64)],
        [1, b"", bytes(64)],
        [1, good[1] + b"\x00", bytes(64)],
    ):
        with pytest.raises(ClimbError):
            decode_record(codec.encode(bad))


def test_what_is_too_large_is_refused_before_it_is_read():
    """Row 25."""
    with pytest.raises(MalformedError, match="at most"):
        decode_record(bytes(10_000_000))
    with pytest.raises(MalformedError, match="at most"):
        decode_record(bytes(MAX_RECORD_SIZE + 1))
    large = codec.encode([1, bytes(MAX_TRIBUTE_SIZE + 1), bytes(64)])
    with pytest.raises(MalformedError):
        decode_record(large)
    deep = b"\x91" * 1000 + b"\x00"
    with pytest.raises(MalformedError):
        decode_record(codec.encode([1, deep, bytes(64)]))
    long = codec.encode([0, bytes(8193), b""])
    with pytest.raises(MalformedError, match="too long"):
        decode_record(long)


def of_size(size, kind):
    """An entry of exactly so many signed bytes."""
    body = [[0], [bytes(32)], b"", bytes(size - 100)]
    missing = size - len(entry(kind=kind, body=body).signed)
    return entry(kind=kind, body=[*body[:3], bytes(size - 100 + missing)])


def test_a_tribute_may_be_larger_than_any_other_entry():
    for size in (MAX_ENTRY_SIZE, MAX_ENTRY_SIZE + 1, MAX_TRIBUTE_SIZE):
        tribute = of_size(size, Kind.TRIBUTE)
        assert len(tribute.signed) == size
        record = encode_record(tribute)
        assert len(record) <= MAX_RECORD_SIZE
        assert decode_record(record) == tribute
    with pytest.raises(MalformedError):
        decode_record(encode_record(of_size(MAX_TRIBUTE_SIZE + 1, Kind.TRIBUTE)))


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.TRIBUTE])
def test_every_other_entry_has_at_most_64_kib(kind):
    largest = of_size(MAX_ENTRY_SIZE, kind)
    assert decode_record(encode_record(largest)) == largest
    with pytest.raises(MalformedError, match="no tribute"):
        decode_record(encode_record(of_size(MAX_ENTRY_SIZE + 1, kind)))


def test_terms_and_notices_are_no_larger_than_before():
    for record_type, signature in ((0, b""), (2, bytes(64))):
        with pytest.raises(MalformedError):
            decode_record(codec.encode([record_type, bytes(MAX_ENTRY_SIZE + 1), signature]))


def test_a_large_entry_is_large_by_its_bytes_alone():
    few, many = [[0] * 8], [[0] * 8, [0] * 8]
    for part, size in ((few, MAX_ENTRY_SIZE), (many, 100)):
        tribute = entry(kind=Kind.TRIBUTE, body=[part, bytes(size)])
        assert decode_record(encode_record(tribute)) == tribute
    with pytest.raises(MalformedError, match="arrays and items"):
        decode_record(encode_record(entry(kind=Kind.TRIBUTE, body=[many, bytes(MAX_ENTRY_SIZE)])))


def test_an_entry_has_no_more_arrays_and_items_than_any_honest_one():
    most = entry(body=[0] * (512 - 12))
    assert decode_record(encode_record(most)) == most
    with pytest.raises(MalformedError, match="arrays and items"):
        decode_record(encode_record(entry(body=[0] * (512 - 11))))


def test_the_record_around_the_signed_bytes_is_flat():
    for nested in ([0, [0], b""], [0] * 4, [[]] * 3):
        with pytest.raises(MalformedError):
            decode_record(codec.encode(nested))


def test_an_entry_has_one_encoding():
    """A longer form of the same number is another id for the same statement."""
    signed = ENTRY.signed
    assert signed[0] == 0x9A
    longer = b"\xdc\x00\x0a" + signed[1:]
    with pytest.raises(MalformedError, match="canonical"):
        decode_record(codec.encode([1, longer, bytes(64)]))


@given(st.binary(max_size=400))
def test_only_the_error_tree_escapes_from_any_bytes(data):
    try:
        record = decode_record(data)
    except ClimbError:
        return
    assert encode_record(record) == data


@given(st.sampled_from(RECORDS), st.data())
def test_only_the_error_tree_escapes_from_damaged_records(record, data):
    good = bytearray(encode_record(record))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(good) - 1))
        good[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, 2))
    damaged = bytes(good[: len(good) - cut])
    try:
        again = decode_record(damaged)
    except ClimbError:
        return
    assert encode_record(again) == damaged


def test_a_place_has_a_key_of_its_own():
    places = [Place(s, h, a) for s in (1, 256) for h in (HEAD, bytes(32)) for a in (0, 1)]
    assert len({place.key() for place in places}) == 8
