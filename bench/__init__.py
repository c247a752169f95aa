"""What is measured, how to run it, and the floor that it is compared with.

`python -m bench` lists the benchmarks, `python -m bench NAME [--json]` runs one.  A benchmark is a
module here with a docstring and a function `run() -> list[Row]`; if it has options, `configure`
declares them and `run` takes them by name.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

__all__ = ["Row", "from_tests"]

Row: TypeAlias = dict[str, str | int | float]
"""One line of results: column names and values, units in the names."""

_TESTS = Path(__file__).parent.parent / "tests"


def from_tests(name: str, folder: str = "") -> ModuleType:
    """Return a module of the tests, such as the simulator, from a folder of theirs."""
    for place in (_TESTS, _TESTS / folder):
        if str(place) not in sys.path:
            sys.path.insert(0, str(place))
    return importlib.import_module(name)
