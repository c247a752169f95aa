"""CPU of one seat from keys to hand, next to the cost of the group operations it cannot avoid.

All seats of a table deal in one thread; each seat's share of the thread's CPU time is summed up.
The floor is the number of multiplications and additions that a seat was counted to need, times what
the bare calls of libsodium cost.  What is above it is decoding, hashing, scalars and Python.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields

from bench import Row
from p2pclimb.crypto.group import Point, base_point, decode_points, encode_points, hash_to_point
from p2pclimb.crypto.masking import (
    Deck,
    KeyPair,
    card_index,
    card_points,
    decode_deck,
    encode_deck,
    initial_deck,
    joint_key,
    new_key_pair,
    residual,
    share,
    unmask,
)
from p2pclimb.crypto.possession import prove_possession, verify_possession
from p2pclimb.crypto.shares import prove_shares, verify_shares
from p2pclimb.crypto.shuffle import generators, prove_shuffle, shuffle, verify_shuffle
from p2pclimb.crypto.sodium import Operations, count_operations, load

__all__ = ["Size", "best", "cpu_seconds", "floor_seconds", "run", "unit_costs"]

GOAL = 1.25
CONTEXT = b"bench"
HAND = 13


@dataclass(frozen=True, slots=True)
class Size:
    """A table to measure."""

    seats: int
    cards: int


SIZES = (Size(4, 52), Size(8, 104), Size(2, 52))
REPEATS = 3

Watch = Callable[[int], AbstractContextManager[object]]
"""Given a seat, a context in which that seat's work is done."""


def run() -> list[Row]:
    """Return one row for each table, and the goal for the ratio."""
    for size in SIZES:  # computed once a process, not once a deal
        card_points(size.cards)
        generators(size.cards)
    return [_measure(size) for size in SIZES]


def _measure(size: Size) -> Row:
    operations = _counted(size)
    costs = unit_costs()
    measured = cpu_seconds(size)
    floor = floor_seconds(operations, costs)
    return {
        "table": f"{size.seats} seats, {size.cards} cards",
        "variable-base": operations.multiplied,
        "fixed-base": operations.multiplied_base,
        "additions": operations.added,
        "decodings": operations.decoded,
        "variable us": costs["variable"] * 1e6,
        "fixed us": costs["fixed"] * 1e6,
        "addition us": costs["addition"] * 1e6,
        "floor ms": floor * 1e3,
        "measured ms": measured * 1e3,
        "ratio": measured / floor,
        "goal": GOAL,
    }


def _counted(size: Size) -> Operations:
    """Return the operations of one seat, the mean of all."""
    sums = dict.fromkeys((field.name for field in fields(Operations)), 0)

    @contextlib.contextmanager
    def watch(_: int) -> Iterator[None]:
        with count_operations() as operations:
            yield
        for name in sums:
            sums[name] += getattr(operations, name)

    _deal(size, watch)
    return Operations(**{name: round(number / size.seats) for name, number in sums.items()})


def cpu_seconds(size: Size) -> float:
    """Return the CPU seconds of one seat, the mean of all.

    Each piece of work counts with the shortest of its times in several deals, as the unit costs do:
    what other programs do to the machine in between is not ours.
    """
    deals: list[list[float]] = []

    @contextlib.contextmanager
    def watch(_: int) -> Iterator[None]:
        started = time.thread_time()
        yield
        deals[-1].append(time.thread_time() - started)

    for _ in range(REPEATS):
        deals.append([])
        _deal(size, watch)
    shortest: list[float] = [min(times) for times in zip(*deals, strict=True)]
    return sum(shortest) / size.seats


def _deal(size: Size, watch: Watch) -> None:
    """Deal from keys to hands; what seats send each other goes through its encoding."""
    keys = _exchange_keys(size, watch)
    joint = joint_key([pair.public for pair in keys])
    deck = initial_deck(joint, size.cards)
    for shuffler in range(size.seats):
        with watch(shuffler):
            after, witness = shuffle(deck, joint, os.urandom)
            proof = prove_shuffle(deck, after, witness, joint, CONTEXT, os.urandom)
            data = encode_deck(after)
        for seat in range(size.seats):
            if seat != shuffler:
                with watch(seat):
                    received = decode_deck(data, size.cards)
                    verify_shuffle(deck, received, proof, joint, CONTEXT)
        deck = after
    _exchange_shares(size, watch, keys, deck)


def _exchange_keys(size: Size, watch: Watch) -> list[KeyPair]:
    keys, proofs = [], []
    for seat in range(size.seats):
        with watch(seat):
            keys.append(new_key_pair(os.urandom))
            proofs.append(prove_possession(keys[seat], CONTEXT, os.urandom))
    for seat in range(size.seats):
        with watch(seat):
            for other in range(size.seats):
                if other != seat:
                    verify_possession(keys[other].public, proofs[other], CONTEXT)
            initial_deck(joint_key([pair.public for pair in keys]), size.cards)
    return keys


def _exchange_shares(size: Size, watch: Watch, keys: list[KeyPair], deck: Deck) -> None:
    hands = [range(seat * HAND, (seat + 1) * HAND) for seat in range(size.seats)]
    dealt = range(size.seats * HAND)
    given: list[dict[int, Point]] = []
    for seat in range(size.seats):
        places = [place for place in dealt if place not in hands[seat]]
        with watch(seat):
            ciphertexts = [deck[place] for place in places]
            shares = [share(keys[seat].secret, ciphertext) for ciphertext in ciphertexts]
            proof = prove_shares(keys[seat], ciphertexts, shares, CONTEXT, os.urandom)
            data = encode_points(shares)
        for other in range(size.seats):
            if other != seat:
                with watch(other):
                    received = decode_points(data, len(places))
                    verify_shares(keys[seat].public, ciphertexts, received, proof, CONTEXT)
        given.append(dict(zip(places, received, strict=True)))
    for seat in range(size.seats):
        with watch(seat):
            for place in hands[seat]:
                others = [sent[place] for sent in given if place in sent]
                remaining = residual(deck[place], others)
                card = unmask(remaining, share(keys[seat].secret, remaining))
                assert card_index(card, size.cards) is not None


def floor_seconds(operations: Operations, costs: dict[str, float]) -> float:
    """Return what the counted operations cost as bare calls, given `unit_costs()`."""
    return (
        operations.multiplied * costs["variable"]
        + operations.multiplied_base * costs["fixed"]
        + operations.added * costs["addition"]
    )


def unit_costs() -> dict[str, float]:
    """Return the seconds of libsodium's bare calls on prepared arguments."""
    sodium = load()
    output = ctypes.create_string_buffer(32)
    scalar = bytes(range(7, 38)) + b"\x0f"
    point, other = bytes(hash_to_point(b"bench", b"")), bytes(base_point())
    return {
        "variable": best(lambda: sodium.multiply(output, scalar, point)),
        "fixed": best(lambda: sodium.multiply_base(output, scalar)),
        "addition": best(lambda: sodium.add(output, point, other)),
    }


def best(call: Callable[[], object], batches: int = 9, size: int = 300) -> float:
    """Return the CPU seconds of a call: the shortest mean of several batches."""

    def batch() -> float:
        started = time.thread_time()
        for _ in range(size):
            call()
        return (time.thread_time() - started) / size

    return min(batch() for _ in range(batches))
