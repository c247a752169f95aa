"""One seat's session at one table: what to do with each record, play and tick.

Sans-I/O: the node hands in what arrives and carries out the effects in their order.  Records are
checked in jobs off the event loop; an entry that comes before its step waits in a bounded pool.
Comparing heads and handing out what others lack is the business of `sync`, this seat's secrets and
cards are in `own_hand`, its signatures in `signer`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import ClimbError, IllegalPlayError, MalformedError, ViolationError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.events import (
    BombTaken,
    CardsDealt,
    CardTaken,
    Event,
    TributeGiven,
    TributeReturned,
)
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Position, Verified
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.shuffle import Shuffling
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ledger.terms import Terms
from p2pclimb.seat.decisions import Decision
from p2pclimb.seat.duties import Seat
from p2pclimb.seat.secrets import DealSecrets
from p2pclimb.table.effects import (
    Effect,
    Flood,
    Heads,
    Job,
    Records,
    Remember,
    Send,
    Store,
    Tell,
    Wake,
    Work,
)
from p2pclimb.table.jobs import CheckJob, Duty, DutyJob
from p2pclimb.table.notices import (
    ChoiceAsked,
    ClaimAsked,
    HandDealt,
    Leaving,
    NextDealWaits,
    OfferAsked,
    PeerFault,
    RuleBroken,
    TurnBegan,
)
from p2pclimb.table.own_hand import OwnHand
from p2pclimb.table.pool import Pool
from p2pclimb.table.signer import Signer
from p2pclimb.table.sync import answer, heads

__all__ = ["Session"]

_CLAIMS = (InstantClaiming, FoursClaiming)
_HAND_CHANGES = (CardsDealt, TributeGiven, TributeReturned, CardTaken, BombTaken)
_DECISIONS = (Turning, Offering, Choosing, *_CLAIMS)


@dataclass(slots=True)
class Session:
    """A seat at a table, from the terms to the end.

    `reachable` is kept by the node: the seats that it is connected to.  `broken` is the offence
    that ended the table, if one did, and `evidence` the records that prove it.
    """

    terms: Terms
    seat: Seat
    identity: Identity = field(repr=False)
    ledger: Ledger = field(init=False)
    reachable: tuple[int, ...] = ()
    broken: ViolationError | None = None
    evidence: tuple[bytes, ...] = ()
    _own: OwnHand = field(init=False)
    _signer: Signer = field(init=False)
    _claim: Decision | None = field(default=None, repr=False)
    _ready: int = 1
    _pool: Pool = field(default_factory=Pool)
    _checking: dict[Place, Entry] = field(default_factory=dict)
    _duties: dict[bytes, Duty | None] = field(default_factory=dict, repr=False)
    _told_step: int = -1

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.terms)
        self._own = OwnHand(self.seat)
        self._signer = Signer(self.seat.number, self.identity)

    @property
    def _has_left(self) -> bool:
        """Whether this seat gave notice; from then on no place waits for it."""
        return self.seat.number in self.ledger.leaves

    # -- what the node hands in ----------------------------------------------------------------

    def start(self) -> list[Effect]:
        """Begin: the terms go to the log first, then this seat signs them."""
        return [Store(encode_record(self.terms), sync=True), *self._advance()]

    def receive(self, peer: bytes, records: Iterable[bytes]) -> list[Effect]:
        """Take records from a peer; bytes that prove nothing are dropped with a `PeerFault`.

        So is what follows them: honest nodes verify before they pass on, and the peer that does not
        must not keep this node busy.
        """
        effects: list[Effect] = []
        for data in records:
            try:
                record = self._read(data)
            except ClimbError as error:
                effects.append(Tell(PeerFault(peer, error.text)))
                break
            match record:
                case Entry():
                    effects += self._judge(record, peer=peer)
                case Leave():
                    effects += self._take_leave(record, peer)
        return effects

    def compare(self, peer: bytes, theirs: Heads) -> list[Effect]:
        """Take where a peer stands; send what it lacks, or say where this node stands."""
        return [Send(peer, message) for message in answer(self.ledger, theirs, self.evidence)]

    def greet(self, peer: bytes) -> list[Effect]:
        """Say to a peer that has just been connected where this node stands."""
        return [Send(peer, heads(self.ledger))]

    def tick(self) -> list[Effect]:
        """Say to everybody where this node stands; called every few seconds."""
        return [Flood(heads(self.ledger))]

    def done(self, job: Job, result: object) -> list[Effect]:
        """Take the result of a job."""
        match job, result:
            case CheckJob(entry=entry), Verified():
                self._checking.pop(entry.place, None)
                return self._judge(entry, verified=result)
            case CheckJob(entry=entry), ViolationError():
                self._checking.pop(entry.place, None)
                return self._break(result, entry)
            case DutyJob(), Duty():
                self._duties[result.previous] = result
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
        if isinstance(position.stage, _CLAIMS):
            self._claim = decision
            return []
        return [*self._sign(decided), *self._advance()]

    @property
    def awaits_player(self) -> bool:
        """Whether this seat's player is to play, claim, offer or choose now."""
        position = self.ledger.position
        is_due = isinstance(position.stage, _DECISIONS) and self.seat.number in position.waiting()
        return is_due and self.broken is None

    @property
    def has_claimed(self) -> bool:
        """Whether a claim is kept that will be made when the time for claims is over."""
        return self._claim is not None

    def time_up(self, step: int) -> list[Effect]:
        """Answer for this seat, if the step whose time is over still waits for its claim."""
        position = self.ledger.position
        is_claim = isinstance(position.stage, _CLAIMS) and position.step == step
        if not is_claim or not self.awaits_player:
            return []
        claim, self._claim = self._claim, None
        return [*self._sign(self._own.decided(position, claim)), *self._advance()]

    def ready(self) -> list[Effect]:
        """Begin the next deal as far as this seat's player is concerned."""
        self._ready = max(self._ready, self.ledger.position.stage.deal)
        return self._advance()

    def leave(self) -> list[Effect]:
        """Give notice that this seat leaves, from the first step that it has not signed."""
        if self._has_left or self.ledger.ended:
            return []
        position = self.ledger.position
        last = self.ledger.last.get(self.seat.number)
        step = max(position.step, last.step + 1 if last else 0)
        leave = self._signer.leave(position, step)
        record = encode_record(leave)
        events = self.ledger.notice(leave)
        effects: list[Effect] = [Store(record, sync=True), Flood(Records((record,)))]
        return [*effects, *self._noticed(leave, events)]

    # -- records -------------------------------------------------------------------------------

    def _read(self, data: bytes) -> Entry | Leave | None:
        """Return a record that its author has signed; None for one that changes nothing here.

        Raises ClimbError for anything that proves nothing about anybody.
        """
        record = decode_record(data)
        if isinstance(record, Terms) or record.author >= len(self.terms.seats):
            raise MalformedError("A record that no seat of this table signs.")
        if record.table != self.ledger.position.table:
            raise MalformedError("A record of another table.")
        if self.broken or self._is_known(record) or self._finds_no_place(record):
            return None
        record.verify(self.terms)
        return record

    def _is_known(self, record: Entry | Leave) -> bool:
        same: list[Entry | Leave | None]
        if isinstance(record, Leave):
            same = [self.ledger.leaves.get(record.author)]
        elif record in self._pool:
            return True
        else:
            same = [self.ledger.entries.get(record.place), self._checking.get(record.place)]
        return any(known and known.signed == record.signed for known in same)

    def _finds_no_place(self, record: Entry | Leave) -> bool:
        """Whether a record would be dropped even if its signature holds.

        A peer can send more of these than a node can verify.
        """
        if isinstance(record, Leave):
            return False
        try:
            standing = self.ledger.standing(record)
        except ViolationError:
            return False
        is_early = standing is Standing.EARLY
        has_room = is_early and self._pool.has_room(record, self.ledger.position.step)
        return standing is Standing.STRAY or (is_early and not has_room)

    def _take_leave(self, leave: Leave, peer: bytes) -> list[Effect]:
        try:
            events = self.ledger.notice(leave)
        except ViolationError as violation:
            return self._break(violation, *self.ledger.conflicting(leave), leave)
        record = encode_record(leave)
        effects: list[Effect] = [Store(record, sync=False), Flood(Records((record,)), peer)]
        return [*effects, *self._noticed(leave, events)]

    def _noticed(self, leave: Leave, events: Iterable[Event]) -> list[Effect]:
        return [Tell(Leaving(leave.author)), *self._tell(events), *self._advance()]

    def _judge(
        self, entry: Entry, *, peer: bytes | None = None, verified: Verified | None = None
    ) -> list[Effect]:
        """Do what the place of a signed entry asks for: check it, fill it in, or let it wait."""
        if self.broken:
            return []
        try:
            standing = self.ledger.standing(entry)
        except ViolationError as violation:
            return self._break(violation, *self.ledger.conflicting(entry), entry)
        match standing:
            case Standing.OPEN if verified is not None:
                record = encode_record(entry)
                events = self.ledger.fill(verified)
                return [Store(record, sync=False), *self._tell(events), *self._advance()]
            case Standing.OPEN:
                return self._check(entry, peer)
            case Standing.EARLY:
                self._pool.add(entry, self.ledger.position.step)
                return []
            case Standing.KNOWN | Standing.STRAY:
                return []

    def _check(self, entry: Entry, peer: bytes | None) -> list[Effect]:
        """Pass an entry on and begin its check, unless another for its place is being checked."""
        rival = self._checking.get(entry.place)
        if rival is not None:
            return self._break(self.ledger.equivocation(entry), rival, entry)
        self._checking[entry.place] = entry
        position = self.ledger.position
        ahead = self._shuffle_ahead(entry)
        # All wait for the next seat's shuffle, and nobody for what another finds of the last one.
        can_wait = (
            isinstance(position.stage, Shuffling) and not position.stage.is_last and not ahead
        )
        flood = Flood(Records((encode_record(entry),)), peer)
        return [flood, Work(CheckJob(position, entry), can_wait), *ahead]

    def _break(self, violation: ViolationError, *proof: Entry | Leave) -> list[Effect]:
        """Keep the proof of an offence, pass it on, and stop."""
        if self.broken:
            return []
        self.broken = violation
        self.evidence = tuple(encode_record(record) for record in proof)
        stored = [Store(record, sync=True) for record in self.evidence]
        return [*stored, Flood(Records(self.evidence)), Tell(RuleBroken(violation))]

    # -- going on ------------------------------------------------------------------------------

    def _advance(self) -> list[Effect]:
        """Do all that the present position allows: entries that waited, then what is owed."""
        effects: list[Effect] = []
        step = -1
        while step != self.ledger.position.step and not self.broken:
            step = self.ledger.position.step
            effects += self._announce()
            for entry in self._pool.take(step):
                effects += self._judge(entry)
            effects += self._owed()
        return effects

    def _announce(self) -> list[Effect]:
        """Tell, once a step, whose turn it is or that the next deal waits for this player."""
        position = self.ledger.position
        if position.step == self._told_step:
            return []
        self._told_step = position.step
        match position.stage:
            case Turning(state=state) if state.turn is not None:
                return [Tell(TurnBegan(state.turn))]
            case Committing(deal=deal) if self._is_resting(position):
                return [Tell(NextDealWaits(deal))]
            case _ if self.seat.number in position.waiting():
                return self._ask(position)
            case _:
                return []

    def _ask(self, position: Position) -> list[Effect]:
        """Ask this seat's player for a decision that is no play, if the position needs one."""
        match position.stage:
            case InstantClaiming() | FoursClaiming() as stage:
                self._claim = None
                seconds = self.terms.options.number("claim_seconds")
                asked = ClaimAsked(seconds, isinstance(stage, InstantClaiming))
                return [Tell(asked), Wake(seconds, position.step)]
            case Offering(hands=hands, exchange=exchange, received=received):
                (card,) = hands.faces_at([received])
                return [Tell(OfferAsked(exchange.giver, card))]
            case Choosing(exchange=exchange):
                return [Tell(ChoiceAsked(exchange.receiver, self.offered()))]
            case _:
                return []

    def _is_resting(self, position: Position) -> bool:
        return isinstance(position.stage, Committing) and position.stage.deal > self._ready

    def _owed(self) -> list[Effect]:
        """Make and sign the body that this position waits for, unless it waits for a person."""
        position = self.ledger.position
        if self.seat.number not in position.waiting():
            return []
        if isinstance(position.stage, _DECISIONS) or self._is_resting(position):
            return []
        if position.previous not in self._duties:
            self._duties = {position.previous: None}
            secrets = self._secrets_for(position)
            return [Work(DutyJob(self.seat, position, secrets, self.reachable))]
        made = self._duties[position.previous]
        return self._sign(made) if made is not None else []

    def _secrets_for(self, position: Position) -> DealSecrets | None:
        stage, site = position.stage, position.site
        if isinstance(stage, Committing) and site is not None:
            self._own.begin(stage, site)
        return self._own.secrets

    def _shuffle_ahead(self, shuffled: Entry) -> list[Effect]:
        """Begin this seat's shuffle while the shuffle just before it is still being checked."""
        position = self.ledger.position
        stage = position.stage
        if not isinstance(stage, Shuffling) or self._has_left or self._own.secrets is None:
            return []
        if stage.cast.seats[stage.turn + 1 : stage.turn + 2] != (self.seat.number,):
            return []
        head = position.head_after(shuffled)
        if head in self._duties:
            return []
        self._duties = {head: None}
        return [Work(DutyJob(self.seat, position, self._own.secrets, self.reachable, shuffled))]

    def _sign(self, duty: Duty) -> list[Effect]:
        """Sign a body at this seat's open place: guard, log, then the others, in this order."""
        entry = self._signer.entry(self.ledger.position, duty.value)
        record = encode_record(entry)
        events = self.ledger.fill(Verified(entry, duty.body, Tally()))
        return [
            Remember(entry.place.key(), record, self._signer.forget_final(self.ledger)),
            Store(record, sync=True),
            Flood(Records((record,))),
            *self._tell(events),
        ]

    def _tell(self, events: Iterable[Event]) -> list[Effect]:
        effects: list[Effect] = []
        for event in events:
            effects.append(Tell(event))
            hands = self.ledger.position.hands
            if isinstance(event, _HAND_CHANGES) and hands is not None:
                self._own.look(hands)
            if isinstance(event, CardsDealt) and (cards := self.cards()):
                effects.append(Tell(HandDealt(cards)))
        return effects

    # -- for this seat's player ----------------------------------------------------------------

    def cards(self) -> tuple[Card, ...]:
        """Return the cards that this seat holds now, in no particular order."""
        hands = self.ledger.position.hands
        return self._own.cards(hands) if hands is not None else ()

    def closed_cards(self) -> tuple[Card, ...]:
        """Return those of the own cards that nobody else has seen, in no particular order."""
        hands = self.ledger.position.hands
        return self._own.closed_cards(hands) if hands is not None else ()

    def offered(self) -> tuple[Card, ...]:
        """Return the cards of which this seat is to take one, which it alone sees; else none."""
        stage = self.ledger.position.stage
        if not isinstance(stage, Choosing) or not self.awaits_player:
            return ()
        return self._own.offered(stage)
