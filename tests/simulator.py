"""N sessions of one table over a fake network and fake disks, as real nodes would run them.

The network delays, reorders, doubles and loses messages; what befalls a message befalls each piece
of a large one.  Seats can be cut off, stop at any point of what they are about to do, lose what was
not synced, and come back; what is done to whom and when is decided in `sim_faults`.

Real ledgers, real proofs, real signatures.  Everything is a function of the seed, so a failing run
is repeated by its seed alone.  An entry's check is pure, so the check of one entry at one position
is made once for all seats of a simulated table.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from unittest.mock import patch

from sim_bots import random_decision, random_play
from sim_disk import Disk
from sim_records import Checks, since

from p2pclimb.cards import Card
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import IllegalPlayError, ViolationError
from p2pclimb.games.moves import Play
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState
from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.position import Position, Verified
from p2pclimb.ledger.record import decode_record, signer_of
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ledger.terms import SeatTerms, Terms
from p2pclimb.net.frames import Piece
from p2pclimb.net.pieces import Assembly, frames_of
from p2pclimb.seat.duties import Seat
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
    Store,
    Tell,
    Unseal,
    Wake,
    Work,
)
from p2pclimb.table.jobs import CheckJob
from p2pclimb.table.notices import (
    ChoiceAsked,
    ClaimAsked,
    NextDealWaits,
    Notice,
    OfferAsked,
    TurnBegan,
)
from p2pclimb.table.session import Session
from p2pclimb.table.sync import batches

__all__ = ["Faults", "Node", "Simulator", "seeded_entropy"]

Question = ClaimAsked | OfferAsked | ChoiceAsked


def seeded_entropy(seed: object) -> Callable[[int], bytes]:
    """Return a source of bytes that is a function of the seed."""
    return random.Random(str(seed)).randbytes


@dataclass(frozen=True)
class Faults:
    """What the fake network does to a message; times in seconds of the fake clock.

    With `in_order` no message overtakes another on its way from one seat to another.
    """

    latest: float = 0.2
    lost: float = 0.0
    doubled: float = 0.0
    in_order: bool = False


class CrashError(Exception):
    """The node stops here, in the middle of what it was about to do."""


@dataclass
class Node(Disk):
    """One seat's session with its fake disk and what it was told.

    `fuse` is after how many more deeds it stops, None if it does not; `life` counts its restarts,
    `idle` says that its player does nothing, and `connected` are the seats it has a link to.
    """

    session: Session = field(kw_only=True)
    connected: set[int] = field(kw_only=True)
    told: list[Notice] = field(default_factory=list)
    signed: dict[bytes, bytes] = field(default_factory=dict)
    sent: set[bytes] = field(default_factory=set)
    fuse: int | None = None
    life: int = 0
    is_up: bool = True
    idle: bool = False
    question: tuple[bytes, Question] | None = None


class Simulator:
    """A table of `seats` bots that play a `game` by `settings`; `run` plays until it ends.

    `leaving` has, for seats that leave, when they do, and `silent`, for seats that the test plays
    itself, from when on their own sessions do nothing; `observe` sees every effect before it is
    carried out, and `watch` each seat whose session has done something.
    """

    def __init__(
        self,
        seed: object,
        seats: int,
        settings: Mapping[str, object] | None = None,
        faults: Faults = Faults(),
        *,
        player: Callable[[DealState, tuple[Card, ...], random.Random], Play] = random_play,
        leaving: Mapping[int, Callable[[Session], bool]] | None = None,
        silent: Mapping[int, Callable[[Session], bool]] | None = None,
        observe: Callable[[Simulator, int, Effect], None] | None = None,
        game: str = "tienlen/1",
    ) -> None:
        self.seed = seed
        self.random = random.Random(f"network {seed}")
        self.faults = faults
        self.player = player
        self.leaving = dict(leaving or {})
        self.silent = dict(silent or {})
        self.observe = observe
        self.watch: Callable[[Simulator, int], None] | None = None
        self.twist: dict[int, Callable[[Effect], list[Effect]]] = {}
        self.after_crash: dict[int, tuple[Callable[[], None], float]] = {}
        self.planned = 0
        self.counts: Counter[str] = Counter()
        self.clock = 0.0
        self.order = 0
        self.queue: list[tuple[float, int, Callable[[], None]]] = []
        self.checks: Checks = {}
        self.arrivals: dict[tuple[int, int], float] = {}
        self.blocked: set[tuple[int, int]] = set()
        self.assemblies: defaultdict[tuple[int, int], Assembly] = defaultdict(Assembly)
        self.identities = [
            Identity.new(seeded_entropy((seed, "identity", n))) for n in range(seats)
        ]
        terms = Terms(
            seeded_entropy((seed, "nonce"))(16),
            Options.make(game, {"deals": 1, **(settings or {})}),
            tuple(
                SeatTerms(f"Seat {n}", identity.public, identity.curve_key_pair()[0], n, True)
                for n, identity in enumerate(self.identities)
            ),
        )
        self.terms = terms
        self.peers = [seat.curve for seat in terms.seats]
        self.nodes = [
            Node(session=self._session(n, 0), connected={*range(seats)} - {n}) for n in range(seats)
        ]
        self.bots = [random.Random(f"bot {seed} {n}") for n in range(seats)]

    def _session(self, seat: int, life: int) -> Session:
        secrets = Seat(
            seat, seeded_entropy((self.seed, "secrets", seat, *([life] if life else [])))
        )
        return Session(self.terms, secrets, self.identities[seat])

    # -- running -------------------------------------------------------------------------------

    def run(self, until: Callable[[Simulator], bool] | None = None, limit: int = 200_000) -> None:
        """Play until `until` holds (default: every ledger has ended)."""
        for seat in range(len(self.nodes)):
            self.do(seat, Session.start)
            tick = self._in_this_life(seat, lambda seat=seat: self._tick(seat))
            self._later(1.0 + seat / 10, tick)
        self.go_on(until, limit)

    def go_on(self, until: Callable[[Simulator], bool] | None = None, limit: int = 200_000) -> None:
        """Go on after `run` has returned."""
        done = until or (lambda sim: all(node.session.ledger.ended for node in sim.nodes))
        for _ in range(limit):
            if done(self):
                return
            assert self.queue, f"seed {self.seed}: nothing happens any more"
            self.clock, _, action = heappop(self.queue)
            action()
            self._leave()
        raise AssertionError(f"seed {self.seed}: no end after {limit} events")

    def do(self, seat: int, act: Callable[[Session], list[Effect]]) -> None:
        """Let a seat's node or player do something, if it runs."""
        node = self.nodes[seat]
        if node.is_up:
            node.session.reachable = tuple(sorted(node.connected))
            self._carry_out(seat, act(node.session))

    def inject(self, seat: int, peer: bytes, records: tuple[bytes, ...]) -> None:
        """Hand records to a seat as if a peer had sent them."""
        self.do(seat, lambda session: session.receive(peer, records))

    def _leave(self) -> None:
        """Let those go whose time has come."""
        for seat, is_time in list(self.leaving.items()):
            node = self.nodes[seat]
            if node.is_up and is_time(node.session):
                del self.leaving[seat]
                self.do(seat, Session.leave)

    def plan(self, delay: float, action: Callable[[], None]) -> None:
        """Do something later that the table is not over without; `planned` counts these."""

        def act() -> None:
            self.planned -= 1
            action()

        self.planned += 1
        self._later(delay, act)

    def _later(self, delay: float, action: Callable[[], None]) -> None:
        self.order += 1
        heappush(self.queue, (self.clock + delay, self.order, action))

    def _in_this_life(self, seat: int, action: Callable[[], None]) -> Callable[[], None]:
        """Return an action that does nothing once the seat's node has stopped."""
        life = self.nodes[seat].life

        def act() -> None:
            if self.nodes[seat].is_up and self.nodes[seat].life == life:
                action()

        return act

    def _tick(self, seat: int) -> None:
        self.do(seat, Session.tick)
        self._ask_again(seat)
        self._later(1.0, self._in_this_life(seat, lambda: self._tick(seat)))

    # -- effects -------------------------------------------------------------------------------

    def _carry_out(self, seat: int, effects: list[Effect]) -> None:
        node = self.nodes[seat]
        if seat in self.silent and self.silent[seat](node.session):
            return
        if self.watch is not None:
            self.watch(self, seat)
        try:
            for effect in effects:
                for each in self.twist[seat](effect) if seat in self.twist else [effect]:
                    self._burn(seat)
                    self._carry_out_one(seat, each)
        except CrashError:
            self.crash(seat)

    def _burn(self, seat: int) -> None:
        """Come one deed nearer to the point at which the node stops, if it does."""
        node = self.nodes[seat]
        if node.fuse is not None:
            node.fuse -= 1
            if node.fuse < 0:
                raise CrashError

    def _carry_out_one(self, seat: int, effect: Effect) -> None:
        node = self.nodes[seat]
        if self.observe is not None:
            self.observe(self, seat, effect)
        match effect:
            case Remember(place, record):
                assert place not in node.signed, f"seed {self.seed}: a place was signed twice"
                node.signed[place] = record
                node.keep(effect)
            case Store() | Seal() | Unseal():
                node.keep(effect)
            case Send() | Flood() | SendPast():
                self._transmit(seat, effect)
            case KeepEvidence():
                pass
            case Tell(notice):
                node.told.append(notice)
                self._react(seat, notice)
            case Work() | Wake():
                self._do_later(seat, effect)

    def _do_later(self, seat: int, effect: Work | Wake) -> None:
        match effect:
            case Work(job):
                delay = self.random.uniform(0, self.faults.latest)
                self._later(delay, self._in_this_life(seat, lambda: self._work(seat, job)))
            case Wake(seconds, alarm):
                ring = self._in_this_life(seat, lambda: self.do(seat, lambda s: s.time_up(alarm)))
                self._later(seconds, ring)

    def _work(self, seat: int, job: Job) -> None:
        result = self._check(job.position, job.entry) if isinstance(job, CheckJob) else job.run()
        self.do(seat, lambda session: session.done(job, result))

    def _check(self, position: Position, entry: Entry) -> Verified | ViolationError:
        key = (position.previous, entry.signed)
        if key not in self.checks:
            self.checks[key] = CheckJob(position, entry).run()
        result = self.checks[key]
        assert isinstance(result, Verified | ViolationError)
        return result

    # -- the network ---------------------------------------------------------------------------

    def _transmit(self, sender: int, effect: Send | Flood | SendPast) -> None:
        if isinstance(effect, SendPast):
            for message in batches(since(self.nodes[sender].log, effect.step)):
                self._transmit(sender, Send(effect.peer, message))
            return
        for receiver, peer in enumerate(self.peers):
            if receiver not in self.nodes[sender].connected:
                continue
            match effect:
                case Send(to, message) if to == peer:
                    self._send(sender, receiver, message)
                case Flood(message, without) if peer != without:
                    self._send(sender, receiver, message)
                    self._burn(sender)

    def _send(self, sender: int, receiver: int, message: Message) -> None:
        if isinstance(message, Records) and sender not in self.twist:
            self._has_kept(sender, message)
        frames = frames_of(message.records) if isinstance(message, Records) else [message]
        for frame in frames:
            copies = 1 + (self.random.random() < self.faults.doubled)
            self.counts["doubled"] += copies - 1
            for _ in range(copies):
                if self.random.random() < self.faults.lost:
                    self.counts["lost"] += 1
                else:
                    delay = self._travel(sender, receiver)
                    deliver = lambda frame=frame: self._deliver(sender, receiver, frame)  # noqa: E731
                    self._later(delay, self._in_this_life(receiver, deliver))

    def _travel(self, sender: int, receiver: int) -> float:
        """Return how long a message is on its way."""
        arrival = self.clock + self.random.uniform(0, self.faults.latest)
        if self.faults.in_order:
            arrival = max(arrival, self.arrivals.get((sender, receiver), 0.0))
            self.arrivals[sender, receiver] = arrival
        return arrival - self.clock

    def _has_kept(self, sender: int, message: Records) -> None:
        """What a node signs itself is on its disk before it is sent for the first time."""
        node = self.nodes[sender]
        own = {r for r in message.records if signer_of(decode_record(r)) == sender} - node.sent
        assert own <= node.durable, f"seed {self.seed}: sent before it was on the disk"
        node.sent |= own

    def _deliver(self, sender: int, receiver: int, frame: Heads | Records | Piece) -> None:
        if (sender, receiver) in self.blocked:
            return
        peer = self.peers[sender]
        match frame:
            case Records(records):
                self.inject(receiver, peer, records)
            case Heads():
                self.do(receiver, lambda session: session.compare(peer, frame))
            case Piece():
                record = self.assemblies[sender, receiver].add(frame)
                self.inject(receiver, peer, () if record is None else (record,))

    def block(self, pairs: set[tuple[int, int]]) -> None:
        """Let nothing through from one seat to another any more, by pairs."""
        self.counts["links cut"] += len(pairs)
        self.blocked |= pairs
        self._notice_links(pairs)

    def unblock(self, pairs: set[tuple[int, int]]) -> None:
        """Let everything through again between these pairs."""
        self.blocked -= pairs
        self._notice_links(pairs)

    def _notice_links(self, pairs: set[tuple[int, int]]) -> None:
        """Let both ends find out, some time after it happened, whether they have a link."""
        for one, other in sorted({(min(pair), max(pair)) for pair in pairs}):
            for delay in (self.random.uniform(0, 3), self.random.uniform(3, 12)):
                self._later(delay, lambda one=one, other=other: self._look_at_link(one, other))

    def _look_at_link(self, one: int, other: int) -> None:
        ends = (one, other), (other, one)
        is_linked = not self.blocked & {*ends} and all(self.nodes[n].is_up for n in (one, other))
        for seat, peer in ends:
            node = self.nodes[seat]
            if is_linked and peer not in node.connected:
                node.connected.add(peer)
                self.do(seat, lambda session, peer=peer: session.greet(self.peers[peer]))
            elif not is_linked:
                node.connected.discard(peer)

    # -- stopping and coming back --------------------------------------------------------------

    def crash(self, seat: int) -> None:
        """Stop a node as if it had been killed: what was not synced may be lost."""
        node = self.nodes[seat]
        self.counts["crashes"] += 1
        node.is_up, node.fuse = False, None
        node.life += 1
        node.connected.clear()
        node.lose_what_was_not_synced(self.random)
        self._notice_links(self._links_of(seat))
        if seat in self.after_crash:
            act, delay = self.after_crash.pop(seat)
            self.plan(delay, act)

    def restart(self, seat: int, image: Disk | None = None) -> None:
        """Bring a node back from its disk, or from an older image of it."""
        node = self.nodes[seat]
        self.counts["restarts"] += 1
        if image is not None:
            self.counts["backups put back"] += 1
            node.restore(image)
        for other in range(len(self.nodes)):
            self.assemblies.pop((other, seat), None)
        node.life += 1
        node.session, node.is_up, node.question = self._session(seat, node.life), True, None
        if node.log:
            records, guard, sealed = [*node.log], {**node.guard}, {**node.sealed}
            with patch("p2pclimb.table.recall.check_entry", self._checked):
                self.do(seat, lambda session: session.resume(records, guard, sealed))
        else:
            self.do(seat, Session.start)
        self._later(1.0, self._in_this_life(seat, lambda: self._tick(seat)))
        self._notice_links(self._links_of(seat))

    def _links_of(self, seat: int) -> set[tuple[int, int]]:
        return {(seat, other) for other in range(len(self.nodes)) if other != seat}

    def _checked(self, position: Position, entry: Entry) -> Verified:
        result = self._check(position, entry)
        if isinstance(result, ViolationError):
            raise result
        return result

    # -- players -------------------------------------------------------------------------------

    def _react(self, seat: int, notice: Notice) -> None:
        match notice:
            case TurnBegan(turn) if turn == seat:
                pause = self.random.uniform(0, 0.1)
                self._later(pause, self._in_this_life(seat, lambda: self._play(seat)))
            case ClaimAsked() | OfferAsked() | ChoiceAsked():
                node = self.nodes[seat]
                node.question = node.session.ledger.position.previous, notice
                pause = self.random.uniform(0, 0.1)
                self._later(pause, self._in_this_life(seat, lambda: self._decide(seat)))
            case NextDealWaits():
                pause = self.random.uniform(0, 3)
                ready = self._in_this_life(seat, lambda: self.do(seat, Session.ready))
                self._later(pause, ready)

    def _ask_again(self, seat: int) -> None:
        """Let a player decide that could not, or did not, when it was asked."""
        session = self.nodes[seat].session
        if session.awaits_player and not session.has_claimed:
            self._play(seat)
            self._decide(seat)

    def _decide(self, seat: int) -> None:
        node = self.nodes[seat]
        position = node.session.ledger.position
        if node.idle or node.question is None or not node.session.awaits_player:
            return
        previous, notice = node.question
        if previous == position.previous and node.session.cards():
            decision = random_decision(node.session, notice, self.bots[seat])
            if decision is not None:
                self._try(seat, lambda session: session.play(decision))
            if isinstance(notice, ClaimAsked):
                node.question = None

    def _play(self, seat: int) -> None:
        node = self.nodes[seat]
        stage = node.session.ledger.position.stage
        is_due = isinstance(stage, Turning) and stage.state.turn == seat
        if is_due and not node.idle and node.session.awaits_player and node.session.cards():
            assert isinstance(stage, Turning)
            play = self.player(stage.state, node.session.cards(), self.bots[seat])
            self._try(seat, lambda session: session.play(play))

    def _try(self, seat: int, act: Callable[[Session], list[Effect]]) -> None:
        """Decide, unless the node asks to wait until it is certain what the play builds on."""
        try:
            self.do(seat, act)
        except IllegalPlayError as error:
            if "Wait a moment" not in error.text:
                raise
