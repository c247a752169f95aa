"""`p2pclimb id`: the player's own identity and the contacts."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from p2pclimb.cli.output import print_json, say, show
from p2pclimb.cli.parser import Parser, add_action
from p2pclimb.cli.passphrase import ask_new_passphrase, ask_passphrase
from p2pclimb.cli.who import warn_of_readers
from p2pclimb.crypto.identity import Identity, fingerprint
from p2pclimb.errors import KeystoreError, UsageError
from p2pclimb.names import clean_name
from p2pclimb.store.contacts import Contact, read_contacts
from p2pclimb.store.files import is_there, read_bounded, shown
from p2pclimb.store.keystore import (
    export_text,
    import_text,
    put_aside,
    read_identity,
    write_identity,
)
from p2pclimb.store.paths import Paths, find_paths

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb id new Ana",
    "p2pclimb id show",
    "p2pclimb id passphrase",
    "p2pclimb id export > identity.txt",
    "p2pclimb id import < identity.txt",
)

_MAX_TEXT = 64 * 1024  # bytes of text to import
_UNPROTECTED = (
    "No passphrase: whoever can read {path} can play as you. `p2pclimb id passphrase` sets one."
)


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb id`."""
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    add_action(actions, "show", "your name, your fingerprint and your contacts", EXAMPLES)
    new = add_action(actions, "new", "make an identity", EXAMPLES)
    new.add_argument("name", metavar="NAME", help="the name that the others see")
    new.add_argument("--no-passphrase", action="store_true", help="do not ask for a passphrase")
    add_action(actions, "passphrase", "set, change or remove the passphrase", EXAMPLES)
    add_action(actions, "export", "print your identity as text, to keep or move it", EXAMPLES)
    imports = add_action(actions, "import", "take over an exported identity", EXAMPLES)
    imports.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="default: standard input"
    )
    for maker in (new, imports):
        maker.add_argument(
            "--replace", action="store_true", help="put an identity that is there aside"
        )


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb id`."""
    paths = find_paths(args.data_dir, os.environ)
    match args.action:
        case "show":
            _show(args, paths)
        case "new":
            _new(args, paths)
        case "passphrase":
            _change_passphrase(args, paths)
        case "export":
            _export(args, paths)
        case "import":
            _import(args, paths)
    return 0


def _new(args: argparse.Namespace, paths: Paths) -> None:
    _require_room(args, paths)
    name = clean_name(args.name)
    passphrase = None if args.no_passphrase else ask_new_passphrase()
    _tell_where(args, put_aside(paths.identity))
    write_identity(paths.identity, name, Identity.new(os.urandom), passphrase, os.urandom)
    _show(args, paths)


def _change_passphrase(args: argparse.Namespace, paths: Paths) -> None:
    stored = read_identity(paths.identity)
    identity = stored.unlock(ask_passphrase("Passphrase") if stored.is_sealed else None)
    passphrase = ask_new_passphrase()
    write_identity(paths.identity, stored.name, identity, passphrase, os.urandom)
    _show(args, paths)


def _export(args: argparse.Namespace, paths: Paths) -> None:
    text = export_text(paths.identity)
    if args.json:
        print_json({"identity": text})
    else:
        show(text)
    if read_identity(paths.identity).is_sealed:
        say(args, "Keep this text; your passphrase opens it.")
    else:
        say(args, "Keep this text secret: whoever has it can play as you.")
    say(args, "Use it on one machine at a time: two that play as you convict you of lying.")


def _import(args: argparse.Namespace, paths: Paths) -> None:
    _require_room(args, paths)
    _tell_where(args, import_text(paths.identity, _text_to_import(args.file)))
    _show(args, paths)


def _text_to_import(file: str) -> str:
    if file != "-":
        return read_bounded(Path(file), _MAX_TEXT).decode("utf-8", "replace")
    if sys.stdin is None:
        raise UsageError("There is no standard input to read.", hint="Name a file.")
    return sys.stdin.read(_MAX_TEXT)


def _require_room(args: argparse.Namespace, paths: Paths) -> None:
    if is_there(paths.identity) and not args.replace:
        raise KeystoreError(
            f"There is an identity at {shown(paths.identity)} already.",
            hint="--replace puts it aside; your friends will then not know you by it.",
        )


def _tell_where(args: argparse.Namespace, aside: Path | None) -> None:
    if aside is not None:
        say(args, f"The identity before is now {shown(aside)}.")


def _show(args: argparse.Namespace, paths: Paths) -> None:
    stored = read_identity(paths.identity)
    warn_of_readers(args, paths)
    contacts = read_contacts(paths.contacts).entries
    if args.json:
        print_json(
            {
                "name": stored.name,
                "fingerprint": fingerprint(stored.public),
                "key": stored.public.hex(),
                "passphrase": stored.is_sealed,
                "file": str(paths.identity),
                "contacts": [_contact_data(contact) for contact in contacts],
            }
        )
        return
    show(f"{stored.name}  {fingerprint(stored.public)}")
    if contacts:
        show("\nPlayers you have met:")
    for contact in contacts:
        show(f"{contact.name}  {fingerprint(contact.key)}  since {contact.first_seen}")
    if not stored.is_sealed:
        say(args, _UNPROTECTED.format(path=shown(paths.identity)))


def _contact_data(contact: Contact) -> dict[str, str]:
    return {
        "name": contact.name,
        "fingerprint": fingerprint(contact.key),
        "key": contact.key.hex(),
        "first_seen": contact.first_seen.isoformat(),
    }
