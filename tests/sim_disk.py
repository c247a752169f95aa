"""The fake disk of a simulated node: what survives when the node is killed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from p2pclimb.table.effects import Remember, Seal, Store, Unseal

__all__ = ["Disk"]


@dataclass
class Disk:
    """The log, of which all up to `synced` is durable, the sign guard, and the sealed secrets."""

    log: list[bytes] = field(default_factory=list)
    guard: dict[bytes, bytes] = field(default_factory=dict)
    sealed: dict[bytes, bytes] = field(default_factory=dict)
    synced: int = 0
    durable: set[bytes] = field(default_factory=set)

    def keep(self, effect: Remember | Store | Seal | Unseal) -> None:
        """Do what a session asks for of its files."""
        match effect:
            case Seal(name, secret):
                assert name not in self.sealed
                self.sealed[name] = secret
            case Unseal(names):
                for name in names:
                    del self.sealed[name]
            case Remember(place, record, final):
                self.guard[place] = record
                for key in final:
                    self.guard.pop(key, None)
            case Store(record, sync):
                self.log.append(record)
                if sync:
                    self.durable.update(self.log[self.synced :])
                    self.synced = len(self.log)

    def lose_what_was_not_synced(self, source: random.Random) -> None:
        """Keep of the end of the log that was never synced as much as chance has written."""
        kept = source.randint(self.synced, len(self.log))
        del self.log[kept:]
        self.durable.update(self.log)
        self.synced = kept

    def image(self) -> Disk:
        """Return a copy of what is on the disk for sure."""
        log = self.log[: self.synced]
        return Disk(log, {**self.guard}, {**self.sealed}, len(log), {*log})

    def restore(self, image: Disk) -> None:
        """Put back what an image has, and nothing else."""
        self.log, self.synced, self.durable = [*image.log], image.synced, {*image.durable}
        self.guard, self.sealed = {**image.guard}, {**image.sealed}
