"""Fuzz targets of the ledger: the codec, records of every kind, and the bodies of every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from honest_table import HonestTable, identity, new_terms, reached, rules_with
from mutation import pack
from target import Target

from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import ClimbError, ViolationError
from p2pclimb.ledger import codec
from p2pclimb.ledger.carried import Away, Carried
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import check_entry
from p2pclimb.ledger.record import Record, decode_record, encode_record
from p2pclimb.ledger.terms import Terms
from p2pclimb.ledger.votes import (
    ABSENT,
    Certificate,
    Vote,
    sign_accept,
    sign_pause,
    sign_promise,
    sign_proposal,
)
from p2pclimb.seat.secrets import DealSecrets

__all__ = ["TARGETS", "honest_records", "vote_records"]

TABLE = bytes(range(32))
LATE = Place(9, bytes(reversed(range(32))), 1)


@cache
def honest_records() -> tuple[bytes, ...]:
    """The records of a table of each game, one of each kind and size; the terms come first."""
    found = {}
    for table in (reached(None, 3), reached(None, 3, **rules_with(Kind.CHOOSE))):
        for record in (table.ledger.terms, *table.records):
            data = encode_record(record)
            found[getattr(record, "kind", None), len(data)] = data
    return tuple(found.values())


def _vote(ballot: int, signer: int) -> Vote:
    return Vote(TABLE, LATE, ballot, signer, counter=10 * ballot + signer)


@cache
def vote_records() -> tuple[Record, ...]:
    """Records of votes, alone and carrying each other."""
    people = [identity(seat) for seat in range(4)]
    first = [sign_promise(people[0], _vote(1, 0)), sign_promise(people[2], _vote(1, 2), (0, TABLE))]
    proposal = sign_proposal(people[2], _vote(1, 2), TABLE, first)
    second = [sign_promise(people[n], _vote(2, n), (1, TABLE), proposal) for n in (0, 3)]
    accepts = tuple(sign_accept(people[n], _vote(1, n), TABLE) for n in range(3))
    return (
        *first,
        *second,
        proposal,
        sign_proposal(people[3], _vote(2, 3), TABLE, second),
        sign_proposal(people[3], _vote(2, 3), ABSENT, ()),
        *accepts,
        Certificate(TABLE, LATE, 1, TABLE, accepts),
        sign_pause(people[1], table=TABLE, author=1, counter=3, asks=True),
    )


def _samples_of_terms() -> list[bytes]:
    carrying = new_terms(3)
    away = Away("Hoa", Identity.from_seed(bytes(32)).public, is_bot=False, points=-3)
    carried = Carried(TABLE, (1, 2, 0), (away,))
    return [
        new_terms(2).encode(),
        new_terms(8, game="winner/1", packs=2).encode(),
        Terms(carrying.nonce, carrying.options, carrying.seats, carried).encode(),
    ]


def _records() -> list[bytes]:
    leave = HonestTable.new(2).leave(1)
    return [*honest_records(), encode_record(leave)]


def _decode_value(data: bytes) -> None:
    assert codec.encode(codec.decode(data, 262_144)) == data


def _decode_terms(data: bytes) -> None:
    terms = Terms.decode(data)
    assert terms.encode() == data
    assert len(terms.words) == 6


def _decode_record(data: bytes) -> None:
    record = decode_record(data)
    assert encode_record(record) == data


def _deal_secrets() -> list[bytes]:
    return [secrets.encode() for secrets in reached(Kind.REVEAL, 3).secrets.values()]


def _decode_deal_secrets(data: bytes) -> None:
    assert DealSecrets.decode(data).encode() == data


# -- bodies ---------------------------------------------------------------------------------------


def _honest_body(kind: Kind) -> tuple[HonestTable, int, list[codec.Value]]:
    table = reached(kind, 3)
    author = table.position.waiting()[0]
    return table, author, table.body(author)


def _samples_of(kind: Kind) -> Callable[[], Sequence[bytes]]:
    return lambda: [codec.encode(_honest_body(kind)[2])]


def _judge_body(kind: Kind, data: bytes) -> None:
    """Judge what a seat signs as the body of its entry: it stands, or its author broke a rule."""
    body = codec.decode(data, 200_000)
    table = reached(kind, 3)
    author = table.position.waiting()[0]
    try:
        entry = decode_record(encode_record(table.sign(author, body)))
    except ClimbError:
        return  # too large for a record: it goes nowhere
    try:
        check_entry(table.position, entry)
    except ViolationError as error:
        if (error.seat, error.step) != (author, entry.step):
            raise AssertionError("another seat or step is blamed") from error
    except ClimbError as error:
        raise AssertionError("what fails in a signed entry is its author's offence") from error


def _read_body(kind: Kind, data: bytes) -> None:
    reached(kind, 3).stage.read(codec.decode(data, 200_000))


TARGETS = (
    Target(
        "value",
        lambda: [*honest_records()[:4], pack([[[[[1, -1, b"", "é", True]]]]])],
        _decode_value,
    ),
    Target("terms", _samples_of_terms, _decode_terms),
    Target("record", _records, _decode_record, examples=150),
    Target(
        "vote",
        lambda: [encode_record(record) for record in vote_records()],
        _decode_record,
        examples=300,
    ),
    Target("deal-secrets", _deal_secrets, _decode_deal_secrets),
    *(
        Target(f"body-{kind.value}", _samples_of(kind), partial(_read_body, kind), examples=80)
        for kind in Kind
    ),
    *(
        Target(f"entry-{kind.value}", _samples_of(kind), partial(_judge_body, kind), examples=15)
        for kind in Kind
    ),
)
