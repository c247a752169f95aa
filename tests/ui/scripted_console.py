"""A console whose person types a script, and a lobby to type it in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.console import Stop
from p2pclimb.ui.plain import PlainPlayer


class ScriptedConsole:
    """A console whose person types `script`, then answers lines by `reply`."""

    def __init__(
        self,
        *script: str | Stop,
        reply: Callable[[str], str | Stop | None] = lambda line: None,
        notation: Notation = Notation.LETTERS,
        width: int = 80,
    ) -> None:
        self.notation = notation
        self.width = width
        self.lines: list[str] = []
        self.status: Callable[[], str] = str
        self.last_status = ""
        self._reply = reply
        self._typed: asyncio.Queue[str | Stop] = asyncio.Queue()
        for line in script:
            self._typed.put_nowait(line)

    @contextmanager
    def taken(self, status: Callable[[], str]) -> Iterator[None]:
        self.status = status
        yield

    async def read(self) -> str | Stop:
        return await self._typed.get()

    def write(self, line: str) -> None:
        self.lines.append(line)
        if (answer := self._reply(line)) is not None:
            self._typed.put_nowait(answer)

    def refresh(self) -> None:
        assert self.status().isprintable()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Lobby:
    """A `TableControl` before there is a table."""

    def __init__(self) -> None:
        self.session = None
        self.links: dict[int, bool] = {}
        self.calls: list[str] = []

    def __getattr__(self, name: str):
        return lambda *args: self.calls.append(name)


def in_lobby(*script: str, notices=()) -> tuple[ScriptedConsole, Lobby]:
    console, lobby = ScriptedConsole(*script, width=10_000), Lobby()

    async def main() -> None:
        player = PlainPlayer(console)
        for notice in notices:
            player.told(notice)
        await player.run(lobby)

    asyncio.run(main())
    return console, lobby
