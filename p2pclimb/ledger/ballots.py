"""Judging the votes on one late place: what decides it, and who contradicts itself.

The vote is single-decree Paxos (L. Lamport, "Paxos Made Simple", 2001) among the electorate of the
place.  Ballot 0 is the late seat's own entry or notice, and a seat accepts it in the open by an
entry of its own that builds on it.  As long as nobody contradicts itself two different values are
never both decided; if they are, one of the contradictions found here names a signer whose own
signatures prove it.  Each is between statements that no honest seat makes both, in whatever order
it signs and others receive them; nothing depends on counters or clocks.

Signatures are verified elsewhere (`votes.py`), and what comes of a contradiction is the ledger's
matter.  Source: protocol.md, Late places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from p2pclimb.errors import MalformedError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.votes import (
    ABSENT,
    Accept,
    Certificate,
    Promise,
    Proposal,
    Vote,
    VoteRecord,
)

__all__ = [
    "Contradiction",
    "PlaceVotes",
    "check_certificate",
    "check_proposal",
    "coordinator",
    "forced_values",
    "is_stronger",
    "majority",
    "witnesses",
]


def majority(electorate: Sequence[int]) -> int:
    """Return how many seats are more than half of an electorate."""
    return len(electorate) // 2 + 1


def witnesses(electorate: Sequence[int]) -> int:
    """Return how many seats are at least half of an electorate.

    So many others acknowledge an entry before it is final, and while a strict majority is honest,
    one of so many seats is.
    """
    return (len(electorate) + 1) // 2


def coordinator(electorate: Sequence[int], late: int, ballot: int) -> int:
    """Return the seat that proposes in a ballot: the seats after the late one take turns."""
    return electorate[(electorate.index(late) + ballot) % len(electorate)]


def forced_values(promises: Iterable[Promise]) -> frozenset[bytes]:
    """Return the values that were accepted in the highest ballot that promises state.

    None: the promises leave the choice free.  More than one: the coordinator of that ballot, or
    for ballot 0 the late seat, has signed two.
    """
    stated = [promise.accepted for promise in promises if promise.accepted is not None]
    highest = max((ballot for ballot, _ in stated), default=0)
    return frozenset(value for ballot, value in stated if ballot == highest)


def check_certificate(certificate: Certificate, electorate: Sequence[int]) -> None:
    """Raise MalformedError unless a strict majority of the electorate accepted the value.

    The signatures are verified by `Certificate.verify`.
    """
    accepted = {accept.vote.signer for accept in certificate.accepts} & set(electorate)
    if len(accepted) < majority(electorate):
        raise MalformedError("A certificate is not signed by a majority.")


def is_stronger(one: Certificate, other: Certificate) -> bool:
    """Whether one of two certificates for a place overrules the other.

    There are two values only if somebody has contradicted itself, but then too all who know both
    have to go on from the same one: that of the lower ballot, and in one ballot rather what the
    late seat signed than its absence.
    """
    return _rank(one) < _rank(other)


def _rank(certificate: Certificate) -> tuple[int, bool, bytes]:
    return certificate.ballot, certificate.value == ABSENT, certificate.value


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What a seat has signed and must not have, with the records that prove it.

    `rule` is a stable slug; `deed` goes on after the seat's name, without a full stop.
    """

    signer: int
    rule: str
    deed: str
    records: tuple[VoteRecord | Entry | Leave, ...]


def check_proposal(proposal: Proposal, electorate: Sequence[int]) -> Contradiction | None:
    """Return the proof that a proposal is not allowed by the promises it names; None if it is.

    Raises MalformedError for what proves nothing: a signer that is not the coordinator, promises
    that are not carried.  The signatures are verified by `Proposal.verify`.
    """
    vote = proposal.vote
    if vote.signer != coordinator(electorate, vote.place.author, vote.ballot):
        raise MalformedError("A proposal is not by the coordinator of its ballot.")
    if len(proposal.promises) != len(proposal.promised):
        raise MalformedError("A proposal does not carry the promises that it names.")
    fault = _fault(proposal, electorate)
    if fault is None:
        return None
    deed = f"proposed in ballot {vote.ballot} what its promises do not allow: {fault}"
    return Contradiction(vote.signer, "unfounded-proposal", deed, (proposal,))


def _fault(proposal: Proposal, electorate: Sequence[int]) -> str | None:
    vote = proposal.vote
    signers = {promise.vote.signer for promise in proposal.promises}
    if len(signers) < len(proposal.promises) or not signers <= set(electorate):
        return "they are not of different seats that have a vote"
    if len(signers) < majority(electorate):
        return "they are not a majority"
    if any(_ballot_of(promise.vote) != _ballot_of(vote) for promise in proposal.promises):
        return "they are for another ballot"
    forced = forced_values(proposal.promises)
    if forced and proposal.value not in forced:
        return "they force another value"
    return None


def _ballot_of(vote: Vote) -> tuple[bytes, Place, int]:
    return vote.table, vote.place, vote.ballot


@dataclass(slots=True)
class PlaceVotes:
    """The votes on one place as far as they are known, by ballot.

    One promise and one accept of a seat in a ballot are kept, and one proposal of each value; a
    second one that says something else is a contradiction.  `named` has for each ballot the first
    value that its coordinator signed, proposed or quoted in a promise.
    """

    table: bytes
    place: Place
    electorate: Sequence[int]
    promises: dict[int, dict[int, Promise]] = field(default_factory=dict)
    proposals: dict[int, dict[bytes, Proposal]] = field(default_factory=dict)
    accepts: dict[int, dict[int, Accept]] = field(default_factory=dict)
    named: dict[int, Proposal] = field(default_factory=dict)
    certificate: Certificate | None = None
    _levels: dict[int, int] = field(default_factory=dict)
    _built: dict[int, Entry | Leave] = field(default_factory=dict)

    # -- records -------------------------------------------------------------------------------

    def add(self, record: VoteRecord) -> list[Contradiction]:
        """Take a record whose signatures are verified; return what it proves with the others.

        Raises MalformedError for a record of another place, of a seat without a vote, and as
        `check_certificate` and `check_proposal` do.  A proposal that carries no promises, as it is
        quoted in promises, counts only as its coordinator's word.
        """
        match record:
            case Certificate(table=table, place=place):
                signer = self.electorate[0]
            case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
                table, place, signer = vote.table, vote.place, vote.signer
        if (table, place) != (self.table, self.place) or signer not in self.electorate:
            raise MalformedError("A vote is for another place, or of a seat that has none here.")
        match record:
            case Certificate():
                return self._certificate(record)
            case Promise():
                return self._promise(record)
            case Proposal(promises=()):
                return self._names(record)
            case Proposal():
                return self._proposal(record)
            case Accept():
                return self._accept(record)

    def built(self, record: Entry | Leave) -> list[Contradiction]:
        """Take a seat's first record after this place on a branch where its own value fills it.

        Unless it excepts the place it accepts ballot 0; so does a notice that acknowledges a later
        head.  The author's own records are no acceptance and are not asked.
        """
        signer = record.author
        excepted = record.excepted if isinstance(record, Entry) else ()
        excepts = (self.place.step, self.place.author) in excepted
        if excepts or signer == self.place.author or signer in self._built:
            return []
        self._built[signer] = record
        promises = self._promises_of(signer)
        return [_built_on_nothing(p, record) for p in promises if p.accepted is None]

    def _certificate(self, certificate: Certificate) -> list[Contradiction]:
        check_certificate(certificate, self.electorate)
        voters = [a for a in certificate.accepts if a.vote.signer in self.electorate]
        found = [each for accept in voters for each in self._accept(accept)]
        if self.certificate is None or is_stronger(certificate, self.certificate):
            self.certificate = certificate
        return found

    def _promise(self, promise: Promise) -> list[Contradiction]:
        signer, ballot = promise.vote.signer, promise.vote.ballot
        found = [] if promise.proposal is None else self._names(promise.proposal)
        known = self.promises.setdefault(ballot, {}).setdefault(signer, promise)
        if known is not promise:
            return found + _two_promises(known, promise)
        self._reaches(promise.vote)
        if promise.accepted is None and signer in self._built:
            found.append(_built_on_nothing(promise, self._built[signer]))
        accepts = [of[signer] for of in self.accepts.values() if signer in of]
        return found + [each for accept in accepts for each in _omits(promise, accept)]

    def _proposal(self, proposal: Proposal) -> list[Contradiction]:
        unfounded = check_proposal(proposal, self.electorate)
        if unfounded is not None:
            return [unfounded, *self._names(proposal)]
        found = [each for promise in proposal.promises for each in self._promise(promise)]
        self.proposals.setdefault(proposal.vote.ballot, {}).setdefault(proposal.value, proposal)
        return found + self._names(proposal)

    def _accept(self, accept: Accept) -> list[Contradiction]:
        signer, ballot = accept.vote.signer, accept.vote.ballot
        known = self.accepts.setdefault(ballot, {}).setdefault(signer, accept)
        if known is not accept:
            return _two_accepts(known, accept)
        self._reaches(accept.vote)
        promises = self._promises_of(signer)
        return [each for promise in promises for each in _omits(promise, accept)]

    def _names(self, proposal: Proposal) -> list[Contradiction]:
        """Compare a value that a coordinator signed with the first one that it signed."""
        vote = proposal.vote
        if vote.signer != coordinator(self.electorate, self.place.author, vote.ballot):
            raise MalformedError("A proposal is not by the coordinator of its ballot.")
        known = self.named.setdefault(vote.ballot, proposal)
        if known.value == proposal.value:
            return []
        deed = f"proposed two values in ballot {vote.ballot}"
        return [Contradiction(vote.signer, "two-proposals", deed, (known, proposal))]

    def _promises_of(self, signer: int) -> list[Promise]:
        return [of[signer] for of in self.promises.values() if signer in of]

    def _reaches(self, vote: Vote) -> None:
        self._levels[vote.signer] = max(vote.ballot, self._levels.get(vote.signer, 0))

    # -- ballots -------------------------------------------------------------------------------

    def reached_by(self, ballot: int) -> frozenset[int]:
        """Return the seats that have promised or accepted in a ballot or a higher one."""
        return frozenset(seat for seat, level in self._levels.items() if level >= ballot)

    def supported(self) -> int:
        """Return the highest ballot that an honest seat has reached for sure, 0 if none has.

        While a strict majority is honest there is one among any half of the electorate.
        """
        levels = sorted(self._levels.values(), reverse=True)
        needed = witnesses(self.electorate)
        return levels[needed - 1] if len(levels) >= needed else 0

    def decided(self) -> Certificate | None:
        """Return the certificate; it is made as soon as the accepts of a value are a majority."""
        if self.certificate is None:
            for ballot, by_signer in self.accepts.items():
                self.certificate = self.certificate or self._count(ballot, by_signer)
        return self.certificate

    def _count(self, ballot: int, by_signer: Mapping[int, Accept]) -> Certificate | None:
        for value in {accept.value for accept in by_signer.values()}:
            seats = [seat for seat in sorted(by_signer) if by_signer[seat].value == value]
            if len(seats) >= majority(self.electorate):
                accepts = tuple(by_signer[seat] for seat in seats)
                return Certificate(self.table, self.place, ballot, value, accepts)
        return None


# -- the contradictions --------------------------------------------------------------------------


def _two_promises(known: Promise, other: Promise) -> list[Contradiction]:
    if known.accepted == other.accepted:
        return []
    vote = known.vote
    deed = f"stated two different acceptances when it promised ballot {vote.ballot}"
    return [Contradiction(vote.signer, "two-promises", deed, (known, other))]


def _two_accepts(known: Accept, other: Accept) -> list[Contradiction]:
    if known.value == other.value:
        return []
    vote = known.vote
    deed = f"accepted two values in ballot {vote.ballot}"
    return [Contradiction(vote.signer, "two-accepts", deed, (known, other))]


def _omits(promise: Promise, accept: Accept) -> list[Contradiction]:
    """Compare a promise with an acceptance below it: it states that one, or a higher one.

    Else an acceptance signed before the promise is omitted, and one signed after it forbidden.
    """
    ballot, promised = accept.vote.ballot, promise.vote.ballot
    if ballot >= promised:
        return []
    stated = promise.accepted
    if stated is not None and (stated[0] > ballot or stated == (ballot, accept.value)):
        return []
    deed = f"accepted in ballot {ballot} what its promise of ballot {promised} does not state"
    return [Contradiction(accept.vote.signer, "broken-promise", deed, (promise, accept))]


def _built_on_nothing(promise: Promise, built: Entry | Leave) -> Contradiction:
    ballot = promise.vote.ballot
    deed = f"acknowledged an entry that its promise of ballot {ballot} does not state"
    return Contradiction(built.author, "broken-promise", deed, (promise, built))
