"""Bots as processes: how they start, fail and end, and what they leave behind."""

import asyncio

import pytest
from lobby_setup import host_lobby
from table_harness import eventually, in_a_loop

from p2pclimb.errors import StoreError
from p2pclimb.node import bot_processes
from p2pclimb.node.bot_processes import BotFailedError, BotProcesses, BotSettings, bot_names
from p2pclimb.store.lock import FileLock

BASIC = BotSettings("basic", 0.0, 1)


async def for_ever():
    await asyncio.Event().wait()


def test_bots_end_with_the_context_and_leave_nothing(tmp_path):
    async def test():
        async with BotProcesses(tmp_path) as bots:
            bots.start("Binh", host_lobby().invite(), BASIC)
            bots.start("Chi", host_lobby().invite(), BASIC)
            processes = list(bots._running)
            assert all(process.poll() is None for process in processes)
        assert [process.returncode for process in processes] == [0, 0]
        assert list(tmp_path.iterdir()) == []

    in_a_loop(test)


def test_a_bot_that_fails_ends_the_work_with_what_it_said(tmp_path):
    async def test():
        async with BotProcesses(tmp_path) as bots:
            bots.start("Binh", host_lobby().invite(), BotSettings("brilliant", 0.0, 1))
            with pytest.raises(BotFailedError, match="brilliant") as caught:
                await bots.until(for_ever())
            assert caught.value.exit_code == 6

    in_a_loop(test)


def test_a_bot_whose_disk_fails_is_a_disk_that_fails(tmp_path):
    async def test():
        async with BotProcesses(tmp_path) as bots:
            bots.start("Binh", host_lobby().invite(), BASIC)
            # It needs no file before a table opens, so its exit code is made up.
            (process,) = bots._running
            process.kill()
            process.wait()
            process.returncode = StoreError.exit_code
            with pytest.raises(StoreError, match="A bot ended with an error"):
                await bots.until(for_ever())

    in_a_loop(test)


def test_bots_that_end_well_do_not_end_the_work(tmp_path):
    async def test():
        async with BotProcesses(tmp_path) as bots:
            bots.start("Binh", host_lobby().invite(), BASIC)
            (process,) = bots._running
            process.stdin.close()

            async def work():
                await eventually(lambda: process.poll() is not None)
                await asyncio.sleep(2 * bot_processes._LOOK_EVERY)
                return "done"

            assert await bots.until(work()) == "done"

    in_a_loop(test)


def test_a_system_that_starts_no_process_is_told(tmp_path, monkeypatch):
    def refuse(*words, **settings):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(bot_processes.subprocess, "Popen", refuse)

    async def test():
        async with BotProcesses(tmp_path) as bots:
            with pytest.raises(BotFailedError, match="resource temporarily unavailable"):
                bots.start("Binh", host_lobby().invite(), BASIC)

    in_a_loop(test)


def test_the_invitation_is_not_on_the_command_line(tmp_path, monkeypatch):
    seen = []
    popen = bot_processes.subprocess.Popen

    def spy(words, **settings):
        seen.extend(words)
        return popen(words, **settings)

    monkeypatch.setattr(bot_processes.subprocess, "Popen", spy)

    async def test():
        invitation = host_lobby().invite()
        async with BotProcesses(tmp_path) as bots:
            bots.start("Binh", invitation, BASIC)
        assert invitation.to_text() not in seen
        assert not any("p2pclimb1:" in word for word in seen)

    in_a_loop(test)


def test_only_what_killed_nodes_left_is_cleared_away(tmp_path):
    async def test():
        left = tmp_path / "bots-left" / "0"
        left.mkdir(parents=True)
        (tmp_path / "bots-left.lock").write_text("4711\n", encoding="ascii")
        alive = tmp_path / "bots-alive"
        alive.mkdir()
        lock = FileLock.acquire(alive)
        (tmp_path / "bots-notes.txt").write_text("mine", encoding="ascii")
        async with BotProcesses(tmp_path):
            assert not left.parent.exists()
            assert alive.exists()
        lock.release()
        names = sorted(path.name for path in tmp_path.iterdir())
        assert names == ["bots-alive", "bots-notes.txt"]

    in_a_loop(test)


def test_names_of_bots_are_not_that_of_their_player():
    assert bot_names("BINH", 7) == ["Chi", "Dung", "Giang", "Hoa", "Khanh", "Lan", "Minh"]
    assert bot_names("Ana", 2) == ["Binh", "Chi"]
