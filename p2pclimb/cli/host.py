"""`p2pclimb host`: open a table for friends, and bots in some of its seats."""

from __future__ import annotations

import argparse
import os

from p2pclimb.bots import STRATEGIES
from p2pclimb.cli import people, tables
from p2pclimb.cli.output import show
from p2pclimb.cli.parser import Parser
from p2pclimb.errors import UsageError
from p2pclimb.games.options import Options
from p2pclimb.lobby.host import HostLobby
from p2pclimb.node.bot_processes import BotProcesses, bot_names
from p2pclimb.node.entrances import host
from p2pclimb.node.node import Who
from p2pclimb.store.paths import Paths, find_paths
from p2pclimb.ui.plain import PlainPlayer

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb host",
    "p2pclimb host --seats 3 --set deal=17",
    "p2pclimb host --bots 2 --port 27271 --advertise ana.example:27271",
)


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb host`."""
    tables.add_rules_arguments(parser, seats=4)
    tables.add_name_argument(parser)
    parser.add_argument(
        "--bots", metavar="N", type=int, default=0, help="seats for bots of yours; default: 0"
    )
    parser.add_argument(
        "--strategy", choices=tuple(STRATEGIES), default="basic", help="of the bots; default: basic"
    )
    parser.add_argument("--seed", metavar="N", type=int, help="seed of the bots' choices")
    parser.add_argument("--log", metavar="FILE", help="where to write the log")
    tables.add_listening_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb host`."""
    rules = tables.options(args)
    tables.require_new(args.log)
    if not 0 <= args.bots < args.seats:
        raise UsageError(
            f"{args.bots} bots do not fit a table of {args.seats} seats, one of them yours.",
            hint=f"Say --bots 0 to {args.seats - 1}.",
        )
    paths = find_paths(args.data_dir, os.environ)
    player = people.person(args)
    me = tables.who(args, paths)
    return people.finish(_host(args, rules, paths, me, player), player)


async def _host(
    args: argparse.Namespace, rules: Options, paths: Paths, me: Who, player: PlainPlayer
) -> None:
    # Friends may have the bots' names, and a name is taken by whoever comes first.
    names = [f"{name}-bot" for name in bot_names(me.name, args.bots)]
    log_path = tables.log_path(paths, args.log)

    def opened(lobby: HostLobby) -> None:
        people.start_bots(args, bots, lobby, names)
        _show_invitations(lobby, args.seats - 1 - args.bots)

    async with BotProcesses(paths.root) as bots:
        listening = tables.listening(args)
        work = host(me, player, rules, args.seats, listening, log_path, opened)
        await bots.until(work) if names else await work


def _show_invitations(lobby: HostLobby, count: int) -> None:
    if count == 0:
        return
    at = ", ".join(map(str, lobby.addresses))
    each = "Send it to your friend" if count == 1 else "Send one to each friend"
    show(f"Your table listens at {at}.")
    show(f"{each}; it lets one person in, who runs `p2pclimb join` and pastes it:")
    for number in range(1, count + 1):
        show(f"\nInvitation {number} of {count}:\n{lobby.invite().to_text()}")
    show("\nWhen all are here, type start.")
