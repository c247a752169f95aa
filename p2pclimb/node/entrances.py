"""How a node comes to be: hosting a lobby or joining one, with everything closed at the end."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from p2pclimb.games.options import Options
from p2pclimb.ledger.past import Past
from p2pclimb.ledger.terms import Terms
from p2pclimb.lobby.guest import GuestLobby
from p2pclimb.lobby.host import HostLobby
from p2pclimb.net.address import Address, local_addresses
from p2pclimb.net.admission import Admission
from p2pclimb.net.frames import RosterSeat
from p2pclimb.net.invitation import Invitation
from p2pclimb.net.links import Links
from p2pclimb.node.lobbies import FindPast, GuestSide, HostSide
from p2pclimb.node.node import Node, Who
from p2pclimb.node.player import Player
from p2pclimb.table.session import Session

__all__ = ["LOOPBACK", "Listening", "host", "join"]

_WILDCARD = "*"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a node listens (`*`: everywhere, port 0: any), and what it says about that.

    `advertised` are the addresses that others are told; empty: the best guess.
    """

    host: str = _WILDCARD
    port: int = 0
    advertised: tuple[Address, ...] = ()

    def addresses(self, port: int) -> tuple[Address, ...]:
        """Return where others can dial this node when it listens on `port`."""
        if self.advertised:
            return self.advertised
        return local_addresses(port) if self.host == _WILDCARD else (Address(self.host, port),)


async def host(
    who: Who,
    player: Player,
    options: Options,
    seats: int,
    listening: Listening,
    log_path: Callable[[Terms], Path],
    opened: Callable[[HostLobby], None],
    past: Past | None = None,
) -> Session | None:
    """Host a table of `seats` seats and play at it; `opened` is called when guests can come.

    `past` is an earlier table whose scores count on.

    Returns this seat's session as it stands at the end, None if no terms were accepted.
    Raises OptionsError if the rules are not for that many, NetworkError if the port cannot be had.
    """
    options.require_seats(seats)
    admission = Admission(lobby_open=True)
    public, secret = who.identity.curve_key_pair()
    links = await Links.open(public, secret, listening.host, listening.port, admission)
    try:
        addresses = listening.addresses(links.port)
        own = RosterSeat(who.name, who.identity.public, public, 0, who.is_bot, addresses)
        free: list[RosterSeat | None] = [None] * (seats - 1)
        places = [own, *free]
        lobby = HostLobby(
            os.urandom(16), options, places, admission, addresses, os.urandom, past=past
        )
        node = Node(who, player, links, admission, addresses, log_path, os.urandom)
        opened(lobby)
        await node.run(HostSide(node, lobby))
    finally:
        await links.close()
    return node.session


async def join(
    who: Who,
    player: Player,
    invitation: Invitation,
    listening: Listening,
    log_path: Callable[[Terms], Path],
    find_past: FindPast = lambda table_id: None,
) -> Session | None:
    """Take a seat at the table that an invitation is for, and play.

    `find_past` looks for this player's own log of the table that scores are carried on from.
    Returns this seat's session as it stands at the end, None if no terms were accepted.

    Raises AdmissionError when the host refuses, NetworkError when it cannot be reached.
    """
    admission = Admission()
    public, secret = who.identity.curve_key_pair()
    links = await Links.open(public, secret, listening.host, listening.port, admission)
    try:
        addresses = listening.addresses(links.port)
        node = Node(who, player, links, admission, addresses, log_path, os.urandom)
        lobby = GuestLobby(invitation, who.identity, who.name, who.is_bot)
        await node.run(GuestSide(node, lobby, find_past))
    finally:
        await links.close()
    return node.session
