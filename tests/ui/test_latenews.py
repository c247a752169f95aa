"""What a player is told about others who are late: no more than is worth a line."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from scripted_console import ScriptedConsole
from ui_setup import PlayedTable

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import HistoryDropped, Missed
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.table.notices import PauseHeld, TimeRuns, VoteStands
from p2pclimb.ui.plain import PlainPlayer


def at_table(*notices, after: float = 0, seed: object = 0) -> ScriptedConsole:
    """Tell a player notices at the first turn of a table, wait some seconds of its loop, leave."""

    async def main() -> None:
        table = PlayedTable(seed, 4, player)
        playing = asyncio.create_task(player.run(table))
        await asyncio.sleep(0)
        table.run(until=lambda sim: isinstance(sim.nodes[0].session.ledger.position.stage, Turning))
        console.lines.clear()
        for notice in notices:
            player.told(notice(table) if callable(notice) else notice)
        await asyncio.sleep(after)
        status.append(console.status())
        console._typed.put_nowait("quit")
        console._typed.put_nowait("yes")
        await playing

    status: list[str] = []
    console = ScriptedConsole(width=10_000)
    player = PlainPlayer(console)
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        runner.run(main())
    console.last_status = status[-1]
    return console


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop that leaps to the next timer instead of waiting for it."""

    def __init__(self) -> None:
        super().__init__()
        self._leapt = 0.0
        select = self._selector.select

        def leap(timeout: float | None):
            self._leapt += timeout or 0.0
            return select(0 if timeout is None or timeout > 0 else timeout)

        self._selector.select = leap

    def time(self) -> float:
        return super().time() + self._leapt


def in_turn(table: PlayedTable) -> int:
    return table.session.ledger.position.waiting()[0]


def time_runs(seconds: float):
    return lambda table: TimeRuns((in_turn(table),), seconds)


@pytest.mark.parametrize(
    ("seconds", "after", "told"),
    [
        (90.0, 44, []),
        (90.0, 46, ["45"]),
        (90.0, 81, ["45", "10"]),
        (90.0, 200, ["45", "10"]),
        (30.0, 31, ["10"]),  # half of it is not worth a line
        (10.0, 11, []),  # nor are ten seconds of ten
    ],
)
def test_the_time_is_told_when_little_is_left(seconds, after, told):
    console = at_table(time_runs(seconds), after=after)
    assert re.findall(r"ha(?:s|ve) (\d+) s left\.", console.text) == told


def test_the_status_counts_the_seconds():
    assert " turn | 60 s left | " in at_table(time_runs(90.0), after=30).last_status


def test_no_time_is_told_of_a_seat_for_which_nobody_waits():
    def of_others(table):
        others = {0, 1, 2, 3} - {in_turn(table)}
        return TimeRuns(tuple(others), 90.0)

    console = at_table(of_others, after=85)
    assert "s left." not in console.text
    assert "s left" not in console.last_status


def test_in_a_pause_no_time_is_told():
    pause = PauseHeld((0, 1, 2), True, (0, 1, 2, 3))
    console = at_table(time_runs(90.0), pause, after=85)
    assert "s left." not in console.text
    assert "a pause |" in console.last_status
    over = at_table(time_runs(90.0), pause, replace(pause, seats=(0,), holds=False), after=85)
    assert "45 s left." in over.text


def test_a_vote_is_told_once_for_every_voter():
    vote = VoteStands(1, 1, (), (), (0, 1, 2, 3))
    stages = [((), ()), ((0,), ()), ((0, 2), ()), ((0, 2), ()), ((0, 2), (2,)), ((0, 2, 3), (0, 2))]
    console = at_table(*(replace(vote, promised=p, accepted=a) for p, a in stages))
    said = [line for line in console.lines if "vote to play on" in line]
    assert [re.search(r"\d of 4", line)[0] for line in said] == ["1 of 4", "2 of 4", "3 of 4"]


def test_after_dropped_history_the_table_is_shown_as_it_stands():
    console = at_table(HistoryDropped(7), Missed(1, Kind.TURN, 1))
    dropped, missed, *shown = console.lines
    assert dropped.startswith("What was done from step 7 on does not count any more")
    assert missed == '"Seat 1" missed this turn (1 of 3): it counts as a pass.'
    assert any("In order of turn:" in line for line in shown)
