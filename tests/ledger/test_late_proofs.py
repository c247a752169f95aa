"""Proofs of offences that come after some node has gone on without them."""

import pytest
from honest_table import HonestTable, reached

from p2pclimb.ledger.entry import Entry, Kind

CULPRIT = 2


def convict(table: HonestTable, step: int) -> None:
    """Let the table learn that the culprit broke a rule at a step."""
    violation = table.ledger.terms.violation(CULPRIT, step, "equivocation", "signed twice")
    table.events += table.ledger.convict(violation)


def in_mid_deal() -> tuple[HonestTable, list[int]]:
    """A table of four at a turn of its first deal, and the turns that the culprit has signed."""
    table = reached(Kind.TURN, 4, deals=3)
    steps = []
    while len(steps) < 3:
        if table.turn == CULPRIT:
            steps.append(table.position.step)
        table.put(table.sign(table.turn))
    return table, steps


def to_the_next_settled_deal(table: HonestTable) -> list[Entry]:
    """Let the others go on until the broken deal is settled; return what they sign."""
    known = len(table.records)
    before = table.ledger.first_step
    table.go(lambda table: table.ledger.first_step > before)
    return table.records[known:]


def hear(table: HonestTable, entry: Entry) -> None:
    """Let a table take an entry that may be on another branch than its own."""
    assert table.ledger.leads_to(entry.place)
    table.put(entry)


@pytest.mark.parametrize("known_at", [None, 1, 2], ids=["nothing", "a later one", "the last one"])
def test_a_deal_that_was_settled_is_kept_by_those_who_knew_an_earlier_offence(known_at):
    settled, steps = in_mid_deal()
    others = settled.copy()
    if known_at is not None:
        convict(settled, steps[known_at])
    signed = to_the_next_settled_deal(settled)

    for step in reversed(steps[:known_at] if known_at else steps):
        convict(others, step)
    assert others.ledger.first_step < settled.ledger.first_step
    for entry in signed:
        hear(others, entry)
    convict(settled, steps[0])
    assert settled.position.previous == others.position.previous
    assert settled.ledger.first_step == others.ledger.first_step
    settled.go(Kind.CLOSE)


def test_until_the_deal_is_settled_the_earliest_offence_counts():
    table, steps = in_mid_deal()
    other = table.copy()
    for step in steps:
        convict(table, step)
    for step in reversed(steps):
        convict(other, step)
    assert table.position.previous == other.position.previous
    assert table.position.step == steps[0] + 1
