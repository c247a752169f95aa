"""Where the players of a table were last reached: a file beside the log, for coming back to it.

Lines of text, so that a person can give a friend's new address to a table that is resumed.  Nothing
in it is believed: whoever answers at an address proves its CURVE key.

    listen HOST PORT
    advertise ADDRESS            for each address that the others are told of this node
    peer CURVE-KEY ADDRESS ...   for each other seat
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.errors import MalformedError, UsageError
from p2pclimb.net.address import Address, parse_address
from p2pclimb.store.files import is_there, read_bounded, shown, write_atomically

__all__ = ["Whereabouts", "read_whereabouts", "write_whereabouts"]

_MAX_FILE = 64 * 1024  # bytes
_KEY_SIZE = 32
_PREAMBLE = "# Where the players of this table were last reached.\n"


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a node listens and what it says of that, and where its peers are, by CURVE key."""

    host: str
    port: int
    advertised: tuple[Address, ...] = ()
    peers: Mapping[bytes, tuple[Address, ...]] = field(default_factory=dict)


def write_whereabouts(path: Path, where: Whereabouts) -> None:
    """Replace the file, durable when this returns; raises `StoreError`."""
    lines = [f"listen {where.host} {where.port}"]
    lines += [f"advertise {address}" for address in where.advertised]
    lines += [
        " ".join(["peer", key.hex(), *map(str, addresses)])
        for key, addresses in where.peers.items()
    ]
    write_atomically(path, (_PREAMBLE + "\n".join(lines) + "\n").encode())


def read_whereabouts(path: Path) -> Whereabouts:
    """Read the file; a missing one says nothing.

    Raises `StoreError`, and `MalformedError` with the number of the line that is wrong.
    """
    where = Whereabouts("*", 0)
    if not is_there(path):
        return where
    text = read_bounded(path, _MAX_FILE).decode(errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            where = _with_line(where, words)
        except (UsageError, ValueError) as error:
            raise MalformedError(
                f"Line {number} of {shown(path)} is not understood.",
                hint="Mend the line, or remove it: then that player has to reach you.",
            ) from error
    return where


def _with_line(where: Whereabouts, words: list[str]) -> Whereabouts:
    match words:
        case ["listen", host, port] if 0 <= int(port) <= 65_535:
            return Whereabouts(host, int(port), where.advertised, where.peers)
        case ["advertise", address]:
            advertised = (*where.advertised, parse_address(address))
            return Whereabouts(where.host, where.port, advertised, where.peers)
        case ["peer", key, *addresses] if len(bytes.fromhex(key)) == _KEY_SIZE:
            known = {**where.peers, bytes.fromhex(key): _addresses(addresses)}
            return Whereabouts(where.host, where.port, where.advertised, known)
        case _:
            raise ValueError


def _addresses(words: Iterable[str]) -> tuple[Address, ...]:
    return tuple(map(parse_address, words))
