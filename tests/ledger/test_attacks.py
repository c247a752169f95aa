"""The attack catalogue as far as the ledger decides it; one test an attack, named after it.

Attacks on single steps are in the tests of these steps, those on the proofs in `tests/crypto`,
those on a node's session in `tests/table`.
"""

import random
from functools import cache

import pytest
from honest_table import HonestTable, identity, reached

from p2pclimb.crypto.masking import card_index, share, unmask
from p2pclimb.errors import MalformedError, ViolationError
from p2pclimb.ledger.entry import Entry, Kind, sign_entry
from p2pclimb.ledger.ledger import Ledger, Standing
from p2pclimb.ledger.record import decode_record, encode_record

RECORDED = reached(None, 3, deals=2, show_rest=True)
WINNER = {"game": "winner/1", "exchange": True, "fours_when": "anyone", "deals": 2}
TABLES = {
    "tienlen": {"deals": 2, "show_rest": True},
    "instant": {"deals": 1, "instant_wins": True},
    "winner": WINNER,
}


def replayed(entry: Entry, table: HonestTable, *, author: int | None = None) -> Entry:
    """The same body, signed anew by its author (or another) at a place of `table`."""
    site = table.position.site
    seat = entry.author if author is None else author
    return sign_entry(
        identity(seat),
        table=site.table,
        deal=site.deal,
        attempt=site.attempt,
        place=type(entry.place)(site.step, site.previous, seat),
        counter=max(table.counters.get(seat, 0), entry.counter + 1),
        kind=site.kind,
        body=entry.body,
    )


@cache
def positions(name: str) -> list[HonestTable]:
    """A recorded table at each of its steps."""
    table = HonestTable.new(3, **TABLES[name])
    tables = [table.copy()]
    for record in records(name):
        table.put(record)
        if table.position.step > tables[-1].position.step and table.kind is not None:
            tables.append(table.copy())
    return tables


def records(name: str) -> list[Entry]:
    return reached(None, 3, **TABLES[name]).records


# A signature alone, a pass and a decline: whoever signs it anew means it.
NOTHING_TO_REPLAY = ([], [0], [False])
ROW_11 = [(name, kind) for name in TABLES for kind in {r.kind: None for r in records(name)}]


def test_row_11_is_tried_for_every_kind_of_step():
    assert {kind for _, kind in ROW_11} == set(Kind)


@pytest.mark.parametrize(("name", "kind"), ROW_11)
def test_row_11_no_entry_counts_at_another_place(name, kind):
    """As it is, every entry is a stray elsewhere; its body, signed anew elsewhere, is refused."""
    entries = [record for record in records(name) if record.kind is kind]
    for entry in entries:
        for table in positions(name):
            if table.position.step == entry.step:
                continue
            standing = table.ledger.standing(entry)
            is_later = table.position.step > entry.step
            past = (Standing.KNOWN, Standing.SETTLED)
            assert standing in (past if is_later else (Standing.EARLY,))
    bodies = [entry for entry in entries if entry.body not in NOTHING_TO_REPLAY]
    for entry in random.Random(str(kind)).sample(bodies, min(6, len(bodies))):
        for table in positions(name):
            for seat in table.position.waiting():
                if (table.position.step, seat) != (entry.step, entry.author):
                    accepted = is_accepted(table, replayed(entry, table, author=seat))
                    assert not accepted or is_harmless(entry, table)


def is_accepted(table: HonestTable, entry: Entry) -> bool:
    try:
        table.copy().ledger.accept(entry)
    except ViolationError:
        return False
    return True


def is_harmless(entry: Entry, table: HonestTable) -> bool:
    """A commitment binds nobody until it is opened; a result without cards is that of the rules."""
    if entry.kind is table.kind is Kind.COMMIT:
        return True
    return entry.kind is table.kind is Kind.CLOSE and entry.body[2:] == [[], b"", b""]


def test_row_11_no_entry_counts_at_another_table():
    other = HonestTable.new(3, deals=2, stake=2)
    for record in RECORDED.records:
        assert other.ledger.standing(record) is Standing.STRAY
        with pytest.raises(MalformedError):
            other.ledger.accept(record)


def test_row_12_a_log_that_skips_or_repeats_a_shuffler_goes_nowhere():
    shuffles = [record for record in RECORDED.records if record.kind is Kind.SHUFFLE]
    table = reached(Kind.SHUFFLE, 3, deals=2, show_rest=True)
    table.put(shuffles[0])
    assert table.ledger.standing(shuffles[2]) is Standing.EARLY
    assert table.ledger.standing(replayed(shuffles[0], table)) is Standing.STRAY


def test_row_16_keys_of_one_deal_are_refused_in_the_next():
    reveals = [record for record in RECORDED.records if record.kind is Kind.REVEAL]
    first, second = reveals[:3], reveals[3:]
    assert not {bytes(e.body[1]) for e in first} & {bytes(e.body[1]) for e in second}


def test_row_18_whoever_quits_before_giving_its_shares_is_named_and_left_behind():
    """It pays as the loser of this deal; the others begin anew, and what it saw is void."""
    table = reached(Kind.SHARES, 3, stake=5)
    keys = set(table.stage.cast.keys.values())
    table.put(table.sign(0), table.sign(1), table.leave(2))
    told = [e for e in table.events if type(e).__name__ == "DealRestarted"]
    assert [(e.attempt, e.missing) for e in told] == [(1, (2,))]
    assert told[0].payments == {0: 5, 1: 5, 2: -10}
    assert table.stage.match.scores == told[0].payments
    table.go(Kind.TURN)
    assert table.stage.cast.seats == (0, 1)
    assert not keys & set(table.stage.cast.keys.values())
    table.go()
    ended = next(e for e in table.events if type(e).__name__ == "DealEnded")
    assert ended.scores[2] == -10
    assert sum(ended.scores.values()) == 0


def test_row_18_whoever_quits_before_any_share_was_given_has_seen_nothing_and_pays_nothing():
    table = reached(Kind.AGREE, 3)
    table.put(table.leave(2))
    table.go(Kind.TURN)
    assert table.stage.cast.match.scores == {0: 0, 1: 0, 2: 0}


def test_row_18_several_quitters_pay_those_who_stay():
    table = reached(Kind.SHARES, 4)
    table.put(table.leave(1), table.leave(3), table.sign(0), table.sign(2))
    told = [e for e in table.events if type(e).__name__ == "DealRestarted"]
    assert told[0].payments == {0: 2, 1: -2, 2: 2, 3: -2}


def test_row_19_the_secrets_of_all_but_one_open_no_card_of_a_half_dealt_deck():
    table = reached(Kind.LOWEST, 3)
    hands = table.position.hands
    coalition = [table.secrets[seat].keys.secret for seat in (0, 1)]
    for place in hands.in_hand(2):
        masked = hands.residuals[place]
        for secret in (*coalition, sum(coalition)):
            assert card_index(unmask(masked, share(secret, masked)), 52) is None


def fold(records: list) -> Ledger:
    """What an auditor does with the records of a log, in whatever order they come."""
    ledger = Ledger(RECORDED.ledger.terms)
    waiting = [*records]
    while True:
        early = []
        for record in waiting:
            if ledger.standing(record) is Standing.EARLY:
                early.append(record)
            else:
                ledger.accept(record)
        if len(early) == len(waiting):
            return ledger
        waiting = early


def test_row_24_any_order_of_records_tells_the_same_history():
    shuffled = [*RECORDED.records]
    random.Random(24).shuffle(shuffled)
    ledger = fold(shuffled)
    assert ledger.ended
    assert ledger.position.heads == RECORDED.position.heads


@pytest.mark.parametrize("at", range(0, len(RECORDED.records), 7))
def test_row_24_a_log_without_one_of_its_entries_is_incomplete(at):
    records = RECORDED.records[:at] + RECORDED.records[at + 1 :]
    ledger = fold(records)
    missing = RECORDED.records[at]
    assert not ledger.ended
    assert ledger.position.step == missing.step
    assert missing.author in ledger.position.waiting()


def test_row_24_a_truncated_log_is_incomplete_and_says_who_is_waited_for():
    for end in range(0, len(RECORDED.records), 23):
        ledger = fold(RECORDED.records[:end])
        assert not ledger.ended
        assert ledger.position.waiting()


def test_row_24_an_entry_of_another_log_in_the_middle_is_refused():
    other = reached(None, 3, deals=2)
    for at in (5, 20, 40):
        with pytest.raises(MalformedError):
            fold([*RECORDED.records[:at], other.records[at], *RECORDED.records[at:]])


def test_row_25_nothing_large_or_deep_gets_as_far_as_a_proof():
    table = reached(Kind.SHUFFLE, 3)
    for body in (
        [bytes(60_000), bytes(4_000)],
        [b"", b""],
        [[[[[0]]]]],
        [list(range(4000)), b""],
    ):
        table.forge(table.turn, body, "form")
    large = table.sign(table.turn, [bytes(70_000), b""])
    with pytest.raises(MalformedError, match="no tribute"):
        decode_record(encode_record(large))
