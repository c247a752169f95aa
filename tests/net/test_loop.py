"""The loop suits ZeroMQ on every system."""

import asyncio
import os
import signal
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_lets_the_work_take_its_leave(number):
    done = []

    async def work():
        try:
            os.kill(os.getpid(), number)
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            done.append("goodbye")

    with pytest.raises(KeyboardInterrupt):
        run(work())
    assert done == ["goodbye"]
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_signal_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def work():
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0)
        return "alive"

    try:
        assert run(work()) == "alive"
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_work_that_is_cancelled_by_itself_is_no_interruption():
    async def work():
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(work())
