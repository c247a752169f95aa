"""The worked cases of tests/cases/rules.json."""

import json
from pathlib import Path

import pytest

from p2pclimb.cards import parse_card, parse_cards
from p2pclimb.errors import InvalidPlayError, OptionsError
from p2pclimb.games.combos import beats, classify
from p2pclimb.games.dealing import (
    Opening,
    hand_sizes,
    lowest_first,
    opening_leader,
    opening_rule,
    pack,
    pack_count,
)
from p2pclimb.games.describe import rules_text
from p2pclimb.games.exchange import higher_faces, tribute
from p2pclimb.games.instant_wins import best_instant_win
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Cards, Holding, Outcome, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState, start
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.scoring import payments

CASES = json.loads((Path(__file__).parents[1] / "cases" / "rules.json").read_text())
RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
BOMB_LEVELS = {"triple": 1, "four_of_a_kind": 2, "straight_flush": 3, "joker_pair": 4}


def cases(kind, game=None, event=None):
    chosen = [
        case
        for case in CASES
        if case["kind"] == kind
        and case["given"].get("event") == event
        and game in (None, case["game"].partition("-")[0])
    ]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


def options_of(case):
    given = case["given"]
    options = Options.make(case["game"], given.get("options"))
    for key in ("jokers", "packs") if case["game"] == "winner" else ():
        if key in given:
            options = options.with_setting(key, given[key])
    return options


def packs_of(case):
    options = case["given"].get("options", {})
    return case["given"].get("packs", options.get("packs", 1))


def cards(names):
    return parse_cards(" ".join(names))


def test_no_case_is_left_out():
    for case in CASES:
        assert case["game"] in ("tienlen", "tienlen-south", "winner")
        assert case["kind"] in ("classify", "beats", "sequence", "deal", "score")
        assert case["given"].get("event") in (None, "instant_win", "exchange")


@cases("classify")
def test_classify(case):
    given, expect = case["given"], case["expect"]
    options, packs = options_of(case), packs_of(case)
    if not expect["valid"]:
        with pytest.raises(InvalidPlayError):
            classify(cards(given["cards"]), options, packs)
        return
    combination = classify(cards(given["cards"]), options, packs)
    assert combination.kind == expect["type"]
    assert combination.length == expect.get("length", 1)
    for key, seen in seen_in(combination, options):
        assert key not in expect or expect[key] == seen, key


def seen_in(combination, options):
    kind = combination.kind.value
    power = rulebook(options).bombs.get(combination.kind)
    yield "top", str(combination.top).upper().replace("T", "10")
    yield "low", RANKS[combination.bottom_rank] if combination.bottom_rank < 13 else None
    yield "level", 0 if power is None else BOMB_LEVELS[kind]


@cases("beats")
def test_beats(case):
    given, options = case["given"], options_of(case)
    inverted = given.get("inverted", False)
    table, play = (
        classify(cards(given[side]), options, packs_of(case), inverted=inverted)
        for side in ("table", "play")
    )
    assert beats(play, table, options, inverted=inverted) is case["expect"]["beats"]


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
        if self.state.picked_up is not None:
            self.hands[seat] += self.state.picked_up.combination.cards
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
        "inverted": state.inverted,
        "hands": {str(seat): set(hand) for seat, hand in table.hands.items()},
    }
    if expect.get("table"):
        expect = {**expect, "table": set(cards(expect["table"]))}
    if "hands" in expect:
        hands = {seat: set(cards(hand)) for seat, hand in expect["hands"].items()}
        expect = {**expect, "hands": hands}
    assert "rejected" not in expect
    assert {key: seen[key] for key in expect} == expect


@cases("deal", "tienlen")
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


@cases("deal", "winner")
def test_deal_of_winner(case):
    given, expect = case["given"], case["expect"]
    if "error" in expect:
        with pytest.raises(OptionsError):
            options_of(case).require_seats(given.get("players", 4))
        return
    options, seats = options_of(case), range(given["players"])
    if "starter" in expect:
        assert given["first_game"]
        assert opening_rule(options, first_deal=True) is Opening.TRICK_CARD
        held = parse_card(given["trick_card"])
        (holder,) = [seat for seat, hand in given["hands"].items() if held in cards(hand)]
        assert int(holder) == expect["starter"]
        state = start(options, seats, dict.fromkeys(seats, 2), int(holder))
        assert state.must_include is expect["must_include"]
        return
    assert pack_count(options, len(seats)) == given["packs"]
    sizes = hand_sizes(options, seats, given["dealer"])
    assert [sizes[seat] for seat in seats] == expect["per_player"]
    assert len(pack(options, len(seats))) - sum(sizes.values()) == expect["undealt"]
    if "warning" in expect:
        assert "can tell the hand of the other" in rules_text(options, len(seats))


@cases("score", "winner")
def test_score_of_winner(case):
    given, expect, options = case["given"], case["expect"], options_of(case)
    seats = range(given["players"])
    if "finish_order" in given:
        match = Match.start(options.with_setting("scoring", "none"), seats, 0)
        after = match.after(Outcome(tuple(given["finish_order"]), (0, 0, 0, 1)))
        assert (after.dealer, after.last_order[0]) == (expect["next_dealer"], expect["winner"])
        assert after.last_order[-1] == expect["loser"]
        return
    key = "cards_left_at_end" if options["score_at"] == "end" else "cards_left"
    sizes = hand_sizes(options, seats, 0)
    played = given.get("played_any", [True] * len(seats))
    counted = tuple(
        Holding(left, sizes[seat], played[seat]) for seat, left in enumerate(given[key])
    )
    outcome = Outcome(tuple(seats), tuple(given[key]), counted=counted)
    paid = payments(options, outcome)
    assert [paid[seat] for seat in seats] == expect["points"]


@cases("score", event="exchange")
def test_exchange(case):
    given, expect, options = case["given"], case["expect"], options_of(case)
    hand = cards(given["loser_hand"])
    if "loser_gives" in expect:
        assert tribute(options, hand) is parse_card(expect["loser_gives"])
    else:
        attempt = parse_card(given["loser_gives_attempt"])
        assert set(higher_faces(options, attempt)) & set(hand)


@cases("score", "tienlen")
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
