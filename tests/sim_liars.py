"""A library of attacks: seats with real keys that do not keep to the protocol.

A liar runs an honest session, so that it stands where the others do; what the session wants to send
is twisted on its way out.  Each attack is a function from one effect to those that take its place.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from simulator import Simulator

from p2pclimb.crypto.identity import Identity
from p2pclimb.ledger.ballots import coordinator
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Entry, Kind, sign_entry, sign_leave
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.record import Record, decode_record, encode_record
from p2pclimb.ledger.votes import (
    ABSENT,
    Accept,
    Certificate,
    Promise,
    Proposal,
    Vote,
    sign_accept,
    sign_promise,
    sign_proposal,
)
from p2pclimb.table.effects import Effect, Flood, Records, Send

__all__ = ["ATTACKS", "Liar"]

Attack = Callable[["Liar", Record], "list[Effect] | None"]
ATTACKS: dict[str, Attack] = {}


def _attack(name: str) -> Callable[[Attack], Attack]:
    def register(attack: Attack) -> Attack:
        ATTACKS[name] = attack
        return attack

    return register


@dataclass
class Liar:
    """A seat that lies in some of these ways, each at every opportunity with a probability."""

    sim: Simulator
    seat: int
    attacks: tuple[str, ...]
    source: random.Random
    often: float = 0.3
    begins: float = 0.0
    has_left: bool = False

    def begin(self, sim: Simulator) -> None:
        """Take the seat over."""
        sim.twist[self.seat] = self.twist

    def twist(self, effect: Effect) -> list[Effect]:
        """Return what takes the place of an effect of the honest session."""
        if not isinstance(effect, Flood | Send) or not self._has_begun:
            return [effect]
        if "mute" in self.attacks:
            return []
        if not isinstance(effect.message, Records):
            return [effect, *self._anyway()]
        twisted: list[Effect] = []
        for record in map(decode_record, effect.message.records):
            twisted += self._say(record, replace(effect, message=Records((encode_record(record),))))
        return twisted

    @property
    def _has_begun(self) -> bool:
        """Lies begin when the table is open: before, whoever does not sign keeps it closed."""
        nodes = self.sim.nodes
        is_open = all(node.session.ledger.position.step > 0 for node in nodes)
        return is_open and self.sim.clock >= self.begins

    def _say(self, record: Record, plain: Effect) -> list[Effect]:
        for name in self.attacks:
            if self.source.random() < self.often:
                twisted = ATTACKS[name](self, record)
                if twisted is not None:
                    self.sim.counts[f"lies: {name}"] += 1
                    return twisted
        return [plain]

    def _anyway(self) -> list[Effect]:
        """Attack without an occasion, whenever the session says where it stands."""
        nothing = decode_record(self.sim.nodes[self.seat].log[0])
        return self._say(nothing, Flood(Records(()))) if self.source.random() < 0.3 else []

    # -- what attacks need ---------------------------------------------------------------------

    @property
    def identity(self) -> Identity:
        """The key of the seat."""
        return self.sim.identities[self.seat]

    @property
    def position(self) -> Position:
        """Where the liar's own session stands."""
        return self.sim.nodes[self.seat].session.ledger.position

    def counter(self) -> int:
        """Return a counter that rises."""
        return self.sim.nodes[self.seat].session._signer._next_counter()

    def anew(self, entry: Entry, body: Value | None = None) -> Entry:
        """Sign another entry for the same place."""
        return sign_entry(
            self.identity,
            table=entry.table,
            deal=entry.deal,
            attempt=entry.attempt,
            place=entry.place,
            counter=self.counter(),
            kind=entry.kind,
            body=entry.body if body is None else body,
            excepted=entry.excepted,
        )

    def vote(self, vote: Vote) -> Vote:
        """Return a vote of this seat like another one."""
        return replace(vote, signer=self.seat, counter=self.counter())

    def split(self, one: Record, other: Record) -> list[Effect]:
        """Tell some peers one thing and the others another."""
        peers = [peer for n, peer in enumerate(self.sim.peers) if n != self.seat]
        self.source.shuffle(peers)
        cut = self.source.randint(0, len(peers))
        return [
            Send(peer, Records((encode_record(one if n < cut else other),)))
            for n, peer in enumerate(peers)
        ]

    def everybody(self, *records: Record) -> list[Effect]:
        """Tell all the same."""
        return [Flood(Records(tuple(map(encode_record, records))))]

    def is_own(self, record: Record) -> bool:
        """Whether this is an entry of the liar."""
        return isinstance(record, Entry) and record.author == self.seat


# -- entries -------------------------------------------------------------------------------------


@_attack("equivocation")
def _equivocation(liar: Liar, record: Record) -> list[Effect] | None:
    if not isinstance(record, Entry) or not liar.is_own(record):
        return None
    return liar.split(record, liar.anew(record))


@_attack("bad-body")
def _bad_body(liar: Liar, record: Record) -> list[Effect] | None:
    if not isinstance(record, Entry) or not liar.is_own(record) or not record.body:
        return None
    return liar.everybody(liar.anew(record, _damaged(record.body, liar.source)))


def _damaged(value: Value, source: random.Random) -> Value:
    """Change one number or one byte somewhere inside."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case bytes() if value:
            at = source.randrange(len(value))
            return value[:at] + bytes([value[at] ^ (1 << source.randrange(8))]) + value[at + 1 :]
        case list() if value:
            at = source.randrange(len(value))
            return [*value[:at], _damaged(value[at], source), *value[at + 1 :]]
        case _:
            return [0]


@_attack("foreign-body")
def _foreign_body(liar: Liar, record: Record) -> list[Effect] | None:
    """Say what somebody has said before, as if it were one's own."""
    if not isinstance(record, Entry) or not liar.is_own(record):
        return None
    records = map(decode_record, liar.sim.nodes[liar.seat].log)
    others = [r for r in records if isinstance(r, Entry) and r.kind is record.kind]
    return liar.everybody(liar.anew(record, liar.source.choice(others).body)) if others else None


@_attack("after-leaving")
def _after_leaving(liar: Liar, record: Record) -> list[Effect] | None:
    """Leave, more than once or from a step that is signed, and go on."""
    position = liar.position
    steps = [max(0, position.step + liar.source.choice((-1, 0, 1)))]
    if liar.has_left and liar.source.random() < 0.9:
        return None
    liar.has_left = True
    leaves = [
        sign_leave(
            liar.identity,
            table=position.table,
            deal=position.stage.deal,
            step=step,
            author=liar.seat,
            counter=liar.counter(),
            head=position.previous,
        )
        for step in steps
    ]
    return liar.everybody(*leaves, record) if liar.is_own(record) else liar.everybody(*leaves)


@_attack("late")
def _late(liar: Liar, record: Record) -> list[Effect] | None:
    """Withhold what is signed, and send it when it may be too late."""
    effects = liar.everybody(record)
    delay = liar.source.choice((1, 5, 8, 20))
    liar.sim._later(delay, lambda: liar.sim._transmit(liar.seat, effects[0]))
    return []


@_attack("selective")
def _selective(liar: Liar, record: Record) -> list[Effect] | None:
    """Tell one peer only."""
    peer = liar.source.choice([p for n, p in enumerate(liar.sim.peers) if n != liar.seat])
    return [Send(peer, Records((encode_record(record),)))]


@_attack("replay")
def _replay(liar: Liar, record: Record) -> list[Effect] | None:
    log = liar.sim.nodes[liar.seat].log[1:]
    old = tuple(liar.source.sample(log, min(len(log), 8)))
    return [*liar.everybody(record), Flood(Records(old))] if liar.is_own(record) else None


@_attack("early")
def _early(liar: Liar, record: Record) -> list[Effect] | None:
    """Flood entries for steps that nobody has come to, on heads that do not exist."""
    position = liar.position
    entries = []
    for _ in range(30):
        step = position.step + liar.source.randint(1, 80)
        place = Place(step, liar.source.randbytes(32), liar.seat)
        entries.append(
            sign_entry(
                liar.identity,
                table=position.table,
                deal=position.stage.deal,
                attempt=position.stage.attempt,
                place=place,
                counter=liar.counter(),
                kind=Kind.TURN,
                body=[liar.source.randbytes(200)],
            )
        )
    return liar.everybody(record, *entries) if liar.is_own(record) else liar.everybody(*entries)


# -- votes ---------------------------------------------------------------------------------------


@_attack("two-promises")
def _two_promises(liar: Liar, record: Record) -> list[Effect] | None:
    if not isinstance(record, Promise) or record.vote.signer != liar.seat:
        return None
    known = liar.sim.nodes[liar.seat].session.ledger.value_at(record.vote.place)
    other = None if record.accepted else (0, known or liar.source.randbytes(32))
    return liar.split(record, sign_promise(liar.identity, liar.vote(record.vote), other))


@_attack("two-accepts")
def _two_accepts(liar: Liar, record: Record) -> list[Effect] | None:
    if not isinstance(record, Accept) or record.vote.signer != liar.seat:
        return None
    known = liar.sim.nodes[liar.seat].session.ledger.value_at(record.vote.place)
    other = ABSENT if record.value else known or liar.source.randbytes(32)
    return liar.split(record, sign_accept(liar.identity, liar.vote(record.vote), other))


@_attack("two-proposals")
def _two_proposals(liar: Liar, record: Record) -> list[Effect] | None:
    if not isinstance(record, Proposal) or record.vote.signer != liar.seat:
        return None
    known = liar.sim.nodes[liar.seat].session.ledger.value_at(record.vote.place)
    value = ABSENT if record.value else known or liar.source.randbytes(32)
    other = sign_proposal(liar.identity, liar.vote(record.vote), value, record.promises)
    return liar.split(record, other)


@_attack("few-promises")
def _few_promises(liar: Liar, record: Record) -> list[Effect] | None:
    if not isinstance(record, Proposal) or record.vote.signer != liar.seat:
        return None
    vote, value = liar.vote(record.vote), liar.source.choice((ABSENT, record.value))
    return liar.everybody(sign_proposal(liar.identity, vote, value, record.promises[:1]))


@_attack("lower-accept")
def _lower_accept(liar: Liar, record: Record) -> list[Effect] | None:
    """Accept in ballots below what was promised."""
    if not isinstance(record, Promise) or record.vote.signer != liar.seat:
        return None
    lower = replace(liar.vote(record.vote), ballot=max(1, record.vote.ballot - 1))
    return liar.everybody(record, sign_accept(liar.identity, lower, ABSENT))


@_attack("no-exception")
def _no_exception(liar: Liar, record: Record) -> list[Effect] | None:
    """Acknowledge what was promised away."""
    if not isinstance(record, Entry) or not liar.is_own(record) or not record.excepted:
        return None
    return liar.everybody(liar.anew(replace(record, excepted=())))


@_attack("short-certificate")
def _short_certificate(liar: Liar, record: Record) -> list[Effect] | None:
    """Call one's own accept a decision."""
    position = liar.position
    if not position.waiting() or position.step == 0:
        return None
    late = liar.source.choice(position.waiting())
    place = Place(position.step, position.previous, late)
    vote = Vote(position.table, place, 1, liar.seat, liar.counter())
    accept = sign_accept(liar.identity, vote, ABSENT)
    certificate = Certificate(position.table, place, 1, ABSENT, (accept,))
    return liar.everybody(certificate)


@_attack("hasty")
def _hasty(liar: Liar, record: Record) -> list[Effect] | None:
    """Vote on those who are not late, in ballots far ahead."""
    position = liar.position
    electorate = position.electorate()
    waiting = [seat for seat in position.waiting() if seat in electorate]
    if not waiting or position.step == 0 or liar.seat not in electorate:
        return None
    late = liar.source.choice(waiting)
    place = Place(position.step, position.previous, late)
    ballots = [b for b in range(1, 9) if coordinator(electorate, late, b) == liar.seat]
    ballot = liar.source.choice((1, 2, *ballots, 60_000))
    vote = Vote(position.table, place, ballot, liar.seat, liar.counter())
    promise = sign_promise(liar.identity, vote)
    return liar.everybody(promise, sign_accept(liar.identity, liar.vote(vote), ABSENT))


@_attack("mute")
def _mute(liar: Liar, record: Record) -> list[Effect] | None:
    return []
