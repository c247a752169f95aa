"""The audit of a log: everything is verified again, by the same ledger that the live nodes run.

Records may come in any order after the terms.  Each of them must find its place, and what does not
is a finding.  Files, screens and the wording of reports are not this module's business.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from p2pclimb.audit.findings import Finding, Verdict, exit_code, finding_of, gravest
from p2pclimb.audit.history import what_counts
from p2pclimb.audit.intake import read_terms, take_in
from p2pclimb.audit.replay import Checked, Clock, Progress, Replay
from p2pclimb.errors import ClimbError
from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.terms import Terms

__all__ = ["Counts", "End", "Report", "audit", "report_of_error"]


@dataclass(frozen=True, slots=True)
class End:
    """Where the verified history ends: the step it waits in (`kind` None: the table has ended).

    `waiting` are the seats that owe an entry of that step, and `head` covers all steps before it.
    All steps below `final` are final: only the proof of an offence can override them.  `tentative`
    is the number of entries after them that are not.
    """

    step: int
    kind: Kind | None
    waiting: tuple[int, ...]
    head: bytes
    final: int
    tentative: int


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

    `terms` and `end` are None if the terms could not be read.  `heads` has the head that each step
    of the verified history builds on.  `scores` are the points of every
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
    heads: tuple[bytes, ...] = ()

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
    checked: Checked | None = None,
) -> Report:
    """Verify a whole log and say what it is worth (protocol.md, Audit).

    `torn_at` is the offset in bytes at which an unfinished record ends the file, if one does.
    `progress` is called with the number of records replayed so far and that of all.  What
    `checked` has of an audit before is not checked again, and what is found right is added to it.
    Raises nothing, whatever the bytes.
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
    intake.faults[:0] = findings
    replay = Replay(intake, clock, {} if checked is None else checked)
    replay.run(progress)
    return _report(replay, len(data), clock() - began)


def report_of_error(error: ClimbError) -> Report:
    """Return the report on a file that holds no log that can be read."""
    return _unread([finding_of(error, "file")], 0)


def _report(replay: Replay, total: int, seconds: float) -> Report:
    ledger, intake = replay.ledger, replay.intake
    position = ledger.position
    verdicts = [finding.verdict for finding in replay.findings]
    if not ledger.ended:
        verdicts.append(Verdict.INCOMPLETE)
    placed = 1 + replay.placed + intake.pauses
    return Report(
        verdict=gravest(verdicts),
        findings=tuple(replay.findings),
        terms=ledger.terms,
        end=End(
            position.step,
            position.stage.kind,
            position.waiting(),
            position.previous,
            ledger.final,
            _tentative(ledger),
        ),
        verified=ledger.tally,
        records=Counts(total, placed, intake.duplicates, total - placed - intake.duplicates),
        events=tuple(what_counts(replay.told)),
        scores=position.match.scores if position.match else {},
        seconds={"all": seconds, **replay.seconds},
        heads=tuple(position.heads),
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


def _tentative(ledger: Ledger) -> int:
    """Return how many of the last entries can still be overridden by a vote."""
    return sum(
        not ledger.is_final(record.step, record.author)
        for record in ledger.since(ledger.final)
        if isinstance(record, Entry)
    )


def _torn(offset: int) -> Finding:
    text = f"The file ends in the middle of a record, at byte {offset}."
    return Finding(Verdict.INCOMPLETE, "torn", text)
