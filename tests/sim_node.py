"""One node of a simulated table, and what the network does to its messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sim_disk import Disk

from p2pclimb.net.frames import Piece
from p2pclimb.table.effects import Heads, Records
from p2pclimb.table.notices import ChoiceAsked, ClaimAsked, Notice, OfferAsked
from p2pclimb.table.session import Session

__all__ = ["USUAL", "CrashError", "Faults", "Machine", "Node", "Question"]

Question = ClaimAsked | OfferAsked | ChoiceAsked


@dataclass(frozen=True)
class Faults:
    """What the fake network does to a message; times in seconds of the fake clock.

    With `in_order` no message overtakes another on its way from one seat to another.
    """

    latest: float = 0.2
    lost: float = 0.0
    doubled: float = 0.0
    in_order: bool = False


USUAL = Faults()


class Machine(Protocol):
    """A second machine of a seat."""

    def deliver(self, sender: int, frame: Heads | Records | Piece) -> None:
        """Take what was sent to the seat."""


class CrashError(Exception):
    """The node stops here, in the middle of what it was about to do."""


@dataclass
class Node(Disk):
    """One seat's session with its fake disk and what it was told.

    `fuse` is after how many more deeds it stops, None if it does not; `life` counts its restarts,
    `idle` says that its player does nothing, and `connected` are the seats it has a link to.
    """

    session: Session = field(kw_only=True)
    connected: set[int] = field(kw_only=True)
    told: list[Notice] = field(default_factory=list)
    signed: dict[bytes, bytes] = field(default_factory=dict)
    sent: set[bytes] = field(default_factory=set)
    fuse: int | None = None
    life: int = 0
    is_up: bool = True
    idle: bool = False
    question: tuple[bytes, Question] | None = None
