"""Asking for a passphrase: hidden at a terminal, a line of standard input otherwise.

Never a flag or an environment variable, which other programs can read.
"""

from __future__ import annotations

import getpass
import sys

from p2pclimb.cli.standard_input import typed_line
from p2pclimb.errors import UsageError

__all__ = ["ask_new_passphrase", "ask_passphrase"]


def ask_passphrase(prompt: str) -> str:
    """Return the passphrase typed; raises `UsageError` when there is nobody to type one."""
    if sys.stdin is not None and sys.stdin.isatty():
        try:
            return getpass.getpass(f"{prompt}: ")
        except EOFError:
            line = ""
    else:
        line = typed_line()
    if not line:
        raise UsageError(
            "A passphrase is needed.", hint="Type it, or give it as a line on standard input."
        )
    return line.removesuffix("\n").removesuffix("\r")


def ask_new_passphrase() -> str | None:
    """Return a passphrase typed twice (once when not at a terminal), None for an empty one.

    Raises `UsageError` when the two differ or there is nobody to type one.
    """
    passphrase = ask_passphrase("New passphrase (empty for none)")
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    if passphrase and at_terminal and ask_passphrase("The same again") != passphrase:
        raise UsageError("The two passphrases differ.", hint="Nothing was changed.")
    return passphrase or None
