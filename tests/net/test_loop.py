"""The loop suits ZeroMQ on every system."""

import asyncio
import sys

import pytest

from p2pclimb.net.loop import loop_factory, run


def test_windows_gets_a_selector_loop(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert loop_factory() is asyncio.SelectorEventLoop


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_other_systems_keep_their_own(monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    assert loop_factory() is asyncio.new_event_loop


def test_run_uses_the_chosen_loop_and_gives_the_result(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")

    async def which():
        return type(asyncio.get_running_loop())

    assert issubclass(run(which()), asyncio.SelectorEventLoop)
