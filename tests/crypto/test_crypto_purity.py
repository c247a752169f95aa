"""The package takes all its randomness from its caller and does no input or output."""

import ast
from pathlib import Path

import pytest

import p2pclimb.crypto

ALLOWED = {
    "__future__", "base64", "collections", "contextlib", "cryptography", "ctypes", "dataclasses",
    "enum", "functools", "hashlib", "itertools", "os", "p2pclimb", "rbcl", "threading", "typing",
}  # fmt: skip

SOURCES = [
    path
    for path in sorted(Path(p2pclimb.crypto.__path__[0]).glob("*.py"))
    if path.name != "seal.py"
]


def imported(source: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_only_harmless_modules_are_imported(source):
    """No `random` or numpy: guessable shuffles were the end of other card programs."""
    assert imported(source) <= ALLOWED


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_libsodium_and_the_system_are_touched_in_one_module_only(source):
    if source.stem != "sodium":
        assert imported(source).isdisjoint({"os", "rbcl", "threading"})
