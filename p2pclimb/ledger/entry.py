"""Signed records: entries, leave notices, and their form in logs and on the wire.

An entry's id is the hash of its signed bytes, without the signature.  Whether an entry is expected
and right is judged elsewhere (`ledger.py`, `steps/`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from p2pclimb.crypto.identity import Identity, verify_signature
from p2pclimb.errors import MalformedError
from p2pclimb.ledger import codec
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.labels import PROTOCOL_VERSION, Label, digest, require_version
from p2pclimb.ledger.place import MAX_STEP, Place
from p2pclimb.ledger.terms import MAX_SEATS, Terms

__all__ = [
    "MAX_ENTRY_SIZE",
    "MAX_TRIBUTE_SIZE",
    "Entry",
    "Kind",
    "Leave",
    "read_entry",
    "read_leave",
    "sign_entry",
    "sign_leave",
]

MAX_ENTRY_SIZE = 65_536
"""How many signed bytes an entry may have, a tribute excepted."""

MAX_TRIBUTE_SIZE = 262_144
"""How many signed bytes a tribute may have: it proves for every card kept that it is none of the
higher ones, in up to 200 KB."""

# Arrays and items of what is signed.  The most are in the opening of a whole hand; a large entry is
# large by one byte string.
_MAX_ITEMS = 512
_MAX_LARGE_ITEMS = 32
_MAX_EXCEPTED = 64


class Kind(Enum):
    """The kinds of steps, by the name that stands in the log."""

    OPEN = "open"
    COMMIT = "commit"
    REVEAL = "reveal"
    SHUFFLE = "shuffle"
    AGREE = "agree"
    SHARES = "shares"
    CLAIM = "claim"
    LOWEST = "lowest"
    TRIBUTE = "tribute"
    OFFER = "offer"
    CHOOSE = "choose"
    TURN = "turn"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class Entry:
    """One signed statement of one seat at one place of the log.

    `counter` runs over everything that the seat signs.  `signed` are the bytes under the signature.
    `excepted` are the places before it, as (step, seat), whose entry it builds on without
    acknowledging it: the author had promised before it had the entry (protocol.md, Late places).
    """

    table: bytes
    deal: int
    attempt: int
    place: Place
    counter: int
    kind: Kind
    body: Value
    signed: bytes
    signature: bytes
    excepted: tuple[tuple[int, int], ...] = ()

    @property
    def author(self) -> int:
        """The seat that signed."""
        return self.place.author

    @property
    def step(self) -> int:
        """The number of the step."""
        return self.place.step

    @property
    def id(self) -> bytes:
        """The hash of the signed bytes, 32 bytes."""
        return digest(Label.ENTRY_ID, self.signed)

    def verify(self, terms: Terms) -> None:
        """Raise SignatureError unless the author's identity signed exactly these bytes."""
        key = terms.seats[self.author].identity
        verify_signature(key, Label.ENTRY.value.encode(), self.signed, self.signature)


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat's notice that it leaves: it counts at its first expected place from `step` on.

    It acknowledges all that `head` names, as an entry that builds on that head would.
    """

    table: bytes
    deal: int
    step: int
    author: int
    counter: int
    head: bytes
    signed: bytes
    signature: bytes

    @property
    def id(self) -> bytes:
        """The hash of the signed bytes, 32 bytes."""
        return digest(Label.LEAVE_ID, self.signed)

    def verify(self, terms: Terms) -> None:
        """Raise SignatureError unless the author's identity signed exactly these bytes."""
        key = terms.seats[self.author].identity
        verify_signature(key, Label.LEAVE.value.encode(), self.signed, self.signature)


def sign_entry(
    identity: Identity,
    *,
    table: bytes,
    deal: int,
    attempt: int,
    place: Place,
    counter: int,
    kind: Kind,
    body: Value,
    excepted: Sequence[tuple[int, int]] = (),
) -> Entry:
    """Return the entry with these fields, signed (protocol.md, Entries); `excepted` ascends."""
    signed = codec.encode(
        [
            PROTOCOL_VERSION,
            table,
            deal,
            attempt,
            place.step,
            place.previous,
            place.author,
            counter,
            kind.value,
            body,
            *([[list(each) for each in excepted]] if excepted else []),
        ]
    )
    signature = identity.sign(Label.ENTRY.value.encode(), signed)
    return Entry(
        table, deal, attempt, place, counter, kind, body, signed, signature, tuple(excepted)
    )


def sign_leave(
    identity: Identity,
    *,
    table: bytes,
    deal: int,
    step: int,
    author: int,
    counter: int,
    head: bytes,
) -> Leave:
    """Return a signed notice that seat `author` leaves from `step` on, at a head it has built."""
    signed = codec.encode([PROTOCOL_VERSION, table, deal, step, author, counter, head])
    signature = identity.sign(Label.LEAVE.value.encode(), signed)
    return Leave(table, deal, step, author, counter, head, signed, signature)


def read_entry(signed: bytes, signature: bytes) -> Entry:
    """Read an entry; raises MalformedError, UnsupportedError for another protocol version."""
    is_large = len(signed) > MAX_ENTRY_SIZE
    max_items = _MAX_LARGE_ITEMS if is_large else _MAX_ITEMS
    value = codec.decode(signed, MAX_TRIBUTE_SIZE, max_items=max_items)
    require_version(value)
    header = codec.as_list(value, 11, at_least=10)
    _, table, deal, attempt, step, previous, author, counter, kind, body, *excepted = header
    name = codec.as_text(kind, 16)
    try:
        known = Kind(name)
    except ValueError:
        raise MalformedError("An entry is of a kind that this protocol does not have.") from None
    if is_large and known is not Kind.TRIBUTE:
        raise MalformedError(f"An entry of {len(signed)} bytes that is no tribute.")
    return Entry(
        codec.as_bytes(table, 32),
        codec.as_int(deal, 0, MAX_STEP),
        codec.as_int(attempt, 0, MAX_STEP),
        Place(
            codec.as_int(step, 0, MAX_STEP),
            codec.as_bytes(previous, 32),
            codec.as_int(author, 0, MAX_SEATS - 1),
        ),
        codec.as_int(counter, 0, MAX_STEP),
        known,
        body,
        signed,
        signature,
        _excepted(excepted[0], codec.as_int(step, 0, MAX_STEP)) if excepted else (),
    )


def _excepted(value: Value, step: int) -> tuple[tuple[int, int], ...]:
    """Read the places that an entry excepts: one at least, of earlier steps, ascending."""
    places = []
    for each in codec.as_list(value, _MAX_EXCEPTED, at_least=1):
        before, seat = codec.fields(each, 2)
        places.append((codec.as_int(before, 0, step - 1), codec.as_int(seat, 0, MAX_SEATS - 1)))
    if places != sorted(set(places)):
        raise MalformedError("The places that an entry excepts are not in order.")
    return tuple(places)


def read_leave(signed: bytes, signature: bytes) -> Leave:
    """Read a notice; raises as `read_entry` does."""
    value = codec.decode(signed, 256)
    require_version(value)
    _, table, deal, step, author, counter, head = codec.fields(value, 7)
    return Leave(
        codec.as_bytes(table, 32),
        codec.as_int(deal, 0, MAX_STEP),
        codec.as_int(step, 0, MAX_STEP),
        codec.as_int(author, 0, MAX_SEATS - 1),
        codec.as_int(counter, 0, MAX_STEP),
        codec.as_bytes(head, 32),
        signed,
        signature,
    )
