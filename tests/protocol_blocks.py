"""The parts of protocol.md that are computed: the options, the test vectors, the recorded logs.

Run as a program, this module writes them into protocol.md and the logs in `golden/` anew.  New
vectors are a new protocol: old logs would no longer be valid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from honest_table import HonestTable

from p2pclimb.audit.audit import audit
from p2pclimb.crypto.identity import Identity, fingerprint
from p2pclimb.crypto.masking import card_points, key_pair
from p2pclimb.crypto.possession import prove_possession
from p2pclimb.crypto.shuffle import generators
from p2pclimb.games.options import Options
from p2pclimb.games.presets import PRESETS, Choice, Flag, Number, Setting
from p2pclimb.ledger import codec
from p2pclimb.ledger.carried import Away, Carried
from p2pclimb.ledger.entry import Entry, Kind, Leave, sign_entry, sign_leave
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Present, next_head
from p2pclimb.ledger.record import Record, decode_record, encode_record
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.reveal import commitment
from p2pclimb.ledger.terms import SeatTerms, Terms
from p2pclimb.ledger.votes import (
    ABSENT,
    Certificate,
    Vote,
    sign_accept,
    sign_pause,
    sign_promise,
    sign_proposal,
)
from p2pclimb.store.frames import HEADER, frame, scan

DOCUMENT = Path(__file__).parent.parent / "protocol.md"
GOLDEN = Path(__file__).parent / "golden"
LOGS = {"tienlen_log": GOLDEN / "table.climb", "winner_log": GOLDEN / "winner.climb"}

IDENTITIES = tuple(Identity.from_seed(bytes([number + 1]) * 32) for number in range(2))
TERMS = Terms(
    bytes([7]) * 16,
    Options.make("tienlen/1", {"deals": 1}),
    tuple(
        SeatTerms(name, person.public, person.curve_key_pair()[0], number, is_bot=False)
        for number, (name, person) in enumerate(zip(("Ana", "Bình"), IDENTITIES, strict=True))
    ),
)


AWAY = Away("Chi", Identity.from_seed(bytes([3]) * 32).public, is_bot=False, points=2)


def tienlen() -> str:
    """The options of Tiến lên, and where the two presets differ."""
    return _options("tienlen/1", "tienlen-south/1")


def winner() -> str:
    """The options of Winner."""
    return _options("winner/1")


def _options(*presets: str) -> str:
    names = ["default"] if len(presets) == 1 else [f"default of `{name}`" for name in presets]
    lines = [f"| key | values | {' | '.join(names)} |", "|---|---" + "|---" * len(presets) + "|"]
    for settings in zip(*(PRESETS[name].settings for name in presets), strict=True):
        match settings[0]:
            case Choice(values=values):
                allowed = ", ".join(f"`{value}`" for value in values)
            case Flag():
                allowed = "flag"
            case Number(low=low, high=high):
                allowed = f"{low:,} to {high:,}"
        usual = " | ".join(map(_default, settings))
        lines.append(f"| `{settings[0].key}` | {allowed} | {usual} |")
    return "\n".join(lines)


def _default(setting: Setting) -> str:
    match setting:
        case Choice(default=default):
            return f"`{default}`"
        case Flag(default=on):
            return str(on).lower()
        case Number(default=number):
            return f"{number:,}"


def vectors() -> str:
    """One line a value: what it is, and its bytes."""
    return "```\n" + "\n".join(f"{name}: {value}" for name, value in _vectors()) + "\n```"


def _vectors() -> Iterator[tuple[str, str]]:
    value: codec.Value = [1, -1, 128, -129, 65_536, 2**63, b"\x00", "é", True, [[], [False]]]
    yield (
        'encode([1, -1, 128, -129, 65536, 2^63, 00, "é", true, [[], [false]]])',
        _hex(codec.encode(value)),
    )
    yield "digest of 2a as a coin", _hex(digest(Label.COIN, b"\x2a"))
    for seat, person in enumerate(IDENTITIES):
        yield f"identity of seat {seat}", _hex(person.public)
        yield "its CURVE key", _hex(person.curve_key_pair()[0])
        yield "its fingerprint", fingerprint(person.public)
    yield "terms", _hex(TERMS.encode())
    yield "table id", _hex(TERMS.table_id)
    yield "six words", " ".join(TERMS.words)
    carried = replace(TERMS, carried=Carried(TERMS.table_id, (3, -5), (AWAY,)))
    yield "terms that carry on 3 and -5 points, and 2 of Chi, who is away", _hex(carried.encode())
    yield "their table id", _hex(carried.table_id)
    played = replace(TERMS, options=Options.make("winner/1", {"deals": 1}))
    yield "table id with the options of winner/1 and one deal", _hex(played.table_id)
    yield from _opening()
    yield from _votes()
    yield from _commitments()
    for card in (0, 1, 51, 52, 103):
        yield f"card {card}", _hex(bytes(card_points(104)[card]))
    for index in (0, 1, 52, 104):
        yield f"generator {index}", _hex(bytes(generators(104)[index]))


def _opening() -> Iterator[tuple[str, str]]:
    entries = [_entry(seat) for seat in range(2)]
    yield "entry of seat 0 at step 0, signed bytes", _hex(entries[0].signed)
    yield "its id", _hex(entries[0].id)
    yield "its signature", _hex(entries[0].signature)
    yield "its record", _hex(encode_record(entries[0]))
    yield "entry of seat 1 at step 0, id", _hex(entries[1].id)
    yield "head after step 0", _hex(_head(entries))
    notice = sign_leave(
        IDENTITIES[1],
        table=TERMS.table_id,
        deal=1,
        step=1,
        author=1,
        counter=1,
        head=_head(entries),
    )
    yield "leave notice of seat 1 from step 1, record", _hex(encode_record(notice))


def _entry(seat: int) -> Entry:
    return sign_entry(
        IDENTITIES[seat],
        table=TERMS.table_id,
        deal=0,
        attempt=0,
        place=Place(0, TERMS.table_id, seat),
        counter=0,
        kind=Kind.OPEN,
        body=[],
    )


def _head(entries: list[Entry]) -> bytes:
    fillings = {entry.author: Present(entry.id, 0, None) for entry in entries}
    return next_head(TERMS.table_id, 0, (0, 1), fillings)


def _votes() -> Iterator[tuple[str, str]]:
    """Two ballots on the place of seat 1 at step 1: in the first one absence is accepted."""
    table, place = TERMS.table_id, Place(1, _head([_entry(0), _entry(1)]), 1)

    def vote(ballot: int, signer: int, counter: int) -> Vote:
        return Vote(table, place, ballot, signer, counter)

    ana, binh = IDENTITIES
    promises = [sign_promise(ana, vote(1, 0, 1)), sign_promise(binh, vote(1, 1, 1))]
    proposal = sign_proposal(ana, vote(1, 0, 2), ABSENT, promises)
    accepts = (sign_accept(ana, vote(1, 0, 3), ABSENT), sign_accept(binh, vote(1, 1, 2), ABSENT))
    quoting = sign_promise(ana, vote(2, 0, 4), (1, ABSENT), proposal)
    excepting = sign_entry(
        ana,
        table=table,
        deal=1,
        attempt=0,
        place=Place(2, place.previous, 0),
        counter=5,
        kind=Kind.REVEAL,
        body=[],
        excepted=[(1, 1)],
    )
    yield "promise of ballot 1 by seat 0 for seat 1 at step 1, record", _record(promises[0])
    yield "its id", _hex(promises[0].id)
    yield "proposal of ballot 1 by seat 0 with the promises of both, record", _record(proposal)
    yield "accept of it by seat 0, record", _record(accepts[0])
    yield "promise of ballot 2 by seat 0 that quotes it, record", _record(quoting)
    yield (
        "certificate of both, record",
        _record(Certificate(table, place, 1, ABSENT, accepts)),
    )
    pause = sign_pause(ana, table=table, author=0, counter=6, asks=True)
    yield "request of seat 0 for a pause, record", _record(pause)
    yield "signed bytes of an entry at step 2 that excepts the place", _hex(excepting.signed)


def _record(record: Record) -> str:
    return _hex(encode_record(record))


def _commitments() -> Iterator[tuple[str, str]]:
    head = _head([_entry(0), _entry(1)])
    context = Site(TERMS, TERMS.table_id, 1, 0, Kind.COMMIT, 1, head).context(0, (0, 1))
    keys, coin = key_pair(5), bytes([9]) * 32
    proof = prove_possession(keys, context, bytes)
    yield "context of seat 0 at step 1, commit", _hex(context)
    yield "key with secret 5", _hex(bytes(keys.public))
    yield "a possession proof of it in this context", _hex(proof)
    yield (
        "commitment to it and to the coin 09...09",
        _hex(commitment(context, coin, keys.public, proof)),
    )
    yield (
        "digest of the coins 09...09 and 0a...0a",
        _hex(digest(Label.COIN, [coin, bytes([10]) * 32])),
    )
    yield (
        "digest of the same coins that draws the trick card",
        _hex(digest(Label.TRICK_CARD, [coin, bytes([10]) * 32])),
    )


def tienlen_log() -> str:
    """What an auditor finds in the recorded log of Tiến lên."""
    return _log(LOGS["tienlen_log"])


def winner_log() -> str:
    """What an auditor finds in the recorded log of Winner."""
    return _log(LOGS["winner_log"])


def _log(path: Path) -> str:
    data = path.read_bytes()
    records = [record.payload for record in scan(BytesIO(data), path.name).records]
    report = audit(records)
    assert report.end is not None
    assert report.terms is not None
    kinds = Counter(_kind(decode_record(record)) for record in records)
    lines = [
        f"verdict: {report.verdict.value}",
        f"bytes: {len(data)}",
        f"first frame: {_hex(data[8:16])} ...",
        f"table id: {_hex(report.terms.table_id)}",
        "records: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()),
        f"head after {report.end.step} steps: {_hex(report.end.head)}",
        f"points: {[[seat, points] for seat, points in report.scores.items()]}",
    ]
    return "```\n" + "\n".join(lines) + "\n```"


def _kind(record: object) -> str:
    match record:
        case Entry(kind=kind):
            return kind.value
        case Leave():
            return "leave"
        case _:
            return "terms"


def record_log(name: str) -> bytes:
    """The log of a table of honest seats, as a file."""
    match name:
        case "tienlen_log":
            table = HonestTable.new(2, "golden", show_rest=True)
        case "winner_log":
            rules = {"exchange": True, "fours_when": "anyone", "deals": 2}
            table = HonestTable.new(3, "golden", game="winner/1", **rules)
    table.go()
    records = [table.ledger.terms, *table.records]
    return HEADER + b"".join(frame(encode_record(record)) for record in records)


def _hex(data: bytes) -> str:
    return data.hex()


BLOCKS: dict[str, Callable[[], str]] = {
    "tienlen": tienlen,
    "winner": winner,
    "vectors": vectors,
    "tienlen_log": tienlen_log,
    "winner_log": winner_log,
}
_BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def filled(text: str) -> str:
    """The document with every generated block as it should be."""
    return _BLOCK.sub(lambda found: f"{found[1]}{BLOCKS[found[2]]()}\n{found[4]}", text)


if __name__ == "__main__":
    for name, path in LOGS.items():
        path.write_bytes(record_log(name))
    DOCUMENT.write_text(filled(DOCUMENT.read_text("utf-8")), "utf-8")
