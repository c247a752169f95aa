"""Links between honest nodes, over real sockets on loopback."""

import asyncio
import socket
import subprocess
import sys
import threading
import time

import pytest
from link_harness import FAST, HELLO, Wire, at, curve_keys, eventually, greet, in_a_loop, open_node
from zmq.utils import z85

from p2pclimb.errors import NetworkError
from p2pclimb.net import links as links_module
from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission
from p2pclimb.net.diagnosis import Cause
from p2pclimb.net.dialler import Dialler
from p2pclimb.net.frames import Bye, Records
from p2pclimb.net.links import Links
from p2pclimb.net.sockets import LinkSettings
from p2pclimb.net.switchboard import Incoming, LinkDown, LinkUp, Reached
from p2pclimb.net.wire import MAX_RECORD, encode_frame


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


LOOPBACKS = ["127.0.0.1", "localhost", *(["::1"] if has_ipv6() else [])]


def test_two_nodes_greet_and_talk_both_ways():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)
            assert ana.links.peers() == {binh.key}
            assert binh.links.peers() == {ana.key}
            for step in range(50):
                assert ana.links.send(binh.key, at(step))
                assert binh.links.send(ana.key, at(step))
            await ana.until(Incoming(binh.key, at(49)))
            await binh.until(Incoming(ana.key, at(49)))
            frames = [at(step) for step in range(50)]
            assert ana.frames() == [HELLO, *frames]
            assert binh.frames() == [HELLO, *frames]

    in_a_loop(test)


def test_the_largest_record_arrives():
    async def test():
        keys = curve_keys()
        largest = Records((b"r" * MAX_RECORD,))
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)
            assert binh.links.send(ana.key, largest)
            assert ana.links.send(binh.key, largest)
            await ana.until(Incoming(binh.key, largest))
            await binh.until(Incoming(ana.key, largest))

    in_a_loop(test)


@pytest.mark.parametrize("host", LOOPBACKS)
def test_every_kind_of_address_is_dialled(host):
    async def test():
        keys = curve_keys()
        async with open_node(keys[0], host="*") as ana, open_node(ana.key, keys=keys) as binh:
            binh.links.dial(ana.key, [Address(host, ana.links.port)])
            await binh.until(Reached(ana.key))
            binh.links.send(ana.key, HELLO)
            await ana.until(LinkUp(binh.key))

    in_a_loop(test)


@pytest.mark.parametrize("host", LOOPBACKS)
def test_a_node_listens_on_one_address_only_when_told_to(host):
    async def test():
        async with open_node(host=host) as ana:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            with socket.socket(family) as probe:
                probe.connect((host, ana.links.port))

    in_a_loop(test)


def test_the_address_that_answers_is_found_among_dead_ones():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            dead = [Address("192.0.2.1", 27271), Address("127.0.0.1", 1), Address("no.invalid", 5)]
            binh.links.dial(ana.key, [*dead, ana.home])
            await binh.until(Reached(ana.key))

    in_a_loop(test)


def test_of_several_addresses_that_answer_one_connection_is_kept():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0], host="*") as ana, open_node(ana.key, keys=keys) as binh:
            homes = [Address(host, ana.links.port) for host in LOOPBACKS]
            binh.links.dial(ana.key, homes)
            await binh.until(Reached(ana.key))
            binh.links.send(ana.key, HELLO)
            await ana.until(LinkUp(binh.key))
            await eventually(lambda: len(ana.links._inbox._open) == 1)
            assert binh.links.send(ana.key, at(1))
            await ana.until(Incoming(binh.key, at(1)))

    in_a_loop(test)


def test_of_two_addresses_that_answer_at_the_same_moment_one_connection_is_kept(monkeypatch):
    both = asyncio.Barrier(2)
    until_answered = Dialler._until_answered

    async def together(dialler, address):
        connection = await until_answered(dialler, address)
        await both.wait()
        return connection

    monkeypatch.setattr(Dialler, "_until_answered", together)

    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            binh.links.dial(ana.key, [ana.home, Address("localhost", ana.links.port)])
            await binh.until(Reached(ana.key))
            await eventually(lambda: len(ana.links._inbox._open) == 1)

    in_a_loop(test)


SAYS_GOODBYE = """
import sys, zmq
public, secret, greeting, *words = map(bytes.fromhex, sys.argv[1:])
for _ in range(8):
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.curve_server, router.curve_publickey, router.curve_secretkey = True, public, secret
    print(router.bind_to_random_port("tcp://127.0.0.1"), flush=True)
    route, _ = router.recv_multipart()
    router.send_multipart([route, greeting])
    sys.stdin.readline()
    for word in words:
        router.send_multipart([route, word])
    router.close(linger=1000)
    context.term()
"""


def test_the_last_words_before_a_peer_closes_are_heard():
    """A race between its words and its going, hence in a process of its own and several times."""
    keys = curve_keys()
    words = [*map(z85.encode, keys), *map(encode_frame, [HELLO, at(1), at(2)])]

    async def hear(peer):
        port = int(peer.stdout.readline())
        async with open_node(keys[0]) as binh:
            binh.links.dial(keys[0], [Address("127.0.0.1", port)])
            await binh.until(Reached(keys[0]))
            binh.links.send(keys[0], HELLO)
            await binh.until(LinkUp(keys[0]))
            peer.stdin.write(b"\n")
            peer.stdin.flush()
            await binh.until(LinkDown(keys[0]))
            assert binh.frames() == [HELLO, at(1), at(2)]

    async def test():
        with subprocess.Popen(
            [sys.executable, "-c", SAYS_GOODBYE, *(word.hex() for word in words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as peer:  # fmt: skip
            try:
                for _ in range(8):
                    await hear(peer)
            finally:
                peer.kill()

    in_a_loop(test)


def test_links_in_both_directions_are_one_peer():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)
            ana.links.dial(binh.key, [binh.home])
            await ana.until(Reached(binh.key))
            assert ana.links.send(binh.key, at(1))
            await binh.until(Incoming(ana.key, at(1)))
            assert [type(event) for event in binh.seen].count(LinkUp) == 1
            # One direction goes, the other carries on, and nobody is called down.
            binh.links.undial(ana.key)
            ana.links.send(binh.key, at(2))
            await binh.until(Incoming(ana.key, at(2)))
            assert binh.links.send(ana.key, at(3))
            await ana.until(Incoming(binh.key, at(3)))
            assert binh.links.peers() == {ana.key}
            assert LinkDown not in [type(event) for event in binh.seen + ana.seen]

    in_a_loop(test)


def test_last_words_arrive_before_the_link_goes_down():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana:
            async with open_node(ana.key, keys=keys) as binh:
                await greet(binh, ana)
                assert binh.links.send(ana.key, Bye("left", "Good night"))
            await ana.until(Incoming(binh.key, Bye("left", "Good night")))
            await ana.until(LinkDown(binh.key))
            assert ana.links.peers() == frozenset()
            assert not ana.links.send(binh.key, HELLO)

    in_a_loop(test)


def test_last_words_of_the_side_that_was_dialled_arrive_too():
    async def test():
        keys = curve_keys()
        async with open_node(keys=keys) as binh:
            async with open_node(binh.key) as ana:
                binh.admission.admit(ana.key)
                await greet(binh, ana)
                assert ana.links.send(binh.key, Bye("left", "Good night"))
            await binh.until(Incoming(ana.key, Bye("left", "Good night")))
            await binh.until(LinkDown(ana.key))
            await binh.until_trouble(Cause.NOBODY_ANSWERS)

    in_a_loop(test)


def test_a_peer_that_restarts_at_once_twenty_times_is_back_each_time():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana:
            for _ in range(20):
                async with open_node(ana.key, keys=keys) as binh:
                    await greet(binh, ana)
                await ana.until(LinkDown(binh.key))
            kinds = [type(event) for event in ana.seen]
            assert kinds.count(LinkUp) == kinds.count(LinkDown) == 20

    in_a_loop(test)


def test_a_dialled_peer_that_restarts_on_its_port_is_found_again():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana:
            async with open_node(ana.key, keys=keys) as binh:
                port = binh.links.port
                await greet(ana, binh)
            for _ in range(20):
                async with open_node(ana.key, keys=keys, port=port) as binh:
                    await ana.until(Reached(binh.key))
                    assert ana.links.send(binh.key, HELLO)
                    await binh.until(LinkUp(ana.key))
                    assert binh.links.send(ana.key, HELLO)
                    await ana.until(LinkUp(binh.key))

    in_a_loop(test)


def test_a_peer_that_starts_later_is_found():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana:
            with socket.create_server(("127.0.0.1", 0)) as reserved:
                port = reserved.getsockname()[1]
            ana.links.dial(keys[0], [Address("127.0.0.1", port)])
            await ana.until_trouble(Cause.NOBODY_ANSWERS)
            async with open_node(ana.key, keys=keys, port=port) as binh:
                await ana.until(Reached(binh.key))

    in_a_loop(test)


def test_new_addresses_of_a_peer_are_taken_up():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            ana.links.dial(binh.key, [Address("127.0.0.1", 1)])
            await ana.until_trouble(Cause.NOBODY_ANSWERS)
            ana.links.dial(binh.key, [binh.home])
            await ana.until(Reached(binh.key))
            ana.links.dial(binh.key, [])
            ana.links.dial(binh.key, [Address("127.0.0.1", 1), binh.home])
            assert ana.links.send(binh.key, HELLO)  # the connection that stood was kept
            await binh.until(LinkUp(ana.key))

    in_a_loop(test)


def test_sending_never_waits_and_says_what_was_dropped():
    async def test():
        async with open_node() as ana, open_node() as binh:
            ana.admission.admit(binh.key)
            assert not ana.links.send(binh.key, HELLO)  # nobody there
            binh.admission.admit(ana.key)
            await greet(ana, binh)
            # Binh's loop does not run while Ana sends without a pause: the queues fill.
            largest = Records((b"r" * 60_000,))
            started = time.monotonic()
            results = [ana.links.send(binh.key, largest) for _ in range(2000)]
            assert time.monotonic() - started < 5
            assert results[0]
            assert not all(results)
            assert await binh.until(Incoming(ana.key, largest))

    in_a_loop(test)


def test_closing_takes_less_than_a_second_with_unreachable_peers():
    async def test():
        links = await Links.open(*curve_keys(), "*", 0, links_module.Admission())
        for last in range(1, 8):
            links.dial(bytes([last]) * 32, [Address("192.0.2.1", last), Address("127.0.0.1", last)])
            links.send(bytes([last]) * 32, HELLO)
        await asyncio.sleep(0)  # let the diallers begin
        started = time.monotonic()
        await links.close()
        await links.close()
        assert time.monotonic() - started < 1

    in_a_loop(test)


def test_whoever_closes_while_another_does_or_has_been_cancelled_waits_for_the_same_end():
    async def test():
        public, secret = curve_keys()
        links = await Links.open(public, secret, "127.0.0.1", 0, Admission(), FAST)
        ends, gate = [], threading.Event()
        terminate = links._context.term
        links._context.term = lambda: (gate.wait(10), terminate(), ends.append(1))
        first = asyncio.create_task(links.close())
        second = asyncio.create_task(links.close())
        await eventually(lambda: links._terminated is not None)
        first.cancel()
        asyncio.get_running_loop().call_soon(gate.set)
        await asyncio.gather(first, second, links.close(), return_exceptions=True)
        assert first.cancelled()
        assert second.exception() is None
        assert ends == [1]

    in_a_loop(test)


def test_closing_takes_less_than_a_second_with_full_queues_on_a_dead_cable():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, Wire.to(ana) as wire:
            async with open_node(ana.key, keys=keys, settings=LinkSettings()) as binh:
                binh.links.dial(ana.key, [wire.address])
                await binh.until(Reached(ana.key))
                wire.freeze()
                while binh.links.send(ana.key, Records((b"r" * 60_000,))):
                    pass
                started = time.monotonic()
            assert time.monotonic() - started < 1

    in_a_loop(test)


def test_a_port_in_use_is_told_with_its_number_and_what_to_do():
    async def test():
        async with open_node() as ana:
            with pytest.raises(NetworkError) as caught:
                await Links.open(*curve_keys(), "127.0.0.1", ana.links.port, ana.admission, FAST)
            assert str(ana.links.port) in caught.value.text
            assert "--port" in caught.value.hint

    in_a_loop(test)


def test_an_address_of_another_machine_cannot_be_listened_on():
    async def test():
        with pytest.raises(NetworkError, match=r"192\.0\.2\.1"):
            await Links.open(*curve_keys(), "192.0.2.1", 0, links_module.Admission(), FAST)

    in_a_loop(test)


def test_a_proxy_in_the_environment_is_not_used(monkeypatch):
    for name in ("SOCKS_PROXY", "socks_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "127.0.0.1:1")

    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)

    in_a_loop(test)


def test_an_error_inside_the_links_reaches_the_node(monkeypatch):
    async def broken(_):
        raise RuntimeError("broken dialler")

    monkeypatch.setattr(links_module.Dialler, "run", broken)

    async def test():
        async with open_node() as ana:
            ana.links.dial(bytes(32), [Address("127.0.0.1", 1)])
            with pytest.raises(RuntimeError, match="broken dialler"):
                await ana.links.receive()

    in_a_loop(test)


def test_closing_that_was_cancelled_is_done_again_without_an_error():
    """Such as by a second signal, or one that comes just when the table ends."""

    async def test():
        for steps in range(4):
            links = await Links.open(*curve_keys(), "127.0.0.1", 0, Admission(), FAST)
            closing = asyncio.create_task(links.close())
            for _ in range(steps):
                await asyncio.sleep(0)
            closing.cancel()
            await asyncio.gather(closing, return_exceptions=True)
            await links.close()

    in_a_loop(test)
