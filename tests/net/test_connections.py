"""Connections that cost too much are broken off: too many of them, or messages without an end."""

import asyncio
import socket
import subprocess
import sys

import pytest
from link_harness import HELLO, Wire, curve_keys, eventually, greet, in_a_loop, open_node

from p2pclimb.net import connections, dialler, inbox
from p2pclimb.net.connections import MAX_BY_PEER, MAX_STRANGERS, Watched, surplus
from p2pclimb.net.frames import Records
from p2pclimb.net.sockets import LinkSettings
from p2pclimb.net.switchboard import LinkDown, LinkUp

ANA, BINH, CHI = (bytes([number]) * 32 for number in range(3))


def test_the_oldest_strangers_are_too_many_and_no_listed_peer_is():
    friends = [Watched(n, peer) for n, peer in enumerate([ANA, BINH] * MAX_BY_PEER)]
    strangers = [Watched(n, peer) for n, peer in enumerate([CHI, None] * MAX_STRANGERS, 100)]
    everybody = [*strangers[:10], *friends, *strangers[10:]]
    assert surplus(everybody, {ANA, BINH}.__contains__) == strangers[:-MAX_STRANGERS]


def test_a_listed_peer_has_its_newest_connections_only():
    connections = [Watched(n, ANA) for n in range(10)]
    assert surplus(connections, {ANA}.__contains__) == connections[:-MAX_BY_PEER]


def test_strangers_who_connect_and_say_nothing_neither_use_up_the_files_nor_keep_a_friend_out():
    async def test():
        keys, others = curve_keys(), curve_keys()
        async with (
            open_node(keys[0], others[0], settings=LinkSettings()) as ana,
            open_node(ana.key, keys=keys) as binh,
            open_node(ana.key, keys=others) as chi,
        ):
            await greet(binh, ana)
            strangers = []
            for _ in range(10):
                strangers += [
                    socket.create_connection(("127.0.0.1", ana.links.port)) for _ in range(20)
                ]
                await asyncio.sleep(0)
            held = ana.links._inbox._open
            await asyncio.to_thread(read_to_the_end, strangers[200 - MAX_STRANGERS - 1])
            assert len(held) <= MAX_STRANGERS + 1
            await greet(chi, ana)
            assert ana.links.peers() == {binh.key, chi.key}
            for stranger in strangers:
                stranger.close()

    in_a_loop(test)


def read_to_the_end(connection):
    connection.settimeout(5)
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass


@pytest.mark.parametrize("sender", ["who has dialled", "who was dialled"])
def test_a_message_that_does_not_end_costs_its_sender_the_connection(monkeypatch, sender):
    """libzmq would collect its parts for ever: none of its own bounds counts them."""
    for module in (inbox, dialler):
        monkeypatch.setattr(module, "MAX_HELD_BACK", 10_000)
        monkeypatch.setattr(module, "LOOK_EVERY", 0.02)
    received = iter(range(0, 10**9, 4_000))  # where the system does not tell
    if sys.platform != "linux":
        monkeypatch.setattr(connections, "_bytes_received", lambda _: next(received))

    async def test():
        keys = curve_keys()
        async with (
            open_node(keys[0]) as ana,
            open_node(ana.key, keys=keys) as binh,
            Wire.to(ana) as wire,
        ):
            binh.links.dial(ana.key, [wire.address])
            await eventually(lambda: binh.links.send(ana.key, HELLO))
            await ana.until(LinkUp(binh.key))
            assert ana.links.send(binh.key, HELLO)
            await binh.until(LinkUp(ana.key))
            wire.bytes_per_second = 60_000
            long = Records((bytes(60_000),))
            here, there = (binh, ana) if sender == "who has dialled" else (ana, binh)
            assert here.links.send(there.key, long)
            await there.until(LinkDown(here.key))
            assert long not in there.frames()

    in_a_loop(test)


def test_bytes_without_a_message_are_counted_from_the_last_one(monkeypatch):
    received = iter([500, 700, 90_700, 90_900, 91_900])
    monkeypatch.setattr(connections, "_bytes_received", lambda _: next(received))
    watched = Watched(7)
    assert watched.held_back() == 0  # the handshake
    assert watched.held_back() == 200
    watched.spoke(ANA)
    assert watched.held_back() == 0
    assert watched.held_back() == 200
    assert watched.held_back() == 1_200


def test_a_descriptor_that_is_closed_or_is_no_socket_is_left_alone(tmp_path):
    with (tmp_path / "log").open("wb") as stream:
        for descriptor in (-1, stream.fileno()):
            watched = Watched(descriptor)
            assert watched.held_back() == 0
            watched.hang_up()
        stream.write(b"still open")


@pytest.mark.parametrize("limit", [64, 512])
def test_a_process_may_open_as_many_files_as_the_system_lets_it(limit):
    program = f"""
import resource
from p2pclimb.net.connections import allow_many_descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, 512))
allow_many_descriptors()
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (512, 512)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
