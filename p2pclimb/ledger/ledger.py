"""The ledger: the fold of all records of a table, complete checks included.

Live nodes and the audit run this same code.  Records may come in any order and be of branches that
count no more; where the table stands depends on the records alone.  Only the deals that are not
settled are kept here: what was accepted before stands in the log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum

from p2pclimb.errors import MalformedError, ViolationError
from p2pclimb.ledger.ballots import Contradiction, PlaceVotes, check_certificate
from p2pclimb.ledger.branches import Branches, Node
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.events import Event, HistoryDropped, first_of
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import (
    Position,
    Verified,
    check_entry,
    first_position,
)
from p2pclimb.ledger.record import Record
from p2pclimb.ledger.route import Route
from p2pclimb.ledger.terms import Terms
from p2pclimb.ledger.votes import Accept, Certificate, Promise, Proposal

__all__ = ["Ledger", "Standing"]


class Standing(Enum):
    """Where an entry stands towards the ledger."""

    OPEN = "nothing of its author is known for its place yet"
    KNOWN = "it is on the ledger already"
    EARLY = "the step before it is not known here yet"
    SETTLED = "its step is settled, and stands in the log"
    STRAY = "it belongs to no place of this table's history"


@dataclass(slots=True)
class Ledger:
    """The history of one table so far; `position` is where it stands now.

    `last` is the last entry of every seat on the branch that counts, `convictions` the earliest
    proved offence of each culprit.
    """

    terms: Terms
    start: Position | None = None
    tally: Tally = field(init=False, default=Tally())
    convictions: dict[int, Conviction] = field(init=False, default_factory=dict)
    _branches: Branches = field(init=False, default_factory=Branches)
    _route: Route = field(init=False)

    def __post_init__(self) -> None:
        first = self._branches.at(self.start or first_position(self.terms))
        self._route = Route(self._branches, [first], self.convictions)

    @property
    def position(self) -> Position:
        """Where the table stands."""
        return self._route.position

    @property
    def ended(self) -> bool:
        """Whether nobody owes anything any more."""
        return self.position.stage.kind is None

    @property
    def leaves(self) -> dict[int, Leave]:
        """The notices of those who leave."""
        return self._branches.leaves

    # -- entries -------------------------------------------------------------------------------

    def standing(self, entry: Entry) -> Standing:
        """Find the place of an entry.

        Raises ViolationError when its author has signed another body for the same place, or has
        left before: together with the records that `conflicting` gives, the entry proves it, if
        its signature holds.
        """
        if entry.table != self.position.table:
            return Standing.STRAY
        node = self._node(entry.place)
        known = node.entries.get(entry.author) if node else None
        if known is not None and known.entry.signed == entry.signed:
            return Standing.KNOWN
        offence = self._offence(entry, known)
        if offence is not None:
            if self._is_convicted(entry.author, entry.step):
                return Standing.STRAY
            raise offence
        if node is None:
            return self._standing_elsewhere(entry.place)
        return Standing.OPEN if entry.author in node.start.stage.authors() else Standing.STRAY

    def _offence(self, entry: Entry, known: Verified | None) -> ViolationError | None:
        if known is not None:
            return self.equivocation(entry)
        if self._branches.leaves_by(entry.author, entry.step):
            deed = "signed an entry after leaving"
            return self._violation(entry.author, entry.step, "leave", deed)
        return None

    def _standing_elsewhere(self, place: Place) -> Standing:
        """Find where an entry stands whose place is not known here."""
        first = self.first_step
        if place.step < first and self.position.heads[place.step] == place.previous:
            return Standing.SETTLED
        is_of_another_step = place.previous in self._branches.nodes
        return Standing.EARLY if place.step > first and not is_of_another_step else Standing.STRAY

    def before(self, entry: Entry) -> Position:
        """Return the position at which an entry with a place is to be checked."""
        return self._branches.nodes[entry.place.previous].start

    def leads_to(self, place: Place) -> bool:
        """Whether a place is kept here, or can be reached on a branch that counts no more."""
        return self._branches.lead_to(place, self.convictions)

    def fill(self, verified: Verified) -> tuple[Event, ...]:
        """Put a verified entry at its open place and return what that tells."""
        entry = verified.entry
        node = self._branches.nodes[entry.place.previous]
        node.entries[entry.author] = verified
        self.tally += verified.tally
        return self._changed(node, entry.author)

    def accept(self, entry: Entry) -> tuple[Event, ...]:
        """Verify an entry completely, signature included, and put it at its open place.

        Raises SignatureError, MalformedError if no place waits for it, and ViolationError.
        """
        entry.verify(self.terms)
        standing = self.standing(entry)
        if standing is not Standing.OPEN:
            raise MalformedError(f"An entry for step {entry.step} is not due: {standing.value}.")
        return self.fill(check_entry(self.before(entry), entry))

    def equivocation(self, entry: Entry) -> ViolationError:
        """Return what an entry proves when its author has signed another for the same place."""
        return self._violation(
            entry.author, entry.step, "equivocation", "signed two different entries"
        )

    def certify(self, certificate: Certificate) -> tuple[Event, ...]:
        """Take the decision on a late place, whose signatures have been verified.

        Of two that contradict each other the stronger one counts, whichever comes first.  Raises
        MalformedError unless its step is known and a majority of its electorate accepted.
        """
        place = certificate.place
        node = self._to_vote_on(place)
        check_certificate(certificate, node.start.electorate())
        if not node.decide(certificate):
            return ()
        self.tally += Tally(certificates=1)
        return self._changed(node, place.author)

    def vote(self, record: Promise | Proposal | Accept) -> list[Conviction]:
        """Take a verified vote on a place that is kept here; return what it proves.

        Raises MalformedError for a vote that has no place and for one that is none.
        """
        place = record.vote.place
        node = self._to_vote_on(place)
        if place.author not in node.votes:
            votes = PlaceVotes(self.position.table, place, node.start.electorate())
            node.votes[place.author] = votes
            for built in self._branches.acknowledging(node, place.author):
                votes.built(built)
        self.tally += Tally(signatures=1)
        return [self._proved(each, place) for each in node.votes[place.author].add(record)]

    def contradicted_by(self, record: Entry | Leave | Certificate) -> list[Conviction]:
        """Return what an accepted record proves against those who signed it, by their votes.

        The accepts in a certificate are votes like any others.
        """
        if isinstance(record, Certificate):
            electorate = self._to_vote_on(record.place).start.electorate()
            voted = (accept for accept in record.accepts if accept.vote.signer in electorate)
            return [conviction for accept in voted for conviction in self.vote(accept)]
        return [
            self._proved(contradiction, votes.place)
            for votes in self._branches.acknowledged_by(record)
            for contradiction in votes.built(record)
        ]

    def _proved(self, found: Contradiction, place: Place) -> Conviction:
        violation = self._violation(found.signer, place.step, found.rule, found.deed)
        return Conviction(violation, found.records)

    # -- notices and convictions ---------------------------------------------------------------

    def notice(self, leave: Leave) -> tuple[Event, ...]:
        """Take a leave notice whose signature has been verified; known ones change nothing.

        Raises MalformedError for another table's notice, ViolationError for a second notice of the
        same seat and for one from a step that its author has signed already.
        """
        if leave.table != self.position.table:
            raise MalformedError("A leave notice belongs to another table.")
        seat = leave.author
        known = self.leaves.get(seat)
        if known is not None:
            if known.signed == leave.signed:
                return ()
            # Were one of the two chosen, nodes that saw them in another order would differ.
            step = min(known.step, leave.step)
            raise self._violation(seat, step, "leave", "gave two different leave notices")
        if leave.step <= self.last_signed(seat):
            raise self._violation(seat, leave.step, "leave", "left below a step it had signed")
        self.leaves[seat] = leave
        self.tally += Tally(signatures=1)
        return self._follow()

    def convict(self, violation: ViolationError, *proof: Record) -> tuple[Event, ...]:
        """Take the proof of an offence; only the earliest one of a seat counts."""
        seat = violation.seat
        known = self.convictions.get(seat)
        if known is not None and known.step <= violation.step:
            return ()
        self.convictions[seat] = Conviction(violation, proof)
        dropped = self._route.overridden_by_conviction(seat)
        return self._follow(dropped)

    def offence_of(self, seat: int) -> ViolationError | None:
        """Return what a seat is convicted of, if it is."""
        conviction = self.convictions.get(seat)
        return conviction.violation if conviction else None

    def _is_convicted(self, seat: int, step: int) -> bool:
        return seat in self.convictions and self.convictions[seat].step <= step

    # -- going on ------------------------------------------------------------------------------

    def _changed(self, node: Node, seat: int) -> tuple[Event, ...]:
        """Go on after something became known for a place."""
        return self._follow(node.step if self._route.overridden(node, seat) else None)

    def _follow(self, dropped: int | None = None) -> tuple[Event, ...]:
        """Fill what can be filled; `dropped` is the step from which the route is void."""
        events: list[Event] = []
        if dropped is not None:
            events.append(self._route.rewind(dropped))
        events += self._route.follow()
        if self.convictions:
            events += self._keep_what_was_final()
        if self._route.settle():
            self._branches.forget_before(self.first_step)
        return tuple(events)

    def _keep_what_was_final(self) -> tuple[Event, ...]:
        """Keep a deal whose close became final before the proof of an offence in it was known.

        The proof only bars the culprit from what comes after (protocol.md, What a node does).
        """
        other = next((route for route in self._route.detours() if route.may_settle()), None)
        if other is None:
            return ()
        fork = self._route.parting(other)
        told = [HistoryDropped(fork), *other.story[first_of(other.story, fork) :]]
        other.settle()
        del told[1 + first_of(told[1:], other.first.step) :]
        self._route = other.begin_anew(self.convictions)
        return (*told, *self._route.follow())

    # -- questions -----------------------------------------------------------------------------

    @property
    def first_step(self) -> int:
        """The first step that is kept here; all before it is settled and stands in the log."""
        return self._route.first.step

    @property
    def last(self) -> dict[int, Entry]:
        """The last entry of every seat on the branch that counts, as far as it is kept here."""
        records = self.since(self.first_step)
        return {record.author: record for record in records if isinstance(record, Entry)}

    def last_signed(self, seat: int) -> int:
        """Return the highest step for which an entry of a seat is known, on any branch; else -1."""
        return max(self._route.signed.get(seat, -1), self._branches.last_signed(seat))

    def entry_at(self, place: Place) -> Entry | None:
        """Return the accepted entry for a place on any branch."""
        node = self._node(place)
        verified = node.entries.get(place.author) if node else None
        return verified.entry if verified else None

    def certificate_at(self, place: Place) -> Certificate | None:
        """Return the decision on a place, if there was one."""
        node = self._node(place)
        return node.certificates.get(place.author) if node else None

    def is_decided_so(self, place: Place, value: bytes) -> bool:
        """Whether a certificate for this value of a place is known, overruled or not."""
        node = self._node(place)
        return node is not None and value in node.decided(place.author)

    def value_at(self, place: Place) -> bytes | None:
        """Return the id of what a seat signed for its place, entry or notice, as far as known."""
        node = self._node(place)
        if node is None:
            return None
        if place.author in node.entries:
            return node.entries[place.author].entry.id
        covered = self._branches.leaves_by(place.author, place.step)
        return self.leaves[place.author].id if covered else None

    def value_on(self, position: Position, place: Place) -> bytes | None:
        """Return the value that fills a place on the branch to a position; None if not on it."""
        node = self._node(place)
        return self._branches.value_on(position, node, place.author) if node else None

    def start_of(self, place: Place) -> Position | None:
        """Return the position in which a place is open, if its step is kept here."""
        node = self._node(place)
        return node.start if node else None

    def since(self, step: int) -> Iterator[Entry | Certificate]:
        """Yield what was accepted for a step and those after it on the branch that counts.

        By ascending steps; only what is kept here.
        """
        for node in self._route.nodes:
            if node.step >= step:
                yield from (verified.entry for verified in node.entries.values())
                yield from node.certificates.values()

    def proofs(self, first: int = 0) -> Iterator[Record]:
        """Yield the records that prove all offences, from those of one culprit on, and round."""
        convictions = deque(self.convictions.values())
        convictions.rotate(-first)
        for conviction in convictions:
            yield from conviction.proof

    def heads(self) -> Collection[bytes]:
        """Return the heads of all steps that are kept, on any branch."""
        return self._branches.nodes.keys()

    def conflicting(self, record: Entry | Leave) -> list[Entry | Leave]:
        """Return the accepted records that, with this one, prove the violation that it caused."""
        seat = record.author
        entry = self._last_entry(seat) if isinstance(record, Leave) else self.entry_at(record.place)
        return [known for known in (self.leaves.get(seat), entry) if known is not None]

    def _last_entry(self, seat: int) -> Entry | None:
        step = self._branches.last_signed(seat)
        nodes = (node for node in self._branches.nodes.values() if node.step == step)
        entries = (node.entries[seat].entry for node in nodes if seat in node.entries)
        return next(entries, None)

    def seen_by(self, step: int) -> frozenset[int]:
        """Return the seats that have signed something that builds on a step."""
        return frozenset(seat for seat, last in self._route.signed.items() if last > step)

    @property
    def final(self) -> int:
        """All steps below this one are final."""
        return self._route.final

    def is_final(self, step: int, author: int) -> bool:
        """Whether an entry of this branch can be overridden by nothing but a proof.

        Half of the seats, its author not counted, acknowledge it, or a certificate names it, and
        everything before it is final; see `Route`.
        """
        return self._route.is_final(step, author)

    def is_over(self, attempt: bytes, deal: int) -> bool:
        """Whether an attempt of a deal, by its name, can never be gone on with."""
        node = self._branches.nodes.get(attempt)
        if node is None:
            first = self._route.first.start.stage
            return first.kind is None or deal < first.deal
        if self._route.at(node.step) is not node:
            return node.step < self._route.final
        return self._route.began_anew_after(node.step)

    def _node(self, place: Place) -> Node | None:
        node = self._branches.nodes.get(place.previous)
        return node if node is not None and node.step == place.step else None

    def _to_vote_on(self, place: Place) -> Node:
        """Return the step of a place that may be voted on; raises MalformedError for others."""
        node = self._node(place)
        if node is None or place.step == 0 or place.author not in node.start.stage.authors():
            raise MalformedError("A vote is on no place that waits for anybody here.")
        return node

    def _violation(self, seat: int, step: int, rule: str, deed: str) -> ViolationError:
        return self.terms.violation(seat, step, rule, f"{deed} (step {step})")
