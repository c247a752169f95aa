"""Who may talk to this node: listed keys, guests of an open lobby, and one-time invitations.

Nothing here touches a socket or a clock: the links ask at each handshake and for each frame, and
the lobby decides whom to list.
"""

from __future__ import annotations

import enum
import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from p2pclimb.errors import AdmissionError
from p2pclimb.ledger.codec import encode

__all__ = ["JOIN_LABEL", "Admission", "Standing", "join_statement"]

JOIN_LABEL = b"p2pclimb/1 join"
_SECRET_SIZE = 16


class Standing(enum.Enum):
    """What a CURVE key may do."""

    LISTED = "listed"  # everything
    GUEST = "guest"  # ask to join, and no more
    STRANGER = "stranger"  # not even connect


def join_statement(lobby_id: bytes, host_key: bytes, curve_key: bytes, name: str) -> bytes:
    """Return what a joiner's identity key signs, under `JOIN_LABEL`.

    The joiner's CURVE key is in it so that the host may trust the link for that identity, the
    lobby and the host's CURVE key so that no other host can use the signature.
    """
    return encode([lobby_id, host_key, curve_key, name])


@dataclass(slots=True)
class _Ticket:
    secret: bytes = field(repr=False)
    redeemed_by: bytes | None = None


class Admission:
    """The state of a node's door; keys are raw CURVE public keys of 32 bytes."""

    def __init__(self, listed: Iterable[bytes] = (), *, lobby_open: bool = False) -> None:
        self._listed = set(listed)
        self._lobby_open = lobby_open
        self._tickets: list[_Ticket] = []

    def standing(self, key: bytes) -> Standing:
        """Return what the key may do now."""
        if key in self._listed:
            return Standing.LISTED
        return Standing.GUEST if self._lobby_open else Standing.STRANGER

    def admit(self, key: bytes) -> None:
        """List a key."""
        self._listed.add(key)

    def remove(self, key: bytes) -> None:
        """Take a key off the list; frames on its open connections count for nothing at once."""
        self._listed.discard(key)

    def close_lobby(self) -> None:
        """Let only listed keys connect; who is a guest becomes a stranger."""
        self._lobby_open = False

    def issue(self, entropy: Callable[[int], bytes]) -> bytes:
        """Return the new secret, 16 bytes, of an invitation that admits once."""
        ticket = _Ticket(entropy(_SECRET_SIZE))
        self._tickets.append(ticket)
        return ticket.secret

    def has_issued(self, secret: bytes) -> bool:
        """Tell whether a secret is that of an invitation to this lobby, used or not."""
        return self._find(secret) is not None

    def redeem(self, secret: bytes, identity_key: bytes) -> None:
        """Use up an invitation for one identity.

        The same identity may redeem it again, since its first answer may have been lost.  Raises
        AdmissionError if another has used it or it was never issued.  The caller has verified
        that the identity signed (`join_statement`), else a stranger's copy of the secret would
        use it up for somebody else.
        """
        ticket = self._find(secret)
        if ticket is None:
            raise AdmissionError(
                "This lobby did not issue that invitation.", hint="Ask the host for a new one."
            )
        if ticket.redeemed_by not in (None, identity_key):
            raise AdmissionError(
                "That invitation has been used by somebody else.",
                hint="Each admits one person: ask the host for another.",
            )
        ticket.redeemed_by = identity_key

    def _find(self, secret: bytes) -> _Ticket | None:
        # Every ticket is compared, in constant time, so that timing tells a guesser nothing.
        matches = [t for t in self._tickets if hmac.compare_digest(t.secret, secret)]
        return matches[0] if matches else None
