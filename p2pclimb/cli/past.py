"""Earlier tables in the logs on this machine, for scores that are carried on.

A log is audited before anything is believed of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from p2pclimb.audit.audit import Report
from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.intake import read_terms
from p2pclimb.cli.audit import audit_file
from p2pclimb.errors import ClimbError, UsageError
from p2pclimb.ledger.past import Past
from p2pclimb.store.files import is_file, shown
from p2pclimb.store.logfile import read_log
from p2pclimb.store.paths import LOG_SUFFIX, Paths

__all__ = ["finder", "named"]


def named(paths: Paths, table: str, *, quiet: bool) -> Past:
    """Return the table whose log is the file `table`, or is kept under that name.

    Raises UsageError for a log that is not valid so far, StoreError for one that cannot be read.
    """
    path = Path(table)
    if not is_file(path) and path.name == table:
        path = paths.log(table.removesuffix(LOG_SUFFIX))
    if not is_file(path):
        raise UsageError(
            f"There is no log {shown(path)}.", hint="`p2pclimb log list` names those there are."
        )
    past = _past(audit_file(path, quiet=quiet))
    if past is None:
        raise UsageError(
            f"The log {shown(path)} is not valid, so no scores are carried on from it.",
            hint=f"See `p2pclimb audit {shown(path)}`.",
        )
    return past


def finder(paths: Paths) -> Callable[[bytes], Past | None]:
    """Return the function that finds a table by its id among the logs of this player."""

    def find(table_id: bytes) -> Past | None:
        for path in paths.logs():
            if _table_id(path) == table_id:
                return _past(audit_file(path, quiet=True))
        return None

    return find


def _table_id(path: Path) -> bytes | None:
    """Return the id of the table that a log is of; None for a file that cannot be read."""
    try:
        first = read_log(path).records[:1]
        return read_terms([record.payload for record in first]).table_id
    except ClimbError:
        return None


def _past(report: Report) -> Past | None:
    if report.terms is None or report.verdict not in (Verdict.VALID, Verdict.INCOMPLETE):
        return None
    return Past(report.terms, report.scores)
