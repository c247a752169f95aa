"""The library is found lazily, tested before use, and leaves nothing behind."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2pclimb.crypto import sodium
from p2pclimb.crypto.group import base_point, combine, hash_to_point
from p2pclimb.errors import UnsupportedError


def run(program: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.defpath, **environment},
        cwd=Path(__file__).parents[2],
    )
    return result.stdout.strip()


def test_importing_the_package_loads_no_library():
    program = (
        "import sys, p2pclimb.crypto.shuffle, p2pclimb.crypto.absence, p2pclimb.crypto.sodium as s;"
        "print(s._loaded, 'rbcl' in sys.modules)"
    )
    assert run(program) == "None False"


def test_bundled_library_works_and_leaves_no_file_behind(tmp_path):
    program = (
        "import p2pclimb.crypto.sodium as s; s.load_system = lambda: None;"
        "from p2pclimb.crypto.group import multiply_base; print(bytes(multiply_base(2)).hex())"
    )
    twice = "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"
    assert run(program, TMPDIR=str(tmp_path)) == twice
    assert list(tmp_path.iterdir()) == []


def test_system_library_is_preferred_and_the_bundled_one_untouched(monkeypatch):
    system = sodium.load_bundled()
    monkeypatch.setattr(sodium, "_loaded", None)
    monkeypatch.setattr(sodium, "load_system", lambda: system)
    monkeypatch.setattr(sodium, "load_bundled", lambda: pytest.fail("loaded the bundled library"))
    assert sodium.load() is system
    assert sodium.load() is system


def test_no_library_at_all_is_told_with_what_to_do(monkeypatch):
    monkeypatch.setattr(sodium, "_loaded", None)
    monkeypatch.setattr(sodium, "load_system", lambda: None)
    monkeypatch.setattr(sodium, "load_bundled", lambda: None)
    with pytest.raises(UnsupportedError, match="libsodium") as caught:
        sodium.load()
    assert "Install" in caught.value.hint


@pytest.mark.parametrize("name", [None, "no-such-library.so.99"])
def test_missing_system_library_is_no_error(monkeypatch, name):
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: name)
    assert sodium.load_system() is None


def test_missing_bundled_library_is_no_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "rbcl", None)
    assert sodium.load_bundled() is None


def test_library_without_ristretto_is_not_used():
    assert sodium._bind(ctypes.CDLL(None)) is None


def flawed(call, flaw):
    """A call that works but for the flaw: every operation 'succeeds', or gives other points."""

    def wrapped(output, *arguments):
        code = call(output, *arguments)
        if flaw == "ignores errors":
            return 0
        output[0] = bytes([output[0][0] ^ 2])
        return code

    return wrapped


@pytest.mark.parametrize("flaw", ["ignores errors", "wrong points"])
@pytest.mark.parametrize("operation", ["add", "subtract", "multiply", "multiply_base"])
def test_self_test_finds_a_flawed_library(operation, flaw):
    sound = sodium.load()
    assert sodium._is_sound(sound)
    calls = {name: getattr(sound, name) for name in sodium.Sodium.__slots__}
    broken = sodium.Sodium(**{**calls, operation: flawed(calls[operation], flaw)})
    never_fails = operation == "multiply_base" and flaw == "ignores errors"
    assert sodium._is_sound(broken) is never_fails


@pytest.mark.parametrize("answer", [0, 1])
def test_self_test_finds_a_library_that_judges_all_points_alike(answer):
    calls = {name: getattr(sodium.load(), name) for name in sodium.Sodium.__slots__}
    assert not sodium._is_sound(sodium.Sodium(**{**calls, "is_valid_point": lambda _: answer}))


def test_operations_are_counted_within_the_context_only():
    card = hash_to_point(b"counted", b"1")
    with sodium.count_operations() as operations:
        combine((2, 3), (card, base_point()))
        hash_to_point(b"counted", b"2")
    combine((2, 3), (card, base_point()))
    assert operations == sodium.Operations(hashed=1, added=1, multiplied=1, multiplied_base=1)
