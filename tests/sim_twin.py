"""One identity on two machines: a seat is brought back on another machine while it still runs."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass, field

from sim_disk import Disk
from simulator import Simulator

from p2pclimb.errors import IllegalPlayError
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.net.frames import Piece
from p2pclimb.net.pieces import Assembly
from p2pclimb.table.effects import (
    Effect,
    Flood,
    Heads,
    Records,
    Remember,
    Seal,
    Send,
    Store,
    Tell,
    Unseal,
    Wake,
    Work,
)
from p2pclimb.table.notices import Notice
from p2pclimb.table.session import Session

__all__ = ["Twin"]


@dataclass
class Twin:
    """From `at` on a second machine runs the seat, from a copy of what its disk had then.

    It hears what the first one hears, and both are heard by the others.
    """

    sim: Simulator
    seat: int
    at: float
    source: random.Random
    disk: Disk = field(default_factory=Disk)
    session: Session | None = None
    told: list[Notice] = field(default_factory=list)
    assemblies: dict[int, Assembly] = field(default_factory=dict)

    def begin(self, sim: Simulator) -> None:
        """Plan when the second machine starts."""
        sim.plan(self.at, self._start)

    def _start(self) -> None:
        sim = self.sim
        self.disk = sim.nodes[self.seat].image()
        sim.twins[self.seat] = self
        sim.twist[self.seat] = lambda effect: [effect]
        sim.counts["second machines"] += 1
        self.session = sim.new_session(self.seat, 1_000)
        disk = self.disk
        self._do(self.session.resume(disk.log[:], {**disk.guard}, {**disk.sealed}))
        for peer in self._peers():
            self._do(self.session.greet(sim.peers[peer]))
        self._tick()

    def _peers(self) -> list[int]:
        return [n for n in range(len(self.sim.nodes)) if n != self.seat]

    def deliver(self, sender: int, frame: Heads | Records | Piece) -> None:
        """Take what was sent to the seat."""
        assert self.session is not None
        peer = self.sim.peers[sender]
        match frame:
            case Records(records):
                self._do(self.session.receive(peer, records))
            case Heads():
                self._do(self.session.compare(peer, frame))
            case Piece():
                record = self.assemblies.setdefault(sender, Assembly()).add(frame)
                self._do(self.session.receive(peer, () if record is None else (record,)))

    def _tick(self) -> None:
        assert self.session is not None
        self.session.reachable = tuple(self._peers())
        self._do(self.session.tick())
        stage = self.session.ledger.position.stage
        if isinstance(stage, Turning) and self.session.awaits_player and self.session.cards():
            play = self.sim.player(stage.state, self.session.cards(), self.source)
            with suppress(IllegalPlayError):  # it waits until what it builds on is certain
                self._do(self.session.play(play))
        self._do(self.session.ready())
        self.sim._later(1.0, self._tick)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            self._do_one(effect)

    def _do_one(self, effect: Effect) -> None:
        sim, session = self.sim, self.session
        assert session is not None
        match effect:
            case Remember() | Store() | Seal() | Unseal():
                self.disk.keep(effect)
            case Send(peer, message):
                sim._send(self.seat, sim.peers.index(peer), message)
            case Flood(message, without):
                for receiver in self._peers():
                    if sim.peers[receiver] != without:
                        sim._send(self.seat, receiver, message)
            case Tell(notice):
                self.told.append(notice)
            case Work(job):
                sim._later(0.1, lambda: self._do(session.done(job, job.run())))
            case Wake(seconds, alarm):
                sim._later(seconds, lambda: self._do(session.time_up(alarm)))
