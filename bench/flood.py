"""How many frames a second a node survives: the latency of its plays while a seat floods the table.

Four nodes on loopback.  One has left the game, so that nobody waits for it, and floods the others;
for each kind and rate the plays of two others are timed from the play to the other's notice, and
the first one's memory is watched.  The limit is twice the latency without a flood.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import Row

__all__ = ["configure", "run"]

NETWORK_TESTS = Path(__file__).parent.parent / "tests" / "network"
_RATES = (100, 1_000, 10_000)
_PACE = 0.1
_PATIENCE = 90


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare which floods, and how long."""
    parser.add_argument("--kinds", nargs="*", default=["malformed", "old-heads", "replays"])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each flood (default 5)")


def run(kinds: list[str], seconds: float = 5.0) -> list[Row]:
    """Play a table for each flood; return latencies, memory and the rate that was reached."""
    sys.path.insert(0, str(NETWORK_TESTS))
    usual = _measure("none", 0, seconds)
    rows = [usual]
    for kind in kinds:
        rows += [_measure(kind, rate, seconds) for rate in _RATES]
    for row in rows:
        row["of_usual"] = float(row["play_ms"]) / float(usual["play_ms"])
    return rows


def _measure(kind: str, rate: int, seconds: float) -> Row:
    with tempfile.TemporaryDirectory() as directory:
        seats: Any = importlib.import_module("seats").Seats(Path(directory))
        try:
            *_, hostile = seats.sit([None] * 4, pace=_PACE, deals=0)
            hostile.order("leave")
            seats.all[0].until("leaving")
            begin = time.monotonic()
            before = largest = seats.all[0].megabytes()
            if rate:
                hostile.order("flood", kind, rate, seconds)
            while time.monotonic() < begin + seconds:
                largest = max(largest, seats.all[0].megabytes())
                time.sleep(0.05)
            sent = hostile.until("flooded", patience=_PATIENCE)["sent"] if rate else 0
            latencies = _latencies(seats, begin, begin + seconds)
        finally:
            seats.kill()
    return {
        "flood": kind,
        "asked_per_s": rate,
        "reached_per_s": sent / 3 / seconds,
        "plays": len(latencies),
        "play_ms": 1000 * statistics.median(latencies) if latencies else float("nan"),
        "worst_ms": 1000 * max(latencies, default=float("nan")),
        "grown_mb": largest - before,
    }


def _latencies(seats: Any, begin: float, end: float) -> list[float]:
    """Return the seconds from each play of an honest seat to the other's notice."""
    found = []
    for one, other in (seats.all[:2], seats.all[1::-1]):
        for acted in one.heard("acted", begin):
            shown = other.heard("place-filled", step=acted["step"])
            if acted["at"] < end and shown:
                found.append(shown[0]["at"] - acted["at"])
    return found
