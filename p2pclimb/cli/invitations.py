"""The invitation that a command is given: as text, in a file, pasted, or on standard input."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.errors import InvitationError
from p2pclimb.net.invitation import Invitation, parse_invitation
from p2pclimb.store.files import read_bounded

__all__ = ["add_invitation_argument", "read_invitation"]

_LONGEST_PATH = 1024
_MOST_TEXT = 64 * 1024
_STANDARD_INPUT = 0


def add_invitation_argument(parser: Parser) -> None:
    """Add the invitation: text, a file that holds it, or `-` for standard input."""
    parser.add_argument(
        "invitation",
        metavar="INVITATION",
        nargs="?",
        default="",
        help="the invitation, a file that holds it, or - for standard input; default: ask for it",
    )


def read_invitation(args: argparse.Namespace) -> Invitation:
    """Return the invitation that was given or is pasted now; raises InvitationError.

    What is pasted may be wrapped: lines are read until they hold a whole invitation, and the rest
    of standard input is left for the game.
    """
    given: str = args.invitation
    if given not in ("", "-"):
        path = Path(given)
        is_file = len(given) < _LONGEST_PATH and path.is_file()
        if not is_file:
            return parse_invitation(given)
        data = read_bounded(path, _MOST_TEXT)
        return parse_invitation(data.decode(errors="replace"))
    if given == "" and sys.stdin is not None and sys.stdin.isatty():
        say(args, "Paste the invitation that your host sent you, then press Enter.")
        say(args, "An empty line gives up.")
    return _pasted_invitation()


def _pasted_invitation() -> Invitation:
    text = ""
    while len(text) < _MOST_TEXT:
        line = _typed_line()
        text += line
        try:
            return parse_invitation(text)
        except InvitationError:
            if not line or (text.strip() and not line.strip()):
                raise
    return parse_invitation(text)


def _typed_line() -> str:
    """Return the next line of standard input, without reading anything beyond it."""
    line = b""
    while not line.endswith(b"\n") and len(line) < _MOST_TEXT:
        byte = os.read(_STANDARD_INPUT, 1)
        if not byte:
            break
        line += byte
    return line.decode(errors="replace")
