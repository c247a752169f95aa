"""A player's lasting identity: one Ed25519 key, which signs everything the player does.

Here: keys, signatures under a domain label, the refusal of keys that would make signatures
meaningless, the derived keys of its connections and of its sealed files, and the fingerprint people
compare.  Keeping the key on disk is not done here.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.crypto.transcript import length_prefixed
from p2pclimb.errors import MalformedError, SignatureError

__all__ = [
    "PUBLIC_SIZE",
    "SEED_SIZE",
    "Identity",
    "check_identity_key",
    "fingerprint",
    "verify_signature",
]

SEED_SIZE: Final = 32
PUBLIC_SIZE: Final = 32

_CURVE_LABEL: Final = b"p2pclimb/1 curve key"
_SEALING_LABEL: Final = b"p2pclimb/1 sealing key"
_FINGERPRINT_LABEL: Final = b"p2pclimb/1 fingerprint"

_PRIME: Final = 2**255 - 19
_EDWARDS_D: Final = -121665 * pow(121666, -1, _PRIME) % _PRIME
_EIGHTH: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y of two points of order 8; the other two have its negative."""

_SMALL_ORDER: Final = frozenset({0, 1, _PRIME - 1, _EIGHTH, _PRIME - _EIGHTH})
"""The y of all eight points whose order divides the cofactor."""


@dataclass(frozen=True, slots=True)
class Identity:
    """An Ed25519 key (RFC 8032); made by `new` or `from_seed`."""

    public: bytes
    _private: Ed25519PrivateKey = field(repr=False, compare=False)

    @staticmethod
    def new(entropy: Entropy) -> Identity:
        """Return a fresh identity."""
        return Identity.from_seed(draw(entropy, SEED_SIZE))

    @staticmethod
    def from_seed(seed: bytes) -> Identity:
        """Return the identity of a 32-byte seed; MalformedError for another length."""
        if not isinstance(seed, bytes) or len(seed) != SEED_SIZE:
            raise MalformedError("The seed of an identity is not 32 bytes long.")
        private = Ed25519PrivateKey.from_private_bytes(seed)
        return Identity(private.public_key().public_bytes_raw(), private)

    @property
    def seed(self) -> bytes:
        """The 32 secret bytes that the identity is made of."""
        return self._private.private_bytes_raw()

    def sign(self, label: bytes, message: bytes) -> bytes:
        """Return the 64-byte signature of LP(label) || message."""
        return self._private.sign(length_prefixed(label) + message)

    def curve_key_pair(self) -> tuple[bytes, bytes]:
        """Return (public, secret), 32 bytes each: the X25519 key of this player's connections."""
        secret = self._derived(_CURVE_LABEL)
        public = X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
        return public, secret

    def sealing_key(self) -> bytes:
        """Return the 32-byte key that seals what this player keeps on disk for itself alone."""
        return self._derived(_SEALING_LABEL)

    def _derived(self, label: bytes) -> bytes:
        """Return HKDF-SHA256 (RFC 5869) of the seed, without salt: no key weakens another."""
        return HKDF(algorithm=SHA256(), length=32, salt=None, info=label).derive(self.seed)


def verify_signature(public: bytes, label: bytes, message: bytes, signature: bytes) -> None:
    """Check a signature of LP(label) || message; SignatureError if it is not one.

    `public` must have passed `check_identity_key` when its owner was admitted.
    """
    try:
        key = Ed25519PublicKey.from_public_bytes(public)
        key.verify(signature, length_prefixed(label) + message)
    except (InvalidSignature, ValueError, TypeError) as error:
        raise SignatureError("A signature does not verify.") from error


def check_identity_key(public: bytes) -> None:
    """Check that 32 bytes are an identity key that can be held to its signatures.

    Raises MalformedError for another type or length, for a second encoding of a key, for what is
    no point of the curve, and for the points of small order: under those a signature fits many
    messages, and its owner could deny any of them.
    """
    if not isinstance(public, bytes) or len(public) != PUBLIC_SIZE:
        raise MalformedError("An identity key is not 32 bytes long.")
    y = int.from_bytes(public, "little") & (1 << 255) - 1
    if y >= _PRIME:
        raise MalformedError("An identity key is not canonically encoded.")
    if y in _SMALL_ORDER:
        raise MalformedError("An identity key is of small order.")
    # x^2 = (y^2 - 1) / (d y^2 + 1); a quotient is a square exactly when the product is.
    square = (y * y - 1) * (_EDWARDS_D * y * y + 1) % _PRIME
    if pow(square, (_PRIME - 1) // 2, _PRIME) != 1:
        raise MalformedError("An identity key is no point of the curve.")


def fingerprint(public: bytes) -> str:
    """Return 100 bits of the key's hash as five groups of four letters and digits, to compare."""
    digest = hashlib.sha256(length_prefixed(_FINGERPRINT_LABEL) + public).digest()
    letters = base64.b32encode(digest[:15]).decode().lower()
    return "-".join(letters[at : at + 4] for at in range(0, 20, 4))
