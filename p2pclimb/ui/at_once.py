"""A person at a table of its own bots: no lobby, the table opens as soon as the bots are there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from p2pclimb.errors import UsageError
from p2pclimb.node.player import Control
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import (
    GuestCame,
    GuestRefused,
    GuestWent,
    LobbyNotice,
    RosterChanged,
    TermsProposed,
)
from p2pclimb.ui.plain import PlainPlayer

__all__ = ["AtOnce"]


class AtOnce:
    """A person's player that does not ask about the terms: they are the person's own."""

    def __init__(self, player: PlainPlayer) -> None:
        self._player = player
        self._early: list[Callable[[Control], None]] = []
        self._table: Control | None = None

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Begin when all seats are taken; pass on what concerns the table."""
        match notice:
            case RosterChanged(roster, _) if all(roster.guests):
                self._soon(_start)
            case TermsProposed():
                self._soon(lambda table: table.accept())
            case RosterChanged() | GuestCame() | GuestWent() | GuestRefused():
                pass
            case _:
                self._player.told(notice)

    async def run(self, table: Control) -> None:
        """Play until the table has ended or the person has left it."""
        self._table = table
        for act in self._early:
            self._soon(act)
        await self._player.run(table)

    def _soon(self, act: Callable[[Control], None]) -> None:
        if self._table is None:
            self._early.append(act)
        else:
            asyncio.get_running_loop().call_soon(act, self._table)


def _start(table: Control) -> None:
    # A bot may have gone meanwhile; when all are here again, it is told again.
    with suppress(UsageError):
        table.start()
