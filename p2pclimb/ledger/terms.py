"""The terms of a table: what every player sees and signs before the first card.

The table id is the hash of the terms, so nobody can change a rule, a seat or a key later.  How a
seat's signature is collected is the business of the step `open`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pclimb.crypto.identity import check_identity_key
from p2pclimb.errors import MalformedError, UnsupportedError, ViolationError
from p2pclimb.games.options import Options
from p2pclimb.ledger import codec
from p2pclimb.ledger.carried import Carried, PlayerKey
from p2pclimb.ledger.labels import PROTOCOL_VERSION, Label, digest
from p2pclimb.names import name_key

__all__ = ["MAX_SEATS", "MAX_TERMS_SIZE", "SeatTerms", "Terms", "player_keys", "table_words"]

MAX_SEATS = 8
MAX_TERMS_SIZE = 8192
_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "aiou"


@dataclass(frozen=True, slots=True)
class SeatTerms:
    """Who sits where: a name, the keys, and the seat whose player runs this one.

    `identity` (Ed25519) and `curve` (CURVE) are 32-byte public keys.  `operator` is the number of
    the seat whose person runs this seat: a seat of a person is its own operator.
    """

    name: str
    identity: bytes
    curve: bytes
    operator: int
    is_bot: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything that is agreed before the table opens.

    `nonce` (16 random bytes, the lobby's id) makes two tables of the same friends differ.
    `carried` are the scores of an earlier table that count on, if any do.
    """

    nonce: bytes
    options: Options
    seats: tuple[SeatTerms, ...]
    carried: Carried | None = None

    def encode(self) -> bytes:
        """Return the canonical bytes whose hash is the table id."""
        return codec.encode(
            [
                PROTOCOL_VERSION,
                self.nonce,
                self.options.to_wire(),
                [[s.name, s.identity, s.curve, s.operator, s.is_bot] for s in self.seats],
                *([self.carried.write()] if self.carried else []),
            ]
        )

    @property
    def table_id(self) -> bytes:
        """The 32-byte id of the table."""
        return digest(Label.TABLE, self.encode())

    @classmethod
    def decode(cls, data: bytes) -> Terms:
        """Read terms and check them whole.

        Raises MalformedError for bytes that are no terms, UnsupportedError for another protocol
        version or an unknown game, OptionsError for options that these seats cannot play.
        """
        value = codec.decode(data, MAX_TERMS_SIZE)
        version = codec.as_int(codec.as_list(value, 64)[0] if value else 0, 0, 2**32)
        if version != PROTOCOL_VERSION:
            raise UnsupportedError(
                f"These terms use protocol version {version}; this program speaks "
                f"{PROTOCOL_VERSION}.",
                hint="Use the same version of p2pclimb at every seat.",
            )
        _, nonce, options, seats, *carried = codec.as_list(value, 5, at_least=4)
        terms = cls(
            codec.as_bytes(nonce, 16),
            Options.from_wire(codec.as_list(options, 64)),
            tuple(_seat(item) for item in codec.as_list(seats, MAX_SEATS)),
            Carried.read(carried[0]) if carried else None,
        )
        terms.check()
        return terms

    def check(self) -> None:
        """Raise if the seats are not two to eight different, playable ones.

        Names are unique after NFKC and casefold, keys are valid and unique, and operators run
        their own seats, so that nobody hides who sees which hands (protocol.md, Terms).
        """
        self.options.require_seats(len(self.seats))
        for kind, keys in (
            ("name", [name_key(seat.name) for seat in self.seats]),
            ("identity", [seat.identity.hex() for seat in self.seats]),
            ("network key", [seat.curve.hex() for seat in self.seats]),
        ):
            if len(set(keys)) != len(keys):
                raise MalformedError(f"Two seats of these terms have the same {kind}.")
        for number, seat in enumerate(self.seats):
            check_identity_key(seat.identity)
            if seat.operator >= len(self.seats):
                raise MalformedError(f"Seat {number + 1} has an operator that is not at the table.")
            if self.seats[seat.operator].operator != seat.operator:
                raise MalformedError(f"Seat {number + 1} has an operator that another seat runs.")
            if seat.operator != number and not seat.is_bot:
                raise MalformedError(f"Seat {number + 1} is a person's and has another operator.")
        if self.carried is not None:
            self.carried.check(player_keys(self.seats))

    def violation(self, seat: int, step: int, rule: str, deed: str) -> ViolationError:
        """Return the error that says what a seat did at a step against a rule.

        `deed` goes on after the seat's name, without a full stop.
        """
        text = f"{self.seats[seat].name} (seat {seat + 1}) {deed}."
        return ViolationError(text, seat=seat, step=step, rule=rule)

    def seat_of(self, curve: bytes) -> int:
        """Return the seat whose node has this CURVE key; raises ValueError if there is none."""
        return [seat.curve for seat in self.seats].index(curve)

    @property
    def words(self) -> tuple[str, ...]:
        """The six words of the table."""
        return table_words(self.table_id)


def table_words(table_id: bytes) -> tuple[str, ...]:
    """Return six pronounceable words of a table id, to be compared aloud (96 bits).

    Each word is a proquint of 16 bits: consonant, vowel, consonant, vowel, consonant
    (D. S. Wilkerson, arXiv:0901.4016).
    """
    return tuple(_proquint(int.from_bytes(table_id[i : i + 2], "big")) for i in range(0, 12, 2))


def player_keys(seats: Sequence[SeatTerms]) -> tuple[PlayerKey, ...]:
    """Return by which each seat's player is known again at another table.

    Bots have fresh keys at every table, so one is the same if its name and who runs it are.
    """
    return tuple(
        (seats[seat.operator].identity, name_key(seat.name) if seat.is_bot else "")
        for seat in seats
    )


def _seat(value: codec.Value) -> SeatTerms:
    name, identity, curve, operator, is_bot = codec.fields(value, 5)
    return SeatTerms(
        codec.as_name(name),
        codec.as_bytes(identity, 32),
        codec.as_bytes(curve, 32),
        codec.as_int(operator, 0, MAX_SEATS - 1),
        codec.as_bool(is_bot),
    )


def _proquint(number: int) -> str:
    c1, v1, c2, v2, c3 = (number >> 12, number >> 10, number >> 6, number >> 4, number)
    return (
        _CONSONANTS[c1 & 15]
        + _VOWELS[v1 & 3]
        + _CONSONANTS[c2 & 15]
        + _VOWELS[v2 & 3]
        + _CONSONANTS[c3 & 15]
    )
