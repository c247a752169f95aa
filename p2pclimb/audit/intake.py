"""The first look at the records of a log: form, signatures, and what contradicts itself anywhere.

Everything here is judged without knowing the history: signatures hold anywhere.  Whether a record
is right at its place, and what votes prove, is found out by the replay in `replay`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from p2pclimb.audit.findings import Finding, Verdict, finding_of
from p2pclimb.errors import ClimbError, MalformedError, SignatureError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import Record, Signed, decode_record, seats_in, step_of, table_of
from p2pclimb.ledger.terms import Terms
from p2pclimb.ledger.votes import Accept, Certificate, Pause, Promise, Proposal

__all__ = ["Intake", "Numbered", "read_terms", "take_in"]

_Statement = Entry | Leave | Promise | Proposal | Accept | Pause
_Placed = Entry | Leave | Promise | Proposal | Accept | Certificate

_UNSIGNED = (Terms, Certificate)
_ORDER: tuple[type, ...] = (Leave, Entry, Promise, Proposal, Accept, Certificate)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A signed record that has a step, and its number in the log; the terms are number 1."""

    number: int
    record: _Placed

    @property
    def place(self) -> Place | None:
        """The place that the record is for; None for a notice."""
        match self.record:
            case Leave():
                return None
            case Entry(place=place) | Certificate(place=place):
                return place
            case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
                return vote.place


@dataclass(slots=True)
class Intake:
    """The records whose signatures hold, and what is wrong with the others and among them.

    `numbers` has the number of every signed statement, also of those that other records carry;
    `said` is what the records say, `pauses` counts those that have no place and `duplicates` those
    that say again what another one says.  `entries`, `leaves` and `latest` are the first entry of
    a place, the first notice of a seat and its entry for the highest step; `late` has the step of
    that entry by the numbers of the notices that came after it and name no later step.  Of what a
    seat contradicts itself in, the first proof of each kind is enough.
    """

    terms: Terms
    table: bytes
    items: list[Numbered] = field(default_factory=list)
    numbers: dict[tuple[type, bytes], int] = field(default_factory=dict)
    said: set[tuple[type, bytes]] = field(default_factory=set)
    pauses: int = 0
    duplicates: int = 0
    faults: list[Finding] = field(default_factory=list)
    contradictions: dict[tuple[str, int], Finding] = field(default_factory=dict)
    entries: dict[Place, Numbered] = field(default_factory=dict)
    leaves: dict[int, tuple[Numbered, Leave]] = field(default_factory=dict)
    latest: dict[int, tuple[Numbered, Entry]] = field(default_factory=dict)
    late: dict[int, int] = field(default_factory=dict)

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong with the records as such."""
        return [*self.faults, *self.contradictions.values()]

    def numbers_of(self, records: Iterable[Record]) -> tuple[int, ...]:
        """Return the numbers of the records that make these statements, ascending."""
        keys = ((type(each), each.signed) for each in records if not isinstance(each, _UNSIGNED))
        return tuple(sorted({self.numbers[key] for key in keys if key in self.numbers}))

    def ordered(self) -> list[Numbered]:
        """Return the records in an order that can be replayed, whatever the order in the log.

        An entry is for one step, so the steps' order is enough; a notice comes before the entries
        of the step that it names, which its author leaves out, and votes after them.  A notice
        that comes too late in the log is void, and so must come too late here.
        """
        return sorted(self.items, key=self._turn)

    def _turn(self, item: Numbered) -> tuple[int, int]:
        """Return the step with whose records a record is replayed, and where among them."""
        if item.number in self.late:
            return self.late[item.number], len(_ORDER)
        return step_of(item.record) or 0, _ORDER.index(type(item.record))


def read_terms(records: Sequence[bytes]) -> Terms:
    """Return the terms of a log, which are its first record; raises ClimbError otherwise."""
    if not records:
        raise MalformedError("The log holds no records.")
    first = decode_record(records[0])
    if not isinstance(first, Terms):
        raise MalformedError("The first record of the log does not hold the terms.")
    return first


def take_in(terms: Terms, records: Sequence[bytes]) -> Intake:
    """Read the records after the terms, verify their signatures, and set aside what cannot hold."""
    intake = Intake(terms, terms.table_id)
    for number, data in enumerate(records[1:], 2):
        try:
            record = decode_record(data)
            if isinstance(record, Terms):
                _take_terms(intake, number, record)
            elif table_of(record) != intake.table:
                intake.faults.append(_foreign(number))
            else:
                _take(intake, number, data, record)
        except SignatureError as error:
            intake.faults.append(finding_of(error, "signature", number))
        except ClimbError as error:
            intake.faults.append(finding_of(error, "record", number))
    return intake


def _take_terms(intake: Intake, number: int, terms: Terms) -> None:
    if terms.table_id == intake.table:
        intake.duplicates += 1
    else:
        intake.faults.append(_foreign(number))


def _take(intake: Intake, number: int, data: bytes, record: Signed) -> None:
    """Verify a record of this table and compare it with what its author signed besides."""
    if max(seats_in(record)) >= len(intake.terms.seats):
        raise MalformedError("A record names a seat that is not at the table.")
    record.verify(intake.terms)
    said = record.signed if isinstance(record, Entry | Leave | Accept | Pause) else data
    if (type(record), said) in intake.said:
        intake.duplicates += 1
        return
    intake.said.add((type(record), said))
    for each in _with_carried(record):
        intake.numbers.setdefault((type(each), each.signed), number)
    if isinstance(record, Pause):
        intake.pauses += 1
        return
    item = Numbered(number, record)
    intake.items.append(item)
    match record:
        case Leave():
            _compare_leave(intake, item, record)
        case Entry():
            _compare_entry(intake, item, record)


def _with_carried(record: Signed) -> Iterator[_Statement]:
    """Yield a record and those that it carries, as far as they are signed themselves."""
    match record:
        case Certificate(accepts=accepts):
            yield from accepts
        case Promise(proposal=quoted):
            yield record
            if quoted is not None:
                yield quoted
        case Proposal(promises=promises):
            yield record
            for promise in promises:
                yield from _with_carried(promise)
        case _:
            yield record


def _compare_entry(intake: Intake, item: Numbered, entry: Entry) -> None:
    rival = intake.entries.setdefault(entry.place, item)
    if rival is not item:
        text = "signed two different entries for the same place"
        _contradict(intake, "equivocation", entry, text, rival, item)
        return
    notice = intake.leaves.get(entry.author)
    if notice is not None and entry.step >= notice[1].step:
        text = "signed an entry after its notice that it leaves"
        _contradict(intake, "leave", entry, text, notice[0], item)
    latest = intake.latest.get(entry.author)
    if latest is None or entry.step > latest[1].step:
        intake.latest[entry.author] = item, entry


def _compare_leave(intake: Intake, item: Numbered, leave: Leave) -> None:
    rival, _ = intake.leaves.setdefault(leave.author, (item, leave))
    latest = intake.latest.get(leave.author)
    is_late = latest is not None and latest[1].step >= leave.step
    if latest is not None and is_late:
        intake.late[item.number] = latest[1].step
    if rival is not item:
        _contradict(intake, "leave", leave, "gave two different leave notices", rival, item)
    elif latest is not None and is_late:
        text = "left from a step on that it had signed"
        _contradict(intake, "leave", leave, text, latest[0], item)


def _foreign(number: int) -> Finding:
    text = "A record belongs to another table."
    return Finding(Verdict.MALFORMED, "foreign", text, (number,))


def _contradict(
    intake: Intake, rule: str, record: Entry | Leave, text: str, other: Numbered, item: Numbered
) -> None:
    """Keep what two signed records prove about their author, who cannot have meant both."""
    seat = record.author
    violation = intake.terms.violation(seat, record.step, rule, text)
    finding = finding_of(violation, rule, other.number, item.number)
    intake.contradictions.setdefault((rule, seat), finding)
