"""How soon a table goes on after a link was cut or a machine slept, between network namespaces.

Real nodes, one in each namespace; the seconds are from the end of the cause to the next turn that
every seat was told of.  Needs root, iproute2 and nftables.  The limit is 15 s.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import Row

__all__ = ["configure", "run"]

NETWORK_TESTS = Path(__file__).parent.parent / "tests" / "network"
LIMIT = 15.0
_CUTS = (3.0, 6.0, 10.0, 14.0, 20.0)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare how often each cause is tried."""
    parser.add_argument("--rounds", type=int, default=2, help="of every cause (default 2)")


def run(rounds: int = 2) -> list[Row]:
    """Cut, restore and measure; return a row for each cause."""
    sys.path.insert(0, str(NETWORK_TESTS))
    causes: dict[str, Callable[[Any, Any], float]] = {
        **{f"a cable out for {seconds:g} s": _unplug(seconds) for seconds in _CUTS},
        "a process stopped for 60 s": _sleep(60),
        "a new address": _move,
    }
    rows = []
    for name, cause in causes.items():
        measured = [_measure(cause) for _ in range(rounds)]
        seconds = [each[0] for each in measured]
        rows.append(
            {
                "cause": name,
                "rounds": rounds,
                "median_s": statistics.median(seconds),
                "worst_s": max(seconds),
                "limit_s": LIMIT,
                "most_losses_told": max(each[1] for each in measured),
            }
        )
    return rows


def _measure(cause: Callable[[Any, Any], float]) -> tuple[float, int]:
    """Play a table through a cause; return the seconds, and how often a seat lost one other."""
    network = importlib.import_module("netns").Network()
    with tempfile.TemporaryDirectory() as directory:
        seats = importlib.import_module("seats").Seats(Path(directory))
        try:
            machines = [network.machine(f"m{number}") for number in (1, 2, 3)]
            seats.sit(machines, pace=0.3)
            ended = cause(machines[2], seats.all[2])
            seconds = seats.until_everybody_goes_on(ended, patience=60)
            losses = max(
                len(seat.heard("link-down", seat=other)) for seat in seats.all for other in range(3)
            )
            seats.end(patience=60)
        finally:
            seats.kill()
            network.close()
    return seconds, losses


def _unplug(seconds: float) -> Callable[[Any, Any], float]:
    def cut(machine: Any, _: Any) -> float:
        machine.unplug()
        time.sleep(seconds)
        machine.plug()
        return time.monotonic()

    return cut


def _sleep(seconds: float) -> Callable[[Any, Any], float]:
    def stop(_: Any, seat: Any) -> float:
        seat.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        seat.process.send_signal(signal.SIGCONT)
        return time.monotonic()

    return stop


def _move(machine: Any, _: Any) -> float:
    machine.take_addresses("10.77.0.99/24", "fd77::99/64")
    return time.monotonic()
