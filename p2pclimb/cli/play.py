"""`p2pclimb play`: you and bots at one table, each bot a node of its own."""

from __future__ import annotations

import argparse
import os

from p2pclimb.cli import people, tables
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.who import add_name_argument, who
from p2pclimb.games.options import Options
from p2pclimb.node.bot_processes import BotProcesses, bot_names
from p2pclimb.node.entrances import host
from p2pclimb.node.listening import LOOPBACK, Listening
from p2pclimb.node.node import Who
from p2pclimb.store.paths import find_paths
from p2pclimb.table.session import Session
from p2pclimb.ui.at_once import AtOnce
from p2pclimb.ui.plain import PlainPlayer

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb play",
    "p2pclimb play --seats 3 --set deal=17",
    "p2pclimb play --strategy random --set chops=southern",
    "p2pclimb play --game winner --set exchange=true",
)
_CLAIM_SECONDS = 3  # nobody else needs time to think,
_TURN_SECONDS = 3600  # and nobody but bots waits


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb play`."""
    tables.add_rules_arguments(parser, seats=4)
    add_name_argument(parser)
    tables.add_bots_arguments(parser)
    tables.add_log_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb play`."""
    rules = tables.options(args, {"turn_seconds": _TURN_SECONDS}, claim_seconds=_CLAIM_SECONDS)
    tables.require_new(args.log)
    paths = find_paths(args.data_dir, os.environ)
    player = people.person(args)
    me = who(args, paths)
    place = tables.LogPlace(paths, args.log)
    return people.finish(args, place, _play(args, rules, place, me, player), player)


async def _play(
    args: argparse.Namespace,
    rules: Options,
    place: tables.LogPlace,
    me: Who,
    player: PlainPlayer,
) -> Session | None:
    names = bot_names(me.name, args.seats - 1)
    async with BotProcesses(place.paths.root) as bots:
        return await bots.until(
            host(
                me,
                AtOnce(player),
                rules,
                args.seats,
                Listening(LOOPBACK),
                place,
                lambda lobby: people.start_bots(args, bots, lobby, names),
            )
        )
