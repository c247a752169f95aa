"""Programs and terminals that end with their test."""

import pytest
from commands import Program, Terminal


@pytest.fixture
def start(tmp_path):
    """Start a command with pipes; `home` names its data directory."""
    started = []

    def begin(home, *words, **settings):
        started.append(Program(tmp_path / home, *words, **settings))
        return started[-1]

    yield begin
    for program in started:
        program.kill()


@pytest.fixture
def terminal(tmp_path):
    """Open a terminal; `home` names its data directory."""
    opened = []

    def begin(home):
        opened.append(Terminal(tmp_path / home, f"{tmp_path.name}-{home}"))
        return opened[-1]

    yield begin
    for each in opened:
        each.kill()
