"""What a seated player that turns against the table sends: floods of one kind, so many a second."""

import asyncio
import contextlib
import itertools
import os
import random
from functools import partial

import zmq
from zmq.utils import z85

from p2pclimb.ledger.codec import encode
from p2pclimb.ledger.record import encode_record
from p2pclimb.net.frames import Heads, Hello, Records
from p2pclimb.net.pieces import frames_of
from p2pclimb.net.wire import encode_frame

_KINDS = (1, 2, 3, 4, 5, 6, 16, 17, 18, 19, 20)


def _values(dice, depth=0):
    """Return some value that the encoding knows, of no particular shape."""
    leaves = [
        lambda: dice.choice((0, 1, 2, 7, 8, 255, 2**32 - 1, 2**63)),
        lambda: dice.randbytes(dice.choice((0, 1, 16, 31, 32, 64, 500))),
        lambda: dice.choice(("", "x", "\u202e\x1b[2J", "127.0.0.1:1")),
        lambda: dice.random() < 0.5,
    ]
    if depth < 4 and dice.random() < 0.5:
        return [_values(dice, depth + 1) for _ in range(dice.randrange(8))]
    return dice.choice(leaves)()


def _malformed(session):
    """Yield frames of every kind with bodies that are anything, and pieces of honest frames."""
    dice = random.Random(1)
    honest = encode_frame(Records(tuple(map(encode_record, session.ledger.since(0)))[:3]))
    while True:
        header = b"\xc1\x33\x01" + bytes([dice.choice(_KINDS)])
        yield header + encode(_values(dice))
        cut = dice.randrange(len(honest))
        yield honest[:cut]
        yield honest[:cut] + dice.randbytes(4) + honest[cut + 4 :]


def _old_heads(session):
    """Yield questions that are answered with as much as possible."""
    yield from itertools.repeat(encode_frame(Heads(0, session.ledger.position.table, ())))


def _changing_heads(session):
    """Yield questions that all differ, each from somebody with another history."""
    while True:
        yield encode_frame(Heads(0, os.urandom(32), ()))


def _hellos(session):
    yield from itertools.repeat(encode_frame(Hello(1, 1, session.ledger.position.table, ())))


def _replays(session):
    """Yield all that was said at this table until now, over and over and in no order."""
    dice = random.Random(2)
    entries = [*session.ledger.since(0)]
    while True:
        dice.shuffle(entries)
        for frame in frames_of(map(encode_record, entries)):
            yield encode_frame(frame)


KINDS = {
    "malformed": _malformed,
    "old-heads": _old_heads,
    "changing-heads": _changing_heads,
    "hellos": _hellos,
    "replays": _replays,
}


async def flood(node, kind, rate, seconds):
    """Send `rate` frames a second to every other seat; return how many were taken.

    `deaf` are comparisons on connections of their own, of which no answer is ever read.
    """
    if kind == "deaf":
        with deaf_connections(node) as send:
            return await _flood(_changing_heads(node.session), [send], rate, seconds)
    peers = [seat.curve for seat in node.session.terms.seats if seat.curve in node.network.peers()]
    sends = [partial(node.network._switchboard.send, peer) for peer in peers]
    return await _flood(KINDS[kind](node.session), sends, rate, seconds)


@contextlib.contextmanager
def deaf_connections(node):
    """Yield what sends a frame to all who were dialled, on connections that are never read."""
    public, secret = node.who.identity.curve_key_pair()
    sockets = []
    with zmq.Context() as context:
        for peer, (dialler, _) in node.network._diallers.items():
            socket = context.socket(zmq.DEALER)
            socket.linger, socket.rcvhwm, socket.sndhwm = 0, 1, 10_000
            socket.curve_publickey, socket.curve_secretkey = z85.encode(public), z85.encode(secret)
            socket.curve_serverkey = z85.encode(peer)
            socket.connect(f"tcp://{dialler.addresses[0]}")
            sockets.append(socket)

        def send(data):
            taken = 0
            for socket in sockets:
                with contextlib.suppress(zmq.Again):
                    socket.send(data, zmq.DONTWAIT)
                    taken += 1
            return taken

        yield send
        for socket in sockets:
            socket.close()


async def _flood(frames, sends, rate, seconds):
    loop = asyncio.get_running_loop()
    begin, sent = loop.time(), 0
    for made, data in enumerate(frames, 1):
        sent += sum(send(data) for send in sends)
        ahead = begin + made / rate - loop.time()
        if ahead > 0.01 or made % 50 == 0:
            await asyncio.sleep(max(0.0, ahead))
        if loop.time() > begin + seconds:
            break
    return sent
