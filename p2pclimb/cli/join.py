"""`p2pclimb join`: take a seat at a friend's table."""

from __future__ import annotations

import argparse
import os

from p2pclimb.cli import past, people, tables
from p2pclimb.cli.invitations import add_invitation_argument, read_invitation
from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.who import add_name_argument, who
from p2pclimb.errors import LockedError
from p2pclimb.net.invitation import Invitation
from p2pclimb.node.entrances import join
from p2pclimb.store.lock import FileLock
from p2pclimb.store.paths import Paths, find_paths

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb join",
    "p2pclimb join invitation.txt",
    "p2pclimb join --name Binh",
)


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb join`."""
    add_invitation_argument(parser)
    add_name_argument(parser)
    tables.add_log_argument(parser)
    tables.add_listening_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb join`."""
    tables.require_new(args.log)
    paths = find_paths(args.data_dir, os.environ)
    player = people.person(args)
    me = who(args, paths)
    invitation = read_invitation(args)
    listening = tables.listening(args)
    say(args, "Asking the host for a seat.")
    place = tables.LogPlace(paths, args.log)
    with _only_once(paths, invitation):
        work = join(me, player, invitation, listening, place, past.finder(paths))
        return people.finish(args, place, work, player)


def _only_once(paths: Paths, invitation: Invitation) -> FileLock:
    """Return the lock of this player's seat in a lobby.

    The host gives whoever comes again with an identity the same seat, and the program that sat
    there would wait for ever.  Raises LockedError where one sits there already.
    """
    try:
        return FileLock.acquire(paths.root / f"lobby-{invitation.lobby_id.hex()}")
    except LockedError as error:
        raise LockedError(
            "You are at that table already, in another program on this machine.",
            hint="Go on there; for a second player take another --data-dir.",
        ) from error
