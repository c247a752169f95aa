"""The course of a table as reports and listings tell it."""

import ast
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from later_deals import begin_after
from recorded import record_table, recorded, recorded_winner
from stacked_packs import deal_hands

from p2pclimb.audit.audit import audit
from p2pclimb.audit.findings import EXPECTED
from p2pclimb.audit.history import Act, deals_of
from p2pclimb.audit.listing import listing_json, listing_text
from p2pclimb.audit.report import report_json, report_text
from p2pclimb.cards import Card, parse_cards
from p2pclimb.games.shapes import Combination, Kind
from p2pclimb.ledger import position
from p2pclimb.ledger.entry import Kind as Step
from p2pclimb.ledger.events import (
    DealBegan,
    DealEnded,
    DealRestarted,
    Departed,
    LeadPassed,
    Passed,
    Played,
    SeatFinished,
    TrickTaken,
)

TABLE = recorded(3, (("deals", 2), ("show_rest", True)))
REPORT = audit(TABLE.records)

CONVICTING = re.compile("RuleError$|violation$")


def played(seat, cards, left=5, led=False):
    faces = parse_cards(cards)
    return Played(seat, Combination(Kind.SINGLE, 1, faces[-1], faces, 0), led, left)


def test_every_card_and_pass_stands_in_its_trick():
    plays = [event for event in TABLE.told if isinstance(event, Played)]
    passes = [event for event in TABLE.told if isinstance(event, Passed)]
    deals = deals_of(TABLE.told)
    turns = [turn for deal in deals for trick in deal.tricks for turn in trick.turns]
    shown = [(turn.seat, turn.cards) for turn in turns if turn.act is Act.PLAY]
    assert shown == [(event.seat, event.combination.cards) for event in plays]
    assert [turn.seat for turn in turns if turn.act is Act.PASS] == [e.seat for e in passes]
    for deal in deals:
        for trick in deal.tricks:
            assert trick.turns[0].act is Act.PLAY
        assert all(trick.owner is not None for trick in deal.tricks[:-1])


def test_deals_have_their_results():
    ends = [event for event in TABLE.told if isinstance(event, DealEnded)]
    deals = deals_of(TABLE.told)
    assert [deal.number for deal in deals] == [1, 2]
    assert [deal.order for deal in deals] == [event.order for event in ends]
    assert [deal.scores for deal in deals] == [event.scores for event in ends]
    assert (deals[0].by_coin, deals[1].by_coin) == (True, False)
    assert deals[1].dealer == deals[0].order[-1]


def test_the_whole_pack_of_every_hand_is_accounted_for():
    for deal in deals_of(TABLE.told):
        cards: list[Card] = []
        for trick in deal.tricks:
            for turn in trick.turns:
                cards += turn.cards
        for rest in deal.rest.values():
            cards += rest
        assert len(cards) == len(set(cards)) == 39


def test_departures_and_lead_passes_are_turns():
    began = DealBegan(1, 0, (0, 1, 2))
    hand = parse_cards("2s 2h")
    events = [
        began,
        LeadPassed(0, hand),
        played(1, "4s"),
        Departed(2),
        Passed(0),
        TrickTaken(1, 1),
        played(1, "5s", left=0),
        SeatFinished(1, 1),
    ]
    (deal,) = deals_of(events)
    first, second = deal.tricks
    acts = [(turn.seat, turn.act) for turn in first.turns]
    assert acts == [(0, Act.LEAD_PASS), (1, Act.PLAY), (2, Act.LEAVE), (0, Act.PASS)]
    assert first.turns[0].cards == hand
    assert (first.owner, second.owner) == (1, None)
    assert deal.finished == (1,)


def test_a_deal_that_began_anew_is_told_twice():
    def shuffling(sim):
        return sim.nodes[0].session.ledger.position.stage.kind is Step.SHUFFLE

    table = record_table(
        3, "anew", meddle=lambda sim: sim.do(1, lambda s: s.leave()), until=shuffling
    )
    report = audit(table.records)
    dropped, played_on = deals_of(report.events)
    assert dropped.missing == (1,)
    assert dropped.order is None
    assert (played_on.attempt, played_on.seats) == (1, (0, 2))
    assert played_on.order is not None
    text = listing_text(report)
    assert 'anew      without "Seat 1"' in text
    assert "deal 1, attempt 2" in text
    assert '1: begun anew without "Seat 1"' in report_text(report, "x")


def test_an_attempt_that_nobody_began_is_not_that_of_the_deal_before():
    ended = DealEnded(1, (0, 1, 2), {}, {})
    events = [DealBegan(1, 0, (0, 1, 2)), ended, DealRestarted(2, 1, (2,)), DealBegan(2, 1, (0, 1))]
    first, second = deals_of(events)
    assert (first.missing, second.missing, second.attempt) == (None, None, 1)


def test_a_listing_has_tags_first_then_one_trick_a_line():
    lines = listing_text(REPORT).splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["table", "game", "seat", "seat", "seat"]
    assert lines[0].split()[1:] == list(TABLE.terms.words)
    assert lines[1] == "game      tienlen/1 deals=2 show_rest=true"
    turn = r'"Seat \d" (pass|([3-9TJQKA2][scdh])+)'
    tricks = [line for line in lines if re.fullmatch(rf" ?\d+  {turn}( · {turn})*", line)]
    assert len(tricks) == sum(len(deal.tricks) for deal in deals_of(REPORT.events))
    assert lines[-1] == "valid: every check passed, and the table has ended."


def test_listings_read_back_as_the_same_cards():
    deals = deals_of(REPORT.events)
    text = listing_text(REPORT)
    lines = [line for line in text.splitlines() if line.startswith((" ", "1", "rest"))]
    words = re.findall(r'"Seat \d" (\S+)', "\n".join(lines))
    cards = [parse_cards(word) for word in words if word != "pass"]
    expected = [turn.cards for d in deals for t in d.tricks for turn in t.turns if turn.cards]
    expected += [rest for deal in deals for rest in deal.rest.values()]
    assert sorted(map(str, cards)) == sorted(map(str, expected))


def test_a_listing_in_json_tells_the_same():
    lines = list(listing_json(REPORT))
    assert lines[0]["type"] == "table"
    assert lines[0]["names"] == [seat.name for seat in TABLE.terms.seats]
    assert lines[-1] == {
        "type": "end",
        "verdict": "valid",
        "text": "every check passed, and the table has ended.",
    }
    tricks = [line for line in lines if line["type"] == "trick"]
    results = [line for line in lines if line["type"] == "result"]
    assert len(tricks) == sum(len(deal.tricks) for deal in deals_of(REPORT.events))
    assert [sum(line["payments"]) for line in results] == [0, 0]


WINNER = recorded_winner()


def test_a_listing_of_winner_tells_the_trick_card_the_exchange_and_who_took_bombs():
    report = audit(WINNER.records)
    text = listing_text(report)
    deals = deals_of(report.events)
    shown = deals[0].trick_card
    assert f'trick     {shown.card} dealt face up to "Seat {shown.seat}"' in text
    assert [deal.trick_card for deal in deals[1:]] == [None, None]
    assert deals[0].exchange is None
    for before, deal in pairwise(deals):
        given, taken = deal.exchange.tribute, deal.exchange.taken
        loser, winner = before.order[-1], before.order[0]
        assert (given.giver, given.receiver) == (taken.seat, taken.giver) == (loser, winner)
        assert f'tribute   "Seat {loser}" gave {given.card} to "Seat {winner}"' in text
        assert f'choice    "Seat {loser}" took {taken.card} from "Seat {winner}"' in text
    turns = [turn for deal in deals for trick in deal.tricks for turn in trick.turns]
    picked_up = [turn for turn in turns if turn.act is Act.PICK_UP]
    claims = [turn for turn in turns if turn.act is Act.CLAIM]
    assert picked_up
    assert claims
    for turn in (*picked_up, *claims):
        assert "".join(map(str, turn.cards)) in text
    # Whoever picks a bomb up has just played the fours, and takes the trick.
    for deal in deals:
        for trick in deal.tricks:
            for first, second in pairwise(trick.turns):
                if second.act is Act.PICK_UP:
                    assert (first.seat, first.act) == (second.seat, Act.PLAY)
                    assert {card.rank for card in first.cards} == {1}
                    assert trick.owner == second.seat


def test_a_listing_of_winner_in_json_tells_the_same():
    lines = list(listing_json(audit(WINNER.records)))
    deals = [line for line in lines if line["type"] == "deal"]
    assert [deal["trick_card"] is None for deal in deals] == [False, True, True]
    assert [deal["exchange"] is None for deal in deals] == [True, False, False]
    assert set(deals[1]["exchange"]) == {
        "giver",
        "receiver",
        "tribute",
        "returned",
        "taken",
        "taken_closed",
    }
    acts = {turn["act"] for line in lines if line["type"] == "trick" for turn in line["turns"]}
    assert {"play", "pass", "pick_up", "claim"} <= acts
    assert json.loads(json.dumps(lines)) == lines


def test_a_hand_that_won_at_once_is_told_without_an_order(monkeypatch):
    deal_hands(monkeypatch, ["2s 2c 2d 2h", "", ""])
    table = record_table(3, "won", {"instant_wins": True}, game="tienlen-south/1")
    report = audit(table.records)
    (deal,) = deals_of(report.events)
    won = deal.instant_win
    assert deal.claims == {won.seat: deal.claims[won.seat]}
    text = listing_text(report)
    assert f'won       "Seat {won.seat}" at once, four twos 2s2c2d2h' in text
    assert "order" not in text
    assert f'1: "Seat {won.seat}" won at once; ' in report_text(report, "x")
    (line,) = [line for line in listing_json(report) if line["type"] == "deal"]
    assert (line["instant_win"]["seat"], line["instant_win"]["kind"]) == (won.seat, "four_twos")
    assert [claim["seat"] for claim in line["claims"]] == [won.seat]


@pytest.mark.parametrize(
    ("kind", "leaver", "told"),
    [
        (Step.OFFER, 0, r"returned  \"Seat 0\" offered nothing, \"Seat 2\" has \w+ back"),
        (Step.CHOOSE, 2, r"choice    \"Seat 2\" took a closed card from \"Seat 0\""),
    ],
)
def test_an_exchange_that_was_broken_off_is_told(monkeypatch, kind, leaver, told):
    begin_after(monkeypatch, (0, 1, 2))

    def is_there(sim):
        return sim.nodes[0].session.ledger.position.stage.kind is kind

    table = record_table(
        3,
        "broken off",
        {"exchange": True, "deals": 2},
        lambda sim: sim.do(leaver, lambda session: session.leave()),
        is_there,
        game="winner/1",
    )
    assert re.search(told, listing_text(audit(table.records)))


def test_a_bomb_that_was_taken_over_is_told():
    rules = {"fours": "takeover", "fours_when": "anyone", "scoring": "none", "deals": 2}
    table = record_table(3, 0, rules, game="winner/1")
    report = audit(table.records)
    turns = [t for deal in deals_of(report.events) for trick in deal.tricks for t in trick.turns]
    taken = [turn for turn in turns if turn.act is Act.TAKE_OVER]
    assert taken
    for turn in taken:
        assert f'"Seat {turn.seat}" took over {"".join(map(str, turn.cards))}' in listing_text(
            report
        )


def test_an_unfinished_log_is_listed_as_far_as_it_goes():
    report = audit(TABLE.records[: TABLE.numbers(Step.TURN)[5]])
    lines = listing_text(report).splitlines()
    assert any(line.startswith(" 1  ") for line in lines)
    assert re.match(r"incomplete: every check passed so far; step \d+ \(turn\) waits", lines[-1])


def test_a_report_in_json_has_its_keys():
    value = report_json(REPORT, "x.climb")
    assert (value["schema"], value["verdict"], value["exit_code"]) == (1, "valid", 0)
    assert value["table"]["id"] == TABLE.terms.table_id.hex()
    assert set(value["verified"]) == {
        "signatures",
        "shuffles",
        "shares",
        "openings",
        "absences",
        "transfers",
        "plays",
        "possessions",
        "certificates",
    }
    assert value["end"]["ended"] is True
    assert value["end"]["head"] == REPORT.end.head.hex()
    assert value["findings"] == []
    assert [deal["deal"] for deal in value["deals"]] == [1, 2]


def test_a_report_says_what_was_expected_and_who_is_to_blame():
    index = TABLE.numbers(Step.TURN)[0]
    report = audit(TABLE.replaced(index, TABLE.forge(index, body=[0])))
    text = report_text(report, "x.climb")
    seat = TABLE.entry(index).author
    assert text.startswith("violation: a rule was broken, and the log proves by whom.\n")
    assert "The leader may not pass" in text
    assert f"rule      illegal-play: {EXPECTED['illegal-play']}" in text
    assert f"step      {TABLE.entry(index).step}" in text
    assert re.search(rf'^seat      {seat + 1}  "Seat {seat}"  \w{{4}}(-\w{{4}}){{4}}$', text, re.M)
    assert f"records   {index + 1}" in text
    assert "blame     proved" in text
    (finding,) = report_json(report, "x.climb")["findings"]
    assert finding["proved"] is True
    assert finding["expected"] == EXPECTED["illegal-play"]


def test_many_findings_are_counted_in_words_and_complete_in_json():
    report = audit([*TABLE.records, *(bytes([n]) for n in range(50))])
    assert "and 30 more findings" in report_text(report, "x")
    assert len(report_json(report, "x")["findings"]) == 50


def test_every_rule_of_the_ledger_has_an_expectation():
    slugs = set()
    for file in Path(position.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and CONVICTING.search(ast.unparse(node.func)):
                words = [word.value for word in node.args if isinstance(word, ast.Constant)]
                slugs |= {word for word in words if re.fullmatch("[a-z-]+", word)}
    assert {"ownership", "counter", "equivocation"} <= slugs
    assert slugs <= set(EXPECTED)
