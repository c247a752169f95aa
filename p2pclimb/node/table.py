"""One table on one node: carries out what the session asks for.

Files first, then frames, in the session's order; timers for comparing heads and for the pause
between deals.  Who is connected is the business of `presence`, what takes long that of `workers`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable

from p2pclimb.errors import ClimbError, MalformedError
from p2pclimb.net.address import Address
from p2pclimb.net.frames import Peers, Piece
from p2pclimb.net.links import Links
from p2pclimb.net.pieces import Assembly, frames_of
from p2pclimb.node.addressbook import AddressBook
from p2pclimb.node.answers import Answers
from p2pclimb.node.journal import Journal
from p2pclimb.node.presence import Presence
from p2pclimb.node.workers import Workers
from p2pclimb.table.effects import (
    Effect,
    Flood,
    Heads,
    Job,
    KeepEvidence,
    Message,
    Records,
    Remember,
    Seal,
    Send,
    SendPast,
    StepLate,
    Store,
    Tell,
    Unseal,
    Wake,
    Work,
    gathered,
)
from p2pclimb.table.notices import EvidenceKept, NextDealWaits, Notice, PeerFault
from p2pclimb.table.session import Session
from p2pclimb.table.sync import batches, heads

__all__ = ["Table"]

_COMPARE_EVERY = 2.0


class Table:
    """A session with its files and links; `tell` gets every notice.

    `home` gives the addresses at which this node can be dialled now.
    """

    def __init__(
        self,
        session: Session,
        journal: Journal,
        links: Links,
        home: Callable[[], tuple[Address, ...]],
        tell: Callable[[Notice], None],
        fail: Callable[[Exception], None],
    ) -> None:
        self.session = session
        self.journal = journal
        self._book = AddressBook(journal.whereabouts.peers)
        self.presence = Presence(session.ledger, session.seat.number, links, self._book, tell)
        self._home = home
        self._told_addresses = Peers(())
        self._links = links
        self._tell = tell
        self._fail = fail
        self._is_stopped = False
        self._workers = Workers(fail)
        self._timers: list[asyncio.TimerHandle] = []
        self._step_timer = self._later(0, lambda: None)
        self._assemblies: defaultdict[bytes, Assembly] = defaultdict(Assembly)
        self._theirs: dict[bytes, Heads] = {}
        self._answers: defaultdict[bytes, Answers] = defaultdict(Answers)
        self._changed = asyncio.Event()
        self._faulty: set[bytes] = set()

    @property
    def has_signed(self) -> bool:
        """Whether this seat has signed the terms."""
        return self.session.has_signed

    def start(self) -> None:
        """Sign the terms and begin; peers that are up are greeted."""
        self._begin(Session.start)

    def resume(self, effects: Iterable[Effect]) -> None:
        """Go on where the journal ends, with what the session asks for there."""
        self._begin(lambda _: [*effects])

    def _begin(self, act: Callable[[Session], list[Effect]]) -> None:
        self.do(act)
        for peer in self._links.peers():
            self.link_up(peer)
        self._later(_COMPARE_EVERY, self._tick)

    def do(self, act: Callable[[Session], list[Effect]]) -> None:
        """Let the session do something, and carry out what it asks for."""
        if self._is_stopped:
            return
        self.session.reachable = tuple(seat for seat, up in self.presence.connected.items() if up)
        self._carry_out(act(self.session))

    async def checked(self) -> None:
        """Wait until all that has arrived is checked."""
        await self._workers.finished()

    def receive(self, peer: bytes, message: Message | Piece) -> None:
        """Take a message of a seated peer, or a piece of one."""
        if peer not in self.presence.seats:
            return
        match message:
            case Heads():
                self._theirs[peer] = message
                self._answer(peer, message)
                self._changed.set()
            case Records(records):
                self.do(lambda session: session.receive(peer, records))
            case Piece():
                self._assemble(peer, message)

    def _assemble(self, peer: bytes, piece: Piece) -> None:
        try:
            record = self._assemblies[peer].add(piece)
        except MalformedError as error:
            self.fault(peer, error.text)
            return
        if record is not None:
            self.do(lambda session: session.receive(peer, (record,)))

    def _answer(self, peer: bytes, theirs: Heads) -> None:
        now, ours = asyncio.get_running_loop().time(), heads(self.session.ledger)
        if self._answers[peer].may_answer(theirs, ours, now):
            self.do(lambda session: session.compare(peer, theirs))

    async def settled(self, patience: float, *, everybody: bool = False) -> None:
        """Wait until every connected peer is as far as this node, at most `patience` seconds.

        With `everybody`, until all who have not left are connected as well.
        """
        self.do(Session.tick)
        await self._until(
            lambda: self._all_are_here() and not (everybody and self.presence.are_missing),
            patience,
        )

    async def left(self, patience: float) -> None:
        """Wait until this seat could sign that it leaves, at most `patience` seconds."""

        def has_left() -> bool:
            self.do(Session.leave)
            return self.session.has_left or self.session.ledger.ended

        await self._until(has_left, patience)

    async def _until(self, condition: Callable[[], bool], patience: float) -> None:
        """Wait for what the word of a peer can bring about."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not condition():
                    self._changed.clear()
                    await self._changed.wait()

    def stop(self) -> None:
        """Do nothing any more: nothing is signed, passed on or kept."""
        self._is_stopped = True
        for timer in self._timers:
            timer.cancel()
        self._workers.stop()

    def close(self) -> None:
        """Stop, and close the files; there is no way back for a seat that has left."""
        self.stop()
        self.journal.close(finished=self.session.ledger.ended or self.session.has_left)

    def abandon(self) -> None:
        """Stop, and remove the files: the table never opened."""
        self.stop()
        self.journal.discard()

    # -- the links -----------------------------------------------------------------------------

    def link_up(self, peer: bytes) -> None:
        """Greet a peer that has just been connected."""
        if peer in self.presence.seats:
            self.presence.came(peer)
            self._links.send(peer, self._addresses())
            self.do(lambda session: session.greet(peer))

    def link_down(self, peer: bytes) -> None:
        """Note that a peer is not connected any more."""
        self._changed.set()
        self.presence.went(peer)

    def fault(self, peer: bytes, text: str) -> None:
        """Tell, once, that a peer does not behave as it should."""
        if peer in self.presence.seats and peer not in self._faulty:
            self._faulty.add(peer)
            self._tell(PeerFault(peer, text))

    def learn_addresses(
        self, peer: bytes, told: Peers | tuple[Address, ...], host: str | None
    ) -> None:
        """Take where a seated peer can be dialled, or what it says of others as well.

        `host` is where it has dialled this node from, if it has.
        """
        if peer not in self.presence.seats:
            return
        match told:
            case Peers():
                self._book.heard(peer, told)
            case _:
                self._book.said(peer, told, host)

    def _addresses(self) -> Peers:
        """Return where this node is, and all others that have said so themselves."""
        others = self._book.first_hand()
        own = self.session.terms.seats[self.session.seat.number].curve
        return Peers(((own, self._home()), *others.items()))

    def _pass_on_addresses(self) -> None:
        """Keep the addresses, and tell all others, if any has changed."""
        addresses = self._addresses()
        if addresses != self._told_addresses:
            self._told_addresses = addresses
            self.journal.keep_addresses(self._book.first_hand())
            for peer in self.presence.connected_peers():
                self._links.send(peer, addresses)

    def _tick(self) -> None:
        self.do(Session.tick)
        self._pass_on_addresses()
        self.presence.look()
        self._later(_COMPARE_EVERY, self._tick)

    # -- effects -------------------------------------------------------------------------------

    def _all_are_here(self) -> bool:
        position = self.session.ledger.position
        return all(
            (theirs := self._theirs.get(peer)) is not None and theirs.step >= position.step
            for peer in self.presence.connected_peers()
        )

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        try:
            for effect in gathered(effects):
                self._carry_out_one(effect)
        except ClimbError as error:
            # What could not be kept must not be sent: nothing of the rest is carried out.
            self.stop()
            self._fail(error)

    def _carry_out_one(self, effect: Effect) -> None:
        match effect:
            case Remember() | Store() | Seal() | Unseal():
                self.journal.keep(effect)
            case Send() | SendPast() | Flood():
                self._transmit(effect)
            case Work(job, can_wait):
                self._start(job, can_wait)
            case Wake(seconds, alarm):
                ring = self._later(seconds, lambda: self.do(lambda s: s.time_up(alarm)))
                if isinstance(alarm, StepLate):
                    # The step before cannot be late any more.
                    self._step_timer.cancel()
                    self._step_timer = ring
            case KeepEvidence(seat, step, proof):
                self._workers.write(
                    self.journal.evidence(seat, step, proof).write,
                    lambda path: self._tell(EvidenceKept(seat, str(path))),
                )
            case Tell(PeerFault(peer, text)):
                self._links.charge(peer)
                self.fault(peer, text)
            case Tell(notice):
                self._tell(notice)
                self._schedule(notice)

    def _transmit(self, effect: Send | SendPast | Flood) -> None:
        match effect:
            case Send(peer, message):
                self._reply(peer, message)
            case SendPast(peer, step):
                for message in batches(self.journal.since(step)):
                    self._reply(peer, message)
            case Flood(message, without):
                for peer in self.presence.connected_peers():
                    if peer != without:
                        self._send(peer, message)

    def _reply(self, peer: bytes, message: Message) -> None:
        """Send a message that is for one peer alone, which can ask for many."""
        if isinstance(message, Records):
            self._answers[peer].answered(sum(map(len, message.records)))
        self._send(peer, message)

    def _send(self, peer: bytes, message: Message) -> None:
        match message:
            case Heads():
                self._links.send(peer, message)
            case Records(records):
                for frame in frames_of(records):
                    self._links.send(peer, frame)

    def _start(self, job: Job, can_wait: bool) -> None:
        def done(result: object) -> None:
            self.do(lambda session: session.done(job, result))

        self._workers.start(job, done, can_wait=can_wait)

    def _schedule(self, notice: Notice) -> None:
        pause = self.session.terms.options.number("between")
        if isinstance(notice, NextDealWaits) and pause > 0:
            self._later(pause, lambda: self.do(Session.ready))

    def _later(self, seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._timers = [t for t in self._timers if t.when() > now and not t.cancelled()]
        self._timers.append(loop.call_later(seconds, self._act_or_fail, act))
        return self._timers[-1]

    def _act_or_fail(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            self._fail(error)
