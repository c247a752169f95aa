"""What a simulated table's records say: who signed them, where they belong, what a log comes to."""

from __future__ import annotations

from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.position import Verified
from p2pclimb.ledger.record import Record, decode_record
from p2pclimb.ledger.terms import Terms
from p2pclimb.ledger.votes import Accept, Certificate, Pause, Promise, Proposal

__all__ = ["Checks", "replay", "signer_of", "since"]

Checks = dict[tuple[bytes, bytes], object]
"""Results of checks by the head that an entry builds on and by what it signs."""


def signer_of(record: Record) -> int | None:
    """Return the seat that signed a record; None for terms and certificates."""
    match record:
        case Entry() | Leave() | Pause():
            return record.author
        case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
            return vote.signer
        case _:
            return None


def since(log: list[bytes], step: int) -> list[bytes]:
    """Return the records of a step and later ones, by ascending steps, as a node's journal does."""
    found = [(at, data) for data in log if (at := _step_of(decode_record(data))) >= step]
    return [data for _, data in sorted(found, key=lambda each: each[0])]


def _step_of(record: Record) -> int:
    match record:
        case Entry(place=place) | Certificate(place=place):
            return place.step
        case Leave(step=step):
            return step
        case Promise(vote=vote) | Proposal(vote=vote) | Accept(vote=vote):
            return vote.place.step
        case _:
            return -1


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
