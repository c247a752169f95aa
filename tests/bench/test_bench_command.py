"""`python -m bench` lists what can be measured and refuses what cannot."""

import json
import subprocess
import sys
from pathlib import Path


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )


def test_without_a_name_all_benchmarks_are_listed_with_what_they_measure():
    rows = json.loads(bench("--json").stdout)
    assert "deal" in [row["name"] for row in rows]
    assert all(row["measures"] for row in rows)
    assert "CPU of one seat from keys to hand" in bench().stdout


def test_unknown_benchmark_is_a_usage_error():
    result = bench("no-such-benchmark")
    assert result.returncode == 2
    assert "deal" in result.stderr


def test_fuzzing_tells_what_it_tried_and_what_failed():
    (row,) = json.loads(bench("fuzz", "name", "--seconds", "0.1", "--builtin", "--json").stdout)
    assert row["target"] == "name"
    assert row["tried"] > row["accepted"] > 0
    assert row["failed"] == 0


def test_an_unknown_target_is_refused_with_those_there_are():
    result = bench("fuzz", "no-such-target", "--builtin")
    assert result.returncode == 1
    assert "Known: " in result.stderr
    assert "record" in result.stderr
