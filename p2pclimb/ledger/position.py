"""One position of the table: a step, the head it builds on, and the places filled so far.

Positions are immutable values; `fill` gives the next one, completing steps as their last place is
filled.  With what a place is filled is decided by the ledger.  Nothing is verified here:
`check_entry` does that, and may run in another thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from p2pclimb.errors import MalformedError, ProofError, ViolationError
from p2pclimb.games.match import Match
from p2pclimb.ledger.chain import Chain
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.conviction import convict
from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.events import Event, Missed, PlaceFilled
from p2pclimb.ledger.flow import follow
from p2pclimb.ledger.hands import Hands
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.ledger.stage import Site, Stage
from p2pclimb.ledger.steps.opening import Opening
from p2pclimb.ledger.terms import Terms

__all__ = [
    "MOST_MISSES",
    "Filling",
    "Position",
    "Present",
    "Unfilled",
    "Verified",
    "check_entry",
    "first_position",
    "next_head",
]

MOST_MISSES = 3
"""With so many absences in a deal a seat is out for the deal."""


@dataclass(frozen=True, slots=True)
class Present:
    """A place filled by a verified entry; `body` is as the stage read it."""

    entry_id: bytes
    counter: int
    body: Any = field(repr=False)


class Unfilled(Enum):
    """A place that its author does not fill; the value is its tag in the head."""

    LEFT = "left"
    ABSENT = "absent"
    CONVICTED = "convicted"


Filling = Present | Unfilled


@dataclass(frozen=True, slots=True)
class Verified:
    """An entry that passed every check at its place, its body, and what was verified."""

    entry: Entry
    body: Any = field(repr=False)
    tally: Tally


@dataclass(frozen=True, slots=True)
class Position:
    """The table between two entries.

    `heads[k]` is the head of all steps before step k; the last one is that of this step, and the
    first one the table id.  `counters` is the last counter of every seat, `misses` how often each
    seat was absent in this deal, and `away` are the seats that have left or were convicted.
    `dealt_from` is the head that the last `commit` step built on: it names a deal's attempt.
    """

    terms: Terms
    heads: Chain
    stage: Stage
    fillings: Mapping[int, Filling]
    counters: Mapping[int, int]
    misses: Mapping[int, int] = field(default_factory=dict)
    away: frozenset[int] = frozenset()
    dealt_from: bytes = b""

    @property
    def table(self) -> bytes:
        """The table id."""
        return self.heads[0]

    @property
    def step(self) -> int:
        """The number of this step."""
        return len(self.heads) - 1

    @property
    def previous(self) -> bytes:
        """The head that this step builds on."""
        return self.heads[-1]

    @property
    def site(self) -> Site | None:
        """Where the entries of this step stand; None when the table has ended."""
        kind = self.stage.kind
        if kind is None:
            return None
        stage = self.stage
        return Site(
            self.terms,
            self.table,
            stage.deal,
            stage.attempt,
            kind,
            self.step,
            self.previous,
            self.away,
        )

    @property
    def attempt_name(self) -> bytes:
        """The head that the `commit` step of the present attempt builds on."""
        return self.previous if self.stage.kind is Kind.COMMIT else self.dealt_from

    def waiting(self) -> tuple[int, ...]:
        """Return the seats whose places in this step are still open, in seat order."""
        return tuple(seat for seat in self.stage.authors() if seat not in self.fillings)

    @property
    def hands(self) -> Hands | None:
        """The hands of the present deal, once they are dealt."""
        hands = getattr(self.stage, "hands", None)
        return hands if isinstance(hands, Hands) else None

    @property
    def match(self) -> Match | None:
        """The match with the scores as they stand; None before the table is open."""
        frame = getattr(self.stage, "cast", self.stage)
        match = getattr(frame, "match", None)
        return match if isinstance(match, Match) else None

    def head_after(self, last: Entry) -> bytes:
        """Return the head after this step if `last` fills its last open place."""
        filling = Present(last.id, last.counter, None)
        return next_head(
            self.previous, self.step, self.stage.authors(), {**self.fillings, last.author: filling}
        )

    def electorate(self) -> tuple[int, ...]:
        """Return the seats that decide about the places of this step, ascending.

        All of the deal, those included that have played their last card, but not those that have
        gone for ever or were absent too often (protocol.md, Late places).
        """
        seats = self.match.seats if self.match else tuple(range(len(self.terms.seats)))
        return tuple(
            seat
            for seat in seats
            if seat not in self.away and self.misses.get(seat, 0) < MOST_MISSES
        )

    def fill(self, seat: int, filling: Filling) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after one more place is filled, and what that tells."""
        assert seat in self.waiting()
        assert self.stage.kind is not None
        counters, told = self.counters, list[Event]()
        if isinstance(filling, Present):
            counters = {**counters, seat: filling.counter}
        elif filling is Unfilled.ABSENT:
            told.append(Missed(seat, self.stage.kind, self.misses.get(seat, 0) + 1))
        position = replace(self, fillings={**self.fillings, seat: filling}, counters=counters)
        waiting = position.waiting()
        is_present = isinstance(filling, Present)
        placed = PlaceFilled(self.step, self.stage.kind, self.stage.deal, seat, is_present, waiting)
        if waiting:
            return position, (placed, *told)
        after, events = position.completed()
        return after, (placed, *told, *events)

    def completed(self) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after this step, of which no place is open, and what that tells."""
        site = self.site
        assert site is not None
        order = self.stage.authors()
        misses = self._misses_after()
        present = {
            seat: filling.body
            for seat in order
            if isinstance(filling := self.fillings[seat], Present)
        }
        absent = self._filled_as(Unfilled.ABSENT)
        left, convicted = self._filled_as(Unfilled.LEFT), self._filled_as(Unfilled.CONVICTED)
        out = frozenset(seat for seat in absent if misses[seat] >= MOST_MISSES)
        away = self.away | left | convicted
        site = replace(site, away=away)
        if convicted:
            following = convict(self.stage, site, convicted, left | out, absent - out)
        else:
            following = self.stage.complete(site, present, left | out, absent - out)
        stage, begun = follow(following.course)
        after = replace(
            self,
            heads=self.heads.then(next_head(self.previous, self.step, order, self.fillings)),
            stage=stage,
            fillings={},
            misses=misses if stage.deal == self.stage.deal else {},
            away=away,
            dealt_from=self.previous if self.stage.kind is Kind.COMMIT else self.dealt_from,
        )
        return after, (*following.events, *begun)

    def _filled_as(self, reason: Unfilled) -> frozenset[int]:
        return frozenset(seat for seat, filling in self.fillings.items() if filling is reason)

    def _misses_after(self) -> Mapping[int, int]:
        absent = self._filled_as(Unfilled.ABSENT)
        return {**self.misses, **{seat: self.misses.get(seat, 0) + 1 for seat in absent}}


def next_head(
    previous: bytes, step: int, order: tuple[int, ...], fillings: Mapping[int, Filling]
) -> bytes:
    """Return the head after a step: the hash of the head before and every place's filling.

    Signatures are never hashed into heads (protocol.md, Heads).
    """
    places: list[Value] = []
    for seat in order:
        match fillings[seat]:
            case Present(entry_id=entry_id):
                places.append([seat, "entry", entry_id])
            case Unfilled() as reason:
                places.append([seat, reason.value, b""])
    return digest(Label.HEAD, [previous, step, places])


def first_position(terms: Terms) -> Position:
    """Return the position in which every seat is to sign the terms; its head is the table id."""
    seats = tuple(range(len(terms.seats)))
    return Position(terms, Chain([terms.table_id]), Opening(seats), {}, {})


def check_entry(position: Position, entry: Entry) -> Verified:
    """Verify an entry for an open place of this step: header, form, proofs and rules.

    The signature must have been verified before.  Pure, so it may run in any thread while the
    position goes on.  Raises ViolationError, which names the author.
    """
    site = position.site
    assert site is not None

    def violation(rule: str, text: str) -> ViolationError:
        deed = f"broke a rule at step {entry.step} ({site.kind.value}): {text}"
        return site.terms.violation(entry.author, entry.step, rule, deed)

    if (entry.table, entry.deal, entry.attempt, entry.kind) != (
        site.table,
        site.deal,
        site.attempt,
        site.kind,
    ):
        raise violation("header", "the entry is for another table, deal, attempt or kind of step")
    if entry.counter <= position.counters.get(entry.author, -1):
        raise violation("counter", "the counter of the signer does not rise")
    try:
        body = position.stage.read(entry.body)
        tally = position.stage.check(site, entry.author, body)
    except RuleError as error:
        raise violation(error.rule, error.text) from error
    except ProofError as error:
        raise violation("proof", error.text.rstrip(".")) from error
    except MalformedError as error:
        raise violation("form", error.text.rstrip(".")) from error
    return Verified(entry, body, tally + Tally(signatures=1))
