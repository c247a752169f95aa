"""Where the program keeps its files: one root, and everything under it.

Directories are created when something is first written to them (`files.ensure_directory`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from p2pclimb.errors import UsageError
from p2pclimb.names import printable
from p2pclimb.store.files import store_errors

__all__ = ["HOME_VARIABLE", "LOG_SUFFIX", "Paths", "find_paths"]

HOME_VARIABLE = "P2PCLIMB_HOME"
LOG_SUFFIX = ".climb"

_TABLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class Paths:
    """The files under one root directory."""

    root: Path

    @property
    def identity(self) -> Path:
        """The player's identity file."""
        return self.root / "identity"

    @property
    def contacts(self) -> Path:
        """The keys of players met before."""
        return self.root / "contacts.toml"

    @property
    def tables(self) -> Path:
        """The directory of the logs, one file a table."""
        return self.root / "tables"

    def log(self, table: str) -> Path:
        """Return the path of a table's log.

        Raises `UsageError` for a name that is not letters, digits, hyphens and underscores.
        """
        if not _TABLE_NAME.fullmatch(table):
            raise UsageError(
                f"{printable(table)!r} cannot name a table.",
                hint="Use letters, digits, hyphens and underscores.",
            )
        return self.tables / f"{table}{LOG_SUFFIX}"

    def logs(self) -> list[Path]:
        """Return the logs that are kept here, by name; raises `StoreError`."""
        with store_errors("read", self.tables):
            return sorted(self.tables.glob(f"*{LOG_SUFFIX}"))


def find_paths(data_dir: str | None, environment: Mapping[str, str]) -> Paths:
    """Return the files' places: `data_dir` before $P2PCLIMB_HOME before the system's custom.

    An empty variable counts as unset.  Raises `UsageError` for an empty `data_dir`.
    """
    if data_dir == "":
        raise UsageError("--data-dir needs the name of a directory.")
    chosen = data_dir or environment.get(HOME_VARIABLE)
    if chosen:
        return Paths(Path(chosen).expanduser().absolute())
    return Paths(platformdirs.user_data_path("p2pclimb", appauthor=False))
