"""What arrives: records are read, and dropped where a check of their signature would be wasted."""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.errors import MalformedError, ViolationError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import Signed, decode_record, seats_in, table_of
from p2pclimb.ledger.terms import Terms
from p2pclimb.ledger.votes import Accept, Certificate, Pause, Promise, Proposal
from p2pclimb.table.lateness import Lateness
from p2pclimb.table.pool import Early, Pool

__all__ = ["Reception"]


@dataclass(slots=True)
class Reception:
    """What is known already: on the ledger, waiting in the pool, being checked, voted."""

    ledger: Ledger
    lateness: Lateness
    pool: Pool = field(default_factory=Pool)
    checking: dict[Place, Entry] = field(default_factory=dict)

    def read(self, data: bytes) -> Signed | None:
        """Return a record that its author has signed; None for one that changes nothing here.

        Raises ClimbError for anything that proves nothing about anybody.
        """
        record = decode_record(data)
        if isinstance(record, Terms) or not self._is_of_this_table(record):
            raise MalformedError("A record that no seat of this table signs.")
        if self._is_known(record) or self._finds_no_place(record):
            return None
        record.verify(self.ledger.terms)
        return record

    def pools(self, record: Early, place: Place) -> bool:
        """Let a record wait whose step is not known yet, and tell that it cannot be taken now.

        What is on a step that is settled waits for nothing any more, and is dropped.
        """
        if self.ledger.start_of(place) is not None:
            return False
        if place.step >= self.ledger.first_step:
            self.pool.add(record, self.ledger.position.step)
        return True

    def _is_of_this_table(self, record: Signed) -> bool:
        is_seated = max(seats_in(record)) < len(self.ledger.terms.seats)
        return is_seated and table_of(record) == self.ledger.position.table

    def _is_known(self, record: Signed) -> bool:
        match record:
            case Entry() | Certificate() | Promise() | Proposal() | Accept() if record in self.pool:
                return True
            case Entry(place=place):
                known = (self.ledger.entry_at(place), self.checking.get(place))
                return any(entry and entry.signed == record.signed for entry in known)
            case Leave(author=author):
                leave = self.ledger.leaves.get(author)
                return leave is not None and leave.signed == record.signed
            case Pause():
                return not self.lateness.is_news(record)
            case _:
                return not self.lateness.is_new(record)

    def _finds_no_place(self, record: Signed) -> bool:
        """Whether a record would be dropped even if its signature holds.

        A peer can send more of these than a node can verify.
        """
        step = self.ledger.position.step
        match record:
            case Entry():
                return self._has_no_use_for(record, step)
            case Certificate(place=place):
                is_known = self.ledger.start_of(place) is not None
                return not is_known and not self.pool.has_room(record, step)
            case Promise() | Proposal() | Accept():
                is_known = self.ledger.start_of(record.vote.place) is not None
                return not is_known and not self._is_own_of_old(record)
            case _:
                return False

    def _is_own_of_old(self, vote: Promise | Proposal | Accept) -> bool:
        """Whether this seat comes back, and may find here what it signed itself."""
        lateness = self.lateness
        return lateness.returning.listens and vote.vote.signer == lateness.signer.seat

    def _has_no_use_for(self, entry: Entry, step: int) -> bool:
        try:
            standing = self.ledger.standing(entry)
        except ViolationError:
            return False
        if standing is Standing.EARLY:
            return not self.pool.has_room(entry, step)
        return standing is not Standing.OPEN
