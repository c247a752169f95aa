"""What every kind of step has in common.

A stage is the public state of the table while one step waits for its entries.  It says who is
expected, reads and checks a body, and, once every place is filled, gives the next stage.  The
stages themselves are in `steps/`, one file a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from p2pclimb.crypto.group import Point
from p2pclimb.games.match import Match
from p2pclimb.ledger.codec import Value, encode
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealRestarted, Event
from p2pclimb.ledger.labels import PROTOCOL_VERSION, Label
from p2pclimb.ledger.terms import Terms

__all__ = ["Beginning", "Next", "RuleError", "Site", "Stage", "Tally", "restart_deal"]


class RuleError(Exception):
    """A body that breaks a rule of its step; the ledger adds who signed it and where.

    `rule` is a stable slug that names the check.
    """

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(text)
        self.rule = rule
        self.text = text


@dataclass(frozen=True, slots=True)
class Tally:
    """How many things of each sort were verified."""

    signatures: int = 0
    possessions: int = 0
    shuffles: int = 0
    shares: int = 0
    openings: int = 0
    absences: int = 0
    plays: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Tally)))


@dataclass(frozen=True, slots=True)
class Site:
    """Where a step stands: the table, the deal and attempt, and the head that it builds on."""

    terms: Terms
    table: bytes
    deal: int
    attempt: int
    kind: Kind
    step: int
    previous: bytes

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


@dataclass(frozen=True, slots=True)
class Beginning:
    """A deal is to begin: the next one (attempt 0), or the same one anew."""

    match: Match
    attempt: int


@dataclass(frozen=True, slots=True)
class Next:
    """What a completed step gives: the next stage and what to tell about it."""

    stage: Stage | Beginning
    events: tuple[Event, ...] = ()


def restart_deal(
    match: Match, attempt: int, missing: frozenset[int], payments: Mapping[int, int] | None = None
) -> Next:
    """Return the next attempt of the same deal, without the seats that were missing.

    Until the shares are complete every seat is needed (protocol.md, Leaving).  A first deal draws
    its dealer anew, a later one keeps it.  `payments` are due at once.
    """
    paid = payments or {}
    told = DealRestarted(match.deal, attempt + 1, tuple(sorted(missing)), paid)
    anew = (match.with_dealer(None) if match.is_first_deal else match).paid(paid)
    return Next(Beginning(anew.without(*missing), attempt + 1), (told,))


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

    def complete(self, site: Site, bodies: Mapping[int, Any], gone: frozenset[int]) -> Next:
        """Return what follows, from the bodies of those present and the seats that are gone."""
