"""What is measured, how to run it, and the floor that it is compared with.

`python -m bench` lists the benchmarks, `python -m bench NAME [--json]` runs one.  A benchmark is a
module here with a docstring and a function `run() -> list[Row]`; if it has options, `configure`
declares them and `run` takes them by name.
"""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["Row"]

Row: TypeAlias = dict[str, str | int | float]
"""One line of results: column names and values, units in the names."""
