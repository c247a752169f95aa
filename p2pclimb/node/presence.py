"""Which of the other seats are here: dials those that are not, and tells the player of changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from p2pclimb.ledger.ledger import Ledger
from p2pclimb.net.address import Address
from p2pclimb.net.links import Links
from p2pclimb.node.addressbook import AddressBook
from p2pclimb.table.notices import LinkDown, LinkUp, Notice

__all__ = ["Presence"]

_LOST = "the connection was lost"
_SILENT = "it does not answer yet"
# It may take several addresses, and over a bad link some seconds, until two seats find each other.
_PATIENT_LOOKS = 3


class Presence:
    """The other seats of a table, by their peers' CURVE keys; `own` is the number of this one.

    Seats that have left the table are neither dialled nor told of.
    """

    def __init__(
        self,
        ledger: Ledger,
        own: int,
        links: Links,
        book: AddressBook,
        tell: Callable[[Notice], None],
    ) -> None:
        self.seats = {
            seat.curve: number for number, seat in enumerate(ledger.terms.seats) if number != own
        }
        self._ledger = ledger
        self._own = own
        self._links = links
        self._book = book
        self._tell = tell
        # Which seats the player was told to be here or away; at how many looks in a row each was
        # not connected, and why.
        self._told_here: dict[int, bool] = {}
        self._missed: dict[int, int] = {}
        self._reasons: dict[int, str] = {}

    @property
    def connected(self) -> Mapping[int, bool]:
        """Whether each other seat is connected to this node."""
        up = self._links.peers()
        return {number: peer in up for peer, number in self.seats.items()}

    @property
    def are_missing(self) -> bool:
        """Whether seats that have not left are not connected."""
        return bool(self._unconnected())

    def connected_peers(self) -> list[bytes]:
        """Return the peers that have a seat and are connected."""
        return [peer for peer in self._links.peers() if peer in self.seats]

    def came(self, peer: bytes) -> None:
        """Note that a seated peer has been connected."""
        seat = self.seats[peer]
        self._reasons.pop(seat, None)
        if not self._told_here.get(seat, False):
            self._told_here[seat] = True
            self._tell(LinkUp(seat))

    def went(self, peer: bytes) -> None:
        """Note that a connection of a peer has ended; it may have others."""
        if peer in self.seats and peer not in self._links.peers():
            self._tell_away(self.seats[peer], _LOST)

    def unreachable(self, peer: bytes, address: Address | None, reason: str) -> None:
        """Remember why a peer cannot be reached at one of its addresses: others may work.

        Its loopback address is of use on its own machine only, so of the others it says nothing.
        """
        others = set(self._book.to_dial(peer)) - {address}
        if peer in self.seats and not (others and address is not None and address.is_loopback):
            self._reasons[self.seats[peer]] = reason

    def dial_first(self) -> None:
        """Dial the seats that are not connected; of two seats the later one dials first."""
        for peer, number in self._unconnected():
            if number < self._own:
                self._dial(peer)

    def look(self) -> None:
        """Dial all who are not connected, and no longer those who have left."""
        missing = self._unconnected()
        for peer, seat in missing:
            if self._missed.get(seat, 0) >= _PATIENT_LOOKS:
                self._tell_away(seat, self._reasons.get(seat, _SILENT))
            self._dial(peer)
        self._missed = {seat: self._missed.get(seat, 0) + 1 for _, seat in missing}
        up = self._links.peers()
        for peer, seat in self.seats.items():
            if peer not in up and seat in self._ledger.leaves:
                self._links.undial(peer)

    def _unconnected(self) -> list[tuple[bytes, int]]:
        gone, up = self._ledger.leaves, self._links.peers()
        return [(p, seat) for p, seat in self.seats.items() if p not in up and seat not in gone]

    def _dial(self, peer: bytes) -> None:
        self._links.dial(peer, self._book.to_dial(peer))

    def _tell_away(self, seat: int, reason: str) -> None:
        """Tell that a seat is away, once until it is back, and not of one that has left."""
        ledger = self._ledger
        if self._told_here.get(seat, True) and seat not in ledger.leaves and not ledger.ended:
            self._told_here[seat] = False
            self._tell(LinkDown(seat, reason))
