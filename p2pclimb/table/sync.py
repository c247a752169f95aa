"""Repair of gaps: nodes compare where they stand, and whoever is ahead sends what is missing.

There is no request: a node that is behind says where it stands, and that is answer enough.
"""

from __future__ import annotations

from p2pclimb.ledger.entry import encode_record
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.table.effects import Heads, Message, Records

__all__ = ["MAX_BATCH", "MAX_MESSAGES", "answer", "heads"]

MAX_BATCH = 56_000
"""How many bytes of records go into one message."""

MAX_MESSAGES = 8
"""How many messages answer one; the next comparison brings the rest."""


def heads(ledger: Ledger) -> Heads:
    """Return where the ledger stands."""
    position = ledger.position
    return Heads(position.step, position.previous, tuple(sorted(position.fillings)))


def answer(ledger: Ledger, theirs: Heads, evidence: list[bytes]) -> list[Message]:
    """Return the messages for a peer that stands at `theirs`.

    `evidence` are records that prove an offence; everybody who is not ahead gets them.
    """
    ours = heads(ledger)
    if theirs.step > ours.step:
        return [ours]
    missing = [
        encode_record(record)
        for record in ledger.since(theirs.step)
        if (record.step, record.author) not in {(theirs.step, seat) for seat in theirs.filled}
    ]
    messages: list[Message] = [*_batches([*missing, *evidence])[:MAX_MESSAGES]]
    if theirs.step == ours.step and not set(theirs.filled) <= set(ours.filled):
        messages.append(ours)
    return messages


def _batches(records: list[bytes]) -> list[Records]:
    batches: list[list[bytes]] = []
    size = MAX_BATCH
    for record in records:
        size += len(record)
        if size > MAX_BATCH:
            batches.append([])
            size = len(record)
        batches[-1].append(record)
    return [Records(tuple(batch)) for batch in batches]
