"""Secrets sealed for keeping: authenticated encryption, and keys from passphrases.

Which secrets are kept, and in which files, is the store's business.  Source: protocol.md
section 5, "At rest".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.errors import MalformedError, UnsupportedError

__all__ = [
    "KEY_SIZE",
    "SALT_SIZE",
    "SEAL_OVERHEAD",
    "Stretching",
    "StretchingFunction",
    "default_stretching",
    "seal",
    "stretch",
    "unseal",
]

KEY_SIZE: Final = 32
SALT_SIZE: Final = 16
_NONCE_SIZE: Final = 12
SEAL_OVERHEAD: Final = _NONCE_SIZE + 16
"""How many bytes a sealed text is longer than the text: nonce and tag."""

_MAX_MEMORY: Final = 512 * 1024  # KiB
_MAX_PASSES: Final = 16
_MAX_LANES: Final = 16


class StretchingFunction(IntEnum):
    """How a passphrase becomes a key."""

    ARGON2ID = 1
    SCRYPT = 2


@dataclass(frozen=True, slots=True)
class Stretching:
    """What one guess at a passphrase costs: memory in KiB, passes over it, parallel lanes.

    Scrypt (RFC 7914) takes its N from the memory, with r = 8 each KiB is one of N, and makes one
    pass.
    """

    function: StretchingFunction
    memory: int
    passes: int
    lanes: int

    def check(self) -> None:
        """Raise MalformedError for costs that are impossible or that nobody would wait for.

        A file says what it costs to open; it must not be able to ask for a terabyte.
        """
        least = 8 * self.lanes if self.function is StretchingFunction.ARGON2ID else 2
        fits = (
            least <= self.memory <= _MAX_MEMORY
            and 1 <= self.passes <= _MAX_PASSES
            and 1 <= self.lanes <= _MAX_LANES
        )
        if self.function is StretchingFunction.SCRYPT:
            fits = fits and self.passes == 1 and self.memory.bit_count() == 1
        if not fits:
            raise MalformedError("The cost of opening a sealed text is out of bounds.")


def default_stretching() -> Stretching:
    """Return the costs for a new passphrase: about 0.2 s of a laptop, 64 MiB.

    Argon2id (RFC 9106) with its second recommended parameters; Scrypt where the cryptography
    library was built without it.
    """
    preferred = Stretching(StretchingFunction.ARGON2ID, memory=64 * 1024, passes=3, lanes=4)
    try:
        _kdf(preferred, bytes(SALT_SIZE))
    except UnsupportedAlgorithm:
        return Stretching(StretchingFunction.SCRYPT, memory=64 * 1024, passes=1, lanes=1)
    return preferred


def stretch(passphrase: bytes, salt: bytes, stretching: Stretching) -> bytes:
    """Return the key of a passphrase, `KEY_SIZE` bytes.

    Raises MalformedError for costs out of bounds and UnsupportedError where the library lacks the
    function.
    """
    stretching.check()
    try:
        return _kdf(stretching, salt).derive(passphrase)
    except UnsupportedAlgorithm as error:
        raise UnsupportedError(
            f"The cryptography library of this Python lacks {stretching.function.name.lower()}.",
            hint="Install the `cryptography` package from PyPI.",
        ) from error


def seal(key: bytes, text: bytes, associated: bytes, entropy: Entropy) -> bytes:
    """Return nonce || ciphertext || tag of ChaCha20-Poly1305 (RFC 8439).

    `associated` is bound to the text but not kept in it.  A key must seal fewer than 2^32 texts:
    nonces are drawn at random.
    """
    nonce = draw(entropy, _NONCE_SIZE)
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, text, associated)


def unseal(key: bytes, sealed: bytes, associated: bytes) -> bytes:
    """Return the text that was sealed.

    Raises MalformedError when the key, the associated data or any bit is another one.
    """
    if len(sealed) < SEAL_OVERHEAD:
        raise MalformedError("A sealed text is cut short.")
    nonce, ciphertext = sealed[:_NONCE_SIZE], sealed[_NONCE_SIZE:]
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, ciphertext, associated)
    except InvalidTag as error:
        raise MalformedError("A sealed text does not open with this key.") from error


def _kdf(stretching: Stretching, salt: bytes) -> Argon2id | Scrypt:
    match stretching.function:
        case StretchingFunction.ARGON2ID:
            return Argon2id(
                salt=salt,
                length=KEY_SIZE,
                iterations=stretching.passes,
                lanes=stretching.lanes,
                memory_cost=stretching.memory,
            )
        case StretchingFunction.SCRYPT:
            return Scrypt(salt=salt, length=KEY_SIZE, n=stretching.memory, r=8, p=stretching.lanes)
