"""What a node keeps of a table on disk: its log, and beside it what only this seat needs.

`NAME.climb` is the log, `NAME.climb.guard` holds what this seat has signed at places that are not
settled, `NAME.climb.secrets` its secrets of deals that are not settled, sealed, and
`NAME.climb.peers` where the other seats were last reached.  `NAME.climb.identity` is the identity
of a bot, which has one for this table only.  `NAME.climb.evidence-N` is a log by itself: what
proves an offence of seat N.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import AdmissionError, MalformedError
from p2pclimb.ledger.record import decode_record, step_of
from p2pclimb.ledger.terms import Terms
from p2pclimb.net.address import Address
from p2pclimb.store.files import is_there, shown, store_errors
from p2pclimb.store.frames import HEADER, Record
from p2pclimb.store.guardfile import GuardFile
from p2pclimb.store.logfile import LogFile, read_at, write_log
from p2pclimb.store.peersfile import Whereabouts, read_whereabouts, write_whereabouts
from p2pclimb.store.sealedfile import SealedFile
from p2pclimb.table.effects import Remember, Seal, Store, Unseal

__all__ = [
    "EVIDENCE_SUFFIX",
    "GUARD_SUFFIX",
    "IDENTITY_SUFFIX",
    "PEERS_SUFFIX",
    "SECRETS_SUFFIX",
    "Evidence",
    "Journal",
    "OpenedJournal",
    "beside",
    "is_unfinished",
]

GUARD_SUFFIX = ".guard"
SECRETS_SUFFIX = ".secrets"
PEERS_SUFFIX = ".peers"
IDENTITY_SUFFIX = ".identity"
EVIDENCE_SUFFIX = ".evidence"


@dataclass(slots=True)
class Journal:
    """The files of one table, open for writing; made by `create` and `open`."""

    log: LogFile
    guard: GuardFile
    sealed: SealedFile
    whereabouts: Whereabouts
    # The step of every record that has one, ascending, and its offset in the log: twelve bytes a
    # record.
    _steps: array[int] = field(default_factory=lambda: array("I"), repr=False)
    _offsets: array[int] = field(default_factory=lambda: array("Q"), repr=False)

    @classmethod
    def create(
        cls, path: Path, identity: Identity, entropy: Entropy, whereabouts: Whereabouts
    ) -> Journal:
        """Create a new log at `path` and the other files beside it.

        What is there without its log is left from a table that is gone, and concerns no place of a
        new one.  Raises StoreError or LockedError.
        """
        with ExitStack() as undo:
            log = LogFile.create(path)
            undo.callback(path.unlink, missing_ok=True)
            undo.callback(log.close)
            for suffix in (GUARD_SUFFIX, SECRETS_SUFFIX):
                _remove(beside(path, suffix))
            guard = GuardFile.open(beside(path, GUARD_SUFFIX))
            key = identity.sealing_key()
            sealed = SealedFile.open(beside(path, SECRETS_SUFFIX), key, entropy)
            write_whereabouts(beside(path, PEERS_SUFFIX), whereabouts)
            undo.pop_all()
        return cls(log, guard, sealed, whereabouts)

    @classmethod
    def open(cls, path: Path, identity: Identity, entropy: Entropy) -> OpenedJournal:
        """Open the files of a table that was begun, to go on with it.

        A torn tail of the log is cut off, of which a copy is kept.  Raises AdmissionError if the
        identity has no seat there, LockedError, StoreError, MalformedError for damage, also of the
        sealed secrets, and UnsupportedError.
        """
        with ExitStack() as undo:
            opened = LogFile.open(path)
            undo.callback(opened.log.close)
            terms, seat = _seat_of(path, opened.records[:1], identity)
            guard = GuardFile.open(beside(path, GUARD_SUFFIX))
            key = identity.sealing_key()
            sealed = SealedFile.open(beside(path, SECRETS_SUFFIX), key, entropy)
            secrets = sealed.secrets()
            journal = cls(opened.log, guard, sealed, read_whereabouts(beside(path, PEERS_SUFFIX)))
            for record in opened.records:
                journal._note(record.payload, record.offset)
            undo.pop_all()
        records = tuple(record.payload for record in opened.records)
        return OpenedJournal(journal, terms, seat, records, guard.signed, secrets, opened.tail_copy)

    def keep(self, effect: Remember | Store | Seal | Unseal) -> None:
        """Carry out an effect; what it promises is on disk when this returns."""
        match effect:
            case Remember(place, record, settled):
                self.guard.remember(place, record)
                self.guard.forget(settled)
            case Store(record, sync):
                self._note(record, self.log.append(record, sync=sync))
            case Seal(name, secret):
                self.sealed.seal(name, secret)
            case Unseal(names):
                self.sealed.destroy(names)

    def keep_addresses(self, peers: Mapping[bytes, tuple[Address, ...]]) -> None:
        """Keep where the other seats are; raises StoreError."""
        if peers != self.whereabouts.peers:
            self.whereabouts = replace(self.whereabouts, peers=dict(peers))
            write_whereabouts(beside(self.log.path, PEERS_SUFFIX), self.whereabouts)

    def since(self, step: int) -> Iterator[bytes]:
        """Yield the records of a step and later ones, by ascending steps, from the disk.

        Records without a step, the terms and pauses, are not among them.  Take no more than are
        needed, and store nothing meanwhile.
        """
        return self.log.read(self._offsets[bisect_left(self._steps, step) :])

    def evidence(self, seat: int, step: int, proof: Sequence[bytes]) -> Evidence:
        """Return what is to be written as the proof of a seat's offence, as the log is now."""
        path = beside(self.log.path, f"{EVIDENCE_SUFFIX}-{seat + 1}")
        # What contradicts a vote on a place may be an entry that builds on it steps later.
        steps = (step_of(decode_record(record)) for record in proof)
        last = max([step, *(at for at in steps if at is not None)])
        offsets = sorted(self._offsets[: bisect_right(self._steps, last)])
        return Evidence(path, self.log.path, (len(HEADER), *offsets), tuple(proof))

    def close(self, *, finished: bool) -> None:
        """Close the files; once this seat has `finished`, the log alone is of use."""
        self.log.close()
        if finished:
            for suffix in (SECRETS_SUFFIX, PEERS_SUFFIX, IDENTITY_SUFFIX, GUARD_SUFFIX):
                _remove(beside(self.log.path, suffix))

    def discard(self) -> None:
        """Remove all files: the table never opened."""
        self.close(finished=True)
        _remove(self.log.path)

    def _note(self, record: bytes, offset: int) -> None:
        step = step_of(decode_record(record))
        if step is not None:
            at = bisect_right(self._steps, step)  # the end, for most
            self._steps.insert(at, step)
            self._offsets.insert(at, offset)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The proof of an offence, and where in a log the terms and all are that it builds on."""

    path: Path
    log: Path
    offsets: tuple[int, ...]
    proof: tuple[bytes, ...]

    def write(self) -> Path:
        """Write a log of its own, and return where; an audit finds the offence in it alone.

        May be called in any thread, after the log was closed too.  Raises StoreError, and
        MalformedError when the log has been damaged meanwhile.
        """
        write_log(self.path, dict.fromkeys([*read_at(self.log, self.offsets), *self.proof]))
        return self.path


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """The journal of a table that was begun, what it held, and the seat that the player has there.

    `records` are those of the log in its order, `guarded` what was signed by place, `secrets` what
    was sealed by name.  `tail_copy` is where the copy of a torn tail was put, if there was one.
    """

    journal: Journal
    terms: Terms
    seat: int
    records: tuple[bytes, ...]
    guarded: Mapping[bytes, bytes]
    secrets: Mapping[bytes, bytes] = field(repr=False)
    tail_copy: Path | None

    def __enter__(self) -> OpenedJournal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the log back, whoever may have closed it before."""
        self.journal.close(finished=False)


def beside(log: Path, suffix: str) -> Path:
    """Return the path of a file that belongs to a log."""
    return log.with_name(log.name + suffix)


def is_unfinished(log: Path) -> bool:
    """Tell whether a seat of this log's table has signed, and neither left nor seen its end."""
    return is_there(log) and is_there(beside(log, GUARD_SUFFIX))


def _seat_of(path: Path, records: Sequence[Record], identity: Identity) -> tuple[Terms, int]:
    """Return the terms that a log begins with, and the seat of an identity in them."""
    terms = decode_record(records[0].payload) if records else None
    if not isinstance(terms, Terms):
        raise MalformedError(f"{shown(path)} does not begin with the terms of a table.")
    for number, seat in enumerate(terms.seats):
        if seat.identity == identity.public:
            return terms, number
    names = ", ".join(seat.name for seat in terms.seats)
    raise AdmissionError(
        f"Your identity has no seat at the table {' '.join(terms.words)} ({names}).",
        hint="Come back with the identity that sat there: see --data-dir and `p2pclimb id import`.",
    )


def _remove(path: Path) -> None:
    with store_errors("remove", path):
        path.unlink(missing_ok=True)
