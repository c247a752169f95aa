"""`p2pclimb audit`: verify logs and say what each of them is worth."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.audit.audit import Report, audit, report_of_error
from p2pclimb.audit.replay import Checked
from p2pclimb.audit.report import report_json, report_text
from p2pclimb.audit.together import partings, partings_json, partings_text, union
from p2pclimb.cli.output import print_json, show
from p2pclimb.cli.output import report as tell_error
from p2pclimb.cli.parser import Parser
from p2pclimb.errors import MalformedError, StoreError, UnsupportedError
from p2pclimb.store.logfile import read_log

__all__ = ["EXAMPLES", "audit_file", "configure", "run"]

EXAMPLES = (
    "p2pclimb audit evening.climb",
    "p2pclimb audit --json *.climb",
)

_WORST_LAST = (0, 3, 5, 4, 1)
_PATIENCE = 1.0  # seconds before progress is shown


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb audit`."""
    parser.epilog = (
        "exit codes: 0 valid, 1 violation that is proved, 3 incomplete, 4 malformed,"
        " 5 unsupported;\nof several logs the worst counts, in the order 1, 4, 5, 3, 0;"
        "\nlogs of the same table are also judged together, which shows who signed two things"
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a log, or several")


@dataclass(slots=True)
class _Table:
    """The logs of one table that have been audited so far."""

    logs: list[tuple[bytes, ...]] = field(default_factory=list)
    reports: list[tuple[str, Report]] = field(default_factory=list)
    checked: Checked = field(default_factory=dict)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb audit`; the exit code is that of the worst log."""
    codes: list[int] = []
    tables: dict[bytes, _Table] = {}
    end = "\n" if len(args.files) > 1 else ""
    for file in args.files:
        try:
            report = _audit_one(file, tables, quiet=args.quiet)
        except StoreError as error:
            codes.append(tell_error(error, as_json=args.json))
            continue
        if args.json:
            print_json(report_json(report, file))
        else:
            show(report_text(report, file) + end)
        codes.append(report.exit_code)
    codes += [_judge_together(table, args) for table in tables.values() if _differ(table.logs)]
    return max(codes, key=_WORST_LAST.index)


def audit_file(path: Path, *, quiet: bool) -> Report:
    """Audit one file; what is no log gets a report as well.  Raises StoreError."""
    return _audit_one(str(path), {}, quiet=quiet)


def _audit_one(file: str, tables: dict[bytes, _Table], *, quiet: bool) -> Report:
    """Audit a file; what another log of its table shows to be right is not checked again."""
    try:
        contents = read_log(Path(file))
    except (MalformedError, UnsupportedError) as error:
        return report_of_error(error)
    records = tuple(record.payload for record in contents.records)
    table = tables.setdefault(_table_of(records), _Table())
    report = _audited(records, table.checked, torn_at=contents.torn_at, quiet=quiet)
    if report.terms is not None:
        table.logs.append(records)
        table.reports.append((file, report))
    return report


def _audited(
    records: tuple[bytes, ...], checked: Checked, *, torn_at: int | None = None, quiet: bool
) -> Report:
    progress = _Progress(shown=not quiet and sys.stderr is not None and sys.stderr.isatty())
    report = audit(records, torn_at=torn_at, progress=progress.tell, checked=checked)
    progress.clear()
    return report


def _table_of(records: tuple[bytes, ...]) -> bytes:
    """Return what the logs of one table have in common: their first record."""
    return records[0] if records else b""


def _differ(logs: list[tuple[bytes, ...]]) -> bool:
    """Whether no log has all that is in the others."""
    every = set(union(logs))
    return len(logs) > 1 and all(len(set(log)) < len(every) for log in logs)


def _judge_together(table: _Table, args: argparse.Namespace) -> int:
    """Audit all logs of one table as if they were one, and tell where they part."""
    report = _audited(union(table.logs), table.checked, quiet=args.quiet)
    found = partings(report, table.reports)
    file = " + ".join(name for name, _ in table.reports)
    if args.json:
        print_json({**report_json(report, file), "logs": partings_json(found)})
    else:
        show(f"{partings_text(found)}\n{report_text(report, file)}\n")
    return report.exit_code


class _Progress:
    """How far an audit is, on one line of the terminal, for those that take their time."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._next = time.monotonic() + _PATIENCE
        self._width = 0

    def tell(self, done: int, total: int) -> None:
        """Show the numbers of records, a few times a second at most."""
        if self._shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.2
            text = f"verified {done} of {total} records"
            self._width = len(text)
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)
