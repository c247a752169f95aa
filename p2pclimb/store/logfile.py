"""A table's log on disk: appending durably, opening after a crash, reading for an audit.

The format is in `frames`; what a payload means is the ledger's business.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from p2pclimb.errors import MalformedError, StoreError
from p2pclimb.store.files import (
    flush_to_disk,
    free_name,
    is_there,
    shown,
    store_errors,
    sync_directory,
    write_all,
    write_atomically,
)
from p2pclimb.store.frames import HEADER, Record, Scan, frame, frame_at, scan
from p2pclimb.store.lock import FileLock

__all__ = [
    "LogContents",
    "LogFile",
    "OpenedLog",
    "Repair",
    "read_at",
    "read_log",
    "repair",
    "write_log",
]


@dataclass(frozen=True, slots=True)
class LogContents:
    """A log as read: its records in order; `torn_at` is the offset of a torn tail, if any."""

    records: tuple[Record, ...]
    torn_at: int | None


@dataclass(frozen=True, slots=True)
class Repair:
    """What `repair` did: the records kept, and where the untouched original went, if need was."""

    kept: int
    copy: Path | None


@dataclass(slots=True)
class LogFile:
    """A log open for appending, with its lock held; made by `create` and `open`.

    Not for several threads at once.
    """

    path: Path
    _descriptor: int = field(repr=False)
    _lock: FileLock = field(repr=False)
    _end: int = field(repr=False)
    _failed: bool = field(default=False, repr=False)

    @classmethod
    def create(cls, path: Path) -> LogFile:
        """Create an empty log, durable when this returns.

        Raises `LockedError`, and `StoreError` when there is a file already or none can be made.
        """
        lock = FileLock.acquire(path)
        try:
            if is_there(path):
                raise StoreError(
                    f"There is a log at {shown(path)} already.", hint="Choose another name."
                )
            write_atomically(path, HEADER)
            return cls(path, _open_to_append(path), lock, len(HEADER))
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: Path) -> OpenedLog:
        """Lock a log, read it and cut a torn tail off, of which a copy is kept beside it.

        Raises `LockedError`, `StoreError`, `MalformedError` for damage elsewhere, with its offset,
        and `UnsupportedError` for a newer format.
        """
        with store_errors("open", path):
            path.stat()  # no lock file beside a log that does not exist
        lock = FileLock.acquire(path)
        try:
            found = _scan_file(path)
            _refuse_damage(path, found)
            copy = _cut_tail(path, found) if found.torn else None
            log = cls(path, _open_to_append(path), lock, found.end)
        except BaseException:
            lock.release()
            raise
        return OpenedLog(log, found.records, copy)

    def append(self, payload: bytes, *, sync: bool) -> int:
        """Append one record and return its offset; with `sync`, it and all before it are on disk.

        Raises `MalformedError` for an empty or oversized payload, and `StoreError`: then the file
        ends after its last whole record as before, and can be appended to when there is space
        again.
        """
        data = frame(payload)
        self._require_usable()
        with store_errors("write to", self.path):
            try:
                write_all(self._descriptor, data)
            except OSError:
                self._take_back()
                raise
        offset = self._end
        self._end += len(data)
        if sync:
            self.sync()
        return offset

    def read(self, offsets: Iterable[int]) -> Iterator[bytes]:
        """Yield the records at offsets that `append` or `open` gave.

        Raises `StoreError`, and `MalformedError` when the file has been damaged meanwhile.
        """
        self._require_usable()
        yield from read_at(self.path, offsets)

    def sync(self) -> None:
        """Return when all that was appended is on disk; raises `StoreError`."""
        self._require_usable()
        with store_errors("write to", self.path):
            try:
                flush_to_disk(self._descriptor)
            except OSError:
                # The system may have dropped the pages and report success next time.
                self._failed = True
                raise

    def close(self) -> None:
        """Close the file and give the lock back; harmless when that was done before."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._lock.release()

    def __enter__(self) -> LogFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _take_back(self) -> None:
        """Cut off what a failed write left of its frame."""
        self._failed = True
        os.ftruncate(self._descriptor, self._end)
        self._failed = False

    def _require_usable(self) -> None:
        if self._descriptor < 0:
            raise StoreError(f"The log {shown(self.path)} is closed.")
        if self._failed:
            raise StoreError(
                f"The log {shown(self.path)} could not be written before.",
                hint="Close the table and resume it.",
            )


@dataclass(frozen=True, slots=True)
class OpenedLog:
    """A log that was opened, its records, and where the copy of a torn tail was put, if any."""

    log: LogFile
    records: tuple[Record, ...]
    tail_copy: Path | None


def read_log(path: Path) -> LogContents:
    """Read a log that somebody may be writing, without touching it.

    Raises `StoreError`, `MalformedError` for what is no log and for damage before the end, with
    its offset, and `UnsupportedError` for a newer format.
    """
    found = _scan_file(path)
    _refuse_damage(path, found)
    return LogContents(found.records, found.end if found.torn else None)


def read_at(path: Path, offsets: Iterable[int]) -> Iterator[bytes]:
    """Yield the records at offsets of a log that somebody may be writing.

    Raises as `LogFile.read` does.
    """
    with store_errors("read", path), path.open("rb") as stream:
        for offset in offsets:
            yield frame_at(stream, offset, shown(path))


def write_log(path: Path, payloads: Iterable[bytes]) -> None:
    """Write a whole log at once, durable when this returns, over what was there.

    Raises `StoreError`, and `MalformedError` for an empty or oversized payload.
    """
    write_atomically(path, HEADER + b"".join(map(frame, payloads)))


def repair(path: Path) -> Repair:
    """Cut a damaged log after its last record that is whole and has only whole ones before it.

    The original is copied aside first; a log without damage stays as it is.  What is cut comes
    back from the other players.  Raises `LockedError`, `StoreError`, `MalformedError` for what is
    no log, `UnsupportedError` for a newer format.
    """
    with store_errors("open", path):
        path.stat()
    lock = FileLock.acquire(path)
    try:
        found = _scan_file(path)
        if not found.torn and not found.damaged:
            return Repair(len(found.records), None)
        copy = free_name(path, "damaged")
        with store_errors("copy", path):
            shutil.copyfile(path, copy)
            _flush_file(copy)
            sync_directory(copy.parent)
        _cut(path, found.end)
        return Repair(len(found.records), copy)
    finally:
        lock.release()


def _scan_file(path: Path) -> Scan:
    with store_errors("read", path), path.open("rb") as stream:
        return scan(stream, shown(path))


def _refuse_damage(path: Path, found: Scan) -> None:
    if found.damaged:
        raise MalformedError(
            f"{shown(path)} is damaged at byte {found.end}.",
            hint="`p2pclimb log repair` keeps what comes before and a copy of all.",
        )


def _cut_tail(path: Path, found: Scan) -> Path:
    with store_errors("read", path), path.open("rb") as stream:
        stream.seek(found.end)
        tail = stream.read()
    copy = free_name(path, f"tail-{found.end}")
    write_atomically(copy, tail)
    _cut(path, found.end)
    return copy


def _cut(path: Path, end: int) -> None:
    with store_errors("write to", path):
        os.truncate(path, end)
        _flush_file(path)


def _flush_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        flush_to_disk(descriptor)
    finally:
        os.close(descriptor)


def _open_to_append(path: Path) -> int:
    with store_errors("open", path):
        return os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
