"""The choice of the event loop, which ZeroMQ's sockets depend on; nothing else."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

__all__ = ["loop_factory", "run"]

Result = TypeVar("Result")


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return what makes an event loop that ZeroMQ's sockets can use on this system.

    The default loop of Windows cannot watch the descriptors that ZeroMQ signals on.
    """
    if sys.platform == "win32":
        return asyncio.SelectorEventLoop
    return asyncio.new_event_loop


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end in a new loop, like asyncio.run."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(main)
