"""The worked cases of tests/cases/rules.json, as far as their game is built."""

import json
from pathlib import Path

import pytest

from p2pclimb.cards import parse_card, parse_cards
from p2pclimb.errors import InvalidPlayError, OptionsError
from p2pclimb.games.combos import beats, classify
from p2pclimb.games.dealing import hand_sizes, lowest_first, opening_leader, pack
from p2pclimb.games.instant_wins import best_instant_win
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Cards, Outcome, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState, start
from p2pclimb.games.presets import PRESETS
from p2pclimb.games.scoring import payments

CASES = json.loads((Path(__file__).parents[1] / "cases" / "rules.json").read_text())
GAMES = {preset.rpartition("/")[0] for preset in PRESETS}


def is_built(case):
    return case["game"] in GAMES


def cases(kind, event=None):
    chosen = [
        case
        for case in CASES
        if case["kind"] == kind and case["given"].get("event") == event and is_built(case)
    ]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


def options_of(case):
    return Options.make(case["game"], case["given"].get("options"))


def cards(names):
    return parse_cards(" ".join(names))


def test_no_case_of_tienlen_is_left_out():
    kinds = {"classify", "beats", "sequence", "deal", "score"}
    events = {None, "instant_win"}
    for case in filter(is_built, CASES):
        assert case["kind"] in kinds
        assert case["given"].get("event") in events


@cases("classify")
def test_classify(case):
    given, expect = case["given"], case["expect"]
    packs = given.get("packs", 1)
    if not expect["valid"]:
        with pytest.raises(InvalidPlayError):
            classify(cards(given["cards"]), options_of(case), packs)
        return
    combination = classify(cards(given["cards"]), options_of(case), packs)
    assert combination.kind == expect["type"]
    assert combination.top is parse_card(expect["top"])
    assert combination.length == expect.get("length", 1)


@cases("beats")
def test_beats(case):
    given, options = case["given"], options_of(case)
    table, play = (
        classify(cards(given[side]), options, given.get("packs", 1)) for side in ("table", "play")
    )
    assert beats(play, table, options) is case["expect"]["beats"]


class OpenTable:
    """A deal with open hands, judged as a table judges it: by the seat, the cards, the state."""

    def __init__(self, case):
        given = case["given"]
        options = options_of(case)
        if given.get("direction") == -1:
            options = options.with_setting("direction", "anticlockwise")
        self.hands = {int(seat): list(cards(hand)) for seat, hand in given["hands"].items()}
        sizes = {seat: len(hand) for seat, hand in self.hands.items()}
        leader = given.get("leader", given.get("turn"))
        first = parse_card(given["must_include"]) if "must_include" in given else None
        self.state: DealState = start(options, self.hands, sizes, leader, first)

    def accepts(self, move):
        seat = move["seat"]
        play = Pass() if move.get("pass") else Cards(cards(move["play"]))
        if seat != self.state.turn or play not in self.state.legal_plays(self.hands[seat]):
            return False
        self.state = self.state.apply(play)
        for card in play.cards if isinstance(play, Cards) else ():
            self.hands[seat].remove(card)
        return True


@cases("sequence")
def test_sequence(case):
    table, expect = OpenTable(case), case["expect"]
    for number, move in enumerate(case["given"]["moves"]):
        before = table.state
        if number == expect.get("rejected"):
            assert not table.accepts(move)
            assert table.state is before
            return
        assert table.accepts(move), f"move {number} refused"
    state = table.state
    outcome = state.outcome()
    on_table = state.table
    seen = {
        "turn": state.turn,
        "table": on_table and set(on_table.cards),
        "owner": state.owner,
        "finished": list(outcome.order if outcome else state.finished),
        "over": outcome is not None,
    }
    if expect.get("table"):
        expect = {**expect, "table": set(cards(expect["table"]))}
    assert "rejected" not in expect
    assert {key: seen[key] for key in expect} == expect


@cases("deal")
def test_deal(case):
    given, expect = case["given"], case["expect"]
    options, seats = options_of(case), range(given["players"])
    if "error" in expect:
        with pytest.raises(OptionsError):
            pack(options, len(seats))
    elif "per_player" in expect:
        sizes = hand_sizes(options, seats, dealer=0)
        assert [sizes[seat] for seat in seats] == expect["per_player"]
        assert len(pack(options, len(seats))) - sum(sizes.values()) == expect["undealt"]
    elif "lowest" in given:
        hands = {int(seat): cards(hand) for seat, hand in given["lowest"]["hands"].items()}
        dealt = {card for hand in hands.values() for card in hand}
        lowest = next(card for card in lowest_first(options, len(seats)) if card in dealt)
        holders = [seat for seat, hand in hands.items() if lowest in hand]
        assert lowest is parse_card(expect["must_include"])
        assert opening_leader(options, seats, 0, holders) == expect["starter"]
    else:
        order = tuple(given["previous"]["finish_order"])
        match = Match.start(options, seats, 0).after(Outcome(order, (0, 0, 0, 1)))
        assert (match.dealer, match.leader) == (expect["dealer"], expect["starter"])
        assert not match.is_first_deal


@cases("score")
def test_score(case):
    given = case["given"]
    options = options_of(case).with_setting("stake", given["stake"])
    order = tuple(given["finish_order"])
    paid = payments(options, Outcome(order, (0,) * (len(order) - 1) + (1,)))
    assert [paid[seat] for seat in range(len(order))] == case["expect"]["payments"]


@cases("score", event="instant_win")
def test_instant_win(case):
    given = case["given"]
    win = best_instant_win(cards(given["hand"]), options_of(case), given.get("first_game", False))
    assert (win and win.kind) == case["expect"]["instant_win"]
