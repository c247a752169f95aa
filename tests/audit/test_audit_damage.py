"""Logs damaged in every way that bytes can be: never valid, never anything but a report."""

import json
import random
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import flipped, recorded, write_log

from p2pclimb.audit.audit import audit, report_of_error
from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.listing import listing_json, listing_text
from p2pclimb.audit.report import report_json, report_text
from p2pclimb.cli.audit import audit_file
from p2pclimb.errors import ClimbError
from p2pclimb.ledger import codec
from p2pclimb.ledger.record import decode_record
from p2pclimb.store.frames import HEADER, frame, scan

pytestmark = pytest.mark.usefixtures("quick_checks")

TABLE = recorded(2)
THREE = recorded(3)
FILE = HEADER + b"".join(map(frame, TABLE.records))


def require_plain(report):
    """Write a report in every form; fails on control characters and on anything but JSON."""
    for text in (report_text(report, "x"), listing_text(report)):
        assert all(character >= " " or character == "\n" for character in text)
    for value in (report_json(report, "x"), *listing_json(report)):
        json.loads(json.dumps(value))
    return report


def test_every_bit_of_a_record_counts():
    source = random.Random(1)
    for index, record in enumerate(TABLE.records):
        for bit in source.sample(range(8 * len(record)), 10):
            damaged = TABLE.replaced(index, flipped(record, bit))
            report = require_plain(audit(damaged))
            assert report.exit_code in (4, 5), (index, bit)
            # A flipped bit convicts nobody.
            assert not any(finding.proved for finding in report.findings)


def test_every_byte_of_a_short_record_counts():
    for index in (1, len(TABLE.records) - 1):
        record = TABLE.records[index]
        for byte in range(len(record)):
            report = audit(TABLE.replaced(index, flipped(record, 8 * byte + byte % 8)))
            assert report.exit_code in (4, 5), (index, byte)


def test_every_byte_of_the_terms_counts():
    terms = TABLE.records[0]
    for byte in range(len(terms)):
        report = require_plain(audit(TABLE.replaced(0, flipped(terms, 8 * byte + byte % 8))))
        assert report.exit_code in (4, 5), byte


def test_every_bit_of_the_file_counts(tmp_path):
    path = tmp_path / "x.climb"
    source = random.Random(2)
    places = [*range(8 * len(HEADER)), *source.sample(range(8 * len(FILE)), 150)]
    places += [8 * (len(FILE) - 1 - back) for back in range(20)]
    for bit in places:
        path.write_bytes(flipped(FILE, bit))
        report = require_plain(audit_file(path, quiet=True))
        assert report.verdict is not Verdict.VALID, bit
        assert report.exit_code in (3, 4, 5), bit


def test_a_file_cut_anywhere_is_never_valid(tmp_path):
    path = tmp_path / "x.climb"
    ends = {record.offset for record in scan(BytesIO(FILE), "x").records}
    source = random.Random(3)
    for end in sorted({*ends, *source.sample(range(len(FILE)), 60), len(FILE) - 1}):
        path.write_bytes(FILE[:end])
        report = require_plain(audit_file(path, quiet=True))
        torn = any(finding.rule == "torn" for finding in report.findings)
        if end < len(HEADER) or end == min(ends):
            assert report.verdict is Verdict.MALFORMED
        else:
            assert report.verdict in (Verdict.INCOMPLETE, Verdict.MALFORMED)
            assert torn == (end not in ends)


def test_records_swapped_dropped_repeated_and_foreign():
    source = random.Random(4)
    foreign = THREE.records
    whole = frozenset(TABLE.records)
    for _ in range(150):
        records = list(TABLE.records)
        for _ in range(source.randrange(1, 4)):
            index = source.randrange(len(records))
            match source.choice(["swap", "drop", "repeat", "foreign"]):
                case "swap":
                    other = source.randrange(len(records))
                    records[index], records[other] = records[other], records[index]
                case "drop":
                    del records[index]
                case "repeat":
                    records.insert(index, source.choice(records))
                case "foreign":
                    records.insert(index, source.choice(foreign))
        report = require_plain(audit(records))
        is_whole = frozenset(records) == whole and records[0] == TABLE.records[0]
        assert (report.verdict is Verdict.VALID) == is_whole
        assert not any(finding.proved for finding in report.findings)


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_any_bytes_give_a_report(records):
    assert require_plain(audit(records)).exit_code in (4, 5)
    report = require_plain(audit([TABLE.records[0], *records]))
    assert report.verdict is not Verdict.VALID


VALUES = st.recursive(
    st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=40)
    | st.text(max_size=20)
    | st.booleans(),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=12,
)


def mutated(value, path, replacement):
    """Return a decoded value with the item at some path replaced."""
    if not path or not isinstance(value, list) or not value:
        return replacement
    at = path[0] % len(value)
    return [*value[:at], mutated(value[at], path[1:], replacement), *value[at + 1 :]]


PATHS = st.lists(st.integers(0, 20), min_size=1, max_size=4)


@settings(max_examples=150)
@given(st.data())
def test_any_signed_body_gives_a_report(data):
    """The author signs whatever it likes: a violation at most, and never an exception."""
    index = data.draw(st.integers(1, len(TABLE.records) - 1))
    entry = TABLE.entry(index)
    body = mutated(entry.body, data.draw(PATHS), data.draw(VALUES))
    forged = TABLE.forge(index, body=body if isinstance(body, list) else [body])
    report = require_plain(audit([*TABLE.records[:index], forged]))
    if forged != TABLE.records[index]:
        # The last signature may say another thing and be right, such as whom its author can reach.
        is_last = index == len(TABLE.records) - 1
        assert report.verdict in (Verdict.VIOLATION, Verdict.INCOMPLETE) or is_last
        assert all(finding.seat == entry.author for finding in report.findings)


@settings(max_examples=150)
@given(st.data())
def test_any_fields_give_a_report(data):
    """Fields of the signed bytes and of the terms replaced, the signature left as it is."""
    index = data.draw(st.integers(0, 3))
    kind, signed, signature = codec.decode(TABLE.records[index], 70_000)
    value = mutated(codec.decode(signed, 70_000), data.draw(PATHS), data.draw(VALUES))
    record = codec.encode([kind, codec.encode(value), signature])
    report = require_plain(audit([*TABLE.records[:index], record, *TABLE.records[index + 1 : 5]]))
    assert report.exit_code in (3, 4, 5)
    if record not in TABLE.records:
        assert report.exit_code in (4, 5)


@settings(max_examples=120)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 60)), max_size=3),
    st.integers(1, len(THREE.records)),
)
def test_notices_convict_those_who_signed_beyond_them_and_nobody_else(notices, count):
    records = [*THREE.records[:count], *(THREE.notice(*notice) for notice in notices)]
    report = require_plain(audit(records))
    last = {}
    for index in range(1, count):
        entry = THREE.entry(index)
        last[entry.author] = max(entry.step, last.get(entry.author, 0))
    guilty = {author for author, step in notices if step <= last.get(author, -1)}
    guilty |= {
        author for author, step in notices if len({s for a, s in notices if a == author}) > 1
    }
    proved = {finding.seat for finding in report.findings if finding.proved}
    assert proved == guilty


HOSTILE = ["\x1b]52;c;ZXZpbA==\x07", "a\rb", "\u202eanA", "A\u200dna", "x" * 10_000, "\x00", ""]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_no_foreign_text_reaches_the_screen_unclean(name):
    terms = codec.decode(TABLE.terms.encode(), 9_000)
    for path in ([3, 0, 0], [2, 0], [2, 1, 0, 0], [2, 1, 0, 1]):
        record = codec.encode([0, codec.encode(mutated(terms, path, name)), b""])
        report = require_plain(audit([record]))
        assert report.exit_code in (4, 5)
        assert len(report_text(report, "x")) < 1000


def test_a_name_cannot_pass_for_the_program():
    terms = codec.decode(TABLE.terms.encode(), 9_000)
    for name in ("Bob (seat 2) wins", 'a" left · "b', "pass · Ana"):
        record = codec.encode([0, codec.encode(mutated(terms, [3, 0, 0], name)), b""])
        decode_record(record)
        text = listing_text(audit([record]))
        quoted = '"' + name.replace('"', "'") + '"'
        assert quoted in text
        assert name not in text.replace(quoted, "")


def test_file_names_are_made_printable():
    report = report_of_error(ClimbError("x"))
    assert "\x1b" not in report_text(report, "a\x1b[31m.climb")


def test_write_log_is_what_the_reader_reads(tmp_path):
    path = write_log(tmp_path / "x.climb", TABLE.records)
    assert path.read_bytes() == FILE
    assert audit_file(path, quiet=True).verdict is Verdict.VALID
