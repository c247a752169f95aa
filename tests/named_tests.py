"""Whether a test that a table names is there, told from the source: nothing is imported."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

__all__ = ["missing"]

TESTS = Path(__file__).parent


def missing(names: list[str]) -> list[str]:
    """Return which of the names, `folder/test_file.py::test_name`, are no tests."""
    return [name for name in names if not _is_there(*name.split("::"))]


def _is_there(file: str, test: str) -> bool:
    return (TESTS / file).is_file() and test in _tests_in(TESTS / file)


@cache
def _tests_in(path: Path) -> frozenset[str]:
    """The functions and state machines of a file that pytest takes for tests."""
    names = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) if name.startswith("test_"):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("Test"):
                names.add(name)
    return frozenset(names)
