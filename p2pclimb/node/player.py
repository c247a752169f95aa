"""The two sides of a node: the player that decides, and the table that it acts on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from p2pclimb.seat.decisions import Decision
from p2pclimb.table.notices import Notice
from p2pclimb.table.roster import LobbyNotice
from p2pclimb.table.session import Session

__all__ = ["Control", "Player"]


class Control(Protocol):
    """What a player may do; the node implements it."""

    @property
    def session(self) -> Session | None:
        """The session of this seat, once terms have been accepted."""

    @property
    def links(self) -> Mapping[int, bool]:
        """Whether each other seat is connected to this node."""

    def start(self) -> None:
        """Propose the terms to all who are in the lobby; the host only.

        Raises OptionsError when the rules are not for that many, UsageError for a guest and after
        the host has accepted.
        """

    def accept(self) -> None:
        """Accept the terms that were proposed last."""

    def decline(self) -> None:
        """Decline the terms that were proposed last: a guest goes, the host takes them back."""

    def play(self, decision: Decision) -> None:
        """Play, claim, offer or choose; raises PlayError with the reason, and nothing changes."""

    def ready(self) -> None:
        """Begin the next deal as far as this seat is concerned."""

    def leave(self) -> None:
        """Leave the lobby, or give notice that this seat leaves the table: there is no way back."""

    def pause(self, asks: bool) -> None:
        """Ask that nobody is passed over for a while, or do not ask so any more."""

    def adjourn(self) -> None:
        """Leave the lobby, or go away from the table and keep the seat, to resume it later.

        So does a player whose `run` ends without either.
        """


class Player(Protocol):
    """A person's screen or a bot."""

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Take a notice; must neither block nor act on the table before it returns."""

    async def run(self, table: Control) -> None:
        """Play until the table has ended or the player wants to go."""
