"""The event loop: which one ZeroMQ's sockets need, and how a signal ends what runs in it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from p2pclimb.net.connections import allow_many_descriptors

__all__ = ["loop_factory", "run"]

# What `kill`, a shutdown and a closed terminal send.
_ENDING = ("SIGTERM", "SIGHUP")

Result = TypeVar("Result")


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return what makes an event loop that ZeroMQ's sockets can use on this system.

    The default loop of Windows cannot watch the descriptors that ZeroMQ signals on.
    """
    if sys.platform == "win32":
        return asyncio.SelectorEventLoop
    return asyncio.new_event_loop


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end in a new loop, like asyncio.run.

    SIGTERM and SIGHUP do what Ctrl-C does: the coroutine is cancelled, so that it can take its
    leave, and KeyboardInterrupt is raised.  The second time they end the process at once.
    """
    signals: list[signal.Signals] = []

    async def cancellable() -> Result:
        with _cancelled_by_signals(signals):
            return await main

    allow_many_descriptors()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        try:
            return runner.run(cancellable())
        except asyncio.CancelledError:
            if signals:
                raise KeyboardInterrupt from None
            raise


@contextmanager
def _cancelled_by_signals(seen: list[signal.Signals]) -> Iterator[None]:
    """Cancel the present task at the first of the signals, which is put into `seen`."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    caught: list[signal.Signals] = []

    def release() -> None:
        for number in caught:
            loop.remove_signal_handler(number)
        caught.clear()

    def cancel(number: signal.Signals) -> None:
        seen.append(number)
        release()
        task.cancel()

    for name in _ENDING:
        number = getattr(signal, name, None)
        # Under nohup SIGHUP is ignored, and stays so.
        if number is None or signal.getsignal(number) is not signal.SIG_DFL:
            continue
        try:
            loop.add_signal_handler(number, cancel, number)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            continue
        caught.append(number)
    try:
        yield
    finally:
        release()
