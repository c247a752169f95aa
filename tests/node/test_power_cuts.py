"""Power cuts at a node's every write, fsync, rename and send: neither hand nor game is lost.

The seat signs no place twice: the logs of all seats together audit as valid.
"""

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from crashing import Machine, PowerCut
from table_harness import eventually, friends, in_a_loop

from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.record import decode_record
from p2pclimb.seat.secrets import read_hand
from p2pclimb.store.logfile import read_log

LIVES = 12
PATIENT = {"turn_seconds": 600, "duty_seconds": 600}


def require_same_hand(player, dealt):
    """Ask that the seat was dealt the cards that it was dealt when they were first looked at.

    What it has played of them is another question: a play is forgotten with the write of it.
    """
    session = player.session if player.node else None
    if session is None or session.ledger.position.hands is None:
        return
    position = session.ledger.position
    cards = read_hand(position.hands, session.seat.number, session._own.secrets)
    assert cards == dealt.setdefault(position.attempt_name, cards)


def bodies_by_place(directory, names):
    """Return what was signed at every place, by all logs together."""
    found = {}
    for name in names:
        for record in read_log(directory / f"{name}.climb").records:
            entry = decode_record(record.payload)
            if isinstance(entry, Entry):
                found.setdefault(entry.place, set()).add(entry.signed)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_node_whose_power_goes_again_and_again_finishes_its_game(tmp_path, monkeypatch, seed):
    cuts, hands = [], {}

    async def test():
        async with friends(tmp_path, 3, **PATIENT) as table:
            key = table.who("Binh").identity.curve_key_pair()[0]
            machine = Machine(tmp_path / "Binh.climb", key, monkeypatch, seed)
            await table.sit()
            player = table.players["Binh"]
            await eventually(lambda: player.session and player.ledger.position.step > 0)
            for _ in range(LIVES):
                task = table.tasks["Binh"]
                machine.arm(machine.source.randint(0, 30), after=machine.source.random() < 0.5)
                await eventually(lambda task=task: machine.is_cut or task.done())
                require_same_hand(player, hands)
                if not machine.is_cut:
                    break
                cuts.append(machine.last)
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, PowerCut):
                    await task
                if player.node and player.node.table:
                    # As the end of a process does.
                    player.node.table.stop()
                    player.node.table.journal.close(finished=False)
                machine.lose()
                machine.restart()
                player = table.come_back("Binh")
            machine.restart()
            await table.end()
            names = list(table.players)
        assert table.verdict(*names) is Verdict.VALID
        assert all(len(bodies) == 1 for bodies in bodies_by_place(tmp_path, names).values())

    in_a_loop(test, seconds=90)
    assert len(cuts) > 3


class Lives:
    """Binh's seat in processes of its own, one after another, each with so many operations left."""

    def __init__(self, log, seed):
        self.log = log
        self.source = random.Random(seed)
        self.seed = seed
        self.ends = []

    async def live(self, invitation, operations):
        """Run a process to its end; return whether it was killed."""
        when = self.source.choice(("before", "after"))
        words = [self.log, invitation, operations, when, self.seed]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            Path(__file__).with_name("doomed_node.py"),
            *map(str, words),
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        out, _ = await process.communicate()
        self.ends.append(out.decode().strip())
        assert process.returncode in (0, -signal.SIGKILL)
        return process.returncode != 0


def test_a_process_that_is_killed_again_and_again_finishes_its_game(tmp_path):
    lives = Lives(tmp_path / "Binh.climb", 5)

    async def test():
        async with friends(tmp_path, 3, **PATIENT) as table:
            await table.open()
            first = asyncio.create_task(lives.live(table.lobby.invite().to_text(), 9))
            await eventually(lambda: "Binh" in table.names_in_the_lobby())
            table.come("Chi")
            killed = await first
            while killed and len(lives.ends) < LIVES // 2:
                killed = await lives.live("", lives.source.randint(0, 30))
            if killed:
                assert not await lives.live("", -1)
            await table.end()
            assert table.verdict("Ana", "Binh", "Chi") is Verdict.VALID
        found = bodies_by_place(tmp_path, ["Ana", "Binh", "Chi"])
        assert all(len(bodies) == 1 for bodies in found.values())

    in_a_loop(test, seconds=90)
    assert len(lives.ends) > 2
