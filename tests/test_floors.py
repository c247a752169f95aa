"""The package's floors: imports go downwards only, and floors 0 to 3 are pure.

Reads the source; nothing is imported.
"""

import ast
import graphlib
from pathlib import Path

import pytest

import p2pclimb

ROOT = Path(p2pclimb.__file__).parent

FLOORS = {
    "p2pclimb": 0,
    "p2pclimb.errors": 0,
    "p2pclimb.cards": 0,
    "p2pclimb.names": 0,
    "p2pclimb.games": 0,
    "p2pclimb.crypto": 1,
    "p2pclimb.ledger.codec": 1,
    "p2pclimb.ledger": 2,
    "p2pclimb.seat": 3,
    "p2pclimb.table": 3,
    "p2pclimb.bots": 3,
    "p2pclimb.net": 4,
    "p2pclimb.store": 4,
    "p2pclimb.lobby": 4,
    "p2pclimb.node": 5,
    "p2pclimb.audit": 5,
    "p2pclimb.ui": 6,
    "p2pclimb.cli": 7,
    "p2pclimb.__main__": 7,
}
HIGHEST_PURE_FLOOR = 3

# What cannot read files, clocks, the network, the terminal or the system's randomness.
PURE_LIBRARIES = frozenset(
    [
        "__future__",
        "abc",
        "base64",
        "binascii",
        "bisect",
        "collections",
        "contextlib",
        "cryptography",
        "dataclasses",
        "difflib",
        "enum",
        "functools",
        "hashlib",
        "heapq",
        "hmac",
        "itertools",
        "json",
        "math",
        "msgpack",
        "operator",
        "p2pclimb",
        "re",
        "string",
        "struct",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
        "zlib",
    ]
)
IMPURE_BUILTINS = frozenset({"breakpoint", "input", "open", "print"})
# libsodium is loaded from a file, once, behind a lock, and called with C buffers.
EXCEPTIONS = {
    "p2pclimb.crypto.group": {"ctypes"},
    "p2pclimb.crypto.sodium": {"ctypes", "os", "rbcl", "threading"},
}


def module_name(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {module_name(p): ast.parse(p.read_text("utf-8")) for p in sorted(ROOT.rglob("*.py"))}


def floor(module):
    while module not in FLOORS:
        assert "." in module, "a new part of the package needs a floor in this test"
        module = module.rpartition(".")[0]
    return FLOORS[module]


def imports(tree):
    """Yield what a module imports, as precisely as its source says."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in TREES or node.module == "random" else node.module


def without_type_checking(tree):
    """Return the statements of a module that run, as one tree."""
    kept = [
        statement
        for statement in tree.body
        if not (isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING")
    ]
    return ast.Module(body=kept, type_ignores=[])


def pure_modules():
    return [module for module in TREES if floor(module) <= HIGHEST_PURE_FLOOR]


@pytest.mark.parametrize("module", TREES)
def test_imports_go_downwards_only(module):
    own = [name for name in imports(TREES[module]) if name.split(".")[0] == "p2pclimb"]
    upwards = [name for name in own if floor(name) > floor(module)]
    assert upwards == []


def test_no_import_goes_round_in_a_circle():
    graph = {m: set(imports(without_type_checking(tree))) - {m} for m, tree in TREES.items()}
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", pure_modules())
def test_the_lower_floors_import_nothing_impure(module):
    allowed = PURE_LIBRARIES | EXCEPTIONS.get(module, set())
    names = set(imports(TREES[module]))
    # A bot is handed its generator; it may name its type but not make one.
    if floor(module) == FLOORS["p2pclimb.bots"]:
        names.discard("random.Random")
    assert {name for name in names if name.split(".")[0] not in allowed} == set()


@pytest.mark.parametrize("module", pure_modules())
def test_the_lower_floors_call_nothing_impure(module):
    called = {
        node.func.id
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called & (IMPURE_BUILTINS | {"Random"}) == set()


def test_the_checks_see_what_they_look_for():
    tree = ast.parse(
        "import os.path\nfrom p2pclimb import names\nfrom random import Random\n"
        "def f():\n    from p2pclimb.store.files import shown\n"
    )
    assert list(imports(tree)) == [
        "os.path",
        "p2pclimb.names",
        "random.Random",
        "p2pclimb.store.files",
    ]
    assert floor("p2pclimb.store.files") == 4
    assert floor("p2pclimb.ledger.codec") < floor("p2pclimb.ledger.entry")
