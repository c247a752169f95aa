"""The branches of a table's history: for each step on each branch, what was signed for its places.

Branches part where a certificate or a conviction overrides what was tentative.  Which branch counts
is found by `route`; that a record is right has been checked before it comes here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from p2pclimb.ledger.ballots import PlaceVotes, is_stronger
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import (
    Filling,
    Position,
    Present,
    Unfilled,
    Verified,
    next_head,
)
from p2pclimb.ledger.votes import ABSENT, Certificate

__all__ = ["Branches", "Node"]


@dataclass(slots=True)
class Node:
    """Step number `step` on one branch; `start` is the position before any place of it is filled.

    `children` has, by the head after this step, how its places were filled on the way there;
    `votes` what was said about the places of late seats.  `overruled` are the certificates for
    places that were decided twice, but for the strongest.
    """

    start: Position
    entries: dict[int, Verified] = field(default_factory=dict)
    certificates: dict[int, Certificate] = field(default_factory=dict)
    children: dict[bytes, Mapping[int, Filling]] = field(default_factory=dict)
    votes: dict[int, PlaceVotes] = field(default_factory=dict)
    overruled: dict[int, list[Certificate]] = field(default_factory=dict)
    step: int = field(init=False)

    def __post_init__(self) -> None:
        self.step = self.start.step

    def decide(self, certificate: Certificate) -> bool:
        """Take the decision on a place; tell if its value was not decided before."""
        seat = certificate.place.author
        known = self.certificates.setdefault(seat, certificate)
        if known is not certificate:
            if certificate.value in self.decided(seat):
                return False
            one, other = known, certificate
            if is_stronger(certificate, known):
                one, other = certificate, known
            self.certificates[seat] = one
            self.overruled.setdefault(seat, []).append(other)
        return True

    def decided(self, seat: int) -> frozenset[bytes]:
        """Return the values for which there are certificates: of an honest table at most one."""
        known = [self.certificates[seat]] if seat in self.certificates else []
        return frozenset(each.value for each in (*known, *self.overruled.get(seat, ())))


@dataclass(slots=True)
class Branches:
    """All steps that are known and not settled, by the head that they build on, and the notices."""

    nodes: dict[bytes, Node] = field(default_factory=dict)
    leaves: dict[int, Leave] = field(default_factory=dict)

    def at(self, start: Position) -> Node:
        """Return the step that begins with a position."""
        return self.nodes.setdefault(start.previous, Node(start))

    def filling(self, node: Node, seat: int) -> Filling | None:
        """Return what fills a place, unless its author is convicted; None: nothing yet."""
        certificate = node.certificates.get(seat)
        if certificate is not None:
            return self._certified(node, seat, certificate.value)
        if seat in node.entries:
            return _present(node.entries[seat])
        return Unfilled.LEFT if self.leaves_by(seat, node.step) else None

    def lead_to(self, place: Place, convictions: Mapping[int, Conviction]) -> bool:
        """Whether the step of a place is known, or made known by what may fill the one before it.

        So a branch can be followed that counts no more, or never counted here: any of what is known
        for a place may have filled it before the rest was known.
        """
        known = self.nodes.get(place.previous)
        if known is not None:
            return known.step == place.step
        for node in [each for each in self.nodes.values() if each.step == place.step - 1]:
            for filled in self._ways_on(node, convictions):
                start, authors = node.start, node.start.stage.authors()
                if next_head(start.previous, node.step, authors, filled) == place.previous:
                    node.children[place.previous] = filled
                    self.at(_filled_so(start, filled))
                    return True
        return False

    def _ways_on(
        self, node: Node, convictions: Mapping[int, Conviction]
    ) -> Iterator[Mapping[int, Filling]]:
        authors = node.start.stage.authors()
        known = (tuple(self._alternatives(node, seat, convictions)) for seat in authors)
        for fillings in product(*known):
            yield dict(zip(authors, fillings, strict=True))

    def _alternatives(
        self, node: Node, seat: int, convictions: Mapping[int, Conviction]
    ) -> Iterator[Filling]:
        if seat in node.entries:
            yield _present(node.entries[seat])
        if ABSENT in node.decided(seat):
            yield Unfilled.ABSENT
        if self.leaves_by(seat, node.step):
            yield Unfilled.LEFT
        if seat in convictions and convictions[seat].step <= node.step:
            yield Unfilled.CONVICTED

    def leaves_by(self, seat: int, step: int) -> bool:
        """Whether a seat has given notice for a step or one before it."""
        leave = self.leaves.get(seat)
        return leave is not None and leave.step <= step

    def value_on(self, start: Position, node: Node, seat: int) -> bytes | None:
        """Return the value of a place on the branch to a later position; None if not on it."""
        if len(start.heads) <= node.step + 1 or start.heads[node.step] != node.start.previous:
            return None
        match self._filled(start, node).get(seat):
            case Present(entry_id=entry_id):
                return entry_id
            case Unfilled.LEFT if seat in self.leaves:
                return self.leaves[seat].id
            case Unfilled.ABSENT:
                return ABSENT
            case _:
                return None

    def acknowledging(self, node: Node, seat: int) -> Iterator[Entry | Leave]:
        """Yield every seat's first record that builds on what a seat signed for its place."""
        for later in self.nodes.values():
            head = later.start.previous
            records: list[Entry | Leave] = [each.entry for each in later.entries.values()]
            records += [leave for leave in self.leaves.values() if leave.head == head]
            for record in records:
                if self._is_first(record.author, later.start, node, seat):
                    yield record

    def acknowledged_by(self, record: Entry | Leave) -> Iterator[PlaceVotes]:
        """Yield the votes on places whose own values a record, as its seat's first, builds on."""
        head = record.place.previous if isinstance(record, Entry) else record.head
        if head not in self.nodes:
            return
        for node in self.nodes.values():
            for seat, votes in node.votes.items():
                if self._is_first(record.author, self.nodes[head].start, node, seat):
                    yield votes

    def _is_first(self, signer: int, start: Position, node: Node, seat: int) -> bool:
        """Whether what a seat signs at a position is the first to build on a place's own value.

        The first one on a branch says whether the place is acknowledged: later ones build on it.
        """
        between = (self.nodes.get(head) for head in start.heads[node.step + 1 : -1])
        return self._has_own_value(start, node, seat) and not any(
            isinstance(self._filled(start, step).get(signer), Present)
            for step in between
            if step is not None
        )

    def _filled(self, start: Position, node: Node) -> Mapping[int, Filling]:
        """Return how a step is filled on the branch to a later position."""
        return node.children.get(start.heads[node.step + 1], {})

    def _has_own_value(self, start: Position, node: Node, seat: int) -> bool:
        return self.value_on(start, node, seat) not in (None, ABSENT)

    def forget_before(self, step: int) -> None:
        """Drop the steps before one that is settled."""
        self.nodes = {head: node for head, node in self.nodes.items() if node.step >= step}

    def last_signed(self, seat: int) -> int:
        """Return the highest step for which a seat has signed an entry on any branch; else -1."""
        return max((node.step for node in self._signed_by(seat)), default=-1)

    def _signed_by(self, seat: int) -> Iterator[Node]:
        return (node for node in self.nodes.values() if seat in node.entries)

    def _certified(self, node: Node, seat: int, value: bytes) -> Filling | None:
        if value == ABSENT:
            return Unfilled.ABSENT
        verified = node.entries.get(seat)
        if verified is not None and verified.entry.id == value:
            return _present(verified)
        leave = self.leaves.get(seat)
        return Unfilled.LEFT if leave is not None and leave.id == value else None


def _filled_so(start: Position, filled: Mapping[int, Filling]) -> Position:
    """Return the position after a step whose places are filled so."""
    if not filled:
        return start.completed()[0]
    for seat, filling in filled.items():
        start, _ = start.fill(seat, filling)
    return start


def _present(verified: Verified) -> Present:
    entry = verified.entry
    return Present(entry.id, entry.counter, verified.body)
