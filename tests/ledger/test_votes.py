"""Votes as records: one encoding each, whole or refused, and signed by their signers alone."""

import dataclasses

import pytest
from honest_table import identity, new_terms
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import ClimbError, MalformedError, SignatureError, UnsupportedError
from p2pclimb.ledger import codec
from p2pclimb.ledger.place import MAX_STEP, Place
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.ledger.votes import (
    ABSENT,
    MAX_BALLOT,
    Certificate,
    Vote,
    sign_accept,
    sign_pause,
    sign_promise,
    sign_proposal,
)

TERMS = new_terms(8)
TABLE = TERMS.table_id
PLACE = Place(9, bytes(range(32)), 3)
VALUE = bytes([7]) * 32


def vote(signer, ballot=2, counter=4, place=PLACE, table=TABLE):
    return Vote(table, place, ballot, signer, counter)


NOTHING = sign_promise(identity(0), vote(0, 1))
ENTRY = sign_promise(identity(1), vote(1, 1), (0, VALUE))
PROPOSAL = sign_proposal(identity(4), vote(4, 1), VALUE, [NOTHING, ENTRY])
QUOTING = sign_promise(identity(0), vote(0, 2), (1, VALUE), PROPOSAL)
LARGEST = sign_proposal(
    identity(5),
    vote(5, 2),
    VALUE,
    [sign_promise(identity(seat), vote(seat, 2), (1, VALUE), PROPOSAL) for seat in range(8)],
)
ACCEPTS = tuple(sign_accept(identity(seat), vote(seat), ABSENT) for seat in range(5))
CERTIFICATE = Certificate(TABLE, PLACE, 2, ABSENT, ACCEPTS)
PAUSE = sign_pause(identity(2), table=TABLE, author=2, counter=8, asks=True)
RECORDS = {
    "promise of nothing": NOTHING,
    "promise of the entry": ENTRY,
    "promise that quotes": QUOTING,
    "proposal": PROPOSAL,
    "largest proposal": LARGEST,
    "quoted proposal": QUOTING.proposal,
    "accept": ACCEPTS[0],
    "accept of a value": sign_accept(identity(1), vote(1), VALUE),
    "certificate": CERTIFICATE,
    "pause": PAUSE,
}
each_record = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)


@each_record
def test_a_vote_is_read_as_it_was_written(record):
    data = encode_record(record)
    assert decode_record(data) == record
    assert encode_record(decode_record(data)) == data
    record.verify(TERMS)


def test_a_quoted_proposal_goes_without_its_promises():
    assert PROPOSAL.promises
    assert QUOTING.proposal == dataclasses.replace(PROPOSAL, promises=())


@each_record
def test_a_vote_of_another_identity_does_not_verify(record):
    others = dataclasses.replace(TERMS, seats=(*TERMS.seats[1:], TERMS.seats[0]))
    with pytest.raises(SignatureError):
        record.verify(others)


@pytest.mark.parametrize("carried", [QUOTING.proposal, None])
def test_a_carried_record_is_verified_with_what_carries_it(carried):
    forged = sign_proposal(identity(3), vote(4, 1), VALUE, [NOTHING, ENTRY])
    if carried is None:
        unsigned = dataclasses.replace(NOTHING, signature=bytes(64))
        record = dataclasses.replace(PROPOSAL, promises=(unsigned, ENTRY))
    else:
        record = dataclasses.replace(QUOTING, proposal=forged)
    with pytest.raises(SignatureError):
        record.verify(TERMS)


def test_no_kind_of_vote_is_taken_for_another():
    """Each signature is under a label of its own: an accept is no promise of the same bytes."""
    accept = ACCEPTS[0]
    for record in (NOTHING, PROPOSAL):
        other = dataclasses.replace(record, signed=accept.signed, signature=accept.signature)
        with pytest.raises(SignatureError):
            other.verify(TERMS)


def fields(record):
    return codec.decode(encode_record(record), 2**20)


@each_record
def test_a_record_with_something_missing_or_more_is_refused(record):
    kind, signed, signature, carried = fields(record)
    content = codec.decode(signed, 2**16)
    for wrong in (
        [kind, signed, signature],
        [kind, signed, signature, carried, []],
        [kind, signed, signature[:-1] if signature else b"x", carried],
        [kind, signed, signature, [*carried, b"x"]],
        [kind, signed + b"\x00", signature, carried],
        [kind, codec.encode(content[:-1]), signature, carried],
        [kind, codec.encode([*content, 0]), signature, carried],
        [7 if kind == 3 else 3, signed, signature, carried],
    ):
        with pytest.raises(MalformedError):
            decode_record(codec.encode(wrong))
    with pytest.raises(UnsupportedError):
        decode_record(codec.encode([kind, codec.encode([2, *content[1:]]), signature, carried]))


def resigned(record, at, bad):
    kind, signed, signature, carried = fields(record)
    content = codec.decode(signed, 2**16)
    content[at] = bad
    return codec.encode([kind, codec.encode(content), signature, carried])


@pytest.mark.parametrize("at", range(1, 9))
@pytest.mark.parametrize("bad", [-1, MAX_STEP + 1, "x", b"x", bytes(33), True])
def test_a_field_of_another_kind_is_refused(at, bad):
    for record in (NOTHING, PROPOSAL, ACCEPTS[0]):
        with pytest.raises(MalformedError):
            decode_record(resigned(record, at, bad))


@pytest.mark.parametrize("ballot", [0, MAX_BALLOT + 1])
def test_a_ballot_is_from_1_to_65535(ballot):
    for record, at in ((NOTHING, 5), (PROPOSAL, 5), (ACCEPTS[0], 5), (CERTIFICATE, 5)):
        with pytest.raises(MalformedError):
            decode_record(resigned(record, at, ballot))


@pytest.mark.parametrize(
    "record",
    [
        sign_promise(identity(0), vote(0, 2), (2, VALUE), PROPOSAL),
        sign_promise(identity(0), vote(0, 2), (1, ABSENT), PROPOSAL),
        sign_promise(identity(0), vote(0, 2), (1, VALUE)),
        sign_promise(identity(0), vote(0, 2), (0, VALUE), PROPOSAL),
        sign_promise(identity(0), vote(0, 2), None, PROPOSAL),
        sign_promise(identity(0), vote(0, 3), (2, VALUE), PROPOSAL),
        sign_promise(identity(0), vote(0, 2, place=Place(8, bytes(32), 3)), (1, VALUE), PROPOSAL),
        sign_promise(identity(0), vote(0, 2, table=bytes(32)), (1, VALUE), PROPOSAL),
    ],
    ids=[
        "not below its ballot",
        "another value",
        "not quoted",
        "quoted for ballot 0",
        "quoted for nothing",
        "another ballot",
        "another place",
        "another table",
    ],
)
def test_a_promise_quotes_exactly_what_it_states(record):
    with pytest.raises(MalformedError):
        decode_record(encode_record(record))


def test_a_proposal_carries_exactly_the_promises_that_it_names():
    for promises in ((NOTHING,), (ENTRY, NOTHING), (NOTHING, ENTRY, ENTRY)):
        with pytest.raises(MalformedError):
            decode_record(encode_record(dataclasses.replace(PROPOSAL, promises=promises)))


def test_the_accepts_of_a_certificate_are_in_seat_order_and_once_each():
    for accepts in (ACCEPTS[::-1], (ACCEPTS[0], *ACCEPTS)):
        with pytest.raises(MalformedError):
            decode_record(encode_record(dataclasses.replace(CERTIFICATE, accepts=accepts)))


@given(st.sampled_from(list(RECORDS.values())), st.data())
def test_only_the_error_tree_escapes_from_damaged_votes(record, data):
    damaged = bytearray(encode_record(record))
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        read = decode_record(bytes(damaged))
    except ClimbError:
        return
    assert encode_record(read) == bytes(damaged)
