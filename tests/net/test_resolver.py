"""Names are resolved aside, and a name service that hangs holds up nothing."""

import asyncio
import socket
import threading
import time

import pytest
from link_harness import in_a_loop

from p2pclimb.net.address import Address
from p2pclimb.net.resolver import resolve


def answers(*hosts):
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 5)) for host in hosts]
    return lambda *_, **__: rows


def test_each_address_of_a_name_comes_once_and_in_order(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", answers("2001:db8::1", "192.0.2.1", "2001:db8::1"))

    async def test():
        assert await resolve(Address("ana.example", 5)) == ["2001:db8::1", "192.0.2.1"]

    in_a_loop(test)


@pytest.mark.parametrize("error", [socket.gaierror(), UnicodeError(), TimeoutError()])
def test_an_unknown_name_has_no_address(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", fail)

    async def test():
        assert await resolve(Address("ana.example", 5)) == []

    in_a_loop(test)


def test_an_ip_address_is_not_looked_up(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", None)

    async def test():
        assert await resolve(Address("192.0.2.1", 5)) == ["192.0.2.1"]
        assert await resolve(Address("2001:db8::1", 5)) == ["2001:db8::1"]

    in_a_loop(test)


def test_the_end_of_the_program_does_not_wait_for_a_name(monkeypatch):
    asked, may_answer = threading.Event(), threading.Event()

    def hang(*_, **__):
        asked.set()
        may_answer.wait(10)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)

    async def test():
        lookup = asyncio.create_task(resolve(Address("ana.example", 5)))
        await asyncio.sleep(0)
        assert asked.wait(5)
        lookup.cancel()

    started = time.monotonic()
    in_a_loop(test)
    assert time.monotonic() - started < 5
    may_answer.set()
    for thread in threading.enumerate():
        if thread.name == "resolver":
            thread.join(5)
            assert not thread.is_alive()
