"""A cable between two network interfaces that delays, reorders and loses packets.

Run as a program: it makes two TAP interfaces in its network namespace and forwards whole Ethernet
frames between them.  Each frame waits `--delay` seconds and up to `--jitter` more, so that later
ones overtake it; of a hundred, `--loss` never arrive.  The dice are seeded.
"""

import argparse
import asyncio
import contextlib
import fcntl
import heapq
import os
import random
import struct

_TUNSETIFF = 0x400454CA
_TAP_WITHOUT_HEADER = 0x0002 | 0x1000
_LONGEST_FRAME = 2048
_MOST_ON_THE_WAY = 2000


def open_tap(name):
    """Make a TAP interface, and return the descriptor at its other end."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    request = struct.pack("16sH22x", name.encode(), _TAP_WITHOUT_HEADER)
    fcntl.ioctl(descriptor, _TUNSETIFF, request)
    return descriptor


class Way:
    """One direction of the cable."""

    def __init__(self, source, target, settings, dice):
        self._source = source
        self._target = target
        self._settings = settings
        self._dice = dice
        self._on_the_way = []
        self._count = 0
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(source, self._take)

    def _take(self):
        frame = os.read(self._source, _LONGEST_FRAME)
        lost = self._dice.random() * 100 < self._settings.loss
        if lost or len(self._on_the_way) >= _MOST_ON_THE_WAY:
            return
        wait = self._settings.delay + self._dice.random() * self._settings.jitter
        self._count += 1
        heapq.heappush(self._on_the_way, (self._loop.time() + wait, self._count, frame))
        self._loop.call_later(wait, self._deliver)

    def _deliver(self):
        _, _, frame = heapq.heappop(self._on_the_way)
        # Where the interface is down or its queue full, the frame is lost.
        with contextlib.suppress(OSError):
            os.write(self._target, frame)


async def forward(settings):
    taps = [open_tap(name) for name in settings.names]
    dice = random.Random(settings.seed)
    for source, target in (taps, taps[::-1]):
        Way(source, target, settings, dice)
    print("laid", flush=True)
    await asyncio.Event().wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs=2, metavar="INTERFACE")
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--jitter", type=float, default=0.0)
    parser.add_argument("--loss", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(forward(parser.parse_args()))


if __name__ == "__main__":
    main()
