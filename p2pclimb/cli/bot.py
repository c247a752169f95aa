"""`p2pclimb bot`: a bot that takes a seat at somebody's table."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

from p2pclimb.cli import logs, people, tables
from p2pclimb.cli.invitations import add_invitation_argument, read_invitation
from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import LockedError
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import clean_name
from p2pclimb.net.invitation import Invitation
from p2pclimb.net.loop import run as run_loop
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.entrances import join, resume
from p2pclimb.node.journal import IDENTITY_SUFFIX, beside
from p2pclimb.node.node import Who
from p2pclimb.store.keystore import write_identity
from p2pclimb.store.paths import find_paths

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb bot",
    "p2pclimb bot - < invitation.txt",
    "p2pclimb bot --strategy random --name Robo",
    "p2pclimb bot --resume josij-rulag-rizoh",
)
_STANDARD_INPUT = 0
_CHUNK = 4096
# When its leash ends, the last words of whoever runs it may still be on their way.
_LAST_WORDS = 0.5
_ATTEMPTS = 20
_PAUSE = 0.5  # seconds


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb bot`."""
    add_invitation_argument(parser)
    parser.add_argument("--name", default="Bot", help="default: Bot")
    tables.add_bots_arguments(parser)
    parser.add_argument(
        "--pace", metavar="SECONDS", type=float, default=0.0, help="wait before each play"
    )
    parser.add_argument(
        "--leash",
        action="store_true",
        help="go as soon as standard input ends, and leave with the player whose bot it is",
    )
    parser.add_argument(
        "--resume", metavar="TABLE", help="come back to a table instead: its log, or its name"
    )
    tables.add_listening_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb bot`; the bot has a fresh identity at each table."""
    paths = find_paths(args.data_dir, os.environ)
    player = tables.bot_player(args.strategy, tables.seed_of(args), pace=args.pace)
    if args.resume is not None:
        log = logs.named(paths, args.resume)
        place = tables.LogPlace(paths, path=log)
        work = _come_back(args, logs.bot_of(log), player, log)
    else:
        place = tables.LogPlace(paths)
        work = _play(args, place, player, read_invitation(args))
    with people.way_back(args, place, ("bot", "--resume")):
        run_loop(work)
    return 0


async def _play(
    args: argparse.Namespace, place: tables.LogPlace, player: BotPlayer, invitation: Invitation
) -> None:
    bot = Who(Identity.new(os.urandom), clean_name(args.name), is_bot=True)
    say(args, f"{bot.name} asks for a seat.")
    if args.leash:
        _go_at_end_of_input(player)
    await join(bot, player, invitation, tables.listening(args), _log_path(place, bot))


async def _come_back(args: argparse.Namespace, bot: Who, player: BotPlayer, log: Path) -> None:
    say(args, f"{bot.name} comes back to its table.")
    if args.leash:
        _go_at_end_of_input(player)
    listening = tables.listening_again(args)
    for _ in range(_ATTEMPTS if args.leash else 0):
        # The process that played it before may still be about to end.
        with contextlib.suppress(LockedError):
            await resume(bot, player, log, listening)
            return
        await asyncio.sleep(_PAUSE)
    await resume(bot, player, log, listening)


def _log_path(place: tables.LogPlace, bot: Who) -> Callable[[Terms], Path]:
    """Return where the log of a table goes: not where that of its host on this machine is.

    The bot's identity goes beside it, to come back with.
    """

    def path(terms: Terms) -> Path:
        seat = [each.identity for each in terms.seats].index(bot.identity.public)
        log = place.paths.log(f"{tables.table_name(terms)}-seat{seat + 1}")
        place.path = log
        write_identity(beside(log, IDENTITY_SUFFIX), bot.name, bot.identity, None, os.urandom)
        return log

    return path


def _go_at_end_of_input(player: BotPlayer) -> None:
    """Let the bot go when whoever started it lets go of its standard input, or dies.

    It leaves the table when that player does, and keeps its seat otherwise.
    """
    loop = asyncio.get_running_loop()

    def wait() -> None:
        # Not through sys.stdin, whose lock this thread would hold when the program ends.
        while os.read(_STANDARD_INPUT, _CHUNK):
            pass
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            loop.call_soon_threadsafe(loop.call_later, _LAST_WORDS, player.adjourn)

    threading.Thread(target=wait, daemon=True).start()
