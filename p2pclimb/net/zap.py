"""The ZAP handler: libzmq asks it about every handshake, and nobody unlisted gets further.

Without a handler a CURVE server lets in every client, whatever its key, so it is bound before
the listening socket is.  An open connection is never asked about again: that is the gate's work.
ZAP is 27/ZAP of the ZeroMQ RFCs.
"""

from __future__ import annotations

from collections.abc import Callable

import zmq
import zmq.asyncio
from zmq.utils import z85

from p2pclimb.net.sockets import ZAP_DOMAIN

__all__ = ["ZapHandler"]

_ENDPOINT = "inproc://zeromq.zap.01"
_VERSION = b"1.0"
# "300" (temporary) would leave the client hanging without a reason.
_ADMITTED = (b"200", b"OK")
_REFUSED = (b"400", b"not admitted")


class ZapHandler:
    """Answers one context's handshakes by a predicate over raw CURVE keys."""

    def __init__(self, context: zmq.asyncio.Context, admits: Callable[[bytes], bool]) -> None:
        self._admits = admits
        self._socket = context.socket(zmq.REP)
        self._socket.bind(_ENDPOINT)

    async def run(self) -> None:
        """Answer for ever."""
        while True:
            request = await self._socket.recv_multipart()
            await self._socket.send_multipart(self._answer(request))

    def _answer(self, request: list[bytes]) -> list[bytes]:
        _version, request_id, domain, _address, _routing_id, mechanism, *credentials = request
        user_id = b""
        status = _REFUSED
        if domain == ZAP_DOMAIN and mechanism == b"CURVE" and self._admits(credentials[0]):
            status, user_id = _ADMITTED, z85.encode(credentials[0])
        # The user id comes with every message of the connection: so the sender is known.
        return [_VERSION, request_id, *status, user_id, b""]

    def close(self) -> None:
        """Close the socket; every later handshake then hangs, and none succeeds."""
        self._socket.close(linger=0)
