"""Why a peer cannot be reached, in words: ZeroMQ's monitor events read for a human.

ZeroMQ tells nothing to the program that connects; its monitor does, in numbers.  The cases were
measured against libzmq 4.3.5.
"""

from __future__ import annotations

import enum
import errno
import struct
from dataclasses import dataclass

import zmq

from p2pclimb.net.address import Address

__all__ = [
    "Cause",
    "Diagnosis",
    "MonitorEvent",
    "diagnose",
    "flooded",
    "lost",
    "nobody_answers",
    "parse_monitor_event",
    "silent",
    "unresolved",
]


class Cause(enum.Enum):
    """Why there is no link; the values are stable slugs for JSON."""

    UNRESOLVED = "unresolved"
    NOBODY_ANSWERS = "nobody-answers"
    NOT_THE_HOST = "not-the-host"
    REFUSED = "refused"
    OTHER_PROGRAM = "other-program"
    OTHER_VERSION = "other-version"
    NO_ANSWER_IN_TIME = "no-answer-in-time"
    LOST = "lost"
    BAD_FRAME = "bad-frame"
    FLOOD = "flood"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One reason, for programs (`cause`) and for people (`text`)."""

    cause: Cause
    text: str


@dataclass(frozen=True, slots=True)
class MonitorEvent:
    """One event of a socket's monitor; what `value` means depends on the event."""

    event: int
    value: int


def parse_monitor_event(parts: list[bytes]) -> MonitorEvent:
    """Read the two parts of a monitor's message (zmq_socket_monitor(3))."""
    event, value = struct.unpack("=Hi", parts[0])
    return MonitorEvent(event, value)


def diagnose(event: MonitorEvent, address: Address) -> Diagnosis | None:
    """Return why an attempt to connect has failed, or None for an event that decides nothing."""
    match event.event:
        case zmq.Event.CLOSED:
            return nobody_answers(address)
        case zmq.Event.HANDSHAKE_FAILED_AUTH:
            return Diagnosis(
                Cause.REFUSED,
                f"The player at {address} does not let us in: "
                "the invitation was used or withdrawn, or the table has begun.",
            )
        case zmq.Event.HANDSHAKE_FAILED_NO_DETAIL:
            return _broken_handshake(event.value, address)
        # Disconnected before any handshake: after one, the link was up.
        case zmq.Event.HANDSHAKE_FAILED_PROTOCOL | zmq.Event.DISCONNECTED:
            return Diagnosis(
                Cause.OTHER_PROGRAM, f"The port at {address} belongs to another program."
            )
        case _:
            return None


def _broken_handshake(error: int, address: Address) -> Diagnosis:
    match error:
        case errno.EPIPE:  # the other side could not decrypt what was meant for the host's key
            return Diagnosis(
                Cause.NOT_THE_HOST,
                f"The machine at {address} is not the one of this invitation, "
                "or the invitation is old.",
            )
        case errno.EAGAIN:
            return Diagnosis(
                Cause.NO_ANSWER_IN_TIME,
                f"Something at {address} takes connections but does not answer: "
                "another program, or one that hangs.",
            )
        case _:
            return lost(address)


def nobody_answers(address: Address) -> Diagnosis:
    """Return the reason for an address that takes no connection."""
    return Diagnosis(
        Cause.NOBODY_ANSWERS,
        f"Nobody answers at {address} (not started, wrong port, or a firewall).",
    )


def unresolved(address: Address) -> Diagnosis:
    """Return the reason for a host name that has no address."""
    return Diagnosis(
        Cause.UNRESOLVED, f"The name {address.host} is unknown (mistyped, or no name service)."
    )


def silent(address: Address, seconds: float) -> Diagnosis:
    """Return the reason for a peer that shook hands and then said nothing we understand."""
    return Diagnosis(
        Cause.NO_ANSWER_IN_TIME,
        f"The program at {address} has said nothing for {seconds:g} seconds: "
        "it hangs, or speaks another version.",
    )


def lost(address: Address) -> Diagnosis:
    """Return the reason for a connection that was there and broke off."""
    return Diagnosis(Cause.LOST, f"The connection to {address} broke off.")


def flooded() -> Diagnosis:
    """Return the reason for dropping frames of a peer that sends too many."""
    return Diagnosis(Cause.FLOOD, "Too many frames; some were dropped.")
