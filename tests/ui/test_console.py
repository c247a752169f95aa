"""Consoles: pipes get nothing but lines, terminals get a prompt and are left as they were."""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

from p2pclimb.ui.cardtext import Look, Notation
from p2pclimb.ui.console import Stop, StreamConsole

TESTS = Path(__file__).parent.parent
WORDS = Look(Notation.WORDS, colour=False)
PATIENCE = 30  # seconds until a condition that never comes fails the test


# -- pipes ---------------------------------------------------------------------------------------


def read_all(data: bytes) -> list[str | Stop]:
    """Return what a stream console reads from a pipe with these bytes."""

    async def main() -> list[str | Stop]:
        console = StreamConsole(reader, io.StringIO(), WORDS)
        lines: list[str | Stop] = []
        with console.taken(str):
            while not lines or not isinstance(lines[-1], Stop):
                lines.append(await console.read())
        return lines

    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    try:
        return asyncio.run(asyncio.wait_for(main(), PATIENCE))
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"3s\npass\n", ["3s", "pass"]),
        (b"3s\r\n\nlast", ["3s", "", "last"]),
        ("3♠ 10♥\n".encode(), ["3♠ 10♥"]),
        (b"\xff\xfe3s\n", ["\ufffd\ufffd3s"]),
        (b"x" * 10_000 + b"\npass\n", ["x" * 4096, "pass"]),
        (b"y\n" * 1000, ["y"] * 1000),
    ],
    ids=["nothing", "lines", "line ends", "glyphs", "no UTF-8", "long", "many"],
)
def test_lines_come_from_a_pipe_until_it_ends(data, lines):
    assert read_all(data) == [*lines, Stop.END]


def test_sigint_becomes_a_stop_and_its_handler_comes_back():
    async def main() -> str | Stop:
        console = StreamConsole(reader, io.StringIO(), WORDS)
        with console.taken(str):
            os.kill(os.getpid(), signal.SIGINT)
            return await asyncio.wait_for(console.read(), PATIENCE)

    reader, writer = os.pipe()
    before = signal.getsignal(signal.SIGINT)
    assert asyncio.run(main()) is Stop.INTERRUPT
    assert signal.getsignal(signal.SIGINT) is before
    os.close(writer)


def test_lines_are_written_at_once_and_without_limit_of_width():
    sink = io.StringIO()
    console = StreamConsole(0, sink, WORDS)
    console.write("x" * 500)
    console.refresh()
    assert sink.getvalue() == "x" * 500 + "\n"
    assert console.width > 10_000


def test_when_nobody_reads_the_lines_the_player_is_told_the_end():
    async def main() -> str | Stop:
        console = StreamConsole(0, sink, WORDS)
        console.write("to nobody")
        console.write("to nobody")
        return await asyncio.wait_for(console.read(), PATIENCE)

    reader, writer = os.pipe()
    os.close(reader)
    with pytest.raises(BrokenPipeError), open(writer, "w") as sink:
        assert asyncio.run(main()) is Stop.END


# -- terminals -----------------------------------------------------------------------------------


class Terminal:
    """A process at a pseudo-terminal of 80 by 24, and what its screen shows."""

    def __init__(self, *words: str, **environ: str) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.screen = pyte.HistoryScreen(80, 24, history=1000, ratio=1)
        self.screen.write_process_input = self.type
        self._stream = pyte.ByteStream(self.screen)
        self.output = b""
        path = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
        self.process = subprocess.Popen(
            [sys.executable, str(TESTS / "ui" / "play_at_terminal.py"), *words],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env={**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color", **environ},
            start_new_session=True,
        )

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait(self, condition: Callable[[], bool]) -> None:
        """Take output until a condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.text
            ready, _, _ = select.select([self.master], [], [], 0.05)
            if ready:
                self._take(os.read(self.master, 65_536))

    def _take(self, data: bytes) -> None:
        self.output += data
        self._stream.feed(data)

    def wait_for(self, text: str) -> None:
        self.wait(lambda: text in self.text)

    def wait_for_exit(self) -> int:
        self.wait(lambda: self.process.poll() is not None)
        while select.select([self.master], [], [], 0)[0]:
            self._take(os.read(self.master, 65_536))
        return self.process.returncode

    @property
    def text(self) -> str:
        """Every line that was ever on the screen, the oldest first."""
        past = ["".join(line[x].data for x in range(80)) for line in self.screen.history.top]
        return "\n".join(line.rstrip() for line in [*past, *self.screen.display])

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*words: str, **environ: str) -> Terminal:
        opened.append(Terminal(*words, **environ))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def test_incoming_lines_do_not_break_the_typing(terminal):
    shown = terminal()
    shown.wait_for("is connected.")
    shown.type("hin")
    shown.wait_for("Your turn.")
    shown.type("t\r")
    shown.wait_for("1. 5♠")
    assert "> hint" in shown.text
    # What was typed has left no trace between the lines of the game.
    assert all(line.strip() != "hin" for line in shown.text.split("\n"))
    assert "Shuffle 2 of 4" in shown.text
    shown.type("quit\r")
    shown.wait_for("Type yes to leave")
    shown.type("yes\r")
    assert shown.wait_for_exit() == 0
    assert "left" in shown.text


def test_a_terminal_shows_suits_in_four_colours_and_the_status_below(terminal):
    shown = terminal()
    shown.wait_for("Your turn.")
    shown.wait(lambda: "your turn" in shown.screen.display[-1])
    assert "to beat 3♠" in shown.screen.display[-1]
    colours = {
        cell.fg
        for line in shown.screen.buffer.values()
        for cell in line.values()
        if cell.data in "♠♣♦♥"
    }
    assert len(colours) >= 3


def test_no_color_leaves_the_cards_uncoloured(terminal):
    shown = terminal(NO_COLOR="1")
    shown.wait_for("Your turn.")
    cells = [cell for line in shown.screen.buffer.values() for cell in line.values()]
    assert {cell.fg for cell in cells if cell.data in "♠♣♦♥"} == {"default"}


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("words", [(), ("--plain",)], ids=["prompt", "plain"])
def test_going_by_a_key_keeps_the_seat_and_restores_the_terminal(terminal, key, code, words):
    shown = terminal(*words)
    shown.wait_for("Your turn.")
    if not words:  # while a line is printed the terminal takes keys for itself
        shown.wait(lambda: "your turn" in shown.screen.display[-1])
    shown.type(key)
    assert shown.wait_for_exit() == code
    assert "You keep your seat." in shown.text
    assert "adjourned" in shown.text
    assert termios.tcgetattr(shown.slave) == shown.before
    assert not shown.screen.cursor.hidden
    assert b"\x1b[?1049h" not in shown.output


@pytest.mark.parametrize(
    ("words", "environ"), [(("--plain",), {}), ((), {"TERM": "dumb"})], ids=["plain", "dumb"]
)
def test_plain_lines_hold_no_escape_sequence_and_no_glyph(terminal, words, environ):
    shown = terminal(*words, **environ)
    shown.wait_for("Your turn.")
    shown.type("hint\n")
    shown.wait_for("1. five of spades")
    shown.type("q\ny\n")
    assert shown.wait_for_exit() == 0
    assert b"\x1b" not in shown.output
    assert shown.output.isascii()


def test_the_end_of_the_table_ends_the_prompt(terminal):
    shown = terminal()
    turns = 0
    while not ended_or_in_turn(shown, turns):
        shown.type(first_hint(shown, turns) + "\r")
        turns += 1
    assert shown.wait_for_exit() == 0
    assert shown.text.rstrip().endswith("ended")


def ended_or_in_turn(shown: Terminal, turns: int) -> bool:
    """Wait for one more own turn or the end; return whether it was the end."""
    end = "The table has ended"
    shown.wait(lambda: end in shown.text or shown.text.count("Your turn.") > turns)
    return end in shown.text


def first_hint(shown: Terminal, hints_before: int) -> str:
    shown.type("hint\r")
    shown.wait(lambda: shown.text.count("\n1. ") > hints_before)
    return shown.text.split("\n1. ")[-1].split("\n")[0].split(" (")[0]
