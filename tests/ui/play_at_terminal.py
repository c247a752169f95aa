"""A process that plays a simulated table at its own terminal, for tests that give it one.

Exits with 130 after Ctrl-C, else with 0, after a last line that says how it ended.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sys
import termios

from ui_setup import PlayedTable

from p2pclimb.ui.console import open_console
from p2pclimb.ui.plain import PlainPlayer


async def main() -> int:
    player = PlainPlayer(open_console(os.environ, plain="--plain" in sys.argv))
    table = PlayedTable(3, 4, player)
    await table.host()
    print("left" if table.left else "adjourned" if table.adjourned else "ended")
    return 130 if player.interrupted else 0


if __name__ == "__main__":
    # Ctrl-C reaches only those whose controlling terminal it is typed at.
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.exit(asyncio.run(main()))
