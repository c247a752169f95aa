"""Wrong calendars: nodes whose clocks are apart, or set meanwhile, play as if they were not."""

import ast
import itertools
import time
from pathlib import Path

import pytest
from table_harness import eventually, friends, in_a_loop

import p2pclimb
from p2pclimb.audit.findings import Verdict

ROOT = Path(p2pclimb.__file__).parent
SOURCES = sorted(ROOT.rglob("*.py"))
OF_THE_WALL = {
    *("date", "datetime", "time.time", "time.time_ns", "time.localtime", "time.gmtime"),
    *("time.ctime", "time.strftime", "time.mktime", "CLOCK_REALTIME"),
}
READERS = {"cli/people.py", "store/contacts.py"}  # the day on which a player was met first


def calendars_in(source: str) -> set[str]:
    """The names in a source through which the date or the time of day could be told."""
    tree = ast.parse(source)
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        for name in (alias.name, f"{getattr(node, 'module', '')}.{alias.name}")
    }
    used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return (imported | used) & OF_THE_WALL


def test_the_calendar_is_read_for_the_first_day_of_a_contact_alone():
    readers = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if calendars_in(path.read_text("utf-8"))
    }
    assert readers == READERS


@pytest.mark.parametrize(
    "source",
    ["import time\ntime.time()", "from time import time", "from datetime import datetime as d"],
)
def test_the_search_finds_a_calendar(source):
    assert calendars_in(source)


def test_a_table_whose_clocks_leap_by_decades_is_played_to_its_end(tmp_path, monkeypatch):
    moments = itertools.cycle([0.0, 4e9, 1e9, 2e9])
    monkeypatch.setattr(time, "time", lambda: next(moments))

    async def test():
        async with friends(tmp_path, 3) as table:
            players = await table.sit()
            await table.end()
            await eventually(lambda: all(player.ledger.ended for player in players))
            assert table.verdict("Ana", "Binh", "Chi") is Verdict.VALID

    in_a_loop(test)
