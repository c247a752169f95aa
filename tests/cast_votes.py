"""Votes on late places as seats of an honest table cast them, or as liars would."""

from __future__ import annotations

from collections.abc import Sequence

from honest_table import HonestTable, identity

from p2pclimb.ledger.ballots import coordinator, majority
from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.votes import (
    ABSENT,
    Accept,
    Certificate,
    Pause,
    Promise,
    Proposal,
    Vote,
    sign_accept,
    sign_pause,
    sign_promise,
    sign_proposal,
)

__all__ = [
    "accept",
    "certificate",
    "decide",
    "drop_back",
    "late_place",
    "pause",
    "promise",
    "proposal",
    "put",
    "whole_vote",
]

Cast = Promise | Proposal | Accept | Certificate | Pause


def late_place(table: HonestTable, late: int) -> Place:
    """The place of a seat in the present step."""
    return Place(table.position.step, table.position.previous, late)


def _vote(table: HonestTable, place: Place, ballot: int, signer: int) -> Vote:
    counter = table.counters.get(signer, 0)
    table.counters[signer] = counter + 1
    return Vote(table.position.table, place, ballot, signer, counter)


def promise(
    table: HonestTable,
    place: Place,
    signer: int,
    ballot: int = 1,
    accepted: tuple[int, bytes] | None = None,
    quoted: Proposal | None = None,
) -> Promise:
    vote = _vote(table, place, ballot, signer)
    return sign_promise(identity(signer, table.seed), vote, accepted, quoted)


def proposal(
    table: HonestTable,
    place: Place,
    promises: Sequence[Promise],
    value: bytes = ABSENT,
    ballot: int = 1,
    signer: int | None = None,
) -> Proposal:
    if signer is None:
        signer = coordinator(electorate(table, place), place.author, ballot)
    vote = _vote(table, place, ballot, signer)
    return sign_proposal(identity(signer, table.seed), vote, value, promises)


def accept(
    table: HonestTable, place: Place, signer: int, value: bytes = ABSENT, ballot: int = 1
) -> Accept:
    return sign_accept(identity(signer, table.seed), _vote(table, place, ballot, signer), value)


def electorate(table: HonestTable, place: Place) -> tuple[int, ...]:
    start = table.ledger.start_of(place)
    return table.position.electorate() if start is None else start.electorate()


def certificate(
    table: HonestTable,
    place: Place,
    signers: Sequence[int] | None = None,
    value: bytes = ABSENT,
    ballot: int = 1,
) -> Certificate:
    """The decision by these signers; by default the smallest majority of the others."""
    if signers is None:
        voters = electorate(table, place)
        others = [seat for seat in voters if seat != place.author]
        signers = [*others, place.author][: majority(voters)]
    accepts = [accept(table, place, signer, value, ballot) for signer in sorted(signers)]
    return Certificate(table.position.table, place, ballot, value, tuple(accepts))


def whole_vote(
    table: HonestTable, place: Place, value: bytes = ABSENT, ballot: int = 1
) -> list[Cast]:
    """A ballot from its promises, which state nothing, to the certificate."""
    voters = electorate(table, place)
    others = [seat for seat in voters if seat != place.author]
    signers = [*others, place.author][: majority(voters)]
    promises = [promise(table, place, signer, ballot) for signer in signers]
    proposed = proposal(table, place, promises, value, ballot)
    decided = certificate(table, place, signers, value, ballot)
    return [*promises, proposed, *decided.accepts, decided]


def pause(table: HonestTable, author: int, *, asks: bool = True) -> Pause:
    counter = table.counters.get(author, 0)
    table.counters[author] = counter + 1
    of_table = table.position.table
    key = identity(author, table.seed)
    return sign_pause(key, table=of_table, author=author, counter=counter, asks=asks)


def put(table: HonestTable, *records: Cast) -> HonestTable:
    """Let the ledger take votes that are right, and keep them in the table's records."""
    for record in records:
        match record:
            case Certificate():
                table.events += table.ledger.certify(record)
            case Promise() | Proposal() | Accept():
                assert not table.ledger.vote(record)
        table.records.append(record)
    return table


def decide(table: HonestTable, late: int, value: bytes = ABSENT) -> HonestTable:
    """Let the seats vote on the place of a seat in the present step."""
    return put(table, *whole_vote(table, late_place(table, late), value))


def drop_back(table: HonestTable, entry: Entry) -> HonestTable:
    """Let the seats pass over a seat whose entry is known and built on already."""
    return put(table, certificate(table, entry.place))
