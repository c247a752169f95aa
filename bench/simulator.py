"""Whole tables over a fake network: how many were played, and that nothing went wrong.

The same seeded tables as in `tests/table/test_simulator.py`, as many as one likes.  A seed that
fails is printed; `--first SEED --runs 1` plays it again exactly.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType

from bench import Row
from p2pclimb.errors import ClimbError
from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.record import decode_record
from p2pclimb.table.notices import PeerFault, RuleBroken

__all__ = ["configure", "run"]

SIMULATOR = Path(__file__).parent.parent / "tests" / "simulator.py"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare how many tables are played, and from which seed on."""
    parser.add_argument("--runs", type=int, default=100, help="how many tables (default 100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default 0)")


def run(runs: int = 100, first: int = 0) -> list[Row]:
    """Play `runs` tables; return counts, and seconds for all of them."""
    simulator = _load()
    begin = time.perf_counter()
    counts: Counter[str] = Counter(dict.fromkeys(("failed", "faults", "double_signatures"), 0))
    for seed in range(first, first + runs):
        try:
            counts += _play(simulator, seed)
        except (AssertionError, ClimbError) as error:
            counts["failed"] += 1
            print(f"seed {seed}: {error!r}", file=sys.stderr)
    seconds = round(time.perf_counter() - begin, 1)
    wanted = ("seats", "entries", "notices", "deals", "failed", "faults", "double_signatures")
    return [{"runs": runs, **{name: counts[name] for name in wanted}, "seconds": seconds}]


def _play(simulator: ModuleType, seed: int) -> Counter[str]:
    """Play one table and compare what all its seats have; AssertionError if it is not one history.

    A double signature and an entry that was sent before it was on disk are raised by the simulator.
    """
    table = simulator.scenario(seed)
    table.run()
    heads = {node.session.ledger.position.heads for node in table.nodes}
    assert len(heads) == 1, "the seats have different histories"
    for node in table.nodes:
        ledger = simulator.replay(node.log, table.checks)
        assert ledger.position.heads in heads, "a log is not valid"
    records = [decode_record(record) for record in table.nodes[0].log[1:]]
    entries = sum(isinstance(record, Entry) for record in records)
    everything = {record for node in table.nodes for record in node.log[1:]}
    signed = [r.place for r in map(decode_record, everything) if isinstance(r, Entry)]
    return Counter(
        seats=len(table.nodes),
        entries=entries,
        notices=len(records) - entries,
        deals=table.nodes[0].session.ledger.position.stage.deal,
        faults=sum(
            isinstance(notice, PeerFault | RuleBroken)
            for node in table.nodes
            for notice in node.told
        ),
        double_signatures=len(signed) - len(set(signed)),
    )


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("simulator", SIMULATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["simulator"] = module
    spec.loader.exec_module(module)
    return module
