"""Going on after a restart: what the own log holds is taken again, checked as if it had just come.

The log holds the proofs of offences too, so nothing in it counts unchecked.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2pclimb.errors import MalformedError, ViolationError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.position import check_entry
from p2pclimb.ledger.record import Record, decode_record
from p2pclimb.ledger.votes import Accept, Certificate, Pause, Promise, Proposal
from p2pclimb.table.reception import Reception
from p2pclimb.table.signer import Signer

__all__ = ["recall"]


def recall(
    records: Iterable[bytes], guarded: Iterable[bytes], reception: Reception, signer: Signer
) -> list[bytes]:
    """Take the records of the log into what is known, then those of the guard that it lacks.

    Return the latter: the end came between the guard and the log.
    """
    logged = set()
    for data in records:
        if data not in logged:
            logged.add(data)
            _take_again(data, reception, signer)
    lost = [data for data in guarded if data not in logged]
    for data in lost:
        _take_again(data, reception, signer)
    return lost


def _take_again(data: bytes, reception: Reception, signer: Signer) -> None:
    record = decode_record(data)
    signer.adopt(record)
    _recall(record, reception)


def _recall(record: Record, reception: Reception) -> None:
    """Take one record; what comes early waits in the pool."""
    ledger = reception.ledger
    try:
        _take(record, reception)
    except MalformedError:
        return  # it turned out to be no vote, and was dropped before too
    except ViolationError as violation:
        known = ledger.conflicting(record) if isinstance(record, Entry | Leave) else []
        ledger.convict(violation, *known, record)
    for ripe in reception.pool.take(ledger.heads(), ledger.first_step):
        _recall(ripe, reception)


def _take(record: Record, reception: Reception) -> None:
    ledger, lateness = reception.ledger, reception.lateness
    match record:
        case Entry():
            match ledger.standing(record):
                case Standing.OPEN:
                    ledger.fill(check_entry(ledger.before(record), record))
                    _convict(ledger, ledger.contradicted_by(record))
                    lateness.came(record)
                case Standing.EARLY:
                    reception.pool.add(record, ledger.position.step)
        case Leave():
            ledger.notice(record)
            _convict(ledger, ledger.contradicted_by(record))
            lateness.came(record)
        case Certificate(place=place) if not reception.pools(record, place):
            ledger.certify(record)
            _convict(ledger, ledger.contradicted_by(record))
            lateness.take(record)
        case Promise() | Proposal() | Accept() if not reception.pools(record, record.vote.place):
            _convict(ledger, lateness.take(record).convictions)
        case Pause():
            lateness.take_pause(record)


def _convict(ledger: Ledger, proved: Iterable[Conviction]) -> None:
    for conviction in proved:
        ledger.convict(conviction.violation, *conviction.proof)
