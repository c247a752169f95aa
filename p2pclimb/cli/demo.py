"""`p2pclimb demo`: bots in every seat, each a process of its own, play a whole table."""

from __future__ import annotations

import argparse
import os
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.cli import tables
from p2pclimb.cli.output import print_json, show
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.telling import teller
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import UsageError
from p2pclimb.games.options import Options
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardsDealt, DealEnded, PlaceFilled
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.lobby.host import HostLobby
from p2pclimb.net.loop import run as run_loop
from p2pclimb.node.bot_processes import BotProcesses, BotSettings, bot_names
from p2pclimb.node.entrances import host
from p2pclimb.node.listening import LOOPBACK, Listening
from p2pclimb.node.node import Who
from p2pclimb.store.files import shown
from p2pclimb.store.paths import Paths, find_paths
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice
from p2pclimb.ui.jsonl import result_to_json

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb demo",
    "p2pclimb demo --seats 3 --deals 2 --log friday.climb",
    "p2pclimb demo --set chops=southern --json",
    "p2pclimb demo --game winner --set exchange=true --deals 3",
)
_HOST = "Ana"
_CLAIM_SECONDS = 1  # bots know at once


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb demo`."""
    tables.add_rules_arguments(parser, seats=4)
    parser.add_argument("--deals", metavar="N", type=int, default=1, help="default: 1")
    tables.add_log_argument(parser)
    tables.add_bots_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb demo`; 0 when all deals were played, 1 when a bot broke a rule."""
    if args.deals < 1:
        raise UsageError("A demo plays one deal or more.", hint="Say --deals 1.")
    rules = tables.options(args, {"deals": args.deals}, claim_seconds=_CLAIM_SECONDS)
    tables.require_new(args.log)
    paths = find_paths(args.data_dir, os.environ)
    clock = _Clock(time.monotonic)
    ledger, log = run_loop(_play(args, rules, paths, clock))
    _show_result(args, ledger, log, clock)
    return 0


@dataclass(slots=True)
class _Clock:
    """How long the table took, in seconds."""

    now: Callable[[], float]
    begun: float = 0.0
    hands_known: list[float] = field(default_factory=list)
    deals: list[float] = field(default_factory=list)

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Note the time of what begins or ends."""
        match notice:
            case PlaceFilled(kind=Kind.OPEN, waiting=()):
                self.begun = self.now()
            case CardsDealt():
                self.hands_known.append(self.now() - self.begun)
            case DealEnded():
                self.deals.append(self.now() - self.begun)
                self.begun = self.now()
            case _:
                pass


async def _play(
    args: argparse.Namespace, rules: Options, paths: Paths, clock: _Clock
) -> tuple[Ledger, Path]:
    """Play the table and return its ledger and the path of its log."""
    seed = tables.seed_of(args)
    tell = teller(args)
    place = tables.LogPlace(paths, args.log)

    def overhear(notice: Notice | LobbyNotice) -> None:
        clock.told(notice)
        tell(notice)

    def invite(lobby: HostLobby) -> None:
        for name in bot_names(_HOST, args.seats - 1):
            bots.start(name, lobby.invite(own_bot=True), settings)

    own_bot = tables.bot_player(args.strategy, seed, overhear=overhear)
    settings = BotSettings(args.strategy, 0.0, seed + 1)
    who = Who(Identity.new(os.urandom), _HOST, is_bot=True)
    async with BotProcesses(paths.root, forget=True) as bots:
        listening = Listening(LOOPBACK)
        session = await bots.until(host(who, own_bot, rules, args.seats, listening, place, invite))
    assert session is not None
    assert place.path is not None
    return session.ledger, place.path


def _show_result(args: argparse.Namespace, ledger: Ledger, log: Path, clock: _Clock) -> None:
    if args.json:
        seconds = {
            "hands_known": [round(each, 3) for each in clock.hands_known],
            "deals": [round(each, 3) for each in clock.deals],
        }
        print_json({**result_to_json(ledger, log=str(log)), "seconds": seconds})
        return
    known = ", ".join(f"{each:.2f} s" for each in clock.hands_known)
    size = log.stat().st_size / 1024
    show(
        f"All hands known after {known}; {sum(clock.deals):.1f} s in all.\n"
        f"The log: {shown(log)} ({size:.0f} KB). "
        f"Check it: p2pclimb audit {shlex.quote(str(log))}"
    )
