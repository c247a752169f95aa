"""Domain labels: every hash and every signature of the protocol has one of its own.

The labels of proofs live with the transcript in `p2pclimb.crypto`.
"""

from __future__ import annotations

import hashlib
from enum import Enum

from p2pclimb.ledger.codec import Value, encode

__all__ = ["PROTOCOL_VERSION", "Label", "digest"]

PROTOCOL_VERSION = 1


class Label(Enum):
    """What a hash or a signature is for; each value is used for one purpose only."""

    TABLE = "p2pclimb/1 table"
    HEAD = "p2pclimb/1 head"
    ENTRY = "p2pclimb/1 entry"
    ENTRY_ID = "p2pclimb/1 entry id"
    LEAVE = "p2pclimb/1 leave"
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
