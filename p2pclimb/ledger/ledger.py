"""The ledger: the fold of all records of a table, complete checks included.

Live nodes and the audit run this same code.  It keeps every accepted record, so that it can be
handed to others, and finds the place of a record that comes early, late or twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from p2pclimb.errors import MalformedError, ViolationError
from p2pclimb.ledger.entry import Entry, Leave, Place
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.position import Position, Present, Verified, check_entry, first_position
from p2pclimb.ledger.stage import Tally
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
    """The history of one table so far; `position` is where it stands now."""

    terms: Terms
    position: Position = field(init=False)
    entries: dict[Place, Entry] = field(init=False, default_factory=dict)
    leaves: dict[int, Leave] = field(init=False, default_factory=dict)
    last_signed: dict[int, int] = field(init=False, default_factory=dict)
    tally: Tally = field(init=False, default=Tally())

    def __post_init__(self) -> None:
        self.position = first_position(self.terms)

    @property
    def ended(self) -> bool:
        """Whether nobody owes anything any more."""
        return self.position.stage.kind is None

    def standing(self, entry: Entry) -> Standing:
        """Find the place of an entry whose signature has been verified.

        Raises ViolationError when its author has signed another body for the same place: that is
        equivocation, and the two entries prove it.
        """
        known = self.entries.get(entry.place)
        if known is not None:
            if known.signed == entry.signed:
                return Standing.KNOWN
            raise self.equivocation(entry)
        if entry.table != self.position.table:
            return Standing.STRAY
        if entry.step > self.position.step:
            return Standing.EARLY
        if entry.place.previous != self.position.heads[entry.step]:
            return Standing.STRAY
        if entry.step == self.position.step and entry.author in self.position.waiting():
            return Standing.OPEN
        if entry.step >= self.leaves_from(entry.author):
            raise self._after_leaving(entry)
        return Standing.STRAY

    def leaves_from(self, seat: int) -> int:
        """Return the step from which a seat's notice counts; beyond all steps if it gave none."""
        leave = self.leaves.get(seat)
        return leave.step if leave else 2**62

    def fill(self, verified: Verified) -> tuple[Event, ...]:
        """Put a verified entry at its open place and return what that tells."""
        entry = verified.entry
        self.entries[entry.place] = entry
        self.last_signed[entry.author] = entry.step
        self.tally += verified.tally
        filling = Present(entry.id, entry.counter, verified.body)
        self.position, events = self.position.fill(entry.author, filling)
        return events

    def accept(self, entry: Entry) -> tuple[Event, ...]:
        """Verify an entry for an open place, signature included, and fill it."""
        entry.verify(self.terms)
        return self.fill(check_entry(self.position, entry))

    def notice(self, leave: Leave) -> tuple[Event, ...]:
        """Take a leave notice whose signature has been verified.

        A second notice of the same seat changes nothing.  Raises ViolationError for a notice from a
        step that its author has signed already.
        """
        if leave.table != self.position.table:
            raise MalformedError("A leave notice belongs to another table.")
        if leave.author in self.leaves:
            return ()
        if leave.step <= self.last_signed.get(leave.author, -1):
            raise ViolationError(
                f"{self._name(leave.author)} left from step {leave.step} on, which that seat had "
                "signed already.",
                seat=leave.author,
                step=leave.step,
                rule="leave",
            )
        self.leaves[leave.author] = leave
        self.tally += Tally(signatures=1)
        self.position, events = self.position.with_notice(leave.author, leave.step)
        return events

    def since(self, step: int) -> list[Entry | Leave]:
        """Return all accepted records of a step and those after it, oldest first, and all notices.

        Notices come first: they may decide which places are open.
        """
        later = [entry for place, entry in self.entries.items() if place.step >= step]
        return [*self.leaves.values(), *later]

    def seen_by(self, step: int) -> frozenset[int]:
        """Return the seats that have signed something that builds on a step."""
        return frozenset(seat for seat, last in self.last_signed.items() if last > step)

    def is_final(self, step: int, author: int) -> bool:
        """Whether an entry has been acknowledged by half of the seats, its author not counted.

        So has everything before it, since every entry names the head it builds on.
        """
        return 2 * len(self.seen_by(step) - {author}) >= len(self.terms.seats)

    def _name(self, seat: int) -> str:
        return f"{self.terms.seats[seat].name} (seat {seat + 1})"

    def equivocation(self, entry: Entry) -> ViolationError:
        """Return what an entry proves when its author has signed another for the same place."""
        return ViolationError(
            f"{self._name(entry.author)} signed two different entries for step {entry.step}.",
            seat=entry.author,
            step=entry.step,
            rule="equivocation",
        )

    def _after_leaving(self, entry: Entry) -> ViolationError:
        return ViolationError(
            f"{self._name(entry.author)} signed an entry for step {entry.step} after leaving.",
            seat=entry.author,
            step=entry.step,
            rule="leave",
        )
