"""The signatures of one seat: a counter that rises, and no second entry at a place.

What is signed is decided by the session; that it is on disk before it is sent, by the node.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.crypto.identity import Identity
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Entry, Leave, sign_entry, sign_leave
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Position

__all__ = ["Signer"]


@dataclass(slots=True)
class Signer:
    """Signs as seat number `seat`, and knows at which places that are not yet final it did."""

    seat: int
    identity: Identity = field(repr=False)
    _counter: int = -1
    _signed: set[Place] = field(default_factory=set)

    def entry(self, position: Position, body: Value) -> Entry:
        """Return the signed entry with this body at the seat's open place."""
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
        )

    def leave(self, position: Position, step: int) -> Leave:
        """Return the signed notice that the seat leaves from a step on."""
        return sign_leave(
            self.identity,
            table=position.table,
            deal=position.stage.deal,
            step=step,
            author=self.seat,
            counter=self._next_counter(),
        )

    def forget_final(self, ledger: Ledger) -> tuple[bytes, ...]:
        """Return the keys of the places that have become final: nobody can ask for them again."""
        final = [place for place in self._signed if ledger.is_final(place.step, self.seat)]
        self._signed.difference_update(final)
        return tuple(place.key() for place in final)

    def _next_counter(self) -> int:
        self._counter += 1
        return self._counter
