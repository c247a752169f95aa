"""`p2pclimb log`: list the logs on this machine, show one in lines, repair a damaged one."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.intake import read_terms
from p2pclimb.audit.listing import listing_json, listing_text
from p2pclimb.audit.wording import name
from p2pclimb.cli.audit import audit_file
from p2pclimb.cli.output import print_json, report, say, show
from p2pclimb.cli.parser import Parser, add_action
from p2pclimb.errors import ClimbError
from p2pclimb.ledger.terms import Terms
from p2pclimb.node.journal import is_unfinished
from p2pclimb.store.files import shown
from p2pclimb.store.logfile import LogContents, read_log, repair
from p2pclimb.store.paths import find_paths

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb log list",
    "p2pclimb log show evening.climb",
    "p2pclimb log show evening.climb --json",
    "p2pclimb log repair evening.climb",
)


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb log`."""
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    add_action(actions, "list", "the logs on this machine", EXAMPLES)
    shows = add_action(actions, "show", "a log in lines, one trick a line", EXAMPLES)
    cut = "cut a damaged log after its last whole record"
    repairs = add_action(actions, "repair", cut, EXAMPLES)
    for action in (shows, repairs):
        action.add_argument("file", metavar="FILE", help="a log")


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb log`."""
    match args.action:
        case "show":
            return _show(args)
        case "repair":
            _repair(args)
        case "list":
            _list(args)
    return 0


def _show(args: argparse.Namespace) -> int:
    audited = audit_file(Path(args.file), quiet=args.quiet)
    if args.json:
        for line in listing_json(audited):
            print_json(line)
    else:
        show(listing_text(audited))
    return 0 if audited.verdict is Verdict.INCOMPLETE else audited.exit_code


def _repair(args: argparse.Namespace) -> None:
    done = repair(Path(args.file))
    copy = None if done.copy is None else str(done.copy)
    if args.json:
        print_json({"kept": done.kept, "copy": copy})
    elif done.copy is None:
        say(args, f"Nothing to repair: all {done.kept} records are whole.")
    else:
        say(args, f"Kept {done.kept} records; the file as it was is {shown(done.copy)}.")


def _list(args: argparse.Namespace) -> None:
    paths = find_paths(args.data_dir, os.environ)
    logs = paths.logs()
    for log in logs:
        try:
            contents = read_log(log)
            terms = read_terms([record.payload for record in contents.records[:1]])
        except ClimbError as error:
            report(error, as_json=args.json)
            continue
        _list_one(args, log, terms, contents)
    if not logs:
        say(args, f"There are no logs in {shown(paths.tables)}.")


def _list_one(args: argparse.Namespace, log: Path, terms: Terms, contents: LogContents) -> None:
    """Tell what can be said of a log without verifying it."""
    count = len(contents.records)
    if args.json:
        print_json(
            {
                "file": str(log),
                "table": " ".join(terms.words),
                "game": terms.options.game,
                "names": [seat.name for seat in terms.seats],
                "records": count,
                "torn": contents.torn_at is not None,
                "unfinished": is_unfinished(log),
            }
        )
        return
    players = ", ".join(name(terms, seat) for seat in range(len(terms.seats)))
    words = " ".join(terms.words)
    waits = "  can be resumed" if is_unfinished(log) else ""
    show(f"{shown(log)}  {words}  {terms.options.game}  {players}  {count} records{waits}")
