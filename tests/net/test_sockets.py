"""What single sockets do, where a whole node is not needed."""

import asyncio
import errno

import pytest
import zmq
import zmq.asyncio
from link_harness import curve_keys, in_a_loop

from p2pclimb.net.address import Address
from p2pclimb.net.diagnosis import nobody_answers
from p2pclimb.net.dialler import connect_once
from p2pclimb.net.inbox import _bind_error
from p2pclimb.net.sockets import (
    CurveKeys,
    Delivery,
    LinkSettings,
    close_socket,
    endpoint,
    listening_socket,
    send_now,
)

HOME = Address("127.0.0.1", 27271)


def test_endpoints_are_written_as_libzmq_reads_them():
    assert endpoint("192.0.2.1", 5) == "tcp://192.0.2.1:5"
    assert endpoint("2001:db8::1", 5) == "tcp://[2001:db8::1]:5"
    assert endpoint("*", "*") == "tcp://*:*"


def test_sending_to_a_peer_that_is_gone_is_told_as_such():
    async def test():
        with zmq.asyncio.Context() as context:
            router = listening_socket(context, CurveKeys(*curve_keys()), LinkSettings())
            assert send_now(router, [b"nobody", b"data"]) is Delivery.GONE
            close_socket(router)
            assert send_now(router, [b"nobody", b"data"]) is Delivery.GONE

    in_a_loop(test)


def test_what_is_sent_on_a_closed_socket_comes_to_no_other():
    """As when libzmq has made a new socket where the closed one was."""

    async def test():
        with zmq.asyncio.Context() as context:
            closed = listening_socket(context, CurveKeys(*curve_keys()), LinkSettings())
            close_socket(closed)
            with context.socket(zmq.REP) as other:
                closed._shadow_sock = zmq.Socket.shadow(other.underlying)
                assert send_now(closed, [b"data"]) is Delivery.GONE

    in_a_loop(test)


def test_any_other_failure_to_send_is_not_hidden():
    async def test():
        with zmq.asyncio.Context() as context:
            puller = context.socket(zmq.PULL)
            with pytest.raises(zmq.ZMQError):
                send_now(puller, [b"data"])
            puller.close()

    in_a_loop(test)


def test_an_attempt_ends_even_if_libzmq_never_tells_how(monkeypatch):
    monkeypatch.setattr(zmq.asyncio.Socket, "connect", lambda *_: None)
    impatient = LinkSettings(connect_timeout=0.05, handshake_timeout=0.05)

    async def test():
        with zmq.asyncio.Context() as context:
            keys = CurveKeys(*curve_keys())
            outcome = connect_once(context, keys, impatient, bytes(32), HOME.host, HOME)
            assert await asyncio.wait_for(outcome, 5) == nobody_answers(HOME)

    # The monitor's own socket needs connect(), so only an attempt that has one is stopped.
    monkeypatch.setattr(zmq.asyncio.Socket, "get_monitor_socket", silent_monitor)
    in_a_loop(test)


def silent_monitor(socket, _events=0):
    monitor = socket.context.socket(zmq.PAIR)
    monitor.bind(f"inproc://silent-{id(monitor)}")
    return monitor


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EADDRINUSE, "Port 80 is in use by another program."),
        (errno.EACCES, "Port 80 is reserved for the system."),
        (errno.EADDRNOTAVAIL, "This machine has no address 192.0.2.1 to listen on."),
        (errno.ENODEV, "This machine has no address 192.0.2.1 to listen on."),
    ],
)
def test_why_a_port_cannot_be_had_is_told(number, words):
    error = _bind_error(zmq.ZMQError(number), "192.0.2.1", 80)
    assert error.text == words
    assert error.hint


def test_secret_keys_are_in_no_repr():
    public, secret = curve_keys()
    shown = repr(CurveKeys(public, secret))
    assert repr(secret) not in shown
    assert repr(public) in shown
