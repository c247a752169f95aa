"""Strangers that call at a node's port: all that they do ends after some seconds."""

import contextlib
import socket
import threading
import time

import zmq
from zmq.utils import z85

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01CURVE" + bytes(46)


def _connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=2)


def talk(data):
    """Return what sends the same bytes on new connections, as many a second as it can."""

    def call(port, end):
        while time.monotonic() < end:
            with contextlib.suppress(OSError), _connect(port) as connection:
                connection.sendall(data)
                connection.settimeout(0.05)
                connection.recv(100)

    return call


def dribble(port, end):
    """Hold a hundred connections open with a byte now and then."""
    held = []
    while time.monotonic() < end:
        if len(held) < 100:
            with contextlib.suppress(OSError):
                held.append(_connect(port))
        for place, connection in enumerate(held):
            with contextlib.suppress(OSError):
                connection.sendall(GREETING[place % 64 : place % 64 + 1])
        time.sleep(0.02)
    for connection in held:
        connection.close()


def unknown_keys(server_key):
    """Return what connects with ever new CURVE keys."""

    def call(port, end):
        with zmq.Context() as context:
            while time.monotonic() < end:
                client = context.socket(zmq.DEALER)
                client.linger = 0
                client.curve_publickey, client.curve_secretkey = zmq.curve_keypair()
                client.curve_serverkey = z85.encode(server_key)
                client.connect(f"tcp://127.0.0.1:{port}")
                # One that was turned away before it could speak has nobody to send to.
                with contextlib.suppress(zmq.Again):
                    client.send(b"let me in", zmq.NOBLOCK)
                time.sleep(0.02)
                client.close()

    return call


@contextlib.contextmanager
def at_the_door(port, seconds, *calls):
    """Let strangers call at a port for some seconds, each in a thread of its own."""
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=call, args=(port, end)) for call in calls]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()
