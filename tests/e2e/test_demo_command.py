"""`p2pclimb demo` and `p2pclimb audit`: whole tables of processes, and how they end early."""

import json
import resource
import signal
import subprocess

import pytest
from commands import PROGRAM, environment, eventually, processes_with, run

from p2pclimb.cli.main import main


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("seats", "deals", "settings"),
    [
        (2, 2, ["scoring=places"]),
        (3, 1, ["deal=17", "show_rest=true"]),
        (4, 2, []),
        (5, 1, ["twos_in_runs=false", "stake=5"]),
        (8, 1, ["deal=13"]),
    ],
)
def test_a_demo_is_valid_json_and_its_log_a_valid_table(tmp_path, seats, deals, settings):
    log = tmp_path / "x.climb"
    words = [word for setting in settings for word in ("--set", setting)]
    code, out, err = run(
        tmp_path, "demo", "--seats", seats, "--deals", deals, "--json", "--log", log, *words
    )
    assert (code, err) == (0, "")
    told = json_lines(out)
    result = told[-1]
    assert (result["event"], result["deals"], result["log"]) == ("result", deals, str(log))
    assert len(result["seats"]) == seats
    assert sum(result["scores"].values()) == 0
    assert len(result["seconds"]["hands_known"]) == deals
    ended = [each for each in told if each["event"] == "deal-ended"]
    assert [each["deal"] for each in ended] == list(range(1, deals + 1))
    assert not any(each["event"] in ("hand-dealt", "peer-fault", "link-down") for each in told)
    check_audit(tmp_path, log, seats, deals, result)
    assert [path.name for path in tmp_path.iterdir()] == ["x.climb"]  # nothing else was left


def check_audit(home, log, seats, deals, result):
    code, out, err = run(home, "audit", log, "--json")
    assert (code, err) == (0, "")
    (report,) = json_lines(out)
    assert report["verdict"] == "valid"
    assert report["verified"]["shuffles"] == seats * deals
    for what in ("shuffles", "openings", "plays"):
        assert report["verified"][what] >= result["verified"][what] > 0


def test_a_demo_in_words_tells_the_game_and_where_its_log_is(tmp_path):
    code, out, err = run(tmp_path, "demo", "--seats", 2, "--seed", 7)
    assert (code, err) == (0, "")
    for words in ("tienlen/1", "Deal 1", "verified", "leads", "Deal 1 is over", "p2pclimb audit"):
        assert words in out
    (log,) = (tmp_path / "tables").iterdir()
    assert str(log) in out
    assert run(tmp_path, "audit", log)[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--seats", "1"], 2, "seats"),
        (["--seats", "9"], 2, "seats"),
        (["--seats", "4", "--set", "deal=17"], 2, "17"),
        (["--seats", "5", "--set", "deal=17"], 2, "17"),
        (["--set", "deal=12"], 2, "deal"),
        (["--set", "chops"], 2, "KEY=VALUE"),
        (["--set", "colour=red"], 2, "colour"),
        (["--game", "tienlne"], 2, "Did you mean tienlen"),
        (["--deals", "0"], 2, "one deal or more"),
        (["--deals", "many"], 2, "many"),
        (["--strategy", "brilliant"], 2, "brilliant"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_what_cannot_be_played_is_said_in_one_line(tmp_path, capsys, words, code, said, as_json):
    flags = ["--json"] if as_json else []
    assert main(["demo", "--data-dir", str(tmp_path), *words, *flags]) == code
    out, err = capsys.readouterr()
    told, silent = (out, err) if as_json else (err, out)
    assert said in told
    assert told.count("\n") == 1
    assert silent == ""
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_is_there_is_not_written_over(tmp_path):
    log = tmp_path / "x.climb"
    log.write_bytes(b"mine")
    code, out, err = run(tmp_path, "demo", "--log", log)
    assert (code, out) == (4, "")
    assert "already" in err
    assert log.read_bytes() == b"mine"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_demo_that_is_interrupted_takes_its_bots_along(tmp_path, start, number):
    demo = start("home", "demo", "--seats", 3, "--deals", 100)
    demo.shows(r"Deal 1 is over")
    assert len(processes_with(demo.home)) == 2
    demo.send(number)
    assert demo.end() == 130
    assert processes_with(demo.home) == []
    assert [path.name for path in demo.home.iterdir()] == ["tables"]
    (log,) = (path for path in (demo.home / "tables").iterdir() if path.suffix == ".climb")
    assert run(demo.home, "audit", log)[0] in (0, 3)


def test_the_bots_of_a_demo_that_is_killed_end_and_the_next_one_clears_up(tmp_path, start):
    demo = start("home", "demo", "--seats", 3, "--deals", 100)
    demo.shows(r"leads")
    demo.send(signal.SIGKILL)
    assert demo.end() == -signal.SIGKILL
    eventually(lambda: processes_with(demo.home) == [], "the bots do not end")
    assert list(demo.home.glob("*bots-*/"))
    assert run(demo.home, "demo", "--seats", 2)[0] == 0
    assert list(demo.home.glob("*bots-*")) == []


def test_a_full_disk_is_told_in_one_sentence_and_the_log_stays_readable(tmp_path):
    log = tmp_path / "x.climb"
    code, _, err = run(tmp_path, "demo", "--seats", 3, "--log", log, preexec_fn=allow_small_files)
    assert code == 4
    assert "Cannot write to" in err
    assert err.count("\n") == 1
    assert processes_with(tmp_path) == []
    code, out, _ = run(tmp_path, "audit", log, "--json")
    assert code == 3
    assert json_lines(out)[0]["verdict"] == "incomplete"


def allow_small_files():
    """Let this process and its children write no file of more than some kilobytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


def test_a_reader_that_goes_away_ends_the_demo_and_its_bots(tmp_path):
    with subprocess.Popen(
        [*PROGRAM, "demo", "--seats", "3", "--deals", "100"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path),
    ) as demo:  # fmt: skip
        while b"leads" not in demo.stdout.readline():
            pass
        assert len(processes_with(tmp_path)) == 2
        demo.stdout.close()
        assert demo.stderr.read() == b""
    assert demo.returncode == 141
    assert processes_with(tmp_path) == []
