"""Whether nodes stay as they are over many deals: memory and open files after each deal.

A whole `demo`, every seat a process of its own; the limit is 5 MB between the tenth deal, when
everything has been loaded, and the last one.  Reads /proc, so it needs Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import Row

__all__ = ["Sample", "configure", "measure", "run"]

LIMIT_MB = 5.0
_WARM = 10
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Sample:
    """What one process holds: resident memory in megabytes, and open files."""

    megabytes: float
    files: int


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare how long the table plays."""
    parser.add_argument("--deals", type=int, default=200, help="how many deals (default 200)")
    parser.add_argument("--seats", type=int, default=2, help="how many seats (default 2)")


def run(deals: int = 200, seats: int = 2) -> list[Row]:
    """Play, and return a row for each seat's process."""
    rows: list[Row] = []
    for process, samples in measure(deals, seats).items():
        first, last = samples[min(_WARM, len(samples) - 1)], samples[-1]
        grown = last.megabytes - first.megabytes
        rows.append(
            {
                "process": process,
                "deals": len(samples),
                "MB then": first.megabytes,
                "MB at the end": last.megabytes,
                "grown by": grown,
                "of limit": grown / LIMIT_MB,
                "files then": first.files,
                "files at the end": last.files,
            }
        )
    return rows


def measure(deals: int, seats: int) -> dict[int, list[Sample]]:
    """Play a demo and return, by process, what it held after each deal."""
    with tempfile.TemporaryDirectory() as home:
        table = [*_table(deals, seats), "--log", str(Path(home) / "endurance.climb")]
        demo = subprocess.Popen(
            [sys.executable, "-m", "p2pclimb", *table],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "P2PCLIMB_HOME": home},
        )
        samples: dict[int, list[Sample]] = {}
        with demo:
            assert demo.stdout is not None
            for line in demo.stdout:
                if json.loads(line).get("event") == "deal-ended":
                    for process in (demo.pid, *_children(demo.pid)):
                        samples.setdefault(process, []).append(_sample(process))
        assert demo.returncode == 0
    return samples


def _table(deals: int, seats: int) -> list[str]:
    return ["demo", "--json", "--seats", str(seats), "--deals", str(deals)]


def _children(process: int) -> list[int]:
    """Return the children of a process that have files open beyond their pipes: the seats."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in listed]


def _sample(process: int) -> Sample:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return Sample(pages * _PAGE / 1e6, len(os.listdir(f"/proc/{process}/fd")))
