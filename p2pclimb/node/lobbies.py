"""The two ways into a table: hosting a lobby, and joining one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from p2pclimb.errors import ClimbError, NetworkError, UsageError
from p2pclimb.ledger.past import Past
from p2pclimb.lobby.guest import GuestLobby
from p2pclimb.lobby.host import Announce, Answer, HostLobby, LobbyEffect
from p2pclimb.net.address import Address
from p2pclimb.net.frames import Decline, Frame, Join
from p2pclimb.table.notices import LinkDown
from p2pclimb.table.roster import LobbyClosed, RosterChanged, ScoresChecked, TermsProposed

if TYPE_CHECKING:
    from p2pclimb.node.node import Node

__all__ = ["FindPast", "GuestSide", "HostSide", "LobbySide"]

FindPast: TypeAlias = Callable[[bytes], Past | None]
"""Looks for this player's log of a table, by its id; may take seconds, so it runs in a thread."""

_PATIENCE = 12.0
_DECLINED = "declined the terms"
_LEFT = "left before the table opened"
_LOST = "the connection was lost"


class LobbySide(Protocol):
    """One side of the lobby, as the node drives it until the table is open."""

    def start(self) -> None:
        """Propose the terms (the host only); raises UsageError when that cannot be done."""

    def accept(self) -> None:
        """Accept the terms proposed last."""

    def decline(self) -> None:
        """Say no to the terms proposed last."""

    def leave(self) -> None:
        """Tell the others that this player goes."""

    def reached(self, peer: bytes) -> None:
        """Greet a peer that this node has dialled."""

    def lost(self, peer: bytes) -> None:
        """Note that a peer is not connected any more."""

    def trouble(self, peer: bytes, reason: str) -> None:
        """Note why a peer cannot be reached."""

    def receive(self, peer: bytes, frame: Frame) -> None:
        """Take a frame of the lobby."""

    def close(self) -> None:
        """Stop waiting for anything."""


class HostSide:
    """The host: lets guests in, proposes the terms, and begins anew when somebody declines."""

    def __init__(self, node: Node, lobby: HostLobby) -> None:
        self.lobby = lobby
        self._node = node

    def start(self) -> None:
        """Propose the terms to all who are here, the host's own player included.

        Raises OptionsError when the rules are not for that many, UsageError once the host has
        signed: the others may have signed too, and be at the table already.
        """
        if self._node.table is not None:
            if self._node.table.session.ledger.position.step > 0:
                raise UsageError("The table has begun already.")
            raise UsageError(
                "You have signed the terms already.",
                hint="They become void when somebody declines them or goes.",
            )
        terms, effects = self.lobby.propose()
        self._carry_out(effects)
        self._node.tell(TermsProposed(terms, 0))

    def accept(self) -> None:
        """Sign the terms proposed last."""
        terms = self.lobby.proposed
        if terms is not None and self._node.table is None:
            addresses = {seat.curve_key: seat.addresses for seat in self.lobby.seats if seat}
            self._node.open_table(terms, 0, addresses)

    def decline(self) -> None:
        """Take the host's own proposal back; everybody stays in the lobby."""
        if self._node.table is None:
            self._carry_out(self.lobby.withdraw())

    def leave(self) -> None:
        """Tell the guests that there will be no table."""
        for seat in self.lobby.seats[1:]:
            if seat is not None:
                self._node.network.send(seat.curve_key, Decline(_LEFT))

    def reached(self, peer: bytes) -> None:
        """Do nothing: the host dials nobody before the table opens."""

    def lost(self, peer: bytes) -> None:
        """Free the seat of a guest who is gone; terms with that seat are void."""
        self._carry_out(self.lobby.depart(peer, _LOST))

    def trouble(self, peer: bytes, reason: str) -> None:
        """Do nothing: what a guest sends wrongly is dropped and costs it its allowance."""

    def receive(self, peer: bytes, frame: Frame) -> None:
        """Let a guest in, or take its no."""
        match frame:
            case Join():
                self._carry_out(self.lobby.join(peer, frame))
            case Decline():
                # In our words: the guest's own would be a stranger's text on this screen.
                reason = _LEFT if self.lobby.proposed is None else _DECLINED
                self._carry_out(self.lobby.depart(peer, reason))
            case _:
                pass

    def close(self) -> None:
        """Do nothing: the host waits for nothing by itself."""

    def _carry_out(self, effects: list[LobbyEffect]) -> None:
        if self.lobby.proposed is None:
            self._node.abandon_table()
        for effect in effects:
            match effect:
                case Answer(peer, frame):
                    self._node.network.send(peer, frame)
                case Announce(notice):
                    self._node.tell(notice)


class GuestSide:
    """A guest: asks the host for a seat, and signs the terms that its player accepts.

    Scores that the terms carry on are compared with this player's own log first.
    """

    def __init__(self, node: Node, lobby: GuestLobby, find_past: FindPast) -> None:
        self.lobby = lobby
        self._node = node
        self._proposed: TermsProposed | None = None
        self._reasons: list[str] = []
        self._is_closed = False
        self._find_past = find_past
        self._checking: asyncio.Task[None] | None = None
        host = lobby.invitation.host_key
        node.admission.admit(host)
        node.network.dial(host, lobby.invitation.addresses)
        self._patience = asyncio.get_running_loop().call_later(_PATIENCE, self._give_up)

    def start(self) -> None:
        """Refuse: only the host proposes terms."""
        raise UsageError("Only the host can start the table.")

    def accept(self) -> None:
        """Sign the terms proposed last."""
        if self._proposed is not None and self._node.table is None:
            proposed = self._proposed
            self._node.open_table(proposed.terms, proposed.own_seat, self._addresses())

    def decline(self) -> None:
        """Give the seat back: there is no table with these terms for this player."""
        if self._proposed is not None:
            self._say_no(_DECLINED)
            self._node.tell(LobbyClosed("you declined the terms"))

    def leave(self) -> None:
        """Give the seat back."""
        self._say_no(_LEFT)

    def reached(self, peer: bytes) -> None:
        """Ask the host for a seat."""
        if peer == self.lobby.invitation.host_key:
            self._node.network.send(peer, self.lobby.request(self._node.listening))

    def lost(self, peer: bytes) -> None:
        """Note that the host is gone; it is dialled again until it is back."""
        if peer == self.lobby.invitation.host_key:
            self._node.tell(LinkDown(0, f"{_LOST}; trying again"))

    def trouble(self, peer: bytes, reason: str) -> None:
        """Remember why the host cannot be reached."""
        if peer == self.lobby.invitation.host_key and reason not in self._reasons:
            self._reasons.append(reason)

    def receive(self, peer: bytes, frame: Frame) -> None:
        """Take what the host says; nobody else has a say in the lobby."""
        if peer != self.lobby.invitation.host_key:
            return
        if isinstance(frame, Decline):
            if not self._is_closed:
                self._is_closed = True
                self._node.tell(LobbyClosed("the host closed it"))
            return
        try:
            notices = self.lobby.receive(frame)
        except ClimbError as error:
            self._node.fail(error)
            return
        self._patience.cancel()
        for notice in notices:
            if isinstance(notice, TermsProposed | RosterChanged):
                self._node.abandon_table()
                self._stop_checking()
                self._proposed = notice if isinstance(notice, TermsProposed) else None
            if isinstance(notice, TermsProposed) and notice.terms.carried is not None:
                self._checking = asyncio.create_task(self._check_scores(notice))
            else:
                self._node.tell(notice)

    def close(self) -> None:
        """Stop waiting for the host."""
        self._patience.cancel()
        self._stop_checking()

    async def _check_scores(self, proposal: TermsProposed) -> None:
        """Compare the scores carried on with those of the own log, then tell of the terms."""
        terms = proposal.terms
        assert terms.carried is not None
        try:
            past = await asyncio.to_thread(self._find_past, terms.carried.table)
            own = past.carried(terms.seats) if past is not None else None
        except Exception as error:
            self._node.fail(error)
            return
        self._node.tell(proposal)
        self._node.tell(ScoresChecked(terms, own))

    def _stop_checking(self) -> None:
        if self._checking is not None:
            self._checking.cancel()

    def _say_no(self, reason: str) -> None:
        self._node.network.send(self.lobby.invitation.host_key, Decline(reason))

    def _addresses(self) -> dict[bytes, tuple[Address, ...]]:
        host = {self.lobby.invitation.host_key: self.lobby.invitation.addresses}
        return {**self.lobby.addresses, **host}

    def _give_up(self) -> None:
        reasons = " ".join(self._reasons) or "Nobody answers at the addresses of the invitation."
        self._node.fail(NetworkError(reasons, hint="Ask the host whether the table is still open."))
