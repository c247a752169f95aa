"""The chain of heads: a longer one leaves the shorter ones as they are, in any thread."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.ledger.chain import Chain

HEADS = st.lists(st.binary(min_size=1, max_size=2), min_size=1, max_size=8)


def chain_of(heads):
    chain = Chain(heads[:1])
    for head in heads[1:]:
        chain = chain.then(head)
    return chain


@given(HEADS, HEADS, HEADS)
def test_branches_of_one_chain_do_not_touch_each_other(common, one, other):
    base = chain_of(common)
    first, second = base, base
    for head in one:
        first = first.then(head)
    for head in other:
        second = second.then(head)
    assert (list(base), list(first), list(second)) == (common, common + one, common + other)


@given(HEADS, st.integers(-9, 9), st.integers(-9, 9))
def test_it_reads_like_a_tuple(heads, low, high):
    chain, expected = chain_of(heads), tuple(heads)
    assert chain[low:high] == expected[low:high]
    assert (chain[0], chain[-1], len(chain)) == (expected[0], expected[-1], len(expected))
    with pytest.raises(IndexError):
        chain[len(heads)]
    assert heads[0] in chain
    assert b"none" not in chain


def test_chains_that_end_alike_are_equal_and_others_are_not():
    assert chain_of([b"a", b"b"]) == Chain([b"a", b"b"])
    assert len({chain_of([b"a", b"b"]), Chain([b"a", b"b"])}) == 1
    assert chain_of([b"a", b"b"]) != Chain([b"a", b"c"])
    assert chain_of([b"a", b"b"]) != Chain([b"a"])
    assert chain_of([b"a"]) != (b"a",)


def test_a_step_more_copies_nothing():
    chain = Chain([bytes(32)])
    kept = [chain := chain.then(number.to_bytes(32, "big")) for number in range(1000)]
    assert len({id(each._heads) for each in kept}) == 1


def test_threads_that_extend_one_chain_get_their_own():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for number in range(200):
                base = Chain([number.to_bytes(2, "big")])
                heads = [bytes([n % 3]) for n in range(12)]
                longer = list(pool.map(base.then, heads))
                assert [chain[-1] for chain in longer] == heads
                assert all(len(chain) == 2 for chain in longer)
    finally:
        sys.setswitchinterval(interval)
