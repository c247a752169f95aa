"""What every kind of step has in common.

A stage is the public state of the table while one step waits for its entries.  It says who is
expected, reads and checks a body, and, once every place is filled, says how it goes on.  The stages
themselves are in `steps/`, one file a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from p2pclimb.crypto.group import Point
from p2pclimb.ledger.codec import Value, encode
from p2pclimb.ledger.course import Next
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.labels import PROTOCOL_VERSION, Label
from p2pclimb.ledger.terms import Terms

__all__ = ["Site", "Stage"]


@dataclass(frozen=True, slots=True)
class Site:
    """Where a step stands: the table, the deal and attempt, and the head that it builds on.

    `away` are the seats that are at this table no more, by what fills the places before this step,
    and in `complete` those of this step too: seats that left, and convicted ones.
    """

    terms: Terms
    table: bytes
    deal: int
    attempt: int
    kind: Kind
    step: int
    previous: bytes
    away: frozenset[int] = frozenset()

    def context(
        self, author: int, seats: tuple[int, ...], keys: Mapping[int, Point] | None = None
    ) -> bytes:
        """Return the bytes that every proof absorbs first (protocol.md, Contexts).

        `keys` are the deal's public keys, where they exist.
        """
        return encode(
            [
                Label.CONTEXT.value,
                PROTOCOL_VERSION,
                self.table,
                self.deal,
                self.attempt,
                list(seats),
                [bytes(keys[seat]) for seat in seats] if keys else [],
                self.kind.value,
                self.step,
                author,
                self.previous,
            ]
        )


class Stage(Protocol):
    """The public state while one step waits for its entries."""

    @property
    def kind(self) -> Kind | None:
        """The kind of entry that is expected; None when the table has ended."""

    @property
    def deal(self) -> int:
        """The number of the deal, from 1; 0 before the first."""

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""

    def authors(self) -> tuple[int, ...]:
        """Return the seats whose entries this step waits for, in seat order."""

    def read(self, body: Value) -> Any:
        """Take a body apart; raise MalformedError unless it has the form of this step."""

    def check(self, site: Site, author: int, body: Any) -> Tally:
        """Verify a body completely; raise RuleError or ProofError, return what was verified."""

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, Any],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Return what follows, from the bodies of those present.

        `gone` are the seats that are out of the deal for good, because they left or missed their
        third place in it; `missed` were absent this time, and no more than that.  No seat is in
        both, and convicted ones in neither (`conviction`).
        """
