"""`p2pclimb audit` as a command: exit codes, several files, JSON on standard output."""

import io
import json

import pytest
from recorded import recorded, write_log

from p2pclimb.cli import audit as command
from p2pclimb.cli.main import main
from p2pclimb.ledger.entry import Kind
from p2pclimb.store.frames import HEADER

TABLE = recorded(2)


@pytest.fixture
def logs(tmp_path):
    """One file for each exit code."""
    turn = TABLE.numbers(Kind.TURN)[0]
    files = {
        0: write_log(tmp_path / "valid.climb", TABLE.records),
        1: write_log(
            tmp_path / "violation.climb", TABLE.replaced(turn, TABLE.forge(turn, body=[0]))
        ),
        3: write_log(tmp_path / "incomplete.climb", TABLE.records[:-1]),
        4: write_log(tmp_path / "malformed.climb", [*TABLE.records, b"x"]),
        5: tmp_path / "newer.climb",
    }
    files[5].write_bytes(HEADER[:-1] + b"\x02")
    return files


VERDICTS = {0: "valid", 1: "violation", 3: "incomplete", 4: "malformed", 5: "unsupported"}


@pytest.mark.parametrize("code", VERDICTS)
def test_the_exit_code_says_the_verdict(code, logs, capsys):
    assert main(["audit", str(logs[code])]) == code
    captured = capsys.readouterr()
    assert captured.out.startswith(f"{VERDICTS[code]}: ")
    assert captured.err == ""


@pytest.mark.parametrize("code", VERDICTS)
def test_json_says_the_verdict(code, logs, capsys):
    assert main(["audit", "--json", str(logs[code])]) == code
    value = json.loads(capsys.readouterr().out)
    assert (value["verdict"], value["exit_code"]) == (VERDICTS[code], code)
    assert value["file"] == str(logs[code])


@pytest.mark.parametrize(
    ("codes", "worst"),
    [((0, 0), 0), ((0, 3), 3), ((5, 3), 5), ((5, 4), 4), ((4, 1, 0), 1), ((3, 0, 5), 5)],
)
def test_of_several_logs_the_worst_counts(codes, worst, logs, capsys):
    assert main(["audit", "--json", *(str(logs[code]) for code in codes)]) == worst
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["exit_code"] for line in lines if "logs" not in line] == list(codes)


def test_a_missing_file_does_not_hide_the_others(logs, capsys, tmp_path):
    missing = str(tmp_path / "none.climb")
    assert main(["audit", missing, str(logs[0])]) == 4
    captured = capsys.readouterr()
    assert captured.out.startswith("valid: ")
    assert "no such file" in captured.err
    assert main(["audit", "--json", missing, str(logs[1])]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["error"]["code"] == "store"
    assert second["verdict"] == "violation"


def test_what_is_no_log_is_malformed(tmp_path, capsys):
    for content in (b"", b"hello", HEADER[:-1], HEADER):
        path = tmp_path / "x.climb"
        path.write_bytes(content)
        assert main(["audit", str(path)]) == 4
        assert capsys.readouterr().out.startswith("malformed: ")


def test_damage_before_the_end_names_its_offset(logs, capsys):
    data = bytearray(logs[0].read_bytes())
    data[500] ^= 1
    logs[0].write_bytes(data)
    assert main(["audit", str(logs[0])]) == 4
    out = capsys.readouterr().out
    assert "is damaged at byte" in out
    assert "log repair" in out


def test_the_same_log_gives_the_same_bytes(logs, capsys):
    def words():
        main(["audit", str(logs[0])])
        out = capsys.readouterr().out
        return [line for line in out.splitlines() if not line.startswith("time ")]

    assert words() == words()


def test_a_file_is_needed(capsys):
    assert main(["audit"]) == 2
    assert "FILE" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_of_a_long_audit_goes_to_the_terminal(quiet, logs, monkeypatch, capsys):
    monkeypatch.setattr(command, "_PATIENCE", 0.0)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["audit", str(logs[0]), *(["-q"] if quiet else [])]) == 0
    assert ("verified 1 of" in terminal.getvalue()) is not quiet
    assert quiet or terminal.getvalue().endswith(" \r")
    assert "\r" not in capsys.readouterr().out


def test_a_short_audit_shows_no_progress(logs, monkeypatch):
    monkeypatch.setattr(command, "_PATIENCE", 1e9)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    main(["audit", str(logs[0])])
    assert terminal.getvalue() == ""
