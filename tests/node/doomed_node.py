"""A process that plays Binh's seat as a bot, and kills itself at a chosen operation.

Takes the log, an invitation (empty: to come back), how many operations it has left (-1: all that it
needs), whether the end comes after the operation, and a seed.
"""

import os
import signal
import sys
from pathlib import Path

import pytest
from crashing import Machine
from table_harness import LOOPBACK, Friends, Listening, Player

from p2pclimb.net.invitation import parse_invitation
from p2pclimb.net.loop import run
from p2pclimb.node.entrances import join, resume


class DoomedMachine(Machine):
    def _cut(self, when):
        print(when, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


def main(log, invitation, left, after, seed):
    who = Friends(None, 3).who("Binh")
    machine = DoomedMachine(Path(log), who.identity.curve_key_pair()[0], pytest.MonkeyPatch(), seed)
    player = Player("Binh")

    def arm():
        if int(left) >= 0:
            machine.arm(int(left), after=after == "after")

    if invitation:
        # Before all have signed the terms there is no table to come back to.
        told = player.told

        def listen(notice):
            told(notice)
            session = player.node.session if player.node else None
            if machine.left is None and session and session.ledger.position.step > 0:
                arm()

        player.told = listen
        here = Listening(LOOPBACK)
        run(join(who, player, parse_invitation(invitation), here, lambda _: Path(log)))
    else:
        arm()
        run(resume(who, player, Path(log), None))


if __name__ == "__main__":
    main(*sys.argv[1:])
