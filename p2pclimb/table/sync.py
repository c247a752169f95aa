"""Repair of gaps: nodes compare where they stand, and whoever is ahead sends what is missing.

There is no request: a node that is behind says where it stands, and that is answer enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain

from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.record import Record, encode_record
from p2pclimb.table.effects import Effect, Heads, Message, Records, Send, SendPast

__all__ = ["MAX_BATCH", "MAX_BESIDE", "MAX_MESSAGES", "answer", "batches", "heads", "reply"]

MAX_BATCH = 56_000
"""How many bytes of records go into one message; a longer record has one of its own."""

MAX_MESSAGES = 8
"""How many messages of the history answer one, a long one counted by its size; the next comparison
brings the rest."""

MAX_BESIDE = 16
"""How many messages of notices and proofs come before them: they leave room for the history, and
two records of any size that contradict each other have room here."""


def heads(ledger: Ledger) -> Heads:
    """Return where the ledger stands."""
    position = ledger.position
    return Heads(position.step, position.previous, tuple(sorted(position.fillings)))


def reply(ledger: Ledger, peer: bytes, theirs: Heads, count: int) -> list[Effect]:
    """Send a peer what it lacks, from the log where that is settled; see `answer`."""
    if theirs.step < ledger.first_step:
        return [SendPast(peer, theirs.step)]
    return [Send(peer, message) for message in answer(ledger, theirs, count)]


def answer(ledger: Ledger, theirs: Heads, count: int = 0) -> list[Message]:
    """Return the messages for a peer that stands at `theirs`, from the steps that are kept.

    `count` is how many answers it has had: where the proofs of all offences are more than one
    answer may carry, the next ones bring the rest.

    To say where this node stands makes the peer send what is missing here; of two that each miss
    something both send, and neither says so, or the two would go on asking each other until the
    proofs are checked.
    """
    ours = heads(ledger)
    if theirs.step > ours.step:
        return [ours, *batches(map(encode_record, ledger.proofs(count)), MAX_BESIDE)]
    # Encoded as far as there are messages for it: a history may be long, and a peer asks often.
    beside = chain(ledger.leaves.values(), ledger.proofs(count))
    messages: list[Message] = [
        message
        for records, room in ((beside, MAX_BESIDE), (_missing(ledger, theirs), MAX_MESSAGES))
        for message in batches(map(encode_record, records), room)
    ]
    if theirs.step == ours.step and set(ours.filled) < set(theirs.filled):
        messages.append(ours)
    return messages


def _missing(ledger: Ledger, theirs: Heads) -> Iterator[Record]:
    """Yield what a peer lacks that is not ahead; of another branch, all that is not settled."""
    is_known = theirs.head == ledger.position.heads[theirs.step]
    step = theirs.step if is_known else ledger.first_step
    for record in ledger.since(step):
        is_filled = is_known and record.place.step == step and record.place.author in theirs.filled
        if not (is_filled and isinstance(record, Entry)):
            yield record


def batches(records: Iterable[bytes], room: int = MAX_MESSAGES) -> list[Records]:
    """Return encoded records in messages, as many as make up one answer."""
    return _first(_batches(records), room)


def _batches(records: Iterable[bytes]) -> Iterator[Records]:
    batch: list[bytes] = []
    size = 0
    for record in records:
        size += len(record)
        if batch and size > MAX_BATCH:
            yield Records(tuple(batch))
            batch, size = [], len(record)
        batch.append(record)
    if batch:
        yield Records(tuple(batch))


def _first(all_batches: Iterable[Records], room: int) -> list[Records]:
    """Return the first batches, as many as there is room for."""
    first: list[Records] = []
    for batch in all_batches:
        room -= math.ceil(sum(map(len, batch.records)) / MAX_BATCH)
        if room < 0:
            break
        first.append(batch)
    return first
