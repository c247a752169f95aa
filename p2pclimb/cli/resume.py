"""`p2pclimb resume`: back to a table after a crash or an adjournment, at the same seat."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from p2pclimb.bots import STRATEGIES
from p2pclimb.cli import logs, people, tables
from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.telling import teller
from p2pclimb.cli.who import who
from p2pclimb.errors import UsageError
from p2pclimb.net.loop import run as run_loop
from p2pclimb.node.bot_processes import BotProcesses, BotSettings, seats_of
from p2pclimb.node.entrances import resume
from p2pclimb.node.journal import IDENTITY_SUFFIX, OpenedJournal, beside
from p2pclimb.node.node import Who
from p2pclimb.node.player import Player
from p2pclimb.store.files import is_there, shown
from p2pclimb.store.keystore import read_identity
from p2pclimb.store.paths import Paths, find_paths
from p2pclimb.table.roster import TermsProposed
from p2pclimb.table.session import Session

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb resume",
    "p2pclimb resume josij-rulag-rizoh",
    "p2pclimb resume friday.climb --port 27271",
    "p2pclimb resume josij --bot basic --json",
)


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb resume`."""
    parser.add_argument(
        "table",
        metavar="TABLE",
        nargs="*",
        help="its log, its name or the beginning of it, or its six words; default: the only one",
    )
    parser.add_argument(
        "--bot", choices=tuple(STRATEGIES), metavar="STRATEGY", help="let a bot play your seat"
    )
    tables.add_bots_arguments(parser)
    tables.add_listening_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb resume`."""
    paths = find_paths(args.data_dir, os.environ)
    log = logs.named(paths, " ".join(args.table)) if args.table else _only_one(paths)
    place = tables.LogPlace(paths, path=log)
    if args.bot is not None:
        return _as_bot(args, _player_of(args, paths, log), place, log)
    person = people.person(args)
    me = _player_of(args, paths, log)
    return people.finish(args, place, _as_person(args, paths, me, person, log), person)


def _only_one(paths: Paths) -> Path:
    """Return the one table to come back to; raises UsageError that lists them if there are more."""
    public = read_identity(paths.identity).public if is_there(paths.identity) else None
    found = logs.unfinished(paths, public)
    match found:
        case [one]:
            return one.log
        case []:
            raise UsageError(
                f"There is no table to come back to in {shown(paths.tables)}.",
                hint="Name the log of one that is elsewhere.",
            )
        case _:
            lines = "".join(f"\n  p2pclimb resume {each.name}  {_players(each)}" for each in found)
            raise UsageError(f"{len(found)} tables wait for you, the newest first:{lines}\n")


def _players(table: logs.Unfinished) -> str:
    if table.terms is None:
        return "cannot be read"
    return ", ".join(seat.name for seat in table.terms.seats)


def _player_of(args: argparse.Namespace, paths: Paths, log: Path) -> Who:
    """Return who sat there: the player whose identity is kept here, or a bot of one table."""
    if is_there(beside(log, IDENTITY_SUFFIX)):
        return logs.bot_of(log)
    args.name = None
    return who(args, paths)


def _as_bot(args: argparse.Namespace, me: Who, place: tables.LogPlace, log: Path) -> int:
    tell = teller(args)
    bot = tables.bot_player(args.bot, tables.seed_of(args), overhear=tell)

    def back(found: OpenedJournal) -> None:
        tell(TermsProposed(found.terms, found.seat))

    with people.way_back(args, place):
        session = run_loop(resume(me, bot, log, tables.listening_again(args), back))
    _tell_end(args, session)
    return 0


async def _as_person(
    args: argparse.Namespace, paths: Paths, me: Who, player: Player, log: Path
) -> Session:
    """Come back together with the bots that this player runs at the table."""

    def back(found: OpenedJournal) -> None:
        say(args, f"You are back at the table {' '.join(found.terms.words)}.")
        if found.tail_copy is not None:
            say(args, f"The log had a torn end, cut off and kept as {shown(found.tail_copy)}.")
        for bot in seats_of(paths.root, found.terms):
            bots.resume(bot, BotSettings(args.strategy, people.BOT_PACE, 0))

    async with BotProcesses(paths.root) as bots:
        work = resume(me, player, log, tables.listening_again(args), back)
        session = await bots.until(work)
    _tell_end(args, session)
    return session


def _tell_end(args: argparse.Namespace, session: Session) -> None:
    if session.ledger.ended:
        say(args, "The table is complete: nothing is left to play.")
    elif session.has_left:
        say(args, "You have left this table for good; `p2pclimb host --again` opens another.")
