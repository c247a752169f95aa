"""Durable file operations that the other modules of the store share.

An `OSError` never leaves the store: it becomes a `StoreError` that says what could not be done and
what to do next.  What the files contain is not this module's business.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from p2pclimb.errors import StoreError
from p2pclimb.names import printable

__all__ = [
    "ensure_directory",
    "flush_to_disk",
    "free_name",
    "is_file",
    "is_readable_by_others",
    "is_there",
    "read_bounded",
    "shown",
    "store_errors",
    "sync_directory",
    "write_all",
    "write_atomically",
]

_READ_AT_ONCE = 1 << 20  # bytes
_ELSEWHERE = "Choose another place with --data-dir."
_REASONS: dict[int | None, tuple[str, str]] = {
    errno.ENOSPC: ("the disk is full", "Free some space and try again."),
    errno.EDQUOT: ("your disk quota is used up", "Free some space and try again."),
    errno.EFBIG: ("the file may not become so large", "Raise the limit and try again."),
    errno.EROFS: ("the file system is read-only", _ELSEWHERE),
    errno.EACCES: ("permission denied", _ELSEWHERE),
    errno.EPERM: ("permission denied", _ELSEWHERE),
    errno.ENAMETOOLONG: ("the name is too long", _ELSEWHERE),
    errno.ENOENT: ("there is no such file", ""),
    errno.ENOTDIR: ("a part of the path is a file, not a directory", _ELSEWHERE),
    errno.EEXIST: ("there is a file of that name", _ELSEWHERE),
    errno.EISDIR: ("it is a directory", ""),
}


if sys.platform == "darwin":
    import fcntl

    def flush_to_disk(descriptor: int) -> None:
        """Return when what was written to `descriptor` survives a power cut; raises `OSError`."""
        # fsync on macOS only reaches the drive's cache.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
else:

    def flush_to_disk(descriptor: int) -> None:
        """Return when what was written to `descriptor` survives a power cut; raises `OSError`."""
        os.fsync(descriptor)


def shown(path: Path) -> str:
    """Return a path as it may be shown: without control or bidi characters."""
    return printable(str(path))


@contextmanager
def store_errors(doing: str, path: Path) -> Iterator[None]:
    """Turn any `OSError` of the block into a `StoreError` ("Cannot `doing` `path`: ...")."""
    try:
        yield
    except OSError as error:
        fallback = (error.strerror or "the system refused").lower()
        reason, hint = _REASONS.get(error.errno, (fallback, ""))
        raise StoreError(f"Cannot {doing} {shown(path)}: {reason}.", hint=hint) from error


def is_file(path: Path) -> bool:
    """Return whether `path` is a file and no directory; raises `StoreError` as `is_there` does."""
    with store_errors("read", path):
        return path.is_file()


def is_readable_by_others(path: Path) -> bool:
    """Return whether other users may read a file by its mode; raises `StoreError`."""
    with store_errors("read", path):
        mode = path.stat().st_mode
    # Windows has no such mode: there the directory of the user is nobody else's.
    return sys.platform != "win32" and bool(mode & (stat.S_IRGRP | stat.S_IROTH))


def is_there(path: Path) -> bool:
    """Return whether there is anything at `path`; raises `StoreError` where that cannot be told."""
    with store_errors("read", path):
        return path.exists()


def sync_directory(directory: Path) -> None:
    """Make the names in `directory` (new, renamed, removed) durable; raises `OSError`."""
    if sys.platform == "win32":
        return  # directories cannot be opened there; NTFS journals its names
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def ensure_directory(directory: Path) -> None:
    """Create `directory` and its parents where missing, with mode 0700; raises `StoreError`."""
    with store_errors("create the directory", directory):
        _ensure_directory(directory)


def _ensure_directory(directory: Path) -> None:
    if directory.is_dir():
        return
    # One level at a time: mkdir(parents=True) gives the mode to the last level only.
    _ensure_directory(directory.parent)
    directory.mkdir(mode=0o700, exist_ok=True)
    sync_directory(directory.parent)


def write_all(descriptor: int, data: bytes) -> None:
    """Write the whole of `data`, however little the system takes at once; raises `OSError`."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file at `path` by `data`, durable when this returns; mode 0600.

    At every moment, a crash included, the file is whole: the old one or the new one (write aside,
    fsync, rename, fsync the directory).  One writer at a time in a process.  Raises `StoreError`.
    """
    ensure_directory(path.parent)
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with store_errors("write", path):
        try:
            _write_new(aside, data)
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)


def _write_new(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        write_all(descriptor, data)
        flush_to_disk(descriptor)
    finally:
        os.close(descriptor)


def read_bounded(path: Path, limit: int) -> bytes:
    """Return the bytes of a file of at most `limit` bytes; raises `StoreError`."""
    data = b""
    with store_errors("read", path), path.open("rb") as stream:
        # As much at once as is there: a reader makes room for all that it is asked for.
        while len(data) <= limit and (more := stream.read(_READ_AT_ONCE)):
            data += more
    if len(data) > limit:
        raise StoreError(f"Cannot read {shown(path)}: it is larger than {limit} bytes.")
    return data


def free_name(path: Path, suffix: str) -> Path:
    """Return the first of `path`.suffix, `path`.suffix-2, ... that no file has yet."""
    candidate = path.with_name(f"{path.name}.{suffix}")
    number = 1
    while is_there(candidate):
        number += 1
        candidate = path.with_name(f"{path.name}.{suffix}-{number}")
    return candidate
