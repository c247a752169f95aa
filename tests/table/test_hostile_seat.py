"""A seat that signs whatever a liar may: the others convict it at most, and have one history."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from simulator import Simulator, seeded_entropy

from p2pclimb.crypto.identity import Identity
from p2pclimb.ledger.entry import Entry, Kind, sign_entry, sign_leave
from p2pclimb.ledger.events import Convicted
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import Record, decode_record, encode_record
from p2pclimb.ledger.votes import (
    ABSENT,
    Accept,
    Certificate,
    Promise,
    Proposal,
    Vote,
    sign_accept,
    sign_pause,
    sign_promise,
    sign_proposal,
)
from p2pclimb.table.session import Session

SEATS, LIAR = 3, 2
HONEST = (0, 1)
LIES = 12


class Liar:
    """What the seat signs: records about places that exist or do not, with any values."""

    def __init__(self, sim: Simulator, source: Random) -> None:
        self.sim = sim
        self.source = source
        self.identity = Identity.new(seeded_entropy((sim.seed, "identity", LIAR)))
        self.table = sim.terms.table_id
        self.votes: list[Promise | Proposal | Accept] = []

    def lie(self) -> Record:
        """Sign something, or put together what others have signed."""
        make = self.source.choice(
            (self.entry, self.leave, self.pause, self.certificate)
            + (self.promise, self.proposal, self.accept) * 3
        )
        return make()

    def entry(self) -> Record:
        own = [record for record in self._known() if isinstance(record, Entry)]
        like = self.source.choice([record for record in own if record.author == LIAR])
        return sign_entry(
            self.identity,
            table=self.table,
            deal=self.source.choice((like.deal, 1)),
            attempt=like.attempt,
            place=self._place(LIAR),
            counter=self._counter(),
            kind=self.source.choice((like.kind, Kind.TURN)),
            body=self.source.choice((like.body, [0])),
        )

    def leave(self) -> Record:
        step = max(0, self._step() + self.source.randint(-3, 3))
        return sign_leave(
            self.identity,
            table=self.table,
            deal=1,
            step=step,
            head=self._place(LIAR).previous,
            author=LIAR,
            counter=self._counter(),
        )

    def pause(self) -> Record:
        asks = self.source.random() < 0.5
        return sign_pause(
            self.identity, table=self.table, author=LIAR, counter=self._counter(), asks=asks
        )

    def promise(self) -> Promise:
        vote = self._vote()
        proposals = [
            record
            for record in self._votes(Proposal)
            if record.vote.place == vote.place and record.vote.ballot < vote.ballot
        ]
        if proposals and self.source.random() < 0.6:
            quoted = self.source.choice(proposals)
            return sign_promise(self.identity, vote, (quoted.vote.ballot, quoted.value), quoted)
        accepted = self.source.choice((None, (0, self._value())))
        return sign_promise(self.identity, vote, accepted)

    def proposal(self) -> Proposal:
        vote = self._vote()
        promises = {
            record.vote.signer: record
            for record in self._votes(Promise)
            if (record.vote.place, record.vote.ballot) == (vote.place, vote.ballot)
        }
        some = [promises[seat] for seat in sorted(promises) if self.source.random() < 0.9]
        return sign_proposal(self.identity, vote, self._value(), some)

    def accept(self) -> Accept:
        return sign_accept(self.identity, self._vote(), self._value())

    def certificate(self) -> Record:
        accepts = self._votes(Accept)
        if not accepts:
            return self.accept()
        like = self.source.choice(accepts)
        place, ballot = like.vote.place, like.vote.ballot
        of_ballot = {
            accept.vote.signer: accept
            for accept in accepts
            if (accept.vote.place, accept.vote.ballot, accept.value) == (place, ballot, like.value)
        }
        own = sign_accept(self.identity, Vote(self.table, place, ballot, LIAR, 1), like.value)
        of_ballot.setdefault(LIAR, own)
        signed = tuple(of_ballot[seat] for seat in sorted(of_ballot))
        return Certificate(self.table, place, ballot, like.value, signed)

    def _vote(self) -> Vote:
        """A vote of the liar, often on what is voted on anyway."""
        others = self._votes(Promise, Proposal, Accept)
        if others and self.source.random() < 0.6:
            like = self.source.choice(others).vote
            place, ballot = like.place, like.ballot + self.source.choice((0, 0, 0, 1))
        else:
            place, ballot = self._place(self.source.randrange(SEATS)), self.source.randint(1, 4)
        return Vote(self.table, place, ballot, LIAR, self._counter())

    def _place(self, author: int) -> Place:
        heads = self.sim.nodes[0].session.ledger.position.heads
        step = max(0, min(self._step() - self.source.choice((0, 0, 0, 1, 2)), len(heads) - 1))
        previous = heads[step] if self.source.random() < 0.95 else self.source.randbytes(32)
        return Place(step + (self.source.random() < 0.05), previous, author)

    def _value(self) -> bytes:
        entries = [record.id for record in self._known()[-6:] if isinstance(record, Entry)]
        return self.source.choice((ABSENT, ABSENT, *entries, bytes(32)))

    def _counter(self) -> int:
        return self.source.randint(0, 60)

    def _step(self) -> int:
        return self.sim.nodes[0].session.ledger.position.step

    def _known(self) -> list[Record]:
        return [decode_record(data) for data in self.sim.nodes[0].log]

    def _votes(self, *kinds: type) -> list:
        known = [record for record in self._known() if isinstance(record, kinds)]
        return [*known, *(record for record in self.votes if isinstance(record, kinds))]


def test_whatever_one_seat_signs_the_others_have_one_history_and_are_not_convicted():
    @settings(max_examples=10, database=None)
    @given(st.integers(0, 2**32))
    def lies(seed):
        play_with_a_liar(seed)

    lies()


def play_with_a_liar(seed: int) -> Simulator:
    """Play a deal among honest seats and one that lies from some turn on; raise if it succeeds."""
    source = Random(seed)
    turns_before = source.randint(0, 12)

    def has_begun(session: Session) -> bool:
        position = session.ledger.position
        is_turn = position.stage.kind is Kind.TURN
        return is_turn and position.step >= 18 + turns_before

    began = []
    sim = Simulator(f"liar {seed}", SEATS, silent={LIAR: lambda session: bool(began)})
    sim.run(lambda sim: has_begun(sim.nodes[0].session) or sim.nodes[0].session.ledger.ended)
    began.append(True)
    liar = Liar(sim, source)
    for _ in range(LIES):
        record = liar.lie()
        if isinstance(record, Promise | Proposal | Accept):
            liar.votes.append(record)
        told = HONEST if source.random() < 0.5 else (source.choice(HONEST),)
        for seat in told:
            sim.inject(seat, sim.peers[LIAR], (encode_record(record),))
        events = source.choice((0, 1, 5, 40))
        to_come = iter([False] * events)
        sim.go_on(lambda _, to_come=to_come: next(to_come, True))
    sim.go_on(lambda sim: all(sim.nodes[seat].session.ledger.ended for seat in HONEST))
    _judge(sim)
    return sim


def _judge(sim: Simulator) -> None:
    nodes = [sim.nodes[seat] for seat in HONEST]
    assert len({node.session.ledger.position.previous for node in nodes}) == 1
    for node in nodes:
        assert {notice.seat for notice in node.told if isinstance(notice, Convicted)} <= {LIAR}
        assert set(node.session.ledger.convictions) <= {LIAR}
