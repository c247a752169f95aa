"""The first look at the records of a log: form, signatures, and what contradicts itself.

Everything here is judged without knowing the history: signatures hold anywhere.  Whether a record
is right at its place is found out by the replay in `audit`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pclimb.audit.findings import Finding, Verdict, finding_of
from p2pclimb.errors import ClimbError, MalformedError, SignatureError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import Record, decode_record
from p2pclimb.ledger.terms import Terms

__all__ = ["Intake", "Numbered", "read_terms", "take_in"]


@dataclass(frozen=True, slots=True)
class Numbered:
    """A signed record and its number in the log; the terms are number 1."""

    number: int
    record: Entry | Leave


@dataclass(slots=True)
class Intake:
    """The records that hold by themselves, and what is wrong with the others.

    No two of `entries` are for the same place, no two of `leaves` of the same seat, and nobody
    signed an entry after its notice.  `latest` is each seat's entry for the highest step, and
    `duplicates` counts records that say again what another one says.  Of what a seat contradicts
    itself in, the first proof of each kind is enough.
    """

    terms: Terms
    table: bytes
    entries: dict[Place, Numbered] = field(default_factory=dict)
    leaves: dict[int, Numbered] = field(default_factory=dict)
    latest: dict[int, Numbered] = field(default_factory=dict)
    duplicates: int = 0
    faults: list[Finding] = field(default_factory=list)
    contradictions: dict[tuple[str, int], Finding] = field(default_factory=dict)

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong with the records as such."""
        return [*self.faults, *self.contradictions.values()]

    def ordered(self) -> list[Numbered]:
        """Return the records in an order that can be replayed, whatever the order in the log.

        An entry is for one step, so the steps' order is enough; a notice comes before the entries
        of the step that it names, which its author leaves out.
        """
        return sorted(
            [*self.leaves.values(), *self.entries.values()],
            key=lambda item: (item.record.step, isinstance(item.record, Entry)),
        )


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
            _require_author(intake, record)
        except SignatureError as error:
            intake.faults.append(finding_of(error, "signature", number))
        except ClimbError as error:
            intake.faults.append(finding_of(error, "record", number))
        else:
            _sort_in(intake, number, record)
    return intake


def _require_author(intake: Intake, record: Record) -> None:
    if isinstance(record, Terms) or record.table != intake.table:
        return  # foreign records are judged by their table alone
    if record.author >= len(intake.terms.seats):
        raise MalformedError("A record names an author who is not at the table.")
    record.verify(intake.terms)


def _sort_in(intake: Intake, number: int, record: Record) -> None:
    if isinstance(record, Terms):
        if record.table_id == intake.table:
            intake.duplicates += 1
        else:
            intake.faults.append(_foreign(number))
    elif record.table != intake.table:
        intake.faults.append(_foreign(number))
    elif isinstance(record, Leave):
        _sort_leave(intake, Numbered(number, record), record)
    else:
        _sort_entry(intake, Numbered(number, record), record)


def _sort_entry(intake: Intake, item: Numbered, entry: Entry) -> None:
    rival = intake.entries.get(entry.place)
    if rival is not None:
        if rival.record.signed == entry.signed:
            intake.duplicates += 1
        else:
            text = "signed two different entries for the same place"
            _contradict(intake, "equivocation", text, item, rival)
        return
    notice = intake.leaves.get(entry.author)
    if notice is not None and entry.step >= notice.record.step:
        text = "signed an entry after its notice that it leaves"
        _contradict(intake, "leave", text, item, notice)
        return
    intake.entries[entry.place] = item
    latest = intake.latest.get(entry.author)
    if latest is None or entry.step > latest.record.step:
        intake.latest[entry.author] = item


def _sort_leave(intake: Intake, item: Numbered, leave: Leave) -> None:
    rival = intake.leaves.get(leave.author)
    if rival is not None:
        if rival.record.signed == leave.signed:
            intake.duplicates += 1
        else:
            _contradict(intake, "leave", "gave two different leave notices", item, rival)
        return
    latest = intake.latest.get(leave.author)
    if latest is not None and latest.record.step >= leave.step:
        text = "left from a step on that it had signed"
        _contradict(intake, "leave", text, item, latest)
        return
    intake.leaves[leave.author] = item


def _foreign(number: int) -> Finding:
    text = "A record belongs to another table."
    return Finding(Verdict.MALFORMED, "foreign", text, (number,))


def _contradict(intake: Intake, rule: str, text: str, item: Numbered, other: Numbered) -> None:
    """Keep what two signed records prove about their author, who cannot have meant both."""
    seat = item.record.author
    name = intake.terms.seats[seat].name
    finding = Finding(
        Verdict.VIOLATION,
        rule,
        f"{name} (seat {seat + 1}) {text}.",
        (other.number, item.number),
        item.record.step,
        seat,
        True,
    )
    intake.contradictions.setdefault((rule, seat), finding)
