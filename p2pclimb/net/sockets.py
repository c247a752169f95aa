"""ZeroMQ sockets as this program uses them: CURVE always, everything bounded, nothing blocks.

Only how a socket is made, read, written and closed; who is at the other end is known elsewhere.
"""

from __future__ import annotations

import enum
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import zmq
import zmq.asyncio
from zmq.utils import z85

from p2pclimb.net.wire import MAX_FRAME

__all__ = [
    "ZAP_DOMAIN",
    "CurveKeys",
    "Delivery",
    "LinkSettings",
    "close_socket",
    "dialling_socket",
    "endpoint",
    "listening_socket",
    "now_or_none",
    "send_now",
]

ZAP_DOMAIN = b"p2pclimb"
_QUEUE = 256
# MAXMSGSIZE counts CURVE's own bytes too, and an oversized message costs its sender the link.
_MAX_MESSAGE = MAX_FRAME + 1024
_BACKLOG = 32
_NEVER = 2**31 - 1  # milliseconds: 24 days

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """Times of the links, in seconds; the tests shorten them.

    A frozen peer is noticed after at most `heartbeat_interval + heartbeat_timeout`.  The timeout
    is long enough for one full frame at 10 kB/s, since heartbeats queue behind it.
    """

    heartbeat_interval: float = 2.0
    heartbeat_timeout: float = 7.5
    connect_timeout: float = 5.0
    handshake_timeout: float = 10.0
    first_frame_timeout: float = 5.0
    first_retry: float = 0.25
    longest_retry: float = 8.0
    retry_when_refused: float = 10.0
    linger: float = 0.2


@dataclass(frozen=True, slots=True)
class CurveKeys:
    """A node's own CURVE key pair, 32 bytes each."""

    public: bytes
    secret: bytes = field(repr=False)


class Delivery(enum.Enum):
    """What became of a message handed to a socket."""

    QUEUED = "queued"
    BEHIND = "behind"  # the queue is full
    GONE = "gone"  # there is nobody any more


def endpoint(host: str, port: int | str) -> str:
    """Return ZeroMQ's name of a TCP endpoint; `host` may be `*`."""
    return f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"


def listening_socket(
    context: zmq.asyncio.Context, keys: CurveKeys, settings: LinkSettings
) -> zmq.asyncio.Socket:
    """Return the ROUTER of a node, not yet bound; the ZAP handler must run before it is."""
    router = context.socket(zmq.ROUTER)
    _set_common_options(router, keys, settings)
    router.setsockopt(zmq.CURVE_SERVER, 1)
    router.setsockopt(zmq.ZAP_DOMAIN, ZAP_DOMAIN)
    router.setsockopt(zmq.ROUTER_MANDATORY, 1)
    router.setsockopt(zmq.BACKLOG, _BACKLOG)
    return router


def dialling_socket(
    context: zmq.asyncio.Context, keys: CurveKeys, peer: bytes, settings: LinkSettings
) -> zmq.asyncio.Socket:
    """Return a DEALER that talks to the holder of the CURVE key `peer` and to nobody else.

    It connects once: ZeroMQ's own retrying goes on for ever after some failures and stops after
    others, so the dialler decides.
    """
    # Neither RECONNECT_IVL -1 nor IMMEDIATE: with either, libzmq drops what a lost connection had
    # brought and nobody has read yet, such as a peer's farewell.
    dealer = context.socket(zmq.DEALER)
    _set_common_options(dealer, keys, settings)
    dealer.setsockopt(zmq.CURVE_SERVERKEY, z85.encode(peer))
    dealer.setsockopt(zmq.CONNECT_TIMEOUT, _milliseconds(settings.connect_timeout))
    dealer.setsockopt(zmq.RECONNECT_IVL, _NEVER)
    return dealer


def _set_common_options(
    socket: zmq.asyncio.Socket, keys: CurveKeys, settings: LinkSettings
) -> None:
    socket.setsockopt(zmq.CURVE_PUBLICKEY, z85.encode(keys.public))
    socket.setsockopt(zmq.CURVE_SECRETKEY, z85.encode(keys.secret))
    socket.setsockopt(zmq.LINGER, _milliseconds(settings.linger))
    socket.setsockopt(zmq.SNDHWM, _QUEUE)
    socket.setsockopt(zmq.RCVHWM, _QUEUE)
    socket.setsockopt(zmq.MAXMSGSIZE, _MAX_MESSAGE)
    socket.setsockopt(zmq.HEARTBEAT_IVL, _milliseconds(settings.heartbeat_interval))
    socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, _milliseconds(settings.heartbeat_timeout))
    socket.setsockopt(zmq.HEARTBEAT_TTL, _milliseconds(settings.heartbeat_timeout))
    socket.setsockopt(zmq.HANDSHAKE_IVL, _milliseconds(settings.handshake_timeout))
    socket.setsockopt(zmq.IPV6, 1)
    socket.setsockopt(zmq.TCP_KEEPALIVE, 1)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def now_or_none(outcome: Awaitable[Result]) -> Result | None:
    """Return what a DONTWAIT call on an asyncio socket gave, or None if there was nothing.

    Such a call is decided when it returns; its future only carries the decision.
    """
    try:
        return cast("Any", outcome).result()  # type: ignore[no-any-return]
    except zmq.Again:
        return None


def send_now(socket: zmq.asyncio.Socket, parts: list[bytes]) -> Delivery:
    """Queue a message without ever waiting."""
    # pyzmq would hand it to whatever socket libzmq has at the same address by now.
    if socket.closed:
        return Delivery.GONE
    try:
        outcome = socket.send_multipart(parts, flags=zmq.DONTWAIT)
        cast("Any", outcome).result()
    except zmq.Again:
        return Delivery.BEHIND
    except zmq.ZMQError as error:
        if error.errno == zmq.EHOSTUNREACH:
            return Delivery.GONE
        raise
    return Delivery.QUEUED


def close_socket(socket: zmq.asyncio.Socket, *, linger: float = 0) -> None:
    """Close a socket and its monitor; what is queued gets `linger` seconds to leave.

    Does nothing when that was done before.
    """
    if socket.closed:
        return
    monitor = socket.get_monitor_socket()
    socket.disable_monitor()
    monitor.close(linger=0)
    socket.close(linger=_milliseconds(linger))
