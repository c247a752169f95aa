"""What a seated player that turns against the table sends: floods of one kind, so many a second."""

import asyncio
import itertools
import os
import random

from p2pclimb.ledger.codec import encode
from p2pclimb.ledger.entry import Entry
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
    honest = encode_frame(Records(tuple(map(encode_record, session.ledger.history[:3]))))
    while True:
        header = b"\xc1\x33\x01" + bytes([dice.choice(_KINDS)])
        yield header + encode(_values(dice))
        cut = dice.randrange(len(honest))
        yield honest[:cut]
        yield honest[:cut] + dice.randbytes(4) + honest[cut + 4 :]


def _old_heads(session):
    """Yield questions that are answered with as much as possible."""
    table = session.ledger.position.heads[0]
    yield from itertools.repeat(encode_frame(Heads(0, table, ())))


def _changing_heads(session):
    """Yield questions that all differ, each from somebody with another history."""
    while True:
        yield encode_frame(Heads(0, os.urandom(32), ()))


def _hellos(session):
    yield from itertools.repeat(encode_frame(Hello(1, 1, session.ledger.position.table, ())))


def _replays(session):
    """Yield all that was ever said at this table, over and over and in no order."""
    dice = random.Random(2)
    while True:
        entries: list[Entry] = list(session.ledger.history)
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
    """Send `rate` frames a second to every other seat; return how many were taken."""
    session = node.session
    own = session.seat.number
    peers = [seat.curve for number, seat in enumerate(session.terms.seats) if number != own]
    loop = asyncio.get_running_loop()
    begin, sent = loop.time(), 0
    for made, data in enumerate(KINDS[kind](session), 1):
        for peer in peers:
            sent += node.network._switchboard.send(peer, data)
        ahead = begin + made / rate - loop.time()
        if ahead > 0.01 or made % 50 == 0:
            await asyncio.sleep(max(0.0, ahead))
        if loop.time() > begin + seconds:
            break
    return sent
