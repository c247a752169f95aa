"""Strangers, liars, floods and broken cables, over real sockets on loopback."""

import asyncio
import os
import socket

import pytest
import zmq
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from link_harness import (
    FAST,
    HELLO,
    JOIN,
    Wire,
    at,
    curve_keys,
    eventually,
    greet,
    in_a_loop,
    monitor_event,
    open_node,
    raw_client,
)

from p2pclimb.errors import AdmissionError, NetworkError
from p2pclimb.net.address import Address
from p2pclimb.net.admission import JOIN_LABEL, Admission, join_statement
from p2pclimb.net.diagnosis import Cause
from p2pclimb.net.frames import Heads, Join, Records, Refused, Welcome
from p2pclimb.net.links import Links
from p2pclimb.net.pieces import Assembly, frames_of
from p2pclimb.net.sockets import LinkSettings
from p2pclimb.net.switchboard import Incoming, LinkDown, LinkUp, Reached, Trouble
from p2pclimb.net.wire import MAX_FRAME, MAX_RECORD, encode_frame
from p2pclimb.net.zap import ZapHandler

HELLO_BYTES = encode_frame(HELLO)


async def still_talks(node, friend, step):
    """Prove that a friend's frame gets through, after everything sent before was judged."""
    assert friend.links.send(node.key, at(step))
    await node.until(Incoming(friend.key, at(step)))


def test_an_unknown_key_is_refused_at_the_handshake():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)
            with raw_client(ana) as (client, monitor):
                await client.send(HELLO_BYTES)
                await monitor_event(monitor, zmq.Event.HANDSHAKE_FAILED_AUTH)
                await still_talks(ana, binh, 1)
            assert {e.peer for e in ana.seen} == {binh.key}

    in_a_loop(test)


def test_a_client_without_encryption_is_refused_at_the_handshake():
    async def test():
        async with open_node(lobby_open=True) as ana:
            with raw_client(ana, null=True) as (client, monitor):
                await client.send(HELLO_BYTES)
                await monitor_event(monitor, zmq.Event.HANDSHAKE_FAILED_PROTOCOL)
            assert ana.links._switchboard._events.empty()

    in_a_loop(test)


def test_nothing_starts_when_strangers_are_not_refused(monkeypatch):
    def careless(_, request):
        return [b"1.0", request[1], b"200", b"OK", b"anybody", b""]

    monkeypatch.setattr(ZapHandler, "_answer", careless)

    async def test():
        with pytest.raises(NetworkError, match="let in a key that it must refuse"):
            await Links.open(*curve_keys(), "127.0.0.1", 0, Admission(), FAST)

    in_a_loop(test)


def test_nothing_starts_when_the_zap_handler_does_not_answer(monkeypatch):
    async def mute(_):
        await asyncio.Event().wait()

    monkeypatch.setattr(ZapHandler, "run", mute)

    async def test():
        with pytest.raises(NetworkError, match="strangers are kept out failed"):
            await Links.open(*curve_keys(), "127.0.0.1", 0, Admission(), FAST)

    in_a_loop(test)


def test_a_key_removed_while_connected_is_not_heard_any_more():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)
            judged = []
            received = ana.links._switchboard.received
            ana.links._switchboard.received = lambda *args: judged.append(received(*args))
            ana.admission.remove(binh.key)
            for step in range(10):
                assert binh.links.send(ana.key, at(step))
            await eventually(lambda: len(judged) == 10)
            assert not any(judged)
            ana.links._switchboard.received = received
            ana.admission.admit(binh.key)
            await still_talks(ana, binh, 99)
            steps = [frame.step for frame in ana.frames() if isinstance(frame, Heads)]
            assert steps == [99]

    in_a_loop(test)


def test_a_peer_refused_at_first_gets_in_without_dialling_anew():
    async def test():
        async with open_node() as ana, open_node(ana.key) as binh:
            binh.links.dial(ana.key, [ana.home])
            await binh.until_trouble(Cause.REFUSED)
            ana.admission.admit(binh.key)
            await binh.until(Reached(ana.key))
            assert binh.links.send(ana.key, HELLO)
            await ana.until(LinkUp(binh.key))

    in_a_loop(test)


def test_a_wrong_host_key_is_told_as_such():
    async def test():
        expected = curve_keys()[0]
        async with open_node(lobby_open=True) as ana, open_node(expected) as binh:
            binh.links.dial(expected, [ana.home])
            trouble = await binh.until_trouble(Cause.NOT_THE_HOST)
            assert str(ana.home) in trouble.diagnosis.text
            assert not binh.links.send(expected, HELLO)

    in_a_loop(test)


class Host:
    """As much of a lobby as admits a joiner by invitation."""

    def __init__(self, node, lobby_id):
        self._node = node
        self._lobby_id = lobby_id
        self.seats = {}

    async def answer_one(self):
        incoming = await self._node.until(
            lambda event: isinstance(event, Incoming) and isinstance(event.frame, Join)
        )
        join, peer = incoming.frame, incoming.peer
        statement = join_statement(self._lobby_id, self._node.key, peer, join.name)
        try:
            Ed25519PublicKey.from_public_bytes(join.identity_key).verify(
                join.signature, JOIN_LABEL + statement
            )
            self._node.admission.redeem(join.secret, join.identity_key)
        except (AdmissionError, InvalidSignature) as error:
            self._node.links.send(peer, Refused("invitation", str(error)))
            return
        self._node.admission.admit(peer)
        seat = self.seats.setdefault(join.identity_key, len(self.seats) + 1)
        self._node.links.send(peer, Welcome(seat))


async def ask_to_join(joiner, host, secret, *, identity, signed_for=None):
    statement = join_statement(b"l" * 16, host.key, signed_for or joiner.key, "Ana")
    join = Join(
        lobby_id=b"l" * 16,
        secret=secret,
        name="Ana",
        identity_key=identity.public_key().public_bytes_raw(),
        signature=identity.sign(JOIN_LABEL + statement),
        addresses=(),
        is_bot=False,
    )
    joiner.links.dial(host.key, [host.home])
    await joiner.until(Reached(host.key))
    assert joiner.links.send(host.key, join)
    return join


def test_an_invitation_s_secret_works_once_and_a_replay_of_it_does_not():
    async def test():
        async with open_node(lobby_open=True) as node, open_node(node.key) as ana:
            host = Host(node, b"l" * 16)
            secret = node.admission.issue(lambda size: b"s" * size)
            identity = Ed25519PrivateKey.generate()
            join = await ask_to_join(ana, node, secret, identity=identity)
            await host.answer_one()
            await ana.until(Incoming(node.key, Welcome(1)))
            # Asking again is answered again, for instance when the answer was lost.
            ana.links.send(node.key, join)
            await host.answer_one()
            await ana.until(Incoming(node.key, Welcome(1)))
            async with open_node(node.key) as thief:
                # With an identity of its own ...
                await ask_to_join(thief, node, secret, identity=Ed25519PrivateKey.generate())
                await host.answer_one()
                refused = (await thief.until(Incoming)).frame
                assert "somebody else" in refused.text
                # ... and with the overheard frame as it was: it is bound to Ana's link.
                thief.links.send(node.key, join)
                await host.answer_one()
                assert isinstance((await thief.until(Incoming)).frame, Refused)
            assert len(host.seats) == 1

    in_a_loop(test)


def test_a_guest_can_only_join():
    async def test():
        async with open_node(lobby_open=True) as ana, open_node(ana.key) as binh:
            binh.links.dial(ana.key, [ana.home])
            await binh.until(Reached(ana.key))
            binh.links.send(ana.key, HELLO)
            binh.links.send(ana.key, Records((b"r",)))
            binh.links.send(ana.key, JOIN)
            await ana.until(Incoming)
            assert ana.frames() == [JOIN]
            assert ana.links.peers() == frozenset()

    in_a_loop(test)


def test_an_oversized_message_costs_its_sender_the_link_and_nobody_else():
    async def test():
        keys, hostile = curve_keys(), curve_keys()
        async with open_node(keys[0], hostile[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)
            with raw_client(ana, hostile) as (client, monitor):
                await client.send(HELLO_BYTES)
                await ana.until(LinkUp(hostile[0]))
                await client.send(bytes(MAX_RECORD + 4096))
                await monitor_event(monitor, zmq.Event.DISCONNECTED)
                await ana.until(LinkDown(hostile[0]))
                await still_talks(ana, binh, 1)

    in_a_loop(test)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([HELLO_BYTES] * 2, id="two parts"),
        pytest.param([b"x" * 900] * 200, id="many parts"),
        pytest.param([b"x"] * 10_000, id="ten thousand parts"),
        pytest.param([b""], id="an empty part"),
        pytest.param([b"\xc1\x33\x01\x10" + b"\x94" * 500], id="a body of nothing but headers"),
    ],
)
def test_what_is_not_one_valid_frame_is_dropped_with_a_reason(parts):
    async def test():
        hostile = curve_keys()
        async with open_node(hostile[0]) as ana:
            with raw_client(ana, hostile) as (client, _):
                await client.send_multipart(parts)
                await client.send(HELLO_BYTES)
                await ana.until(Incoming(hostile[0], HELLO))
                assert [type(event) for event in ana.seen] == [Trouble, LinkUp, Incoming]
                assert ana.seen[0].diagnosis.cause is Cause.BAD_FRAME

    in_a_loop(test)


def test_a_newer_version_is_told_with_both_ranges():
    async def test():
        newer = curve_keys()
        async with open_node(newer[0]) as ana:
            with raw_client(ana, newer) as (client, _):
                await client.send(HELLO_BYTES[:2] + b"\x03" + HELLO_BYTES[3:])
                trouble = await ana.until_trouble(Cause.OTHER_VERSION)
                assert "version 3 of the protocol, this one version 1" in trouble.diagnosis.text

    in_a_loop(test)


def test_a_flood_is_cut_and_does_not_drown_a_friend():
    async def test():
        keys, hostile = curve_keys(), curve_keys()
        async with open_node(keys[0], hostile[0]) as ana, open_node(ana.key, keys=keys) as binh:
            await greet(binh, ana)
            with raw_client(ana, hostile) as (client, _):
                for _ in range(3000):
                    await client.send(HELLO_BYTES)
                await still_talks(ana, binh, 1)
                await ana.until_trouble(Cause.FLOOD)
                await still_talks(ana, binh, 2)
            flood = [e for e in ana.seen if isinstance(e, Incoming) and e.peer == hostile[0]]
            assert len(flood) < 500

    in_a_loop(test)


@pytest.mark.parametrize(
    "greeting",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", id="a browser"),
        pytest.param(b"POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n" + HELLO_BYTES, id="a form"),
        pytest.param(b"\xff" * 5000, id="garbage"),
        pytest.param(b"\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03", id="half a greeting"),
        pytest.param(b"", id="silence"),
    ],
)
def test_other_programs_that_connect_do_no_harm(greeting):
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana, open_node(ana.key, keys=keys) as binh:
            strangers = [socket.create_connection(("127.0.0.1", ana.links.port)) for _ in range(20)]
            for stranger in strangers:
                stranger.sendall(greeting)
            await greet(binh, ana)
            await still_talks(ana, binh, 1)
            # The handshake's time limit, or the nonsense itself, closes every one of them.
            for stranger in strangers:
                stranger.settimeout(5)
                with stranger:
                    await asyncio.to_thread(read_to_the_end, stranger)
            await still_talks(ana, binh, 2)
            assert {event.peer for event in ana.seen} == {binh.key}

    in_a_loop(test)


def read_to_the_end(connection):
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass


def test_a_listed_peer_cannot_take_another_s_place():
    async def test():
        keys, hostile = curve_keys(), curve_keys()
        async with open_node(keys[0], hostile[0]) as ana:
            with raw_client(ana, keys) as (honest, _), raw_client(ana, hostile) as (thief, _):
                for client in (honest, thief):
                    client.disconnect(client.last_endpoint)
                    client.routing_id = b"same"
                    client.connect(f"tcp://127.0.0.1:{ana.links.port}")
                    await client.send(HELLO_BYTES)
                    if client is honest:
                        await ana.until(LinkUp(keys[0]))
                assert ana.links.send(keys[0], at(1))
                assert await honest.recv() == encode_frame(at(1))
                assert ana.links.peers() == {keys[0]}

    in_a_loop(test)


def test_two_programs_with_one_key_are_one_peer():
    async def test():
        keys = curve_keys()
        async with open_node(keys[0]) as ana:
            with raw_client(ana, keys) as (first, _), raw_client(ana, keys) as (second, _):
                await first.send(HELLO_BYTES)
                await ana.until(LinkUp(keys[0]))
                await second.send(encode_frame(at(1)))
                await ana.until(Incoming(keys[0], at(1)))
                assert ana.links.send(keys[0], at(2))
                assert await second.recv() == encode_frame(at(2))
            await ana.until(LinkDown(keys[0]))

    in_a_loop(test)


@pytest.mark.parametrize(
    ("banner", "cause"),
    [
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", Cause.OTHER_PROGRAM, id="another protocol"),
        pytest.param(b"", Cause.NO_ANSWER_IN_TIME, id="silence"),
    ],
)
def test_dialling_another_program_is_told_as_such(banner, cause):
    async def answer(reader, writer):
        writer.write(banner)
        await reader.read()
        writer.close()

    async def test():
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server, open_node() as ana:
            home = Address("127.0.0.1", server.sockets[0].getsockname()[1])
            ana.links.dial(bytes(32), [home])
            await ana.until_trouble(cause)

    in_a_loop(test)


def test_dialling_a_program_that_says_nothing_after_the_handshake_is_told():
    async def test():
        async with open_node() as ana, open_node(ana.key) as binh:
            ana.admission.admit(binh.key)
            binh.links.dial(ana.key, [ana.home])
            trouble = await binh.until_trouble(Cause.NO_ANSWER_IN_TIME)
            assert "has said nothing" in trouble.diagnosis.text

    in_a_loop(test)


def test_an_unknown_name_is_told_as_such(monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    async def test():
        async with open_node() as ana:
            ana.links.dial(bytes(32), [Address("no-such-host.example", 5)])
            trouble = await ana.until_trouble(Cause.UNRESOLVED)
            assert "no-such-host.example" in trouble.diagnosis.text

    in_a_loop(test)


def test_a_frozen_cable_is_noticed_by_both_and_mended_by_itself():
    async def test():
        keys = curve_keys()
        async with (
            open_node(keys[0]) as ana,
            open_node(ana.key, keys=keys) as binh,
            Wire.to(ana) as wire,
        ):
            binh.links.dial(ana.key, [wire.address])
            await binh.until(Reached(ana.key))
            binh.links.send(ana.key, HELLO)
            await ana.until(LinkUp(binh.key))
            ana.links.send(binh.key, HELLO)
            await binh.until(LinkUp(ana.key))
            wire.freeze()
            await ana.until(LinkDown(binh.key))
            await binh.until(LinkDown(ana.key))
            wire.thaw()
            await binh.until(Reached(ana.key))
            binh.links.send(ana.key, HELLO)
            await ana.until(LinkUp(binh.key))

    in_a_loop(test)


def test_a_slow_cable_carries_a_full_frame_without_a_disconnection():
    slow = LinkSettings(heartbeat_interval=0.3, heartbeat_timeout=2)

    async def test():
        keys = curve_keys()
        async with (
            open_node(keys[0], settings=slow) as ana,
            open_node(ana.key, keys=keys, settings=slow) as binh,
            Wire.to(ana) as wire,
        ):
            binh.links.dial(ana.key, [wire.address])
            await binh.until(Reached(ana.key))
            wire.bytes_per_second = 60_000
            largest = Records((b"r" * MAX_RECORD,))
            assert binh.links.send(ana.key, largest)
            assert binh.links.send(ana.key, largest)
            await ana.until(Incoming(binh.key, largest))
            await ana.until(Incoming(binh.key, largest))
            assert LinkDown not in [type(event) for event in ana.seen]

    in_a_loop(test)


def test_a_share_of_a_slow_cable_carries_a_large_record_without_a_disconnection():
    slow = LinkSettings(heartbeat_interval=0.3, heartbeat_timeout=1)

    async def test():
        keys = curve_keys()
        async with (
            open_node(keys[0], settings=slow) as ana,
            open_node(ana.key, keys=keys, settings=slow) as binh,
            Wire.to(ana) as wire,
        ):
            binh.links.dial(ana.key, [wire.address])
            await binh.until(Reached(ana.key))
            # A tenth of the usual patience, and a fifth of ten times 10 kB/s.
            wire.bytes_per_second = 20_000
            record, assembly = os.urandom(MAX_RECORD), Assembly()
            for piece in frames_of([record]):
                assert binh.links.send(ana.key, piece)
            whole = None
            while whole is None:
                whole = assembly.add((await ana.until(Incoming)).frame)
            assert whole == record
            assert LinkDown not in [type(event) for event in ana.seen]

    in_a_loop(test)


def test_the_default_times_carry_a_full_frame_at_10_kb_a_second():
    assert LinkSettings().heartbeat_timeout > MAX_FRAME / 10_000


def test_the_default_times_notice_a_frozen_peer_within_ten_seconds():
    times = LinkSettings()
    assert times.heartbeat_interval + times.heartbeat_timeout < 10
