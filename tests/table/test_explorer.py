"""The vote on a late place keeps its guarantees in every order of events, and needs its rules.

`python -m bench ballots` goes further than there is time for here.
"""

import random

import pytest
from explorer import VALUES, Explorer, Scene, UnsoundError

from p2pclimb.ledger import ballots
from p2pclimb.ledger.votes import Accept, Promise
from p2pclimb.table import voting
from p2pclimb.table.voting import Voting

WHOLE = [
    Scene(2, 3, restarts=True),
    Scene(2, 2, liar=0, restarts=True),
    Scene(2, 2, liar=1, restarts=True),
    Scene(3, 1, stops=True, restarts=True),
    Scene(3, 1, liar=1, restarts=True),
    Scene(3, 1, liar=2),
]
WALKED = [
    Scene(3, 3, stops=True, restarts=True),
    *(Scene(3, 3, liar=liar, restarts=True) for liar in range(3)),
    Scene(4, 3, stops=True, restarts=True),
    *(Scene(4, 3, liar=liar, restarts=True) for liar in range(4)),
]
WALKS = 150
EVENTS = 60


@pytest.mark.parametrize("scene", WHOLE, ids=str)
def test_no_order_of_events_decides_two_values_or_convicts_an_honest_seat_or_ends_in_nothing(scene):
    assert Explorer(scene).search().complete


@pytest.mark.parametrize("scene", WALKED, ids=str)
def test_nor_does_a_random_one_of_more_seats_and_ballots(scene):
    explorer = Explorer(scene)
    for seed in range(WALKS):
        explorer.walk(random.Random(seed), EVENTS)


class Inventive(Explorer):
    """The liar's promises quote its own proposals, which rest on nothing."""

    def _think_up(self, signed):
        lies = super()._think_up(signed)
        return (lie for lie in lies if isinstance(lie, Promise) and lie.proposal is not None)


class Forgetful(Explorer):
    """The liar promises to have accepted nothing, whatever it has."""

    def _think_up(self, signed):
        for lie in super()._think_up(signed):
            is_forgetful = isinstance(lie, Promise) and lie.accepted is None
            if lie == VALUES[0] or is_forgetful or isinstance(lie, Accept):
                yield lie


def broken_by(scene, explorer=Explorer):
    """Return what the explorer finds in a scene, if it finds anything."""
    try:
        explorer(scene).search(40_000)
    except UnsoundError as violation:
        return str(violation)
    return "nothing"


def test_a_promise_has_to_state_what_its_seat_has_accepted(monkeypatch):
    monkeypatch.setattr(Voting, "_standing", property(lambda self: self._accepted))
    assert "an honest seat is convicted" in broken_by(Scene(2, 1))


def test_a_majority_is_more_than_half(monkeypatch):
    for module in (ballots, voting):
        monkeypatch.setattr(module, "majority", lambda electorate: len(electorate) // 2)
    assert "2 values are decided" in broken_by(Scene(3, 2))


def test_a_coordinator_has_to_propose_what_promises_force(monkeypatch):
    monkeypatch.setattr(voting, "forced_values", lambda promises: frozenset())
    assert "an honest seat is convicted" in broken_by(Scene(3, 2))


def test_and_the_others_have_to_see_to_it(monkeypatch):
    for module in (ballots, voting):
        monkeypatch.setattr(module, "forced_values", lambda promises: frozenset())
    assert "2 values are decided" in broken_by(Scene(3, 2))


def test_an_acceptance_that_nobody_allowed_does_not_count(monkeypatch):
    monkeypatch.setattr(Voting, "_counts", lambda self, promise: True)
    assert "2 values are decided" in broken_by(Scene(3, 2, liar=0), Inventive)


def test_a_seat_that_promised_too_soon_has_to_except_the_entry(monkeypatch):
    monkeypatch.setattr(Voting, "excepts", lambda self, value: False)
    assert "an honest seat is convicted" in broken_by(Scene(3, 1))


def test_and_has_to_wait_for_the_certificate(monkeypatch):
    monkeypatch.setattr(Voting, "may_build", lambda self, value: True)
    monkeypatch.setattr(Voting, "excepts", lambda self, value: False)
    monkeypatch.setattr(ballots.PlaceVotes, "built", lambda self, entry: [])
    assert "2 values are decided" in broken_by(Scene(3, 1))


def test_what_is_built_against_a_promise_convicts(monkeypatch):
    monkeypatch.setattr(ballots.PlaceVotes, "built", lambda self, entry: [])
    assert "nobody is convicted" in broken_by(Scene(3, 1, liar=0))


def test_what_is_accepted_against_a_promise_convicts(monkeypatch):
    monkeypatch.setattr(ballots, "_omits", lambda promise, accept: [])
    assert "nobody is convicted" in broken_by(Scene(3, 2, liar=2), Forgetful)


def test_a_seat_joins_a_vote_for_which_it_is_needed(monkeypatch):
    monkeypatch.setattr(Voting, "has_majority", property(lambda self: False))
    assert "no decision" in broken_by(Scene(3, 1, stops=True))
