"""What the linter does not check: short files and functions, and a declared interface each."""

import ast
from pathlib import Path

import pytest

import p2pclimb

ROOT = Path(p2pclimb.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
LONGEST_FILE = 500
LONGEST_FUNCTION = 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_short_documented_and_declares_its_interface(path):
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    assert len(source.splitlines()) <= LONGEST_FILE
    assert ast.get_docstring(tree)
    if path == ROOT / "__init__.py":
        return  # its interface is the version
    (declared,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value is not None
        and ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        == "__all__"
    )
    defined = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
    }
    assert defined <= set(declared), "every public function and class is in __all__"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_are_short(path):
    long = [
        node.name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert long == []
