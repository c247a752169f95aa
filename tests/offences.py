"""Offences at an honest table: each puts what is right into it and returns what convicts a seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cast_votes import accept, certificate, late_place, promise, proposal, put, whole_vote
from honest_table import HonestTable, reached

from p2pclimb.errors import ViolationError
from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.record import Record
from p2pclimb.ledger.votes import ABSENT, Promise

__all__ = ["OFFENCES", "Offence", "a_wrong_entry", "in_play", "two_accepts"]

Offence = Callable[[HonestTable], Conviction]


def in_play() -> HonestTable:
    """A table of four whose first round is over; it can be gone on with."""
    return reached(Kind.TURN, 4, "evidence").go(lambda now: now.position.step % 4 == 3)


def _last_of(table: HonestTable, seat: int) -> Entry:
    return [each for each in table.records if isinstance(each, Entry) and each.author == seat][-1]


def _caught(act: Callable[[], object], *proof: Record) -> Conviction:
    with pytest.raises(ViolationError) as caught:
        act()
    return Conviction(caught.value, proof)


def two_entries(table: HonestTable) -> Conviction:
    known = _last_of(table, 1)
    lie = table.forged(known, counter=known.counter + 100)
    return _caught(lambda: table.ledger.standing(lie), known, lie)


def a_wrong_entry(table: HonestTable) -> Conviction:
    lie = table.sign(table.turn, [7])
    return _caught(lambda: table.ledger.accept(lie), lie)


def an_entry_after_leaving(table: HonestTable) -> Conviction:
    leave = table.leave(table.turn)
    entry = table.sign(table.turn)
    table.copy().put(entry)
    table.put(leave)
    return _caught(lambda: table.ledger.standing(entry), leave, entry)


def two_accepts(table: HonestTable) -> Conviction:
    place = late_place(table, table.turn)
    first, second = (accept(table, place, 0, value) for value in (ABSENT, bytes(32)))
    put(table, first)
    table.go(lambda now: now.position.step == place.step + 3)
    (conviction,) = table.ledger.vote(second)
    return conviction


def building_on_what_was_promised_away(table: HonestTable) -> Conviction:
    """The entry that proves it stands steps after the place."""
    place = late_place(table, table.turn)
    votes = whole_vote(table, place)
    promises = [each for each in votes if isinstance(each, Promise)]
    table.put(table.sign(place.author))
    last = max(promises, key=lambda each: (each.vote.signer - place.author) % 4)
    table.go(lambda now: now.turn == last.vote.signer)
    table.put(table.sign(table.turn))
    (conviction,) = table.ledger.vote(last)
    return conviction


def an_unfounded_proposal(table: HonestTable) -> Conviction:
    place = late_place(table, table.turn)
    too_few = [promise(table, place, place.author)]
    (conviction,) = table.ledger.vote(proposal(table, place, too_few, bytes(32)))
    return conviction


def two_entries_behind_a_decision(table: HonestTable) -> Conviction:
    """What the culprit signed stands on a branch that counts no more."""
    place = late_place(table, table.turn)
    table.put(table.sign(place.author))
    known = table.sign(table.turn)
    table.put(known)
    put(table, certificate(table, place))
    lie = table.forged(known, counter=known.counter + 100)
    return _caught(lambda: table.ledger.standing(lie), known, lie)


OFFENCES: list[Offence] = [
    two_entries,
    an_entry_after_leaving,
    two_accepts,
    building_on_what_was_promised_away,
    an_unfounded_proposal,
    two_entries_behind_a_decision,
]
