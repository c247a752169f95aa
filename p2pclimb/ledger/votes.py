"""The signed records of a vote on a late place: what each says, and how it is signed.

One place is decided by single-decree Paxos: promises, a proposal, accepts, and the certificate
that a strict majority of accepts makes.  A value is the id of what the late seat signed for its
place, an entry or a leave notice, or `ABSENT`.  What the votes mean, and who contradicts itself,
is judged elsewhere (`ballots.py`); their form in logs and on the wire is in `vote_forms.py`.
Source: protocol.md, Late places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from p2pclimb.crypto.identity import Identity, verify_signature
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.labels import PROTOCOL_VERSION, Label, digest
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.terms import Terms

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
    "content_of",
    "sign_accept",
    "sign_pause",
    "sign_promise",
    "sign_proposal",
]

ABSENT = b""
"""The value of a place whose author is passed over; every other value is an id of 32 bytes."""

MAX_BALLOT = 65_535


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
    signed = content_of(vote, [] if accepted is None else list(accepted))
    signature = identity.sign(Label.PROMISE.value.encode(), signed)
    return Promise(vote, accepted, quoted, signed, signature)


def sign_proposal(
    identity: Identity, vote: Vote, value: bytes, promises: Sequence[Promise]
) -> Proposal:
    """Return a signed proposal that rests on these promises."""
    promised = tuple(promise.id for promise in promises)
    signed = content_of(vote, [value, list(promised)])
    signature = identity.sign(Label.PROPOSAL.value.encode(), signed)
    return Proposal(vote, value, promised, tuple(promises), signed, signature)


def sign_accept(identity: Identity, vote: Vote, value: bytes) -> Accept:
    """Return a signed accept."""
    signed = content_of(vote, [value])
    return Accept(vote, value, signed, identity.sign(Label.ACCEPT.value.encode(), signed))


def sign_pause(identity: Identity, *, table: bytes, author: int, counter: int, asks: bool) -> Pause:
    """Return a signed request for a pause, or the end of one."""
    signed = codec.encode([PROTOCOL_VERSION, table, author, counter, asks])
    signature = identity.sign(Label.PAUSE.value.encode(), signed)
    return Pause(table, author, counter, asks, signed, signature)


def content_of(vote: Vote, content: list[Value]) -> bytes:
    """Return the bytes that are signed: what every vote names, and what this kind says."""
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
