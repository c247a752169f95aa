"""A bot at a node: sees what its seat may see, and acts through the same control as a person."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from p2pclimb.bots import Strategy
from p2pclimb.ledger.events import TableEnded
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.node.player import Control
from p2pclimb.table.notices import NextDealWaits, Notice, RuleBroken, TurnBegan
from p2pclimb.table.roster import LobbyClosed, LobbyNotice, RosterChanged, TermsProposed

__all__ = ["BotPlayer"]


class BotPlayer:
    """Plays by a strategy; `pace` is how many seconds it waits before a play.

    As a host it proposes the terms as soon as all seats are taken.  `overhear` gets every notice.
    """

    def __init__(
        self,
        strategy: Strategy,
        source: random.Random,
        *,
        pace: float = 0.0,
        overhear: Callable[[Notice | LobbyNotice], None] | None = None,
    ) -> None:
        self._strategy = strategy
        self._source = source
        self._pace = pace
        self._overhear = overhear
        self._notices: asyncio.Queue[Notice | LobbyNotice | None] = asyncio.Queue()

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Take a notice; it is acted on in `run`."""
        if self._overhear is not None:
            self._overhear(notice)
        self._notices.put_nowait(notice)

    def stop(self) -> None:
        """Let the bot leave the table."""
        self._notices.put_nowait(None)

    async def run(self, table: Control) -> None:
        """Play until the table has ended, a rule was broken or the bot was stopped."""
        while True:
            match await self._notices.get():
                case RosterChanged(roster, own_seat) if own_seat == 0 and all(roster.guests):
                    table.start()
                case TermsProposed():
                    table.accept()
                case TurnBegan(seat):
                    await self._play(table, seat)
                case NextDealWaits():
                    table.ready()
                case TableEnded() | RuleBroken() | LobbyClosed() | None:
                    return
                case _:
                    pass

    async def _play(self, table: Control, seat: int) -> None:
        session = table.session
        if session is None or seat != session.seat.number:
            return
        if self._pace:
            await asyncio.sleep(self._pace)
        stage = session.ledger.position.stage
        if isinstance(stage, Turning) and stage.state.turn == seat:
            table.play(self._strategy.play(stage.state, session.cards(), self._source))
