"""What every kind of step asks of an entry before its own checks: place, header, counter, form."""

import contextlib
import json
from pathlib import Path

import pytest
from honest_table import reached
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import ViolationError
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.ledger import Standing
from p2pclimb.ledger.position import check_entry

KINDS = list(Kind)
RFC_9496 = json.loads((Path(__file__).parents[1] / "crypto" / "rfc9496.json").read_text())


def due(kind, **settings):
    table = reached(kind, deals=2, **settings)
    return table, table.position.waiting()[0]


@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_entry_passes_and_fills_its_place(kind):
    table, seat = due(kind)
    entry = table.sign(seat)
    table.put(entry)
    assert table.ledger.standing(entry) is Standing.KNOWN
    assert table.ledger.last[seat] is entry


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "change", [{"table": bytes(32)}, {"deal": 7}, {"attempt": 1}], ids=["table", "deal", "attempt"]
)
def test_another_table_deal_or_attempt_is_refused(kind, change):
    table, seat = due(kind)
    table.refused(table.sign(seat, **change), "header")


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_under_another_kind_is_refused(kind):
    table, seat = due(kind)
    body = table.body(seat)
    for other in KINDS:
        if other is not kind:
            table.refused(table.sign(seat, body, kind=other), "header")


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_counter_that_does_not_rise_is_refused(kind):
    table, _ = due(kind)
    seat = next(seat for seat in table.position.waiting() if seat in table.counters)
    last = table.position.counters[seat]
    table.refused(table.sign(seat, counter=last), "counter")
    table.refused(table.sign(seat, counter=0), "counter")


@pytest.mark.parametrize("kind", KINDS)
def test_other_places_are_never_open(kind):
    table, seat = due(kind)
    table.put(table.sign(seat))
    table = table.go(lambda t: t.position.waiting())
    body = table.body(seat := table.position.waiting()[0])
    step = table.position.step

    def standing(**changes):
        return table.ledger.standing(table.sign(seat, body, **changes))

    assert standing() is Standing.OPEN
    assert standing(step=step + 1, previous=bytes(32)) is Standing.EARLY
    assert standing(step=step + 1) is Standing.STRAY
    assert standing(table=bytes(32)) is Standing.STRAY
    if step:
        assert standing(step=step - 1) is Standing.STRAY
        assert standing(step=0, previous=bytes(32)) is Standing.STRAY


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.TURN])
def test_a_seat_that_is_not_asked_has_no_place(kind):
    table, seat = due(kind)
    body = table.body(seat)
    other = table.sign(1 - seat, body)
    assert table.ledger.standing(other) is Standing.STRAY


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_of_another_form_are_refused(kind):
    table, seat = due(kind)
    good = table.body(seat)
    bad_forms = [7, b"", "body", [[]], [*good, 0], [good], [True]]
    if good:
        bad_forms += [good[:-1], [], [b"x" * 33] * len(good)]
    for bad in bad_forms:
        table.refused(table.sign(seat, bad), "form")


@pytest.mark.parametrize("kind", KINDS)
def test_no_field_of_a_body_may_be_of_another_type_or_length(kind):
    table, seat = due(kind)
    good = table.body(seat)
    for at, field in enumerate(good):
        for bad in (-1, 2**40, "x", b"", b"\xff" * 31, b"\xff" * 9999, [[]], [[1]], [-1]):
            if bad != field:
                entry = table.sign(seat, [*good[:at], bad, *good[at + 1 :]])
                with pytest.raises(ViolationError):
                    check_entry(table.position, entry)


pieces = (
    st.integers(-5, 300)
    | st.booleans()
    | st.binary(max_size=70)
    | st.sampled_from([b"", bytes(32), bytes(64), b"\x01" * 3328, b"entry", "left"])
)
bodies = st.recursive(pieces, lambda inner: st.lists(inner, max_size=5), max_leaves=12)


@given(st.sampled_from(KINDS), bodies)
def test_no_body_whatsoever_raises_anything_but_a_violation(kind, body):
    table, seat = due(kind)
    entry = table.sign(seat, body)
    with contextlib.suppress(ViolationError):
        check_entry(table.position, entry)


NO_POINTS = (bytes(32), b"\xff" * 32, *map(bytes.fromhex, RFC_9496["invalid"]))


def words_of(value, path=()):
    """Yield where the words of 32 bytes stand in a body: the first, the second and the last."""
    if isinstance(value, bytes):
        count = len(value) // 32
        yield from ((path, at) for at in sorted({0, 1, count - 1}) if 0 <= at < count)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from words_of(item, (*path, index))


def with_word(value, path, at, word):
    if not path:
        return value[: 32 * at] + word + value[32 * (at + 1) :]
    items = list(value)
    items[path[0]] = with_word(items[path[0]], path[1:], at, word)
    return items


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not Kind.COMMIT])
def test_rows_4_and_5_no_field_takes_what_is_no_point_or_the_identity(kind):
    table, seat = due(kind)
    good = table.body(seat)
    for number, (path, at) in enumerate(words_of(good)):
        for word in (*NO_POINTS[:2], NO_POINTS[2 + number % (len(NO_POINTS) - 2)]):
            entry = table.sign(seat, with_word(good, path, at, word))
            with pytest.raises(ViolationError):
                check_entry(table.position, entry)
