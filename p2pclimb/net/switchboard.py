"""Which peers are up, and over what: the state between the sockets and the node.

A carrier is one connection to a peer, dialled by us or by it; either may carry everything.  A
peer comes up with its first valid frame, as a guest or listed, and goes down with its last
carrier.  No socket is touched here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission, Standing
from p2pclimb.net.diagnosis import Diagnosis
from p2pclimb.net.frames import Frame
from p2pclimb.net.gate import MAX_GUESTS, Gate
from p2pclimb.net.sockets import Delivery

__all__ = [
    "Carrier",
    "Incoming",
    "LinkDown",
    "LinkEvent",
    "LinkUp",
    "Reached",
    "Switchboard",
    "Trouble",
]

# A node that does not read loses the newest frames, as the network may lose any; the nodes
# compare heads and repair.
_QUEUED_FRAMES = 1024
# More connections of one peer than this are leftovers of its restarts, or an attack.
_CARRIERS_PER_PEER = 4


@dataclass(frozen=True, slots=True)
class Reached:
    """A dialled peer shook hands: it can be greeted, and has said nothing yet."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A listed peer has sent its first valid frame; a guest that is listed, its next one."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The last connection with a listed peer that was up is gone."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class Incoming:
    """A valid frame, and the CURVE key of the peer that sent it.

    `host` is the IP address that it came from, where the peer has dialled us.
    """

    peer: bytes
    frame: Frame
    host: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A new reason why a peer cannot be reached, or why its frames were dropped.

    `address` is None for a peer that dialled us.
    """

    peer: bytes
    address: Address | None
    diagnosis: Diagnosis


LinkEvent: TypeAlias = Reached | LinkUp | LinkDown | Incoming | Trouble


class Carrier(Protocol):
    """One connection, told from others by identity."""

    def send(self, data: bytes) -> Delivery:
        """Queue the bytes of a frame without waiting."""
        ...


class Switchboard:
    """Collects what the sockets report, and sends over whatever carrier works."""

    def __init__(self, admission: Admission, gate: Gate, clock: Callable[[], float]) -> None:
        self._admission = admission
        self._gate = gate
        self._clock = clock
        # The carriers of each peer, the one most recently heard last.
        self._carriers: dict[bytes, list[Carrier]] = {}
        # Peers that have sent a valid frame, guests included; those of which LinkUp was told.
        self._up: set[bytes] = set()
        self._told_up: set[bytes] = set()
        self._reasons: dict[tuple[bytes, Address | None], Diagnosis] = {}
        self._events: asyncio.Queue[LinkEvent | BaseException] = asyncio.Queue()

    def is_listed(self, peer: bytes | None) -> bool:
        """Tell whether a peer may say everything; None is nobody."""
        return peer is not None and self._admission.standing(peer) is Standing.LISTED

    def reached(self, peer: bytes, carrier: Carrier) -> None:
        """Note a dialled connection whose handshake has succeeded."""
        self._carriers.setdefault(peer, []).append(carrier)
        self._events.put_nowait(Reached(peer))

    def received(
        self,
        peer: bytes,
        carrier: Carrier | None,
        parts: Sequence[bytes],
        address: Address | None,
        host: str | None = None,
    ) -> bool:
        """Judge a received message, and tell whether it was a valid frame.

        `carrier` is None for a connection that is already gone: its last words still count, but
        do not bring the peer up.  `host` is where a peer that dialled us did so from.
        """
        judged = self._gate.judge(peer, parts, self._clock())
        if judged is None:
            return False
        if isinstance(judged, Diagnosis):
            self.trouble(peer, address, judged)
            return False
        if carrier is not None:
            self._heard(peer, carrier)
        if self._events.qsize() < _QUEUED_FRAMES:
            self._events.put_nowait(Incoming(peer, judged, host))
        return True

    def _heard(self, peer: bytes, carrier: Carrier) -> None:
        carriers = self._carriers.setdefault(peer, [])
        if carrier in carriers:
            carriers.remove(carrier)
        carriers.append(carrier)
        del carriers[:-_CARRIERS_PER_PEER]
        self._up.add(peer)
        if self._admission.standing(peer) is Standing.GUEST:
            self._forget_old_guests()
        elif peer not in self._told_up:
            self._told_up.add(peer)
            self._reasons = {key: why for key, why in self._reasons.items() if key[0] != peer}
            self._events.put_nowait(LinkUp(peer))

    def _forget_old_guests(self) -> None:
        guests = [key for key in self._carriers if self._admission.standing(key) is Standing.GUEST]
        for peer in guests[:-MAX_GUESTS]:
            del self._carriers[peer]
            self._up.discard(peer)

    def lost(self, peer: bytes, carrier: Carrier) -> None:
        """Note that a connection is gone."""
        carriers = self._carriers.get(peer, [])
        if carrier in carriers:
            carriers.remove(carrier)
        if carriers:
            return
        self._carriers.pop(peer, None)
        # A guest may have been listed, and gone, without another word.
        is_listed = self._admission.standing(peer) is Standing.LISTED
        if peer in self._told_up or (peer in self._up and is_listed):
            self._events.put_nowait(LinkDown(peer))
        self._up.discard(peer)
        self._told_up.discard(peer)

    def trouble(self, peer: bytes, address: Address | None, diagnosis: Diagnosis) -> None:
        """Pass on a reason, unless it is the one last given for the same peer and address."""
        if self._reasons.get((peer, address)) != diagnosis:
            self._reasons[peer, address] = diagnosis
            self._events.put_nowait(Trouble(peer, address, diagnosis))

    def charge(self, peer: bytes) -> None:
        """Let a listed peer pay for a frame that turned out to be worth nothing."""
        self._gate.charge(peer)

    def failed(self, error: BaseException) -> None:
        """Make `next_event` raise an error of the links' own."""
        self._events.put_nowait(error)

    def send(self, peer: bytes, data: bytes) -> bool:
        """Queue bytes on the first carrier that takes them; False if none does.

        One that takes none because it is gone may have brought last words that nobody has read yet:
        `lost` is told by who reads them.
        """
        if self._admission.standing(peer) is Standing.STRANGER:
            return False
        carriers = reversed(self._carriers.get(peer, []))
        return any(carrier.send(data) is Delivery.QUEUED for carrier in carriers)

    def peers(self) -> frozenset[bytes]:
        """Return the listed peers that are up."""
        return frozenset(
            peer for peer in self._up if self._admission.standing(peer) is Standing.LISTED
        )

    async def next_event(self) -> LinkEvent:
        """Return the next event in the order in which things happened."""
        event = await self._events.get()
        if isinstance(event, BaseException):
            raise event
        return event
