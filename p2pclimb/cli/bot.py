"""`p2pclimb bot`: a bot that takes a seat at somebody's table."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

from p2pclimb.cli import tables
from p2pclimb.cli.invitations import add_invitation_argument, read_invitation
from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.crypto.identity import Identity
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import clean_name
from p2pclimb.net.invitation import Invitation
from p2pclimb.net.loop import run as run_loop
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.entrances import join
from p2pclimb.node.node import Who
from p2pclimb.store.paths import Paths, find_paths

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb bot",
    "p2pclimb bot - < invitation.txt",
    "p2pclimb bot --strategy random --name Robo",
)
_STANDARD_INPUT = 0
_CHUNK = 4096


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb bot`."""
    add_invitation_argument(parser)
    parser.add_argument("--name", default="Bot", help="default: Bot")
    tables.add_bots_arguments(parser)
    parser.add_argument(
        "--pace", metavar="SECONDS", type=float, default=0.0, help="wait before each play"
    )
    parser.add_argument("--leash", action="store_true", help="leave as soon as standard input ends")
    tables.add_listening_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb bot`; the bot has a fresh identity each time."""
    invitation = read_invitation(args)
    run_loop(_play(args, invitation))
    return 0


async def _play(args: argparse.Namespace, invitation: Invitation) -> None:
    paths = find_paths(args.data_dir, os.environ)
    bot = Who(Identity.new(os.urandom), clean_name(args.name), is_bot=True)
    player = tables.bot_player(args.strategy, tables.seed_of(args), pace=args.pace)
    say(args, f"{bot.name} asks for a seat.")
    if args.leash:
        _leave_at_end_of_input(player)
    await join(bot, player, invitation, tables.listening(args), _log_path(paths, bot))


def _log_path(paths: Paths, bot: Who) -> Callable[[Terms], Path]:
    """Return where the log of a table goes: not where that of its host on this machine is."""

    def path(terms: Terms) -> Path:
        seat = [each.identity for each in terms.seats].index(bot.identity.public)
        return paths.log(f"{tables.table_name(terms)}-seat{seat + 1}")

    return path


def _leave_at_end_of_input(player: BotPlayer) -> None:
    """Let the bot leave when whoever started it lets go of its standard input, or dies."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        # Not through sys.stdin, whose lock this thread would hold when the program ends.
        while os.read(_STANDARD_INPUT, _CHUNK):
            pass
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            loop.call_soon_threadsafe(player.stop)

    threading.Thread(target=wait, daemon=True).start()
