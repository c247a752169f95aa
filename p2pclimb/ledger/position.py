"""One position of the table: a step, the head it builds on, and the places filled so far.

Positions are immutable values; `fill` gives the next one, completing steps as their last place is
filled.  Nothing is verified here: `check_entry` does that, and may run in another thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from p2pclimb.errors import MalformedError, ProofError, ViolationError
from p2pclimb.games.match import Match
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.events import Event, PlaceFilled
from p2pclimb.ledger.flow import follow
from p2pclimb.ledger.hands import Hands
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.ledger.stage import Site, Stage
from p2pclimb.ledger.steps.opening import Opening
from p2pclimb.ledger.terms import Terms

__all__ = [
    "Filling",
    "Position",
    "Present",
    "Unfilled",
    "Verified",
    "check_entry",
    "first_position",
    "next_head",
]


@dataclass(frozen=True, slots=True)
class Present:
    """A place filled by a verified entry; `body` is as the stage read it."""

    entry_id: bytes
    counter: int
    body: Any = field(repr=False)


class Unfilled(Enum):
    """A place whose author will not fill it; the value is its tag in the head."""

    LEFT = "left"


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
    first one the table id.  `leaving` maps a seat that has given notice to the step from which its
    notice counts; `counters` is the last counter of every seat.
    """

    terms: Terms
    heads: tuple[bytes, ...]
    stage: Stage
    fillings: Mapping[int, Filling]
    leaving: Mapping[int, int]
    counters: Mapping[int, int]

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
            self.terms, self.table, stage.deal, stage.attempt, kind, self.step, self.previous
        )

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

    def fill(self, seat: int, filling: Filling) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after one more place is filled, and what that tells."""
        assert seat in self.waiting()
        counters = self.counters
        if isinstance(filling, Present):
            counters = {**counters, seat: filling.counter}
        position = replace(self, fillings={**self.fillings, seat: filling}, counters=counters)
        assert self.stage.kind is not None
        told = PlaceFilled(
            self.step,
            self.stage.kind,
            self.stage.deal,
            seat,
            isinstance(filling, Present),
            position.waiting(),
        )
        after, events = position.settle()
        return after, (told, *events)

    def settle(self) -> tuple[Position, tuple[Event, ...]]:
        """Fill the places of seats that have left; complete the step if nothing else is open."""
        for seat in self.waiting():
            if self.leaving.get(seat, self.step + 1) <= self.step:
                return self.fill(seat, Unfilled.LEFT)
        if self.waiting() or not self.stage.authors():
            return self, ()
        return self._completed()

    def with_notice(self, seat: int, step: int) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after a seat gave notice that it leaves from `step` on."""
        return replace(self, leaving={**self.leaving, seat: step}).settle()

    def _completed(self) -> tuple[Position, tuple[Event, ...]]:
        site = self.site
        assert site is not None
        order = self.stage.authors()
        present = {
            seat: filling.body
            for seat in order
            if isinstance(filling := self.fillings[seat], Present)
        }
        gone = frozenset(seat for seat in order if seat not in present)
        following = self.stage.complete(site, present, gone, frozenset())
        stage, begun = follow(following.course)
        head = next_head(self.previous, self.step, order, self.fillings)
        position = replace(self, heads=(*self.heads, head), stage=stage, fillings={})
        after, events = position.settle()
        return after, (*following.events, *begun, *events)


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
    return Position(terms, (terms.table_id,), Opening(seats), {}, {}, {})


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
