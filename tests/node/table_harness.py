"""Whole nodes on loopback in one event loop: bots that can be held, made to decline and cut off."""

import asyncio
import contextlib
import random

from simulator import seeded_entropy

from p2pclimb.audit.audit import audit
from p2pclimb.bots import strategy
from p2pclimb.crypto.identity import Identity
from p2pclimb.games.options import Options
from p2pclimb.net.loop import run
from p2pclimb.node.bot_player import BotPlayer
from p2pclimb.node.entrances import host, join, resume
from p2pclimb.node.listening import LOOPBACK, Listening
from p2pclimb.node.node import Who
from p2pclimb.store.logfile import read_log
from p2pclimb.table.roster import TermsProposed

NAMES = ("Ana", "Binh", "Chi", "Dung")


def in_a_loop(test, seconds=120):
    """Run an asynchronous test to its end, in bounded time and without a leaked task."""

    async def bounded():
        async with asyncio.timeout(seconds):
            await test()
        assert len(asyncio.all_tasks()) == 1, "a task was left behind"

    run(bounded())


async def eventually(condition):
    """Wait until a condition holds that no event tells of."""
    while not condition():
        await asyncio.sleep(0.002)


def have_one_history(players):
    """Whether nobody's history differs from another's as far as both go.

    Of those who go at the same moment none waits for the farewells of the others.
    """
    histories = [player.ledger.position.heads for player in players]
    shortest = min(map(len, histories))
    return len({heads[:shortest] for heads in histories}) == 1


class Player(BotPlayer):
    """A bot that remembers what it was told; it stops before its turn number `held_at`."""

    def __init__(self, name, held_at=None):
        self.told_of = []
        super().__init__(strategy("basic"), random.Random(name), overhear=self.told_of.append)
        self.node = None
        self.declines = False
        self.held_at = held_at
        self.turns = 0
        self.released = asyncio.Event()

    @property
    def is_held(self):
        return (
            self.held_at is not None and self.turns >= self.held_at and not self.released.is_set()
        )

    def told(self, notice):
        if self.declines and isinstance(notice, TermsProposed):
            self.told_of.append(notice)
            asyncio.get_running_loop().call_soon(self.node.decline)
        else:
            super().told(notice)

    async def run(self, table):
        self.node = table
        await super().run(table)

    async def _play(self, table, seat):
        if table.session is not None and seat == table.session.seat.number:
            self.turns += 1
            if self.is_held:
                await self.released.wait()
        await super()._play(table, seat)

    def heard(self, kind):
        return [notice for notice in self.told_of if isinstance(notice, kind)]

    @property
    def session(self):
        return self.node.session

    @property
    def ledger(self):
        return self.node.session.ledger


class Friends:
    """A host and guests, each a task of this loop; what they leave behind is in `directory`.

    `past` is the earlier table that the host goes on from, and `find_past` gives for a guest's name
    how it looks for its own log of that table.
    """

    def __init__(self, directory, seats, game="tienlen", **settings):
        self.directory = directory
        self.seats = seats
        self.options = Options.make(game, {"deals": 1, **settings})
        self.players = {}
        self.tasks = {}
        self.lobby = None
        self.past = None
        self.find_past = lambda name: lambda table_id: None
        self.log_path_of = lambda name: directory / f"{name}.climb"

    def who(self, name):
        return Who(Identity.new(seeded_entropy(name)), name, is_bot=True)

    def player(self, name, held_at=None):
        self.players[name] = Player(name, held_at)
        return self.players[name]

    def _start(self, name, work):
        self.tasks[name] = asyncio.create_task(work)

    async def open(self, name="Ana", *, held_at=None, port=0):
        """Host the table, and wait until guests can come."""
        opened = asyncio.Event()

        def tell(lobby):
            self.lobby = lobby
            opened.set()

        player = self.player(name, held_at)
        where = self.log_path_of(name)
        listening = Listening(LOOPBACK, port)
        self._start(
            name,
            host(
                self.who(name),
                player,
                self.options,
                self.seats,
                listening,
                lambda _: where,
                tell,
                self.past,
            ),
        )
        await opened.wait()
        return player

    def come(self, name, *, who=None, held_at=None, invitation=None, advertised=()):
        """Let a guest ask for a seat; `advertised` is where it says that it can be dialled."""
        player = self.player(name, held_at)
        invitation = invitation or self.lobby.invite()
        where = self.log_path_of(name)
        listening = Listening(LOOPBACK, advertised=advertised)
        self._start(
            name,
            join(
                who or self.who(name),
                player,
                invitation,
                listening,
                lambda _: where,
                self.find_past(name),
            ),
        )
        return player

    async def come_in(self, name, **how):
        """Let a guest come, and wait until it is in the lobby."""
        player = self.come(name, **how)
        await eventually(lambda: name in self.names_in_the_lobby())
        return player

    def come_back(self, name, *, who=None, held_at=None, listening=None):
        """Let somebody who was there before come back to the table."""
        player = self.player(name, held_at)
        where = self.log_path_of(name)
        self._start(name, resume(who or self.who(name), player, where, listening))
        return player

    async def sit(self, held_at=None):
        """Host, let everybody come, and return the players in seat order."""
        await self.open(held_at=held_at and held_at.get("Ana"))
        for name in NAMES[1 : self.seats]:
            await self.come_in(name, held_at=held_at and held_at.get(name))
        return list(self.players.values())

    def names_in_the_lobby(self):
        return [seat.name for seat in self.lobby.seats if seat]

    async def stand_still(self, turn=2):
        """Play until somebody is held in the middle of the deal; return all and the one held.

        All stand at the same position then: what was on its way to anybody has arrived.
        """
        players = await self.sit(held_at=dict.fromkeys(NAMES, turn))
        await eventually(lambda: any(player.is_held for player in players))
        await eventually(lambda: len({player.ledger.position.previous for player in players}) == 1)
        return players, next(player for player in players if player.is_held)

    def release(self):
        """Let everybody who is held play on."""
        for player in self.players.values():
            player.held_at = None
            player.released.set()

    async def end(self, *names):
        """Wait until these (default: all) have ended by themselves, and return their sessions."""
        names = names or tuple(self.tasks)
        return [await self.tasks[name] for name in names]

    async def cut_off(self, name):
        """Let a node vanish as if its machine had lost power: it says nothing any more."""
        node = self.players[name].node
        node.leave = lambda: None  # the lobby
        if node.table is not None:
            node.table.stop()
        await self.stop(name)

    async def stop(self, *names):
        for name in names or tuple(self.tasks):
            self.tasks[name].cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.tasks[name]

    def verdict(self, *names):
        """Return the verdict of an audit of somebody's log, or of several people's together."""
        return self.report(*names).verdict

    def report(self, *names):
        """Return what an audit says of somebody's log, or of several people's logs together."""
        logs = (read_log(self.log_path_of(name)).records for name in names)
        records = dict.fromkeys(record.payload for log in logs for record in log)
        return audit(records)


@contextlib.asynccontextmanager
async def friends(directory, seats, **settings):
    """Yield friends, and stop whoever is still there at the end."""
    table = Friends(directory, seats, **settings)
    try:
        yield table
    finally:
        for task in table.tasks.values():
            task.cancel()
        await asyncio.gather(*table.tasks.values(), return_exceptions=True)
