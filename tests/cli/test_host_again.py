"""What `host --again` takes from an earlier table: its log, its rules, its seats and bots."""

import argparse
import dataclasses

import pytest
from honest_table import HonestTable, identity, new_terms
from recorded import write_log

from p2pclimb.cli import host, past
from p2pclimb.cli.main import main
from p2pclimb.errors import OptionsError, UsageError
from p2pclimb.ledger.past import Past
from p2pclimb.ledger.record import encode_record
from p2pclimb.node.node import Who
from p2pclimb.store.paths import Paths

TERMS = new_terms(3, deals=1, stake=5)


@pytest.fixture(scope="module")
def records():
    """The log of a table of Tien len, one deal, three seats."""
    table = HonestTable.new(3, stake=5).go()
    return [encode_record(record) for record in (table.ledger.terms, *table.records)]


@pytest.fixture
def paths(tmp_path):
    (tmp_path / "tables").mkdir()
    return Paths(tmp_path)


def given(*, game=None, seats=None, settings=()):
    return argparse.Namespace(game=game, seats=seats, settings=list(settings))


def test_a_table_is_named_by_its_name_or_its_file(paths, records, tmp_path):
    log = write_log(paths.log("josij-rulag"), records)
    elsewhere = write_log(tmp_path / "friday.climb", records)
    found = past.named(paths, "josij-rulag", quiet=True)
    assert sorted(map(abs, found.scores.values())) == [5, 5, 10]
    for name in ("josij-rulag.climb", str(log), str(elsewhere)):
        assert past.named(paths, name, quiet=True) == found


def test_a_log_that_ends_early_will_do(paths, records):
    write_log(paths.log("early"), records[:-1])
    assert past.named(paths, "early", quiet=True).scores == {0: 0, 1: 0, 2: 0}


def test_a_log_that_is_not_valid_gives_no_scores(paths, records):
    write_log(paths.log("bad"), [*records[:5], records[5][:-1] + b"\0", *records[6:]])
    with pytest.raises(UsageError, match="not valid") as refused:
        past.named(paths, "bad", quiet=True)
    assert "p2pclimb audit" in refused.value.hint


@pytest.mark.parametrize("name", ["nothing", "../nothing", "\x1b[2J"])
def test_a_table_that_is_not_there_is_one_sentence(capsys, monkeypatch, tmp_path, name):
    monkeypatch.setenv("P2PCLIMB_HOME", str(tmp_path))
    assert main(["host", "--again", name]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "\x1b" not in captured.err


def test_a_guest_finds_its_own_log_by_the_table_it_is_of(paths, records):
    write_log(paths.log("a-torn"), records[:0])
    paths.log("b-damaged").write_bytes(b"no log")
    write_log(paths.log("c-other"), [encode_record(new_terms(2, "other"))])
    write_log(paths.log("d-this"), records)
    found = past.named(paths, "d-this", quiet=True)
    assert past.finder(paths)(found.terms.table_id) == found
    assert past.finder(paths)(bytes(32)) is None


def test_the_rules_and_seats_are_those_of_the_table_before(records, paths):
    write_log(paths.log("before"), records)
    before = past.named(paths, "before", quiet=True)
    args = given()
    assert host._rules(args, before) == before.terms.options
    assert args.seats == 3


def test_what_is_said_anew_counts_instead(records, paths):
    write_log(paths.log("before"), records)
    before = past.named(paths, "before", quiet=True)
    options = host._rules(given(seats=4, settings=["chops=southern", "deals=0"]), before)
    assert options["stake"] == 5
    assert options["chops"] == "southern"
    assert options["deals"] == 0
    assert host._rules(given(game="winner"), before).game == "winner/1"
    with pytest.raises(OptionsError, match="seats"):
        host._rules(given(seats=9), before)


def test_without_a_table_before_all_is_as_usual():
    args = given()
    assert host._rules(args, None).game == "tienlen/1"
    assert args.seats == 4


def test_as_many_bots_sit_down_as_this_player_ran():
    seats = [dataclasses.replace(seat, operator=n) for n, seat in enumerate(TERMS.seats)]
    seats[1:] = [dataclasses.replace(seat, operator=0, is_bot=True) for seat in seats[1:]]
    before = Past(dataclasses.replace(TERMS, seats=tuple(seats)), {})
    assert host._bots_of(Who(identity(0), "Ana"), before) == 2
    assert host._bots_of(Who(identity(1), "Bình"), before) == 0
