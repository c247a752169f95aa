import errno
import os
import stat
import tracemalloc

import pytest

from p2pclimb.errors import StoreError
from p2pclimb.store import files


def test_write_atomically_creates_private_files_in_private_directories(tmp_path):
    path = tmp_path / "a" / "b" / "file"
    files.write_atomically(path, b"one")
    files.write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700
    assert [p.name for p in path.parent.iterdir()] == ["file"]


def test_write_atomically_flushes_before_the_rename_and_the_directory_after(tmp_path, monkeypatch):
    done = []
    flush, replace = files.flush_to_disk, files.Path.replace

    def record_flush(descriptor):
        done.append("flush")
        flush(descriptor)

    def record_replace(source, target):
        done.append("rename")
        return replace(source, target)

    monkeypatch.setattr(files, "flush_to_disk", record_flush)
    monkeypatch.setattr(files, "sync_directory", lambda directory: done.append("directory"))
    monkeypatch.setattr(files.Path, "replace", record_replace)
    files.write_atomically(tmp_path / "file", b"data")
    assert done == ["flush", "rename", "directory"]


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    path = tmp_path / "file"
    files.write_atomically(path, b"old")

    def full(descriptor, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "write", full)
    with pytest.raises(StoreError, match="the disk is full") as caught:
        files.write_atomically(path, b"new")
    assert "space" in caught.value.hint
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_short_writes_are_continued(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(files.os, "write", lambda descriptor, data: write(descriptor, data[:3]))
    files.write_atomically(tmp_path / "file", b"0123456789")
    assert (tmp_path / "file").read_bytes() == b"0123456789"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, "the file system is read-only"),
        (errno.EACCES, "permission denied"),
        (errno.ENOSPC, "the disk is full"),
        (errno.EIO, "input/output error"),
    ],
)
def test_system_errors_become_store_errors_with_a_reason(tmp_path, number, words):
    with (
        pytest.raises(StoreError, match=f"^Cannot write .*file: {words}.$"),
        files.store_errors("write", tmp_path / "file"),
    ):
        raise OSError(number, os.strerror(number))


def test_a_file_where_a_directory_should_be_is_told(tmp_path):
    (tmp_path / "root").write_text("")
    with pytest.raises(StoreError, match="Cannot create the directory"):
        files.ensure_directory(tmp_path / "root" / "tables")


def test_read_bounded_refuses_what_is_too_large(tmp_path):
    (tmp_path / "file").write_bytes(bytes(11))
    assert files.read_bounded(tmp_path / "file", 11) == bytes(11)
    with pytest.raises(StoreError, match="larger than 10 bytes"):
        files.read_bounded(tmp_path / "file", 10)


def test_read_bounded_takes_no_more_room_than_there_is_to_read(tmp_path):
    (tmp_path / "file").write_bytes(bytes(11))
    tracemalloc.start()
    try:
        files.read_bounded(tmp_path / "file", 2**30)
        assert tracemalloc.get_traced_memory()[1] < 2**22
    finally:
        tracemalloc.stop()


def test_read_bounded_tells_of_a_missing_file(tmp_path):
    with pytest.raises(StoreError, match="no such file"):
        files.read_bounded(tmp_path / "file", 10)


def test_free_name_never_names_an_existing_file(tmp_path):
    path = tmp_path / "log"
    names = []
    for _ in range(3):
        names.append(files.free_name(path, "old").name)
        (tmp_path / names[-1]).write_text("")
    assert names == ["log.old", "log.old-2", "log.old-3"]


def test_paths_are_shown_without_escape_sequences(tmp_path):
    assert files.shown(tmp_path / "a\x1b[2Jb").endswith("a[2Jb")
