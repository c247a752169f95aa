"""One seat's session at one table: what to do with each record, play and tick.

Sans-I/O: the node hands in what arrives and carries out the effects in their order.  Records are
checked in jobs off the event loop; an entry that comes before its step waits in a bounded pool.
Comparing heads and handing out what others lack is the business of `sync`, this seat's secrets and
cards are in `own_hand`, its signatures in `signer`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import ClimbError, IllegalPlayError, MalformedError, ViolationError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.events import CardsDealt, Event
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.position import Position, Verified
from p2pclimb.ledger.record import Record, Signed, encode_record
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.terms import Terms
from p2pclimb.ledger.votes import Accept, Certificate, Pause, Promise, Proposal
from p2pclimb.seat.decisions import Decision
from p2pclimb.seat.duties import Seat
from p2pclimb.seat.secrets import DealSecrets
from p2pclimb.table.asking import CLAIMS, DECISIONS, ask
from p2pclimb.table.effects import (
    Alarm,
    BallotLate,
    ClaimsDue,
    Effect,
    EnoughWaited,
    Flood,
    Heads,
    Job,
    KeepEvidence,
    Records,
    Remember,
    Send,
    StepLate,
    Store,
    Tell,
    Unseal,
    Wake,
    Work,
)
from p2pclimb.table.jobs import CheckJob, Duty, DutyJob
from p2pclimb.table.lateness import Lateness, Outcome
from p2pclimb.table.notices import (
    HandDealt,
    Leaving,
    NextDealWaits,
    PeerFault,
    RuleBroken,
    SeatElsewhere,
)
from p2pclimb.table.owing import Owing
from p2pclimb.table.own_hand import OwnHand
from p2pclimb.table.recall import recall
from p2pclimb.table.reception import Reception
from p2pclimb.table.returning import MOST_WAITED, Returning
from p2pclimb.table.signer import Signer
from p2pclimb.table.sync import heads, reply

__all__ = ["Session"]

_CLAIM_AGAIN = 1.0  # seconds until a claim that could not be signed in time is tried again


@dataclass(slots=True)
class Session:
    """A seat at a table, from the terms to the end.

    `reachable` is kept by the node: the seats that it is connected to.
    """

    terms: Terms
    seat: Seat
    identity: Identity = field(repr=False)
    ledger: Ledger = field(init=False)
    reachable: tuple[int, ...] = ()
    _own: OwnHand = field(init=False)
    _owing: Owing = field(init=False)
    _signer: Signer = field(init=False)
    _lateness: Lateness = field(init=False)
    _returning: Returning = field(init=False)
    _reception: Reception = field(init=False)
    _claim: Decision | None = field(default=None, repr=False)
    _ready: int = 1
    _told: bytes = b""
    # How many comparisons of each peer were answered.
    _answers: Counter[bytes] = field(default_factory=Counter, repr=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.terms)
        self._own = OwnHand(self.seat)
        self._owing = Owing(self.seat, self._own)
        self._signer = Signer(self.seat.number, self.identity)
        self._returning = Returning(self.seat.number)
        self._lateness = Lateness(self._signer, self.ledger, self._returning)
        self._reception = Reception(self.ledger, self._lateness)

    @property
    def has_signed(self) -> bool:
        """Whether this seat has signed anything at this table."""
        return self._signer.has_begun

    @property
    def has_left(self) -> bool:
        """Whether this seat gave notice; from then on no place waits for it."""
        return self.seat.number in self.ledger.leaves

    # -- what the node hands in ----------------------------------------------------------------

    def start(self) -> list[Effect]:
        """Begin: the terms go to the log first, then this seat signs them."""
        return [Store(encode_record(self.terms), sync=True), *self._advance()]

    def resume(
        self,
        records: Iterable[bytes],
        guarded: Mapping[bytes, bytes],
        sealed: Mapping[bytes, bytes],
    ) -> list[Effect]:
        """Go on after a restart, from what is on disk; instead of `start`.

        `records` is the whole log, `guarded` are the signatures in the guard by place, `sealed` the
        secrets of attempts by name.  Nothing is signed until the others have said where they stand.
        It takes long: all is checked again, one record after another as `records` gives them.
        """
        self._own.kept = {name: DealSecrets.decode(data) for name, data in sealed.items()}
        self._returning.begin()
        lost = recall(records, guarded.values(), self._reception, self._signer)
        stored = [Store(data, sync=True) for data in lost]
        self._own.turn_to(self.ledger.position)
        dealt = [Tell(HandDealt(hand))] if (hand := self.cards()) else []
        told = [*dealt, *self._lateness.recalled_pause()]
        return [*stored, Wake(MOST_WAITED, EnoughWaited()), *told, *self._advance()]

    def receive(self, peer: bytes, records: Iterable[bytes]) -> list[Effect]:
        """Take records from a peer; bytes that prove nothing are dropped with a `PeerFault`.

        So is what follows them: honest nodes verify before they pass on, and the peer that does not
        must not keep this node busy.
        """
        effects: list[Effect] = []
        for data in records:
            try:
                record = self._reception.read(data)
                effects += self._take(record, peer) if record is not None else []
            except ClimbError as error:
                effects.append(Tell(PeerFault(peer, error.text)))
                break
        return effects

    def compare(self, peer: bytes, theirs: Heads) -> list[Effect]:
        """Take where a peer stands; send what it lacks, or say where this node stands."""
        effects = reply(self.ledger, peer, theirs, self._answers[peer])
        self._answers[peer] += 1
        if self._returning.listens:
            self._returning.hear(self.terms.seat_of(peer), theirs)
            effects += self._advance()
        return effects

    def greet(self, peer: bytes) -> list[Effect]:
        """Say to a peer that has just been connected where this node stands."""
        starts = self._returning.may_start_clocks(self.ledger.position, self.reachable)
        clock = self._lateness.clock() if starts else []
        messages = [*self._lateness.to_repeat(self.terms.seat_of(peer)), heads(self.ledger)]
        return [*(Send(peer, message) for message in messages), *clock]

    def tick(self) -> list[Effect]:
        """Say to everybody where this node stands; called every few seconds."""
        # Whoever was waited for may have gone again.
        going_on = self._advance() if self._returning.listens else []
        messages = [*self._lateness.to_repeat(), heads(self.ledger)]
        return [*going_on, *(Flood(message) for message in messages)]

    def done(self, job: Job, result: object) -> list[Effect]:
        """Take the result of a job."""
        match job, result:
            case CheckJob(entry=entry), Verified():
                self._reception.checking.pop(entry.place, None)
                return self._judge(entry, verified=result)
            case CheckJob(entry=entry), ViolationError():
                self._reception.checking.pop(entry.place, None)
                return self._convict(result, entry)
            case DutyJob(), Duty():
                self._owing.made(result)
                return self._advance()
            case _:
                return []

    def play(self, decision: Decision) -> list[Effect]:
        """Do what this seat's player decided.

        A claim is kept until the time for claims is over.  Raises PlayError with the reason, and
        then nothing has changed.
        """
        position = self.ledger.position
        if not self.awaits_player:
            raise IllegalPlayError("It is not your turn.")
        decided = self._own.decided(position, decision)
        if isinstance(position.stage, CLAIMS):
            self._claim = decision
            return []
        if not self.may_sign:
            raise IllegalPlayError("Wait a moment: it is not certain yet what this builds on.")
        return [*self._sign(decided), *self._advance()]

    @property
    def awaits_player(self) -> bool:
        """Whether this seat's player is to play, claim, offer or choose now."""
        position = self.ledger.position
        is_asked = isinstance(position.stage, DECISIONS) and self.seat.number in position.waiting()
        return is_asked and self._own.secrets is not None

    @property
    def may_sign(self) -> bool:
        """Whether this seat may sign what the present position asks for; else it waits a moment."""
        if self._signer.is_elsewhere or self._signer.has_answered(self.ledger.position):
            return False
        return not self._returning.listens and self._lateness.may_build()

    @property
    def has_claimed(self) -> bool:
        """Whether a claim is kept that will be made when the time for claims is over."""
        return self._claim is not None

    def time_up(self, alarm: Alarm) -> list[Effect]:
        """Do what is due when an alarm goes off that this session asked for."""
        match alarm:
            case ClaimsDue(step):
                return self._answer_claims(step)
            case StepLate(head) if head == self.ledger.position.previous:
                is_lost = self._own.is_lost(self.ledger.position)
                outcome = self._lateness.time_up(self.reachable, is_helpless=is_lost)
                return self._voted(outcome)
            case BallotLate():
                return self._voted(self._lateness.ballot_late(alarm))
            case EnoughWaited():
                clock = self._lateness.clock() if self._returning.has_waited() else []
                return [*clock, *self._advance()]
            case _:
                return []

    def ready(self) -> list[Effect]:
        """Begin the next deal as far as this seat's player is concerned."""
        self._ready = max(self._ready, self.ledger.position.stage.deal)
        return self._advance()

    def pause(self, asks: bool) -> list[Effect]:
        """Ask that nobody is passed over for a while, or do not ask so any more."""
        return self._lateness.pause(asks) if self.may_sign else []

    def leave(self) -> list[Effect]:
        """Give notice that this seat leaves, from the first step that it has not signed."""
        is_silent = self._signer.is_elsewhere or self._returning.listens
        if self.has_left or self.ledger.ended or is_silent:
            return []
        step, head = self._lateness.leaving()
        return self._take_leave(self._signer.leave(self.ledger.position, step, head), None)

    # -- records -------------------------------------------------------------------------------

    def _take(self, record: Signed, peer: bytes | None) -> list[Effect]:
        # While it listens, what comes back may have been signed here before.
        can_tell = peer is not None and not self._returning.listens
        if can_tell and self._signer.finds_foreign(record):
            return [Tell(SeatElsewhere()), *self._place(record, peer)]
        return self._place(record, peer)

    def _place(self, record: Signed, peer: bytes | None) -> list[Effect]:
        if not isinstance(record, Entry):
            self._signer.adopt(record)
        match record:
            case Entry():
                return self._judge(record, peer=peer)
            case Leave():
                return self._take_leave(record, peer)
            case Pause():
                return [*self._keep(record, peer), *self._lateness.take_pause(record)]
            case Certificate():
                return self._certify(record, peer)
            case _:
                return self._count_vote(record, peer)

    def _keep(self, record: Signed, peer: bytes | None) -> list[Effect]:
        """Keep a verified record, and pass it on; `peer` is whom it came from, None for an own."""
        data = encode_record(record)
        return [Store(data, sync=peer is None), Flood(Records((data,)), peer)]

    def _take_leave(self, leave: Leave, peer: bytes | None) -> list[Effect]:
        try:
            events = self.ledger.notice(leave)
        except ViolationError as violation:
            return self._convict(violation, *self.ledger.conflicting(leave), leave)
        told = [*self._keep(leave, peer), Tell(Leaving(leave.author)), *self._tell(events)]
        told += self._convict_all(self.ledger.contradicted_by(leave))
        return [*told, *self._voted(self._lateness.came(leave)), *self._advance()]

    def _judge(
        self, entry: Entry, *, peer: bytes | None = None, verified: Verified | None = None
    ) -> list[Effect]:
        """Do what the place of a signed entry asks for: check it, fill it in, or let it wait."""
        try:
            standing = self.ledger.standing(entry)
        except ViolationError as violation:
            return self._convict(violation, *self.ledger.conflicting(entry), entry)
        match standing:
            case Standing.OPEN if verified is not None:
                self._signer.adopt(entry)
                return self._fill(verified)
            case Standing.OPEN:
                return self._check(entry, peer)
            case Standing.EARLY:
                self._reception.pool.add(entry, self.ledger.position.step)
                return []
            case _:
                return []

    def _fill(self, verified: Verified) -> list[Effect]:
        """Put another's entry at its place; it may be what a vote waits for, or contradict one."""
        entry = verified.entry
        events = self.ledger.fill(verified)
        effects: list[Effect] = [Store(encode_record(entry), sync=False), *self._tell(events)]
        effects += self._convict_all(self.ledger.contradicted_by(entry))
        return [*effects, *self._voted(self._lateness.came(entry)), *self._advance()]

    def _check(self, entry: Entry, peer: bytes | None) -> list[Effect]:
        """Pass an entry on and begin its check, unless another for its place is being checked."""
        rival = self._reception.checking.get(entry.place)
        if rival is not None:
            return self._convict(self.ledger.equivocation(entry), rival, entry)
        self._reception.checking[entry.place] = entry
        position = self.ledger.before(entry)
        ahead = self._owing.shuffle_ahead(position, entry, self.reachable)
        job = CheckJob(position, entry)
        flood = Flood(Records((encode_record(entry),)), peer)
        return [flood, Work(job, can_wait=job.can_wait and not ahead), *ahead]

    def _convict(self, violation: ViolationError, *proof: Record) -> list[Effect]:
        """Keep the proof of an offence, pass it on, and go on without the culprit."""
        known = self.ledger.convictions.get(violation.seat)
        if known is not None and known.step <= violation.step:
            return []
        data = tuple(encode_record(record) for record in proof)
        events = self.ledger.convict(violation, *proof)
        return [
            *(Store(record, sync=True) for record in data),
            Flood(Records(data)),
            KeepEvidence(violation.seat, violation.step, data),
            Tell(RuleBroken(violation)),
            *self._tell(events),
            *self._advance(),
        ]

    def _convict_all(self, proved: Iterable[Conviction]) -> list[Effect]:
        found = (self._convict(each.violation, *each.proof) for each in proved)
        return [effect for effects in found for effect in effects]

    # -- late places ---------------------------------------------------------------------------

    def _voted(self, outcome: Outcome) -> list[Effect]:
        """Take the offences that votes have proved, and the decisions that they have come to."""
        effects = [*outcome.effects, *self._convict_all(outcome.convictions)]
        for certificate in outcome.decided:
            effects += self._certify(certificate)
        return effects

    def _count_vote(self, record: Promise | Proposal | Accept, peer: bytes | None) -> list[Effect]:
        if self._reception.pools(record, record.vote.place):
            return []
        outcome = self._lateness.take(record)
        told = self._lateness.stands(record.vote.place)
        return [*self._keep(record, peer), *told, *self._voted(outcome)]

    def _certify(self, certificate: Certificate, peer: bytes | None = None) -> list[Effect]:
        if self._reception.pools(certificate, certificate.place):
            return []
        events = self.ledger.certify(certificate)
        told = [*self._keep(certificate, peer), *self._tell(events)]
        told += self._convict_all(self.ledger.contradicted_by(certificate))
        return [*told, *self._voted(self._lateness.take(certificate)), *self._advance()]

    # -- going on ------------------------------------------------------------------------------

    def _advance(self) -> list[Effect]:
        """Do all that the present position allows: records that waited, then what is owed."""
        effects: list[Effect] = []
        head = b""
        while head != self.ledger.position.previous:
            head = self.ledger.position.previous
            effects += self._announce()
            pool = self._reception.pool
            for record in pool.take(self.ledger.heads(), self.ledger.first_step):
                # What turns out to be no vote, now that its step is known, is dropped.
                with suppress(MalformedError):
                    effects += self._take(record, None)
            # Not before: what waited may be what this seat itself has signed here.
            effects += self._go_on() if self._returning.listens else []
            effects += self._owed()
        effects += self._lateness.end_break()
        self._lateness.forget()
        names = self._own.forget(self.ledger)
        return [*effects, Unseal(names)] if names else effects

    def _go_on(self) -> list[Effect]:
        """Begin to sign again, if this seat has caught up."""
        self._returning.go_on(self.ledger.position, self.reachable)
        if self._returning.listens:
            return []
        return [*self._announce(), *self._voted(self._lateness.go_on())]

    def _announce(self) -> list[Effect]:
        """Tell, once a step, for whom the table waits and what this seat's player is asked."""
        position = self.ledger.position
        if position.previous == self._told:
            return []
        if self._returning.listens:
            return []  # the others may be further, and know what this seat has done since
        self._told, self._claim = position.previous, None
        clock = self._lateness.clock()
        if self._is_resting(position):
            return [*clock, Tell(NextDealWaits(position.stage.deal))]
        return [*clock, *ask(position, self.seat.number, self.offered())]

    def _answer_claims(self, step: int) -> list[Effect]:
        """Answer for this seat, if the step whose time is over still waits for its claim."""
        position = self.ledger.position
        is_claim = isinstance(position.stage, CLAIMS) and position.step == step
        if not is_claim or not self.awaits_player:
            return []
        if not self.may_sign:
            return [Wake(_CLAIM_AGAIN, ClaimsDue(step))]
        claim, self._claim = self._claim, None
        return [*self._sign(self._own.decided(position, claim)), *self._advance()]

    def _is_resting(self, position: Position) -> bool:
        return isinstance(position.stage, Committing) and position.stage.deal > self._ready

    def _owed(self) -> list[Effect]:
        """Make and sign the body that this position waits for, unless it waits for a person."""
        position = self.ledger.position
        if self.seat.number not in position.waiting():
            return []
        if isinstance(position.stage, DECISIONS) or self._is_resting(position):
            return []
        if not self.may_sign:
            return []
        made = self._owing.ready(position)
        return self._sign(made) if made else self._owing.make(position, self.reachable)

    def _sign(self, duty: Duty) -> list[Effect]:
        """Sign a body at this seat's open place: guard, log, then the others, in this order."""
        excepted = self._lateness.excepted()
        entry = self._signer.entry(self.ledger.position, duty.value, excepted)
        record = encode_record(entry)
        events = self.ledger.fill(Verified(entry, duty.body, Tally()))
        return [
            Remember(entry.place.key(), record, self._signer.forget_settled(self.ledger)),
            Store(record, sync=True),
            Flood(Records((record,))),
            *self._tell(events),
            *self._voted(self._lateness.came(entry)),
        ]

    def _tell(self, events: Iterable[Event]) -> list[Effect]:
        effects: list[Effect] = []
        for event in events:
            effects.append(Tell(event))
            self._own.follow(event, self.ledger.position)
            if isinstance(event, CardsDealt) and (cards := self.cards()):
                effects.append(Tell(HandDealt(cards)))
        return effects

    # -- for this seat's player ----------------------------------------------------------------

    def cards(self) -> tuple[Card, ...]:
        """Return the cards that this seat holds now, in no particular order."""
        return self._own.cards(self.ledger.position.hands)

    def closed_cards(self) -> tuple[Card, ...]:
        """Return those of the own cards that nobody else has seen, in no particular order."""
        return self._own.closed_cards(self.ledger.position.hands)

    def offered(self) -> tuple[Card, ...]:
        """Return the cards of which this seat is to take one, which it alone sees; else none."""
        stage = self.ledger.position.stage
        if not isinstance(stage, Choosing) or not self.awaits_player:
            return ()
        return self._own.offered(stage)
