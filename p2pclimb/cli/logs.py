"""The logs on this machine: found by the names of their tables, and those to come back to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from p2pclimb.audit.intake import read_terms
from p2pclimb.errors import ClimbError, UsageError
from p2pclimb.ledger.terms import Terms
from p2pclimb.node.journal import IDENTITY_SUFFIX, beside, is_unfinished
from p2pclimb.node.node import Who
from p2pclimb.store.files import is_file, is_there, shown
from p2pclimb.store.keystore import read_identity
from p2pclimb.store.logfile import read_log
from p2pclimb.store.paths import LOG_SUFFIX, Paths

__all__ = ["Unfinished", "bot_of", "named", "terms_of", "unfinished"]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A log whose table somebody here can come back to; `terms` is None if it cannot be read."""

    log: Path
    terms: Terms | None

    @property
    def name(self) -> str:
        """What the table is called on the command line."""
        return self.log.name.removesuffix(LOG_SUFFIX)


def named(paths: Paths, table: str) -> Path:
    """Return the log that is the file `table`, or is kept here under that name.

    A name is that of the log, the six words of the table, or the beginning of either that fits one
    only.  Raises UsageError.
    """
    path = Path(table)
    if is_file(path):
        return path
    wanted = "-".join(table.lower().removesuffix(LOG_SUFFIX).split())
    logs = paths.logs() if wanted and path.name == table else []
    exact = [log for log in logs if log.name == f"{wanted}{LOG_SUFFIX}"]
    found = exact or [log for log in logs if _is_named(log, wanted)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(log.name.removesuffix(LOG_SUFFIX) for log in found)
    raise UsageError(
        f"{len(found)} logs begin so: {names}." if found else f"There is no log {shown(path)}.",
        hint="`p2pclimb log list` names those there are.",
    )


def unfinished(paths: Paths, public: bytes | None) -> list[Unfinished]:
    """Return the tables here at which an identity still has a seat, the newest first.

    Those of bots that are kept here are among them, and logs that cannot be read.
    """
    logs = sorted(filter(is_unfinished, paths.logs()), key=_last_change, reverse=True)
    found = [Unfinished(log, terms_of(log)) for log in logs]
    return [each for each in found if _has_seat(each, public)]


def bot_of(log: Path) -> Who:
    """Return the bot whose identity lies beside a log; raises KeystoreError if none does."""
    kept = read_identity(beside(log, IDENTITY_SUFFIX))
    return Who(kept.unlock(None), kept.name, is_bot=True)


def terms_of(log: Path) -> Terms | None:
    """Return the terms that a log begins with; None for a file that cannot be read."""
    try:
        first = read_log(log).records[:1]
        return read_terms([record.payload for record in first])
    except ClimbError:
        return None


def _is_named(log: Path, beginning: str) -> bool:
    if log.name.startswith(beginning):
        return True
    terms = terms_of(log) if beginning.startswith(log.name.removesuffix(LOG_SUFFIX)) else None
    return terms is not None and "-".join(terms.words).startswith(beginning)


def _last_change(log: Path) -> float:
    return log.stat().st_mtime


def _has_seat(table: Unfinished, public: bytes | None) -> bool:
    if table.terms is None or is_there(beside(table.log, IDENTITY_SUFFIX)):
        return True
    return public in {seat.identity for seat in table.terms.seats}
