"""A bot takes every notice there is, and seconds a pause that whoever runs it asks for."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from notice_examples import EXAMPLES, TERMS

from p2pclimb.bots import strategy
from p2pclimb.ledger.events import TableEnded
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.seat.duties import Seat
from p2pclimb.table.notices import PauseHeld, SeatElsewhere, TurnBegan
from p2pclimb.table.roster import LobbyClosed

ENDS = (TableEnded, LobbyClosed, SeatElsewhere)


class StandIn:
    """A table at which nothing is asked of the bot; it notes what the bot does."""

    def __init__(self, seat: int = 1, operator: int = 0) -> None:
        seats = [replace(each, operator=operator) for each in TERMS.seats]
        self.terms = replace(TERMS, seats=tuple(seats))
        self.seat = Seat(seat, bytes)
        self.awaits_player = False
        self.links: dict[int, bool] = {}
        self.calls: list[tuple[object, ...]] = []

    @property
    def session(self) -> StandIn:
        return self

    @property
    def ledger(self) -> StandIn:
        return self

    @property
    def position(self) -> StandIn:
        return self

    stage = None

    def __getattr__(self, name: str):
        return lambda *args: self.calls.append((name, *args))


def run(*notices, table: StandIn | None = None) -> StandIn:
    table = table or StandIn()
    bot = BotPlayer(strategy("random"), random.Random(1))
    for notice in notices:
        bot.told(notice)

    async def main() -> None:
        async with asyncio.timeout(5):
            await bot.run(table)

    asyncio.run(main())
    return table


@pytest.mark.parametrize("notice", EXAMPLES, ids=lambda notice: type(notice).__name__)
def test_no_notice_stops_a_bot_but_those_after_which_there_is_nothing_to_do(notice):
    if isinstance(notice, ENDS):
        run(notice)
    else:
        run(notice, TableEnded("over"))


def test_a_bot_whose_seat_plays_elsewhere_goes_without_a_notice():
    assert run(TurnBegan(1), SeatElsewhere()).calls == []


def pauses(*asking: tuple[int, ...], table: StandIn | None = None) -> list[object]:
    notices = [PauseHeld(seats, False, (0, 1, 2, 3)) for seats in asking]
    return run(*notices, TableEnded("over"), table=table).calls


def test_a_bot_asks_for_a_pause_as_long_as_whoever_runs_it_does():
    assert pauses((0,)) == [("pause", True)]
    assert pauses((0,), (0, 1), (1,), ()) == [("pause", True), ("pause", False)]
    assert pauses((2, 3)) == []


def test_a_bot_that_runs_itself_asks_for_no_pause():
    assert pauses((0, 1), (2,), table=StandIn(1, operator=1)) == []
