"""Monitor events become the reasons that help; the events are those that were measured."""

import errno
import struct

import pytest
import zmq

from p2pclimb.net.address import Address
from p2pclimb.net.diagnosis import Cause, MonitorEvent, diagnose, parse_monitor_event

HOME = Address("192.0.2.7", 27271)


@pytest.mark.parametrize(
    ("event", "value", "cause", "words"),
    [
        (zmq.Event.CLOSED, 35, Cause.NOBODY_ANSWERS, "Nobody answers"),
        (zmq.Event.HANDSHAKE_FAILED_AUTH, 400, Cause.REFUSED, "used or withdrawn"),
        (zmq.Event.HANDSHAKE_FAILED_NO_DETAIL, errno.EPIPE, Cause.NOT_THE_HOST, "is old"),
        (zmq.Event.HANDSHAKE_FAILED_NO_DETAIL, errno.EAGAIN, Cause.NO_ANSWER_IN_TIME, "hangs"),
        (zmq.Event.HANDSHAKE_FAILED_NO_DETAIL, errno.ECONNRESET, Cause.LOST, "broke off"),
        (zmq.Event.HANDSHAKE_FAILED_PROTOCOL, 285212674, Cause.OTHER_PROGRAM, "another program"),
        (zmq.Event.DISCONNECTED, 22, Cause.OTHER_PROGRAM, "another program"),
    ],
)
def test_each_failure_has_its_reason_and_its_address(event, value, cause, words):
    diagnosis = diagnose(MonitorEvent(event, value), HOME)
    assert diagnosis.cause is cause
    assert words in diagnosis.text
    assert str(HOME) in diagnosis.text


@pytest.mark.parametrize(
    "event", [zmq.Event.CONNECT_DELAYED, zmq.Event.CONNECTED, zmq.Event.CONNECT_RETRIED]
)
def test_events_that_decide_nothing_have_no_reason(event):
    assert diagnose(MonitorEvent(event, 0), HOME) is None


def test_the_monitor_s_message_is_read():
    parts = [struct.pack("=Hi", zmq.Event.HANDSHAKE_SUCCEEDED, -1), b"tcp://192.0.2.7:27271"]
    assert parse_monitor_event(parts) == MonitorEvent(zmq.Event.HANDSHAKE_SUCCEEDED, -1)
