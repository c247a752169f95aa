"""`p2pclimb resume` before any table is joined: which log is meant, and whose it is."""

import os

import pytest
from recorded import recorded
from simulator import seeded_entropy

from p2pclimb.cli.main import main
from p2pclimb.crypto.identity import Identity
from p2pclimb.node.journal import Journal
from p2pclimb.store.keystore import write_identity
from p2pclimb.store.paths import Paths
from p2pclimb.store.peersfile import Whereabouts
from p2pclimb.table.effects import Remember, Store

TABLE, OTHER = recorded(2), recorded(3)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("P2PCLIMB_HOME", str(tmp_path))
    return Paths(tmp_path)


def sit_at(home, table, name, *, records=None, age=0):
    """Leave the files of a table that was begun by the identity of its first seat."""
    log = home.log(name)
    journal = Journal.create(log, table.identities[0], seeded_entropy(name), Whereabouts("*", 0))
    for record in table.records[:records]:
        journal.keep(Store(record, sync=False))
    journal.keep(Remember(b"place", table.records[1], ()))
    journal.close(finished=False)
    os.utime(log, (1_000_000 - age, 1_000_000 - age))
    return log


def be(home, identity):
    write_identity(home.identity, "Ana", identity, None, os.urandom)


def test_without_a_table_to_come_back_to_it_says_so(home, capsys):
    assert main(["resume"]) == 2
    assert "no table to come back to" in capsys.readouterr().err


def test_several_are_listed_the_newest_first(home, capsys):
    be(home, TABLE.identities[0])
    sit_at(home, TABLE, "older", age=60)
    sit_at(home, TABLE, "newer")
    (home.tables / "broken.climb").write_bytes(b"no log")
    (home.tables / "broken.climb.guard").write_bytes(b"")
    assert main(["resume"]) == 2
    said = capsys.readouterr().err
    assert said.index("p2pclimb resume newer") < said.index("p2pclimb resume older")
    assert "p2pclimb resume broken  cannot be read" in said


def test_a_table_of_somebody_else_is_not_offered_and_refused(home, capsys):
    be(home, Identity.new(seeded_entropy("stranger")))
    log = sit_at(home, TABLE, "theirs")
    assert main(["resume"]) == 2
    before = log.read_bytes()
    for words in (["theirs"], [str(log)]):
        assert main(["resume", *words, "--bot", "basic"]) == 7
        assert "Your identity has no seat" in capsys.readouterr().err
    assert log.read_bytes() == before


def test_names_that_fit_no_log_or_several_are_refused(home, capsys):
    be(home, TABLE.identities[0])
    sit_at(home, TABLE, "josij-rulag-rizoh")
    sit_at(home, TABLE, "josij-rulag-fibob")
    assert main(["resume", "josij"]) == 2
    assert "2 logs begin so: josij-rulag-fibob, josij-rulag-rizoh" in capsys.readouterr().err
    assert main(["resume", "zzz"]) == 2
    assert "There is no log zzz" in capsys.readouterr().err


def test_a_complete_table_says_so(home, capsys, monkeypatch):
    monkeypatch.setattr("p2pclimb.node.node._HANDING_OVER", 0.1)
    be(home, TABLE.identities[0])
    log = sit_at(home, TABLE, "evening")
    assert main(["resume", "evening", "--listen", "127.0.0.1", "--bot", "basic"]) == 0
    assert "The table is complete" in capsys.readouterr().err
    assert {each.name for each in log.parent.iterdir()} == {log.name}
    assert main(["audit", str(log)]) == 0


def test_a_person_s_table_has_no_json(home, capsys):
    be(home, TABLE.identities[0])
    sit_at(home, TABLE, "evening")
    assert main(["resume", "--json"]) == 2
    assert "no JSON" in capsys.readouterr().out
