"""Records that came before their step is known: kept in bounds until it is."""

from __future__ import annotations

import math
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
"""How many bytes of one author's records may wait: a whole deal of an honest seat takes less."""

Early = Entry | Certificate | Promise | Proposal | Accept


@dataclass(slots=True)
class Pool:
    """Verified signatures, unverified content; never more than `MAX_WAITING` a seat."""

    # Each record with the seat that it counts as one of.
    _waiting: dict[bytes, tuple[Early, int]] = field(default_factory=dict)
    _sizes: dict[int, int] = field(default_factory=dict)

    def __contains__(self, record: Early) -> bool:
        return encode_record(record) in self._waiting

    def has_room(self, record: Early, step: int) -> bool:
        """Whether a record is not too far ahead of `step`, and its author has not too many."""
        owner = self._owner(record)
        size = self._size(owner) + len(encode_record(record)) if owner is not None else math.inf
        return _place(record).step <= step + MAX_AHEAD and size <= MAX_WAITING

    def add(self, record: Early, step: int) -> None:
        """Keep a record ahead of `step` if there is room for it."""
        data, owner = encode_record(record), self._owner(record)
        if owner is not None and self.has_room(record, step) and data not in self._waiting:
            self._waiting[data] = record, owner
            self._sizes[owner] = self._size(owner) + len(data)

    def take(self, heads: Collection[bytes], first_step: int) -> list[Early]:
        """Take out the records of steps that build on one of these heads, or that went by."""
        ripe = {
            data: record
            for data, (record, _) in self._waiting.items()
            if _place(record).previous in heads or _place(record).step < first_step
        }
        for data in ripe:
            _, owner = self._waiting.pop(data)
            self._sizes[owner] -= len(data)
        return list(ripe.values())

    def _size(self, seat: int) -> int:
        return self._sizes.get(seat, 0)

    def _owner(self, record: Early) -> int | None:
        """Return the seat that a record counts as one of: somebody who has signed it.

        A certificate that many have signed is of the one who has the fewest bytes here, so that a
        seat that makes up certificates uses up no room but its own; one that nobody has signed is
        of nobody.
        """
        match record:
            case Certificate(accepts=accepts):
                signers = (accept.vote.signer for accept in accepts)
                return min(signers, key=self._size, default=None)
            case Entry(author=author):
                return author
            case _:
                return record.vote.signer


def _place(record: Early) -> Place:
    return record.place if isinstance(record, Entry | Certificate) else record.vote.place
