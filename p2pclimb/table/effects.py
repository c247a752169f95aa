"""What a session asks of its node, in the order in which it must be done.

Peers are named by their 32-byte CURVE public keys.  A `Remember`, `Store` or `Seal` that comes
before a `Flood` must be on disk before anything is sent: that order is what makes a crash harmless.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from p2pclimb.ledger.place import Place
from p2pclimb.table.notices import Notice

__all__ = [
    "Alarm",
    "BallotLate",
    "ClaimsDue",
    "Effect",
    "EnoughWaited",
    "Flood",
    "Heads",
    "Job",
    "KeepEvidence",
    "Message",
    "Records",
    "Remember",
    "Seal",
    "Send",
    "SendPast",
    "StepLate",
    "Store",
    "Tell",
    "Unseal",
    "Wake",
    "Work",
    "gathered",
]


@dataclass(frozen=True, slots=True)
class Heads:
    """Where a node stands: the present step, the head it builds on, the seats that filled it."""

    step: int
    head: bytes
    filled: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Records:
    """Encoded records for another node's ledger."""

    records: tuple[bytes, ...]


Message = Heads | Records


class Job(Protocol):
    """Work that takes long: pure, so the node runs it in a thread; `result` goes back."""

    def run(self) -> object:
        """Do the work and return what the session needs to go on."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Put a signature into the sign guard, durably, before anything else happens.

    The signatures at the places `settled` can be dropped: nobody can ask for them again.
    """

    place: bytes
    record: bytes
    settled: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Store:
    """Append a record to the log; `sync`: it and all before it must be on disk."""

    record: bytes
    sync: bool


@dataclass(frozen=True, slots=True)
class Seal:
    """Keep the secrets of an attempt, sealed and durably, before anything else happens.

    `name` is the head that the attempt's step `commit` builds on.
    """

    name: bytes
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unseal:
    """Destroy the sealed secrets of these attempts: nothing will ask for them again."""

    names: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message to one peer."""

    peer: bytes
    message: Message


@dataclass(frozen=True, slots=True)
class Flood:
    """Send a message to every connected peer except the one that it came from."""

    message: Message
    without: bytes | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """Run a job off the event loop and hand its result to `Session.done`.

    Jobs that `can_wait` should leave the machine to those that others wait for.
    """

    job: Job
    can_wait: bool = False


@dataclass(frozen=True, slots=True)
class ClaimsDue:
    """The time for claims in a step is over."""

    step: int


@dataclass(frozen=True, slots=True)
class StepLate:
    """The time is over for all who are expected in the step that builds on a head."""

    head: bytes


@dataclass(frozen=True, slots=True)
class BallotLate:
    """A ballot on a late place should have come to an end."""

    place: Place
    ballot: int


@dataclass(frozen=True, slots=True)
class EnoughWaited:
    """After a restart, not all came back: the clocks run from now on all the same."""


Alarm = ClaimsDue | StepLate | BallotLate | EnoughWaited


@dataclass(frozen=True, slots=True)
class Wake:
    """Call `Session.time_up` with an alarm after so many seconds."""

    seconds: float
    alarm: Alarm


@dataclass(frozen=True, slots=True)
class SendPast:
    """Send a peer the records in the log for a step and those after it, as many as one answer has.

    They are settled, so that the session does not keep them.
    """

    peer: bytes
    step: int


@dataclass(frozen=True, slots=True)
class KeepEvidence:
    """Put the proof of a seat's offence, with what it builds on, into a file of its own."""

    seat: int
    step: int
    proof: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell the user interface what happened."""

    notice: Notice


Effect = (
    Remember | Seal | Unseal | Store | Send | SendPast | Flood | Work | Wake | KeepEvidence | Tell
)


def gathered(effects: Iterable[Effect]) -> list[Effect]:
    """Return effects with what is sent at the end, and records for the same peers together.

    A peer can have hundreds of records passed on by one frame.  One by one they would look to the
    others like a flood, and not by that peer.
    """
    sent: list[Effect] = []
    others: list[Effect] = []
    for effect in effects:
        match effect, sent[-1:]:
            case Flood(Records(more), to), [Flood(Records(records), same)] if same == to:
                sent[-1] = Flood(Records((*records, *more)), to)
            case Send() | SendPast() | Flood(), _:
                sent.append(effect)
            case _:
                others.append(effect)
    return [*others, *sent]
