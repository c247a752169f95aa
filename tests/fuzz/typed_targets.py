"""Fuzz targets of what people type: cards, commands, names, and the words of the command line."""

from __future__ import annotations

import argparse
import asyncio
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from types import SimpleNamespace

from honest_table import reached
from simulator import Simulator
from target import Target

from p2pclimb.cards import format_cards, parse_cards
from p2pclimb.cli import tables
from p2pclimb.cli.main import main
from p2pclimb.cli.parser import Parser
from p2pclimb.errors import UsageError
from p2pclimb.games.moves import Cards
from p2pclimb.games.options import Options
from p2pclimb.ledger.entry import Kind
from p2pclimb.names import MAX_NAME, clean_name, name_key, printable
from p2pclimb.store.paths import find_paths
from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.commands import parse_command
from p2pclimb.ui.console import Stop
from p2pclimb.ui.plain import PlainPlayer
from p2pclimb.ui.typed import cheapest_cards, choose_cards, read_typed

__all__ = ["TARGETS"]


def _of_text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """Read bytes as Python reads the words of a command line: what is no UTF-8 is not lost."""
    return lambda data: read(data.decode("utf-8", "surrogateescape"))


def _cards(text: str) -> None:
    cards = parse_cards(text)
    assert parse_cards(format_cards(cards)) == cards


def _typed(text: str) -> None:
    """Choose cards of a hand; those that are chosen are in it, and as many as were typed."""
    table = reached(Kind.TURN, 3)
    hand = table.faces(table.turn)
    wanted = read_typed(text)
    for cards in (
        choose_cards(wanted, hand, table.stage.state),
        cheapest_cards(wanted, hand, table.stage.state.options),
    ):
        assert len(cards) == len(wanted)
        assert set(cards) <= set(hand)
        table.stage.state.check(Cards(cards))


def _name(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    assert len(name) <= MAX_NAME
    assert name_key(name_key(name)) == name_key(name)
    assert name.isprintable()
    assert printable(text).isprintable()


def _table_name(text: str) -> None:
    path = find_paths("home", {}).log(text)
    assert path.parent.name == "tables"
    assert path.name == f"{text}.climb"


def _rules(text: str) -> None:
    """Read the words of `--set`, one a line, as `host` does, and describe what comes of them."""
    lines = text.split("\n")
    args = argparse.Namespace(game=lines[0], settings=lines[1:], seats=4)
    options = tables.options(args, claim_seconds=0)
    assert Options.from_wire(options.to_wire()) == options


def _listening(text: str) -> None:
    parser = Parser(prog="p2pclimb host")
    tables.add_listening_arguments(parser)
    where = tables.listening(parser.parse_words(text.split("\n"), argparse.Namespace()))
    assert 0 <= where.port <= 65_535


def _command_line(text: str) -> None:
    """Run a command that only reads; whatever its words are, no mistake of the program shows."""
    words = ["--data-dir", "nowhere", *text.replace("\0", "").split("\n")]
    allowed = {"audit", "log", "rules", "id", "--help", "--version"}
    if len(words) < 3 or words[2] not in allowed or {"repair", "new", "import"} & {*words}:
        raise UsageError("not a command that only reads")
    told, data = io.StringIO(), io.StringIO()
    with redirect_stderr(told), redirect_stdout(data):
        code = main(words)
    assert code in {0, 1, 2, 3, 4, 5}
    assert "failed unexpectedly" not in told.getvalue() + data.getvalue()
    assert all(character.isprintable() or character == "\n" for character in told.getvalue())
    if "--json" in words and not {"-h", "--help", "--version"} & {*words}:
        for line in data.getvalue().splitlines():
            json.loads(line)


class _Console:
    """A console at which some lines are typed, and then no more."""

    notation = Notation.LETTERS
    width = 80

    def __init__(self, lines: list[str]) -> None:
        self._typed: Iterator[str | Stop] = iter([*lines, Stop.END])

    @contextmanager
    def taken(self, _: Callable[[], str]) -> Iterator[None]:
        yield

    async def read(self) -> str | Stop:
        return next(self._typed)

    def write(self, line: str) -> None:
        assert line.isprintable()

    def refresh(self) -> None:
        """Show nothing."""


@cache
def _own_turn() -> SimpleNamespace:
    """A table at which it is the player's turn, and nothing that the player does has an effect."""
    table = Simulator("typed", 3)
    table.run(lambda sim: sim.nodes[0].session.ledger.position.waiting() == (0,))
    acts = dict.fromkeys(
        ("start", "accept", "decline", "play", "ready", "pause", "adjourn"), lambda *_: None
    )
    return SimpleNamespace(session=table.nodes[0].session, links={1: True, 2: False}, **acts)


def _lines(text: str) -> None:
    """Type lines at a table, and the end of the input after them."""
    player = PlainPlayer(_Console(text.split("\n")))
    table = _own_turn()
    table.leave = player._over.set
    asyncio.run(player.run(table))


COMMAND_LINES = (
    "rules\ntienlen\n--set\nstake=5",
    "rules\nwinner/1\n--json",
    "audit\nno such file\n--json",
    "log\nshow\nno such file",
    "log\nlist\n--json",
    "id\nshow",
    "--help",
)
LISTENING = ("--port\n27271\n--advertise\nana.example:27271", "--listen\n::1\n--advertise\n[::1]:5")
RULES = ("tienlen\nstake=5\nrotten_twos=true\ndeal=all", "winner\njokers=false\npacks=2\nbetween=9")
TYPED = ("33", "3s 3c, 10h", "10jqk", "Th hT 10H", "BJ RJ", "3♠4♣5♦", "pass", "log 30", "hint")


def _samples(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


TARGETS = (
    Target("cards", _samples(*TYPED), _of_text(_cards)),
    Target("typed", _samples("33", "3 4 5", "3s", "a 2", "10jqk", "3 3 3 4 4"), _of_text(_typed)),
    Target("command", _samples(*TYPED), _of_text(parse_command)),
    Target(
        "lines",
        _samples("33\nlog 5\nquit\nno", "table\nwho\nhint\nyes"),
        _of_text(_lines),
        examples=60,
    ),
    Target("name", _samples("Ana", "Bình", "a b  c", "Ana\u0301"), _of_text(_name)),
    Target("table-name", _samples("josij-rulag-rizoh", "a"), _of_text(_table_name)),
    Target("rules", _samples(*RULES), _of_text(_rules)),
    Target("listening", _samples(*LISTENING), _of_text(_listening)),
    Target("command-line", _samples(*COMMAND_LINES), _of_text(_command_line), examples=100),
)
