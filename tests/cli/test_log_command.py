"""`p2pclimb log`: listing, showing and repairing logs."""

import json

import pytest
from recorded import recorded, write_log

from p2pclimb.cli.main import main
from p2pclimb.ledger.entry import Kind

TABLE = recorded(2)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("P2PCLIMB_HOME", str(tmp_path))
    (tmp_path / "tables").mkdir()
    return tmp_path


@pytest.fixture
def log(home):
    return write_log(home / "tables" / "evening.climb", TABLE.records)


def test_show(log, capsys):
    assert main(["log", "show", str(log)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"table     {' '.join(TABLE.terms.words)}\n")
    assert "\ndeal 1\n" in out
    assert '\n 1  "Seat ' in out
    assert out.endswith("valid: every check passed, and the table has ended.\n")


def test_show_as_json_lines(log, capsys):
    assert main(["log", "show", str(log), "--json"]) == 0
    types = [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()]
    assert types[:3] == ["table", "deal", "trick"]
    assert types[-2:] == ["result", "end"]


def test_show_of_an_unfinished_or_torn_log_is_fine(log, capsys):
    data = log.read_bytes()
    for end in (len(data) - 5, len(data) // 2):
        log.write_bytes(data[:end])
        assert main(["log", "show", str(log)]) == 0
        assert "\nincomplete: " in capsys.readouterr().out


def test_show_of_a_bad_log_says_so(log, capsys):
    index = TABLE.numbers(Kind.TURN)[2]
    write_log(log, [*TABLE.records, TABLE.forge(index, counter=999)])
    assert main(["log", "show", str(log)]) == 1
    assert "\nviolation: " in capsys.readouterr().out
    log.write_bytes(b"no log")
    assert main(["log", "show", str(log)]) == 4
    assert f"{log} is not a p2pclimb log." in capsys.readouterr().out
    assert main(["log", "show", str(log), "--json"]) == 4
    assert json.loads(capsys.readouterr().out)["verdict"] == "malformed"


def test_show_of_a_missing_log(home, capsys):
    assert main(["log", "show", str(home / "none")]) == 4
    assert "no such file" in capsys.readouterr().err


def test_list(log, capsys):
    (log.parent / "broken.climb").write_bytes(b"no log")
    assert main(["log", "list"]) == 0
    captured = capsys.readouterr()
    words = " ".join(TABLE.terms.words)
    assert captured.out == (
        f'{log}  {words}  tienlen/1  "Seat 0", "Seat 1"  {len(TABLE.records)} records\n'
    )
    assert "broken.climb is not a p2pclimb log" in captured.err


def test_list_as_json_lines(log, capsys):
    (log.parent / "broken.climb").write_bytes(b"no log")
    assert main(["log", "list", "--json"]) == 0
    broken, good = map(json.loads, capsys.readouterr().out.splitlines())
    assert broken["error"]["code"] == "malformed"
    assert good["names"] == ["Seat 0", "Seat 1"]
    assert good["records"] == len(TABLE.records)
    assert good["torn"] is False
    assert good["unfinished"] is False


def test_a_table_that_can_be_resumed_is_listed_as_such(log, capsys):
    log.with_name("evening.climb.guard").write_bytes(b"")
    assert main(["log", "list"]) == 0
    assert capsys.readouterr().out.endswith(" records  can be resumed\n")


def test_list_of_nothing(home, capsys):
    (home / "tables").rmdir()
    assert main(["log", "list"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no logs" in captured.err


def test_repair_keeps_whole_records_and_a_copy(log, capsys):
    data = bytearray(log.read_bytes())
    data[-20_000] ^= 1
    log.write_bytes(data)
    assert main(["audit", str(log)]) == 4
    assert main(["log", "repair", str(log)]) == 0
    captured = capsys.readouterr()
    assert "Kept" in captured.err
    assert (log.parent / "evening.climb.damaged").read_bytes() == data
    assert main(["audit", str(log)]) == 3


def test_repair_of_a_whole_log_changes_nothing(log, capsys):
    data = log.read_bytes()
    assert main(["log", "repair", str(log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"kept": len(TABLE.records), "copy": None}
    assert log.read_bytes() == data


def test_an_action_is_needed(capsys):
    assert main(["log"]) == 2
    assert "ACTION" in capsys.readouterr().err
