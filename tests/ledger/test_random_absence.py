"""Whoever is absent, leaves or is convicted, and where: tables come to an end, points add up."""

import random

import pytest
from honest_table import HonestTable
from passed_over import convicted, left, passed_over

from p2pclimb.games.moves import Pass
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded, DealRestarted
from p2pclimb.ledger.position import MOST_MISSES

RULES = (
    {},
    {"game": "tienlen-south/1", "finish_on_two": False, "show_rest": True},
    {"instant_wins": True, "rotten_twos": True, "chop_pay": True, "scoring": "places"},
    {"game": "winner/1", "exchange": True, "fours_when": "anyone"},
    {"game": "winner/1", "exchange": True, "next_lead": "winner", "scoring": "none"},
    {"game": "winner/1", "exchange": True, "next_lead": "left_of_dealer", "jokers": False},
)
OTHERWISE = ("absent", "left", "convicted")


def at_random(chance: random.Random, table: HonestTable) -> str:
    """How a place is filled: a deal has many turns, so each of them is seldom missed."""
    match table.kind:
        case Kind.OPEN:
            return "present"
        case Kind.TURN:
            odds = (97, 2, 0.5, 0.5)
        case _:
            odds = (88, 8, 2, 2)
    return chance.choices(["present", *OTHERWISE], odds)[0]


def new_table(number: int, chance: random.Random) -> HonestTable:
    """A table that begins, or one of Winner that is to exchange cards."""
    rules = {"deals": 4, **RULES[number % len(RULES)]}
    seats, seed = chance.choice((2, 3, 3, 4, 4, 4)), f"absences {number}"
    if "exchange" in rules:
        return HonestTable.of_a_later_deal(tuple(range(seats)), seed, **rules)
    return HonestTable.new(seats, seed, **rules)


def sign(chance: random.Random, table: HonestTable, seat: int) -> None:
    """Sign what is owed; in a turn pass as often as not, and reach seats at random at the end."""
    may_pass = table.kind is Kind.TURN and table.stage.state.table is not None
    if may_pass and chance.random() < 0.5:
        return table.play(seat, Pass())
    body = table.body(seat)
    if table.kind is Kind.CLOSE:
        body[1] = [other for other in body[1] if chance.random() < 0.6]
    return table.put(table.sign(seat, body))


@pytest.mark.parametrize("number", range(60))
def test_a_table_with_random_absences_comes_to_its_end(number):
    chance = random.Random(number)
    table = new_table(number, chance)
    gone, culprits = set(), set()
    while table.kind is not None:
        assert table.position.step < 1500
        waiting = table.position.waiting()
        assert waiting
        assert not culprits.intersection(waiting)
        assert all(table.position.misses.get(seat, 0) < MOST_MISSES for seat in waiting)
        seat = chance.choice(waiting)
        how = "left" if seat in gone else at_random(chance, table)
        match how:
            case "present":
                sign(chance, table, seat)
            case "absent":
                passed_over(table, seat)
            case "left":
                gone.add(seat)
                left(table, seat)
            case "convicted":
                culprits.add(seat)
                convicted(table, seat)
    assert_that_points_add_up(table)


def assert_that_points_add_up(table: HonestTable) -> None:
    """Every payment is somebody's gain, and the scores are the sum of all payments."""
    scores = dict.fromkeys(range(len(table.ledger.terms.seats)), 0)
    for event in table.events:
        if isinstance(event, DealEnded | DealRestarted):
            assert sum(event.payments.values()) == 0
            for seat, points in event.payments.items():
                scores[seat] += points
        if isinstance(event, DealEnded):
            assert event.scores == scores
            assert sorted(event.order) == sorted(event.payments)
