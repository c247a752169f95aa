"""The only module that touches libsodium: find it, bind it, test it, count its work.

Here live the six ristretto255 functions that the package needs, as bare C calls on 32-byte
strings.  They trust their caller with lengths and ignore bit 255, so nothing but `group` may call
them; `group` makes them safe.  Importing this module loads nothing: the library is loaded by the
first operation, once for the process.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from p2pclimb.errors import UnsupportedError

__all__ = ["Operations", "Sodium", "count_operations", "load", "load_bundled", "load_system"]

_Call = Callable[..., int]


@dataclass(frozen=True, slots=True)
class Sodium:
    """The ristretto255 functions of one loaded libsodium, under the names of this package.

    Each takes its 32-byte output buffer first, but for `is_valid_point`, and returns 0 for
    success, -1 for a refused input or, when multiplying, for the identity as result.
    """

    is_valid_point: _Call
    from_hash: _Call
    add: _Call
    subtract: _Call
    multiply: _Call
    multiply_base: _Call


@dataclass(slots=True)
class Operations:
    """How often each function of the library was called."""

    decoded: int = 0
    hashed: int = 0
    added: int = 0
    multiplied: int = 0
    multiplied_base: int = 0


_lock = threading.Lock()
_loaded: Sodium | None = None


def load() -> Sodium:
    """Return the library of this process, loading and testing it at the first call.

    Raises UnsupportedError when neither the system's library nor the bundled one is usable.
    """
    return _loaded or _load_once()


def _load_once() -> Sodium:
    global _loaded  # noqa: PLW0603 -- one library for the process
    with _lock:
        if _loaded is None:
            # The system's library first: it loads in a few milliseconds where the bundled one
            # takes seventy, and a distribution keeps it patched.
            _loaded = load_system() or load_bundled()
    if _loaded is None:
        raise UnsupportedError(
            "No usable libsodium (1.0.18 or newer) was found.",
            hint="Install the system's libsodium, or reinstall p2pclimb with its dependencies.",
        )
    return _loaded


def load_system() -> Sodium | None:
    """Return the operating system's libsodium, or None where there is none that works."""
    name = ctypes.util.find_library("sodium")
    if name is None:
        return None
    try:
        return _bind(ctypes.CDLL(name))
    except OSError:
        return None


def load_bundled() -> Sodium | None:
    """Return the libsodium carried by the `rbcl` package, or None where it does not work.

    Only the library is taken.  The functions of `rbcl` ignore return codes: adding an invalid
    point gives the identity there.  Importing it writes the library to a temporary file and leaves
    it behind; once loaded, the file's name is not needed any more where files can be unlinked
    while open.
    """
    try:
        from rbcl import _sodium as library  # noqa: PLC0415 -- slow, and writes a file
    except (ImportError, OSError):
        return None
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.unlink(library._name)
    return _bind(library)


def _bind(library: ctypes.CDLL) -> Sodium | None:
    """Declare the functions of `library` and test them; None if one is missing or wrong."""
    try:
        started: int = library.sodium_init()
        sodium = Sodium(
            is_valid_point=_function(library, "crypto_core_ristretto255_is_valid_point", 1),
            from_hash=_function(library, "crypto_core_ristretto255_from_hash", 2),
            add=_function(library, "crypto_core_ristretto255_add", 3),
            subtract=_function(library, "crypto_core_ristretto255_sub", 3),
            multiply=_function(library, "crypto_scalarmult_ristretto255", 3),
            multiply_base=_function(library, "crypto_scalarmult_ristretto255_base", 2),
        )
    except AttributeError:
        return None
    return sodium if started >= 0 and _is_sound(sodium) else None


def _function(library: ctypes.CDLL, name: str, arguments: int) -> _Call:
    function = getattr(library, name)
    function.argtypes = (ctypes.c_char_p,) * arguments
    function.restype = ctypes.c_int
    return function  # type: ignore[no-any-return]  # ctypes types foreign functions as Any


def _is_sound(sodium: Sodium) -> bool:
    """Test the library against values of RFC 9496 and against itself, in under a millisecond."""
    generator = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
    times_five = bytes.fromhex("e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e")
    five, zero = (5).to_bytes(32, "little"), bytes(32)
    invalid = b"\x01" + bytes(31)  # a negative field element, appendix A.2

    def result(call: _Call, *arguments: bytes) -> bytes | None:
        output = ctypes.create_string_buffer(32)
        return output.raw if call(output, *arguments) == 0 else None

    doubled = result(sodium.add, generator, generator) or zero
    fourfold = result(sodium.add, doubled, doubled) or zero
    return (
        result(sodium.multiply_base, five) == times_five
        and result(sodium.multiply, five, generator) == times_five
        and result(sodium.add, fourfold, generator) == times_five
        and result(sodium.subtract, times_five, fourfold) == generator
        and result(sodium.subtract, generator, generator) == zero
        and result(sodium.multiply, zero, generator) is None
        and result(sodium.multiply, five, invalid) is None
        and result(sodium.add, generator, invalid) is None
        and result(sodium.subtract, generator, invalid) is None
        and sodium.is_valid_point(generator) == 1
        and sodium.is_valid_point(invalid) == 0
    )


@contextlib.contextmanager
def count_operations() -> Iterator[Operations]:
    """Count the library's calls while the context lasts, for measurements in one thread.

    The counting functions take the place of the bare ones for that time, so that counting costs
    nothing otherwise.
    """
    global _loaded  # noqa: PLW0603 -- puts the counting functions in the library's place
    plain = load()
    operations = Operations()

    def counting(field: str, call: _Call, *arguments: object) -> int:
        setattr(operations, field, getattr(operations, field) + 1)
        return call(*arguments)

    _loaded = Sodium(
        is_valid_point=partial(counting, "decoded", plain.is_valid_point),
        from_hash=partial(counting, "hashed", plain.from_hash),
        add=partial(counting, "added", plain.add),
        subtract=partial(counting, "added", plain.subtract),
        multiply=partial(counting, "multiplied", plain.multiply),
        multiply_base=partial(counting, "multiplied_base", plain.multiply_base),
    )
    try:
        yield operations
    finally:
        _loaded = plain
