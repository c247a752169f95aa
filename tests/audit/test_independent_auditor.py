"""Two auditors that share no code agree: the program's, and one written from protocol.md alone."""

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

import independent_auditor
import independent_deal
import independent_dealing
import independent_group
import independent_ledger
import independent_proofs
import independent_rules
import pytest
from honest_table import HonestTable, new_terms, reached
from independent_auditor import Audit, WrongLogError
from recorded import record_table, recorded_winner
from stacked_packs import deal_hands

from p2pclimb.audit.audit import Report, audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger.carried import Carried
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import BombTaken, CardTaken, Claimed, InstantWon
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.record import encode_record
from p2pclimb.store.frames import HEADER, frame

GOLDEN = Path(__file__).parent.parent / "golden"
MODULES = [
    independent_auditor,
    independent_deal,
    independent_dealing,
    independent_group,
    independent_ledger,
    independent_proofs,
    independent_rules,
]


def file_of(table: HonestTable) -> bytes:
    return written(encode_record(record) for record in (table.ledger.terms, *table.records))


def written(records: Iterable[bytes]) -> bytes:
    return HEADER + b"".join(map(frame, records))


@pytest.mark.parametrize("module", MODULES)
def test_it_shares_no_code_with_the_program(module):
    source = Path(module.__file__).read_text("utf-8")
    assert "p2pclimb." not in source.replace("protocol.md", "")
    assert "import p2pclimb" not in source


@pytest.mark.parametrize(
    ("name", "seats", "rules"),
    [
        ("table", 2, {"show_rest": True}),
        (
            "winner",
            3,
            {"game": "winner/1", "exchange": True, "fours_when": "anyone", "deals": 2},
        ),
    ],
)
def test_both_find_the_same_head_and_scores_in_the_recorded_logs(name, seats, rules):
    table = HonestTable.new(seats, "golden", **rules).go()
    found = Audit((GOLDEN / f"{name}.climb").read_bytes())
    assert found.head == table.position.previous
    assert found.scores == table.stage.match.scores


def agree(records: Sequence[bytes]) -> Report:
    """Assert that both find the log valid, with the same head and the same scores."""
    report = audit(records)
    assert report.verdict is Verdict.VALID
    found = Audit(written(records))
    assert (found.head, found.step) == (report.end.head, report.end.step)
    assert found.scores == report.scores
    return report


def events_of(report: Report, kind: type) -> list:
    return [event for event in report.events if isinstance(event, kind)]


TABLES = {
    "winner, taking over": ("winner/1", 3, {"fours": "takeover", "fours_when": "anyone"}),
    "winner, revolution": ("winner/1", 3, {"revolution": True, "score_at": "end"}),
    "winner, later deals": (
        "winner/1",
        2,
        {"bomb_variation": True, "next_lead": "left_of_dealer", "jokers": False, "deals": 2},
    ),
    "winner, two packs": ("winner/1", 4, {"packs": 2, "pass_rule": "locked"}),
    "south": (
        "tienlen-south/1",
        4,
        {"chop_pay": True, "rotten_twos": True, "instant_wins": True, "scoring": "places"},
    ),
    "tienlen, two packs": (
        "tienlen/1",
        5,
        {"deal": "all", "direction": "anticlockwise", "show_rest": True},
    ),
    "tienlen, 17 cards": (
        "tienlen/1",
        3,
        {"deal": "17", "chops": "cumulative", "finish_on_two": False, "stake": 7},
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_both_agree_about_tables_of_every_game(name):
    game, seats, settings = TABLES[name]
    agree(record_table(seats, name, settings, game=game).records)


def test_both_agree_about_bombs_that_are_claimed_and_cards_that_are_exchanged():
    report = agree(recorded_winner().records)
    assert events_of(report, BombTaken)
    assert events_of(report, Claimed)
    assert len(events_of(report, CardTaken)) == 2
    assert report.verified.absences > 0


def test_both_agree_about_a_hand_that_wins_at_once(monkeypatch):
    hands = ["3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 3d", "4d 4h 6d 6h 8d 8h Td Th Qd Qh Ac Ad 3h", ""]
    deal_hands(monkeypatch, hands)
    rules = {"instant_wins": True, "stake": 4, "rotten_twos": True}
    table = HonestTable.new(3, "at once", game="tienlen-south/1", **rules).go()
    report = agree([encode_record(record) for record in (table.ledger.terms, *table.records)])
    (won,) = events_of(report, InstantWon)
    assert (won.kind, report.scores[won.seat]) == ("dragon", 8)


def test_both_agree_about_scores_that_are_carried_on():
    terms = new_terms(2, "carried", deals=1)
    carried = Carried(bytes(range(32)), (7, -7))
    table = HonestTable("carried", Ledger(dataclasses.replace(terms, carried=carried))).go()
    report = agree([encode_record(record) for record in (table.ledger.terms, *table.records)])
    assert sorted(report.scores.values()) in ([-6, 6], [-8, 8])


def flipped(proof: bytes) -> bytes:
    return proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:]


# What the liar signs instead of its body, and by which names the two auditors refuse it.
LIES = {
    Kind.COMMIT: (lambda body: [bytes(32)], "commitment", "commitment"),
    Kind.REVEAL: (lambda body: [bytes(32), *body[1:]], "commitment", "commitment"),
    Kind.SHUFFLE: (
        lambda body: [body[0][64:] + body[0][:64], body[1]],
        "proof",
        "a shuffle proof",
    ),
    Kind.SHARES: (
        lambda body: [body[0][32:] + body[0][:32], body[1]],
        "proof",
        "a proof of shares",
    ),
    Kind.CLAIM: (lambda body: [True, [51], b"", b""], "ownership", "ownership"),
    Kind.TRIBUTE: (
        lambda body: [*body[:3], flipped(body[3])],
        "proof",
        "a proof of absence",
    ),
    Kind.OFFER: (lambda body: [body[0][::-1], *body[1:]], "proof", "a proof of transfer"),
    Kind.CHOOSE: (lambda body: [[(body[0][0] + 1) % 54], *body[1:]], "choice", "choice"),
    Kind.CLOSE: (
        lambda body: [[[seat, -points] for seat, points in body[0]], *body[1:]],
        "result",
        "result",
    ),
}


@pytest.mark.parametrize("kind", LIES)
def test_both_refuse_a_log_in_which_one_seat_lies(kind):
    change, rule, reason = LIES[kind]
    table = reached(kind, 2, "liar")
    liar, *others = table.position.waiting()
    lie = table.sign(liar, change(table.body(liar)))
    entries = [lie, *map(table.sign, others)]
    if kind is Kind.COMMIT:  # what nobody can open shows when it is to be opened
        table.put(*entries)
        lie = table.sign(liar)
        entries = [lie, *map(table.sign, others)]
    table.refused(lie, rule)
    table.records += entries
    with pytest.raises(WrongLogError, match=f"^{reason}$"):
        Audit(file_of(table))


def test_both_refuse_an_entry_without_its_signature():
    table = HonestTable.new(2, "liar").go(Kind.COMMIT)
    table.records[0] = dataclasses.replace(table.records[0], signature=bytes(64))
    with pytest.raises(WrongLogError, match="signature"):
        Audit(file_of(table))
