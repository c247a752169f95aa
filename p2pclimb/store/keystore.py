"""The identity file: the player's name and key, sealed under a passphrase when there is one.

Without a passphrase only the file's mode (0600) protects the key; whoever writes one has to say
so.  Signing is `crypto.identity`'s; asking for passphrases is the command line's.

    8 bytes "CLIDENT" and format version | public key (32) |
    u8 stretching function (0: not sealed) | u32 memory | u32 passes | u32 lanes | salt (16) |
    u8 length of the name | name, UTF-8 | seed (32), or nonce (12), sealed seed (32) and tag (16) |
    SHA-256 of all before

The seed is sealed with everything before it as associated data.  Source: protocol.md section 5.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.crypto.identity import SEED_SIZE, Identity
from p2pclimb.crypto.seal import (
    SALT_SIZE,
    SEAL_OVERHEAD,
    Stretching,
    StretchingFunction,
    default_stretching,
    seal,
    stretch,
    unseal,
)
from p2pclimb.errors import ClimbError, KeystoreError, MalformedError, UnsupportedError, UsageError
from p2pclimb.names import clean_name
from p2pclimb.store.files import (
    free_name,
    is_there,
    read_bounded,
    shown,
    store_errors,
    write_atomically,
)

__all__ = [
    "IdentityFile",
    "export_text",
    "import_text",
    "put_aside",
    "read_identity",
    "write_identity",
]

_MAGIC = b"CLIDENT"
_VERSION = 1
_HEADER = _MAGIC + bytes([_VERSION])
_FIXED = struct.Struct(f">8s32sB3I{SALT_SIZE}sB")
_DIGEST_SIZE = 32
_MAX_FILE = 1024  # bytes
_TEXT_PREFIX = "p2pclimb-identity:"


@dataclass(frozen=True, slots=True)
class IdentityFile:
    """An identity as it lies in its file: what needs no passphrase, and the key to `unlock`."""

    name: str
    public: bytes
    stretching: Stretching | None
    _salt: bytes = field(repr=False)
    _associated: bytes = field(repr=False)
    _body: bytes = field(repr=False)

    @property
    def is_sealed(self) -> bool:
        """Whether a passphrase is needed."""
        return self.stretching is not None

    def unlock(self, passphrase: str | None) -> Identity:
        """Return the identity; the passphrase is ignored where none is needed.

        Raises `KeystoreError` for a wrong or missing passphrase.
        """
        seed = self._body
        if self.stretching is not None:
            if passphrase is None:
                raise KeystoreError(f"The identity of {self.name} needs its passphrase.")
            seed = self._unseal(passphrase, self.stretching)
        identity = Identity.from_seed(seed)
        if identity.public != self.public:
            raise KeystoreError("The identity file holds a key that is not its own.")
        return identity

    def _unseal(self, passphrase: str, stretching: Stretching) -> bytes:
        try:
            key = stretch(_passphrase_bytes(passphrase), self._salt, stretching)
            return unseal(key, self._body, self._associated)
        except MalformedError as error:
            raise KeystoreError(
                f"This is not the passphrase of {self.name}'s identity.", hint="Try again."
            ) from error
        except MemoryError as error:
            raise KeystoreError(
                f"Opening the identity takes {stretching.memory // 1024} MiB of memory."
            ) from error


def read_identity(path: Path) -> IdentityFile:
    """Read an identity file.

    Raises `KeystoreError` when there is none or it is damaged, `UnsupportedError` for a newer
    format, `StoreError` when it cannot be read.
    """
    if not is_there(path):
        raise KeystoreError(
            f"There is no identity in {shown(path.parent)}.",
            hint="Make one with `p2pclimb id new NAME`.",
        )
    return _decode(read_bounded(path, _MAX_FILE), shown(path))


def write_identity(
    path: Path,
    name: str,
    identity: Identity,
    passphrase: str | None,
    entropy: Entropy,
    stretching: Stretching | None = None,
) -> None:
    """Write an identity, sealed if there is a passphrase; an older file is replaced at once.

    `stretching` defaults to `default_stretching()`.  Raises `UsageError` for a name without a
    printable character or an empty passphrase, `StoreError`.
    """
    name_bytes = clean_name(name).encode()
    cost = None if passphrase is None else stretching or default_stretching()
    salt = draw(entropy, SALT_SIZE) if cost else bytes(SALT_SIZE)
    numbers = (cost.function, cost.memory, cost.passes, cost.lanes) if cost else (0, 0, 0, 0)
    head = _FIXED.pack(_HEADER, identity.public, *numbers, salt, len(name_bytes)) + name_bytes
    body = identity.seed
    if passphrase is not None and cost is not None:
        body = seal(stretch(_passphrase_bytes(passphrase), salt, cost), body, head, entropy)
    write_atomically(path, head + body + hashlib.sha256(head + body).digest())


def export_text(path: Path) -> str:
    """Return an identity file as one line of text; sealed if the file is.

    Raises as `read_identity`.
    """
    read_identity(path)
    encoded = base64.b32encode(read_bounded(path, _MAX_FILE)).decode()
    return _TEXT_PREFIX + encoded.rstrip("=").lower()


def import_text(path: Path, text: str) -> Path | None:
    """Write the identity file that `export_text` made into text, however the text was wrapped.

    An identity that is there goes aside first; its new place is returned.  Raises `UsageError`
    for text that is no whole, undamaged identity, `StoreError`.
    """
    encoded = "".join(text.split()).lower()
    if not encoded.startswith(_TEXT_PREFIX):
        raise UsageError(
            "This text is not an exported identity.", hint=f"It begins with {_TEXT_PREFIX}"
        )
    encoded = encoded.removeprefix(_TEXT_PREFIX).upper()
    try:
        data = base64.b32decode(encoded + "=" * (-len(encoded) % 8))
        _decode(data, "The text")
    except (binascii.Error, ValueError, KeystoreError) as error:
        raise UsageError(
            "This text is a damaged or incomplete identity.", hint="Copy all of it again."
        ) from error
    aside = put_aside(path)
    write_atomically(path, data)
    return aside


def put_aside(path: Path) -> Path | None:
    """Rename an identity file, if there is one, and return its new place; raises `StoreError`."""
    if not is_there(path):
        return None
    aside = free_name(path, "old")
    with store_errors("rename", path):
        path.rename(aside)
    return aside


def _decode(data: bytes, name: str) -> IdentityFile:
    if data[: len(_MAGIC)] == _MAGIC and data[len(_MAGIC) : len(_HEADER)] > bytes([_VERSION]):
        raise UnsupportedError(f"{name} has a newer identity format.", hint="Update p2pclimb.")
    content, digest = data[:-_DIGEST_SIZE], data[-_DIGEST_SIZE:]
    if digest != hashlib.sha256(content).digest():
        raise _damaged(name)
    try:
        return _decode_content(content)
    except (struct.error, ValueError, ClimbError) as error:
        raise _damaged(name) from error


def _decode_content(content: bytes) -> IdentityFile:
    magic, public, function, *costs, salt, length = _FIXED.unpack_from(content)
    end = _FIXED.size + length
    name, body = content[_FIXED.size : end].decode(), content[end:]
    stretching = None
    if function:
        stretching = Stretching(StretchingFunction(function), *costs)
        stretching.check()
    size = SEED_SIZE + (SEAL_OVERHEAD if stretching else 0)
    if magic != _HEADER or len(body) != size or clean_name(name) != name:
        raise MalformedError("The fields of an identity file do not fit.")
    return IdentityFile(name, public, stretching, salt, content[:end], body)


def _damaged(name: str) -> KeystoreError:
    return KeystoreError(
        f"{name} is damaged or is no identity file.",
        hint="Bring the identity back with `p2pclimb id import` from an exported text.",
    )


def _passphrase_bytes(passphrase: str) -> bytes:
    if not passphrase:
        raise UsageError("A passphrase cannot be empty.")
    # Keyboards differ in how they compose accents.
    return unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogateescape")
