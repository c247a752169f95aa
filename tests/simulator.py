"""N sessions of one table over a fake network: seeded delays, reordering, duplicates and losses.

What befalls a message befalls each piece of a large one.

Real ledgers, real proofs, real signatures; only the wire and the disk are fake.  Everything is a
function of the seed, so a failing run is repeated by its seed alone.  An entry's check is pure, so
the check of one entry at one position is made once for all seats of a simulated table.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

from p2pclimb.cards import Card
from p2pclimb.crypto.identity import Identity
from p2pclimb.games.instant_wins import best_instant_win
from p2pclimb.games.legal import legal_claims
from p2pclimb.games.moves import Play
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState
from p2pclimb.ledger.entry import Entry, Kind, Leave
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.position import Verified
from p2pclimb.ledger.record import Record, decode_record
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ledger.terms import SeatTerms, Terms
from p2pclimb.ledger.votes import Certificate
from p2pclimb.net.frames import Piece
from p2pclimb.net.pieces import Assembly, frames_of
from p2pclimb.seat.decisions import Choice, Claim, Decision, Offer
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

__all__ = ["Faults", "Node", "Simulator", "replay", "scenario", "seeded_entropy"]


def seeded_entropy(seed: object) -> Callable[[int], bytes]:
    """Return a source of bytes that is a function of the seed."""
    return random.Random(str(seed)).randbytes


def random_play(state: DealState, hand: tuple[Card, ...], source: random.Random) -> Play:
    """Play any legal cards, or pass once in a while when that is allowed."""
    legal = state.legal_plays(hand)
    plays = list(legal)
    if legal.passing and (not plays or source.random() < 0.2):
        return legal.passing
    return source.choice(plays)


def random_decision(
    session: Session, notice: ClaimAsked | OfferAsked | ChoiceAsked, source: random.Random
) -> Decision | None:
    """Claim as often as that is right, offer and choose anything."""
    hand = session.cards()
    match notice, session.ledger.position.stage:
        case ClaimAsked(), InstantClaiming(cast=cast):
            options, is_first = cast.match.options, cast.match.is_first_deal
            return Claim(hand) if best_instant_win(hand, options, is_first) else None
        case ClaimAsked(), FoursClaiming(state=state):
            claims = legal_claims(state, hand)
            return Claim(source.choice(claims)) if claims else None
        case OfferAsked(received=received), _:
            others = list(hand)
            others.remove(received)
            return Offer(tuple(source.sample(others, 2)))
        case ChoiceAsked(cards=cards), _:
            return Choice(source.choice(cards))
    raise AssertionError(f"{notice} is asked at another step")


@dataclass(frozen=True)
class Faults:
    """What the fake network does to a message; times in seconds of the fake clock."""

    latest: float = 0.2
    lost: float = 0.0
    doubled: float = 0.0


@dataclass
class Node:
    """One seat's session with its fake disk and what it was told."""

    session: Session
    log: list[bytes] = field(default_factory=list)
    guard: dict[bytes, bytes] = field(default_factory=dict)
    sealed: dict[bytes, bytes] = field(default_factory=dict)
    signed: dict[bytes, bytes] = field(default_factory=dict)
    told: list[Notice] = field(default_factory=list)
    synced: int = 0


class Simulator:
    """A table of `seats` bots that play a `game` by `settings`; `run` plays until it ends.

    `leaving` has, for seats that leave, when they do, and `silent`, for seats that the test plays
    itself, from when on their own sessions do nothing; `observe` sees every effect before it is
    carried out.
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
        self.clock = 0.0
        self.order = 0
        self.queue: list[tuple[float, int, Callable[[], None]]] = []
        self.checks: Checks = {}
        self.assemblies: defaultdict[tuple[int, int], Assembly] = defaultdict(Assembly)
        identities = [Identity.new(seeded_entropy((seed, "identity", n))) for n in range(seats)]
        terms = Terms(
            seeded_entropy((seed, "nonce"))(16),
            Options.make(game, {"deals": 1, **(settings or {})}),
            tuple(
                SeatTerms(f"Seat {n}", identity.public, identity.curve_key_pair()[0], n, True)
                for n, identity in enumerate(identities)
            ),
        )
        self.terms = terms
        self.peers = [seat.curve for seat in terms.seats]
        self.nodes = [
            Node(Session(terms, Seat(n, seeded_entropy((seed, "secrets", n))), identity))
            for n, identity in enumerate(identities)
        ]
        self.bots = [random.Random(f"bot {seed} {n}") for n in range(seats)]

    def run(self, until: Callable[[Simulator], bool] | None = None, limit: int = 200_000) -> None:
        """Play until `until` holds (default: every ledger has ended)."""
        for n, node in enumerate(self.nodes):
            self._carry_out(n, node.session.start())
            self._later(1.0 + n / 10, lambda n=n: self._tick(n))
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
        """Let a seat's player do something."""
        self._carry_out(seat, act(self.nodes[seat].session))

    def inject(self, seat: int, peer: bytes, records: tuple[bytes, ...]) -> None:
        """Hand records to a seat as if a peer had sent them."""
        self._carry_out(seat, self.nodes[seat].session.receive(peer, records))

    def _leave(self) -> None:
        """Let those go whose time has come."""
        for seat, is_time in list(self.leaving.items()):
            if is_time(self.nodes[seat].session):
                del self.leaving[seat]
                self.do(seat, Session.leave)

    def _later(self, delay: float, action: Callable[[], None]) -> None:
        self.order += 1
        heappush(self.queue, (self.clock + delay, self.order, action))

    def _tick(self, seat: int) -> None:
        self._carry_out(seat, self.nodes[seat].session.tick())
        self._later(1.0, lambda: self._tick(seat))

    def _carry_out(self, seat: int, effects: list[Effect]) -> None:
        node = self.nodes[seat]
        if seat in self.silent and self.silent[seat](node.session):
            return
        for effect in effects:
            if self.observe is not None:
                self.observe(self, seat, effect)
            match effect:
                case Remember() | Store() | Seal() | Unseal():
                    self._write(node, effect)
                case SendPast(peer, step):
                    self._send_past(seat, peer, step)
                case KeepEvidence():
                    pass
                case Send() | Flood():
                    self._transmit(seat, effect)
                case Work(job):
                    delay = self.random.uniform(0, self.faults.latest)
                    self._later(delay, lambda job=job: self._work(seat, job))
                case Wake(seconds, alarm):
                    self._later(seconds, lambda a=alarm: self.do(seat, lambda s: s.time_up(a)))
                case Tell(notice):
                    node.told.append(notice)
                    self._react(seat, notice)

    def _send_past(self, sender: int, peer: bytes, step: int) -> None:
        """Send what the log has from a step on, as the node does."""
        records = (data for data in self.nodes[sender].log if _step_of(decode_record(data)) >= step)
        for message in batches(records):
            self._send(sender, self.peers.index(peer), message)

    def _write(self, node: Node, effect: Remember | Store | Seal | Unseal) -> None:
        match effect:
            case Seal(name, secret):
                assert name not in node.sealed
                node.sealed[name] = secret
            case Unseal(names):
                for name in names:
                    del node.sealed[name]
            case Remember(place, record, final):
                assert place not in node.signed, f"seed {self.seed}: a place was signed twice"
                node.signed[place] = node.guard[place] = record
                for key in final:
                    del node.guard[key]
            case Store(record, sync):
                node.log.append(record)
                node.synced = len(node.log) if sync else node.synced

    def _transmit(self, sender: int, effect: Send | Flood) -> None:
        for receiver, peer in enumerate(self.peers):
            match effect:
                case Send(to, message) if to == peer:
                    self._send(sender, receiver, message)
                case Flood(message, without) if receiver != sender and peer != without:
                    self._send(sender, receiver, message)

    def _send(self, sender: int, receiver: int, message: Message) -> None:
        if isinstance(message, Records):
            own = [r for r in message.records if r in self.nodes[sender].log]
            stored = self.nodes[sender].log[: self.nodes[sender].synced]
            # What a node signed itself is on its disk before it is sent.
            assert all(r in stored for r in own if r in self.nodes[sender].guard.values())
        frames = frames_of(message.records) if isinstance(message, Records) else [message]
        for frame in frames:
            for _ in range(1 + (self.random.random() < self.faults.doubled)):
                if self.random.random() >= self.faults.lost:
                    delay = self.random.uniform(0, self.faults.latest)
                    deliver = lambda frame=frame: self._deliver(sender, receiver, frame)  # noqa: E731
                    self._later(delay, deliver)

    def _deliver(self, sender: int, receiver: int, frame: Heads | Records | Piece) -> None:
        session = self.nodes[receiver].session
        match frame:
            case Records(records):
                effects = session.receive(self.peers[sender], records)
            case Heads():
                effects = session.compare(self.peers[sender], frame)
            case Piece():
                record = self.assemblies[sender, receiver].add(frame)
                whole = () if record is None else (record,)
                effects = session.receive(self.peers[sender], whole)
        self._carry_out(receiver, effects)

    def _work(self, seat: int, job: Job) -> None:
        if isinstance(job, CheckJob):
            key = (job.position.previous, job.entry.signed)
            if key not in self.checks:
                self.checks[key] = job.run()
            result = self.checks[key]
        else:
            result = job.run()
        self._carry_out(seat, self.nodes[seat].session.done(job, result))

    def _react(self, seat: int, notice: Notice) -> None:
        match notice:
            case TurnBegan(turn) if turn == seat:
                self._later(self.random.uniform(0, 0.1), lambda: self._play(seat))
            case ClaimAsked() | OfferAsked() | ChoiceAsked():
                step = self.nodes[seat].session.ledger.position.step
                pause = self.random.uniform(0, 0.1)
                self._later(pause, lambda: self._decide(seat, step, notice))
            case NextDealWaits():
                pause = self.random.uniform(0, 3)
                self._later(pause, lambda: self.do(seat, lambda session: session.ready()))

    def _decide(self, seat: int, step: int, notice: ClaimAsked | OfferAsked | ChoiceAsked) -> None:
        session = self.nodes[seat].session
        position = session.ledger.position
        is_asked = position.step == step and seat in position.waiting()
        if is_asked:
            decision = random_decision(session, notice, self.bots[seat])
            self._carry_out(seat, session.play(decision) if decision is not None else [])

    def _play(self, seat: int) -> None:
        session = self.nodes[seat].session
        stage = session.ledger.position.stage
        if isinstance(stage, Turning) and stage.state.turn == seat:
            play = self.player(stage.state, session.cards(), self.bots[seat])
            self._carry_out(seat, session.play(play))


Checks = dict[tuple[bytes, bytes], object]


def _step_of(record: Record) -> int:
    match record:
        case Entry(place=place) | Certificate(place=place):
            return place.step
        case _:
            return 0


def replay(log: list[bytes], checks: Checks | None = None) -> Ledger:
    """Fold a log into a new ledger, as an auditor does; raises for anything that is not right.

    `checks` are results of checks that were made before; without them all are made anew.
    """
    terms, *records = map(decode_record, log)
    assert isinstance(terms, Terms)
    ledger = Ledger(terms)
    for record in records:
        match record:
            case Leave():
                record.verify(terms)
                ledger.notice(record)
            case Entry():
                known = checks and checks.get((ledger.position.previous, record.signed))
                if isinstance(known, Verified) and ledger.standing(record) is Standing.OPEN:
                    record.verify(terms)
                    ledger.fill(known)
                else:
                    ledger.accept(record)
    return ledger


# Weighted by how often a kind of table is wanted: large ones take long.
_SEATS = (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4)
_LARGE = (5, 6, 7, 8)
_RULES: tuple[tuple[str, dict[str, object]], ...] = (
    ("tienlen/1", {}),
    ("tienlen/1", {}),
    ("tienlen/1", {"show_rest": True}),
    ("tienlen/1", {"finish_on_two": False}),
    ("tienlen/1", {"pass_rule": "free"}),
    ("tienlen/1", {"finish_on_two": False, "show_rest": True}),
    ("tienlen/1", {"direction": "anticlockwise", "pass_rule": "free"}),
    ("tienlen/1", {"scoring": "places", "stake": 3}),
    ("tienlen-south/1", {}),
    ("tienlen-south/1", {"rotten_twos": True, "chop_pay": True, "finish_on_two": False}),
    ("winner/1", {}),
    ("winner/1", {"exchange": True}),
    ("winner/1", {"exchange": True, "fours_when": "anyone"}),
    ("winner/1", {"fours": "takeover", "fours_when": "anyone", "pass_rule": "locked"}),
    ("winner/1", {"revolution": True, "next_lead": "winner", "show_rest": True}),
)


def scenario(seed: int) -> Simulator:
    """Return a table that is a function of the seed: seats, rules, faults, and who leaves when."""
    source = random.Random(f"scenario {seed}")
    seats = source.choice(_LARGE if source.random() < 0.03 else _SEATS)
    game, rules = source.choice(_RULES)
    settings = {**rules, "deals": source.choice((1, 1, 1, 1, 2, 3))}
    is_tienlen = game != "winner/1"
    if is_tienlen and seats <= 4 and source.random() < 0.2:
        settings["instant_wins"] = True
    elif is_tienlen and source.random() < 0.1:
        settings["deal"] = "17" if seats == 3 else "all"
    faults = Faults(
        latest=source.choice((0.01, 0.2, 0.2, 2.0)),
        lost=source.choice((0.0, 0.0, 0.02, 0.1, 0.3)),
        doubled=source.choice((0.0, 0.02, 0.3)),
    )
    leavers = source.choice((0, 0, 0, 1, 1, 2, seats))
    leaving = {
        seat: _departure(source) for seat in source.sample(range(seats), min(leavers, seats))
    }
    return Simulator(seed, seats, settings, faults, leaving=leaving, game=game)


def _departure(source: random.Random) -> Callable[[Session], bool]:
    """Return when a seat leaves: at the first step of a kind, or from some step on."""
    if source.random() < 0.6:
        kind, deal = source.choice(list(Kind)), source.choice((0, 1, 1, 2))
        return lambda session: (
            session.ledger.position.stage.kind is kind
            and session.ledger.position.stage.deal >= deal
        )
    step = source.randrange(60)
    return lambda session: session.ledger.position.step >= step
