"""What a session keeps on disk: the table's log and its sign guard, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from p2pclimb.store.files import store_errors
from p2pclimb.store.guardfile import GuardFile
from p2pclimb.store.logfile import LogFile
from p2pclimb.table.effects import Remember, Store

__all__ = ["GUARD_SUFFIX", "Journal"]

GUARD_SUFFIX = ".guard"


@dataclass(slots=True)
class Journal:
    """A log and a guard, open for writing."""

    log: LogFile
    guard: GuardFile

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Create a new log at `path` and a guard beside it; raises StoreError or LockedError.

        A guard without its log is left from a table that is gone: no place of a new table is in it.
        """
        log = LogFile.create(path)
        guard = path.with_name(path.name + GUARD_SUFFIX)
        try:
            with store_errors("remove", guard):
                guard.unlink(missing_ok=True)
            return cls(log, GuardFile.open(guard))
        except BaseException:
            log.close()
            path.unlink(missing_ok=True)
            raise

    def keep(self, effect: Remember | Store) -> None:
        """Carry out an effect; what it promises is on disk when this returns."""
        match effect:
            case Remember(place, record, final):
                self.guard.remember(place, record)
                self.guard.forget(final)
            case Store(record, sync):
                self.log.append(record, sync=sync)

    def close(self, *, finished: bool) -> None:
        """Close the files; a guard is of no more use once the table has `finished`."""
        self.log.close()
        if finished:
            _remove(self.guard.path)

    def discard(self) -> None:
        """Remove both files: the table never opened."""
        self.close(finished=True)
        _remove(self.log.path)


def _remove(path: Path) -> None:
    with store_errors("remove", path):
        path.unlink(missing_ok=True)
