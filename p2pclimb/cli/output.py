"""What commands print: data on standard output, words on standard error, errors in one place.

No command prints an error itself; it raises one of the error tree.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sys
import textwrap
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from p2pclimb.errors import ClimbError, StoreError

__all__ = [
    "INTERRUPTED",
    "UnexpectedError",
    "flush_output",
    "print_json",
    "report",
    "say",
    "show",
    "tolerate_any_encoding",
]

INTERRUPTED = 130
"""The exit code of a command that its user interrupted."""

_PACKAGE = Path(__file__).resolve().parent.parent


class UnexpectedError(ClimbError):
    """A mistake in the program itself."""

    code = "internal"

    @classmethod
    def of(cls, error: BaseException) -> UnexpectedError:
        """Return what may be shown of any exception: its type and where it came from.

        Neither its text nor its values, which may hold cards or keys.
        """
        where = ""
        for frame in traceback.extract_tb(error.__traceback__):
            file = Path(frame.filename)
            if file.is_relative_to(_PACKAGE):
                where = f" in {file.relative_to(_PACKAGE.parent)}, line {frame.lineno}"
        return cls(
            f"p2pclimb failed unexpectedly: {type(error).__name__}{where}.",
            hint="This is a mistake in the program; please report this line.",
        )


def show(text: str) -> None:
    """Print data that was asked for, on standard output."""
    _print(text, sys.stdout)


def print_json(value: object) -> None:
    """Print one line of JSON on standard output, in ASCII."""
    show(json.dumps(value))


def say(args: argparse.Namespace, text: str) -> None:
    """Tell the person something that is not the data asked for; silent with --quiet."""
    if not args.quiet:
        _print(_filled(text, sys.stderr), sys.stderr)


def report(error: ClimbError, *, as_json: bool) -> int:
    """Print an error for whoever reads and return its exit code."""
    if as_json:
        print_json({"error": {"code": error.code, "text": error.text, "hint": error.hint}})
    else:
        _print(_filled(error.diagnostics(), sys.stderr), sys.stderr)
    return error.exit_code


def flush_output() -> None:
    """Write out what was printed on standard output, while an error can still be told."""
    if sys.stdout is not None:
        with _writing_to(sys.stdout):
            sys.stdout.flush()


def tolerate_any_encoding() -> None:
    """Let a terminal that has no suit glyphs show question marks instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _filled(text: str, stream: TextIO | None) -> str:
    """Break the lines of a text between words where a terminal would break them anywhere."""
    if stream is None or not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    filler = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(map(filler.fill, text.split("\n")))


def _print(text: str, stream: TextIO | None) -> None:
    # A stream that was closed before the program started is None.
    if stream is not None:
        with _writing_to(stream):
            print(text, file=stream)


@contextmanager
def _writing_to(stream: TextIO) -> Iterator[None]:
    """Raise `StoreError` when a stream cannot be written, `BrokenPipeError` when nobody reads."""
    try:
        yield
    except OSError as error:
        # Send the rest nowhere, else it fails once more at exit, beyond our reach.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
        if isinstance(error, BrokenPipeError):
            raise
        reason = (error.strerror or "it failed").lower()
        raise StoreError(f"Cannot write the output: {reason}.") from error
