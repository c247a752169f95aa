"""Standard input that is read a line at a time, by whoever asks, and then by the table."""

from __future__ import annotations

import os
import sys

__all__ = ["LONGEST_LINE", "typed_line"]

LONGEST_LINE = 64 * 1024  # bytes


def typed_line() -> str:
    """Return the next line with its end, or what there is of it, without reading beyond it.

    What follows is left for others who read the same descriptor: a passphrase, the invitation and
    what is played may all come through one pipe.
    """
    if sys.stdin is None:
        return ""
    line = b""
    while not line.endswith(b"\n") and len(line) < LONGEST_LINE:
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            break
        line += byte
    return line.decode("utf-8", "surrogateescape")
