"""What comparisons cost the node that answers them, by the clock."""

from dataclasses import replace
from itertools import pairwise

import pytest

from p2pclimb.net.frames import Heads
from p2pclimb.node.answers import ANSWERED_BYTES, Answers

LARGE = 448_000  # the longest answer
OLD = Heads(0, bytes(32), ())
OURS = Heads(40, b"o" * 32, ())


def ask(answers, until, every, *, size=LARGE, heads=lambda number: OLD):
    """Ask at equal intervals from second 100 on; return the seconds of the answers."""
    answered = []
    for number in range(round(until / every)):
        now = 100 + number * every
        if answers.may_answer(heads(number), OURS, now):
            answers.answered(size)
            answered.append(now - 100)
    return answered


def other_heads(number):
    return Heads(0, number.to_bytes(32, "big"), ())


@pytest.mark.parametrize("heads", [lambda _: OLD, other_heads], ids=["the same", "ever others"])
def test_a_peer_that_asks_all_the_time_is_answered_with_few_bytes(heads):
    seconds = 120
    total = LARGE * len(ask(Answers(), seconds, 0.01, heads=heads))
    assert total <= ANSWERED_BYTES.burst + seconds * ANSWERED_BYTES.per_second + LARGE


def test_the_same_is_answered_again_after_ever_longer_and_never_too_long():
    answered = ask(Answers(), 100, 0.5, size=1000)
    waits = [later - earlier for earlier, later in pairwise(answered)]
    assert waits == sorted(waits)
    assert 1.5 <= waits[0] <= 2
    assert 20 < waits[-1] < 30


def test_a_peer_that_catches_up_is_answered_every_time_it_says_so():
    # Every two seconds, each time further on: five deals in four answers.
    answered = ask(Answers(), 8, 2, size=100_000, heads=other_heads)
    assert answered == [0, 2, 4, 6]


def test_a_peer_that_misses_nothing_is_answered_at_once_when_it_does():
    answers = Answers()
    assert len(ask(answers, 10, 2, size=0)) == 5
    assert answers.may_answer(OLD, OURS, 110)


def test_a_peer_is_answered_at_once_when_there_is_more_to_say():
    answers = Answers()
    ask(answers, 100, 0.5, size=1000)
    assert not answers.may_answer(OLD, OURS, 200)
    assert answers.may_answer(OLD, replace(OURS, step=OURS.step + 1), 200)


def test_nobody_is_answered_more_than_five_times_a_second():
    assert len(ask(Answers(), 10, 0.01, size=0, heads=other_heads)) <= 50
