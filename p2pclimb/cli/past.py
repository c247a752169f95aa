"""Earlier tables in the logs on this machine, for scores that are carried on.

A log is audited before anything is believed of it.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pclimb.audit.audit import Report
from p2pclimb.audit.findings import Verdict
from p2pclimb.cli import logs
from p2pclimb.cli.audit import audit_file
from p2pclimb.errors import UsageError
from p2pclimb.ledger.past import Past
from p2pclimb.store.files import shown
from p2pclimb.store.paths import Paths

__all__ = ["finder", "named"]


def named(paths: Paths, table: str, *, quiet: bool) -> Past:
    """Return the table whose log `logs.named` finds.

    Raises UsageError, also for a log that is not valid so far, and StoreError.
    """
    path = logs.named(paths, table)
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
            terms = logs.terms_of(path)
            if terms is not None and terms.table_id == table_id:
                return _past(audit_file(path, quiet=True))
        return None

    return find


def _past(report: Report) -> Past | None:
    if report.terms is None or report.verdict not in (Verdict.VALID, Verdict.INCOMPLETE):
        return None
    return Past(report.terms, report.scores)
