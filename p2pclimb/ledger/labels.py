"""Domain labels: every hash and every signature of the protocol has one of its own.

The labels of proofs live with the transcript in `p2pclimb.crypto`.
"""

from __future__ import annotations

import hashlib
from enum import Enum

from p2pclimb.errors import UnsupportedError
from p2pclimb.ledger.codec import Value, as_int, as_list, encode

__all__ = ["PROTOCOL_VERSION", "Label", "digest", "require_version"]

PROTOCOL_VERSION = 1


class Label(Enum):
    """What a hash or a signature is for; each value is used for one purpose only."""

    TABLE = "p2pclimb/1 table"
    HEAD = "p2pclimb/1 head"
    ENTRY = "p2pclimb/1 entry"
    ENTRY_ID = "p2pclimb/1 entry id"
    LEAVE = "p2pclimb/1 leave"
    LEAVE_ID = "p2pclimb/1 leave id"
    PROMISE = "p2pclimb/1 promise"
    PROPOSAL = "p2pclimb/1 proposal"
    ACCEPT = "p2pclimb/1 accept"
    PAUSE = "p2pclimb/1 pause"
    RECORD = "p2pclimb/1 record"
    COMMITMENT = "p2pclimb/1 commitment"
    COIN = "p2pclimb/1 coin"
    TRICK_CARD = "p2pclimb/1 trick card"
    CONTEXT = "p2pclimb/1 context"


def digest(label: Label, value: Value) -> bytes:
    """Return the SHA-256 of the canonical encoding of `[label, value]`, 32 bytes.

    The encoding is injective, so two different values never share an input (protocol.md, Hashes).
    """
    return hashlib.sha256(encode([label.value, value])).digest()


def require_version(value: Value) -> None:
    """Raise UnsupportedError unless what was signed begins with this protocol's version."""
    items = as_list(value, 16)
    version = as_int(items[0] if items else 0, 0, 2**32)
    if version != PROTOCOL_VERSION:
        raise UnsupportedError(
            f"A record uses protocol version {version}; this program speaks {PROTOCOL_VERSION}.",
            hint="Use a newer p2pclimb.",
        )
