"""How a node comes to be: hosting a lobby, joining one, or coming back to a table."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from p2pclimb.errors import NetworkError
from p2pclimb.games.options import Options
from p2pclimb.ledger.past import Past
from p2pclimb.ledger.terms import Terms
from p2pclimb.lobby.guest import GuestLobby
from p2pclimb.lobby.host import HostLobby
from p2pclimb.net.admission import Admission
from p2pclimb.net.frames import RosterSeat
from p2pclimb.net.invitation import Invitation
from p2pclimb.net.links import Links
from p2pclimb.node.journal import Journal, OpenedJournal
from p2pclimb.node.listening import Listening
from p2pclimb.node.lobbies import FindPast, GuestSide, HostSide
from p2pclimb.node.node import Node, Who
from p2pclimb.node.player import Player
from p2pclimb.node.rereading import read_again
from p2pclimb.store.peersfile import Whereabouts
from p2pclimb.table.session import Session

__all__ = ["host", "join", "resume"]


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
        node = Node(who, player, links, admission, listening, log_path, os.urandom)
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
        node = Node(who, player, links, admission, listening, log_path, os.urandom)
        lobby = GuestLobby(invitation, who.identity, who.name, who.is_bot)
        await node.run(GuestSide(node, lobby, find_past))
    finally:
        await links.close()
    return node.session


async def resume(
    who: Who,
    player: Player,
    log: Path,
    listening: Listening | None,
    back: Callable[[OpenedJournal], None] = lambda opened: None,
) -> Session:
    """Come back to the seat at a table whose log is here, and play on; anybody can, host or not.

    `listening` is None to listen where this node did, on another port if that one is taken.  `back`
    is called when the others can come.  Where nothing is left to play, the others get what they
    lack.  Returns this seat's session as it stands at the end.

    Raises AdmissionError if the identity has no seat there, LockedError if another process has it,
    StoreError and MalformedError for files that cannot be used, NetworkError if there is no port.
    """
    with Journal.open(log, who.identity, os.urandom) as opened:
        session, effects = await read_again(opened, who.identity, os.urandom)
        admission = Admission(seat.curve for seat in opened.terms.seats)
        links, where = await _listen_again(who, opened.journal.whereabouts, listening, admission)
        try:
            node = Node(who, player, links, admission, where, lambda _: log, os.urandom)
            node.reopen_table(opened.journal, session, effects)
            back(opened)
            is_over = session.ledger.ended or session.has_left
            await (node.hand_over() if is_over else node.run(None))
        finally:
            await links.close()
    return session


async def _listen_again(
    who: Who, before: Whereabouts, wanted: Listening | None, admission: Admission
) -> tuple[Links, Listening]:
    keys = who.identity.curve_key_pair()
    if wanted is not None:
        return await Links.open(*keys, wanted.host, wanted.port, admission), wanted
    where = Listening(before.host, before.port, before.advertised)
    try:
        return await Links.open(*keys, where.host, where.port, admission), where
    except NetworkError:
        # Another program may have the port by now; the others are told of the new one.
        where = Listening(before.host, 0, before.advertised)
        return await Links.open(*keys, where.host, where.port, admission), where
