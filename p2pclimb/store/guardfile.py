"""The sign guard on disk: which bytes were signed at which place that is not settled.

After a crash the node resends exactly these bytes and never signs another body for the place.
What a place or a signature is, and when a place is settled, is not known here.  Source:
protocol.md, What a node does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from p2pclimb.errors import StoreError
from p2pclimb.store.keyedfile import Format, KeyedFile

__all__ = ["GuardFile"]

_FORMAT = Format(
    b"CLGUARD",
    1,
    "sign guard",
    "it is unknown what was signed",
    "Keep the file, and let the others play on without this seat.",
)


@dataclass(slots=True)
class GuardFile:
    """What was signed at each place; made by `open`.  The file is as new as the object."""

    _file: KeyedFile

    @classmethod
    def open(cls, path: Path) -> GuardFile:
        """Read the guard; a missing file is an empty one.

        Raises `StoreError`, `MalformedError` for damage (an empty guard instead could sign twice)
        and `UnsupportedError` for a newer format.
        """
        return cls(KeyedFile.open(path, _FORMAT))

    @property
    def path(self) -> Path:
        """Where the guard is."""
        return self._file.path

    @property
    def signed(self) -> Mapping[bytes, bytes]:
        """What was signed at each place."""
        return self._file.values

    def remember(self, place: bytes, signed: bytes) -> None:
        """Keep what is about to be signed at `place`, durable when this returns.

        The same bytes again are welcome.  Raises `StoreError` when other bytes are kept for the
        place, when a size is out of bounds and when the file cannot be written; then nothing has
        changed and nothing may be signed.
        """
        kept = self.signed.get(place)
        if kept is not None and kept != signed:
            raise StoreError("The sign guard holds another signature for this place.")
        if kept is None:
            self._file.put(place, signed)

    def forget(self, places: Iterable[bytes]) -> None:
        """Drop places that are settled; unknown ones are ignored.  Raises `StoreError`."""
        self._file.drop(places)
