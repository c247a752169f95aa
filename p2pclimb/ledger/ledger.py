"""The ledger: the fold of all records of a table, complete checks included.

Live nodes and the audit run this same code.  It keeps every accepted record, so that it can be
handed to others, and finds the place of a record that comes early, late or twice.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from enum import Enum

from p2pclimb.errors import MalformedError, ViolationError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.place import MAX_STEP, Place
from p2pclimb.ledger.position import Position, Present, Verified, check_entry, first_position
from p2pclimb.ledger.terms import Terms

__all__ = ["Ledger", "Standing"]


class Standing(Enum):
    """Where an entry stands towards the ledger."""

    OPEN = "its place is open in the present step"
    KNOWN = "it is on the ledger already"
    EARLY = "the step before it is not complete here yet"
    STRAY = "it belongs to no place of this table's history"


@dataclass(slots=True)
class Ledger:
    """The history of one table so far; `position` is where it stands now.

    `history` has the accepted entries, by ascending steps; `last` is the last one of every seat.
    """

    terms: Terms
    position: Position = field(init=False)
    history: list[Entry] = field(init=False, default_factory=list)
    entries: dict[Place, Entry] = field(init=False, default_factory=dict)
    last: dict[int, Entry] = field(init=False, default_factory=dict)
    leaves: dict[int, Leave] = field(init=False, default_factory=dict)
    tally: Tally = field(init=False, default=Tally())

    def __post_init__(self) -> None:
        self.position = first_position(self.terms)

    @property
    def ended(self) -> bool:
        """Whether nobody owes anything any more."""
        return self.position.stage.kind is None

    # -- entries -------------------------------------------------------------------------------

    def standing(self, entry: Entry) -> Standing:
        """Find the place of an entry.

        Raises ViolationError when its author has signed another body for the same place, or has
        left before: together with the records that `conflicting` gives, the entry proves it, if
        its signature holds.
        """
        known = self.entries.get(entry.place)
        if known is not None:
            if known.signed == entry.signed:
                return Standing.KNOWN
            raise self.equivocation(entry)
        position = self.position
        if entry.table != position.table:
            return Standing.STRAY
        if entry.step >= self._leaves_from(entry.author):
            raise self._violation(
                entry.author, entry.step, "leave", "signed an entry after leaving"
            )
        if entry.step > position.step:
            return Standing.EARLY
        if entry.place.previous != position.heads[entry.step]:
            return Standing.STRAY
        is_open = entry.step == position.step and entry.author in position.waiting()
        return Standing.OPEN if is_open else Standing.STRAY

    def fill(self, verified: Verified) -> tuple[Event, ...]:
        """Put a verified entry at its open place and return what that tells."""
        entry = verified.entry
        self.history.append(entry)
        self.entries[entry.place] = entry
        self.last[entry.author] = entry
        self.tally += verified.tally
        filling = Present(entry.id, entry.counter, verified.body)
        self.position, events = self.position.fill(entry.author, filling)
        return events

    def accept(self, entry: Entry) -> tuple[Event, ...]:
        """Verify an entry completely, signature included, and put it at its open place.

        Raises SignatureError, MalformedError if no place waits for it, and ViolationError.
        """
        entry.verify(self.terms)
        standing = self.standing(entry)
        if standing is not Standing.OPEN:
            raise MalformedError(f"An entry for step {entry.step} is not due: {standing.value}.")
        return self.fill(check_entry(self.position, entry))

    def equivocation(self, entry: Entry) -> ViolationError:
        """Return what an entry proves when its author has signed another for the same place."""
        return self._violation(
            entry.author, entry.step, "equivocation", "signed two different entries"
        )

    # -- notices -------------------------------------------------------------------------------

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
            raise self._violation(seat, leave.step, "leave", "gave two different leave notices")
        if seat in self.last and leave.step <= self.last[seat].step:
            raise self._violation(seat, leave.step, "leave", "left below a step it had signed")
        self.leaves[seat] = leave
        self.tally += Tally(signatures=1)
        self.position, events = self.position.with_notice(seat, leave.step)
        return events

    def _leaves_from(self, seat: int) -> int:
        leave = self.leaves.get(seat)
        return leave.step if leave else MAX_STEP + 1

    # -- questions -----------------------------------------------------------------------------

    def since(self, step: int) -> list[Entry]:
        """Return the accepted entries of a step and those after it, oldest first."""
        return self.history[bisect_left(self.history, step, key=lambda entry: entry.step) :]

    def conflicting(self, record: Entry | Leave) -> list[Entry | Leave]:
        """Return the accepted records that, with this one, prove the violation that it caused."""
        entry = (
            self.last.get(record.author)
            if isinstance(record, Leave)
            else self.entries.get(record.place)
        )
        return [known for known in (self.leaves.get(record.author), entry) if known is not None]

    def seen_by(self, step: int) -> frozenset[int]:
        """Return the seats that have signed something that builds on a step."""
        return frozenset(seat for seat, entry in self.last.items() if entry.step > step)

    def is_final(self, step: int, author: int) -> bool:
        """Whether an entry has been acknowledged by half of the seats, its author not counted.

        So has everything before it, since every entry names the head it builds on.  Seats that
        have left acknowledge nothing any more, and are not waited for.
        """
        seats = range(len(self.terms.seats))
        staying = sum(self._leaves_from(seat) > self.position.step for seat in seats)
        return 2 * len(self.seen_by(step) - {author}) >= staying

    def _violation(self, seat: int, step: int, rule: str, deed: str) -> ViolationError:
        return self.terms.violation(seat, step, rule, f"{deed} (step {step})")
