"""The listening side: one ROUTER, and for each connection to it who is there and how to answer.

libzmq does not say which of a ROUTER's peers has gone.  But every message carries the descriptor
of its connection, and the monitor tells which descriptors have closed.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Iterator
from dataclasses import dataclass

import zmq
import zmq.asyncio
from zmq.utils import z85

from p2pclimb.errors import NetworkError
from p2pclimb.net.address import Address, parse_address
from p2pclimb.net.connections import (
    LOOK_EVERY,
    MAX_HELD_BACK,
    MAX_HELD_BACK_BY_STRANGERS,
    Watched,
    surplus,
)
from p2pclimb.net.diagnosis import parse_monitor_event
from p2pclimb.net.sockets import (
    CurveKeys,
    Delivery,
    LinkSettings,
    close_socket,
    endpoint,
    listening_socket,
    now_or_none,
    send_now,
)
from p2pclimb.net.switchboard import Switchboard

__all__ = ["Inbox"]

_BATCH = 32
_IN_USE_HINT = "Choose another with --port, or 0 for any that is free."


@dataclass(frozen=True, slots=True, eq=False)
class _Route:
    """A connection that a peer has made to us."""

    router: zmq.asyncio.Socket
    routing_id: bytes
    peer: bytes
    descriptor: int

    def send(self, data: bytes) -> Delivery:
        return send_now(self.router, [self.routing_id, data])


class Inbox:
    """Binds, receives, and keeps the routes by which peers that dialled us are answered."""

    def __init__(
        self,
        context: zmq.asyncio.Context,
        keys: CurveKeys,
        settings: LinkSettings,
        switchboard: Switchboard,
    ) -> None:
        self._router = listening_socket(context, keys, settings)
        self._monitor = self._router.get_monitor_socket(zmq.Event.ACCEPTED | zmq.Event.DISCONNECTED)
        self._switchboard = switchboard
        self._open: dict[int, Watched] = {}
        self._routes: dict[bytes, _Route] = {}
        self._lost: list[_Route] = []

    def bind(self, host: str, port: int) -> Address:
        """Listen on a port (0: any free one) of a host (`*`: all), and return where it listens.

        Raises NetworkError that says which port and what to do.
        """
        try:
            self._router.bind(endpoint(host, port or "*"))
        except zmq.ZMQError as error:
            raise _bind_error(error, host, port) from error
        bound: str = self._router.getsockopt_string(zmq.LAST_ENDPOINT)
        return parse_address(bound.removeprefix("tcp://"))

    async def run(self) -> None:
        """Receive for ever."""
        poller = zmq.asyncio.Poller()
        poller.register(self._router, zmq.POLLIN)
        poller.register(self._monitor, zmq.POLLIN)
        while True:
            if not self._lost:
                await poller.poll()
            self._note_connections()
            lost, self._lost = self._lost, []
            if self._read_batch():
                # Nothing is left that came before these were lost: their last words were heard.
                for route in lost:
                    self._switchboard.lost(route.peer, route)
            else:
                self._lost = [*lost, *self._lost]
            await asyncio.sleep(0)  # poll() does not yield while there is more to read

    def _read_batch(self) -> bool:
        """Handle the frames that are here, some at a time, and tell whether that was all."""
        count = 0
        for frames in self._ready():
            # A frame is on the way only after its connection was accepted and an earlier one with
            # the same descriptor was closed: once these are noted, the descriptor in the frame
            # names the right connection.
            self._note_connections()
            self._handle(frames)
            count += 1
        return count < _BATCH

    def _ready(self) -> Iterator[list[zmq.Frame]]:
        for _ in range(_BATCH):
            frames = now_or_none(self._router.recv_multipart(flags=zmq.DONTWAIT, copy=False))
            if frames is None:
                return
            yield [frame for frame in frames if isinstance(frame, zmq.Frame)]

    def _note_connections(self) -> None:
        while (parts := now_or_none(self._monitor.recv_multipart(zmq.DONTWAIT))) is not None:
            event = parse_monitor_event([bytes(part) for part in parts])
            if event.event == zmq.Event.ACCEPTED:
                self._open[event.value] = Watched(event.value)
                self._hang_up_on_surplus()
            else:
                self._open.pop(event.value, None)
                self._drop_routes(event.value)

    def _hang_up_on_surplus(self) -> None:
        for watched in surplus(self._open.values(), self._switchboard.is_listed):
            # Its descriptor stays open until libzmq has noticed, but it counts no more.
            del self._open[watched.descriptor]
            watched.hang_up()

    async def watch(self) -> None:
        """Break off connections on which a message never ends, for ever."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for watched in self._open.values():
                is_listed = self._switchboard.is_listed(watched.peer)
                limit = MAX_HELD_BACK if is_listed else MAX_HELD_BACK_BY_STRANGERS
                if watched.held_back() > limit:
                    watched.hang_up()

    def _drop_routes(self, descriptor: int) -> None:
        dropped = [r for r in self._routes.values() if r.descriptor == descriptor]
        for route in dropped:
            del self._routes[route.routing_id]
        self._lost += dropped

    def _handle(self, frames: list[zmq.Frame]) -> None:
        routing_id, *parts = frames
        sender = _sender(frames[-1])
        descriptor = int(frames[-1].get(zmq.SRCFD))
        if descriptor in self._open:
            self._open[descriptor].spoke(sender)
        route = self._route(routing_id.bytes, sender, descriptor)
        data = [part.bytes for part in parts]
        valid = self._switchboard.received(sender, route, data, None, _host(frames[-1]))
        if valid and route is not None:
            self._routes[route.routing_id] = route

    def _route(self, routing_id: bytes, sender: bytes, descriptor: int) -> _Route | None:
        if descriptor not in self._open:
            return None
        known = self._routes.get(routing_id)
        return known or _Route(self._router, routing_id, sender, descriptor)

    def close(self, linger: float) -> None:
        """Stop listening; what is queued gets `linger` seconds to leave."""
        close_socket(self._router, linger=linger)


def _sender(frame: zmq.Frame) -> bytes:
    """Return the CURVE key that the handshake proved, as the ZAP handler named it."""
    key: bytes = z85.decode(str(frame.get("User-Id")).encode("ascii"))
    return key


def _host(frame: zmq.Frame) -> str:
    """Return the IP address that a message came from; IPv4 as such, on a socket for both."""
    return str(frame.get("Peer-Address")).removeprefix("::ffff:")


def _bind_error(error: zmq.ZMQError, host: str, port: int) -> NetworkError:
    match error.errno:
        case zmq.EADDRINUSE:
            return NetworkError(f"Port {port} is in use by another program.", hint=_IN_USE_HINT)
        case errno.EACCES:
            return NetworkError(f"Port {port} is reserved for the system.", hint=_IN_USE_HINT)
        case _:
            return NetworkError(
                f"This machine has no address {host} to listen on.",
                hint="Listen on * to take connections on all of its addresses.",
            )
