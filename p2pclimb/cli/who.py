"""Who plays at this terminal: the identity that is kept, made the first time, and a name."""

from __future__ import annotations

import argparse
import getpass
import os

from p2pclimb.cli.output import say
from p2pclimb.cli.parser import Parser
from p2pclimb.cli.passphrase import ask_passphrase
from p2pclimb.crypto.identity import Identity, fingerprint
from p2pclimb.errors import UsageError
from p2pclimb.names import clean_name
from p2pclimb.node.node import Who
from p2pclimb.store.files import shown
from p2pclimb.store.keystore import read_identity, write_identity
from p2pclimb.store.paths import Paths

__all__ = ["add_name_argument", "who"]


def add_name_argument(parser: Parser) -> None:
    """Add `--name`."""
    parser.add_argument("--name", help="your name at this table; default: that of your identity")


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
