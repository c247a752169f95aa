"""What the commands that open or join a table have in common: rules, addresses, log, bots.

Who plays is in `who`, the invitation in `invitations`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from p2pclimb.bots import STRATEGIES, strategy
from p2pclimb.cli.parser import Parser
from p2pclimb.errors import StoreError, UsageError
from p2pclimb.games.options import Options, parse_setting
from p2pclimb.ledger.terms import Terms
from p2pclimb.net.address import parse_address
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.listening import Listening
from p2pclimb.store.files import is_there, shown
from p2pclimb.store.paths import Paths
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice

__all__ = [
    "USUAL_GAME",
    "LogPlace",
    "add_bots_arguments",
    "add_listening_arguments",
    "add_log_argument",
    "add_rules_arguments",
    "bot_player",
    "listening",
    "listening_again",
    "options",
    "require_new",
    "seed_of",
    "table_name",
]

USUAL_GAME = "tienlen"
_LOGGED_WORDS = 3


def add_rules_arguments(parser: Parser, *, seats: int) -> None:
    """Add `--game`, `--set` and `--seats`."""
    parser.add_argument("--game", metavar="ID", default=USUAL_GAME, help=f"default: {USUAL_GAME}")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="set an option of the rules (see `p2pclimb rules`); may be repeated",
    )
    parser.add_argument(
        "--seats", metavar="N", type=int, default=seats, help=f"2 to 8; default: {seats}"
    )


def options(
    args: argparse.Namespace,
    defaults: Mapping[str, object] = MappingProxyType({}),
    *,
    claim_seconds: int | None = None,
) -> Options:
    """Return the rules that `--game` and `--set` give; raises OptionsError.

    `defaults` are what this command presets where `--set` does not say otherwise; so is
    `claim_seconds`, at tables where there are claims.
    """
    given = dict(map(parse_setting, args.settings))
    chosen = Options.make(args.game, {**defaults, **given})
    chosen.require_seats(args.seats)
    if claim_seconds is None or "claim_seconds" in given or not _has_claims(chosen):
        return chosen
    return chosen.with_setting("claim_seconds", claim_seconds)


def _has_claims(rules: Options) -> bool:
    return rules.plays_with("instant_wins") or rules.plays_with("fours_when", "anyone")


def add_listening_arguments(parser: Parser) -> None:
    """Add `--listen`, `--port` and `--advertise`."""
    parser.add_argument(
        "--listen", metavar="ADDRESS", default="*", help="address to listen on; default: all"
    )
    parser.add_argument(
        "--port", metavar="N", type=int, default=0, help="port to listen on; default: any"
    )
    parser.add_argument(
        "--advertise",
        metavar="HOST:PORT",
        action="append",
        default=[],
        help="tell the others to dial this instead; may be repeated",
    )


def listening(args: argparse.Namespace) -> Listening:
    """Return where to listen; raises UsageError for an impossible port or address."""
    if not 0 <= args.port <= 65_535:
        raise UsageError(f"{args.port} is no port.", hint="Ports go from 1 to 65535.")
    return Listening(args.listen, args.port, tuple(map(parse_address, args.advertise)))


def listening_again(args: argparse.Namespace) -> Listening | None:
    """Return where to listen at a table that is resumed; None, for where it was, unless said."""
    asked = listening(args)
    return None if asked == Listening() else asked


def add_log_argument(parser: Parser) -> None:
    """Add `--log`."""
    parser.add_argument("--log", metavar="FILE", help="where to write the log")


def require_new(log: str | None) -> None:
    """Raise StoreError if the file chosen for a log is there already."""
    if log is not None and is_there(Path(log)):
        raise StoreError(
            f"There is a file {shown(Path(log))} already.", hint="Choose another name."
        )


def table_name(terms: Terms) -> str:
    """Return the name of a table's files: the first of its six words."""
    return "-".join(terms.words[:_LOGGED_WORDS])


@dataclass(slots=True)
class LogPlace:
    """Where the log of a table goes: the file `chosen`, else one under the data directory.

    `path` is where it went, once there are terms.
    """

    paths: Paths
    chosen: str | None = None
    path: Path | None = None

    def __call__(self, terms: Terms) -> Path:
        """Return the path for a table."""
        self.path = Path(self.chosen) if self.chosen else self.paths.log(table_name(terms))
        return self.path


def add_bots_arguments(parser: Parser) -> None:
    """Add `--strategy` and `--seed`."""
    parser.add_argument(
        "--strategy", choices=tuple(STRATEGIES), default="basic", help="of the bots; default: basic"
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, help="seed of the bots' choices, never of keys or shuffles"
    )


def seed_of(args: argparse.Namespace) -> int:
    """Return the seed of the bots' choices: `--seed`, else a fresh one."""
    seed = args.seed
    return seed if isinstance(seed, int) else random.SystemRandom().getrandbits(32)


def bot_player(
    name: str,
    seed: int,
    *,
    pace: float = 0.0,
    overhear: Callable[[Notice | LobbyNotice], None] | None = None,
) -> BotPlayer:
    """Return the player of a bot that plays by the strategy `name`."""
    # The seed drives a bot's choices only; nothing that is secret comes from it.
    source = random.Random(seed)  # noqa: S311
    return BotPlayer(strategy(name), source, pace=pace, overhear=overhear)
