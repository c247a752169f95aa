"""What `play`, `host`, `join` and `resume` have in common: a person at this terminal."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from p2pclimb.cli import tables
from p2pclimb.cli.output import INTERRUPTED, say
from p2pclimb.errors import LockedError, UsageError
from p2pclimb.lobby.host import HostLobby
from p2pclimb.net.loop import run as run_loop
from p2pclimb.node.bot_processes import BotProcesses, BotSettings
from p2pclimb.node.journal import is_unfinished
from p2pclimb.store.contacts import remember_contact
from p2pclimb.store.files import is_there, shown
from p2pclimb.store.paths import LOG_SUFFIX, Paths, find_paths
from p2pclimb.table.session import Session
from p2pclimb.ui.console import open_console
from p2pclimb.ui.plain import PlainPlayer

__all__ = ["BOT_PACE", "finish", "person", "start_bots", "way_back"]

BOT_PACE = 0.8
"""Seconds that a bot waits before a play, so that people can follow."""


def person(args: argparse.Namespace) -> PlainPlayer:
    """Return the player of the person at this terminal; raises UsageError with `--json`."""
    if args.json:
        raise UsageError("A person's table has no JSON output.", hint="`p2pclimb demo --json` has.")
    return PlainPlayer(open_console(os.environ, plain=args.plain))


def start_bots(
    args: argparse.Namespace, bots: BotProcesses, lobby: HostLobby, names: list[str]
) -> None:
    """Start a bot of each name; its seat is run by the host."""
    settings = BotSettings(args.strategy, BOT_PACE, tables.seed_of(args))
    for name in names:
        bots.start(name, lobby.invite(own_bot=True), settings)


def finish(
    args: argparse.Namespace,
    place: tables.LogPlace,
    work: Coroutine[None, None, Session | None],
    player: PlainPlayer,
) -> int:
    """Run a node to its end, say where the log is and how to come back; return the exit code."""
    with way_back(args, place):
        session = run_loop(work)
    if place.path is not None and is_there(place.path):
        log = place.path
        say(args, f"The log: {shown(log)}\nCheck it: p2pclimb audit {shlex.quote(str(log))}")
    if session is not None and session.ledger.position.step > 0:
        _remember_players(place.paths, session)
    return INTERRUPTED if player.interrupted else 0


@contextmanager
def way_back(
    args: argparse.Namespace, place: tables.LogPlace, command: tuple[str, ...] = ("resume",)
) -> Iterator[None]:
    """Say at the end of the block how to come back to a table at which this player has a seat.

    Not if another program is there: it has not left.
    """
    is_elsewhere = False
    try:
        yield
    except LockedError:
        is_elsewhere = True
        raise
    finally:
        if not is_elsewhere:
            _tell_way_back(args, place.path, command)


def _tell_way_back(args: argparse.Namespace, log: Path | None, command: tuple[str, ...]) -> None:
    if log is None or not is_unfinished(log):
        return
    is_kept_here = log.parent == find_paths(args.data_dir, os.environ).tables
    table = log.name.removesuffix(LOG_SUFFIX) if is_kept_here else str(log)
    where = ["--data-dir", args.data_dir] if args.data_dir else []
    say(args, f"Come back to the table: {shlex.join(['p2pclimb', *command, table, *where])}")


def _remember_players(paths: Paths, session: Session) -> None:
    """Keep the keys of the people at a table that opened (trust on first use)."""
    for number, seat in enumerate(session.terms.seats):
        if number != session.seat.number and not seat.is_bot:
            remember_contact(paths.contacts, seat.name, seat.identity, date.today())
