"""Bots that a node's player runs: each a process and a node of its own, with its own identity.

They join through an invitation like everybody else, and they end when their leash, the pipe to
their standard input, is let go.  Where their table has not ended then, they keep their seats: their
files stay, and they come back together with their player.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import subprocess
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from p2pclimb.errors import ClimbError, NetworkError, StoreError
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import name_key, printable
from p2pclimb.net.invitation import Invitation
from p2pclimb.node.journal import is_unfinished
from p2pclimb.node.listening import LOOPBACK
from p2pclimb.store.files import ensure_directory
from p2pclimb.store.lock import FileLock
from p2pclimb.store.paths import LOG_SUFFIX

Result = TypeVar("Result")

__all__ = ["BotFailedError", "BotProcesses", "BotSettings", "bot_names", "seats_of"]

_PATIENCE = 6.0
_LOOK_EVERY = 0.2
_PREFIX = "bots-"
_PASSING_PREFIX = "passing-bots-"  # of those to be forgotten in any case
_NAMES = ("Binh", "Chi", "Dung", "Giang", "Hoa", "Khanh", "Lan", "Minh")


class BotFailedError(ClimbError):
    """A bot's process ended with an error: like a peer that is gone."""

    code = "bot"
    exit_code = NetworkError.exit_code


@dataclass(frozen=True, slots=True)
class BotSettings:
    """How a bot plays: its strategy, the seconds it waits before a play, its seed."""

    strategy: str
    pace: float
    seed: int


@dataclass(slots=True)
class BotProcesses:
    """The bots of one node; an asynchronous context manager that ends them all.

    Their files live in a directory of their own under `root`, and go with them unless there is a
    table to come back to; with `forget` they go in any case.  Those of a node that was killed go
    when the next one starts.
    """

    root: Path
    forget: bool = False
    _directories: dict[Path, FileLock] = field(default_factory=dict)
    _running: list[subprocess.Popen[str]] = field(default_factory=list)

    async def __aenter__(self) -> BotProcesses:
        await asyncio.to_thread(_sweep, self.root)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for process in self._running:
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.close()
        await asyncio.gather(*(asyncio.to_thread(_end, process) for process in self._running))
        for directory, lock in self._directories.items():
            if self.forget or not _unfinished(directory):
                await asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True)
            lock.release()

    def start(self, name: str, invitation: Invitation, settings: BotSettings) -> None:
        """Start a bot that takes the invitation; it is handed over in its standard input.

        Raises BotFailedError when the system starts no more processes.
        """
        number = len(self._running)
        if not self._directories:
            prefix = _PASSING_PREFIX if self.forget else _PREFIX
            self._hold(self.root / f"{prefix}{secrets.token_hex(4)}")
        (directory,) = self._directories
        words = ["-", "--data-dir", f"{directory}/{number}", "--name", name, "--listen", LOOPBACK]
        process = self._run([*words, "--seed", str(settings.seed + number)], settings)
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(invitation.to_text() + "\n")
            process.stdin.flush()

    def resume(self, log: Path, settings: BotSettings) -> None:
        """Start a bot that comes back to its seat; `log` is one that `seats_of` gave.

        Raises LockedError when another process runs it, BotFailedError like `start`.
        """
        home = log.parent.parent
        if home.parent not in self._directories:
            self._hold(home.parent)
        self._run(["--resume", str(log), "--data-dir", str(home)], settings)

    def _hold(self, directory: Path) -> None:
        self._directories[directory] = FileLock.acquire(directory)
        ensure_directory(directory)

    def _run(self, words: list[str], settings: BotSettings) -> subprocess.Popen[str]:
        program = [sys.executable, "-m", "p2pclimb", "bot", "--leash", "--quiet"]
        plays = ["--strategy", settings.strategy, "--pace", str(settings.pace)]
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program, with arguments of our own
                [*program, *plays, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        except OSError as error:
            reason = (error.strerror or "the system refused").lower()
            raise BotFailedError(f"Cannot start a bot: {reason}.") from error
        self._running.append(process)
        return process

    async def until(self, work: Coroutine[None, None, Result]) -> Result:
        """Do the node's work and return what it gives.

        Raises BotFailedError when a bot fails, StoreError when its disk does.
        """
        working = asyncio.ensure_future(work)
        watching = asyncio.ensure_future(self._watch())
        try:
            await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                watching.result()
            return await working
        finally:
            for task in (working, watching):
                task.cancel()
            await asyncio.gather(working, watching, return_exceptions=True)

    async def _watch(self) -> None:
        """Return when no bot runs any more; raises BotFailedError at the first that fails."""
        seen: set[int] = set()
        while len(seen) < len(self._running) or not seen:
            await asyncio.sleep(_LOOK_EVERY)
            for number, process in enumerate(self._running):
                if number not in seen and process.poll() is not None:
                    seen.add(number)
                    _require_success(process)


def bot_names(taken: str, count: int) -> list[str]:
    """Return names for bots that are not the name of the player who runs them."""
    return [name for name in _NAMES if name_key(name) != name_key(taken)][:count]


def seats_of(root: Path, terms: Terms) -> list[Path]:
    """Return the logs of the bots under `root` that have a seat to come back to at a table."""
    name = f"{'-'.join(terms.words[:3])}-seat*"
    return sorted(
        log for log in root.glob(f"{_PREFIX}*/*/tables/{name}{LOG_SUFFIX}") if is_unfinished(log)
    )


def _unfinished(directory: Path) -> bool:
    """Whether a bot whose files are in a directory has a seat to come back to."""
    return any(map(is_unfinished, directory.glob(f"*/tables/*{LOG_SUFFIX}")))


def _sweep(root: Path) -> None:
    """Remove what is left of the bots of nodes that were killed, unless they can come back."""
    passing = list(root.glob(f"{_PASSING_PREFIX}*/"))
    for directory in (*passing, *root.glob(f"{_PREFIX}*/")):
        with contextlib.suppress(ClimbError):  # such as: its node is alive
            lock = FileLock.acquire(directory)
            if directory in passing or not _unfinished(directory):
                shutil.rmtree(directory, ignore_errors=True)
            lock.release()


def _require_success(process: subprocess.Popen[str]) -> None:
    if process.returncode != 0:
        assert process.stderr is not None
        words = printable(process.stderr.read().strip())[:300] or "it says nothing."
        # The bots' files are this program's as much as its own: a full disk is a full disk.
        disk_failed = process.returncode == StoreError.exit_code
        kind = StoreError if disk_failed else BotFailedError
        raise kind(f"A bot ended with an error: {words}")


def _end(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stderr is not None
    process.stderr.close()
