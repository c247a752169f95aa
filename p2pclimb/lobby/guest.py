"""A guest's side of the lobby: asking for a seat, following the roster, reading the terms."""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import AdmissionError, ClimbError, MalformedError
from p2pclimb.games.options import Options
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import printable
from p2pclimb.net.address import Address
from p2pclimb.net.admission import JOIN_LABEL, join_statement
from p2pclimb.net.frames import Frame, Join, Lobby, Refused, Welcome
from p2pclimb.net.frames import Terms as TermsFrame
from p2pclimb.net.invitation import Invitation
from p2pclimb.table.roster import Guest, LobbyNotice, Roster, RosterChanged, TermsProposed

__all__ = ["GuestLobby"]


@dataclass(slots=True)
class GuestLobby:
    """What a guest knows of the lobby that its invitation is for."""

    invitation: Invitation
    identity: Identity = field(repr=False)
    name: str
    is_bot: bool
    seat: int | None = None
    addresses: dict[bytes, tuple[Address, ...]] = field(default_factory=dict)

    def request(self, listening: tuple[Address, ...]) -> Join:
        """Return the signed request for a seat; `listening` is where this node can be dialled."""
        invitation = self.invitation
        curve, _ = self.identity.curve_key_pair()
        statement = join_statement(invitation.lobby_id, invitation.host_key, curve, self.name)
        return Join(
            invitation.lobby_id,
            invitation.secret,
            self.name,
            self.identity.public,
            self.identity.sign(JOIN_LABEL, statement),
            listening,
            self.is_bot,
        )

    def receive(self, frame: Frame) -> list[LobbyNotice]:
        """Take a frame of the host.

        Raises AdmissionError when the host refuses, MalformedError for terms or a roster that
        cannot be right.
        """
        match frame:
            case Welcome(seat):
                self.seat = seat
                return []
            case Refused(text=text):
                raise AdmissionError(printable(text))
            case Lobby():
                return [RosterChanged(self._roster(frame), self.seat)]
            case TermsFrame(data):
                terms = Terms.decode(data)
                return [TermsProposed(terms, self._own_seat(terms))]
            case _:
                return []

    def _own_seat(self, terms: Terms) -> int:
        """Return this node's seat in the terms, which must hold its own name and keys."""
        curve, _ = self.identity.curve_key_pair()
        mine = (self.name, self.identity.public, curve)
        for number, seat in enumerate(terms.seats):
            if (seat.name, seat.identity, seat.curve) == mine:
                return number
        raise MalformedError("The host proposed terms that do not name this player.")

    def _roster(self, lobby: Lobby) -> Roster:
        if lobby.wanted < len(lobby.roster):
            raise MalformedError("The host's roster has more players than seats.")
        self.addresses = {seat.curve_key: seat.addresses for seat in lobby.roster}
        guests: list[Guest | None] = [
            Guest(
                printable(seat.name),
                seat.identity_key,
                seat.curve_key,
                seat.operator,
                seat.is_bot,
            )
            for seat in lobby.roster
        ]
        free = [None] * (lobby.wanted - len(guests))
        return Roster(_options(lobby), (*guests, *free))


def _options(lobby: Lobby) -> Options:
    try:
        return Options.from_wire(lobby.options)
    except MalformedError:
        raise
    except ClimbError as error:
        raise MalformedError(error.text) from error
