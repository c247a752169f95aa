"""Scores carried on: who brings how much along, and what terms cannot say about it."""

from __future__ import annotations

import dataclasses

import pytest
from honest_table import NAMES, HonestTable, identity, new_terms

from p2pclimb.errors import MalformedError, UsageError
from p2pclimb.ledger import codec
from p2pclimb.ledger.carried import MAX_AWAY, Away, Carried
from p2pclimb.ledger.events import DealEnded
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.past import Past
from p2pclimb.ledger.terms import MAX_TERMS_SIZE, SeatTerms, Terms

TABLE = bytes(range(32))
TERMS = new_terms(3)
EVA = Away("Eva", identity(5).public, is_bot=False, points=-2)
CARRIED = Carried(TABLE, (3, -1, 0), (EVA,))


def with_scores(carried: Carried | None) -> Terms:
    return dataclasses.replace(TERMS, carried=carried)


# -- in the terms --------------------------------------------------------------------------------


def test_terms_with_scores_are_read_as_they_were_written():
    for carried in (CARRIED, Carried(TABLE, (0, 0, 0)), Carried(TABLE, (2**40, -(2**40), 0))):
        assert Terms.decode(with_scores(carried).encode()) == with_scores(carried)


def test_terms_without_scores_have_no_field_for_them():
    assert len(codec.decode(TERMS.encode(), MAX_TERMS_SIZE)) == 4
    assert len(codec.decode(with_scores(CARRIED).encode(), MAX_TERMS_SIZE)) == 5


def test_other_scores_make_another_table():
    changed = [
        None,
        CARRIED,
        dataclasses.replace(CARRIED, table=bytes(32)),
        dataclasses.replace(CARRIED, points=(-1, 3, 0)),
        dataclasses.replace(CARRIED, away=(dataclasses.replace(EVA, name="Eve"),)),
        dataclasses.replace(CARRIED, away=(dataclasses.replace(EVA, is_bot=True),)),
    ]
    assert len({with_scores(carried).table_id for carried in changed}) == len(changed)


@pytest.mark.parametrize(
    ("changes", "saying"),
    [
        ({"points": (4, -1, 0)}, "add up to zero"),
        ({"away": ()}, "add up to zero"),
        ({"points": (3, -1)}, "one number for each seat"),
        ({"points": (3, -1, 0, 0)}, "one number for each seat"),
        ({"points": (2**53 + 1, -1, 0)}, "integer"),
        ({"points": (True, 1, 0)}, "integer"),
        ({"table": bytes(31)}, "bytes"),
        ({"away": (EVA, dataclasses.replace(EVA, name="Eve", points=0))}, "twice"),
        ({"away": (dataclasses.replace(EVA, identity=TERMS.seats[1].identity),)}, "twice"),
        ({"away": (dataclasses.replace(EVA, identity=bytes(32)),)}, "small order"),
        ({"away": (dataclasses.replace(EVA, name="\x1b[2J"),)}, "cannot be shown"),
        ({"away": (dataclasses.replace(EVA, name=""),)}, "printable"),
        ({"away": (EVA,) * (MAX_AWAY + 1)}, "array"),
    ],
)
def test_scores_that_cannot_be_are_refused(changes, saying):
    with pytest.raises(MalformedError, match=saying):
        Terms.decode(with_scores(dataclasses.replace(CARRIED, **changes)).encode())


@pytest.mark.parametrize("value", [0, [], [TABLE], [TABLE, [3, -1, 0], [[]]], b"", True])
def test_a_field_of_another_form_is_refused(value):
    fields = codec.decode(with_scores(CARRIED).encode(), MAX_TERMS_SIZE)
    with pytest.raises(MalformedError):
        Terms.decode(codec.encode([*fields[:4], value]))


def test_the_largest_terms_with_scores_fit():
    eight = new_terms(8)
    away = tuple(
        Away("\U0001f0a1" * 22 + f"{n:02}", identity(n, "away").public, False, -(2**53))
        for n in range(MAX_AWAY)
    )
    carried = Carried(TABLE, (2**53,) * 8, away)
    seats = tuple(dataclasses.replace(s, name="\U0001f0a1" * 23 + s.name[0]) for s in eight.seats)
    terms = dataclasses.replace(eight, seats=seats, carried=carried)
    assert len(terms.encode()) < MAX_TERMS_SIZE


def test_the_scores_go_on_from_those_that_were_brought_along():
    table = HonestTable("carried", Ledger(one_deal(CARRIED)))
    table.go(lambda table: table.position.match is not None)
    assert table.position.match.scores == {0: 3, 1: -1, 2: 0}
    table.go()
    (ended,) = (event for event in table.events if isinstance(event, DealEnded))
    assert ended.payments != dict.fromkeys(range(3), 0)
    assert ended.scores == {n: CARRIED.points[n] + ended.payments[n] for n in range(3)}
    assert table.position.match.scores == ended.scores


def one_deal(carried: Carried | None) -> Terms:
    return dataclasses.replace(new_terms(3, "carried", deals=1), carried=carried)


# -- from the table before -----------------------------------------------------------------------


def seat(number: int, name: str | None = None, operator: int | None = None) -> SeatTerms:
    """A seat of somebody known by a number; with an operator it is a bot's, with a fresh key."""
    person = identity(number)
    is_bot = operator is not None
    return SeatTerms(
        name or NAMES[number],
        identity(number, f"fresh {name}").public if is_bot else person.public,
        person.curve_key_pair()[0],
        operator if operator is not None else number,
        is_bot,
    )


PAST = Past(dataclasses.replace(TERMS, seats=(seat(0), seat(1), seat(2))), {0: 3, 1: -1, 2: -2})


def seated(*seats: SeatTerms) -> tuple[SeatTerms, ...]:
    """Seats at a table; persons run their own."""
    return tuple(s if s.is_bot else dataclasses.replace(s, operator=n) for n, s in enumerate(seats))


def test_the_same_friends_bring_their_scores_wherever_they_sit():
    carried = PAST.carried(seated(seat(2), seat(0), seat(1)))
    assert carried == Carried(PAST.terms.table_id, (-2, 3, -1))


def test_a_friend_less_keeps_its_points_and_has_them_when_it_is_back():
    carried = PAST.carried(seated(seat(0), seat(1)))
    assert carried.points == (3, -1)
    assert carried.away == (Away("Chi", identity(2).public, False, -2),)
    terms = dataclasses.replace(TERMS, seats=seated(seat(0), seat(1)), carried=carried)
    later = Past(terms, {0: 4, 1: -2})
    assert later.carried(seated(seat(1), seat(0))).away == carried.away
    assert later.carried(seated(seat(1), seat(2), seat(0))).points == (-2, -2, 4)


def test_a_friend_more_begins_at_zero():
    carried = PAST.carried(seated(seat(0), seat(1), seat(2), seat(3)))
    assert carried.points == (3, -1, -2, 0)
    assert carried.away == ()


def test_who_is_the_same_friend_is_told_by_the_key_and_not_by_the_name():
    renamed = seat(1, name="Bob")
    impostor = seat(4, name="Chi")
    carried = PAST.carried(seated(seat(0), renamed, impostor))
    assert carried.points == (3, -1, 0)
    assert carried.away == (Away("Chi", identity(2).public, False, -2),)


def test_a_bot_is_the_same_if_its_name_and_who_runs_it_are():
    bot, other = seat(5, "Binh", 0), seat(6, "Binh", 1)
    terms = dataclasses.replace(TERMS, seats=seated(seat(0), seat(1), bot))
    past = Past(terms, {0: 3, 1: -1, 2: -2})
    anew = dataclasses.replace(bot, identity=identity(7).public)
    assert past.carried(seated(seat(0), seat(1), anew)).points == (3, -1, -2)
    foreign = past.carried(seated(seat(0), seat(1), other))
    assert foreign.points == (3, -1, 0)
    assert foreign.away == (Away("Binh", identity(0).public, True, -2),)
    back = Past(dataclasses.replace(terms, seats=seated(seat(0), seat(1)), carried=foreign), {})
    assert back.carried(seated(seat(0), seat(1), anew)).points == (0, 0, -2)


def test_who_is_away_without_points_is_forgotten():
    past = Past(PAST.terms, {0: 2, 1: -2, 2: 0})
    assert past.carried(seated(seat(0), seat(1))).away == ()


def test_too_many_who_are_away_are_refused():
    away = tuple(
        Away(f"P{n}", identity(n, "away").public, False, 1 if n % 2 else -1)
        for n in range(MAX_AWAY)
    )
    terms = dataclasses.replace(TERMS, carried=Carried(TABLE, (0, 0, 0), away))
    past = Past(terms, {0: 1, 1: 0, 2: -1})
    assert len(past.carried(TERMS.seats).away) == MAX_AWAY
    with pytest.raises(UsageError, match="away"):
        past.carried(seated(seat(5), seat(6)))


def test_what_is_carried_on_always_makes_good_terms():
    for seats in ((0, 1), (2, 3), (0, 1, 2, 3, 4)):
        people = seated(*map(seat, seats))
        terms = dataclasses.replace(TERMS, seats=people, carried=PAST.carried(people))
        assert Terms.decode(terms.encode()) == terms
