"""Going on with a table: its log is checked again in a worker thread, before anybody can come.

A long table takes minutes, and meanwhile the player can still interrupt.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.identity import Identity
from p2pclimb.node.journal import OpenedJournal
from p2pclimb.seat.duties import Seat
from p2pclimb.table.effects import Effect
from p2pclimb.table.session import Session

__all__ = ["read_again"]


async def read_again(
    opened: OpenedJournal, identity: Identity, entropy: Entropy
) -> tuple[Session, list[Effect]]:
    """Return the session of a seat as its journal ends, and what it asks for first.

    Whoever is cancelled meanwhile waits for the record that is being checked, and no longer.
    """
    session = Session(opened.terms, Seat(opened.seat, entropy), identity)
    is_cancelled = threading.Event()

    def records() -> Iterator[bytes]:
        for record in opened.records:
            if is_cancelled.is_set():
                return
            yield record

    def resume() -> list[Effect]:
        return session.resume(records(), opened.guarded, opened.secrets)

    try:
        return session, await asyncio.to_thread(resume)
    finally:
        is_cancelled.set()
