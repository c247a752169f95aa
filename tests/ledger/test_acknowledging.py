"""Who has promised before an entry came says by its first entry that it does not acknowledge it."""

import pytest
from cast_votes import late_place, promise
from honest_table import HonestTable, reached

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.place import Place


def promised_by_the_next_but_one(*, votes_first: bool) -> tuple[HonestTable, tuple[int, int], int]:
    """A table of four after an entry, a seat that promised before it came, and whose turn it is."""
    table = reached(Kind.TURN, 4)
    place = late_place(table, table.turn)
    entry = table.sign(place.author)
    seat = (place.author + 1) % 4
    early = promise(table, place, seat)
    if votes_first:
        table.ledger.vote(early)
    table.put(entry)
    table.go(lambda now: now.turn == seat)
    if not votes_first:
        table.ledger.vote(early)
    return table, (place.step, place.author), seat


def round_of_the_table(table: HonestTable, seat: int) -> None:
    """Let the others and then the seat itself sign, its second entry after the place."""
    table.go(lambda now: now.turn != seat)
    table.go(lambda now: now.turn == seat)


@pytest.mark.parametrize("votes_first", [True, False])
def test_its_later_entries_say_nothing_about_the_place(votes_first):
    table, place, seat = promised_by_the_next_but_one(votes_first=votes_first)
    table.put(table.sign(seat, excepted=[place]))
    round_of_the_table(table, seat)
    later = table.sign(seat)
    table.put(later)
    assert table.ledger.contradicted_by(later) == []


def test_an_unexcepting_first_entry_convicts():
    table, _, seat = promised_by_the_next_but_one(votes_first=True)
    first = table.sign(seat)
    table.put(first)
    (conviction,) = table.ledger.contradicted_by(first)
    assert (conviction.violation.seat, conviction.violation.rule) == (seat, "broken-promise")


def test_a_late_vote_is_held_against_the_first_entry_alone():
    table, place, seat = promised_by_the_next_but_one(votes_first=False)
    table.put(table.sign(seat, excepted=[place]))
    round_of_the_table(table, seat)
    table.put(table.sign(seat))
    step, author = place
    late = promise(table, Place(step, table.position.heads[step], author), seat)
    assert table.ledger.vote(late) == []


def test_who_excepts_a_place_is_no_witness_for_it():
    table, place, seat = promised_by_the_next_but_one(votes_first=True)
    table.put(table.sign(seat, excepted=[place]))
    step, author = place
    others: set[int] = set()
    while not table.ledger.is_final(step, author):
        table.put(table.sign(table.turn))
        others = {e.author for e in table.ledger.since(step + 1)} - {author, seat}
    assert len(others) == 2
