"""One seat's part in a vote: what it signs, and when it does not.

Every order of events is tried in `test_explorer.py`; here the rules are read one by one.
"""

import pytest
from explorer import TABLE, VALUES, Explorer, Scene

from p2pclimb.ledger.votes import ABSENT, MAX_BALLOT, Certificate
from p2pclimb.table.voting import Decided, ToAccept, ToPromise, ToPropose, Voting

SCENE = Scene(5, 9)
VALUE, OTHER = VALUES
hand = Explorer(SCENE)


def seat(number):
    return Voting(SCENE.place, SCENE.electorate, number, TABLE)


def promise(signer, ballot, accepted=None, proposal=None):
    return hand.sign(signer, ToPromise(ballot, accepted, proposal))


def accept(signer, ballot, value):
    return hand.sign(signer, ToAccept(ballot, value))


def proposal(ballot, value, *signers, stated=None):
    promises = tuple(promise(signer, ballot, stated) for signer in signers or (1, 2, 3))
    return hand.sign((4 + ballot) % 5, ToPropose(ballot, value, promises))


def signs(voting, act):
    """Sign what was asked for and return what is asked for next."""
    return voting.take(hand.sign(voting._seat, act))


def test_nobody_promises_before_its_time_is_over():
    voting = seat(1)
    assert voting.take(promise(2, 1)) == voting.take(promise(3, 1)) == []
    assert voting.time_up() == [ToPromise(1, None, None)]


def test_an_entry_that_came_in_time_is_accepted_and_stated():
    voting = seat(1)
    assert voting.came(VALUE) == []
    assert voting.time_up() == [ToPromise(1, (0, VALUE), None)]


def test_an_entry_that_came_after_the_promise_is_not():
    voting = seat(1)
    signs(voting, *voting.time_up())
    voting.came(VALUE)
    assert not voting.may_build(VALUE)
    assert voting.excepts(VALUE)
    voting.take(promise(2, 1))
    voting.take(promise(3, 1))
    voting.time_up()
    assert voting.time_up() == [ToPromise(2, None, None)]


def test_who_has_accepted_the_entry_is_drawn_into_a_vote_and_may_go_on_all_the_same():
    voting = seat(1)
    voting.came(VALUE)
    (act,) = voting.take(promise(2, 1))
    assert act == ToPromise(1, (0, VALUE), None)
    signs(voting, act)
    assert voting.may_build(VALUE)
    assert not voting.excepts(VALUE)


def test_the_late_seat_never_excepts_its_own_entry():
    voting = seat(4)
    signs(voting, *voting.time_up())
    voting.came(VALUE)
    assert voting.may_build(VALUE)
    assert not voting.excepts(VALUE)


def test_a_coordinator_proposes_what_is_forced_else_what_came_else_absence():
    for came, stated, value in (
        ((), None, ABSENT),
        ((VALUE,), None, VALUE),
        ((OTHER, VALUE), (0, VALUE), VALUE),
    ):
        voting = seat(0)
        for each in came:
            voting.came(each)
        promises = [promise(1, 1), promise(2, 1, stated), promise(3, 1)]
        for each in promises[:2]:
            assert not any(isinstance(act, ToPropose) for act in voting.take(each))
        (act,) = voting.take(promises[2])
        assert act == ToPropose(1, value, tuple(promises))
        assert [type(next_act) for next_act in signs(voting, act)] == [ToAccept]


def test_nobody_proposes_in_the_ballot_of_another():
    voting = seat(1)
    acts = [voting.take(promise(signer, 1)) for signer in (0, 2, 3)]
    assert acts == [[], [], []]


def test_a_proposal_is_accepted_once_and_by_whoever_has_not_promised_more():
    voting = seat(1)
    assert voting.take(proposal(1, ABSENT)) == [ToAccept(1, ABSENT)]
    assert signs(voting, ToAccept(1, ABSENT)) == []
    assert voting.promised == 1
    later = seat(1)
    later.take(promise(1, 2))
    assert later.take(proposal(1, ABSENT)) == []


def test_a_value_that_has_not_come_is_accepted_only_when_it_has():
    voting = seat(1)
    assert voting.take(proposal(1, VALUE)) == []
    assert voting.came(VALUE) == [ToAccept(1, VALUE)]


def test_a_promise_counts_only_when_what_it_states_is_known():
    voting = seat(1)
    known = proposal(1, ABSENT)
    promises = tuple(promise(s, 2, (1, ABSENT), known) for s in (0, 2, 3))
    for each in promises:
        assert voting.take(each) == []
    assert voting.take(known) == [ToPropose(2, ABSENT, promises)]


def test_a_promise_quotes_what_was_accepted():
    voting = seat(3)
    first = proposal(1, ABSENT)
    voting.take(first)
    signs(voting, ToAccept(1, ABSENT))
    voting.take(promise(1, 2))
    voting.take(promise(2, 2))
    assert voting.take(promise(0, 2)) == [ToPromise(2, (1, ABSENT), first)]


def test_a_majority_of_accepts_decides_and_ends_the_part():
    voting = seat(1)
    for signer in (0, 2):
        assert voting.take(accept(signer, 1, ABSENT)) == []
    (told,) = voting.take(accept(3, 1, ABSENT))
    assert isinstance(told, Decided)
    assert told.certificate == voting.certificate == voting.own_records()[0]
    assert not voting.may_build(VALUE)
    assert voting.may_build(ABSENT)
    assert voting.time_up() == voting.came(VALUE) == voting.take(promise(0, 2)) == []


def test_a_certificate_of_others_decides_as_well():
    accepts = tuple(accept(signer, 1, VALUE) for signer in (0, 2, 3))
    voting = seat(1)
    voting.take(Certificate(TABLE, SCENE.place, 1, VALUE, accepts))
    assert voting.may_build(VALUE)
    assert not voting.may_build(ABSENT)


def test_the_next_ballot_begins_a_whole_time_limit_after_a_majority_was_in_this_one():
    voting = seat(1)
    signs(voting, *voting.time_up())
    assert voting.time_up() == []
    voting.take(promise(2, 1))
    voting.take(promise(3, 1))
    assert voting.time_up() == []
    assert voting.time_up() == [ToPromise(2, None, None)]


def test_nobody_follows_a_single_seat_to_a_ballot_far_away():
    voting = seat(1)
    signs(voting, *voting.time_up())
    assert voting.take(promise(2, MAX_BALLOT)) == []
    assert voting.take(promise(3, 7)) == []
    assert voting.take(promise(0, 8)) == [ToPromise(7, None, None)]


def test_at_the_last_ballot_there_is_no_next():
    voting = seat(1)
    voting.take(promise(1, MAX_BALLOT))
    voting.take(promise(2, MAX_BALLOT))
    voting.take(promise(3, MAX_BALLOT))
    assert voting.time_up() == voting.time_up() == []


def test_an_act_that_was_left_is_asked_for_again():
    voting = seat(1)
    (act,) = voting.time_up()
    assert voting.take(promise(2, 1)) == [act]
    assert voting.promised == 0


@pytest.mark.parametrize("came_first", [True, False])
def test_own_records_bring_a_seat_back_whatever_their_order(came_first):
    """It had promised before the entry came, whatever its log says first."""
    voting = seat(1)
    if came_first:
        voting.came(VALUE)
    voting.take(promise(1, 1))
    voting.came(VALUE)
    assert voting.promised == 1
    assert voting.excepts(VALUE)
    assert not voting.may_build(VALUE)


def test_a_seat_that_comes_back_quotes_only_what_it_has():
    voting = seat(3)
    voting.take(accept(3, 1, ABSENT))
    voting.take(promise(1, 2))
    voting.take(promise(2, 2))
    assert voting.take(promise(0, 2)) == []
    known = proposal(1, ABSENT)
    assert voting.take(known) == [ToPromise(2, (1, ABSENT), known)]


def test_own_votes_that_only_others_carry_are_kept_too():
    """A seat that has lost its log does not promise, accept or propose a second time."""
    voting = seat(0)
    voting.came(VALUE)
    voting.take(proposal(1, ABSENT, 0, 2, 3))
    assert voting.promised == 1
    assert voting.excepts(VALUE)
    assert not any(isinstance(act, ToPropose) for act in voting.take(promise(4, 1)))


def test_a_liar_far_ahead_keeps_nobody_from_proposing():
    voting = seat(0)
    voting.take(promise(3, 9))
    voting.take(proposal(9, ABSENT, 2, 3, 4))
    voting.take(promise(1, 1))
    voting.take(promise(2, 1))
    assert [type(act) for act in voting.take(promise(4, 1))] == [ToPropose]


def test_what_a_seat_repeats_is_enough_for_another_to_go_on():
    voting, other = seat(1), seat(2)
    voting.take(proposal(1, ABSENT))
    signs(voting, ToAccept(1, ABSENT))
    voting.take(accept(0, 1, ABSENT))
    for record in voting.own_records():
        acts = other.take(record)
    assert acts == [ToAccept(1, ABSENT)]
    assert isinstance(signs(other, acts[0])[0], Decided)


def test_how_the_vote_stands_is_told_by_its_ballot():
    voting = seat(1)
    voting.take(promise(2, 1))
    voting.take(promise(0, 1))
    voting.take(promise(3, 1))
    voting.take(accept(3, 1, ABSENT))
    assert (voting.stands.ballot, voting.stands.promised, voting.stands.accepted) == (
        1,
        (0, 2, 3),
        (3,),
    )


def test_a_seat_without_a_vote_signs_nothing():
    watching = Voting(SCENE.place, (0, 2, 4), 1, TABLE)
    watching.came(VALUE)
    assert watching.time_up() == watching.take(promise(2, 1)) == []
