"""`p2pclimb bot`: a bot that takes a seat at somebody's table."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import threading

from p2pclimb.bots import STRATEGIES
from p2pclimb.cli import tables
from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.crypto.identity import Identity
from p2pclimb.names import clean_name
from p2pclimb.net.invitation import Invitation
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.entrances import join
from p2pclimb.node.node import Who
from p2pclimb.store.paths import find_paths

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb bot",
    "p2pclimb bot - < invitation.txt",
    "p2pclimb bot --strategy random --name Robo",
)


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb bot`."""
    tables.add_invitation_argument(parser)
    parser.add_argument("--name", default="Bot", help="default: Bot")
    parser.add_argument(
        "--strategy", choices=tuple(STRATEGIES), default="basic", help="default: basic"
    )
    parser.add_argument(
        "--pace", metavar="SECONDS", type=float, default=0.0, help="wait before each play"
    )
    parser.add_argument("--seed", metavar="N", type=int, help="seed of the bot's choices")
    parser.add_argument("--leash", action="store_true", help="leave as soon as standard input ends")
    tables.add_listening_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb bot`; the bot has a fresh identity each time."""
    invitation = tables.read_invitation(args)
    tables.run_loop(_play(args, invitation))
    return 0


async def _play(args: argparse.Namespace, invitation: Invitation) -> None:
    paths = find_paths(args.data_dir, os.environ)
    bot = Who(Identity.new(os.urandom), clean_name(args.name), is_bot=True)
    player = tables.bot_player(args.strategy, tables.seed_of(args), pace=args.pace)
    say(args, f"{bot.name} asks for a seat.")
    if args.leash:
        _leave_at_end_of_input(player)
    await join(bot, player, invitation, tables.listening(args), tables.log_path(paths))


def _leave_at_end_of_input(player: BotPlayer) -> None:
    """Let the bot leave when whoever started it lets go of its standard input, or dies."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        sys.stdin.read()
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            loop.call_soon_threadsafe(player.stop)

    threading.Thread(target=wait, daemon=True).start()
