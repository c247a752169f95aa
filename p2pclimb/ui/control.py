"""What a player at a table may do: the intents that a user interface hands to its node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from p2pclimb.games.moves import Play
from p2pclimb.table.session import Session

__all__ = ["TableControl"]


class TableControl(Protocol):
    """A table as its own player holds it, from the lobby to the end.

    All methods return at once; what comes of them is told as notices.
    """

    @property
    def session(self) -> Session | None:
        """The session, once the terms are signed; None in the lobby."""

    @property
    def links(self) -> Mapping[int, bool]:
        """Whether each other seat is connected to this node."""

    def play(self, play: Play) -> None:
        """Make this seat's play; raises PlayError with the reason, and then nothing has changed."""

    def ready(self) -> None:
        """Begin the next deal as far as this player is concerned."""

    def leave(self) -> None:
        """Leave the lobby or the table."""

    def accept(self) -> None:
        """Accept the terms that were proposed."""

    def decline(self) -> None:
        """Refuse the terms that were proposed."""

    def start(self) -> None:
        """Propose the terms now; only the host of a lobby can."""
