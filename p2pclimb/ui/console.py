"""Where the plain player reads and writes: lines through pipes, or a prompt at a terminal.

Which of the two is decided before any prompt is made: a prompt library that meets a pipe would
write escape sequences into it.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, redirect_stderr, redirect_stdout
from enum import Enum, auto
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.patch_stdout import StdoutProxy

from p2pclimb.ui.cardtext import Look, Notation, look_of, paint

__all__ = ["Console", "PromptConsole", "Stop", "StreamConsole", "open_console"]

_WIDEST = 100  # columns; longer lines are tiring to read
_UNBROKEN = 1_000_000  # columns of what is no terminal: one event, one line
_LONGEST_LINE = 4096  # characters; two packs of cards take less than 500
_CHUNK = 4096
_SECOND = 1.0  # the status counts seconds down
_BUNDLING = 0.02  # seconds in which lines are gathered before the prompt is drawn again


class Stop(Enum):
    """Why no more lines come from a console."""

    END = auto()
    INTERRUPT = auto()


class Console(Protocol):
    """Lines in and lines out."""

    @property
    def notation(self) -> Notation:
        """How cards are written here."""

    @property
    def width(self) -> int:
        """How many columns a line may have now."""

    def taken(self, status: Callable[[], str]) -> AbstractContextManager[None]:
        """Take the console for the time of the context; `status` gives a line about the table."""

    async def read(self) -> str | Stop:
        """Wait for the next line; may be cancelled."""

    def write(self, line: str) -> None:
        """Show a line below all others."""

    def refresh(self) -> None:
        """Show the status anew where it is shown at all."""


def open_console(environ: Mapping[str, str], *, plain: bool) -> Console:
    """Return the console of this process's standard input and output."""
    look = look_of(sys.stdout, environ, plain=plain)
    if look.is_plain or not sys.stdin.isatty():
        return StreamConsole(sys.stdin.fileno(), sys.stdout, look)
    return PromptConsole(look)


class StreamConsole:
    """Plain lines: no prompt, no status, no escape sequence, nothing drawn twice.

    `source` is a file descriptor, read in a thread: pipes, files and terminals all work, and the
    thread holds no lock of Python's own standard input when the program ends.
    """

    def __init__(self, source: int, sink: TextIO, look: Look) -> None:
        self._source = source
        self._sink = sink
        self._look = look
        self._lines: asyncio.Queue[str | Stop] = asyncio.Queue(maxsize=16)

    @property
    def notation(self) -> Notation:
        """How cards are written here."""
        return self._look.notation

    @property
    def width(self) -> int:
        """The width of the terminal; lines that go elsewhere are not broken."""
        if not self._sink.isatty():
            return _UNBROKEN
        return min(shutil.get_terminal_size().columns, _WIDEST)

    @contextmanager
    def taken(self, status: Callable[[], str]) -> Iterator[None]:
        """Read until the context ends; Ctrl-C becomes a `Stop` meanwhile."""
        loop = asyncio.get_running_loop()
        reader = threading.Thread(target=self._read_all, args=(loop,), daemon=True)
        reader.start()
        with _interrupts_told(loop, lambda: self._stop(Stop.INTERRUPT)):
            yield

    async def read(self) -> str | Stop:
        """Wait for the next line."""
        return await self._lines.get()

    def write(self, line: str) -> None:
        """Print a line at once; when nobody reads any more, that is the end of the input too."""
        try:
            print(paint(line, self._look), file=self._sink, flush=True)
        except OSError:
            self._stop(Stop.END)

    def refresh(self) -> None:
        """Do nothing: what was printed stays as it is."""

    def _stop(self, stop: Stop) -> None:
        # The lines that nobody has read yet do not matter any more, and may fill the queue.
        while not self._lines.empty():
            self._lines.get_nowait()
        self._lines.put_nowait(stop)

    def _read_all(self, loop: asyncio.AbstractEventLoop) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        text = ""
        while chunk := self._read_chunk():
            *lines, text = (text + decoder.decode(chunk)).split("\n")
            text = text[:_LONGEST_LINE]
            for line in lines:
                self._hand_over(line[:_LONGEST_LINE].rstrip("\r"), loop)
        if text:
            self._hand_over(text, loop)
        self._hand_over(Stop.END, loop)

    def _read_chunk(self) -> bytes:
        try:
            return os.read(self._source, _CHUNK)
        except OSError:  # a terminal that went away
            return b""

    def _hand_over(self, line: str | Stop, loop: asyncio.AbstractEventLoop) -> None:
        """Put a line into the queue from the reading thread, waiting while it is full."""
        putting = self._lines.put(line)
        try:
            asyncio.run_coroutine_threadsafe(putting, loop).result()
        except RuntimeError:  # the loop is closed: nobody reads any more
            putting.close()


@contextmanager
def _interrupts_told(loop: asyncio.AbstractEventLoop, tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` for SIGINT during the context, where the platform and the thread allow."""
    before = signal.getsignal(signal.SIGINT)
    try:
        loop.add_signal_handler(signal.SIGINT, tell)
    except (NotImplementedError, RuntimeError, ValueError):
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)


class PromptConsole:
    """A terminal with a line to type in and a status below it; other lines appear above."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._session: PromptSession[str] | None = None
        self._proxy: StdoutProxy | None = None

    @property
    def notation(self) -> Notation:
        """How cards are written here."""
        return self._look.notation

    @property
    def width(self) -> int:
        """The width of the terminal now."""
        assert self._session is not None
        return min(self._session.output.get_size().columns, _WIDEST)

    @contextmanager
    def taken(self, status: Callable[[], str]) -> Iterator[None]:
        """Keep whatever is printed meanwhile above the line in which is typed."""
        self._session = PromptSession(
            "> ", bottom_toolbar=status, enable_suspend=True, refresh_interval=_SECOND
        )
        # Whatever is printed by anybody goes through the proxy, or it would break the typing.
        self._proxy = StdoutProxy(sleep_between_writes=_BUNDLING, raw=True)
        with self._proxy, redirect_stdout(self._proxy), redirect_stderr(self._proxy):
            yield

    async def read(self) -> str | Stop:
        """Prompt for a line."""
        assert self._session is not None
        try:
            return await self._session.prompt_async(set_exception_handler=False)
        except EOFError:
            return Stop.END
        except KeyboardInterrupt:
            return Stop.INTERRUPT

    def write(self, line: str) -> None:
        """Print a line above the prompt."""
        assert self._proxy is not None
        self._proxy.write(paint(line, self._look) + "\n")

    def refresh(self) -> None:
        """Draw the status again."""
        assert self._session is not None
        self._session.app.invalidate()
