"""A whole table of four node processes: time to all hands, latency of a play, size of log and node.

Each seat is a process with its own node on loopback.  The deal is compared with the seats' crypto
CPU (see `deal`) spread over the cores, a play with its limit of 15 ms from key press to the last
screen.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

from bench import Row, deal
from p2pclimb.bots import strategy
from p2pclimb.crypto.identity import Identity
from p2pclimb.games.moves import Play
from p2pclimb.games.options import Options
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardsDealt, DealEnded, PlaceFilled
from p2pclimb.lobby.host import HostLobby
from p2pclimb.net.invitation import Invitation, parse_invitation
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.entrances import host, join
from p2pclimb.node.listening import LOOPBACK, Listening
from p2pclimb.node.node import Who
from p2pclimb.node.player import Control
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice

__all__ = ["run"]

SEATS = 4
DEALS = 3
PACE = 0.02  # seconds a seat thinks, so that plays do not queue behind each other
GOALS = {"deal_ratio": 1.5, "play_ms": 15.0, "log_kb": 75.0, "node_mb": 80.0, "version_s": 0.2}


@dataclass
class Times:
    """What one node saw, in seconds of the machine's monotonic clock."""

    begun: list[float] = field(default_factory=list)
    dealt: list[float] = field(default_factory=list)
    shown: dict[int, float] = field(default_factory=dict)
    acted: dict[int, float] = field(default_factory=dict)
    megabytes: float = 0.0

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Note the time of what is measured."""
        now = time.monotonic()
        match notice:
            case PlaceFilled(kind=Kind.OPEN, waiting=()) | DealEnded():
                self.begun.append(now)
            case CardsDealt():
                self.dealt.append(now)
            case PlaceFilled(step=step, kind=Kind.TURN):
                self.shown[step] = now
            case _:
                pass


class TimedControl:
    """The control of a node, which notes when a play is made."""

    def __init__(self, control: Control, times: Times) -> None:
        self._control = control
        self._times = times

    def __getattr__(self, name: str) -> object:
        return getattr(self._control, name)

    def play(self, play: Play) -> None:
        """Note the step and the time, then play."""
        assert self._control.session is not None
        self._times.acted[self._control.session.ledger.position.step] = time.monotonic()
        self._control.play(play)


class TimedPlayer(BotPlayer):
    """A bot whose plays and notices are timed."""

    def __init__(self, times: Times, seed: int) -> None:
        super().__init__(strategy("basic"), random.Random(seed), pace=PACE, overhear=times.told)
        self._times = times

    async def run(self, table: Control) -> None:
        """Play through a control that takes the times."""
        await super().run(cast("Control", TimedControl(table, self._times)))


def run() -> list[Row]:
    """Play the table and return its measures."""
    with tempfile.TemporaryDirectory() as directory:
        times, log_bytes = _play_table(Path(directory))
    waits = [
        max(node.dealt[number] for node in times) - max(node.begun[number] for node in times)
        for number in range(DEALS)
    ]
    latencies = [
        1000 * (max(node.shown[step] for node in times) - acted)
        for node in times
        for step, acted in node.acted.items()
    ]
    cpu = deal.cpu_seconds(deal.Size(SEATS, 52)) * SEATS / (os.cpu_count() or 1)
    return [
        _row("all hands known", min(waits) * 1000, "ms", cpu * 1000 * GOALS["deal_ratio"]),
        _row("the seats' crypto CPU / cores", cpu * 1000, "ms", None),
        _row("a play, median", statistics.median(latencies), "ms", GOALS["play_ms"]),
        _row("a play, 95 of 100", statistics.quantiles(latencies, n=20)[-1], "ms", None),
        _row("log of a deal", log_bytes / DEALS / 1000, "KB", GOALS["log_kb"]),
        _row("largest node", max(node.megabytes for node in times), "MB", GOALS["node_mb"]),
        _row("p2pclimb --version", _version_seconds(), "s", GOALS["version_s"]),
    ]


def _row(measure: str, value: float, unit: str, limit: float | None) -> Row:
    row: Row = {"measure": measure, "value": value, "unit": unit}
    return {**row, "limit": limit, "of limit": value / limit} if limit else row


def _play_table(directory: Path) -> tuple[list[Times], int]:
    """Play with a process for each seat but the first; return what all saw, and the log's size."""
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(SEATS - 1)]
    guests = [
        context.Process(target=_guest, args=(theirs, directory / f"{seat}.climb", seat))
        for seat, (_, theirs) in enumerate(pipes, 1)
    ]
    for guest in guests:
        guest.start()

    def invite(lobby: HostLobby) -> None:
        for ours, _ in pipes:
            ours.send(lobby.invite(own_bot=True).to_text())

    times = Times()
    log = directory / "0.climb"
    options = Options.make("tienlen", {"deals": DEALS})
    player = TimedPlayer(times, 0)
    asyncio.run(host(_who(0), player, options, SEATS, Listening(LOOPBACK), lambda _: log, invite))
    times.megabytes = _megabytes()
    seen = [times, *(ours.recv() for ours, _ in pipes)]
    for guest in guests:
        guest.join()
    return seen, log.stat().st_size


def _guest(pipe: Connection, log: Path, seat: int) -> None:
    times = Times()
    invitation: Invitation = parse_invitation(pipe.recv())
    player = TimedPlayer(times, seat)
    asyncio.run(join(_who(seat), player, invitation, Listening(LOOPBACK), lambda _: log))
    times.megabytes = _megabytes()
    pipe.send(times)


def _who(seat: int) -> Who:
    return Who(Identity.new(os.urandom), f"Bot {seat}", is_bot=True)


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _version_seconds() -> float:
    def once() -> float:
        started = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "p2pclimb", "--version"], check=True, stdout=subprocess.DEVNULL
        )
        return time.monotonic() - started

    return min(once() for _ in range(5))
