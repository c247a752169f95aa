"""One seat of a table as a program: a bot that plays, and prints its notices as JSON lines.

A guest reads its invitation from standard input.  Later lines there are orders: `pace SECONDS`, and
for a seat that turns hostile `flood KIND RATE SECONDS` (see `hostility`).  Every line that is
printed has the time of the machine's monotonic clock in `at`.  After `leave` it is still connected.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
import threading
import time
from pathlib import Path

import hostility

from p2pclimb.bots import strategy
from p2pclimb.crypto.identity import Identity
from p2pclimb.games.options import Options, parse_setting
from p2pclimb.net.address import parse_address
from p2pclimb.net.invitation import parse_invitation
from p2pclimb.net.loop import run
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.entrances import host, join
from p2pclimb.node.listening import Listening
from p2pclimb.node.node import Who
from p2pclimb.table.roster import TermsProposed
from p2pclimb.ui.jsonl import notice_to_json, result_to_json


def tell(event, **fields):
    print(json.dumps({"at": time.monotonic(), "event": event, **fields}), flush=True)


class Player(BotPlayer):
    """A bot that tells what it is told and when it plays, and takes orders."""

    def __init__(self, name, pace):
        super().__init__(strategy("basic"), random.Random(name), pace=pace, overhear=self._overhear)
        self._names = []
        self._tasks = set()
        self._table = None

    def _overhear(self, notice):
        if isinstance(notice, TermsProposed):
            self._names = [seat.name for seat in notice.terms.seats]
        told = notice_to_json(notice, self._names)
        if told is not None:
            tell(told.pop("event"), **told)

    async def run(self, table):
        self._table = table
        await super().run(table)

    async def _play(self, table, seat):
        step = table.session and table.session.ledger.position.step
        await super()._play(table, seat)
        if table.session is not None and seat == table.session.seat.number:
            tell("acted", step=step)

    def order(self, word, *rest):
        """Carry out an order."""
        match word, rest:
            case "pace", (seconds,):
                self._pace = float(seconds)
            case "leave", ():
                self._table.leave()
            case "flood", (kind, rate, seconds):
                work = hostility.flood(self._table, kind, float(rate), float(seconds))
                task = asyncio.create_task(self._carry_out(work))
                self._tasks.add(task)
                task.add_done_callback(asyncio.Task.result)

    async def _carry_out(self, work):
        tell("flooded", sent=await work)


def take_orders(player):
    """Carry out the lines of standard input from now on."""
    loop = asyncio.get_running_loop()

    def read():
        for line in sys.stdin:
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                loop.call_soon_threadsafe(player.order, *line.split())

    threading.Thread(target=read, daemon=True).start()


async def sit(args):
    player = Player(args.name, args.pace)
    who = Who(Identity.new(os.urandom), args.name, is_bot=True)
    listening = Listening(args.listen, args.port, tuple(map(parse_address, args.advertise)))
    log = Path(args.log)
    if args.seats:
        options = Options.make(args.game, dict(map(parse_setting, args.settings)))

        def opened(lobby):
            invitations = [lobby.invite().to_text() for _ in range(args.seats - 1)]
            tell("opened", invitations=invitations)

        take_orders(player)
        work = host(who, player, options, args.seats, listening, lambda _: log, opened)
    else:
        invitation = parse_invitation(sys.stdin.readline())
        take_orders(player)
        work = join(who, player, invitation, listening, lambda _: log)
    session = await work
    if session is not None:
        tell(**result_to_json(session.ledger))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, help="host a table of so many")
    parser.add_argument("--name", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--game", default="tienlen")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--listen", default="*")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--advertise", action="append", default=[])
    run(sit(parser.parse_args()))


if __name__ == "__main__":
    main()
