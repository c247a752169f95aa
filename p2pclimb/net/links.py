"""The links of one node: the listening socket, the dialled peers, and one stream of events.

This is all the node sees of ZeroMQ.  What frames mean, whom to dial and whom to admit are the
node's decisions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence

import zmq
import zmq.asyncio
from zmq.utils import z85

from p2pclimb.errors import NetworkError
from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission, Standing
from p2pclimb.net.diagnosis import Cause, Diagnosis
from p2pclimb.net.dialler import Connection, Dialler, connect_once
from p2pclimb.net.frames import Frame
from p2pclimb.net.gate import Gate
from p2pclimb.net.inbox import Inbox
from p2pclimb.net.sockets import CurveKeys, LinkSettings
from p2pclimb.net.switchboard import LinkEvent, Switchboard
from p2pclimb.net.wire import encode_frame
from p2pclimb.net.zap import ZapHandler

__all__ = ["Links"]

_WILDCARDS = {"0.0.0.0", "::"}  # noqa: S104 - only recognised here


class Links:
    """All connections of one node, in a ZeroMQ context of its own; made by `open`."""

    def __init__(self, keys: CurveKeys, admission: Admission, settings: LinkSettings) -> None:
        self._keys = keys
        self._admission = admission
        self._settings = settings
        self._context = zmq.asyncio.Context()
        self._terminated: asyncio.Future[None] | None = None
        self._switchboard = Switchboard(admission, Gate(admission), asyncio.get_running_loop().time)
        self._zap = ZapHandler(self._context, self._admits)
        self._inbox = Inbox(self._context, keys, settings, self._switchboard)
        self._tasks: set[asyncio.Task[None]] = set()
        self._diallers: dict[bytes, tuple[Dialler, asyncio.Task[None]]] = {}
        self._probe = b""
        self.port = 0

    @classmethod
    async def open(
        cls,
        curve_public: bytes,
        curve_secret: bytes,
        host: str,
        port: int,
        admission: Admission,
        settings: LinkSettings | None = None,
    ) -> Links:
        """Listen on a port (0: any free one, see `port`) of a host (`*`: all addresses).

        Before it returns, a key made for the purpose has tried to connect and has been refused.
        Raises NetworkError if the port cannot be had, or if that key was not refused.
        """
        keys = CurveKeys(curve_public, curve_secret)
        links = cls(keys, admission, settings or LinkSettings())
        try:
            links._start(links._zap.run())
            bound = links._inbox.bind(host, port)
            links.port = bound.port
            await links._require_refusal(bound)
            links._start(links._inbox.run())
            links._start(links._inbox.watch())
        except BaseException:
            await links.close()
            raise
        return links

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)
        return task

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._switchboard.failed(error)

    def _admits(self, key: bytes) -> bool:
        return key != self._probe and self._admission.standing(key) is not Standing.STRANGER

    async def _require_refusal(self, bound: Address) -> None:
        public, secret = (z85.decode(key) for key in zmq.curve_keypair())
        self._probe = public
        outcome = await connect_once(
            self._context,
            CurveKeys(public, secret),
            self._settings,
            self._keys.public,
            "127.0.0.1" if bound.host in _WILDCARDS else bound.host,
            bound,
        )
        if isinstance(outcome, Diagnosis) and outcome.cause is Cause.REFUSED:
            return
        if isinstance(outcome, Connection):
            outcome.close()
            found = "ZeroMQ let in a key that it must refuse."
        else:
            found = outcome.text
        raise NetworkError(
            f"The check that strangers are kept out failed: {found}", hint="Nothing was started."
        )

    def dial(self, peer: bytes, addresses: Sequence[Address]) -> None:
        """Connect to a peer, by its CURVE key, at whichever address answers, and stay connected.

        The peer must be listed, else what it says is dropped.  Dialling it again changes the
        addresses; a connection that stands is kept.  Without addresses nothing changes.
        """
        if not addresses:
            return
        dialler = self._diallers[peer][0] if peer in self._diallers else None
        if dialler is not None and (dialler.connected or dialler.addresses == tuple(addresses)):
            dialler.addresses = tuple(addresses)
            return
        self.undial(peer)
        new = Dialler(self._context, self._keys, self._settings, self._switchboard, peer, addresses)
        self._diallers[peer] = (new, self._start(new.run()))

    def undial(self, peer: bytes) -> None:
        """Close our own connection to a peer and stop dialling it."""
        if peer in self._diallers:
            _, task = self._diallers.pop(peer)
            task.cancel()

    def send(self, peer: bytes, frame: Frame) -> bool:
        """Queue a frame for a peer; False if it was dropped.  Never waits.

        True is no promise: a connection that breaks takes its queue along, so a node compares
        heads whenever a link comes up.
        """
        return self._switchboard.send(peer, encode_frame(frame))

    def charge(self, peer: bytes) -> None:
        """Let a listed peer pay for a frame that turned out to be worth nothing.

        Of a peer that sends nothing else, hardly any frame is even decoded after a while.
        """
        self._switchboard.charge(peer)

    async def receive(self) -> LinkEvent:
        """Return the next event, in the order in which things happened."""
        return await self._switchboard.next_event()

    def peers(self) -> frozenset[bytes]:
        """Return the CURVE keys of the listed peers that are up."""
        return self._switchboard.peers()

    async def close(self) -> None:
        """Close everything; frames sent last get `linger` seconds to leave.  May be repeated.

        Whoever is cancelled meanwhile leaves no socket open: a context with open sockets blocks the
        whole process when it is collected.
        """
        if self._context.closed:
            return
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            self._inbox.close(self._settings.linger)
            self._zap.close()
        # term() blocks until the queues are empty or their time is over.  Two at once is an error,
        # and it goes on when whoever waits for it is cancelled.
        if self._terminated is None:
            loop = asyncio.get_running_loop()
            self._terminated = loop.run_in_executor(None, self._context.term)
        await asyncio.shield(self._terminated)
