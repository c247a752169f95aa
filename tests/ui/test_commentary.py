"""A looker-on's account of a table: a line for what is worth one, and for nothing twice."""

from __future__ import annotations

import io

from notice_examples import EXAMPLES, TERMS

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealBegan, HistoryDropped, PlaceFilled
from p2pclimb.table.notices import TimeRuns, VoteStands
from p2pclimb.table.roster import TermsProposed
from p2pclimb.ui.cardtext import look_of
from p2pclimb.ui.commentary import Commentary


def lines_of(*notices) -> list[str]:
    lines: list[str] = []
    commentary = Commentary(lines.append, look_of(io.StringIO(), {}, plain=True))
    commentary.told(TermsProposed(TERMS, 0))
    lines.clear()
    for notice in notices:
        commentary.told(notice)
    return lines


def test_every_notice_may_come():
    lines = lines_of(*EXAMPLES)
    assert "Bob missed this turn (1 of 3): it counts as a pass." in lines
    assert all(part.isprintable() for line in lines for part in line.split("\n"))


def test_no_clock_is_told_and_no_vote_twice():
    vote = VoteStands(1, 1, (0, 2), (), (0, 1, 2, 3))
    accepted = VoteStands(1, 1, (0, 2), (2,), (0, 1, 2, 3))
    assert lines_of(TimeRuns((1,), 30.0), vote, accepted) == [
        "Bob's time is over. 2 of 4 vote to play on without Bob's move."
    ]


def test_a_deal_that_is_told_anew_has_its_heading_again():
    committed = PlaceFilled(1, Kind.COMMIT, 1, 0, True, (1,))
    began = DealBegan(1, 0, (0, 1, 2, 3))
    lines = lines_of(committed, began, HistoryDropped(1), committed, began)
    assert lines.count("\nDeal 1") == 2
    assert len(lines_of(committed, committed)) == 3
