"""A seat that is played somewhere else with the same identity: here it signs no more."""

from __future__ import annotations

import pytest
from cast_votes import late_place, pause, promise
from table_setup import Company, hand_in, told

from p2pclimb.ledger.entry import Kind
from p2pclimb.table.effects import Store
from p2pclimb.table.notices import SeatElsewhere


@pytest.fixture
def company():
    return Company(0).go(Kind.COMMIT)


def foreign(company, kind):
    """A record that seat 0 signs on another machine."""
    table = company.table
    match kind:
        case "promise":
            return promise(table, late_place(table, 1), 0)
        case "pause":
            return pause(table, 0)
        case _:
            return table.leave(0)


@pytest.mark.parametrize("kind", ["promise", "pause", "leave"])
def test_what_this_node_did_not_sign_tells_that_the_seat_is_played_elsewhere(company, kind):
    effects = hand_in(company.session, company.peer, foreign(company, kind))
    assert told(effects, SeatElsewhere) == [SeatElsewhere()]
    assert not company.session.may_sign
    assert company.session.leave() == company.session.pause(True) == []


def test_it_is_told_once_and_no_vote_is_signed_any_more(company):
    """The others' votes are still counted, and so is what is signed elsewhere."""
    table, session = company.table, company.session
    hand_in(session, company.peer, foreign(company, "pause"))
    late = late_place(table, 1)
    effects = hand_in(session, company.peer, promise(table, late, 0), promise(table, late, 2))
    assert len([each for each in effects if isinstance(each, Store)]) == 2
    assert not [each for each in effects if isinstance(each, Store) and each.sync]
    assert not told(effects, SeatElsewhere)


def test_after_a_restart_what_comes_back_was_signed_here_before(company):
    lost = foreign(company, "promise")
    again = company.resumed()
    assert not told(hand_in(again, company.peer, lost), SeatElsewhere)
