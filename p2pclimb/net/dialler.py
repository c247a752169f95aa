"""The dialling side: find one of a peer's addresses that answers, keep it, and find one again.

All addresses of a peer are tried at once, since most of them lead nowhere from any given place,
and the first that completes the handshake is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import zmq
import zmq.asyncio

from p2pclimb.net.address import Address
from p2pclimb.net.connections import LOOK_EVERY, MAX_HELD_BACK, Watched
from p2pclimb.net.diagnosis import (
    Cause,
    Diagnosis,
    diagnose,
    lost,
    nobody_answers,
    parse_monitor_event,
    silent,
    unresolved,
)
from p2pclimb.net.resolver import resolve
from p2pclimb.net.sockets import (
    CurveKeys,
    Delivery,
    LinkSettings,
    close_socket,
    dialling_socket,
    endpoint,
    now_or_none,
    send_now,
)
from p2pclimb.net.switchboard import Switchboard

__all__ = ["Connection", "Dialler", "connect_once"]


@dataclass(frozen=True, slots=True, eq=False)
class Connection:
    """One connection that we have made, while its handshake goes on and after."""

    socket: zmq.asyncio.Socket
    monitor: zmq.asyncio.Socket
    address: Address
    linger: float
    watched: Watched

    def send(self, data: bytes) -> Delivery:
        """Queue the bytes of a frame without waiting."""
        return send_now(self.socket, [data])

    def close(self) -> None:
        """Close it; what is queued gets a moment to leave."""
        close_socket(self.socket, linger=self.linger)


async def connect_once(
    context: zmq.asyncio.Context,
    keys: CurveKeys,
    settings: LinkSettings,
    peer: bytes,
    host: str,
    address: Address,
) -> Connection | Diagnosis:
    """Try once to shake hands with `peer`, at `host` (an IP address) and the port of `address`.

    Returns the connection, which the caller closes, or the reason in the words of `address`.
    """
    socket = dialling_socket(context, keys, peer, settings)
    connection = Connection(
        socket, socket.get_monitor_socket(), address, settings.linger, Watched()
    )
    outcome: Connection | Diagnosis | None = None
    try:
        socket.connect(endpoint(host, address.port))
        # libzmq has its own time limits, but says nothing where it cannot even make a socket.
        async with asyncio.timeout(settings.connect_timeout + settings.handshake_timeout + 1):
            while outcome is None:
                event = parse_monitor_event(await connection.monitor.recv_multipart())
                if event.event == zmq.Event.CONNECTED:
                    connection.watched.descriptor = event.value
                succeeded = event.event == zmq.Event.HANDSHAKE_SUCCEEDED
                outcome = connection if succeeded else diagnose(event, address)
    except TimeoutError:
        outcome = nobody_answers(address)
    finally:
        if outcome is not connection:
            connection.close()
    return outcome


class Dialler:
    """Keeps one peer connected; `run` ends only by being cancelled."""

    def __init__(
        self,
        context: zmq.asyncio.Context,
        keys: CurveKeys,
        settings: LinkSettings,
        switchboard: Switchboard,
        peer: bytes,
        addresses: Sequence[Address],
    ) -> None:
        self._context = context
        self._keys = keys
        self._settings = settings
        self._switchboard = switchboard
        self._peer = peer
        self.addresses = tuple(addresses)
        self.connected = False

    async def run(self) -> None:
        """Connect, carry until the connection is lost, and begin again."""
        pause = self._settings.first_retry
        while True:
            connection = await self._first_to_answer()
            heard = await self._carry(connection)
            # A peer that lets us in and then drops us without a word is not to be hammered.
            pause = self._settings.first_retry if heard else self._longer(pause)
            await asyncio.sleep(pause)

    def _longer(self, pause: float) -> float:
        return min(2 * pause, self._settings.longest_retry)

    async def _first_to_answer(self) -> Connection:
        attempts = [
            asyncio.create_task(self._until_answered(address)) for address in self.addresses
        ]
        first: Connection | None = None
        try:
            done, _ = await asyncio.wait(attempts, return_when=asyncio.FIRST_COMPLETED)
            first = done.pop().result()
        finally:
            for attempt in attempts:
                attempt.cancel()
            for outcome in await asyncio.gather(*attempts, return_exceptions=True):
                if isinstance(outcome, Connection) and outcome is not first:
                    outcome.close()
        return first

    async def _until_answered(self, address: Address) -> Connection:
        pause = self._settings.first_retry
        turn = 0
        while True:
            outcome = await self._attempt(address, turn)
            if isinstance(outcome, Connection):
                return outcome
            self._switchboard.trouble(self._peer, address, outcome)
            if outcome.cause is Cause.REFUSED:
                await asyncio.sleep(self._settings.retry_when_refused)
            else:
                await asyncio.sleep(pause)
                pause = self._longer(pause)
            turn += 1

    async def _attempt(self, address: Address, turn: int) -> Connection | Diagnosis:
        """Try one of the IP addresses of a host, another one each turn."""
        hosts = await resolve(address)
        if not hosts:
            return unresolved(address)
        host = hosts[turn % len(hosts)]
        return await connect_once(
            self._context, self._keys, self._settings, self._peer, host, address
        )

    async def _carry(self, connection: Connection) -> bool:
        """Receive until the connection is lost, and tell whether a valid frame came."""
        heard = False
        self.connected = True
        self._switchboard.reached(self._peer, connection)
        patience = asyncio.get_running_loop().call_later(
            self._settings.first_frame_timeout, self._complain_of_silence, connection.address
        )
        poller = zmq.asyncio.Poller()
        poller.register(connection.socket, zmq.POLLIN)
        poller.register(connection.monitor, zmq.POLLIN)
        try:
            connected = True
            while connected:
                await poller.poll(LOOK_EVERY * 1000)
                # In this order, so that the last frames of a lost connection are still read.
                connected = not _disconnected(connection.monitor)
                if self._receive(connection):
                    heard = True
                    connection.watched.spoke(self._peer)
                    patience.cancel()
                elif connection.watched.held_back() > MAX_HELD_BACK:
                    connection.watched.hang_up()
                await asyncio.sleep(0)  # poll() does not yield while there is more to read
            self._switchboard.trouble(self._peer, connection.address, lost(connection.address))
        finally:
            self.connected = False
            patience.cancel()
            self._switchboard.lost(self._peer, connection)
            connection.close()
        return heard

    def _complain_of_silence(self, address: Address) -> None:
        if self._peer in self._switchboard.peers():
            return  # it speaks on a connection that it has dialled itself
        reason = silent(address, self._settings.first_frame_timeout)
        self._switchboard.trouble(self._peer, address, reason)

    def _receive(self, connection: Connection) -> bool:
        heard = False
        while (
            parts := now_or_none(connection.socket.recv_multipart(flags=zmq.DONTWAIT))
        ) is not None:
            data = [bytes(part) for part in parts]
            heard |= self._switchboard.received(self._peer, connection, data, connection.address)
        return heard


def _disconnected(monitor: zmq.asyncio.Socket) -> bool:
    while (parts := now_or_none(monitor.recv_multipart(flags=zmq.DONTWAIT))) is not None:
        event = parse_monitor_event([bytes(part) for part in parts])
        if event.event == zmq.Event.DISCONNECTED:
            return True
    return False
