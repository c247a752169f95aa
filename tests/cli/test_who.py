"""Who plays here: an identity that is lost, that others can read, or that is made just now."""

import argparse
import os
import stat
from datetime import date

import pytest

from p2pclimb.cli import who as module
from p2pclimb.cli.main import main
from p2pclimb.cli.who import who
from p2pclimb.errors import LockedError
from p2pclimb.store.contacts import remember_contact
from p2pclimb.store.keystore import read_identity
from p2pclimb.store.lock import FileLock
from p2pclimb.store.logfile import LogFile
from p2pclimb.store.paths import Paths


@pytest.fixture
def paths(tmp_path):
    return Paths(tmp_path / "home")


def given(name="Ana"):
    return argparse.Namespace(name=name, quiet=False)


def test_the_first_time_an_identity_is_made_and_said(paths, capsys):
    me = who(given(), paths)
    assert me.identity.public == read_identity(paths.identity).public
    told = capsys.readouterr().err
    assert "You are Ana" in told
    assert "id import" not in told
    assert who(given(None), paths).identity.public == me.identity.public


@pytest.mark.parametrize("left", ["contacts", "log"])
def test_a_lost_identity_is_told_with_the_way_to_bring_it_back(paths, capsys, left):
    if left == "contacts":
        remember_contact(paths.contacts, "Bea", bytes(32), date(2026, 1, 5))
    else:
        LogFile.create(paths.log("some-table")).close()
    who(given(), paths)
    told = capsys.readouterr().err
    assert "not in" in told
    assert "your friends will not know you" in told
    assert "p2pclimb id import --replace" in told


def test_of_two_programs_that_begin_at_once_none_loses_its_identity(paths, monkeypatch):
    with FileLock.acquire(paths.identity), pytest.raises(LockedError):
        who(given(), paths)
    assert not paths.identity.exists()
    seen = iter([False, True])
    monkeypatch.setattr(module, "is_there", lambda path: next(seen))
    with pytest.raises(LockedError, match="just now") as caught:
        who(given(), paths)
    assert "again" in caught.value.hint
    assert [path.name for path in paths.root.iterdir()] == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_an_identity_that_others_can_read_is_told_until_they_cannot(paths, capsys, mode):
    who(given(), paths)
    paths.identity.chmod(mode)
    capsys.readouterr()
    who(given(), paths)
    assert "chmod 600" in capsys.readouterr().err
    assert main(["id", "show", "--data-dir", str(paths.root)]) == 0
    assert "chmod 600" in capsys.readouterr().err
    paths.identity.chmod(0o600)
    who(given(), paths)
    assert capsys.readouterr().err == ""


def test_whatever_the_umask_nobody_else_reads_what_is_written(paths):
    before = os.umask(0)
    try:
        who(given(), paths)
        remember_contact(paths.contacts, "Bea", bytes(32), date(2026, 1, 5))
        with LogFile.create(paths.log("some-table")) as log:
            log.append(b"a record", sync=True)
            modes = {
                path: stat.S_IMODE(path.stat().st_mode)
                for path in [paths.root, *paths.root.rglob("*")]
            }
    finally:
        os.umask(before)
    assert len(modes) == 6  # root, identity, contacts, tables, log and its lock
    for path, mode in modes.items():
        assert mode == (0o700 if path.is_dir() else 0o600), path


TOO_LONG = "a" * 300


@pytest.mark.parametrize(
    "words",
    [
        ["id", "show"],
        ["id", "new", "Ana", "--no-passphrase"],
        ["id", "export"],
        ["log", "list"],
        ["host", "--log", TOO_LONG],
        ["host", "--again", TOO_LONG],
        ["audit", TOO_LONG],
        ["log", "repair", TOO_LONG],
    ],
    ids=" ".join,
)
def test_names_that_the_system_cannot_take_are_told(tmp_path, capsys, words):
    assert main([*words, "--data-dir", str(tmp_path / TOO_LONG)]) == 4
    told = capsys.readouterr().err
    assert "name is too long" in told
