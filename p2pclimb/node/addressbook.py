"""Where the other seats of a table can be dialled: by their own word, as seen, and by hearsay.

Nothing here is trusted: a wrong address costs a dial, since whoever answers proves its CURVE key.
What one seat says of another never replaces what that seat said itself, and is not passed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, zip_longest

from p2pclimb.net.address import MAX_ADDRESSES, Address, is_dialable
from p2pclimb.net.frames import Peers

__all__ = ["MAX_DIALLED", "AddressBook"]

MAX_DIALLED = 16
"""How many addresses of one peer are dialled."""


class AddressBook:
    """The addresses of the peers, by their CURVE keys; `known` is what was kept from before."""

    def __init__(self, known: Mapping[bytes, tuple[Address, ...]]) -> None:
        self._own_word = dict(known)
        self._seen: dict[bytes, Address] = {}
        # By whoever says it, so that nobody can crowd out what the others say.
        self._hearsay: dict[bytes, Mapping[bytes, tuple[Address, ...]]] = {}

    def said(self, peer: bytes, addresses: Iterable[Address], host: str | None = None) -> None:
        """Take a peer's own word; `host` is where it has dialled this node from, if it has."""
        told = _dialable(addresses)
        if not told:
            return
        self._own_word[peer] = told
        if host is not None and host not in {address.host for address in told}:
            self._seen[peer] = Address(host, told[0].port)

    def heard(self, sender: bytes, peers: Peers) -> None:
        """Take what a peer says of itself and of others."""
        told = {key: _dialable(addresses) for key, addresses in peers.addresses}
        self.said(sender, told.pop(sender, ()))
        self._hearsay[sender] = told

    def first_hand(self) -> dict[bytes, tuple[Address, ...]]:
        """Return the addresses of every peer that are not hearsay, at most `MAX_ADDRESSES` each."""
        return {
            peer: (*told[: MAX_ADDRESSES - len(seen)], *seen)
            for peer, told in self._own_word.items()
            for seen in [[self._seen[peer]] if peer in self._seen else []]
        }

    def to_dial(self, peer: bytes) -> tuple[Address, ...]:
        """Return where a peer may be, its own word first, then some of what each other says."""
        own = self.first_hand().get(peer, ())
        others = [told.get(peer, ()) for told in self._hearsay.values()]
        in_turn = (address for row in zip_longest(*others) for address in row if address)
        return tuple(dict.fromkeys(chain(own, in_turn)))[:MAX_DIALLED]


def _dialable(addresses: Iterable[Address]) -> tuple[Address, ...]:
    return tuple(filter(is_dialable, addresses))[:MAX_ADDRESSES]
