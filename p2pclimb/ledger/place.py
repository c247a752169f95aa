"""A place of the log: where one seat's statement belongs."""

from __future__ import annotations

from dataclasses import dataclass

from p2pclimb.ledger import codec

__all__ = ["MAX_STEP", "Place"]

MAX_STEP = 2**31


@dataclass(frozen=True, slots=True)
class Place:
    """Where one entry belongs: a step on one branch, and an author."""

    step: int
    previous: bytes
    author: int

    def key(self) -> bytes:
        """Return bytes that name the place in the sign guard."""
        return codec.encode([self.step, self.previous, self.author])
