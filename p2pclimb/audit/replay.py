"""The replay of a log's records through a ledger, on whatever branch they stand.

It goes on behind a conviction, as a table does.  A record of a branch that counts no more, or never
counted, is checked as completely as any other.  What the log is worth is said by `audit`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from p2pclimb.audit.findings import Finding, Verdict, finding_of
from p2pclimb.audit.intake import Intake, Numbered
from p2pclimb.errors import ClimbError, ViolationError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.place import MAX_STEP
from p2pclimb.ledger.position import Verified, check_entry
from p2pclimb.ledger.record import Record
from p2pclimb.ledger.votes import Accept, Certificate, Promise, Proposal

__all__ = ["Checked", "Clock", "Progress", "Replay"]

Progress = Callable[[int, int], None]
Clock = Callable[[], float]
Checked = dict[tuple[bytes, bytes], Verified]
"""Entries that were found right, by the head that they build on and their signed bytes."""

_RULES = {Leave: "leave", Entry: "joint", Certificate: "certificate"}
"""The rule that a record breaks which the ledger refuses; `vote` for those not named."""


@dataclass(slots=True)
class Replay:
    """The fold of the records through a ledger, with what was found on the way.

    `told` are all events, of histories that count no more too, `placed` is the number of records
    that found their places.
    """

    intake: Intake
    clock: Clock
    checked: Checked = field(repr=False)
    ledger: Ledger = field(init=False)
    findings: list[Finding] = field(init=False)
    told: list[Event] = field(default_factory=list)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    placed: int = 0
    # What builds on steps that are not known, and whether a conviction may have led to one.
    _waiting: list[Numbered] = field(default_factory=list)
    _has_convicted: bool = False

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.intake.terms)
        self.findings = self.intake.findings

    def run(self, progress: Progress) -> None:
        """Replay all records, then judge what found no place."""
        ordered = self.intake.ordered()
        for done, item in enumerate(ordered, 1):
            self._take(item)
            while self._has_convicted:
                self._has_convicted = False
                waiting, self._waiting = self._waiting, []
                for each in waiting:
                    self._take(each)
            progress(done, len(ordered))
        self._judge_leftovers()

    def _take(self, item: Numbered) -> None:
        place = item.place
        if place is not None and not self.ledger.leads_to(place):
            self._waiting.append(item)
            return
        try:
            match item.record:
                case Leave() as leave:
                    self._notice(leave)
                case Entry() as entry:
                    self._place(item.number, entry)
                case Certificate() as certificate:
                    self._certify(item.number, certificate)
                case Promise() | Proposal() | Accept() as vote:
                    self._vote(vote)
                    self.placed += 1
        except ClimbError as error:
            rule = _RULES.get(type(item.record), "vote")
            self.findings.append(finding_of(error, rule, item.number))

    # -- one record ----------------------------------------------------------------------------

    def _notice(self, leave: Leave) -> None:
        try:
            self.told += self.ledger.notice(leave)
        except ViolationError as violation:
            self._convict(violation, *self.ledger.conflicting(leave), leave)
        else:
            self.placed += 1
            self._convict_all(self.ledger.contradicted_by(leave))

    def _place(self, number: int, entry: Entry) -> None:
        """Check an entry whose step is known, and put it at its place."""
        try:
            standing = self.ledger.standing(entry)
            if standing is not Standing.OPEN:
                self._find_unexpected(number, entry)
                return
            verified = self._check(entry)
        except ViolationError as violation:
            self._convict(violation, *self.ledger.conflicting(entry), entry)
            return
        self.told += self.ledger.fill(verified)
        self.placed += 1
        self._convict_all(self.ledger.contradicted_by(entry))

    def _check(self, entry: Entry) -> Verified:
        key = entry.place.previous, entry.signed
        if key not in self.checked:
            began = self.clock()
            self.checked[key] = check_entry(self.ledger.before(entry), entry)
            self.seconds[entry.kind.value] += self.clock() - began
        return self.checked[key]

    def _find_unexpected(self, number: int, entry: Entry) -> None:
        """Tell of an entry that no place waits for: nodes ignore it."""
        if self.ledger.entry_at(entry.place) is not None:
            raise self.ledger.equivocation(entry)
        deed = f"signed an entry for step {entry.step}, which expects none from that seat"
        violation = self.ledger.terms.violation(entry.author, entry.step, "unexpected", deed)
        self.findings.append(finding_of(violation, "unexpected", number))

    def _certify(self, number: int, certificate: Certificate) -> None:
        """Take a certificate, and the accepts in it as the votes that they are."""
        start = self.ledger.start_of(certificate.place)
        electorate = () if start is None else start.electorate()
        known = self.ledger.certificate_at(certificate.place)
        self.told += self.ledger.certify(certificate)
        self.placed += 1
        self._convict_all(self.ledger.contradicted_by(certificate))
        for accept in certificate.accepts:
            if accept.vote.signer not in electorate:
                self.findings.append(_without_vote(number, accept))
        if known is not None and known.value != certificate.value:
            self.findings.append(_two_decisions(number, certificate))

    def _vote(self, vote: Promise | Proposal | Accept) -> None:
        self._convict_all(self.ledger.vote(vote))

    # -- what comes of it ----------------------------------------------------------------------

    def _convict_all(self, proved: Iterable[Conviction]) -> None:
        for conviction in proved:
            self._convict(conviction.violation, *conviction.proof)

    def _convict(self, violation: ViolationError, *proof: Record) -> None:
        """Go on without a culprit, and tell once of each offence of a kind in a step."""
        finding = finding_of(violation, violation.rule, *self.intake.numbers_of(proof))
        is_known = (finding.rule, finding.seat) in self.intake.contradictions
        if not is_known and not any(_is_same_offence(finding, each) for each in self.findings):
            self.findings.append(finding)
        before = self.ledger.convictions.get(violation.seat)
        self.told += self.ledger.convict(violation, *proof)
        self._has_convicted |= self.ledger.convictions[violation.seat] is not before

    def _judge_leftovers(self) -> None:
        """Judge what builds on steps that never came to be.

        Behind a proved violation that is no news: it may build on what is void.
        """
        proved = [each.step for each in self.findings if each.proved and each.step is not None]
        voided = min(proved, default=MAX_STEP)
        steps = {item.number: item.place.step for item in self._waiting if item.place}
        waiting = {number: step for number, step in steps.items() if step <= voided}
        reached = self.ledger.position.step
        goes_on = not self.ledger.ended
        early = [number for number, step in waiting.items() if goes_on and step > reached]
        stray = sorted(waiting.keys() - early)
        if stray:
            text = f"{_count(stray)} on another history than that of this log."
            self.findings.append(Finding(Verdict.VIOLATION, "stray", text, tuple(stray)))
        if early:
            text = f"{_count(early)} on steps after step {reached}, which is open."
            numbers = tuple(sorted(early))
            self.findings.append(Finding(Verdict.MALFORMED, "gap", text, numbers, reached))


def _is_same_offence(finding: Finding, other: Finding) -> bool:
    return (finding.rule, finding.seat, finding.step) == (other.rule, other.seat, other.step)


def _without_vote(number: int, accept: Accept) -> Finding:
    place = accept.vote.place
    text = f"Seat {accept.vote.signer + 1} accepts in a certificate without having a vote there."
    return Finding(Verdict.MALFORMED, "vote", text, (number,), place.step)


def _two_decisions(number: int, certificate: Certificate) -> Finding:
    place = certificate.place
    text = f"The place of seat {place.author + 1} in step {place.step} was decided twice."
    return Finding(Verdict.VIOLATION, "decision", text, (number,), place.step)


def _count(records: list[int]) -> str:
    return "1 record builds" if len(records) == 1 else f"{len(records)} records build"
