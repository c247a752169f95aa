"""Scores carried on from an earlier table: how many points each seat brings along.

Part of the terms, so everybody signs it.  Who is known again, and what an earlier table's scores
come to, is in `past`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pclimb.crypto.identity import check_identity_key
from p2pclimb.errors import MalformedError
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.names import name_key

__all__ = ["MAX_AWAY", "Away", "Carried", "PlayerKey"]

MAX_AWAY = 16
_MOST_SEATS = 8
_MOST_POINTS = 2**53

PlayerKey = tuple[bytes, str]
"""Who is the same at two tables: an identity key, and for its bots their names (else empty)."""


@dataclass(frozen=True, slots=True)
class Away:
    """A player of earlier tables without a seat at this one, and the points kept for it.

    `identity` is its 32-byte key; that of a bot is the key of whoever ran it.
    """

    name: str
    identity: bytes
    is_bot: bool
    points: int

    @property
    def key(self) -> PlayerKey:
        """Who this is at any table."""
        return self.identity, name_key(self.name) if self.is_bot else ""


@dataclass(frozen=True, slots=True)
class Carried:
    """The scores at the end of the table with the id `table`, 32 bytes.

    `points` has them by the seats of the new table, 0 for newcomers.  With those of the players
    that are away they add up to zero.
    """

    table: bytes
    points: tuple[int, ...]
    away: tuple[Away, ...] = ()

    @classmethod
    def read(cls, value: Value) -> Carried:
        """Read `[table, [points, ...], [[name, identity, is_bot, points], ...]]`.

        Raises MalformedError for anything else (protocol.md, Terms).
        """
        table, points, away = codec.fields(value, 3)
        return cls(
            codec.as_bytes(table, 32),
            tuple(map(_points, codec.as_list(points, _MOST_SEATS))),
            tuple(map(_away, codec.as_list(away, MAX_AWAY))),
        )

    def write(self) -> list[Value]:
        """Return the fields as they stand in the terms."""
        away: list[Value] = [[a.name, a.identity, a.is_bot, a.points] for a in self.away]
        return [self.table, list(self.points), away]

    def check(self, seated: Sequence[PlayerKey]) -> None:
        """Raise MalformedError unless every player is counted once, and the sum is zero."""
        if len(self.points) != len(seated):
            raise MalformedError("The points carried on are not one number for each seat.")
        keys = [*seated, *(away.key for away in self.away)]
        if len(set(keys)) != len(keys):
            raise MalformedError("The points of one player are carried on twice.")
        if sum(self.points) + sum(away.points for away in self.away) != 0:
            raise MalformedError("The points carried on do not add up to zero.")


def _points(value: Value) -> int:
    return codec.as_int(value, -_MOST_POINTS, _MOST_POINTS)


def _away(value: Value) -> Away:
    name, identity, is_bot, points = codec.fields(value, 4)
    key = codec.as_bytes(identity, 32)
    check_identity_key(key)
    return Away(codec.as_name(name), key, codec.as_bool(is_bot), _points(points))
