"""The signed records of a vote on a late place, and their form in logs and on the wire.

One place is decided by single-decree Paxos: promises, a proposal, accepts, and the certificate
that a strict majority of accepts makes.  A value is the id of what the late seat signed for its
place, an entry or a leave notice, or `ABSENT`.  What the votes mean, and who contradicts itself,
is judged elsewhere (`ballots.py`).  Source: protocol.md, Late places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from p2pclimb.crypto.identity import Identity, verify_signature
from p2pclimb.errors import MalformedError
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.labels import PROTOCOL_VERSION, Label, digest, require_version
from p2pclimb.ledger.place import MAX_STEP, Place
from p2pclimb.ledger.terms import MAX_SEATS, Terms

__all__ = [
    "ABSENT",
    "MAX_BALLOT",
    "Accept",
    "Certificate",
    "Pause",
    "Promise",
    "Proposal",
    "Vote",
    "VoteRecord",
    "read_accept",
    "read_certificate",
    "read_pause",
    "read_promise",
    "read_proposal",
    "sign_accept",
    "sign_pause",
    "sign_promise",
    "sign_proposal",
    "write_vote",
]

ABSENT = b""
"""The value of a place whose author is passed over; every other value is an id of 32 bytes."""

MAX_BALLOT = 65_535
_MAX_VOTE_SIZE = 1024


@dataclass(frozen=True, slots=True)
class Vote:
    """What every vote names: the late place, the ballot (from 1), and who votes.

    `counter` runs over everything that the signer signs at this table.
    """

    table: bytes
    place: Place
    ballot: int
    signer: int
    counter: int


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise to accept nothing at this place below the ballot.

    `accepted` is the highest ballot below it whose value the signer has accepted, with the value;
    from ballot 1 on `proposal` is the proposal that it accepted, without its promises.
    """

    vote: Vote
    accepted: tuple[int, bytes] | None
    proposal: Proposal | None
    signed: bytes
    signature: bytes

    @property
    def id(self) -> bytes:
        """The hash of the signed bytes, 32 bytes."""
        return digest(Label.PROMISE, self.signed)

    def verify(self, terms: Terms) -> None:
        """Raise SignatureError unless the signers signed this and the proposal in it."""
        _verify(terms, self.vote, Label.PROMISE, self.signed, self.signature)
        if self.proposal is not None:
            self.proposal.verify(terms)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The coordinator's value for a ballot, by the promises whose ids `promised` lists.

    `promises` are those promises; none where the proposal is quoted in a promise.
    """

    vote: Vote
    value: bytes
    promised: tuple[bytes, ...]
    promises: tuple[Promise, ...]
    signed: bytes
    signature: bytes

    def verify(self, terms: Terms) -> None:
        """Raise SignatureError unless the coordinator signed this, and all whom it carries."""
        _verify(terms, self.vote, Label.PROPOSAL, self.signed, self.signature)
        for promise in self.promises:
            promise.verify(terms)


@dataclass(frozen=True, slots=True)
class Accept:
    """A seat accepts the value that was proposed in a ballot."""

    vote: Vote
    value: bytes
    signed: bytes
    signature: bytes

    def verify(self, terms: Terms) -> None:
        """Raise SignatureError unless the signer signed exactly these bytes."""
        _verify(terms, self.vote, Label.ACCEPT, self.signed, self.signature)


@dataclass(frozen=True, slots=True)
class Certificate:
    """The accepts of one value in one ballot; whether they are a majority is the ledger's matter.

    Not signed itself: whoever has the accepts can make it.
    """

    table: bytes
    place: Place
    ballot: int
    value: bytes
    accepts: tuple[Accept, ...]

    def verify(self, terms: Terms) -> None:
        """Raise SignatureError unless every accept is signed by its signer."""
        for accept in self.accepts:
            accept.verify(terms)


@dataclass(frozen=True, slots=True)
class Pause:
    """A seat asks that nobody votes (`asks`), or does not ask so any more."""

    table: bytes
    author: int
    counter: int
    asks: bool
    signed: bytes
    signature: bytes

    def verify(self, terms: Terms) -> None:
        """Raise SignatureError unless the author's identity signed exactly these bytes."""
        key = terms.seats[self.author].identity
        verify_signature(key, Label.PAUSE.value.encode(), self.signed, self.signature)


VoteRecord: TypeAlias = Promise | Proposal | Accept | Certificate


# -- signing -------------------------------------------------------------------------------------


def sign_promise(
    identity: Identity,
    vote: Vote,
    accepted: tuple[int, bytes] | None = None,
    proposal: Proposal | None = None,
) -> Promise:
    """Return a signed promise; `proposal` is the one that was accepted, from ballot 1 on."""
    quoted = None if proposal is None else replace(proposal, promises=())
    signed = _signed(vote, [] if accepted is None else list(accepted))
    signature = identity.sign(Label.PROMISE.value.encode(), signed)
    return Promise(vote, accepted, quoted, signed, signature)


def sign_proposal(
    identity: Identity, vote: Vote, value: bytes, promises: Sequence[Promise]
) -> Proposal:
    """Return a signed proposal that rests on these promises."""
    promised = tuple(promise.id for promise in promises)
    signed = _signed(vote, [value, list(promised)])
    signature = identity.sign(Label.PROPOSAL.value.encode(), signed)
    return Proposal(vote, value, promised, tuple(promises), signed, signature)


def sign_accept(identity: Identity, vote: Vote, value: bytes) -> Accept:
    """Return a signed accept."""
    signed = _signed(vote, [value])
    return Accept(vote, value, signed, identity.sign(Label.ACCEPT.value.encode(), signed))


def sign_pause(identity: Identity, *, table: bytes, author: int, counter: int, asks: bool) -> Pause:
    """Return a signed request for a pause, or the end of one."""
    signed = codec.encode([PROTOCOL_VERSION, table, author, counter, asks])
    signature = identity.sign(Label.PAUSE.value.encode(), signed)
    return Pause(table, author, counter, asks, signed, signature)


def _signed(vote: Vote, content: list[Value]) -> bytes:
    place = vote.place
    return codec.encode(
        [
            PROTOCOL_VERSION,
            vote.table,
            place.step,
            place.previous,
            place.author,
            vote.ballot,
            vote.signer,
            vote.counter,
            content,
        ]
    )


def _verify(terms: Terms, vote: Vote, label: Label, signed: bytes, signature: bytes) -> None:
    key = terms.seats[vote.signer].identity
    verify_signature(key, label.value.encode(), signed, signature)


# -- their form in records -----------------------------------------------------------------------


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
            Accept(vote, decided, _signed(vote, [decided]), codec.as_bytes(accept_signature, 64))
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
