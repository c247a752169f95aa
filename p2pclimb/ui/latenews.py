"""Who is late, and what of it is worth a line: time that runs out, votes, pauses.

A countdown of every second would bury the play, so the time is told when little of it is left.  The
words are in `text`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from p2pclimb.ledger.position import Position
from p2pclimb.table.notices import Notice, PauseHeld, TimeRuns, VoteStands

__all__ = ["Countdown", "LateNews", "count_down"]

_LAST_MARK = 10.0
_LEAST_HALF = 20.0


@dataclass(frozen=True, slots=True)
class Countdown:
    """The time that these seats have for the step which builds on `head`.

    It is over at `deadline`, in seconds of the caller's clock; `marks` are the seconds left at
    which the players are told, in descending order.
    """

    seats: tuple[int, ...]
    head: bytes
    deadline: float
    marks: tuple[float, ...]

    def left(self, now: float) -> float:
        """Return the seconds that are left."""
        return max(0.0, self.deadline - now)

    def until_told(self, now: float) -> float | None:
        """Return the seconds until the next mark, None if there is none to come."""
        left = self.left(now)
        return next((left - mark for mark in self.marks if mark < left), None)


def count_down(notice: TimeRuns, head: bytes, now: float) -> Countdown:
    """Return the countdown that begins now.

    Half of the time is a mark where it is long, and the last seconds are; time that is shorter than
    that passes without a word.
    """
    half = notice.seconds / 2
    marks = [half] if half > _LEAST_HALF else []
    if notice.seconds > _LAST_MARK:
        marks.append(_LAST_MARK)
    return Countdown(notice.seats, head, now + notice.seconds, tuple(marks))


class LateNews:
    """What a player is told about late seats, on the event loop.

    `position` gives where the table stands, None as long as there is no table; `tell` gets what is
    to be told later.
    """

    def __init__(
        self, position: Callable[[], Position | None], tell: Callable[[Notice], None]
    ) -> None:
        self._position = position
        self._tell = tell
        self._countdown: Countdown | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._is_paused = False
        self._last_vote: tuple[int, int, int] | None = None

    def is_news(self, notice: TimeRuns | VoteStands | PauseHeld) -> bool:
        """Take a notice, and return whether it is to be told at once."""
        match notice:
            case TimeRuns():
                self._begin(notice)
                return False
            case PauseHeld():
                self._is_paused = notice.holds
                return True
            case VoteStands(seat, ballot, promised, accepted, _):
                # Whoever has promised and then accepts has no second vote.
                votes = len({*promised, *accepted})
                vote = seat, ballot, votes
                is_new = votes > 0 and vote != self._last_vote
                self._last_vote = vote
                return is_new

    def stop(self) -> None:
        """Tell nothing later any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def urgent(self) -> list[str]:
        """Return what the status line is to say of it."""
        if self._is_paused:
            return ["a pause"]
        if self._countdown is None or not self._late():
            return []
        return [f"{self._countdown.left(self._now()):.0f} s left"]

    def _begin(self, notice: TimeRuns) -> None:
        position = self._position()
        if position is not None:
            self._countdown = count_down(notice, position.previous, self._now())
            self._last_vote = None
            self._set_alarm(self._countdown)

    def _late(self) -> tuple[int, ...]:
        """Return the seats whose time runs and for which the table still waits."""
        position = self._position()
        if self._countdown is None or position is None:
            return ()
        if position.previous != self._countdown.head:
            return ()
        return tuple(seat for seat in position.waiting() if seat in self._countdown.seats)

    def _set_alarm(self, countdown: Countdown) -> None:
        self.stop()
        seconds = countdown.until_told(self._now())
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(seconds, self._ring, countdown)

    def _ring(self, countdown: Countdown) -> None:
        late = self._late()
        if not late:
            return
        if not self._is_paused:
            self._tell(TimeRuns(late, countdown.left(self._now())))
        self._set_alarm(countdown)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
