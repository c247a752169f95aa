import os
import subprocess
import sys

import pytest

from p2pclimb.errors import LockedError, StoreError
from p2pclimb.store import lock
from p2pclimb.store.lock import FileLock, lock_path

HOLDER = """
import sys
from pathlib import Path
from p2pclimb.store import lock
from p2pclimb.store.lock import FileLock
lock = FileLock.acquire(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_holder_is_refused_and_told_the_process(tmp_path):
    path = tmp_path / "table.climb"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockedError, match=rf"in use by process {holder.pid}\."):
            FileLock.acquire(path)
        holder.kill()
    FileLock.acquire(path).release()  # a killed process leaves nothing behind


def test_the_same_process_cannot_take_it_twice(tmp_path):
    path = tmp_path / "table.climb"
    held = FileLock.acquire(path)
    with pytest.raises(LockedError, match=str(os.getpid())):
        FileLock.acquire(path)
    held.release()
    held.release()
    FileLock.acquire(path).release()


def test_an_older_and_longer_process_id_does_not_remain(tmp_path):
    path = tmp_path / "table.climb"
    lock_path(path).write_text("99999999999999\n")
    held = FileLock.acquire(path)
    assert lock_path(path).read_text() == f"{os.getpid()}\n"
    held.release()


def test_nothing_is_left_beside_the_file_after_release(tmp_path):
    path = tmp_path / "table.climb"
    FileLock.acquire(path).release()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_on_a_file_that_its_holder_removed_meanwhile_is_worth_nothing(tmp_path, monkeypatch):
    path = tmp_path / "table.climb"
    first = FileLock.acquire(path)
    try_lock = lock._try_lock

    def let_go_just_before(descriptor):
        # The second has opened the file; now the first gives it back, and the file is gone.
        first.release()
        return try_lock(descriptor)

    monkeypatch.setattr(lock, "_try_lock", let_go_just_before)
    second = FileLock.acquire(path)
    monkeypatch.undo()
    assert lock_path(path).exists()
    with pytest.raises(LockedError):
        FileLock.acquire(path)
    second.release()


def test_a_lock_file_that_cannot_be_made_is_told(tmp_path):
    lock_path(tmp_path / "table.climb").mkdir()
    with pytest.raises(StoreError, match="Cannot lock"):
        FileLock.acquire(tmp_path / "table.climb")
