"""The signatures of one seat: a counter that rises, and no second entry at a place.

What is signed is decided by the session; that it is on disk before it is sent, by the node.  What
the seat signed before a restart is adopted, so that the counter goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pclimb.crypto.identity import Identity
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Entry, Leave, sign_entry, sign_leave
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.record import Record, signer_of
from p2pclimb.ledger.votes import (
    Accept,
    Pause,
    Promise,
    Proposal,
    Vote,
    sign_accept,
    sign_pause,
    sign_promise,
    sign_proposal,
)
from p2pclimb.table.voting import Act, ToAccept, ToPromise, ToPropose

__all__ = ["Signer"]


@dataclass(slots=True)
class Signer:
    """Signs as seat number `seat`, and knows at which places that are not settled it did.

    `is_elsewhere`: somebody else signs with the identity, so that nothing more may be signed here.
    """

    seat: int
    identity: Identity = field(repr=False)
    is_elsewhere: bool = False
    _counter: int = -1
    _signed: set[Place] = field(default_factory=set)

    @property
    def has_begun(self) -> bool:
        """Whether the seat has signed anything."""
        return self._counter >= 0

    def entry(
        self, position: Position, body: Value, excepted: Sequence[tuple[int, int]] = ()
    ) -> Entry:
        """Return the signed entry with this body at the seat's open place.

        `excepted` are the places (step, seat) that it builds on without acknowledging them.
        """
        site = position.site
        assert site is not None
        place = Place(site.step, site.previous, self.seat)
        assert place not in self._signed
        self._signed.add(place)
        return sign_entry(
            self.identity,
            table=site.table,
            deal=site.deal,
            attempt=site.attempt,
            place=place,
            counter=self._next_counter(),
            kind=site.kind,
            body=body,
            excepted=excepted,
        )

    def leave(self, position: Position, step: int, head: bytes) -> Leave:
        """Return the signed notice that the seat leaves from a step on, acknowledging a head."""
        return sign_leave(
            self.identity,
            table=position.table,
            deal=position.stage.deal,
            step=step,
            author=self.seat,
            counter=self._next_counter(),
            head=head,
        )

    def vote(self, table: bytes, place: Place, act: Act) -> Promise | Proposal | Accept:
        """Return the signed vote on a late place."""
        vote = Vote(table, place, act.ballot, self.seat, self._next_counter())
        match act:
            case ToPromise(accepted=accepted, proposal=proposal):
                return sign_promise(self.identity, vote, accepted, proposal)
            case ToPropose(value=value, promises=promises):
                return sign_proposal(self.identity, vote, value, promises)
            case ToAccept(value=value):
                return sign_accept(self.identity, vote, value)

    def pause(self, table: bytes, asks: bool) -> Pause:
        """Return the signed request for a pause, or the end of one."""
        counter = self._next_counter()
        return sign_pause(self.identity, table=table, author=self.seat, counter=counter, asks=asks)

    def adopt(self, record: Record) -> None:
        """Go on after a record if this seat signed it before."""
        if signer_of(record) != self.seat:
            return
        match record:
            case Entry(place=place, counter=counter):
                self._signed.add(place)
            case Leave(counter=counter) | Pause(counter=counter):
                pass
            case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
                counter = vote.counter
            case _:
                return
        self._counter = max(self._counter, counter)

    def finds_foreign(self, record: Record) -> bool:
        """Tell, once, of a record that shows that somebody else signs with this identity.

        From then on the seat `is_elsewhere`.
        """
        is_own = isinstance(record, Entry) and record.place in self._signed
        if self.is_elsewhere or is_own or signer_of(record) != self.seat:
            return False
        self.is_elsewhere = True
        return True

    def has_answered(self, position: Position) -> bool:
        """Whether the place that waits for the seat has its entry, which is being checked still.

        So it is after a restart.
        """
        own = Place(position.step, position.previous, self.seat)
        return own in self._signed and self.seat in position.waiting()

    def forget_settled(self, ledger: Ledger) -> tuple[bytes, ...]:
        """Return the keys of the places that are settled: nobody can ask for them again."""
        settled = [place for place in self._signed if place.step < ledger.first_step]
        self._signed.difference_update(settled)
        return tuple(place.key() for place in settled)

    def _next_counter(self) -> int:
        self._counter += 1
        return self._counter
