import io
import json
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from p2pclimb import __version__
from p2pclimb.cli import main as frame
from p2pclimb.cli.main import COMMANDS, main
from p2pclimb.cli.output import report
from p2pclimb.errors import KeystoreError, StoreError

PROGRAM = [sys.executable, "-m", "p2pclimb"]


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("P2PCLIMB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def command(monkeypatch):
    """Install a command `try` that calls a function with its arguments."""

    def install(run, configure=lambda parser: None):
        module = SimpleNamespace(EXAMPLES=("p2pclimb try it",), configure=configure, run=run)
        monkeypatch.setitem(COMMANDS, "try", ("trial", "a trial"))
        monkeypatch.setattr(frame.importlib, "import_module", lambda name: module)

    return install


def raising(error):
    def run(args):
        raise error

    return run


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"p2pclimb {__version__}\n"


def test_version_imports_no_command_and_no_dependency():
    code = (
        "import sys; from p2pclimb.cli.main import main; main(['--version']);"
        "print(sorted(m for m in sys.modules if m.startswith('p2pclimb')"
        " or m.split('.')[0] in {'zmq', 'cryptography', 'msgpack', 'prompt_toolkit', 'rbcl'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == str(
        [
            "p2pclimb",
            "p2pclimb.cli",
            "p2pclimb.cli.main",
            "p2pclimb.cli.output",
            "p2pclimb.cli.parser",
            "p2pclimb.errors",
            "p2pclimb.names",
        ]
    )


def test_help_lists_every_command_with_examples_first(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert out.index("examples:") < out.index("usage:") < out.index("commands:")
    for name, (_, summary) in COMMANDS.items():
        assert f"{name} " in out
        assert summary in out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_its_examples_first(capsys, name):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{COMMANDS[name][1]}\n\nexamples:\n  p2pclimb {name}")
    assert "--data-dir" in out


@pytest.mark.parametrize(
    "words", ["id show", "id new", "id passphrase", "id export", "id import", "log list"]
)
def test_every_action_has_help_with_its_own_examples_first(capsys, words):
    assert main([*words.split(), "--help"]) == 0
    _summary, examples, _usage, *_ = capsys.readouterr().out.split("\n\n")
    first, *lines = examples.splitlines()
    assert first == "examples:"
    assert lines
    assert all(line.startswith(f"  p2pclimb {words}") for line in lines)


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_words_are_broken_where_a_terminal_would_break_inside_them(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(sys, "stderr", Screen())
    report(
        StoreError("There is no file /a/long-path/of/more-than/thirty-columns.climb here."),
        as_json=False,
    )
    assert sys.stderr.getvalue().splitlines() == [
        "There is no file",
        "/a/long-path/of/more-than/thirty-columns.climb",
        "here.",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "p2pclimb needs a command"),
        (["idd"], "p2pclimb: unknown command 'idd'. Did you mean id?\n"),
        (["--jsno"], "p2pclimb: unknown option '--jsno'. Did you mean --json?\n"),
        (["id", "shwo"], "p2pclimb id: unknown action 'shwo'. Did you mean show?\n"),
        (["id", "new", "--replce"], "unknown option '--replce'. Did you mean --replace?\n"),
        (["id", "show", "--replac=1"], "unknown option '--replac'. Did you mean --replace?\n"),
        (["id", "show", "-x"], "p2pclimb id: unknown option '-x'. See `p2pclimb id --help`.\n"),
        (["id", "show", "more"], "p2pclimb id: unknown argument 'more'."),
        (["id", "new"], "p2pclimb id new: the following arguments are required: NAME."),
        (["id", "show", "--data-dir"], "--data-dir: expected one argument."),
        (["id", "\x1b[2J"], "unknown action '[2J'."),
    ],
)
def test_a_mistake_is_one_sentence_with_a_suggestion(capsys, words, message):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err


@pytest.mark.parametrize("words", [["--json", "idd"], ["idd", "--json"], ["id", "--json", "x"]])
def test_with_json_a_mistake_is_one_object_on_standard_output(capsys, words):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.err == ""
    error = json.loads(captured.out)["error"]
    assert error["code"] == "usage"
    assert "unknown" in error["text"]
    assert error.keys() == {"code", "text", "hint"}


@pytest.mark.parametrize(
    "words",
    [
        ["--json", "--plain", "-v", "-v", "-q", "--data-dir", "here", "try", "--own"],
        ["try", "--own", "--json", "--plain", "-vv", "-q", "--data-dir=here"],
        ["--json", "try", "-v", "--own", "--plain", "--quiet", "--data-dir", "here", "-v"],
    ],
)
def test_flags_for_every_command_may_stand_before_or_after_it(command, words):
    seen = []
    command(
        lambda args: seen.append(vars(args)) or 3,
        lambda parser: parser.add_argument("--own", action="store_true"),
    )
    assert main(words) == 3
    assert seen == [
        {
            "data_dir": "here",
            "json": True,
            "plain": True,
            "verbose": 2,
            "quiet": True,
            "own": True,
        }
    ]


def test_words_after_two_dashes_are_arguments(command):
    seen = []
    command(
        lambda args: seen.append((args.json, args.word)) or 0,
        lambda parser: parser.add_argument("word"),
    )
    assert main(["try", "--", "--json"]) == 0
    assert seen == [(False, "--json")]


def test_an_error_is_told_with_its_hint_and_exit_code(command, capsys):
    command(raising(KeystoreError("It is closed.", hint="Open it.")))
    assert main(["try"]) == KeystoreError.exit_code
    assert capsys.readouterr().err == "It is closed. Open it.\n"
    assert main(["try", "--json"]) == KeystoreError.exit_code
    assert json.loads(capsys.readouterr().out) == {
        "error": {"code": "keystore", "text": "It is closed.", "hint": "Open it."}
    }


@pytest.mark.parametrize(
    "error", [KeyError("the secret"), RecursionError("the secret"), OSError(5, "the secret")]
)
def test_a_mistake_of_the_program_shows_neither_traceback_nor_values(command, capsys, error):
    command(raising(error))
    for words in (["try"], ["try", "--json"]):
        assert main(words) == 1
        captured = capsys.readouterr()
        whole = captured.out + captured.err
        assert f"failed unexpectedly: {type(error).__name__} in p2pclimb/cli/main.py" in whole
        assert whole.count("\n") == 1
        assert "the secret" not in whole


def test_interruption_is_quiet(command, capsys):
    command(raising(KeyboardInterrupt()))
    assert main(["try"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_real_interruption_shows_no_traceback():
    with subprocess.Popen(
        [*PROGRAM, "id", "import"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        # More bytes than a pipe holds: once all are written, the program is reading; fewer
        # characters than it takes: it goes on reading.
        process.stdin.write("é".encode() * 40_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130
    assert (out, err) == (b"", b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone_is_no_error(unbuffered):
    read, write = os.pipe()
    os.close(read)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        [*PROGRAM, "--help"], stdout=write, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["--version"], ["id", "--help"]])
def test_an_output_that_is_full_is_told(unbuffered, words):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, *words],
            stdout=full, stderr=subprocess.PIPE, env=environment, check=False,
        )  # fmt: skip
    assert done.returncode == 4
    assert done.stderr.startswith(b"Cannot write the output: ")
    assert done.stderr.count(b"\n") == 1


def test_closed_standard_streams_are_no_error():
    done = subprocess.run(["sh", "-c", '"$@" >&- 2>&- <&-', "sh", *PROGRAM, "--help"], check=False)
    assert done.returncode == 0


def test_an_output_without_suit_glyphs_gets_question_marks(command, monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    command(lambda args: frame.show("3♠") or 0)
    assert main(["try"]) == 0
    assert raw.getvalue() == b"3?\n"


def test_quiet_silences_words_but_neither_data_nor_errors(capsys):
    assert main(["-q", "id", "new", "Ana", "--no-passphrase"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Ana  ")
    assert captured.err == ""
    assert main(["-q", "id", "new", "Bea", "--no-passphrase"]) == 4
    assert "already" in capsys.readouterr().err
