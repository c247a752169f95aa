"""A player's node from the lobby to the end of the table.

One event loop: the links' events and the player, until one of them ends or the disk fails.  Hosting
and joining differ in the lobby only (`lobbies.py`); once the terms are signed every node is alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import ClimbError, IllegalPlayError, UnsupportedError, UsageError
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import PlaceFilled
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import printable
from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission
from p2pclimb.net.diagnosis import Cause
from p2pclimb.net.frames import Bye, Heads, Hello, Peers, Piece, Records
from p2pclimb.net.links import Links
from p2pclimb.net.switchboard import Incoming, LinkDown, LinkEvent, LinkUp, Reached, Trouble
from p2pclimb.net.wire import HIGHEST_VERSION, LOWEST_VERSION, common_version
from p2pclimb.node.journal import Journal
from p2pclimb.node.listening import Listening
from p2pclimb.node.lobbies import LobbySide
from p2pclimb.node.player import Player
from p2pclimb.node.table import Table
from p2pclimb.seat.decisions import Decision
from p2pclimb.seat.duties import Seat
from p2pclimb.table.effects import Effect
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice
from p2pclimb.table.session import Session

__all__ = ["Node", "Who"]

# How long to wait for the others' last records: when a table has ended all are there to finish, and
# when this player goes nobody should hold it up.
_SETTLE_AT_THE_END = 15.0
_SETTLE_ON_LEAVING = 3.0
_HANDING_OVER = 5.0
# What a peer that can be reached does wrong; all other causes say why it cannot be reached.
_FAULTS = frozenset({Cause.BAD_FRAME, Cause.FLOOD, Cause.OTHER_VERSION})


@dataclass(frozen=True, slots=True)
class Who:
    """The player of a node: its identity, its name, and whether it is a bot."""

    identity: Identity = field(repr=False)
    name: str
    is_bot: bool = False


class Node:
    """One player's node; `log_path` gives the place of a table's log from its terms.

    It is its player's `Control`.
    """

    def __init__(
        self,
        who: Who,
        player: Player,
        links: Links,
        admission: Admission,
        listening: Listening,
        log_path: Callable[[Terms], Path],
        entropy: Entropy,
    ) -> None:
        self.who = who
        self.player = player
        self.network = links
        self.admission = admission
        self._listening = listening
        self.table: Table | None = None
        self.lobby: LobbySide | None = None
        self._log_path = log_path
        self._entropy = entropy
        self._is_open = False
        self._leaves = False
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # -- the player's side ---------------------------------------------------------------------

    @property
    def session(self) -> Session | None:
        """The session of this seat, once terms have been accepted."""
        return self.table.session if self.table else None

    @property
    def listening(self) -> tuple[Address, ...]:
        """Where others can dial this node now: addresses come and go with networks."""
        return self._listening.addresses(self.network.port)

    @property
    def links(self) -> Mapping[int, bool]:
        """Whether each other seat is connected to this node."""
        return self.table.presence.connected if self.table else {}

    def start(self) -> None:
        """Propose the terms to all who are in the lobby; see `Control`."""
        if self.lobby is None:
            raise UsageError("The table has begun already.")
        self.lobby.start()

    def accept(self) -> None:
        """Accept the terms that were proposed last."""
        if self.lobby is not None:
            self.lobby.accept()

    def decline(self) -> None:
        """Decline the terms that were proposed last, unless they were accepted; see `Control`."""
        if self.lobby is not None and self.table is None:
            self.lobby.decline()

    def play(self, decision: Decision) -> None:
        """Play, claim, offer or choose; raises PlayError with the reason, and nothing changes."""
        if self.table is None:
            raise IllegalPlayError("The table has not opened yet.")
        self.table.do(lambda session: session.play(decision))

    def ready(self) -> None:
        """Begin the next deal as far as this seat is concerned."""
        if self.table is not None:
            self.table.do(Session.ready)

    def pause(self, asks: bool) -> None:
        """Ask that nobody is passed over for a while, or do not ask so any more."""
        if self.table is not None:
            self.table.do(lambda session: session.pause(asks))

    def adjourn(self) -> None:
        """Go away and keep the seat; see `Control`."""
        if not self._is_open:
            self.leave()

    def leave(self) -> None:
        """Leave the lobby, or give notice that this seat leaves the table.

        Where this seat has signed the terms and others have not, both: some may have all signatures
        already and be at the table, some still be in the lobby.
        """
        self._leaves = True
        if self.table is not None and self.table.has_signed:
            self.table.do(Session.leave)
        if self.lobby is not None and not self._is_open:
            self.lobby.leave()
            if self.table is not None:
                # Nobody may come to the table by a signature passed on after the farewell.
                self.table.stop()

    # -- the life of the node ------------------------------------------------------------------

    async def run(self, lobby: LobbySide | None) -> None:
        """Go through the lobby, if any, and the table; return when the player's `run` does.

        Raises ClimbError for what ends the node early: a refusal, an unreachable host, a full
        disk, a broken rule.  The seat at an open table is kept unless its player has left it.
        """
        self.lobby = lobby
        events = asyncio.create_task(self._follow_links())
        playing = asyncio.create_task(self.player.run(self))
        try:
            await asyncio.wait(
                {events, playing, self._failure}, return_when=asyncio.FIRST_COMPLETED
            )
            for task in (self._failure, events, playing):
                if task.done():
                    task.result()
            await self._part()
            self._confess()
        finally:
            await self._close(events, playing)

    async def hand_over(self) -> None:
        """Give the others what they lack of a table at which this seat has nothing left to do."""
        assert self.table is not None
        events = asyncio.create_task(self._follow_links())
        settling = asyncio.create_task(self.table.settled(_HANDING_OVER, everybody=True))
        try:
            await asyncio.wait(
                {events, settling, self._failure}, return_when=asyncio.FIRST_COMPLETED
            )
            for task in (self._failure, events):
                if task.done():
                    task.result()
        finally:
            await self._close(events, settling)

    def _confess(self) -> None:
        """Raise ViolationError if this seat itself was convicted."""
        if self.session is not None:
            offence = self.session.ledger.offence_of(self.session.seat.number)
            if offence is not None:
                raise offence

    def fail(self, error: Exception) -> None:
        """End the node with an error."""
        if not self._failure.done():
            self._failure.set_exception(error)

    def tell(self, notice: Notice | LobbyNotice) -> None:
        """Tell the player, and go on from the lobby to the table when all have signed."""
        try:
            self.player.told(notice)
        except Exception as error:
            # Such as a terminal that is gone: the node ends, but what it was doing is done first.
            self.fail(error)
        if isinstance(notice, PlaceFilled) and notice.kind is Kind.OPEN and not notice.waiting:
            self._opened()

    def open_table(
        self, terms: Terms, seat: int, addresses: Mapping[bytes, tuple[Address, ...]]
    ) -> None:
        """Sign the terms; `addresses` is where the other seats can be dialled."""
        self.abandon_table()
        own = terms.seats[seat].curve
        peers = {curve: known for curve, known in addresses.items() if curve != own}
        try:
            journal = Journal.create(
                self._log_path(terms),
                self.who.identity,
                self._entropy,
                self._listening.whereabouts(self.network.port, peers),
            )
        except ClimbError as error:
            self.fail(error)
            return
        session = Session(terms, Seat(seat, self._entropy), self.who.identity)
        self._seat(session, journal).start()

    def reopen_table(self, journal: Journal, session: Session, effects: Iterable[Effect]) -> None:
        """Go on at a table that was begun; it counts as open, and its lobby as closed.

        `effects` are what the session has asked for when it had read the journal again.
        """
        self._is_open = True
        table = self._seat(session, journal)
        table.resume(effects)
        table.presence.dial_first()

    def _seat(self, session: Session, journal: Journal) -> Table:
        """Take the seat, with nothing done there yet."""
        for other in session.terms.seats:
            self.admission.admit(other.curve)
        self.table = Table(
            session, journal, self.network, lambda: self.listening, self.tell, self.fail
        )
        return self.table

    def abandon_table(self) -> None:
        """Drop a table that never opened: its terms are replaced, or somebody declined them."""
        if self.table is not None and not self._is_open:
            self.table.abandon()
            self.table = None

    def _opened(self) -> None:
        assert self.table is not None
        self._is_open = True
        self.admission.close_lobby()
        self.table.presence.dial_first()

    async def _part(self) -> None:
        """Wait until the others at an open table have what this node has.

        After a restart a seat can leave only when it has heard where the others stand.
        """
        had_ended = self.session is not None and self.session.ledger.ended
        if self.table is not None and self._leaves:
            await self.table.left(_SETTLE_ON_LEAVING)
        if self.table is not None and self._is_open:
            await self.table.settled(_SETTLE_AT_THE_END if had_ended else _SETTLE_ON_LEAVING)

    async def _close(self, events: asyncio.Task[None], playing: asyncio.Task[None]) -> None:
        try:
            for task in (events, playing):
                task.cancel()
            await asyncio.gather(events, playing, return_exceptions=True)
            if not self._failure.cancel():
                self._failure.exception()  # looked at, else asyncio complains when it is dropped
            if not self._is_open:
                self.leave()
            if self.lobby is not None:
                self.lobby.close()
            if self.table is not None and self._is_open:
                self.table.close()
            else:
                self.abandon_table()
        finally:
            await self.network.close()

    # -- the links -----------------------------------------------------------------------------

    async def _follow_links(self) -> None:
        while True:
            event = await self.network.receive()
            if self.table is not None and not self._is_open:
                # A guest may sign and go at once.  The others open the table on its signature, so
                # here too the signature must count before the going does.
                await self.table.checked()
            self._take(event)

    def _take(self, event: LinkEvent) -> None:
        if isinstance(event, Incoming):
            self._take_frame(event)
            return
        if self.lobby is not None and not self._is_open:
            _tell_lobby(self.lobby, event)
        if self.table is not None:
            if isinstance(event, Reached):
                self._say_hello(event.peer)
            _tell_table(self.table, event)

    def _take_frame(self, incoming: Incoming) -> None:
        peer, frame = incoming.peer, incoming.frame
        match frame:
            case Heads() | Records() | Piece():
                if self.table is not None:
                    self.table.receive(peer, frame)
            case Hello():
                self._take_hello(peer, frame, incoming.host)
            case Peers():
                if self.table is not None:
                    self.table.learn_addresses(peer, frame, None)
            case Bye(text=text):
                if self.table is not None:
                    self.table.fault(peer, printable(text))
            case _ if self.lobby is not None and not self._is_open:
                self.lobby.receive(peer, frame)
            case _:
                pass

    def _say_hello(self, peer: bytes) -> None:
        assert self.table is not None
        table_id = self.table.session.ledger.position.table
        hello = Hello(LOWEST_VERSION, HIGHEST_VERSION, table_id, self.listening)
        self.network.send(peer, hello)

    def _take_hello(self, peer: bytes, hello: Hello, host: str | None) -> None:
        if self.table is None:
            return
        try:
            common_version(hello)
        except UnsupportedError as error:
            self.network.send(peer, Bye(error.code, error.diagnostics()))
            self.table.fault(peer, error.diagnostics())
            return
        if hello.table_id != self.table.session.ledger.position.table:
            self.network.send(peer, Bye("other-table", "This node is at another table."))
            return
        self.table.learn_addresses(peer, hello.addresses, host)


def _tell_lobby(lobby: LobbySide, event: LinkEvent) -> None:
    match event:
        case Reached(peer):
            lobby.reached(peer)
        case LinkDown(peer):
            lobby.lost(peer)
        case Trouble(peer, _, diagnosis):
            lobby.trouble(peer, diagnosis.text)
        case _:
            pass


def _tell_table(table: Table, event: LinkEvent) -> None:
    match event:
        case LinkUp(peer):
            table.link_up(peer)
        case LinkDown(peer):
            table.link_down(peer)
        case Trouble(peer, _, diagnosis) if diagnosis.cause in _FAULTS:
            table.fault(peer, diagnosis.text)
        case Trouble(peer, address, diagnosis):
            table.presence.unreachable(peer, address, diagnosis.text)
        case _:
            pass
