"""One table on one node: carries out what the session asks for.

Files first, then frames, in the session's order; long jobs in worker threads; timers for comparing
heads and for the pause between deals.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

from p2pclimb.errors import ClimbError
from p2pclimb.net.address import Address
from p2pclimb.net.links import Links
from p2pclimb.net.wire import batch_records
from p2pclimb.node.journal import Journal
from p2pclimb.table.effects import (
    Effect,
    Flood,
    Heads,
    Job,
    Message,
    Records,
    Remember,
    Send,
    Store,
    Tell,
    Work,
)
from p2pclimb.table.notices import LinkDown, LinkUp, NextDealWaits, Notice
from p2pclimb.table.session import Session

__all__ = ["Table"]

_WORKERS = 2
_COMPARE_EVERY = 2.0


class Table:
    """A session with its files and links; `tell` gets every notice."""

    def __init__(
        self,
        session: Session,
        journal: Journal,
        links: Links,
        addresses: Mapping[bytes, tuple[Address, ...]],
        tell: Callable[[Notice], None],
        fail: Callable[[BaseException], None],
    ) -> None:
        self.session = session
        self.journal = journal
        self._links = links
        self._addresses = dict(addresses)
        self._tell = tell
        self._fail = fail
        self._is_stopped = False
        self._workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="proofs")
        self._jobs: set[asyncio.Future[None]] = set()
        self._timers: list[asyncio.TimerHandle] = []
        self._seats = {
            seat.curve: number
            for number, seat in enumerate(session.terms.seats)
            if number != session.seat.number
        }
        self._theirs: dict[bytes, Heads] = {}
        self._compared = asyncio.Event()

    @property
    def connected(self) -> Mapping[int, bool]:
        """Whether each other seat is connected to this node."""
        up = self._links.peers()
        return {number: peer in up for peer, number in self._seats.items()}

    def start(self) -> None:
        """Sign the terms and begin; peers that are up are greeted."""
        self.do(Session.start)
        for peer in self._links.peers():
            self.link_up(peer)
        self._later(_COMPARE_EVERY, self._tick)

    def do(self, act: Callable[[Session], list[Effect]]) -> None:
        """Let the session do something, and carry out what it asks for."""
        if self._is_stopped:
            return
        self.session.reachable = tuple(seat for seat, up in self.connected.items() if up)
        self._carry_out(act(self.session))

    def receive(self, peer: bytes, message: Message) -> None:
        """Take a message of a seated peer."""
        match message:
            case Heads():
                self._theirs[peer] = message
                self._compared.set()
                self.do(lambda session: session.compare(peer, message))
            case Records(records):
                self.do(lambda session: session.receive(peer, records))

    def link_up(self, peer: bytes) -> None:
        """Greet a peer that has just been connected."""
        if peer in self._seats:
            self._tell(LinkUp(self._seats[peer]))
            self.do(lambda session: session.greet(peer))

    def link_down(self, peer: bytes, reason: str) -> None:
        """Note that a peer is not connected any more, or cannot be reached."""
        if peer in self._seats and peer not in self._links.peers():
            self._tell(LinkDown(self._seats[peer], reason))

    def dial_all(self) -> None:
        """Dial the seats that are not connected; of two seats the later one dials first."""
        up = self._links.peers()
        for peer, number in self._seats.items():
            if peer not in up and number < self.session.seat.number:
                self._links.dial(peer, self._addresses.get(peer, ()))

    def learn_addresses(self, peer: bytes, addresses: tuple[Address, ...]) -> None:
        """Remember where a seated peer can be dialled."""
        if peer in self._seats and addresses:
            self._addresses[peer] = addresses

    async def settled(self, patience: float) -> None:
        """Wait until every connected peer is as far as this node, at most `patience` seconds."""
        self.do(Session.tick)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not self._all_are_here():
                    self._compared.clear()
                    await self._compared.wait()

    async def close(self) -> None:
        """Stop, wait for the jobs that run, and close the files."""
        self._stop()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        self.journal.close(finished=self.session.ledger.ended)

    def abandon(self) -> None:
        """Stop, and remove the files: the table never opened."""
        self._stop()
        self.journal.discard()

    def _stop(self) -> None:
        self._is_stopped = True
        for timer in self._timers:
            timer.cancel()
        self._workers.shutdown(wait=False)

    def _all_are_here(self) -> bool:
        position = self.session.ledger.position
        return all(
            (theirs := self._theirs.get(peer)) is not None and theirs.step >= position.step
            for peer in self._links.peers()
            if peer in self._seats
        )

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        try:
            for effect in effects:
                self._carry_out_one(effect)
        except ClimbError as error:
            # What could not be kept must not be sent: nothing of the rest is carried out.
            self._stop()
            self._fail(error)

    def _carry_out_one(self, effect: Effect) -> None:
        match effect:
            case Remember() | Store():
                self.journal.keep(effect)
            case Send(peer, message):
                self._send(peer, message)
            case Flood(message, without):
                for peer in self._links.peers():
                    if peer != without and peer in self._seats:
                        self._send(peer, message)
            case Work(job):
                future = asyncio.ensure_future(self._work(job))
                self._jobs.add(future)
                future.add_done_callback(self._jobs.discard)
            case Tell(notice):
                self._tell(notice)
                self._schedule(notice)

    def _send(self, peer: bytes, message: Message) -> None:
        match message:
            case Heads():
                self._links.send(peer, message)
            case Records(records):
                for frame in batch_records(records):
                    self._links.send(peer, frame)

    async def _work(self, job: Job) -> None:
        loop = asyncio.get_running_loop()
        try:
            result = await loop.run_in_executor(self._workers, job.run)
        except Exception as error:
            self._fail(error)
            return
        self.do(lambda session: session.done(job, result))

    def _schedule(self, notice: Notice) -> None:
        pause = self.session.terms.options.number("between")
        if isinstance(notice, NextDealWaits) and pause > 0:
            self._later(pause, lambda: self.do(Session.ready))

    def _tick(self) -> None:
        self.do(Session.tick)
        up = self._links.peers()
        for peer in self._seats:
            if peer not in up:
                self._links.dial(peer, self._addresses.get(peer, ()))
        self._later(_COMPARE_EVERY, self._tick)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        self._timers = [timer for timer in self._timers if timer.when() > loop.time()]
        self._timers.append(loop.call_later(seconds, act))
