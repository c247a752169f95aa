"""Entries that came before their step: kept in bounds until the steps before are complete."""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.ledger.entry import MAX_TRIBUTE_SIZE, Entry

__all__ = ["MAX_AHEAD", "MAX_WAITING", "Pool"]

MAX_AHEAD = 64
"""How many steps an entry may be ahead of the ledger; a node further behind catches up by `sync`.
"""

MAX_WAITING = MAX_TRIBUTE_SIZE + 131_072
"""How many bytes of one author's entries may wait: a whole deal of an honest seat takes less."""


@dataclass(slots=True)
class Pool:
    """Verified signatures, unverified content; never more than `MAX_WAITING` a seat."""

    _waiting: dict[bytes, Entry] = field(default_factory=dict)
    _sizes: dict[int, int] = field(default_factory=dict)

    def __contains__(self, entry: Entry) -> bool:
        return entry.signed in self._waiting

    def has_room(self, entry: Entry, step: int) -> bool:
        """Whether an entry ahead of `step` is not too far, and its author has not too many."""
        size = self._sizes.get(entry.author, 0) + len(entry.signed)
        return entry.step <= step + MAX_AHEAD and size <= MAX_WAITING

    def add(self, entry: Entry, step: int) -> None:
        """Keep an entry ahead of `step` if there is room for it."""
        if self.has_room(entry, step) and entry not in self:
            self._waiting[entry.signed] = entry
            self._sizes[entry.author] = self._sizes.get(entry.author, 0) + len(entry.signed)

    def take(self, step: int) -> list[Entry]:
        """Take out the entries of a step, and those of steps that went by without them."""
        ripe = [entry for entry in self._waiting.values() if entry.step <= step]
        for entry in ripe:
            del self._waiting[entry.signed]
            self._sizes[entry.author] -= len(entry.signed)
        return ripe
