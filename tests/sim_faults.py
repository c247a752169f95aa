"""What befalls the seats of a simulated table: crashes, old backups, cut links, absent players.

Each fault says when it begins, in seconds of the fake clock or in deeds of the seat, and puts
itself right again after a while.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from simulator import Simulator

__all__ = ["Backup", "Crash", "Fault", "Gone", "Idle", "OneWay", "Partition", "Pausing"]


class Fault(Protocol):
    """Something that goes wrong at a table."""

    def begin(self, sim: Simulator) -> None:
        """Plan what happens; called before the table opens."""


@dataclass(frozen=True)
class Crash:
    """From `at` on the seat's node stops after so many deeds, and comes back after `down`."""

    seat: int
    at: float
    deeds: int
    down: float

    def begin(self, sim: Simulator) -> None:
        """Light the fuse when it is time."""

        def light() -> None:
            if sim.nodes[self.seat].is_up and sim.nodes[self.seat].fuse is None:
                sim.nodes[self.seat].fuse = self.deeds
                sim.after_crash[self.seat] = lambda: sim.restart(self.seat), self.down

        sim.plan(self.at, light)


@dataclass(frozen=True)
class Backup:
    """A seat's disk is lost at `at`, and an image of `age` seconds before is put back."""

    seat: int
    at: float
    age: float
    down: float

    def begin(self, sim: Simulator) -> None:
        """Take the image, and put it back."""

        def take() -> None:
            node = sim.nodes[self.seat]
            image = node.image()

            def lose() -> None:
                if node.is_up:
                    sim.after_crash[self.seat] = (
                        lambda: sim.restart(self.seat, image),
                        self.down,
                    )
                    sim.crash(self.seat)

            sim.plan(self.age, lose)

        sim.plan(max(0.0, self.at - self.age), take)


@dataclass(frozen=True)
class Gone:
    """A seat's node stops at `at`, and comes back after `down` seconds, or never (None)."""

    seat: int
    at: float
    down: float | None

    def begin(self, sim: Simulator) -> None:
        """Stop it when it is time."""

        def stop() -> None:
            if sim.nodes[self.seat].is_up:
                if self.down is not None:
                    sim.after_crash[self.seat] = lambda: sim.restart(self.seat), self.down
                sim.crash(self.seat)

        sim.plan(self.at, stop)


@dataclass(frozen=True)
class Partition:
    """Seats of different groups do not hear each other from `at` on, for so many seconds."""

    groups: tuple[tuple[int, ...], ...]
    at: float
    seconds: float

    def begin(self, sim: Simulator) -> None:
        """Cut the links between the groups, and mend them."""
        pairs = {
            (one, other)
            for some, others in permutations(self.groups, 2)
            for one in some
            for other in others
        }
        _cut(sim, pairs, self.at, self.seconds)


@dataclass(frozen=True)
class OneWay:
    """What `sender` says is not heard by `receivers` from `at` on, for so many seconds."""

    sender: int
    receivers: tuple[int, ...]
    at: float
    seconds: float

    def begin(self, sim: Simulator) -> None:
        """Cut the links in one direction, and mend them."""
        _cut(sim, {(self.sender, other) for other in self.receivers}, self.at, self.seconds)


def _cut(sim: Simulator, pairs: Collection[tuple[int, int]], at: float, seconds: float) -> None:
    sim.plan(at, lambda: sim.block({*pairs}))
    sim.plan(at + seconds, lambda: sim.unblock({*pairs}))


@dataclass(frozen=True)
class Idle:
    """A seat's player does nothing from `at` on, for so many seconds."""

    seat: int
    at: float
    seconds: float

    def begin(self, sim: Simulator) -> None:
        """Let the player go and come back."""

        def set_idle(idle: bool) -> Callable[[], None]:
            return lambda: setattr(sim.nodes[self.seat], "idle", idle)

        sim.counts["idle players"] += 1
        sim.plan(self.at, set_idle(True))
        sim.plan(self.at + self.seconds, set_idle(False))


@dataclass(frozen=True)
class Pausing:
    """Seats ask for a pause at `at`, and take it back after so many seconds."""

    seats: tuple[int, ...]
    at: float
    seconds: float

    def begin(self, sim: Simulator) -> None:
        """Ask, and end it; a node that is down asks for nothing, and later has to end nothing."""
        sim.counts["pauses"] += 1
        for seat in self.seats:
            sim.plan(self.at, lambda seat=seat: self._ask(sim, seat, asks=True))
            sim.plan(self.at + self.seconds, lambda seat=seat: self._ask(sim, seat, asks=False))

    def _ask(self, sim: Simulator, seat: int, *, asks: bool) -> None:
        """Ask until the node may sign."""
        before = len(sim.nodes[seat].log)
        sim.do(seat, lambda session: session.pause(asks))
        if len(sim.nodes[seat].log) == before and not sim.nodes[seat].session.ledger.ended:
            sim.plan(1.0, lambda: self._ask(sim, seat, asks=asks))
