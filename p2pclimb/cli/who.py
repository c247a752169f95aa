"""Who plays at this terminal: the identity that is kept, made the first time, and a name."""

from __future__ import annotations

import argparse
import getpass
import os

from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.passphrase import ask_passphrase
from p2pclimb.crypto.identity import Identity, fingerprint
from p2pclimb.errors import LockedError, UsageError
from p2pclimb.names import clean_name
from p2pclimb.node.node import Who
from p2pclimb.store.files import is_readable_by_others, is_there, shown
from p2pclimb.store.keystore import read_identity, write_identity
from p2pclimb.store.lock import FileLock
from p2pclimb.store.paths import Paths

__all__ = ["add_name_argument", "warn_of_readers", "who"]

_AGAIN = "Start this program again."
_LOST = (
    "The identity that played here before is not in {path} any more, so your friends will not know "
    "you, and its seats are not yours. `p2pclimb id import --replace` brings it back from an "
    "exported text."
)
_READABLE = "Others on this machine can read {path}, and play as you. `chmod 600` keeps them out."


def add_name_argument(parser: Parser) -> None:
    """Add `--name`."""
    parser.add_argument("--name", help="your name at this table; default: that of your identity")


def who(args: argparse.Namespace, paths: Paths) -> Who:
    """Return the player's identity and name; the first time both are made and said.

    `--name` is for this table only, unless there was no identity yet.  Raises KeystoreError for a
    wrong passphrase, UsageError for a name that cannot be shown.
    """
    name = clean_name(args.name) if args.name else None
    if not is_there(paths.identity):
        return _first_time(args, paths, name or _account_name())
    kept = read_identity(paths.identity)
    warn_of_readers(args, paths)
    passphrase = ask_passphrase(f"Passphrase of {kept.name}") if kept.is_sealed else None
    return Who(kept.unlock(passphrase), name or kept.name)


def _first_time(args: argparse.Namespace, paths: Paths, name: str) -> Who:
    identity = Identity.new(os.urandom)
    with FileLock.acquire(paths.identity):
        # Of two programs that begin at once the later must not replace the earlier one's identity.
        if is_there(paths.identity):
            raise LockedError("Your identity was made by another program just now.", hint=_AGAIN)
        write_identity(paths.identity, name, identity, None, os.urandom)
    if is_there(paths.contacts) or paths.logs():
        say(args, _LOST.format(path=shown(paths.root)))
    say(
        args,
        f"You are {name} ({fingerprint(identity.public)}); your key is kept in "
        f"{shown(paths.identity)} without a passphrase.",
    )
    return Who(identity, name)


def warn_of_readers(args: argparse.Namespace, paths: Paths) -> None:
    """Say so where the identity file is not this user's alone; the program makes it so."""
    if is_readable_by_others(paths.identity):
        say(args, _READABLE.format(path=shown(paths.identity)))


def _account_name() -> str:
    try:
        return clean_name(getpass.getuser())
    except (OSError, KeyError, UsageError):
        return "Player"
