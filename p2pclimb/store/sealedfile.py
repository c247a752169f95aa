"""What a seat keeps for itself alone, sealed: the secrets of the deals that are not settled yet.

Sealed with a key that only the player's identity gives, and bound to their names.  What is dropped
is gone from the file; a disk that writes elsewhere than it overwrites, as flash memory does, may
keep the old, sealed bytes for a while.  Source: protocol.md, What a node does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.seal import seal, unseal
from p2pclimb.errors import MalformedError
from p2pclimb.store.files import shown
from p2pclimb.store.keyedfile import Format, KeyedFile

__all__ = ["SealedFile"]

_FORMAT = Format(
    b"CLSEALS",
    1,
    "file of sealed secrets",
    "this seat cannot see its hand any more",
    "Restore it from a backup, or let the others play on without this seat.",
)


@dataclass(slots=True)
class SealedFile:
    """Secrets by their names, under one 32-byte key; made by `open`."""

    _file: KeyedFile
    _key: bytes = field(repr=False)
    _entropy: Entropy = field(repr=False)

    @classmethod
    def open(cls, path: Path, key: bytes, entropy: Entropy) -> SealedFile:
        """Read the file; a missing one is empty.

        Raises `StoreError`, `MalformedError` for damage and `UnsupportedError` for a newer format.
        """
        return cls(KeyedFile.open(path, _FORMAT), key, entropy)

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._file.path

    def secrets(self) -> Mapping[bytes, bytes]:
        """Return all secrets in the open; raises `MalformedError` when the key is another one."""
        try:
            return {
                name: unseal(self._key, sealed, name) for name, sealed in self._file.values.items()
            }
        except MalformedError as error:
            raise MalformedError(
                f"The secrets in {shown(self.path)} were sealed by another identity."
            ) from error

    def seal(self, name: bytes, secret: bytes) -> None:
        """Keep a secret, sealed and durable when this returns; raises `StoreError`."""
        self._file.put(name, seal(self._key, secret, name, self._entropy))

    def destroy(self, names: Iterable[bytes]) -> None:
        """Drop secrets; unknown names are ignored.  Raises `StoreError`."""
        self._file.drop(names)
