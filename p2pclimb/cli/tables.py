"""What the commands that open or join a table have in common: arguments, identity, log."""

from __future__ import annotations

import argparse
import getpass
import os
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from p2pclimb.bots import strategy
from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.passphrase import ask_passphrase
from p2pclimb.crypto.identity import Identity, fingerprint
from p2pclimb.errors import InvitationError, StoreError, UsageError
from p2pclimb.games.options import Options, parse_setting
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import clean_name
from p2pclimb.net.address import parse_address
from p2pclimb.net.invitation import Invitation, parse_invitation
from p2pclimb.net.loop import run as run_loop
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.entrances import Listening
from p2pclimb.node.node import Who
from p2pclimb.store.files import read_bounded, shown
from p2pclimb.store.keystore import read_identity, write_identity
from p2pclimb.store.paths import Paths
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice

__all__ = [
    "USUAL_GAME",
    "add_invitation_argument",
    "add_listening_arguments",
    "add_name_argument",
    "add_rules_arguments",
    "bot_player",
    "listening",
    "log_path",
    "options",
    "read_invitation",
    "require_new",
    "run_loop",
    "seed_of",
    "table_name",
    "who",
]

USUAL_GAME = "tienlen"
_CLAIMS = frozenset({("instant_wins", True), ("fours_when", "anyone")})
_LOGGED_WORDS = 3
_LONGEST_PATH = 1024
_MOST_TEXT = 64 * 1024
_STANDARD_INPUT = 0


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
    if claim_seconds is None or "claim_seconds" in given or _CLAIMS.isdisjoint(chosen.items()):
        return chosen
    return chosen.with_setting("claim_seconds", claim_seconds)


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


def who(args: argparse.Namespace, paths: Paths) -> Who:
    """Return the player's identity and name; the first time both are made and said.

    `--name` is for this table only, unless there was no identity yet.  Raises KeystoreError for a
    wrong passphrase, UsageError for a name that cannot be shown.
    """
    name = clean_name(args.name) if args.name else None
    if not paths.identity.exists():
        return _first_time(args, paths, name or _account_name())
    kept = read_identity(paths.identity)
    passphrase = ask_passphrase(f"Passphrase of {kept.name}") if kept.is_sealed else None
    return Who(kept.unlock(passphrase), name or kept.name)


def _first_time(args: argparse.Namespace, paths: Paths, name: str) -> Who:
    identity = Identity.new(os.urandom)
    write_identity(paths.identity, name, identity, None, os.urandom)
    say(
        args,
        f"You are {name} ({fingerprint(identity.public)}); your key is kept in "
        f"{shown(paths.identity)} without a passphrase.",
    )
    return Who(identity, name)


def _account_name() -> str:
    try:
        return clean_name(getpass.getuser())
    except (OSError, KeyError, UsageError):
        return "Player"


def add_name_argument(parser: Parser) -> None:
    """Add `--name`."""
    parser.add_argument("--name", help="your name at this table; default: that of your identity")


def require_new(log: str | None) -> None:
    """Raise StoreError if the file chosen for a log is there already."""
    if log is not None and Path(log).exists():
        raise StoreError(
            f"There is a file {shown(Path(log))} already.", hint="Choose another name."
        )


def table_name(terms: Terms) -> str:
    """Return the name of a table's files: the first of its six words."""
    return "-".join(terms.words[:_LOGGED_WORDS])


def log_path(paths: Paths, chosen: str | None = None) -> Callable[[Terms], Path]:
    """Return where the log of a table goes: the file chosen, else one under the data directory."""
    if chosen is not None:
        return lambda terms: Path(chosen)
    return lambda terms: paths.log(table_name(terms))


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


def add_invitation_argument(parser: Parser) -> None:
    """Add the invitation: text, a file that holds it, or `-` for standard input."""
    parser.add_argument(
        "invitation",
        metavar="INVITATION",
        nargs="?",
        default="",
        help="the invitation, a file that holds it, or - for standard input; default: ask for it",
    )


def read_invitation(args: argparse.Namespace) -> Invitation:
    """Return the invitation that was given or is pasted now; raises InvitationError.

    What is pasted may be wrapped: lines are read until they hold a whole invitation, and the rest
    of standard input is left for the game.
    """
    given: str = args.invitation
    if given not in ("", "-"):
        path = Path(given)
        is_file = len(given) < _LONGEST_PATH and path.is_file()
        if not is_file:
            return parse_invitation(given)
        data = read_bounded(path, _MOST_TEXT)
        return parse_invitation(data.decode(errors="replace"))
    if given == "" and sys.stdin is not None and sys.stdin.isatty():
        say(args, "Paste the invitation that your host sent you, then press Enter:")
    return _pasted_invitation()


def _pasted_invitation() -> Invitation:
    text = ""
    while len(text) < _MOST_TEXT:
        line = _typed_line()
        text += line
        try:
            return parse_invitation(text)
        except InvitationError:
            if not line or (text.strip() and not line.strip()):
                raise
    return parse_invitation(text)


def _typed_line() -> str:
    """Return the next line of standard input, without reading anything beyond it."""
    line = b""
    while not line.endswith(b"\n") and len(line) < _MOST_TEXT:
        byte = os.read(_STANDARD_INPUT, 1)
        if not byte:
            break
        line += byte
    return line.decode(errors="replace")
