"""When a seat that comes back may sign again: it has heard enough of the others, and caught up."""

from types import SimpleNamespace

import pytest

from p2pclimb.table.effects import Heads
from p2pclimb.table.returning import Returning

HEADS = [b"terms", b"one", b"two"]


def position(*electorate):
    """Where seat 0 stands, with the seats that have a vote."""
    return SimpleNamespace(step=2, heads=HEADS, fillings={}, electorate=lambda: electorate)


def back(*heard):
    """Seat 0, which has heard from these seats that they stand where it does."""
    returning = Returning(0)
    returning.begin()
    for seat in heard:
        returning.hear(seat, Heads(2, HEADS[2], ()))
    return returning


@pytest.mark.parametrize(
    ("electorate", "heard", "listens"),
    [
        ((0, 1), [], True),
        ((0, 1), [1], False),
        ((0, 1, 2), [1], False),
        ((0, 1, 2, 3), [1], True),
        ((0, 1, 2, 3), [1, 2], False),
        # Who has no vote counts neither for others nor for itself.
        ((0, 2, 3), [1], True),
        ((1, 2), [1], True),
        ((1, 2), [1, 2], False),
        ((1, 2, 3), [1], True),
        ((1, 2, 3), [1, 2], False),
    ],
)
def test_it_has_heard_from_a_majority_of_those_who_have_a_vote(electorate, heard, listens):
    returning = back(*heard)
    returning.go_on(position(*electorate), heard)
    assert returning.listens == listens


def test_all_who_are_connected_have_said_where_they_stand():
    returning = back(1)
    returning.go_on(position(0, 1, 2), (1, 2))
    assert returning.listens
    returning.go_on(position(0, 1, 2), (1,))
    assert not returning.listens


@pytest.mark.parametrize(
    "theirs", [Heads(3, b"three", ()), Heads(2, b"another", ()), Heads(2, b"two", (0, 1))]
)
def test_nobody_knows_more_of_what_it_signed_until_it_has_waited_long_enough(theirs):
    returning = back(1)
    returning.hear(2, theirs)
    returning.go_on(position(0, 1, 2), (1, 2))
    assert returning.listens
    returning.has_waited()
    returning.go_on(position(0, 1, 2), (1, 2))
    assert not returning.listens


def test_once_it_may_sign_it_goes_on_to():
    returning = back(1)
    returning.go_on(position(0, 1, 2), (1,))
    returning.hear(2, Heads(3, b"three", ()))
    returning.go_on(position(0, 1, 2), (1, 2))
    assert not returning.listens
