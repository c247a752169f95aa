"""A guest's side of the lobby: asking for a seat, following the roster, reading the terms."""

from __future__ import annotations

from dataclasses import dataclass, field

from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import AdmissionError, MalformedError, OptionsError
from p2pclimb.games.options import Options
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import printable
from p2pclimb.net.address import Address
from p2pclimb.net.admission import JOIN_LABEL, join_statement
from p2pclimb.net.frames import Frame, Join, Lobby, Refused
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
        cannot be right, UnsupportedError for those of a newer program.
        """
        match frame:
            case Refused(text=text):
                raise AdmissionError(f"The host says no: {printable(text)}")
            case Lobby():
                return [RosterChanged(self._roster(frame), self._place_in(frame))]
            case TermsFrame(data):
                terms = _terms(data)
                return [TermsProposed(terms, self._own_seat(terms))]
            case _:
                return []

    def _own_seat(self, terms: Terms) -> int:
        """Return this node's seat in the terms, which must hold its own name and keys."""
        curve, _ = self.identity.curve_key_pair()
        mine = (self.name, self.identity.public, curve, self.is_bot)
        for number, seat in enumerate(terms.seats):
            if (seat.name, seat.identity, seat.curve, seat.is_bot) == mine:
                return number
        raise MalformedError("The host proposed terms that do not name this player.")

    def _place_in(self, lobby: Lobby) -> int | None:
        """Return this node's place in the roster, which closes the gaps between the seats."""
        keys = [seat.identity_key for seat in lobby.roster]
        return keys.index(self.identity.public) if self.identity.public in keys else None

    def _roster(self, lobby: Lobby) -> Roster:
        if lobby.wanted < len(lobby.roster):
            raise MalformedError("The host's roster has more players than seats.")
        if any(seat.operator >= len(lobby.roster) for seat in lobby.roster):
            raise MalformedError("The host's roster has a seat that nobody in it runs.")
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
        return Roster(Options.from_wire(lobby.options), (*guests, *free))


def _terms(data: bytes) -> Terms:
    try:
        return Terms.decode(data)
    except OptionsError as error:
        # The host's mistake, not one of this player's.
        raise MalformedError(
            f"The host proposed terms that cannot be played: {error.text}"
        ) from error
