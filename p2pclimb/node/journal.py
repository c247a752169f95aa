"""What a session keeps on disk: the table's log and its sign guard, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
        """Create a new log at `path` and a guard beside it; raises StoreError or LockedError."""
        log = LogFile.create(path)
        return cls(log, GuardFile.open(path.with_suffix(GUARD_SUFFIX)))

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
            self.guard.path.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove both files: the table never opened."""
        self.close(finished=True)
        self.log.path.unlink(missing_ok=True)
