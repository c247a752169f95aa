"""`p2pclimb demo`: bots in every seat, each a process of its own, play a whole table."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.bots import STRATEGIES
from p2pclimb.cli import tables
from p2pclimb.cli.output import print_json, show
from p2pclimb.cli.parser import Parser
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import UsageError
from p2pclimb.games.options import Options
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardsDealt, DealEnded, PlaceFilled, TableEnded
from p2pclimb.ledger.terms import Terms
from p2pclimb.lobby.host import HostLobby
from p2pclimb.node.bot_processes import BotProcesses, BotSettings, bot_names
from p2pclimb.node.entrances import LOOPBACK, Listening, host
from p2pclimb.node.node import Who
from p2pclimb.store.files import shown
from p2pclimb.store.paths import Paths, find_paths
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice, TermsProposed
from p2pclimb.ui.cardtext import look_of
from p2pclimb.ui.commentary import Commentary
from p2pclimb.ui.jsonl import JsonLines

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb demo",
    "p2pclimb demo --seats 3 --deals 2 --log friday.climb",
    "p2pclimb demo --set chops=southern --json",
)
_HOST = "Ana"


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb demo`."""
    tables.add_rules_arguments(parser, seats=4)
    parser.add_argument("--deals", metavar="N", type=int, default=1, help="default: 1")
    parser.add_argument("--log", metavar="FILE", help="where to write the log")
    parser.add_argument(
        "--seed", metavar="N", type=int, help="seed of the bots' choices, never of keys or shuffles"
    )
    parser.add_argument(
        "--strategy", choices=tuple(STRATEGIES), default="basic", help="default: basic"
    )


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb demo`; 0 when all deals were played, 1 when a bot broke a rule."""
    if args.deals < 1:
        raise UsageError("A demo plays one deal or more.", hint="Say --deals 1.")
    rules = tables.options(args, deals=args.deals)
    tables.require_new(args.log)
    paths = find_paths(args.data_dir, os.environ)
    account = _Account(time.monotonic)
    tables.run_loop(_play(args, rules, paths, account))
    _show_result(args, account)
    return 0


@dataclass(slots=True)
class _Account:
    """What is to be told at the end: how long it took, how it ended, where the log is."""

    clock: Callable[[], float]
    log: Path | None = None
    terms: Terms | None = None
    opened: float = 0.0
    dealt: list[float] = field(default_factory=list)
    begun: float = 0.0
    scores: dict[int, int] = field(default_factory=dict)
    ended: float = 0.0

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Note when a notice came."""
        now = self.clock()
        match notice:
            case TermsProposed(terms):
                self.terms = terms
            case PlaceFilled(kind=Kind.OPEN, waiting=()):
                self.opened = self.begun = now
            case CardsDealt():
                self.dealt.append(now - self.begun)
            case DealEnded(scores=scores):
                self.begun = now
                self.scores = dict(scores)
            case TableEnded():
                self.ended = now
            case _:
                pass


async def _play(args: argparse.Namespace, rules: Options, paths: Paths, account: _Account) -> None:
    seed = tables.seed_of(args)
    tell = _teller(args)

    def overhear(notice: Notice | LobbyNotice) -> None:
        account.told(notice)
        tell(notice)

    def log_path(terms: Terms) -> Path:
        account.log = tables.log_path(paths, args.log)(terms)
        return account.log

    def invite(lobby: HostLobby) -> None:
        for name in bot_names(_HOST, args.seats - 1):
            bots.start(name, lobby.invite(own_bot=True), settings)

    own_bot = tables.bot_player(args.strategy, seed, overhear=overhear)
    settings = BotSettings(args.strategy, 0.0, seed + 1)
    async with BotProcesses(paths.root) as bots:
        who = Who(Identity.new(os.urandom), _HOST, is_bot=True)
        listening = Listening(LOOPBACK)
        await bots.until(host(who, own_bot, rules, args.seats, listening, log_path, invite))


def _teller(args: argparse.Namespace) -> Callable[[Notice | LobbyNotice], None]:
    if args.json:
        return JsonLines(print_json).told
    look = look_of(sys.stdout, os.environ, plain=args.plain)
    return Commentary(show, look).told


def _show_result(args: argparse.Namespace, account: _Account) -> None:
    assert account.log is not None
    assert account.terms is not None
    timings = {
        "hands_known": [round(seconds, 3) for seconds in account.dealt],
        "total": round(account.ended - account.opened, 3),
    }
    size = account.log.stat().st_size
    if args.json:
        print_json(
            {
                "event": "result",
                "table": account.terms.table_id.hex(),
                "words": list(account.terms.words),
                "scores": [account.scores[seat] for seat in sorted(account.scores)],
                "seconds": timings,
                "log": str(account.log),
                "log_bytes": size,
            }
        )
        return
    known = ", ".join(f"{seconds:.2f} s" for seconds in account.dealt)
    show(
        f"Hands known {known} after each deal began; {timings['total']:.1f} s in all.\n"
        f"The log: {shown(account.log)} ({size / 1024:.0f} KB). "
        f"Check it: p2pclimb audit {shlex.quote(str(account.log))}"
    )
