"""Whole tables over a fake network, hundreds of them: one history, valid in everybody's log.

Each is a function of its seed: `python -m bench simulator --first N --runs 1` plays it
again.
"""

import pytest
from sim_records import replay
from sim_scenarios import scenario
from simulator import Faults, Simulator
from stacked_packs import deal_hands
from table_setup import game_with

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import (
    BombTaken,
    CardTaken,
    DealEnded,
    InstantWon,
    TableEnded,
    TributeGiven,
)
from p2pclimb.table.notices import PeerFault, RuleBroken
from p2pclimb.table.session import Session

SEEDS = 90


def assert_one_history(sim: Simulator) -> None:
    """All nodes tell the same, nobody was blamed, and every log proves it to a stranger."""
    heads = {node.session.ledger.position.heads for node in sim.nodes}
    assert len(heads) == 1
    for node in sim.nodes:
        assert not node.session.ledger.convictions
        assert not [n for n in node.told if isinstance(n, PeerFault | RuleBroken)]
        assert node.synced <= len(node.log) == len(set(node.log))
        ledger = replay(node.log, sim.checks)
        assert ledger.ended
        assert ledger.position.heads in heads
    (told,) = {
        tuple(repr(n) for n in node.told if isinstance(n, DealEnded | TableEnded))
        for node in sim.nodes
    }
    assert told


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_table_with_any_faults_and_departures_has_one_history(seed):
    sim = scenario(seed)
    sim.run()
    assert_one_history(sim)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("leavers", [1, 2, 3])
def test_seats_may_leave_at_every_kind_of_step(kind, leavers):
    def is_time(session: Session) -> bool:
        return session.ledger.position.stage.kind is kind

    leaving = dict.fromkeys(range(leavers), is_time)
    faults = Faults(lost=0.1, doubled=0.1)
    game, settings = game_with(kind)
    rules = {**settings, "deals": 2}
    sim = Simulator((kind.value, leavers), 3, rules, faults, leaving=leaving, game=game)
    sim.run()
    assert_one_history(sim)
    assert {0}.issubset(sim.nodes[2].session.ledger.leaves)


@pytest.mark.parametrize(
    "settings",
    [
        {"deal": "17"},
        {"deal": "all"},
        {"show_rest": True},
        {"finish_on_two": False, "show_rest": True},
        {"pass_rule": "free", "direction": "anticlockwise"},
        {"scoring": "places", "stake": 1_000_000},
    ],
    ids=str,
)
def test_every_option_can_be_played_to_the_end(settings):
    sim = Simulator(str(settings), 3, {"deals": 3, **settings}, Faults(doubled=0.2))
    sim.run()
    assert_one_history(sim)


WHOLE_TABLES = {
    "winner, exchange": (3, "winner/1", {"exchange": True, "deals": 3}),
    "winner, two": (2, "winner/1", {"exchange": True, "deals": 2, "fours_when": "anyone"}),
    "winner, two packs": (6, "winner/1", {"packs": 2, "deals": 1, "fours_when": "anyone"}),
    "winner, pick up": (3, "winner/1", {"fours_when": "anyone", "deals": 3}),
    "winner, take over": (
        4,
        "winner/1",
        {"fours": "takeover", "fours_when": "anyone", "deals": 3, "exchange": True},
    ),
    "winner, revolution": (4, "winner/1", {"revolution": True, "exchange": True, "deals": 2}),
    "winner, four beats all": (
        4,
        "winner/1",
        {"bomb_variation": True, "fours_when": "anyone", "pass_rule": "locked", "deals": 2},
    ),
    "winner, no jokers": (
        4,
        "winner/1",
        {"jokers": False, "triple_is_bomb": False, "skip_formalities": True, "deals": 2},
    ),
    "south": (
        4,
        "tienlen-south/1",
        {
            "instant_wins": True,
            "chop_pay": True,
            "rotten_twos": True,
            "finish_on_two": False,
            "deals": 3,
        },
    ),
    "south, five seats": (5, "tienlen-south/1", {"rotten_twos": True, "chop_pay": True}),
}


@pytest.mark.parametrize("name", WHOLE_TABLES)
def test_every_game_is_played_to_its_end_by_one_history(name):
    seats, game, settings = WHOLE_TABLES[name]
    sim = Simulator(name, seats, settings, Faults(lost=0.1, doubled=0.1), game=game)
    sim.run()
    assert_one_history(sim)
    ended = [n for n in sim.nodes[0].told if isinstance(n, DealEnded)]
    assert len(ended) == settings.get("deals", 1)
    assert all(sum(deal.payments.values()) == 0 for deal in ended)
    if settings.get("exchange"):
        given = [n for n in sim.nodes[0].told if isinstance(n, TributeGiven)]
        assert [(n.giver, n.receiver) for n in given] == [
            (deal.order[-1], deal.order[0]) for deal in ended[:-1]
        ]
        assert len([n for n in sim.nodes[0].told if isinstance(n, CardTaken)]) == len(given)


def test_bombs_are_claimed_picked_up_and_taken_over_at_simulated_tables():
    for fours in ("pickup", "takeover"):
        taken = []
        for seed in range(4):
            settings = {"fours": fours, "fours_when": "anyone", "deals": 2, "scoring": "none"}
            sim = Simulator((fours, seed), 3, settings, game="winner/1")
            sim.run()
            assert_one_history(sim)
            taken += [n for n in sim.nodes[0].told if isinstance(n, BombTaken)]
        assert taken
        assert all(n.into_hand is (fours == "pickup") for n in taken)


def test_a_hand_that_wins_at_once_ends_the_deal_at_a_simulated_table(monkeypatch):
    deal_hands(monkeypatch, ["2s 2c 2d 2h", "", ""])
    sim = Simulator("instant", 3, {"instant_wins": True}, Faults(lost=0.2), game="tienlen-south/1")
    sim.run()
    assert_one_history(sim)
    for node in sim.nodes:
        (won,) = [n for n in node.told if isinstance(n, InstantWon)]
        (ended,) = [n for n in node.told if isinstance(n, DealEnded)]
        assert (won.kind, won.seat) == ("four_twos", ended.order[0])
        assert ended.payments[won.seat] == 2


@pytest.mark.parametrize("kind", [Kind.TRIBUTE, Kind.OFFER, Kind.CHOOSE, Kind.CLAIM])
@pytest.mark.parametrize("seat", range(3))
def test_each_seat_may_leave_at_the_steps_of_an_exchange_and_at_a_bomb(kind, seat):
    def is_time(session: Session) -> bool:
        return session.ledger.position.stage.kind is kind

    settings = {"exchange": True, "fours_when": "anyone", "deals": 3}
    leaving = {seat: is_time}
    sim = Simulator((kind, seat), 3, settings, Faults(0.1), leaving=leaving, game="winner/1")
    sim.run()
    assert_one_history(sim)


def test_a_table_without_an_agreed_end_goes_on_until_people_leave():
    def after_two_deals(session: Session) -> bool:
        stage = session.ledger.position.stage
        return stage.deal > 2 and stage.kind is Kind.TURN

    sim = Simulator("open end", 2, {"deals": 0}, leaving={1: after_two_deals})
    sim.run()
    assert_one_history(sim)
    assert len([n for n in sim.nodes[0].told if isinstance(n, DealEnded)]) == 3


def test_a_seed_plays_the_same_game_again():
    one, two = scenario(11), scenario(11)
    one.run()
    two.run()
    assert [node.log for node in one.nodes] == [node.log for node in two.nodes]
    assert one.clock == two.clock


def test_a_log_is_valid_for_whoever_makes_every_check_anew():
    for seed in (1, 4):
        sim = scenario(seed)
        sim.run()
        anew = replay(sim.nodes[0].log)
        assert anew.position.heads == sim.nodes[0].session.ledger.position.heads
        assert anew.tally.shuffles > 0 or anew.position.step < 6
