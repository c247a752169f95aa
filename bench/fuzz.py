"""Decoders under bytes that are nearly valid: how many a second, and that nothing escapes.

The targets of `tests/fuzz`, or the one named, for some seconds each.  With the package `atheris`
installed what libFuzzer makes of the samples is tried too, led by the branches that it reaches.
An input that fails is printed in hexadecimal and kept, as libFuzzer does, in a file.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random
from typing import Any

from bench import Row

__all__ = ["configure", "run"]

TESTS = Path(__file__).parent.parent / "tests"
LONGEST_INPUT = 70_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the target, the time, and where the random choices begin."""
    parser.add_argument("target", nargs="?", help="one target; default: all of them")
    parser.add_argument("--seconds", type=float, default=10, help="for each target (default 10)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--builtin", action="store_true", help="do without atheris")


def run(
    target: str | None = None, seconds: float = 10, first: int = 0, *, builtin: bool = False
) -> list[Row]:
    """Fuzz and return for each target how many inputs were tried and accepted, and failures."""
    targets = _targets()
    if target is not None and target not in targets:
        raise SystemExit(f"There is no target {target}. Known: {', '.join(targets)}.")
    names = [target] if target else list(targets)
    rows = [_with_own_changes(targets[name], seconds, first) for name in names]
    if not builtin and importlib.util.find_spec("atheris") is not None:
        for row, name in zip(rows, names, strict=True):
            row["atheris"] = _with_atheris(name, seconds, first)
    return rows


def _targets() -> dict[str, Any]:
    sys.path[:0] = [str(TESTS), str(TESTS / "fuzz")]
    return {target.name: target for target in importlib.import_module("test_fuzz").TARGETS}


def _with_own_changes(target: Any, seconds: float, first: int) -> Row:
    probe = importlib.import_module("target").probe
    samples = target.samples()
    tried = accepted = failed = 0
    seed, end = first, time.monotonic() + seconds
    while time.monotonic() < end:
        data = target.draw(samples, Random(seed))
        try:
            accepted += probe(target, data)
        except Exception:
            failed += 1
            print(f"{target.name}, seed {seed}: {data.hex()}", file=sys.stderr)
            traceback.print_exc(limit=-3)
        tried += 1
        seed += 1
    return {
        "target": target.name,
        "tried": tried,
        "accepted": accepted,
        "failed": failed,
        "per_second": round(tried / seconds),
    }


def _with_atheris(name: str, seconds: float, first: int) -> str:
    """Let libFuzzer run in a process of its own, for it ends the one that it runs in."""
    with tempfile.TemporaryDirectory(prefix="p2pclimb-fuzz") as corpus:
        result = subprocess.run(
            [sys.executable, "-m", "bench.fuzz", name, corpus, str(seconds), str(first + 1)],
            capture_output=True,
            text=True,
            check=False,
        )
    if result.returncode == 0:
        return result.stderr.rpartition("Done ")[2].partition(" in ")[0]
    print(result.stderr[-4000:], file=sys.stderr)
    return "failed"


def _lead_atheris(name: str, corpus: str, seconds: str, seed: str) -> None:
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["p2pclimb"]):
        target = _targets()[name]
    probe = importlib.import_module("target").probe
    for number, sample in enumerate(target.samples()):
        Path(corpus, str(number)).write_bytes(target.seal(sample))
    limits = [
        f"-max_total_time={max(1, round(float(seconds)))}",
        f"-max_len={LONGEST_INPUT}",
        f"-seed={seed}",
        f"-artifact_prefix={os.getcwd()}/fuzz-{name}-",
    ]
    atheris.Setup([sys.argv[0], *limits, corpus], lambda data: probe(target, data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    _lead_atheris(*sys.argv[1:])
