"""Entries that came before their step: kept in bounds until the steps before are complete."""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.ledger.entry import Entry

__all__ = ["MAX_AHEAD", "MAX_WAITING", "Pool"]

MAX_AHEAD = 64
"""How many steps an entry may be ahead of the ledger."""

MAX_WAITING = 64
"""How many entries of one author may wait; a seat that lags further catches up by `sync`."""


@dataclass(slots=True)
class Pool:
    """Verified signatures, unverified content; never more than `MAX_WAITING` a seat."""

    _waiting: dict[bytes, Entry] = field(default_factory=dict)

    def __contains__(self, entry: Entry) -> bool:
        return entry.signed in self._waiting

    def add(self, entry: Entry, step: int) -> None:
        """Keep an entry ahead of `step`, unless it is too far or its author has too many."""
        mine = sum(1 for other in self._waiting.values() if other.author == entry.author)
        if entry.step <= step + MAX_AHEAD and mine < MAX_WAITING:
            self._waiting[entry.signed] = entry

    def take(self, step: int) -> list[Entry]:
        """Take out the entries of a step, and drop those of steps before it."""
        ripe = [entry for entry in self._waiting.values() if entry.step == step]
        self._waiting = {
            signed: entry for signed, entry in self._waiting.items() if entry.step > step
        }
        return ripe
