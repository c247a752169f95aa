"""The vote on a late place explored: states, records and time, and that nothing went wrong.

The scenes of `tests/table/test_explorer.py` and larger ones.  Each is searched to its end or up to
`--most` states, and then walked at random `--walks` times.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from pathlib import Path
from typing import Any

from bench import Row

__all__ = ["configure", "run"]

TESTS = Path(__file__).parent.parent / "tests"
EVENTS = 80


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare how far the search goes."""
    parser.add_argument("--most", type=int, default=200_000, help="states a scene (default 200000)")
    parser.add_argument("--walks", type=int, default=1000, help="walks a scene (default 1000)")
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4], help="(default 2 3 4)")
    parser.add_argument("--ballots", type=int, nargs="+", default=[1, 2, 3], help="(default 1 2 3)")


def run(
    most: int = 200_000,
    walks: int = 1000,
    seats: tuple[int, ...] = (2, 3, 4),
    ballots: tuple[int, ...] = (1, 2, 3),
) -> list[Row]:
    """Explore every scene; return counts, and seconds of CPU.

    Raises AssertionError for what must not be, with what it is.
    """
    sys.path[:0] = [str(TESTS), str(TESTS / "table")]
    explorer = importlib.import_module("explorer")
    return [
        _explored(explorer, scene, most, walks)
        for number in seats
        for height in ballots
        for scene in _scenes(explorer, number, height)
    ]


def _scenes(explorer: Any, seats: int, ballots: int) -> list[Any]:
    honest = explorer.Scene(seats, ballots, stops=True, restarts=True)
    liars = [explorer.Scene(seats, ballots, liar=liar, restarts=True) for liar in range(seats)]
    return [honest, *liars]


def _explored(explorer: Any, scene: Any, most: int, walks: int) -> Row:
    begin = time.process_time()
    search = explorer.Explorer(scene)
    outcome = search.search(most)
    for seed in range(walks):
        search.walk(random.Random(seed), EVENTS)
    return {
        "seats": scene.seats,
        "ballots": scene.ballots,
        "liar": "" if scene.liar is None else str(scene.liar),
        "states": outcome.states,
        "sets": outcome.signed,
        "whole": str(outcome.complete),
        "walks": walks,
        "seconds": round(time.process_time() - begin, 1),
    }
