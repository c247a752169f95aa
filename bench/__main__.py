"""Run a benchmark by its name and print its rows as a table or as JSON."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil

import bench
from bench import Row


def main() -> None:
    """Parse the command line, run the benchmark, print."""
    names = [
        module.name for module in pkgutil.iter_modules(bench.__path__) if module.name[0] != "_"
    ]
    parser = argparse.ArgumentParser(prog="python -m bench", description=bench.__doc__)
    parser.add_argument("name", nargs="?", choices=names, help="the benchmark to run")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    arguments, options = parser.parse_known_args()
    if arguments.name is None:
        rows: list[Row] = [{"name": name, "measures": _summary(name)} for name in names]
    else:
        rows = _run(arguments.name, options)
    print(json.dumps(rows, indent=1) if arguments.json else _table(rows))


def _run(name: str, options: list[str]) -> list[Row]:
    module = importlib.import_module(f"bench.{name}")
    parser = argparse.ArgumentParser(prog=f"python -m bench {name}", description=module.__doc__)
    if hasattr(module, "configure"):
        module.configure(parser)
    rows: list[Row] = module.run(**vars(parser.parse_args(options)))
    return rows


def _summary(name: str) -> str:
    text = importlib.import_module(f"bench.{name}").__doc__ or ""
    return text.partition("\n")[0]


def _table(rows: list[Row]) -> str:
    """Lay the rows out in columns as wide as needed, numbers to the right."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    cells = [columns, *([_cell(row.get(column, "")) for column in columns] for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(columns))]
    numeric = [all(not isinstance(row.get(column, 0), str) for row in rows) for column in columns]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in cells
    )


def _cell(value: str | int | float) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
