"""Randomness that is handed in, and the unbiased draws made from it.

The node hands in `os.urandom`, the simulator a seeded source; nothing in this package asks the
system for randomness by itself.  Scalars are drawn in `group`, proof nonces in `transcript`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Entropy", "draw", "random_below", "random_permutation"]

Entropy: TypeAlias = Callable[[int], bytes]
"""A source of secret randomness: given a number of bytes, it returns that many."""

_WORD = 8


def draw(entropy: Entropy, size: int) -> bytes:
    """Return `size` bytes of `entropy`; ValueError if the source gives another number."""
    data = entropy(size)
    if len(data) != size:
        raise ValueError(f"the entropy source gave {len(data)} bytes instead of {size}")
    return data


def random_below(bound: int, entropy: Entropy) -> int:
    """Return a uniform integer in 0..bound-1, for a bound of at most 2^64.

    Words beyond the last whole multiple of `bound` are drawn again: taking them modulo `bound`
    would favour the low values.
    """
    if not 0 < bound <= 1 << 8 * _WORD:
        raise ValueError("the bound must be between 1 and 2^64")
    limit = (1 << 8 * _WORD) // bound * bound
    while True:
        word = int.from_bytes(draw(entropy, _WORD), "little")
        if word < limit:
            return word % bound


def random_permutation(count: int, entropy: Entropy) -> tuple[int, ...]:
    """Return a uniform permutation of 0..count-1 (Fisher and Yates)."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        chosen = random_below(last + 1, entropy)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)
