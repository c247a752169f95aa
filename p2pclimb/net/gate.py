"""The gate every received message passes: size, rate and form, before anything acts on it.

Pure: the time is handed in.  Who the sender is was established by CURVE, what it may do by
admission; what a frame means is the node's business.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pclimb.errors import MalformedError, UnsupportedError
from p2pclimb.net.admission import Admission, Standing
from p2pclimb.net.diagnosis import Cause, Diagnosis, flooded
from p2pclimb.net.frames import Frame, Join
from p2pclimb.net.wire import MAX_FRAME, decode_frame

__all__ = [
    "ALL_GUESTS_RATE",
    "GUEST_RATE",
    "LISTED_RATE",
    "MAX_GUESTS",
    "MAX_GUEST_FRAME",
    "Gate",
    "Rate",
    "TokenBucket",
]

MAX_GUESTS = 64
MAX_GUEST_FRAME = 2048
# An offence costs as much as this many frames, so that a peer who only sends nonsense is soon
# not even decoded.
_PENALTY = 20.0
# A frame counts once more for every so many bytes, as it may hold hundreds of signatures.  So a
# peer may send nine of the largest records at once, in pieces, and two a second: more than
# it needs.
_BYTES_A_TOKEN = 16_384


@dataclass(frozen=True, slots=True)
class Rate:
    """Frames a second in the long run, and how many at once."""

    per_second: float
    burst: float


LISTED_RATE = Rate(50, 200)
GUEST_RATE = Rate(0.1, 4)
ALL_GUESTS_RATE = Rate(20, 60)


@dataclass(slots=True)
class TokenBucket:
    """The allowance of one sender; times are seconds of one monotonic clock."""

    rate: Rate
    level: float = field(init=False)
    filled_at: float | None = None

    def __post_init__(self) -> None:
        self.level = self.rate.burst

    def take(self, now: float) -> bool:
        """Use one token if there is one."""
        if self.filled_at is not None:
            gained = (now - self.filled_at) * self.rate.per_second
            self.level = min(self.rate.burst, self.level + gained)
        self.filled_at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    def charge(self, tokens: float) -> None:
        """Take tokens away, down to a debt of one burst."""
        self.level = max(-self.rate.burst, self.level - tokens)


class Gate:
    """Judges received messages by sender; remembers the allowance of each."""

    def __init__(self, admission: Admission, rate: Rate = LISTED_RATE) -> None:
        self._admission = admission
        self._rate = rate
        self._listed: dict[bytes, TokenBucket] = {}
        self._guests: OrderedDict[bytes, TokenBucket] = OrderedDict()
        self._all_guests = TokenBucket(ALL_GUESTS_RATE)

    def judge(self, sender: bytes, parts: Sequence[bytes], now: float) -> Frame | Diagnosis | None:
        """Return the frame, or why a listed sender's was dropped, or None for a silent drop.

        Guests and strangers get no diagnosis: nobody at the table knows them, and an attacker
        must not be able to fill the screen.
        """
        match self._admission.standing(sender):
            case Standing.STRANGER:
                return None
            case Standing.GUEST:
                return self._judge_guest(sender, parts, now)
            case Standing.LISTED:
                return self._judge_listed(sender, parts, now)

    def charge(self, sender: bytes) -> None:
        """Take from the allowance of a listed sender what an offence costs."""
        self._allowance(sender).charge(_PENALTY)

    def _allowance(self, sender: bytes) -> TokenBucket:
        return self._listed.setdefault(sender, TokenBucket(self._rate))

    def _judge_listed(self, sender: bytes, parts: Sequence[bytes], now: float) -> Frame | Diagnosis:
        bucket = self._allowance(sender)
        if not bucket.take(now):
            return flooded()
        bucket.charge(sum(map(len, parts)) // _BYTES_A_TOKEN)
        try:
            return _single_frame(parts, MAX_FRAME)
        except MalformedError as error:
            bucket.charge(_PENALTY)
            return Diagnosis(Cause.BAD_FRAME, error.diagnostics())
        except UnsupportedError as error:
            return Diagnosis(Cause.OTHER_VERSION, error.diagnostics())

    def _judge_guest(self, sender: bytes, parts: Sequence[bytes], now: float) -> Join | None:
        bucket = self._guests.setdefault(sender, TokenBucket(GUEST_RATE))
        self._guests.move_to_end(sender)
        if len(self._guests) > MAX_GUESTS:
            self._guests.popitem(last=False)
        # A guest's own allowance first, so that one guest cannot use up that of all.
        if not bucket.take(now) or not self._all_guests.take(now):
            return None
        try:
            frame = _single_frame(parts, MAX_GUEST_FRAME)
        except (MalformedError, UnsupportedError):
            bucket.charge(_PENALTY)
            return None
        return frame if isinstance(frame, Join) else None


def _single_frame(parts: Sequence[bytes], at_most: int) -> Frame:
    if len(parts) != 1:
        raise MalformedError(f"A message of {len(parts)} parts instead of one.")
    if len(parts[0]) > at_most:
        raise MalformedError(f"A frame of more than {at_most} bytes.")
    return decode_frame(parts[0])
