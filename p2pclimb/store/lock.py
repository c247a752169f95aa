"""The lock file: one process at a time writes a table's files.

The lock belongs to the open file, so it ends with its process however that ends; the process id in
the file only serves the message.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from p2pclimb.errors import LockedError
from p2pclimb.store.files import ensure_directory, shown, store_errors

__all__ = ["FileLock", "lock_path"]

# The byte that Windows locks; beyond the process id, which others must be able to read.
_LOCKED_BYTE = 1 << 20


def lock_path(path: Path) -> Path:
    """Return the path of the lock file that guards `path`."""
    return path.with_name(f"{path.name}.lock")


@dataclass(slots=True)
class FileLock:
    """A held lock; made by `acquire` only."""

    path: Path
    _descriptor: int | None

    @classmethod
    def acquire(cls, guarded: Path) -> FileLock:
        """Lock the file `guarded` (which need not exist) without waiting.

        Raises `LockedError` naming the process that holds it, `StoreError` when the lock file
        cannot be written.
        """
        ensure_directory(guarded.parent)
        path = lock_path(guarded)
        with store_errors("lock", guarded):
            while (descriptor := _lock_file(guarded, path)) is None:
                pass
        return cls(path, descriptor)

    def __enter__(self) -> FileLock:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()

    def release(self) -> None:
        """Give the lock back; harmless when that was done before."""
        if self._descriptor is not None:
            # While it is still held: else this could be the file of the next holder.
            with contextlib.suppress(OSError):  # Windows removes no open file: there it stays
                self.path.unlink()
            os.close(self._descriptor)
            self._descriptor = None


def _lock_file(guarded: Path, path: Path) -> int | None:
    """Open and lock the lock file; None if it was removed by its holder meanwhile."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _try_lock(descriptor):
            raise _locked(guarded, descriptor)
        if _is_at(path, descriptor):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, b"%d\n" % os.getpid())
            return descriptor
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _is_at(path: Path, descriptor: int) -> bool:
    """Tell whether `path` still names the open file: others lock what they find under the name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _locked(guarded: Path, descriptor: int) -> LockedError:
    holder = os.pread(descriptor, 20, 0) if hasattr(os, "pread") else os.read(descriptor, 20)
    process = holder.strip().decode("ascii", "replace")
    # The holder writes its id just after it has the lock.
    by = f"process {process}" if process.isdigit() else "another process"
    return LockedError(
        f"{shown(guarded)} is in use by {by}.",
        hint="Close that program first, or take another --data-dir.",
    )


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
