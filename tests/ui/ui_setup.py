"""A simulated table with a person in seat 0: the person's player, bots, no network."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from simulator import Simulator

from p2pclimb.ledger.entry import Kind
from p2pclimb.seat.decisions import Decision
from p2pclimb.table.effects import Effect
from p2pclimb.table.notices import LinkUp, NextDealWaits, Notice
from p2pclimb.table.session import Session
from p2pclimb.ui.plain import PlainPlayer


class PlayedTable(Simulator):
    """A `TableControl` for seat 0 over a simulated table whose other seats are bots."""

    def __init__(
        self,
        seed: object,
        seats: int,
        player: PlainPlayer,
        settings: Mapping[str, object] = {},
        game: str = "tienlen/1",
    ) -> None:
        super().__init__(seed, seats, settings, game=game)
        self.person = player
        self.left = False
        self.adjourned = False
        self.resting = False
        self.calls: list[str] = []
        self._acted = asyncio.Event()

    # What the player sees.

    @property
    def session(self) -> Session:
        return self.nodes[0].session

    @property
    def links(self) -> Mapping[int, bool]:
        return dict.fromkeys(range(1, len(self.nodes)), True)

    # What the player does.

    def play(self, decision: Decision) -> None:
        self._act(self.session.play(decision))

    def ready(self) -> None:
        self.calls.append("ready")
        self.resting = False
        self._act(self.session.ready())

    def pause(self, asks: bool) -> None:
        self.calls.append(f"pause {asks}")

    def leave(self) -> None:
        self.left = True
        self._act(self.session.leave())

    def adjourn(self) -> None:
        self.adjourned = True

    def accept(self) -> None:
        self.calls.append("accept")

    def decline(self) -> None:
        self.calls.append("decline")

    def start(self) -> None:
        self.calls.append("start")

    def _act(self, effects: list[Effect]) -> None:
        self._carry_out(0, effects)
        self._acted.set()

    def _react(self, seat: int, notice: Notice) -> None:
        if seat == 0:
            self.resting = self.resting or isinstance(notice, NextDealWaits)
            self.person.told(notice)
        else:
            super()._react(seat, notice)

    # The world going on around the player.

    async def host(self) -> None:
        """Play the table with the person until it ends for both, or the person leaves."""
        playing = asyncio.create_task(self.person.run(self))
        await asyncio.sleep(0)
        for seat in self.links:
            self.person.told(LinkUp(seat))
        self.run(until=lambda _: True)
        while not playing.done() and not self.session.ledger.ended:
            if self._waits_for_person():
                self._acted.clear()
                acting = asyncio.create_task(self._acted.wait())
                await asyncio.wait({playing, acting}, return_when=asyncio.FIRST_COMPLETED)
                acting.cancel()
            else:
                self.step()
                await asyncio.sleep(0)
        await playing

    def step(self) -> None:
        """Let one thing happen."""
        before = self.clock, self.order
        self.go_on(until=lambda sim: (sim.clock, sim.order) != before)

    def _waits_for_person(self) -> bool:
        is_claim = self.session.ledger.position.stage.kind is Kind.CLAIM
        return self.resting or (self.session.awaits_player and not is_claim)
