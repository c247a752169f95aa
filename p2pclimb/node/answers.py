"""What answering the comparisons of one peer may cost: how often, and how many bytes.

A comparison is short and what answers it is long, so a hostile peer could have a whole history sent
several times a second, and a slow one would be sent the same again while it is still on its way.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.net.frames import Heads
from p2pclimb.net.gate import Rate, TokenBucket

__all__ = ["ANSWERED_BYTES", "Answers"]

ANSWERED_BYTES = Rate(65_536, 1_048_576)
"""How many bytes a peer is answered a second, and at once: several deals, and then more of them."""

_EVERY = 0.2
# The seconds until the same is answered again: a peer that says it again has either lost the answer
# or not received it yet.
_FIRST_AGAIN = 1.5
_LAST_AGAIN = 24.0


@dataclass(slots=True)
class Answers:
    """The allowance of one peer; times are seconds of one monotonic clock."""

    _bytes: TokenBucket = field(default_factory=lambda: TokenBucket(ANSWERED_BYTES))
    _at: float | None = None
    _stood: tuple[Heads, Heads] | None = None
    _sent: int = 0
    _again: float = _FIRST_AGAIN

    def may_answer(self, theirs: Heads, ours: Heads, now: float) -> bool:
        """Tell whether a peer that stands at `theirs` is to be answered now."""
        is_same = (theirs, ours) == self._stood and self._sent > 0
        wait = self._again if is_same else _EVERY
        if self._at is not None and now < self._at + wait:
            return False
        if not self._bytes.take(now):
            return False
        self._at = now
        self._again = min(2 * self._again, _LAST_AGAIN) if is_same else _FIRST_AGAIN
        self._stood, self._sent = (theirs, ours), 0
        return True

    def answered(self, size: int) -> None:
        """Note bytes of records in the answer; one that had none may be repeated at once."""
        self._bytes.charge(size)
        self._sent += size
