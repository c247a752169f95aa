"""What a table has done off the event loop, also when it stops meanwhile."""

import asyncio
import threading

import pytest
from table_harness import eventually, in_a_loop

from p2pclimb.errors import StoreError
from p2pclimb.node.workers import Workers


@pytest.fixture
def failures():
    return []


def test_the_loop_goes_on_while_a_file_is_written(failures):
    async def test():
        workers, may_write, written = Workers(failures.append), threading.Event(), []
        workers.write(lambda: may_write.wait(10), written.append)
        asyncio.get_running_loop().call_soon(may_write.set)
        await eventually(lambda: written)
        workers.stop()
        assert written == [True]

    in_a_loop(test)


def test_a_file_that_waits_when_the_workers_are_stopped_is_written_all_the_same(failures):
    async def test():
        workers, may_write, written = Workers(failures.append), threading.Event(), []
        workers.write(lambda: may_write.wait(10), written.append)
        workers.write(lambda: "the second", written.append)
        workers.stop()
        may_write.set()
        await eventually(lambda: len(written) == 2)
        assert written == [True, "the second"]

    in_a_loop(test)


def test_a_file_that_cannot_be_written_is_told(failures):
    def write():
        raise StoreError("The disk is full.")

    async def test():
        workers = Workers(failures.append)
        workers.write(write, failures.append)
        await eventually(lambda: failures)
        workers.stop()
        assert [error.text for error in failures] == ["The disk is full."]

    in_a_loop(test)


class Waiting:
    """A job that waits until it may end."""

    def __init__(self):
        self.may_end = threading.Event()

    def run(self):
        return self.may_end.wait(10)


def test_what_a_job_finds_after_the_workers_are_stopped_is_dropped(failures):
    async def test():
        workers, job, found = Workers(failures.append), Waiting(), []
        workers.start(job, found.append, can_wait=True)
        await asyncio.sleep(0)
        workers.stop()
        job.may_end.set()
        await workers.finished()
        assert (found, failures) == ([], [])

    in_a_loop(test)
