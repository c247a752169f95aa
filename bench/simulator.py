"""Whole tables over a fake network: how many were played, and that nothing went wrong.

The same seeded tables as in `tests/table/test_simulator*.py`, as many as one likes: plain ones,
with faults, and with a seat that lies.  A seed that fails is printed; `--first SEED --runs 1` with
the same `--faults` plays it again exactly.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench import Row
from p2pclimb.errors import ClimbError
from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.events import DealEnded
from p2pclimb.ledger.record import decode_record

__all__ = ["configure", "run"]

TESTS = Path(__file__).parent.parent / "tests"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare how many tables are played, from which seed on, and what befalls them."""
    parser.add_argument("--runs", type=int, default=100, help="how many tables (default 100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument(
        "--faults",
        metavar="KIND",
        help="plain, trouble, liar, a kind of fault or the name of an attack (default: any)",
    )


def run(runs: int = 100, first: int = 0, faults: str | None = None) -> list[Row]:
    """Play `runs` tables; return counts, seconds for all, then what befell the tables by kind.

    What must not happen ends a table with an AssertionError, whose text is printed with the seed.
    """
    sys.path.insert(0, str(TESTS))
    judged = importlib.import_module("sim_scenarios").judged
    begin = time.perf_counter()
    wanted = ("finished", "failed", "seats", "entries", "deals", "convicted", "entries_lost")
    never = ("double_signatures", "forks_without_evidence")
    counts, befell = Counter(dict.fromkeys((*wanted, *never), 0)), Counter[str]()
    for seed in range(first, first + runs):
        judge = judged(seed, faults)
        try:
            judge.play()
            counts.update(_found(judge))
        except (AssertionError, ClimbError) as error:
            counts.update(failed=1, **judge.broken)
            print(f"seed {seed}: {error!r}", file=sys.stderr)
        befell += judge.sim.counts
    seconds = round(time.perf_counter() - begin, 1)
    total = {name: counts[name] for name in (*wanted, *never)}
    return [
        {"runs": runs, **total, "faults": befell.total(), "seconds": seconds},
        *({"fault": name, "times": times} for name, times in sorted(befell.items())),
    ]


def _found(judge: Any) -> dict[str, int]:
    """Return what a table that was played to its end has come to."""
    node = judge.honest[0]
    records = map(decode_record, node.log)
    return {
        "finished": 1,
        "seats": len(judge.sim.nodes),
        "entries": sum(isinstance(record, Entry) for record in records),
        "deals": sum(isinstance(notice, DealEnded) for notice in node.told),
        "convicted": len(node.session.ledger.convictions),
    }
