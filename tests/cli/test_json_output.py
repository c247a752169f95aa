"""With --json standard output is JSON or JSON lines, whatever has to be said besides."""

import json

import pytest
from recorded import recorded, write_log

from p2pclimb.cli.main import COMMANDS, main
from p2pclimb.store.paths import Paths


@pytest.fixture
def home(tmp_path):
    """A data directory in which there is something to warn of: an open identity, bad logs."""
    root = tmp_path / "home"
    assert main(["id", "new", "Ana", "--no-passphrase", "--data-dir", str(root)]) == 0
    paths = Paths(root)
    paths.identity.chmod(0o644)
    paths.tables.mkdir()
    records = recorded(3).records
    write_log(paths.log("whole"), records)
    paths.log("torn").write_bytes(paths.log("whole").read_bytes()[:-3])
    paths.log("other").write_bytes(b"no log")
    (root / "contacts.toml").write_text("not toml")
    return root


WORDS = [
    ["audit", "WHOLE"],
    ["audit", "TORN", "OTHER", "missing"],
    ["log", "list"],
    ["log", "show", "TORN"],
    ["log", "show", "OTHER"],
    ["log", "repair", "TORN"],
    ["rules"],
    ["rules", "winner"],
    ["rules", "poker"],
    ["id", "show"],
    ["id", "export"],
    ["id", "passphrase", "--no-such-flag"],
    ["host"],
    ["join", "hello"],
    ["play", "--seats", "9"],
    ["bot", "hello"],
    ["bot", "--resume", "OTHER"],
    ["resume"],
    ["resume", "WHOLE", "--bot", "basic"],
    ["demo", "--seats", "1"],
    ["no-such-command"],
]


@pytest.mark.parametrize("verbosity", [[], ["-v"], ["-q"]], ids=["", "-v", "-q"])
@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_standard_output_is_json(home, capsys, words, verbosity):
    capsys.readouterr()
    files = {name.upper(): str(Paths(home).log(name)) for name in ("whole", "torn", "other")}
    main(
        [*(files.get(word, word) for word in words), "--json", *verbosity, "--data-dir", str(home)]
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        json.loads(line)


def test_every_command_is_tried():
    assert {words[0] for words in WORDS} >= {*COMMANDS}


def test_warnings_are_words_on_standard_error(home, capsys):
    Paths(home).contacts.unlink()
    capsys.readouterr()
    assert main(["id", "show", "--json", "--data-dir", str(home)]) == 0
    captured = capsys.readouterr()
    assert "chmod 600" in captured.err
    assert captured.out.count("\n") == 1
