"""What a TCP connection may cost this node, in descriptors and in memory.

libzmq bounds neither: it accepts connections until the process can open no file any more, and it
collects the parts of a message that never ends.  So connections are counted here, and the bytes
that have come on each since its last whole message; the descriptors are those that libzmq's monitor
names.  Whose connection it is and what was said on it is known elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

__all__ = [
    "LOOK_EVERY",
    "MAX_BY_PEER",
    "MAX_HELD_BACK",
    "MAX_HELD_BACK_BY_STRANGERS",
    "MAX_STRANGERS",
    "Watched",
    "allow_many_descriptors",
    "surplus",
]

MAX_STRANGERS = 64
"""How many connections may be open on which no listed peer has spoken, guests included."""

MAX_BY_PEER = 4
"""How many connections a listed peer may have; more are leftovers of its restarts, or an attack."""

MAX_HELD_BACK = 32 * 1024 * 1024
"""Bytes without a whole message: more than what libzmq queues while this node does not read."""

MAX_HELD_BACK_BY_STRANGERS = 256 * 1024
"""The same on a connection on which no listed peer has spoken; a guest only sends a JOIN."""

LOOK_EVERY = 0.5
"""Seconds between looks at what has come."""

_BYTES_RECEIVED = (128, struct.Struct("=Q"))  # tcpi_bytes_received in Linux's struct tcp_info
_NO_LINGER = struct.pack("ii", 1, 0)
_MANY_DESCRIPTORS = 65_536


@dataclass(slots=True, eq=False)
class Watched:
    """One connection; `peer` is the CURVE key that has spoken on it, if any."""

    descriptor: int = -1
    peer: bytes | None = None
    _before: int = field(default=0, repr=False)
    _has_spoken: bool = field(default=True, repr=False)

    def spoke(self, peer: bytes) -> None:
        """Note a whole message."""
        self.peer = peer
        self._has_spoken = True

    def held_back(self) -> int:
        """Return how many bytes have come since the look that followed the last whole message.

        0 where the system does not tell: only Linux does.
        """
        received = _bytes_received(self.descriptor)
        if self._has_spoken:
            self._before, self._has_spoken = received, False
        return received - self._before

    def hang_up(self) -> None:
        """Break the connection off, as if the other side had done so.

        The descriptor is libzmq's: it is not closed, but libzmq finds the connection at its end.
        """
        with contextlib.suppress(OSError), _socket_of(self.descriptor) as connection:
            # Closed at once, whatever is still on the way in either direction.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            connection.shutdown(socket.SHUT_RDWR)


def surplus(
    connections: Iterable[Watched], is_listed: Callable[[bytes | None], bool]
) -> list[Watched]:
    """Return the oldest of those connections that are too many; `connections` has the oldest first.

    The oldest: an honest peer speaks as soon as it is connected, and nobody can keep others out by
    being there first.
    """
    kinds: dict[bytes | None, list[Watched]] = {}
    for each in connections:
        kinds.setdefault(each.peer if is_listed(each.peer) else None, []).append(each)
    strangers = kinds.pop(None, [])
    by_peer = [each for theirs in kinds.values() for each in theirs[:-MAX_BY_PEER]]
    return [*strangers[:-MAX_STRANGERS], *by_peer]


def allow_many_descriptors() -> None:
    """Let this process open as many files as the system lets it.

    A burst of connections is over sooner than it is noticed, and no log may fail for it.
    """
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MANY_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # macOS has a further limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _socket_of(descriptor: int) -> socket.socket:
    """Return a socket of our own for a descriptor of libzmq's; raises OSError if it is none."""
    return socket.socket(fileno=os.dup(descriptor))


def _bytes_received(descriptor: int) -> int:
    offset, number = _BYTES_RECEIVED
    if sys.platform != "linux":
        return 0
    with contextlib.suppress(OSError), _socket_of(descriptor) as connection:
        told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, offset + number.size)
        if len(told) == offset + number.size:
            received: int = number.unpack_from(told, offset)[0]
            return received
    return 0
