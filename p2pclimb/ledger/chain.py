"""The chain of heads: one hash a step, shared by all positions of a branch.

A table has tens of thousands of steps, and a position for each of the unsettled ones; with a tuple
of its own each of them would hold the whole chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

__all__ = ["Chain"]


class Chain(Sequence[bytes]):
    """An immutable sequence of heads, of which a longer one can be made without a copy.

    Each head covers all before it, so two chains of one length that end alike are equal.
    """

    __slots__ = ("_heads", "_length")

    def __init__(self, heads: Sequence[bytes]) -> None:
        self._heads = list(heads)
        self._length = len(self._heads)

    def then(self, head: bytes) -> Chain:
        """Return the chain with one head more."""
        longer = Chain.__new__(Chain)
        longer._length = self._length + 1
        # A job that looks ahead may extend the same chain in another thread: then one of two heads
        # is too many and belongs to no chain, and whoever does not find its own takes a copy.
        if len(self._heads) == self._length:
            self._heads.append(head)
        is_shared = self._heads[self._length] == head
        longer._heads = self._heads if is_shared else [*self._heads[: self._length], head]
        return longer

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(index, slice):
            return tuple(self._heads[at] for at in range(*index.indices(self._length)))
        return self._heads[range(self._length)[index]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chain):
            return NotImplemented
        return len(self) == len(other) and self[-1:] == other[-1:]

    def __hash__(self) -> int:
        return hash(self[-1:])

    def __repr__(self) -> str:
        return f"Chain of {self._length} heads"
