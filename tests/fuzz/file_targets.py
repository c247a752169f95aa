"""Fuzz targets of what lies on disks: logs and their audit, guards, identities, contacts, seals."""

from __future__ import annotations

import atexit
import hashlib
import tempfile
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, partial
from io import BytesIO
from pathlib import Path

from honest_table import identity, seeded
from record_targets import honest_records, vote_records
from target import Target

from p2pclimb.audit.audit import audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.report import report_json, report_text
from p2pclimb.crypto.seal import Stretching, StretchingFunction, seal, unseal
from p2pclimb.errors import MalformedError
from p2pclimb.ledger.record import encode_record
from p2pclimb.net.address import Address
from p2pclimb.store.contacts import read_contacts, remember_contact
from p2pclimb.store.frames import HEADER, frame, scan
from p2pclimb.store.guardfile import GuardFile
from p2pclimb.store.keystore import export_text, import_text, read_identity, write_identity
from p2pclimb.store.logfile import LogFile, read_log, repair
from p2pclimb.store.peersfile import Whereabouts, read_whereabouts, write_whereabouts
from p2pclimb.store.sealedfile import SealedFile

__all__ = ["TARGETS"]

CHEAP = Stretching(StretchingFunction.ARGON2ID, memory=64, passes=1, lanes=1)
KEY = bytes(range(32))


@cache
def _directory() -> Path:
    directory = tempfile.TemporaryDirectory(prefix="fuzz")
    atexit.register(directory.cleanup)
    return Path(directory.name)


def _file(name: str, data: bytes) -> Path:
    path = _directory() / name
    path.write_bytes(data)
    return path


def _after(make: Callable[[Path], object], name: str) -> bytes:
    """Return the file that a writer makes under a name."""
    path = _directory() / "made" / name
    make(path)
    return path.read_bytes()


# -- logs -----------------------------------------------------------------------------------------


def _logs() -> list[bytes]:
    records = [*map(frame, honest_records())]
    return [
        HEADER,
        HEADER + frame(b"x"),
        HEADER + b"".join(records[:5]),
        HEADER + b"".join(records),
    ]


def _scan(data: bytes) -> None:
    found = scan(BytesIO(data), "a log")
    assert data.startswith(HEADER + b"".join(frame(record.payload) for record in found.records))
    assert found.damaged or found.end + found.torn == len(data)


def _open_log(data: bytes) -> None:
    """Open a log to write on; what cannot be used stays as it was, and a repair keeps a copy."""
    path = _file("open.climb", data)
    try:
        opened = LogFile.open(path)
    except MalformedError:
        assert path.read_bytes() == data
        kept = repair(path)
        assert kept.copy is None or kept.copy.read_bytes() == data
        opened = LogFile.open(path)
    with opened.log as log:
        log.append(b"more", sync=False)
    assert [record.payload for record in read_log(path).records][-1] == b"more"
    for copy in _directory().glob("open.climb.*"):
        copy.unlink()


def _framed(record: bytes) -> bytes:
    """A log with a record of any form among good ones."""
    good = honest_records()
    payloads = [good[0], good[1], record, good[2]]
    return HEADER + b"".join(frame(each) for each in payloads if 0 < len(each) < 300_000)


def _audit(data: bytes) -> None:
    """Audit a log; whatever it holds there is a verdict, and words for it."""
    report = audit(record.payload for record in scan(BytesIO(data), "a log").records)
    assert report.verdict is not Verdict.VALID
    text = report_text(report, "a log")
    assert all(character.isprintable() or character == "\n" for character in text)
    report_json(report, "a log")


def _some_records() -> Sequence[bytes]:
    return [*honest_records()[:12], *map(encode_record, vote_records())]


# -- small files ----------------------------------------------------------------------------------


def _guard_body() -> list[bytes]:
    def make(path: Path) -> None:
        guard = GuardFile.open(path)
        guard.remember(b"a place", b"what was signed there" * 5)
        guard.remember(b"\x00" * 40, b"\xff" * 300)

    return [_after(make, "guard")[40:]]


def _sealed_guard(body: bytes) -> bytes:
    header = b"CLGUARD\x01"
    return header + hashlib.sha256(header + body).digest() + body


def _open_guard(data: bytes) -> None:
    path = _file("guard", data)
    guard = GuardFile.open(path)
    guard.remember(b"a new place", b"new")
    assert GuardFile.open(path).signed[b"a new place"] == b"new"


def _sealed_body() -> list[bytes]:
    def make(path: Path) -> None:
        SealedFile.open(path, KEY, seeded("sealed")).seal(b"a deal", b"its secrets" * 5)

    return [_after(make, "sealed")[40:]]


def _sealed_secrets(body: bytes) -> bytes:
    header = b"CLSEALS\x01"
    return header + hashlib.sha256(header + body).digest() + body


def _open_sealed(data: bytes) -> None:
    sealed = SealedFile.open(_file("sealed", data), KEY, seeded("sealed"))
    assert set(sealed.secrets().values()) <= {b"its secrets" * 5}


def _whereabouts() -> list[bytes]:
    known = {
        bytes([seat]) * 32: (Address("192.0.2.1", 1), Address("fd00::7", 2)) for seat in (1, 2)
    }
    here = Whereabouts("*", 27271, (Address("ana.example", 27271),), known)
    return [_after(lambda path: write_whereabouts(path, here), "peers")]


def _read_whereabouts(data: bytes) -> None:
    path = _file("peers", data)
    found = read_whereabouts(path)
    write_whereabouts(path, found)
    assert read_whereabouts(path) == found


def _identities() -> list[bytes]:
    def made(passphrase: str | None) -> bytes:
        write = partial(write_identity, stretching=CHEAP)
        return _after(
            lambda path: write(path, "Ana", identity(0), passphrase, seeded("identity")), "identity"
        )[:-32]

    return [made(None), made("open sesame")]


def _sealed_identity(content: bytes) -> bytes:
    return content + hashlib.sha256(content).digest()


def _open_identity(data: bytes) -> None:
    path = _file("identity", data)
    stored = read_identity(path)
    elsewhere = _directory() / "elsewhere"
    elsewhere.unlink(missing_ok=True)
    import_text(elsewhere, export_text(path))
    assert elsewhere.read_bytes() == data
    # What a file may ask for is bounded, but dear: 512 MiB and 16 passes.
    if stored.stretching is None or stored.stretching.memory * stored.stretching.passes < 2**12:
        stored.unlock("open sesame")


def _exported() -> list[bytes]:
    contents = map(_sealed_identity, _identities())
    return [export_text(_file("to-export", content)).encode() for content in contents]


def _import(data: bytes) -> None:
    path = _directory() / "imported"
    path.unlink(missing_ok=True)
    import_text(path, data.decode("utf-8", "surrogateescape"))
    read_identity(path)


def _contact_files() -> list[bytes]:
    def make(path: Path) -> None:
        for number, name in enumerate(("Ana", "Bình", 'O"\\')):
            remember_contact(path, name, bytes([number]) * 32, date(2026, 1, 5))

    return [_after(make, "contacts.toml")]


def _read_contacts(data: bytes) -> None:
    path = _file("contacts.toml", data)
    before = read_contacts(path)
    after = remember_contact(path, "Somebody new", b"n" * 32, date(2026, 2, 1))
    assert read_contacts(path) == after
    assert after.entries[: len(before.entries)] == before.entries or b"6e" * 32 in data


def _open_seal(data: bytes) -> None:
    assert seal(KEY, unseal(KEY, data, b"name"), b"name", lambda size: data[:size]) == data


TARGETS = (
    Target("log-frames", _logs, _scan, examples=40),
    Target("log-file", _logs, _open_log, examples=40),
    Target("log-audit", _some_records, _audit, _framed, examples=80),
    Target("guard", _guard_body, _open_guard, _sealed_guard, examples=80),
    Target("sealed-secrets", _sealed_body, _open_sealed, _sealed_secrets, examples=80),
    Target("whereabouts", _whereabouts, _read_whereabouts, examples=80),
    Target("identity", _identities, _open_identity, _sealed_identity),
    Target("identity-text", _exported, _import, examples=150),
    Target("contacts", _contact_files, _read_contacts),
    Target("seal", lambda: [seal(KEY, b"a secret", b"name", seeded("seal"))], _open_seal),
)
