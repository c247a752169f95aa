"""Where a node listens, and what it tells the others about that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2pclimb.net.address import Address, local_addresses
from p2pclimb.store.peersfile import Whereabouts

__all__ = ["LOOPBACK", "Listening"]

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

    def whereabouts(self, port: int, peers: Mapping[bytes, tuple[Address, ...]]) -> Whereabouts:
        """Return what is kept for coming back: where this node is, on `port`, and its peers."""
        return Whereabouts(self.host, port, self.advertised, peers)
