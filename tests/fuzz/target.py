"""What is fuzzed: a decoder, samples of what it accepts, and what must hold for any other bytes."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from mutation import mutate

from p2pclimb.errors import ClimbError

__all__ = ["MOST_SECONDS", "Target", "counted_memory", "probe"]

MOST_SECONDS = 3.0
MEMORY = 4 * 2**20  # bytes that any input may take: caches, tables, a whole frame
MEMORY_OF_A_BYTE = 150  # an item of msgpack is a byte at least, and an object of Python at most


def _as_is(data: bytes) -> bytes:
    return data


@dataclass(frozen=True)
class Target:
    """A decoder.

    `decode` takes any bytes, may raise of the error tree only, and asserts that what it accepts is
    written as the same bytes.  `samples` makes valid inputs.  `seal` writes the checksum that
    `decode` looks at first, so that what lies behind it is reached: samples are unsealed.
    """

    name: str
    samples: Callable[[], Sequence[bytes]]
    decode: Callable[[bytes], object]
    seal: Callable[[bytes], bytes] = _as_is
    examples: int = 150

    def draw(self, samples: Sequence[bytes], rng: Random) -> bytes:
        """Return an input that is nearly valid."""
        if self.seal is not _as_is and rng.random() < 0.25:
            return mutate([self.seal(sample) for sample in samples], rng)
        return self.seal(mutate(samples, rng))


@contextmanager
def counted_memory() -> Iterator[None]:
    """Have the memory counted that is asked for within."""
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def probe(target: Target, data: bytes) -> bool:
    """Decode, and return whether the bytes were accepted.

    Raises AssertionError if that takes too long, or (within `counted_memory`) more memory than
    the bytes are good for, and whatever escapes the decoder.
    """
    if is_counted := tracemalloc.is_tracing():
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
    began = time.process_time()
    try:
        target.decode(data)
        accepted = True
    except ClimbError:
        accepted = False
    spent = time.process_time() - began
    assert spent < MOST_SECONDS, f"{spent:.1f} s for {len(data)} bytes"
    if is_counted:
        taken = tracemalloc.get_traced_memory()[1] - before
        assert taken < MEMORY + MEMORY_OF_A_BYTE * len(data), f"{taken} for {len(data)} bytes"
    return accepted
