"""The invitation that a command is given: as text, in a file, pasted, or on standard input."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.standard_input import LONGEST_LINE, typed_line
from p2pclimb.errors import InvitationError, StoreError
from p2pclimb.net.invitation import Invitation, begins_invitation, parse_invitation
from p2pclimb.store.files import is_file, read_bounded

__all__ = ["add_invitation_argument", "read_invitation"]

_NOT_YET = 'There is no invitation in this. It starts with "p2pclimb1:"; paste the whole of it.'
_VARIABLE = "P2PCLIMB_INVITATION"


def add_invitation_argument(parser: Parser) -> None:
    """Add the invitation: text, a file that holds it, or `-` for standard input."""
    parser.add_argument(
        "invitation",
        metavar="INVITATION",
        nargs="?",
        default="",
        help="the invitation, a file that holds it, or - for standard input;"
        f" default: ${_VARIABLE}, else ask for it",
    )


def read_invitation(args: argparse.Namespace) -> Invitation:
    """Return the invitation that was given or is pasted now; raises InvitationError.

    Others on this machine can see a command's words, but neither what is pasted or read from a
    file nor the variable P2PCLIMB_INVITATION, which stands for the word that is left out.

    What is pasted may be wrapped: lines are read until they hold a whole invitation, and the rest
    of standard input is left for the game.
    """
    given: str = args.invitation or os.environ.get(_VARIABLE, "")
    if given not in ("", "-"):
        return parse_invitation(_text_of(given))
    if given == "" and sys.stdin is not None and sys.stdin.isatty():
        say(args, "Paste the invitation that your host sent you, then press Enter.")
        say(args, "An empty line gives up.")
        return _pasted_invitation(lambda: say(args, _NOT_YET))
    return _pasted_invitation()


def _text_of(given: str) -> str:
    """Return the text of the file that was named; what names none is the invitation itself."""
    path = Path(given)
    try:
        if not is_file(path):
            return given
    except StoreError:  # whole invitations are longer than any name of a file
        return given
    return read_bounded(path, LONGEST_LINE).decode(errors="replace")


def _pasted_invitation(tell_nothing_found: Callable[[], None] = lambda: None) -> Invitation:
    text = ""
    while len(text) < LONGEST_LINE:
        line = typed_line()
        text += line
        try:
            return parse_invitation(text)
        except InvitationError:
            if not line or (text.strip() and not line.strip()):
                raise
        if not begins_invitation(text):
            tell_nothing_found()
    return parse_invitation(text)
