"""`p2pclimb host`: open a table for friends, and bots in some of its seats."""

from __future__ import annotations

import argparse
import os

from p2pclimb.cli import past, people, tables
from p2pclimb.cli.output import show
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.who import add_name_argument, who
from p2pclimb.errors import UsageError
from p2pclimb.games.options import Options
from p2pclimb.ledger.past import Past
from p2pclimb.lobby.host import HostLobby
from p2pclimb.node.bot_processes import BotProcesses, bot_names
from p2pclimb.node.entrances import host
from p2pclimb.node.node import Who
from p2pclimb.store.paths import find_paths
from p2pclimb.table.session import Session
from p2pclimb.ui.plain import PlainPlayer

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb host",
    "p2pclimb host --seats 3 --set deal=17",
    "p2pclimb host --bots 2 --port 27271 --advertise ana.example:27271",
    "p2pclimb host --again josij-rulag-rizoh",
)

_SEATS = 4


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb host`."""
    tables.add_rules_arguments(parser, seats=_SEATS)
    parser.set_defaults(game=None, seats=None)
    add_name_argument(parser)
    parser.add_argument("--bots", metavar="N", type=int, help="seats for bots of yours; default: 0")
    parser.add_argument(
        "--again",
        metavar="TABLE",
        help="the friends and rules of an earlier table, scores carried on: its log, or its name",
    )
    tables.add_bots_arguments(parser)
    tables.add_log_argument(parser)
    tables.add_listening_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb host`."""
    paths = find_paths(args.data_dir, os.environ)
    before = past.named(paths, args.again, quiet=args.quiet) if args.again else None
    rules = _rules(args, before)
    tables.require_new(args.log)
    if args.bots is not None and not 0 <= args.bots < args.seats:
        raise UsageError(
            f"{args.bots} bots do not fit a table of {args.seats} seats, one of them yours.",
            hint=f"Say --bots 0 to {args.seats - 1}.",
        )
    player = people.person(args)
    me = who(args, paths)
    if args.bots is None:
        args.bots = min(_bots_of(me, before), args.seats - 1) if before else 0
    place = tables.LogPlace(paths, args.log)
    work = _host(args, rules, place, me, player, before)
    return people.finish(args, place, work, player)


def _rules(args: argparse.Namespace, before: Past | None) -> Options:
    """Return the rules: those given, else those of the table before, else the usual ones.

    What was not given of `--game` and `--seats` is filled in.  Raises OptionsError.
    """
    if args.seats is None:
        args.seats = len(before.terms.seats) if before else _SEATS
    if args.game is None and before is not None:
        args.game = before.terms.options.game
        return tables.options(args, dict(before.terms.options.items()))
    args.game = args.game or tables.USUAL_GAME
    return tables.options(args)


def _bots_of(me: Who, before: Past) -> int:
    """Return how many bots this player ran at the table before."""
    seats = before.terms.seats
    return sum(seats[s.operator].identity == me.identity.public for s in seats if s.is_bot)


async def _host(
    args: argparse.Namespace,
    rules: Options,
    place: tables.LogPlace,
    me: Who,
    player: PlainPlayer,
    before: Past | None,
) -> Session | None:
    # Friends may have the bots' names, and a name is taken by whoever comes first.
    names = [f"{name}-bot" for name in bot_names(me.name, args.bots)]

    def opened(lobby: HostLobby) -> None:
        people.start_bots(args, bots, lobby, names)
        _show_invitations(lobby, args.seats - 1 - args.bots)

    async with BotProcesses(place.paths.root) as bots:
        listening = tables.listening(args)
        work = host(me, player, rules, args.seats, listening, place, opened, before)
        return await (bots.until(work) if names else work)


def _show_invitations(lobby: HostLobby, count: int) -> None:
    if count == 0:
        return
    at = ", ".join(map(str, lobby.addresses))
    each = "Send it to your friend" if count == 1 else "Send one to each friend"
    show(f"Your table listens at {at}.")
    show(f"{each}; it lets one person in,\nwho runs `p2pclimb join` and pastes it:")
    for number in range(1, count + 1):
        show(f"\nInvitation {number} of {count}:\n{lobby.invite().to_text()}")
    show("\nWhen all are here, type start.")
