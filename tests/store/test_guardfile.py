import errno
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import ClimbError, MalformedError, StoreError, UnsupportedError
from p2pclimb.ledger.record import MAX_RECORD_SIZE
from p2pclimb.store import files, keyedfile
from p2pclimb.store.guardfile import GuardFile


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.guard"


def test_what_is_remembered_is_on_disk_when_remember_returns(path):
    GuardFile.open(path).remember(b"place", b"signed")
    assert GuardFile.open(path).signed.get(b"place") == b"signed"
    assert GuardFile.open(path).signed.get(b"other") is None


def test_other_bytes_for_a_place_are_refused_also_after_a_restart(path):
    guard = GuardFile.open(path)
    guard.remember(b"place", b"signed")
    guard.remember(b"place", b"signed")
    for again in (guard, GuardFile.open(path)):
        with pytest.raises(StoreError, match="another signature"):
            again.remember(b"place", b"SIGNED")
    assert GuardFile.open(path).signed.get(b"place") == b"signed"


def test_final_places_are_forgotten_on_disk_too(path):
    guard = GuardFile.open(path)
    for number in range(3):
        guard.remember(b"%d" % number, b"signed")
    guard.forget([b"0", b"2", b"unknown"])
    again = GuardFile.open(path)
    assert [again.signed.get(b"%d" % number) for number in range(3)] == [None, b"signed", None]


def test_a_full_disk_leaves_the_guard_as_it_was(path, monkeypatch):
    guard = GuardFile.open(path)
    guard.remember(b"first", b"signed")

    def full(descriptor, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "write", full)
        with pytest.raises(StoreError, match="disk is full"):
            guard.remember(b"second", b"signed")
        with pytest.raises(StoreError, match="disk is full"):
            guard.forget([b"first"])
    for state in (guard, GuardFile.open(path)):
        assert state.signed.get(b"first") == b"signed"
        assert state.signed.get(b"second") is None


def test_every_flipped_bit_and_every_cut_is_noticed(path):
    guard = GuardFile.open(path)
    guard.remember(b"place", b"signed")
    guard.remember(b"another place", b"signed too")
    whole = path.read_bytes()
    for bit in range(len(whole) * 8):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises((MalformedError, UnsupportedError)):
            GuardFile.open(path)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(MalformedError):
            GuardFile.open(path)


def test_a_newer_format_is_told_apart_from_damage(path):
    path.write_bytes(b"CLGUARD\x02" + bytes(100))
    with pytest.raises(UnsupportedError, match="format 2"):
        GuardFile.open(path)


@given(st.binary(max_size=200))
def test_only_the_error_tree_escapes_for_bodies_with_a_good_checksum(tmp_path_factory, body):
    path = tmp_path_factory.mktemp("guard") / "table.guard"
    digest = keyedfile.hashlib.sha256(b"CLGUARD\x01" + body).digest()
    path.write_bytes(b"CLGUARD\x01" + digest + body)
    try:
        GuardFile.open(path)
    except ClimbError as error:
        assert "damaged" in error.text  # noqa: PT017


@pytest.mark.parametrize(
    ("place", "signed"),
    [
        (b"", b"signed"),
        (b"place", b""),
        (bytes(keyedfile.MAX_NAME + 1), b"signed"),
        (b"place", bytes(keyedfile.MAX_VALUE + 1)),
    ],
)
def test_sizes_are_bounded(path, place, signed):
    with pytest.raises(StoreError, match="size"):
        GuardFile.open(path).remember(place, signed)


def test_the_largest_record_of_a_table_fits():
    assert MAX_RECORD_SIZE <= keyedfile.MAX_VALUE


def test_the_whole_file_is_bounded(path, monkeypatch):
    monkeypatch.setattr(keyedfile, "MAX_FILE", 1000)
    guard = GuardFile.open(path)
    guard.remember(b"first", bytes(500))
    with pytest.raises(StoreError, match="full"):
        guard.remember(b"second", bytes(500))
    assert GuardFile.open(path).signed.get(b"second") is None


def test_its_repr_holds_nothing_that_was_signed(path):
    guard = GuardFile.open(path)
    guard.remember(b"place", b"signed-bytes")
    assert "signed-bytes" not in repr(guard)
