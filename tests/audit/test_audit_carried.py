"""The audit of a table that goes on from an earlier one."""

import dataclasses

from honest_table import HonestTable, identity, new_terms

from p2pclimb.audit.audit import Report, audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.listing import listing_text
from p2pclimb.audit.report import report_json, report_text
from p2pclimb.ledger.carried import Away, Carried
from p2pclimb.ledger.events import DealEnded
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.past import Past
from p2pclimb.ledger.record import encode_record
from p2pclimb.ledger.terms import table_words

TABLE = bytes(range(32))
AWAY = (
    Away("Eva (seat 1)", identity(5).public, is_bot=False, points=-4),
    Away("Robo", identity(0).public, is_bot=True, points=2),
)
CARRIED = Carried(TABLE, (3, -1), AWAY)


def audited(carried: Carried | None) -> Report:
    """The audit of a table of one deal."""
    terms = dataclasses.replace(new_terms(2, deals=1), carried=carried)
    table = HonestTable("table", Ledger(terms)).go()
    return audit(map(encode_record, [terms, *table.records]))


def test_a_table_that_goes_on_says_from_which_and_with_what():
    report = audited(CARRIED)
    assert report.verdict is Verdict.VALID
    words = " ".join(table_words(TABLE))
    line = (
        f'carried   Ana +3, Bình -1, "Eva (seat 1)" -4 (away), Robo +2 (away), from table {words}\n'
    )
    assert line in report_text(report, "x.climb")
    assert line in listing_text(report)
    assert report_json(report, "x.climb")["table"]["carried"] == {
        "table": TABLE.hex(),
        "words": words.split(),
        "points": [{"seat": 0, "points": 3}, {"seat": 1, "points": -1}],
        "away": [
            {"name": a.name, "identity": a.identity.hex(), "bot": a.is_bot, "points": a.points}
            for a in AWAY
        ],
    }


def test_other_tables_say_nothing_of_it():
    report = audited(None)
    assert "carried" not in report_text(report, "x.climb")
    assert report_json(report, "x.climb")["table"]["carried"] is None


def test_the_scores_of_a_report_are_what_the_next_table_goes_on_with():
    report = audited(CARRIED)
    (ended,) = (event for event in report.events if isinstance(event, DealEnded))
    assert report.scores == ended.scores != {0: 3, 1: -1}
    again = Past(report.terms, report.scores).carried(report.terms.seats)
    assert again == Carried(report.terms.table_id, tuple(ended.scores.values()), AWAY)


def test_a_log_that_ends_early_has_the_scores_so_far():
    terms = dataclasses.replace(new_terms(2, deals=1), carried=CARRIED)
    table = HonestTable("table", Ledger(terms)).go()
    assert audit([encode_record(terms)]).scores == {}
    early = audit(map(encode_record, [terms, *table.records[:-1]]))
    assert early.verdict is Verdict.INCOMPLETE
    assert early.scores == {0: 3, 1: -1}
    assert audit([]).scores == {}
