"""Absence, convictions and dropped history in what reports and listings tell."""

from __future__ import annotations

import json
from dataclasses import replace

from p2pclimb.audit.audit import Counts, End, Report
from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.history import Act, deals_of
from p2pclimb.audit.listing import listing_json, listing_text
from p2pclimb.audit.report import report_json, report_text
from p2pclimb.cards import parse_cards
from p2pclimb.games.options import Options
from p2pclimb.games.shapes import Combination, Kind
from p2pclimb.ledger.entry import Kind as Step
from p2pclimb.ledger.events import (
    Convicted,
    DealBegan,
    DealEnded,
    DealRestarted,
    Departed,
    Event,
    HistoryDropped,
    Missed,
    Passed,
    PlaceFilled,
    Played,
    TrickTaken,
)
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.terms import SeatTerms, Terms

NAMES = ("Ana", "Binh", "Chi\u202e\x1b[31m")
TERMS = Terms(
    bytes(16),
    Options.make("tienlen", {"deals": 2}),
    tuple(
        SeatTerms(name, bytes([n]) * 32, bytes([n + 8]) * 32, n, False)
        for n, name in enumerate(NAMES)
    ),
)
LIE = Convicted(2, 9, "equivocation", "Chi\u202e (seat 3) signed two different entries.")


def filled(step: int, kind: Step, seat: int, deal: int = 1, *, present: bool = True) -> PlaceFilled:
    return PlaceFilled(step, kind, deal, seat, present, ())


def turn(step: int, seat: int, *told: Event) -> list[Event]:
    return [filled(step, Step.TURN, seat), *told]


def missed(step: int, seat: int, kind: Step = Step.TURN, misses: int = 1) -> list[Event]:
    return [filled(step, kind, seat, present=False), Missed(seat, kind, misses)]


def played(seat: int, card: str) -> Played:
    faces = parse_cards(card)
    return Played(seat, Combination(Kind.SINGLE, 1, faces[0], faces, 0), False, 5)


def report(*events: Event) -> Report:
    return Report(
        Verdict.INCOMPLETE,
        (),
        TERMS,
        End(20, Step.TURN, (0,), bytes(32), 20, 0),
        Tally(),
        Counts(1),
        events,
        {},
        {},
    )


BEGAN = [filled(1, Step.COMMIT, 2), DealBegan(1, 0, (0, 1, 2))]


def acts(*events: Event) -> list[tuple[int, Act]]:
    (deal,) = deals_of(events)
    return [(turn.seat, turn.act) for trick in deal.tricks for turn in trick.turns]


def test_a_missed_turn_stands_in_its_trick():
    events = [
        *BEGAN,
        *turn(10, 0, played(0, "4s")),
        *missed(11, 1),
        *turn(12, 2, Passed(2), TrickTaken(0, 0)),
    ]
    assert acts(*events) == [(0, Act.PLAY), (1, Act.MISS), (2, Act.PASS)]
    assert " 1  Ana 4s · Binh absent · " in listing_text(report(*events))


def test_whoever_misses_too_often_is_out_and_whoever_leaves_has_left():
    events = [
        *BEGAN,
        *turn(10, 0, played(0, "4s")),
        *missed(11, 1, misses=3),
        Departed(1),
        *turn(12, 2, Departed(2)),
    ]
    assert acts(*events) == [(0, Act.PLAY), (1, Act.MISS), (1, Act.OUT), (2, Act.LEAVE)]


def test_an_absence_does_not_make_a_later_leave_another():
    events = [*BEGAN, *missed(10, 1), *turn(11, 0, Passed(0)), *turn(12, 1, Departed(1))]
    assert acts(*events)[-1] == (1, Act.LEAVE)


def test_what_is_missed_outside_the_tricks_is_listed():
    events = [*BEGAN, *missed(8, 1, Step.LOWEST), Departed(1), *missed(9, 0, Step.CLAIM)]
    text = listing_text(report(*events))
    assert "absent    Binh (lowest), Ana (claim)" in text
    assert acts(*events) == [(1, Act.OUT)]


def test_whoever_missed_the_commitments_is_named_in_the_deal_that_began_without():
    ended = DealEnded(1, (0, 1, 2), {0: 1, 1: 0, 2: -1}, {0: 1, 1: 0, 2: -1})
    events = [
        *BEGAN,
        filled(20, Step.CLOSE, 2),
        ended,
        filled(21, Step.COMMIT, 0, 2),
        *missed(21, 1, Step.COMMIT),
        DealBegan(2, 0, (0, 2)),
    ]
    first, second = deals_of(events)
    assert first.absences == ()
    assert [event.seat for event in second.absences] == [1]


def test_a_conviction_stands_where_it_happened_and_with_its_reason():
    events = [
        *BEGAN,
        *turn(10, 0, played(0, "4s")),
        filled(11, Step.TURN, 2, present=False),
        LIE,
    ]
    assert acts(*events) == [(0, Act.PLAY), (2, Act.CONVICTED)]
    text = listing_text(report(*events))
    assert (
        "convicted Chi[31m (equivocation): Chi (seat 3) signed two different entries."
        in text.replace('"', "")
    )
    assert all(line.isprintable() for line in text.split("\n"))
    told = report_text(report(*events), "x")
    assert "convicted seat 3, " in told
    (deal,) = report_json(report(*events), "x")["deals"]
    assert deal["convicted"] == [2]


def test_a_conviction_at_the_commitments_does_not_touch_the_deal_before():
    ended = DealEnded(1, (0, 1, 2), {0: 1, 1: 0, 2: -1}, {0: 1, 1: 0, 2: -1})
    events = [
        *BEGAN,
        ended,
        filled(21, Step.COMMIT, 2, 2, present=False),
        DealRestarted(2, 1, (2,)),
        LIE,
        filled(22, Step.COMMIT, 1, 2),
        DealBegan(2, 1, (0, 1)),
    ]
    first, second = deals_of(events)
    assert first.missing is None
    assert not first.convicted
    assert second.convicted == (LIE,)


def test_what_was_dropped_is_not_told():
    events = [
        *BEGAN,
        *turn(10, 0, played(0, "4s")),
        *turn(11, 1, played(1, "5s")),
        *turn(12, 2, played(2, "6s")),
        HistoryDropped(11),
        *missed(11, 1),
        *turn(12, 2, played(2, "7s")),
    ]
    assert " 1  Ana 4s · Binh absent · " in listing_text(report(*events))
    assert "5s" not in listing_text(report(*events))
    assert "absent    1 place passed over by vote: Binh 1" in report_text(report(*events), "x")


def test_a_deal_that_was_dropped_as_a_whole_is_told_once():
    events = [*BEGAN, *turn(10, 0, played(0, "4s")), HistoryDropped(1), *BEGAN]
    (deal,) = deals_of(events)
    assert deal.tricks == ()


def test_places_that_a_vote_decided_are_counted_where_there_are_any():
    assert "decided by vote" not in report_text(report(*BEGAN), "x")
    voted = replace(report(*BEGAN), verified=Tally(certificates=3))
    assert ", 3 places decided by vote" in report_text(voted, "x")


def test_the_lines_in_json_have_what_was_missed():
    events = [*BEGAN, *missed(10, 1), *missed(11, 2, misses=2), LIE]
    lines = list(listing_json(report(*events)))
    assert json.loads(json.dumps(lines)) == lines
    (deal,) = [line for line in lines if line["type"] == "deal"]
    assert deal["absences"] == [
        {"seat": 1, "kind": "turn", "misses": 1},
        {"seat": 2, "kind": "turn", "misses": 2},
    ]
    assert [each["rule"] for each in deal["convicted"]] == ["equivocation"]
    told = report_text(report(*events), "x")
    assert "absent    2 places passed over by vote: Binh 1, " in told
