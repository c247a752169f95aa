"""Records that came before their step is known: kept in bounds until it is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from p2pclimb.ledger.entry import MAX_TRIBUTE_SIZE, Entry
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import encode_record
from p2pclimb.ledger.votes import Accept, Certificate, Promise, Proposal

__all__ = ["MAX_AHEAD", "MAX_WAITING", "Early", "Pool"]

MAX_AHEAD = 64
"""How many steps a record may be ahead of the ledger; a node further behind catches up by `sync`.
"""

MAX_WAITING = MAX_TRIBUTE_SIZE + 131_072
"""How many bytes of one author's records may wait: a whole deal of an honest seat takes less.  A
certificate counts as its late seat's."""

Early = Entry | Certificate | Promise | Proposal | Accept


@dataclass(slots=True)
class Pool:
    """Verified signatures, unverified content; never more than `MAX_WAITING` a seat."""

    _waiting: dict[bytes, Early] = field(default_factory=dict)
    _sizes: dict[int, int] = field(default_factory=dict)

    def __contains__(self, record: Early) -> bool:
        return encode_record(record) in self._waiting

    def has_room(self, record: Early, step: int) -> bool:
        """Whether a record is not too far ahead of `step`, and its author has not too many."""
        size = self._sizes.get(_owner(record), 0) + len(encode_record(record))
        return _place(record).step <= step + MAX_AHEAD and size <= MAX_WAITING

    def add(self, record: Early, step: int) -> None:
        """Keep a record ahead of `step` if there is room for it."""
        data = encode_record(record)
        if self.has_room(record, step) and data not in self._waiting:
            self._waiting[data] = record
            self._grow(record, len(data))

    def take(self, heads: Collection[bytes], first_step: int) -> list[Early]:
        """Take out the records of steps that build on one of these heads, or that went by."""
        ripe = {
            data: record
            for data, record in self._waiting.items()
            if _place(record).previous in heads or _place(record).step < first_step
        }
        for data, record in ripe.items():
            del self._waiting[data]
            self._grow(record, -len(data))
        return list(ripe.values())

    def _grow(self, record: Early, size: int) -> None:
        owner = _owner(record)
        self._sizes[owner] = self._sizes.get(owner, 0) + size


def _place(record: Early) -> Place:
    return record.place if isinstance(record, Entry | Certificate) else record.vote.place


def _owner(record: Early) -> int:
    """Return the seat that signed a record; of a certificate the seat that it is about."""
    return record.place.author if isinstance(record, Entry | Certificate) else record.vote.signer
