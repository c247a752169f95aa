"""What a table has done off the event loop: checks and proofs in threads, long files in another."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from p2pclimb.table.effects import Job

__all__ = ["Workers"]

_WORKERS = 2
_PATIENT_NICENESS = 10

Written = TypeVar("Written")


class Workers:
    """The threads of one table; `fail` gets what goes wrong in them or in what they call back."""

    def __init__(self, fail: Callable[[Exception], None]) -> None:
        self._fail = fail
        self._prompt = ThreadPoolExecutor(_WORKERS)
        self._patient = ThreadPoolExecutor(_WORKERS, initializer=_let_others_go_first)
        self._clerk = ThreadPoolExecutor(1)
        self._jobs: set[asyncio.Future[None]] = set()

    def start(self, job: Job, done: Callable[[object], None], *, can_wait: bool) -> None:
        """Run a job and hand its result to `done`, unless the workers are stopped before."""
        workers = self._patient if can_wait else self._prompt
        future = asyncio.ensure_future(self._work(job, done, workers))
        self._jobs.add(future)
        future.add_done_callback(self._jobs.discard)

    async def _work(
        self, job: Job, done: Callable[[object], None], workers: ThreadPoolExecutor
    ) -> None:
        try:
            done(await asyncio.get_running_loop().run_in_executor(workers, job.run))
        except Exception as error:
            self._fail(error)

    def write(self, write: Callable[[], Written], done: Callable[[Written], None]) -> None:
        """Write a long file, also when the workers are stopped before it is its turn."""

        def written(writing: asyncio.Future[Written]) -> None:
            try:
                done(writing.result())
            except Exception as error:
                self._fail(error)

        writing = asyncio.get_running_loop().run_in_executor(self._clerk, write)
        writing.add_done_callback(written)

    async def finished(self) -> None:
        """Wait until no job is left; files may still be being written."""
        while self._jobs:
            await asyncio.wait(self._jobs)

    def stop(self) -> None:
        """Begin nothing more, and drop the results of what has begun.

        A proof that is being made or checked ends by itself; nobody waits for it.
        """
        for workers in (self._prompt, self._patient):
            workers.shutdown(wait=False, cancel_futures=True)
        self._clerk.shutdown(wait=False)
        for job in self._jobs:
            job.cancel()


def _let_others_go_first() -> None:
    """Lower the priority of this thread, where a thread has one of its own.

    With several nodes on one machine, proofs that others wait for then come first.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _PATIENT_NICENESS)
