"""One seat's part in the vote on a late place: acceptor, coordinator and learner.

Sans I/O: it says what to sign, and is told of every record, its own included.  So the records of
the log bring it back to where it was before a restart (`came` and `recall`).  What the votes prove
against others is found in `ballots.py`; clocks, pauses and signatures are the session's matter.

Ballots go on as their seats' clocks do, not as somebody says: a seat goes to the next ballot when a
majority has been in its own one for a whole time limit, and joins a higher one only with half of
the electorate, one honest seat among them.  So all honest seats that are connected come to be in
the same ballot for most of a time limit, again and again, and their coordinators take turns.
Source: protocol.md, Late places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from p2pclimb.ledger.ballots import (
    PlaceVotes,
    coordinator,
    forced_values,
    majority,
)
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.votes import (
    ABSENT,
    MAX_BALLOT,
    Accept,
    Certificate,
    Promise,
    Proposal,
    VoteRecord,
)

__all__ = ["Act", "Decided", "Stand", "ToAccept", "ToPromise", "ToPropose", "Voting"]


@dataclass(frozen=True, slots=True)
class ToPromise:
    """A promise to sign: the highest acceptance it states, from ballot 1 on with its proposal."""

    ballot: int
    accepted: tuple[int, bytes] | None
    proposal: Proposal | None


@dataclass(frozen=True, slots=True)
class ToPropose:
    """A proposal to sign, and the promises on which it rests."""

    ballot: int
    value: bytes
    promises: tuple[Promise, ...]


@dataclass(frozen=True, slots=True)
class ToAccept:
    """An accept to sign."""

    ballot: int
    value: bytes


@dataclass(frozen=True, slots=True)
class Decided:
    """The place is decided; the certificate needs no signature of ours."""

    certificate: Certificate


_V = TypeVar("_V", Promise, Accept)

Act: TypeAlias = ToPromise | ToPropose | ToAccept


@dataclass(frozen=True, slots=True)
class Stand:
    """How the vote stands: the present ballot, and who has promised and accepted in it."""

    ballot: int
    promised: tuple[int, ...]
    accepted: tuple[int, ...]


class Voting:
    """The vote of seat `seat` on a place, and what it knows of the others' votes.

    One act is asked for at a time: signed, stored and given back to `take` it brings the next.
    Nothing depends on its being signed: while it listens after a restart, or while a pause holds
    that forbids a promise, a session may leave an act, and is asked again.
    """

    def __init__(self, place: Place, electorate: Sequence[int], seat: int, table: bytes) -> None:
        self._votes = PlaceVotes(table, place, electorate)
        self._place = place
        self._electorate = electorate
        self._seat = seat
        self._came: list[bytes] = []
        # What came while this seat had promised nothing, as far as it remembered.
        self._came_in_time: bytes | None = None
        # The ballot that this seat may promise by its own clock; 0 before the time is over.
        self._due = 0
        # Whether a majority was in this seat's ballot already when its time limit began.
        self._is_ripe = False
        self._is_told = False
        # The proposals whose promises are all as good as they say, see `_counts`.
        self._founded: dict[int, list[bytes]] = {}

    # -- what happens --------------------------------------------------------------------------

    def came(self, value: bytes) -> list[Act | Decided]:
        """Take note that what the late seat signed for the place is verified and stored here.

        `value` is the id of the entry or notice.
        """
        if value not in self._came:
            self._came.append(value)
            if self.promised == 0 and self._came_in_time is None:
                self._came_in_time = value
        return self._acts()

    def time_up(self) -> list[Act | Decided]:
        """Take note that the time limit is over: first that of the place, then of each ballot."""
        self._due = max(self._due, 1)
        if self.promised and self.has_majority:
            if self._is_ripe:
                self._due = min(self.promised + 1, MAX_BALLOT)
            self._is_ripe = True
        return self._acts()

    def take(self, record: VoteRecord) -> list[Act | Decided]:
        """Take a record whose signatures are verified, of any seat, this one's own included.

        Raises MalformedError as `PlaceVotes.add` does.
        """
        before = self.promised
        self._votes.add(record)
        if self.promised > before:
            self._is_ripe = self.has_majority
        return self._acts()

    def go_on(self) -> list[Act | Decided]:
        """Ask again for what was left unsigned, and tell again that the place is decided."""
        self._is_told = False
        return self._acts()

    # -- how it stands -------------------------------------------------------------------------

    @property
    def promised(self) -> int:
        """The ballot below which this seat accepts nothing more; 0 if it has promised nothing.

        To accept in a ballot is as good as to promise it.
        """
        return max([0, *self._own(self._votes.promises), *self._own(self._votes.accepts)])

    @property
    def certificate(self) -> Certificate | None:
        """What decides the place, once it is known here."""
        return self._votes.decided()

    @property
    def has_majority(self) -> bool:
        """Whether a majority, as far as known here, is in the ballot of this seat or above it."""
        seats = self._votes.reached_by(self.promised) | {self._seat}
        return len(seats) >= majority(self._electorate)

    @property
    def stands(self) -> Stand:
        """How the vote stands in the ballot of this seat, or in one above it that others are in."""
        ballot = max(self.promised, self._votes.supported())
        accepts = self._votes.accepts.get(ballot, {})
        return Stand(ballot, tuple(sorted(self._votes.reached_by(ballot))), tuple(sorted(accepts)))

    def may_build(self, value: bytes) -> bool:
        """Whether this seat may sign what builds on the place when `value` fills it.

        It may acknowledge what its own promises have stated.  What it has promised away it builds
        on only with a certificate, or when the entry is final, which the session knows.
        """
        if self.certificate is not None:
            return self.certificate.value == value
        if self.promised == 0 or self._seat == self._place.author:
            return True
        return value == self._first and (self._accepted is None or self._accepted[1] == value)

    def excepts(self, value: bytes) -> bool:
        """Whether an entry that builds on the place, filled by `value`, has to except it.

        For this seat had promised before the value came, and has not accepted it in ballot 0.
        """
        is_others = value != ABSENT and self._seat != self._place.author
        return is_others and self.promised > 0 and value != self._first

    def own_records(self) -> list[VoteRecord]:
        """Return what the others need to go on from where this seat is, to be sent on a tick.

        The certificate, or the highest votes of every seat and the proposals that they rest on.
        """
        if self.certificate is not None:
            return [self.certificate]
        promises = _highest_of_each(self._votes.promises)
        accepts = _highest_of_each(self._votes.accepts)
        proposals = [p for _, of in sorted(self._votes.proposals.items()) for p in of.values()]
        return [*proposals, *promises, *accepts]

    def votes_of(self, seat: int | None) -> list[VoteRecord]:
        """Return all that a seat has said about this place, and the proposals it rests on."""
        promises = [of[seat] for of in self._votes.promises.values() if seat in of]
        accepts = [of[seat] for of in self._votes.accepts.values() if seat in of]
        if not promises and not accepts:
            return []
        proposals = [p for _, of in sorted(self._votes.proposals.items()) for p in of.values()]
        return [*proposals, *promises, *accepts]

    # -- what is to be signed ------------------------------------------------------------------

    def _acts(self) -> list[Act | Decided]:
        """Return the next thing to sign, if any, or that the place is decided, once."""
        certificate = self.certificate
        if certificate is None and self._seat not in self._electorate:
            return []
        if certificate is None:
            self._find_founded()
            act = self._proposing() or self._accepting() or self._joining()
            return [act] if act is not None else []
        if self._is_told:
            return []
        self._is_told = True
        return [Decided(certificate)]

    def _proposing(self) -> ToPropose | None:
        """Propose what the promises of a majority force, else what has come, else absence."""
        for ballot in sorted(self._votes.promises, reverse=True):
            if ballot < self.promised:
                break
            if self._seat != self._coordinator(ballot) or ballot in self._votes.named:
                continue
            by_signer = self._votes.promises[ballot]
            promises = [by_signer[s] for s in sorted(by_signer) if self._counts(by_signer[s])]
            if len(promises) >= majority(self._electorate):
                free = self._came[0] if self._came else ABSENT
                value = max(forced_values(promises), default=free)
                return ToPropose(ballot, value, tuple(promises))
        return None

    def _accepting(self) -> ToAccept | None:
        """Accept a founded proposal of the highest ballot, if nothing higher is promised."""
        ballot = max(self._founded, default=0)
        is_news = self._accepted is None or ballot > self._accepted[0]
        if ballot == 0 or ballot < self.promised or not is_news:
            return None
        return ToAccept(ballot, self._founded[ballot][0])

    def _joining(self) -> ToPromise | None:
        """Promise once the time is over, or another seat has promised away what is accepted here.

        From then on follow half of the electorate, but no single seat, to a higher ballot.
        """
        others = self._votes.reached_by(1) - {self._seat}
        is_drawn_in = self._first is not None and len(others) > 0
        if self._due == 0 and self.promised == 0 and not is_drawn_in:
            return None
        ballot = max(1, self._due, self._votes.supported())
        return self._promise(ballot) if ballot > self.promised else None

    def _promise(self, ballot: int) -> ToPromise | None:
        stated = self._standing
        if stated is None or stated[0] == 0:
            return ToPromise(ballot, stated, None)
        number, value = stated
        # After a restart from a damaged log it may be missing, until another seat sends it.
        proposal = self._votes.proposals.get(number, {}).get(value)
        return ToPromise(ballot, stated, proposal) if proposal is not None else None

    def _coordinator(self, ballot: int) -> int:
        return coordinator(self._electorate, self._place.author, ballot)

    # -- what counts ---------------------------------------------------------------------------

    def _find_founded(self) -> None:
        """Find the proposals that are founded, lower ballots first, since higher ones rest on them.

        A value that has not come here is not accepted: it might be nothing.
        """
        for ballot, by_value in sorted(self._votes.proposals.items()):
            for value, proposal in by_value.items():
                is_known = value == ABSENT or value in self._came
                is_news = value not in self._founded.get(ballot, ())
                if is_known and is_news and all(map(self._counts, proposal.promises)):
                    self._founded.setdefault(ballot, []).append(value)

    def _counts(self, promise: Promise) -> bool:
        """Whether the acceptance that a promise states was possible.

        So a coordinator that lies cannot have its own promise quote what nobody allowed.
        """
        if promise.accepted is None:
            return True
        ballot, value = promise.accepted
        return value in (self._came if ballot == 0 else self._founded.get(ballot, ()))

    def _own(self, votes: Mapping[int, Mapping[int, _V]]) -> dict[int, _V]:
        """Return this seat's own votes by ballot, those too that only others' records carry."""
        return {ballot: of[self._seat] for ballot, of in votes.items() if self._seat in of}

    @property
    def _first(self) -> bytes | None:
        """What this seat has accepted in ballot 0, as its first promise states, if it has one."""
        promises = self._own(self._votes.promises)
        if not promises:
            return self._came_in_time
        stated = promises[min(promises)].accepted
        return stated[1] if stated is not None and stated[0] == 0 else None

    @property
    def _accepted(self) -> tuple[int, bytes] | None:
        """The highest acceptance of this seat from ballot 1 on."""
        accepts = self._own(self._votes.accepts)
        return (max(accepts), accepts[max(accepts)].value) if accepts else None

    @property
    def _standing(self) -> tuple[int, bytes] | None:
        """The highest acceptance of this seat, ballot 0 included."""
        if self._accepted is not None:
            return self._accepted
        return (0, self._first) if self._first is not None else None


def _highest_of_each(ballots: Mapping[int, Mapping[int, _V]]) -> list[_V]:
    """Return the vote of every seat in its highest ballot, in seat order."""
    highest = {seat: vote for _, of in sorted(ballots.items()) for seat, vote in of.items()}
    return [highest[seat] for seat in sorted(highest)]
