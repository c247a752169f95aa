"""The audit of a log: everything is verified again, by the same ledger that the live nodes run.

Records may come in any order after the terms.  Each of them must find its place, and what does not
is a finding.  Files, screens and the wording of reports are not this module's business.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from p2pclimb.audit.findings import Finding, Verdict, exit_code, finding_of, gravest
from p2pclimb.audit.intake import Intake, Numbered, read_terms, take_in
from p2pclimb.errors import ClimbError, ViolationError
from p2pclimb.ledger.entry import Entry, Kind, Leave
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.position import check_entry
from p2pclimb.ledger.terms import Terms

__all__ = ["Counts", "End", "Report", "audit", "report_of_error"]

Progress = Callable[[int, int], None]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class End:
    """Where the verified history ends: the step it waits in (`kind` None: the table has ended).

    `waiting` are the seats that owe an entry of that step, and `head` covers all steps before it.
    """

    step: int
    kind: Kind | None
    waiting: tuple[int, ...]
    head: bytes


@dataclass(frozen=True, slots=True)
class Counts:
    """How many records a log has, found their place, said something again, or found none."""

    total: int
    placed: int = 0
    repeated: int = 0
    unplaced: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an audit.

    `terms` and `end` are None if the terms could not be read.  `scores` are the points of every
    seat where the verified history ends, those that it brought along included.  `seconds` has the
    time that the checks took by kind of step, and under "all" that of the whole audit.
    """

    verdict: Verdict
    findings: tuple[Finding, ...]
    terms: Terms | None
    end: End | None
    verified: Tally
    records: Counts
    events: tuple[Event, ...]
    scores: Mapping[int, int]
    seconds: Mapping[str, float]

    @property
    def exit_code(self) -> int:
        """The exit code that says the same (experience.md, Commands)."""
        return exit_code(self.verdict, self.findings)


def audit(
    records: Iterable[bytes],
    *,
    torn_at: int | None = None,
    progress: Progress = lambda done, total: None,
    clock: Clock = time.perf_counter,
) -> Report:
    """Verify a whole log and say what it is worth (protocol.md, Audit).

    `torn_at` is the offset in bytes at which an unfinished record ends the file, if one does.
    `progress` is called with the number of records replayed so far and that of all.  Raises
    nothing, whatever the bytes.
    """
    began = clock()
    data = tuple(records)
    findings = [] if torn_at is None else [_torn(torn_at)]
    try:
        terms = read_terms(data)
    except ClimbError as error:
        findings.append(finding_of(error, "terms", *([1] if data else [])))
        return _unread(findings, len(data))
    intake = take_in(terms, data)
    replay = _Replay(Ledger(terms), clock, [*findings, *intake.findings])
    replay.run(intake.ordered(), progress)
    return _report(replay, intake, len(data), clock() - began)


def report_of_error(error: ClimbError) -> Report:
    """Return the report on a file that holds no log that can be read."""
    return _unread([finding_of(error, "file")], 0)


@dataclass(slots=True)
class _Replay:
    """The fold of the records through a ledger, with what was found on the way."""

    ledger: Ledger
    clock: Clock
    findings: list[Finding]
    events: list[Event] = field(default_factory=list)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    early: list[int] = field(default_factory=list)
    stray: list[int] = field(default_factory=list)

    def run(self, ordered: list[Numbered], progress: Progress) -> None:
        """Replay all records, then judge what found no place."""
        for done, item in enumerate(ordered, 1):
            try:
                match item.record:
                    case Leave() as leave:
                        self.events += self.ledger.notice(leave)
                    case Entry() as entry:
                        self._place(item.number, entry)
            except ClimbError as error:
                self.findings.append(finding_of(error, "joint", item.number))
            progress(done, len(ordered))
        # Behind a proved violation the history cannot go on; what builds on it is no news.
        if not any(finding.proved for finding in self.findings):
            self._judge_leftovers()

    def _place(self, number: int, entry: Entry) -> None:
        match self.ledger.standing(entry):
            case Standing.OPEN:
                began = self.clock()
                verified = check_entry(self.ledger.before(entry), entry)
                self.events += self.ledger.fill(verified)
                self.seconds[entry.kind.value] += self.clock() - began
            case Standing.EARLY if not self.ledger.ended:
                self.early.append(number)
            case _ if self._is_of_this_history(entry):
                raise _unexpected(self.ledger, entry)
            case _:
                self.stray.append(number)

    def _is_of_this_history(self, entry: Entry) -> bool:
        heads = self.ledger.position.heads
        return entry.step < len(heads) and heads[entry.step] == entry.place.previous

    def _judge_leftovers(self) -> None:
        if self.stray:
            text = f"{_count(self.stray)} of another history than that of this log."
            self.findings.append(
                Finding(Verdict.VIOLATION, "stray", text, tuple(sorted(self.stray)))
            )
        if self.early:
            position = self.ledger.position
            text = f"{_count(self.early)} on steps after step {position.step}, which is open."
            self.findings.append(
                Finding(Verdict.MALFORMED, "gap", text, tuple(sorted(self.early)), position.step)
            )


def _report(replay: _Replay, intake: Intake, total: int, seconds: float) -> Report:
    ledger = replay.ledger
    position = ledger.position
    verdicts = [finding.verdict for finding in replay.findings]
    if not ledger.ended:
        verdicts.append(Verdict.INCOMPLETE)
    placed = 1 + replay.placed
    return Report(
        verdict=gravest(verdicts),
        findings=tuple(replay.findings),
        terms=ledger.terms,
        end=End(
            position.step,
            position.stage.kind,
            position.waiting(),
            position.previous,
        ),
        verified=ledger.tally,
        records=Counts(total, placed, intake.duplicates, total - placed - intake.duplicates),
        events=tuple(replay.events),
        scores=position.match.scores if position.match else {},
        seconds={"all": seconds, **replay.seconds},
    )


def _unread(findings: list[Finding], total: int) -> Report:
    return Report(
        verdict=gravest(finding.verdict for finding in findings),
        findings=tuple(findings),
        terms=None,
        end=None,
        verified=Tally(),
        records=Counts(total, unplaced=total),
        events=(),
        scores={},
        seconds={},
    )


def _torn(offset: int) -> Finding:
    text = f"The file ends in the middle of a record, at byte {offset}."
    return Finding(Verdict.INCOMPLETE, "torn", text)


def _unexpected(ledger: Ledger, entry: Entry) -> ViolationError:
    deed = f"signed an entry for step {entry.step}, which expects none from that seat"
    return ledger.terms.violation(entry.author, entry.step, "unexpected", deed)


def _count(records: list[int]) -> str:
    return "1 record builds" if len(records) == 1 else f"{len(records)} records build"
