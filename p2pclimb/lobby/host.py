"""The host's lobby: invitations, who comes in, and the terms that are proposed to all.

The host has no rights beyond the lobby: once all have signed the terms, every seat is alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.identity import check_identity_key, verify_signature
from p2pclimb.errors import AdmissionError, ClimbError, UsageError
from p2pclimb.games.options import Options
from p2pclimb.ledger.past import Past
from p2pclimb.ledger.terms import SeatTerms, Terms
from p2pclimb.names import clean_name, name_key, printable
from p2pclimb.net.address import Address
from p2pclimb.net.admission import JOIN_LABEL, Admission, join_statement
from p2pclimb.net.frames import Frame, Join, Lobby, Refused, RosterSeat, Welcome
from p2pclimb.net.frames import Terms as TermsFrame
from p2pclimb.net.invitation import Invitation, InvitationKind
from p2pclimb.table.roster import (
    Guest,
    GuestCame,
    GuestRefused,
    GuestWent,
    LobbyNotice,
    Roster,
    RosterChanged,
)

__all__ = ["Announce", "Answer", "HostLobby", "LobbyEffect"]

_REFUSALS_TOLD = 8
# Whoever comes, or changes its name, makes what is proposed void for all: bad luck a few times, but
# nobody may do so for ever.
_MOST_COMINGS = 16


@dataclass(frozen=True, slots=True)
class Answer:
    """A frame for one peer."""

    peer: bytes
    frame: Frame


@dataclass(frozen=True, slots=True)
class Announce:
    """Something for this node's own user interface."""

    notice: LobbyNotice


LobbyEffect = Answer | Announce


@dataclass(slots=True)
class HostLobby:
    """A lobby with `seats` places; the host sits in the first.

    `addresses` is where the host can be dialled, as its invitations and the roster say.
    `past` is an earlier table whose scores count on.  `proposed` are the terms that stand: any
    change of the roster makes them void.
    """

    lobby_id: bytes
    options: Options
    seats: list[RosterSeat | None]
    admission: Admission
    addresses: tuple[Address, ...]
    entropy: Entropy = field(repr=False)
    past: Past | None = None
    proposed: Terms | None = None
    _own_bots: set[bytes] = field(default_factory=set, repr=False)
    _refusals: int = 0
    _comings: Counter[bytes] = field(default_factory=Counter, repr=False)

    @property
    def host(self) -> RosterSeat:
        """The host's own seat."""
        seat = self.seats[0]
        assert seat is not None
        return seat

    @property
    def is_full(self) -> bool:
        """Whether no seat is free."""
        return all(self.seats)

    @property
    def roster(self) -> Roster:
        """The lobby as everybody sees it."""
        return Roster(self.options, tuple(_guest(seat) for seat in self.seats))

    def invite(self, *, own_bot: bool = False) -> Invitation:
        """Return a fresh invitation, which admits once; `own_bot`: for a bot that the host runs."""
        secret = self.admission.issue(self.entropy)
        if own_bot:
            self._own_bots.add(secret)
        return Invitation(
            InvitationKind.PLAYER, self.lobby_id, self.host.curve_key, secret, self.addresses
        )

    def join(self, peer: bytes, join: Join) -> list[LobbyEffect]:
        """Give whoever asks a seat, or say why not.

        Asking again with the same identity gives the same seat: the first answer may have been
        lost, or the guest's program restarted.
        """
        try:
            self._verify(peer, join)
        except ClimbError as error:
            return self._refuse(peer, join, error.code, error.diagnostics())
        before = self._seat_of(join.identity_key)
        if before is None and self.is_full:
            return self._refuse(peer, join, "full", "All seats of this table are taken.")
        try:
            self.admission.redeem(join.secret, join.identity_key)
        except AdmissionError as error:
            return self._refuse(peer, join, error.code, error.diagnostics())
        return self._seat(peer, join, before)

    def _refuse(self, peer: bytes, join: Join, code: str, text: str) -> list[LobbyEffect]:
        answer = Answer(peer, Refused(code, text))
        if not self.admission.has_issued(join.secret):
            return [answer]  # a stranger must not be able to fill the host's screen
        # Nor must whoever has an invitation that was used, under names of its choice.
        self._refusals += 1
        if self._refusals > _REFUSALS_TOLD:
            return [answer]
        return [answer, Announce(GuestRefused(printable(join.name), text))]

    def _seat(self, peer: bytes, join: Join, held: int | None) -> list[LobbyEffect]:
        """Give whoever may have one a seat, or the one that it has held until now."""
        number = self.seats.index(None) if held is None else held
        operator = 0 if join.secret in self._own_bots else number
        seated = RosterSeat(
            join.name, join.identity_key, peer, operator, join.is_bot, join.addresses
        )
        before = self.seats[number]
        if before is not None and _guest(before) == _guest(seated):
            # Where it can be dialled is in no terms, so what is proposed still stands.
            self.seats[number] = seated
            frames: list[Frame] = [Welcome(number), self._lobby()]
            if self.proposed is not None:
                frames.append(TermsFrame(self.proposed.encode()))
            return [Answer(peer, frame) for frame in frames]
        self._comings[join.identity_key] += 1
        if self._comings[join.identity_key] > _MOST_COMINGS:
            return self._refuse(peer, join, "too-often", "You have come and gone too often.")
        if before is not None:
            self.admission.remove(before.curve_key)
        self.admission.admit(peer)
        self.seats[number] = seated
        came = _guest(seated)
        assert came is not None
        return [Answer(peer, Welcome(number)), Announce(GuestCame(number, came)), *self._changed()]

    def depart(self, peer: bytes, reason: str) -> list[LobbyEffect]:
        """Free the seat of a guest that declined or is not connected any more."""
        for number, seat in enumerate(self.seats[1:], 1):
            if seat is not None and seat.curve_key == peer:
                self.seats[number] = None
                self.admission.remove(peer)
                return [Announce(GuestWent(number, seat.name, reason)), *self._changed()]
        return []

    def propose(self) -> tuple[Terms, list[LobbyEffect]]:
        """Return the terms for those who are here, and the frames that propose them to all.

        Raises OptionsError when the rules cannot be played by that many, UsageError when nobody
        else is here or scores would be carried on for too many who are away.
        """
        present = self._present()
        if len(present) == 1:
            raise UsageError(
                "Nobody else is here yet.",
                hint="A friend is here when the lobby says who takes a seat.",
            )
        self.options.require_seats(len(present))
        seats = tuple(
            SeatTerms(seat.name, seat.identity_key, seat.curve_key, seat.operator, seat.is_bot)
            for seat in present
        )
        carried = self.past.carried(seats) if self.past is not None else None
        self.proposed = terms = Terms(self.entropy(16), self.options, seats, carried)
        proposal = TermsFrame(terms.encode())
        return terms, [Answer(seat.curve_key, proposal) for seat in present[1:]]

    def withdraw(self) -> list[LobbyEffect]:
        """Take back the terms that were proposed last; everybody stays."""
        return self._changed()

    def _verify(self, peer: bytes, join: Join) -> None:
        """Raise ClimbError unless the request's lobby, keys, signature and name are right."""
        if join.lobby_id != self.lobby_id:
            raise AdmissionError(
                "That invitation is for a lobby that is not open any more.",
                hint="Ask the host for a new one.",
            )
        check_identity_key(join.identity_key)
        if any(
            seat.curve_key == peer and seat.identity_key != join.identity_key
            for seat in self.seats
            if seat is not None
        ):
            raise AdmissionError("One connection cannot take two seats.")
        if join.identity_key == self.host.identity_key:
            raise AdmissionError(
                "The host plays with that identity already.",
                hint="Use another --data-dir for a second player on one machine.",
            )
        statement = join_statement(self.lobby_id, self.host.curve_key, peer, join.name)
        verify_signature(join.identity_key, JOIN_LABEL, statement, join.signature)
        if clean_name(join.name) != join.name:
            raise UsageError("A name must consist of printable characters.")
        if any(
            seat.identity_key != join.identity_key and name_key(seat.name) == name_key(join.name)
            for seat in self.seats
            if seat is not None
        ):
            raise UsageError(
                f"Somebody called {join.name} is here already.", hint="Join with --name OTHER."
            )

    def _seat_of(self, identity_key: bytes) -> int | None:
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.identity_key == identity_key:
                return number
        return None

    def _present(self) -> tuple[RosterSeat, ...]:
        """Return those who are here, and their operators, numbered without the free seats."""
        here = [number for number, seat in enumerate(self.seats) if seat is not None]
        seats = (seat for seat in self.seats if seat is not None)
        return tuple(replace(seat, operator=here.index(seat.operator)) for seat in seats)

    def _lobby(self) -> Lobby:
        return Lobby(self._present(), len(self.seats), list(self.options.to_wire()))

    def _changed(self) -> list[LobbyEffect]:
        """Void what was proposed and show everybody the lobby as it is now."""
        self.proposed = None
        self._refusals = 0
        lobby = self._lobby()
        answers: list[LobbyEffect] = [Answer(seat.curve_key, lobby) for seat in lobby.roster[1:]]
        return [*answers, Announce(RosterChanged(self.roster, 0))]


def _guest(seat: RosterSeat | None) -> Guest | None:
    if seat is None:
        return None
    return Guest(seat.name, seat.identity_key, seat.curve_key, seat.operator, seat.is_bot)
