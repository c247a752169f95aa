"""Logs of simulated tables for the tests that read logs, and the means to forge them.

A log is recorded once for the whole test run; `Recorded` is immutable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from simulator import Simulator, seeded_entropy

from p2pclimb.crypto.identity import Identity
from p2pclimb.ledger.entry import Entry, Kind, Leave, sign_entry, sign_leave
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.ledger.terms import Terms
from p2pclimb.store.frames import HEADER, frame

__all__ = ["Recorded", "flipped", "record_table", "recorded", "recorded_winner", "write_log"]


@dataclass(frozen=True)
class Recorded:
    """The log of the first seat of a table, everybody's keys, and what the first seat was told."""

    terms: Terms
    identities: tuple[Identity, ...]
    records: tuple[bytes, ...]
    told: tuple[object, ...]

    def numbers(self, kind: Kind, author: int | None = None) -> list[int]:
        """Return the indices of the entries of a kind."""
        return [
            index
            for index, data in enumerate(self.records)
            if isinstance(record := decode_record(data), Entry)
            and record.kind is kind
            and author in (None, record.author)
        ]

    def entry(self, index: int) -> Entry:
        """Return an entry of the log."""
        record = decode_record(self.records[index])
        assert isinstance(record, Entry)
        return record

    def forge(self, index: int, **changes: object) -> bytes:
        """Return an entry of the log with some fields changed, signed by its author."""
        entry = self.entry(index)
        fields = {
            "table": entry.table,
            "deal": entry.deal,
            "attempt": entry.attempt,
            "place": entry.place,
            "counter": entry.counter,
            "kind": entry.kind,
            "body": entry.body,
        }
        fields.update(changes)
        place = fields["place"]
        assert isinstance(place, Place)
        return encode_record(sign_entry(self.identities[place.author], **fields))

    def notice(self, author: int, step: int, counter: int = 10_000) -> bytes:
        """Return a signed notice that a seat leaves."""
        leave: Leave = sign_leave(
            self.identities[author],
            table=self.terms.table_id,
            deal=1,
            step=step,
            author=author,
            counter=counter,
            head=self.terms.table_id,
        )
        return encode_record(leave)

    def replaced(self, index: int, record: bytes) -> tuple[bytes, ...]:
        """Return the records with one of them replaced."""
        return (*self.records[:index], record, *self.records[index + 1 :])


def record_table(
    seats: int,
    seed: object = 1,
    settings: dict[str, object] | None = None,
    meddle: Callable[[Simulator], None] = lambda sim: None,
    until: Callable[[Simulator], bool] | None = None,
    *,
    game: str = "tienlen/1",
) -> Recorded:
    """Play a table in the simulator; `meddle` is called when `until` first holds."""
    sim = Simulator(seed, seats, settings, game=game)
    sim.run(until)
    if until is not None:
        meddle(sim)
        sim.go_on()
    node = sim.nodes[0]
    identities = [Identity.new(seeded_entropy((seed, "identity", n))) for n in range(seats)]
    told = tuple(notice for notice in node.told if isinstance(notice, Event))
    return Recorded(sim.terms, tuple(identities), tuple(node.log), told)


@cache
def recorded(
    seats: int,
    settings: tuple[tuple[str, object], ...] = (),
    game: str = "tienlen/1",
    seed: object = 1,
) -> Recorded:
    """Return the log of a whole table; the same one for the same arguments."""
    return record_table(seats, seed, dict(settings), game=game)


def recorded_winner() -> Recorded:
    """Return the log of three deals of Winner with exchanges, bombs picked up, and claims."""
    settings = {"deals": 3, "exchange": True, "fours_when": "anyone", "scoring": "none"}
    return recorded(3, tuple(settings.items()), "winner/1", 7)


def flipped(data: bytes, bit: int) -> bytes:
    """Return the bytes with one bit flipped."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def write_log(path: Path, records: Iterable[bytes]) -> Path:
    """Write records as a log file."""
    path.write_bytes(HEADER + b"".join(map(frame, records)))
    return path
