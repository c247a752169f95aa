"""The branch of the history that counts: of what is known for each place, the strongest fills it.

A conviction is stronger than a certificate, that is stronger than an entry, and that than a leave
notice (protocol.md, What fills a place).  So nodes that know the same records stand at the same
position, whatever the order in which these came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from p2pclimb.ledger.ballots import witnesses
from p2pclimb.ledger.branches import Branches, Node
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import Convicted, Event, HistoryDropped, first_of
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.position import Filling, Position, Present, Unfilled

__all__ = ["Route"]


@dataclass(slots=True)
class Route:
    """The steps from a settled one to where the table stands.

    `signed` is the last step of the route for which each seat has an entry, or that it had before
    the route begins; all steps below `final` are final.  `story` is what the steps of the route
    have told.
    """

    branches: Branches
    nodes: list[Node]
    convictions: Mapping[int, Conviction]
    position: Position = field(init=False)
    signed: dict[int, int] = field(default_factory=dict)
    final: int = field(init=False)
    story: list[Event] = field(init=False, default_factory=list)
    _signed_before: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.position = self.first.start
        self.final = self.first.step
        self._signed_before = {**self.signed}

    @property
    def first(self) -> Node:
        """The first step that is not settled."""
        return self.nodes[0]

    def at(self, step: int) -> Node | None:
        """Return a step of the route that is reached and not settled, else None."""
        index = step - self.first.step
        return self.nodes[index] if 0 <= index < len(self.nodes) else None

    def filled(self, step: int) -> Mapping[int, Filling]:
        """Return how the places of a reached step are filled so far."""
        node = self.at(step)
        assert node is not None
        if step == self.position.step:
            return self.position.fillings
        return node.children[self.position.heads[step + 1]]

    def follow(self) -> tuple[Event, ...]:
        """Fill all places for which something is known, and return what that tells."""
        told = len(self.story)
        while self.position.stage.kind is not None:
            if not self.position.stage.authors():
                self._go_on({}, *self.position.completed())
            elif (place := self._next_filling()) is not None:
                self._fill(*place)
            else:
                break
        self._count_final()
        return tuple(self.story[told:])

    def overridden(self, node: Node, seat: int) -> bool:
        """Whether something stronger than before is known for a place of the route."""
        if self.at(node.step) is not node:
            return False
        filling = self.filled(node.step).get(seat)
        return filling is not None and filling != self._filling(node, seat)

    def overridden_by_conviction(self, seat: int) -> int | None:
        """Return the step of the first place that the conviction of its author overrides."""
        for node in self.nodes:
            filling = self.filled(node.step).get(seat)
            if self._is_convicted(seat, node.step) and filling is not None:
                return None if filling is Unfilled.CONVICTED else node.step
        return None

    def rewind(self, step: int) -> HistoryDropped:
        """Go back to the beginning of a step; everything from it on is to be followed anew."""
        del self.nodes[step - self.first.step + 1 :]
        del self.story[first_of(self.story, step) :]
        self.position = self.nodes[-1].start
        self.final = min(self.final, step)
        self.signed = {**self._signed_before}
        for node in self.nodes[:-1]:
            for seat, filling in self.filled(node.step).items():
                if isinstance(filling, Present):
                    self.signed[seat] = node.step
        return HistoryDropped(step)

    def is_final(self, step: int, author: int) -> bool:
        """Whether a place of a reached step is final, and all steps before it."""
        if step < self.final:
            return True
        node = self.at(step)
        is_certain = node is not None and (
            author in node.certificates or self._acknowledged(step, author)
        )
        return is_certain and step == self.final

    def begin_anew(self, convictions: Mapping[int, Conviction]) -> Route:
        """Return a route from the same settled step, which nothing has been followed on yet."""
        return Route(self.branches, [self.first], convictions, {**self._signed_before})

    def detours(self) -> Iterator[Route]:
        """Yield the routes that were right before some of the convictions were known.

        Each begins with the same settled step and reaches the beginning of another deal.  What a
        culprit signed from there on counts, as it did for those who knew of no offence.
        """
        for tip in tuple(self.branches.nodes.values()):
            if _begins_a_deal(tip.start) and self._leads_elsewhere(tip):
                way = self._way_to(tip)
                if all(self._was_right(node, filled) for node, filled in way):
                    yield self._along(way)

    def _leads_elsewhere(self, tip: Node) -> bool:
        first, heads = self.first, tip.start.heads
        follows = tip.step > first.step and heads[first.step] == first.start.previous
        return follows and self.at(tip.step) is not tip

    def _way_to(self, tip: Node) -> list[tuple[Node, Mapping[int, Filling]]]:
        """Return the steps from the settled one to another, and how they are filled on the way."""
        heads = tip.start.heads
        nodes = (self.branches.nodes[heads[step]] for step in range(self.first.step, tip.step))
        return [(node, node.children[heads[node.step + 1]]) for node in nodes]

    def _was_right(self, node: Node, filled: Mapping[int, Filling]) -> bool:
        """Whether nothing but a conviction is known that overrides what fills a step."""
        return all(
            filling in (Unfilled.CONVICTED, self.branches.filling(node, seat))
            for seat, filling in filled.items()
        )

    def _along(self, way: Iterable[tuple[Node, Mapping[int, Filling]]]) -> Route:
        route = self.begin_anew(self.convictions)
        for _, filled in way:
            if not filled:
                route._go_on({}, *route.position.completed())
            for seat, filling in filled.items():
                route._fill(seat, filling)
        route.convictions = {}
        route.follow()
        return route

    def began_anew_after(self, step: int) -> bool:
        """Whether it is final that another attempt of a deal began after a step."""
        return any(
            step < node.step <= self.final and node.start.stage.kind in (Kind.COMMIT, None)
            for node in self.nodes
        )

    def parting(self, other: Route) -> int:
        """Return the first step that another route from the same step on fills differently."""
        pairs = zip(self.nodes, other.nodes, strict=False)
        same = [node.step for node, others in pairs if node is others]
        return same[-1]

    def may_settle(self) -> bool:
        """Whether a deal after the first one of the route begins when all before is final."""
        return self._settled() > 0

    def settle(self) -> bool:
        """Let the route begin with the last deal before which all is final; tell if it moved."""
        index = self._settled()
        for node in self.nodes[:index]:
            for seat, filling in self.filled(node.step).items():
                if isinstance(filling, Present):
                    self._signed_before[seat] = node.step
        del self.nodes[:index]
        del self.story[: first_of(self.story, self.first.step)]
        return index > 0

    def _settled(self) -> int:
        """Return which of the steps is the first of the last deal that all before is final."""
        last = min(self.final - self.first.step, len(self.nodes) - 1)
        later = range(last, 0, -1)
        return next((index for index in later if _begins_a_deal(self.nodes[index].start)), 0)

    # -- filling places ------------------------------------------------------------------------

    def _filling(self, node: Node, seat: int) -> Filling | None:
        if self._is_convicted(seat, node.step):
            return Unfilled.CONVICTED
        return self.branches.filling(node, seat)

    def _is_convicted(self, seat: int, step: int) -> bool:
        return seat in self.convictions and self.convictions[seat].step <= step

    def _next_filling(self) -> tuple[int, Filling] | None:
        for seat in self.position.waiting():
            filling = self._filling(self.nodes[-1], seat)
            if filling is not None:
                return seat, filling
        return None

    def _fill(self, seat: int, filling: Filling) -> None:
        step, filled = self.position.step, {**self.position.fillings, seat: filling}
        if isinstance(filling, Present):
            self.signed[seat] = step
        after, events = self.position.fill(seat, filling)
        if filling is Unfilled.CONVICTED:
            violation = self.convictions[seat].violation
            events = (*events, Convicted(seat, step, violation.rule, violation.text))
        self._go_on(filled, after, events)

    def _go_on(
        self, filled: Mapping[int, Filling], after: Position, events: tuple[Event, ...]
    ) -> None:
        """Stand at the position after a step is filled so, or a place of it."""
        is_complete = after.step > self.position.step
        self.position = after
        self.story += events
        if is_complete:
            self.nodes[-1].children[after.previous] = filled
            self.nodes.append(self.branches.at(after))

    def _acknowledged(self, step: int, author: int) -> bool:
        """Whether half of a step's electorate, its author not counted, acknowledges the place."""
        node = self.at(step)
        assert node is not None
        electorate = node.start.electorate()
        others = [s for s in electorate if s != author and self._acknowledges(s, step, author)]
        return len(others) >= witnesses(electorate)

    def _acknowledges(self, seat: int, step: int, author: int) -> bool:
        """Whether the first record of a seat that builds on a place does not except it.

        By that one alone, since its later ones build on it in turn.
        """
        for node in self.nodes[step + 1 - self.first.step :]:
            if isinstance(self.filled(node.step).get(seat), Present):
                return (step, author) not in node.entries[seat].entry.excepted
        return self._acknowledges_by_leaving(seat, step)

    def _acknowledges_by_leaving(self, seat: int, step: int) -> bool:
        leave = self.branches.leaves.get(seat)
        node = self.branches.nodes.get(leave.head) if leave else None
        return node is not None and node.step > step and self.at(node.step) is node

    def _count_final(self) -> None:
        while self.final < self.position.step and self._has_only_final_places(self.final):
            self.final += 1

    def _has_only_final_places(self, step: int) -> bool:
        node = self.at(step)
        assert node is not None
        return all(
            filling in (Unfilled.ABSENT, Unfilled.CONVICTED)
            or seat in node.certificates
            or self._acknowledged(step, seat)
            for seat, filling in self.filled(step).items()
        )


def _begins_a_deal(start: Position) -> bool:
    stage = start.stage
    return stage.kind is None or (stage.kind is Kind.COMMIT and stage.attempt == 0)
