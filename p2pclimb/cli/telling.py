"""What a table of bots tells on standard output: a commentary, or a JSON line for every notice."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from p2pclimb.cli.output import print_json, show
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice, TermsProposed
from p2pclimb.ui.cardtext import look_of
from p2pclimb.ui.commentary import Commentary
from p2pclimb.ui.jsonl import notice_to_json

__all__ = ["teller"]


def teller(args: argparse.Namespace) -> Callable[[Notice | LobbyNotice], None]:
    """Return what tells the notices of a node that a bot plays."""
    if not args.json:
        look = look_of(sys.stdout, os.environ, plain=args.plain)
        return Commentary(show, look).told
    names: list[str] = []

    def tell(notice: Notice | LobbyNotice) -> None:
        if isinstance(notice, TermsProposed):
            names.extend(seat.name for seat in notice.terms.seats)
        line = notice_to_json(notice, names)
        if line is not None:
            print_json(line)

    return tell
