"""Who plays one attempt of a deal, with which keys, and who deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from p2pclimb.crypto.group import Point
from p2pclimb.games.match import Match

if TYPE_CHECKING:
    from p2pclimb.ledger.stage import Site

__all__ = ["Cast"]


@dataclass(frozen=True, slots=True)
class Cast:
    """The public frame of a deal after the keys are known.

    `match.seats` are the seats of this deal, ascending; `keys` their public keys for this attempt;
    `joint` the sum of the keys.  `face_up` are the places of the deck that all open together: that
    of the trick card, where there is one (rules.md 2.8).
    """

    match: Match
    attempt: int
    keys: Mapping[int, Point] = field(repr=False)
    joint: Point = field(repr=False)
    face_up: tuple[int, ...] = ()

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.match.deal

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that take part, ascending."""
        return self.match.seats

    def context(self, site: Site, author: int) -> bytes:
        """Return the context of an author's proofs in a step of this attempt, its keys included."""
        return site.context(author, self.seats, self.keys)
