"""Contacts: the players met before, known by their keys (trust on first use, like known_hosts).

What is said to the person about a stranger or a suspicious name is the screen's business.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path

from p2pclimb.errors import ClimbError, MalformedError, StoreError
from p2pclimb.names import clean_name, name_key
from p2pclimb.store.files import is_there, read_bounded, shown, write_atomically

__all__ = [
    "MAX_CONTACTS",
    "Acquaintance",
    "Contact",
    "Contacts",
    "Recognition",
    "read_contacts",
    "remember_contact",
]

MAX_CONTACTS = 5000
_MAX_FILE = 2 * 1024 * 1024  # bytes
_KEY_SIZE = 32
_PREAMBLE = "# Players you have met.  A name here that comes with another key is warned about.\n"


class Acquaintance(Enum):
    """How well a name with a key is known."""

    NEW = "new"
    KNOWN = "known"
    RENAMED = "renamed"
    NAME_WITH_ANOTHER_KEY = "name-with-another-key"


@dataclass(frozen=True, slots=True)
class Contact:
    """A player's identity key, the name last used with it, the day it was first seen."""

    key: bytes
    name: str
    first_seen: date


@dataclass(frozen=True, slots=True)
class Recognition:
    """How well a player is known, and the contacts that say so (none for a new one)."""

    acquaintance: Acquaintance
    contacts: tuple[Contact, ...]


@dataclass(frozen=True, slots=True)
class Contacts:
    """All contacts, in the order in which they were met; no key twice."""

    entries: tuple[Contact, ...] = ()

    def known(self, name: str, key: bytes) -> Recognition:
        """Return whether `name` with `key` is new, known, renamed or a known name's impostor.

        Somebody who comes with a known key under the name of another contact is an impostor, not
        renamed.  Source: protocol.md section 5, "a known name with another key is a loud
        warning".
        """
        wanted = name_key(clean_name(name))
        same_key = tuple(c for c in self.entries if c.key == key)
        same_name = tuple(c for c in self.entries if name_key(c.name) == wanted)
        if any(contact in same_name for contact in same_key):
            return Recognition(Acquaintance.KNOWN, same_key)
        if same_name:
            return Recognition(Acquaintance.NAME_WITH_ANOTHER_KEY, same_name)
        if same_key:
            return Recognition(Acquaintance.RENAMED, same_key)
        return Recognition(Acquaintance.NEW, ())

    def remembering(self, name: str, key: bytes, today: date) -> Contacts:
        """Return the contacts with `key` known as `name`; a key met before keeps its first day.

        Raises `StoreError` when there are `MAX_CONTACTS` others.
        """
        first_seen = next((c.first_seen for c in self.entries if c.key == key), today)
        contact = Contact(key, clean_name(name), first_seen)
        if any(c.key == key for c in self.entries):
            return Contacts(tuple(contact if c.key == key else c for c in self.entries))
        if len(self.entries) >= MAX_CONTACTS:
            raise StoreError(
                f"You have {MAX_CONTACTS} contacts, the most there can be.",
                hint="Delete some in the contacts file.",
            )
        return Contacts((*self.entries, contact))


def read_contacts(path: Path) -> Contacts:
    """Read the contacts; a missing file holds none.

    Raises `StoreError`, `MalformedError` for a file that cannot be understood.
    """
    if not is_there(path):
        return Contacts()
    data = read_bounded(path, _MAX_FILE)
    try:
        tables = tomllib.loads(data.decode()).get("contact", [])
        entries = tuple(_contact(table) for table in tables)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, ClimbError) as error:
        raise _unreadable(path) from error
    if len({c.key for c in entries}) != len(entries) or len(entries) > MAX_CONTACTS:
        raise _unreadable(path)
    return Contacts(entries)


def remember_contact(path: Path, name: str, key: bytes, today: date) -> Contacts:
    """Remember a player in the file, durable when this returns, and return all contacts.

    Reads the file anew first, so that programs that run side by side keep each other's contacts.
    Raises as `read_contacts` and `Contacts.remembering`.
    """
    before = read_contacts(path)
    after = before.remembering(name, key, today)
    if after != before:
        tables = map(_table, after.entries)
        write_atomically(path, "\n".join([_PREAMBLE, *tables]).encode())
    return after


def _table(contact: Contact) -> str:
    # A JSON string without control characters is a TOML basic string.
    name = json.dumps(contact.name, ensure_ascii=False)
    return (
        f'[[contact]]\nname = {name}\nkey = "{contact.key.hex()}"\n'
        f"first_seen = {contact.first_seen.isoformat()}\n"
    )


def _contact(table: dict[str, object]) -> Contact:
    name, key, first_seen = table["name"], table["key"], table["first_seen"]
    match name, key, first_seen:
        case str(), str(), date() if len(bytes.fromhex(key)) == _KEY_SIZE:
            return Contact(bytes.fromhex(key), clean_name(name), first_seen)
    raise MalformedError("A contact is a name, a key of 64 hexadecimal digits and a date.")


def _unreadable(path: Path) -> MalformedError:
    return MalformedError(
        f"The contacts in {shown(path)} cannot be understood.",
        hint="Mend the file, or move it away to start without contacts.",
    )
