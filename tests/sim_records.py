"""What a simulated table's log says: the records of a step and later ones, and what it comes to."""

from __future__ import annotations

from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.position import Verified
from p2pclimb.ledger.record import decode_record, step_of
from p2pclimb.ledger.terms import Terms

__all__ = ["Checks", "replay", "since"]

Checks = dict[tuple[bytes, bytes], object]
"""Results of checks by the head that an entry builds on and by what it signs."""


def since(log: list[bytes], step: int) -> list[bytes]:
    """Return the records of a step and later ones, by ascending steps, as a node's journal does."""
    placed = [(step_of(decode_record(data)), data) for data in log]
    found = [(at, data) for at, data in placed if at is not None and at >= step]
    return [data for _, data in sorted(found, key=lambda each: each[0])]


def replay(log: list[bytes], checks: Checks | None = None) -> Ledger:
    """Fold a log into a new ledger, as an auditor does; raises for anything that is not right.

    `checks` are results of checks that were made before; without them all are made anew.
    """
    terms, *records = map(decode_record, log)
    assert isinstance(terms, Terms)
    ledger = Ledger(terms)
    for record in records:
        match record:
            case Leave():
                record.verify(terms)
                ledger.notice(record)
            case Entry():
                known = checks and checks.get((ledger.position.previous, record.signed))
                if isinstance(known, Verified) and ledger.standing(record) is Standing.OPEN:
                    record.verify(terms)
                    ledger.fill(known)
                else:
                    ledger.accept(record)
    return ledger
