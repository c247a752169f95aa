"""What decides a late place, and which signatures contradict each other."""

import dataclasses
import itertools

import pytest
from honest_table import identity

from p2pclimb.errors import MalformedError
from p2pclimb.ledger.ballots import (
    PlaceVotes,
    check_certificate,
    check_proposal,
    coordinator,
    forced_values,
    majority,
    witnesses,
)
from p2pclimb.ledger.entry import Kind, sign_entry
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.votes import (
    ABSENT,
    Certificate,
    Vote,
    sign_accept,
    sign_promise,
    sign_proposal,
)

TABLE = bytes(32)
PLACE = Place(4, bytes(range(32)), 5)
SEATS = (0, 2, 5, 6)
ENTRY, OTHER = b"e" * 32, b"o" * 32


def vote(signer, ballot, counter=0, place=PLACE, table=TABLE):
    return Vote(table, place, ballot, signer, counter)


def promise(signer, ballot, accepted=None, **changes):
    quoted = None
    if accepted is not None and accepted[0] > 0:
        by = coordinator(SEATS, 5, accepted[0])
        quoted = sign_proposal(identity(by), vote(by, accepted[0]), accepted[1], ())
    return sign_promise(identity(signer), vote(signer, ballot, **changes), accepted, quoted)


def proposal(ballot, value, *promises, by=None):
    by = coordinator(SEATS, 5, ballot) if by is None else by
    return sign_proposal(identity(by), vote(by, ballot), value, promises)


def accept(signer, ballot, value, **changes):
    return sign_accept(identity(signer), vote(signer, ballot, **changes), value)


def built(signer, *, excepted=()):
    return sign_entry(
        identity(signer),
        table=TABLE,
        deal=1,
        attempt=0,
        place=Place(5, ENTRY, signer),
        counter=3,
        kind=Kind.TURN,
        body=[0],
        excepted=excepted,
    )


def found(*records):
    """What the votes prove, which is the same in whatever order they come."""
    results = []
    for order in itertools.permutations(records):
        votes = PlaceVotes(TABLE, PLACE, SEATS)
        results.append(
            {
                (each.signer, each.rule)
                for record in order
                for each in (votes.built if hasattr(record, "body") else votes.add)(record)
            }
        )
    assert all(result == results[0] for result in results)
    return results[0]


@pytest.mark.parametrize(
    ("seats", "more_than_half", "at_least_half"),
    [(2, 2, 1), (3, 2, 2), (4, 3, 2), (5, 3, 3), (7, 4, 4), (8, 5, 4)],
)
def test_how_many_decide_and_how_many_acknowledge(seats, more_than_half, at_least_half):
    electorate = tuple(range(seats))
    assert majority(electorate) == more_than_half
    assert witnesses(electorate) == at_least_half
    # What so many others acknowledge meets every majority in one of them.
    assert more_than_half + at_least_half > seats


def test_coordinators_take_turns_beginning_after_the_late_seat():
    assert [coordinator(SEATS, 5, ballot) for ballot in range(1, 6)] == [6, 0, 2, 5, 6]


def test_the_highest_acceptance_forces_its_value():
    assert forced_values([]) == forced_values([promise(0, 1)]) == frozenset()
    assert forced_values([promise(0, 1), promise(2, 1, (0, ENTRY))]) == {ENTRY}
    assert forced_values([promise(0, 2, (1, ABSENT)), promise(2, 2, (0, ENTRY))]) == {ABSENT}
    assert forced_values([promise(0, 1, (0, OTHER)), promise(2, 1, (0, ENTRY))]) == {ENTRY, OTHER}


def test_a_certificate_needs_more_than_half_of_those_who_vote():
    accepts = [accept(seat, 1, ABSENT) for seat in (0, 2, 5, 7)]
    check_certificate(Certificate(TABLE, PLACE, 1, ABSENT, tuple(accepts)), SEATS)
    for signers in ((0, 1), (0, 1, 3)):
        few = Certificate(TABLE, PLACE, 1, ABSENT, tuple(accepts[at] for at in signers))
        with pytest.raises(MalformedError):
            check_certificate(few, SEATS)


ALLOWED = [promise(0, 1), promise(2, 1, (0, ENTRY)), promise(6, 1)]


def test_a_proposal_of_what_its_promises_force_is_allowed():
    assert check_proposal(proposal(1, ENTRY, *ALLOWED), SEATS) is None
    free = [promise(seat, 1) for seat in (0, 2, 6)]
    for value in (ABSENT, ENTRY):
        assert check_proposal(proposal(1, value, *free), SEATS) is None


@pytest.mark.parametrize(
    "unfounded",
    [
        proposal(1, ABSENT, *ALLOWED),
        proposal(1, OTHER, *ALLOWED),
        proposal(1, ENTRY, *ALLOWED[:2]),
        proposal(1, ENTRY, *ALLOWED, ALLOWED[0]),
        proposal(1, ENTRY, *ALLOWED[:2], promise(1, 1)),
        proposal(2, ENTRY, *ALLOWED),
        proposal(1, ENTRY, *ALLOWED[:2], promise(6, 1, place=Place(3, bytes(32), 5))),
        proposal(1, ENTRY, *ALLOWED[:2], promise(6, 1, table=bytes([1]) * 32)),
    ],
)
def test_a_proposal_that_its_promises_do_not_allow_convicts_its_coordinator(unfounded):
    assert found(unfounded) == {(unfounded.vote.signer, "unfounded-proposal")}


def test_a_proposal_that_proves_nothing_is_malformed():
    for nothing in (
        proposal(1, ENTRY, *ALLOWED, by=0),
        dataclasses.replace(proposal(1, ENTRY, *ALLOWED), promises=()),
    ):
        with pytest.raises(MalformedError):
            check_proposal(nothing, SEATS)


def test_two_values_in_a_ballot_convict_whoever_signed_them():
    free = [promise(seat, 1) for seat in (0, 2, 6)]
    assert found(proposal(1, ABSENT, *free), proposal(1, ENTRY, *free)) == {(6, "two-proposals")}
    assert found(proposal(1, ENTRY, *free), promise(2, 2, (1, ABSENT))) == {(6, "two-proposals")}
    assert found(accept(2, 1, ABSENT), accept(2, 1, ENTRY)) == {(2, "two-accepts")}
    assert found(promise(2, 1), promise(2, 1, (0, ENTRY))) == {(2, "two-promises")}


def test_a_second_signature_of_the_same_statement_is_no_offence():
    assert found(promise(2, 1), promise(2, 1, counter=9)) == set()
    assert found(accept(2, 1, ENTRY), accept(2, 1, ENTRY, counter=9)) == set()
    free = [promise(seat, 1) for seat in (0, 2, 6)]
    assert found(proposal(1, ENTRY, *free), proposal(1, ENTRY, *free[::-1])) == set()


@pytest.mark.parametrize("stated", [None, (0, ENTRY), (1, ABSENT)])
def test_an_acceptance_below_a_promise_that_does_not_state_it_convicts(stated):
    assert found(accept(2, 2, ENTRY), promise(2, 3, stated)) == {(2, "broken-promise")}
    assert found(accept(2, 2, ENTRY), promise(6, 3, stated)) == set()


def test_a_promise_that_states_the_acceptance_or_a_higher_one_is_kept():
    assert found(accept(2, 2, ENTRY), promise(2, 3, (2, ENTRY))) == set()
    assert found(accept(2, 1, ENTRY), promise(2, 3, (2, ABSENT))) == set()
    assert found(accept(2, 3, ENTRY), promise(2, 3)) == set()
    assert found(accept(2, 2, ENTRY), promise(2, 3, (2, ABSENT))) == {(2, "broken-promise")}


def test_building_on_an_entry_that_a_promise_does_not_state_convicts():
    assert found(built(2), promise(2, 1)) == {(2, "broken-promise")}
    assert found(built(2), promise(2, 1, (0, ENTRY))) == set()
    assert found(built(2), promise(2, 2, (1, ABSENT))) == set()
    assert found(built(2), promise(0, 1)) == set()


def test_an_entry_that_excepts_the_place_acknowledges_nothing():
    assert found(built(2, excepted=[(4, 5)]), promise(2, 1)) == set()
    assert found(built(2, excepted=[(4, 6)]), promise(2, 1)) == {(2, "broken-promise")}


def test_the_late_seat_may_play_after_it_promised():
    assert found(built(5), promise(5, 1)) == set()


def test_what_proves_an_offence_is_named():
    votes = PlaceVotes(TABLE, PLACE, SEATS)
    first, second = accept(2, 1, ABSENT), accept(2, 1, ENTRY)
    votes.add(first)
    (contradiction,) = votes.add(second)
    assert contradiction.records == (first, second)


def test_the_accepts_of_a_majority_make_the_certificate():
    votes = PlaceVotes(TABLE, PLACE, SEATS)
    accepts = [accept(seat, 2, ENTRY) for seat in (6, 0, 5)]
    for each in [*accepts[:2], accept(2, 2, ABSENT), accept(5, 1, ENTRY)]:
        votes.add(each)
        assert votes.decided() is None
    votes.add(accepts[2])
    certificate = votes.decided()
    assert (certificate.ballot, certificate.value) == (2, ENTRY)
    assert certificate.accepts == (accepts[1], accepts[2], accepts[0])


def test_half_of_the_electorate_shows_that_a_ballot_is_reached():
    votes = PlaceVotes(TABLE, PLACE, SEATS)
    votes.add(promise(0, 60_000))
    assert votes.supported() == 0
    votes.add(promise(2, 3))
    assert votes.supported() == 3
    votes.add(accept(6, 5, ABSENT))
    assert votes.supported() == 5
    assert votes.reached_by(4) == {0, 6}


@pytest.mark.parametrize(
    "stray",
    [
        promise(1, 1),
        promise(0, 1, place=Place(4, bytes(32), 5)),
        accept(0, 1, ABSENT, table=bytes([1]) * 32),
        promise(0, 2, (1, ENTRY), table=bytes([1]) * 32),
    ],
)
def test_a_vote_of_another_place_or_of_one_without_a_vote_is_malformed(stray):
    with pytest.raises(MalformedError):
        PlaceVotes(TABLE, PLACE, SEATS).add(stray)
