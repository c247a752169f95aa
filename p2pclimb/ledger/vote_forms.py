"""The form of votes in logs and on the wire: written and read, and bounded.

What they say and how they are signed is in `votes.py`.  Source: protocol.md, Records.
"""

from __future__ import annotations

from p2pclimb.errors import MalformedError
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.labels import PROTOCOL_VERSION, require_version
from p2pclimb.ledger.place import MAX_STEP, Place
from p2pclimb.ledger.terms import MAX_SEATS
from p2pclimb.ledger.votes import (
    ABSENT,
    MAX_BALLOT,
    Accept,
    Certificate,
    Pause,
    Promise,
    Proposal,
    Vote,
    VoteRecord,
    content_of,
)

__all__ = [
    "read_accept",
    "read_certificate",
    "read_pause",
    "read_promise",
    "read_proposal",
    "write_vote",
]

_MAX_VOTE_SIZE = 1024


def write_vote(record: VoteRecord | Pause) -> tuple[bytes, bytes, list[Value]]:
    """Return the content of a record, its signature, and the records that it carries, as values."""
    match record:
        case Promise(proposal=proposal):
            quoted: list[Value] = []
            if proposal is not None:
                quoted.append([proposal.signed, proposal.signature])
            return record.signed, record.signature, quoted
        case Proposal(promises=promises):
            return record.signed, record.signature, [list(write_vote(p)) for p in promises]
        case Certificate():
            place = record.place
            content = codec.encode(
                [
                    PROTOCOL_VERSION,
                    record.table,
                    place.step,
                    place.previous,
                    place.author,
                    record.ballot,
                    record.value,
                ]
            )
            return (
                content,
                b"",
                [[a.vote.signer, a.vote.counter, a.signature] for a in record.accepts],
            )
        case Accept() | Pause():
            return record.signed, record.signature, []


def read_promise(signed: bytes, signature: bytes, carried: Value) -> Promise:
    """Read a promise; raises MalformedError, UnsupportedError for another protocol version."""
    vote, content = _read(signed)
    stated = codec.as_list(content, 2)
    accepted = None
    if stated:
        ballot, value = codec.fields(content, 2)
        accepted = codec.as_int(ballot, 0, vote.ballot - 1), _value(value)
    quoted = codec.as_list(carried, 1)
    proposal = None
    if quoted:
        core, core_signature = codec.fields(quoted[0], 2)
        proposal = read_proposal(
            codec.as_bytes(core, at_most=_MAX_VOTE_SIZE), codec.as_bytes(core_signature, 64), []
        )
    if (accepted is not None and accepted[0] > 0) != (proposal is not None):
        raise MalformedError("A promise quotes the proposal that it has accepted, and no other.")
    if proposal is not None and (
        proposal.vote.table,
        proposal.vote.place,
        (proposal.vote.ballot, proposal.value),
    ) != (vote.table, vote.place, accepted):
        raise MalformedError("A promise quotes another proposal than the one that it names.")
    return Promise(vote, accepted, proposal, signed, codec.as_bytes(signature, 64))


def read_proposal(signed: bytes, signature: bytes, carried: Value) -> Proposal:
    """Read a proposal, whose promises it carries, or none; raises as `read_promise` does."""
    vote, content = _read(signed)
    value, listed = codec.fields(content, 2)
    promised = tuple(codec.as_bytes(each, 32) for each in codec.as_list(listed, MAX_SEATS))
    promises = []
    for each in codec.as_list(carried, MAX_SEATS):
        core, core_signature, inner = codec.fields(each, 3)
        promises.append(read_promise(*_core(core, core_signature), inner))
    if promises and tuple(promise.id for promise in promises) != promised:
        raise MalformedError("A proposal carries other promises than those that it names.")
    whole = codec.as_bytes(signature, 64)
    return Proposal(vote, _value(value), promised, tuple(promises), signed, whole)


def read_accept(signed: bytes, signature: bytes, carried: Value) -> Accept:
    """Read an accept; raises as `read_promise` does."""
    codec.fields(carried, 0)
    vote, content = _read(signed)
    (value,) = codec.fields(content, 1)
    return Accept(vote, _value(value), signed, codec.as_bytes(signature, 64))


def read_certificate(content: bytes, signature: bytes, carried: Value) -> Certificate:
    """Read a certificate, whose accepts follow from its content; raises as `read_promise` does."""
    codec.as_bytes(signature, 0)
    _, table, step, previous, author, ballot, value = codec.fields(_decode(content), 7)
    place = _place(step, previous, author)
    number, decided = codec.as_int(ballot, 1, MAX_BALLOT), _value(value)
    of_table = codec.as_bytes(table, 32)
    accepts = []
    for each in codec.as_list(carried, MAX_SEATS):
        signer, counter, accept_signature = codec.fields(each, 3)
        vote = Vote(
            of_table,
            place,
            number,
            codec.as_int(signer, 0, MAX_SEATS - 1),
            codec.as_int(counter, 0, MAX_STEP),
        )
        accepts.append(
            Accept(vote, decided, content_of(vote, [decided]), codec.as_bytes(accept_signature, 64))
        )
    signers = [accept.vote.signer for accept in accepts]
    if signers != sorted(set(signers)):
        raise MalformedError("The accepts of a certificate are not in seat order.")
    return Certificate(of_table, place, number, decided, tuple(accepts))


def read_pause(signed: bytes, signature: bytes, carried: Value) -> Pause:
    """Read a request for a pause; raises as `read_promise` does."""
    codec.fields(carried, 0)
    _, table, author, counter, asks = codec.fields(_decode(signed), 5)
    return Pause(
        codec.as_bytes(table, 32),
        codec.as_int(author, 0, MAX_SEATS - 1),
        codec.as_int(counter, 0, MAX_STEP),
        codec.as_bool(asks),
        signed,
        codec.as_bytes(signature, 64),
    )


def _core(signed: Value, signature: Value) -> tuple[bytes, bytes]:
    return codec.as_bytes(signed, at_most=_MAX_VOTE_SIZE), codec.as_bytes(signature, 64)


def _read(signed: bytes) -> tuple[Vote, Value]:
    value = _decode(signed)
    _, table, step, previous, author, ballot, signer, counter, content = codec.fields(value, 9)
    vote = Vote(
        codec.as_bytes(table, 32),
        _place(step, previous, author),
        codec.as_int(ballot, 1, MAX_BALLOT),
        codec.as_int(signer, 0, MAX_SEATS - 1),
        codec.as_int(counter, 0, MAX_STEP),
    )
    return vote, content


def _decode(content: bytes) -> Value:
    value = codec.decode(content, _MAX_VOTE_SIZE)
    require_version(value)
    return value


def _place(step: Value, previous: Value, author: Value) -> Place:
    return Place(
        codec.as_int(step, 0, MAX_STEP),
        codec.as_bytes(previous, 32),
        codec.as_int(author, 0, MAX_SEATS - 1),
    )


def _value(value: Value) -> bytes:
    return ABSENT if value == ABSENT else codec.as_bytes(value, 32)
