"""`p2pclimb audit`: verify logs and say what each of them is worth."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from p2pclimb.audit.audit import Report, audit, report_of_error
from p2pclimb.audit.report import report_json, report_text
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
        " 5 unsupported;\nof several logs the worst counts, in the order 1, 4, 5, 3, 0"
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a log, or several")


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb audit`; the exit code is that of the worst log."""
    codes = []
    end = "\n" if len(args.files) > 1 else ""
    for file in args.files:
        try:
            report = audit_file(Path(file), quiet=args.quiet)
        except StoreError as error:
            codes.append(tell_error(error, as_json=args.json))
            continue
        if args.json:
            print_json(report_json(report, file))
        else:
            show(report_text(report, file) + end)
        codes.append(report.exit_code)
    return max(codes, key=_WORST_LAST.index)


def audit_file(path: Path, *, quiet: bool) -> Report:
    """Audit one file; what is no log gets a report as well.  Raises StoreError."""
    try:
        contents = read_log(path)
    except (MalformedError, UnsupportedError) as error:
        return report_of_error(error)
    progress = _Progress(shown=not quiet and sys.stderr is not None and sys.stderr.isatty())
    records = (record.payload for record in contents.records)
    report = audit(records, torn_at=contents.torn_at, progress=progress.tell)
    progress.clear()
    return report


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
