"""Nodes and hostile clients on loopback, and ways to wait for what they should bring about."""

import asyncio
import contextlib

import zmq
import zmq.asyncio
from zmq.utils import z85

from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission
from p2pclimb.net.frames import Heads, Hello, Join
from p2pclimb.net.links import Links
from p2pclimb.net.loop import run
from p2pclimb.net.sockets import LinkSettings
from p2pclimb.net.switchboard import Incoming, LinkDown, LinkUp, Reached, Trouble

FAST = LinkSettings(
    heartbeat_interval=0.1,
    heartbeat_timeout=0.5,
    connect_timeout=1,
    handshake_timeout=0.6,
    first_frame_timeout=0.3,
    first_retry=0.02,
    longest_retry=0.1,
    retry_when_refused=0.1,
    linger=0.1,
)
HELLO = Hello(1, 1, b"t" * 32, ())
JOIN = Join(b"l" * 16, b"s" * 16, "Ana", b"i" * 32, b"g" * 64, (), False)


def curve_keys():
    public, secret = zmq.curve_keypair()
    return z85.decode(public), z85.decode(secret)


def in_a_loop(test, seconds=20):
    """Run an asynchronous test to its end, in bounded time."""

    async def bounded():
        async with asyncio.timeout(seconds):
            await test()

    run(bounded())


async def eventually(condition):
    """Wait until a condition holds that no event tells of."""
    while not condition():
        await asyncio.sleep(0.002)


class Node:
    """Links, their keys and admission, and everything they have reported."""

    def __init__(self, keys, admission, links):
        self.key = keys[0]
        self.keys = keys
        self.admission = admission
        self.links = links
        self.seen = []

    @property
    def home(self):
        return Address("127.0.0.1", self.links.port)

    async def until(self, wanted):
        """Wait for an event: of a class, equal to one, or of which a predicate holds."""
        while True:
            event = await self.links.receive()
            self.seen.append(event)
            match wanted:
                case type():
                    found = isinstance(event, wanted)
                case Incoming() | LinkDown() | LinkUp() | Reached() | Trouble():
                    found = event == wanted
                case _:
                    found = wanted(event)
            if found:
                return event

    async def until_trouble(self, cause):
        return await self.until(lambda e: isinstance(e, Trouble) and e.diagnosis.cause is cause)

    def frames(self):
        return [event.frame for event in self.seen if isinstance(event, Incoming)]


@contextlib.asynccontextmanager
async def open_node(*listed, keys=None, lobby_open=False, host="127.0.0.1", port=0, settings=FAST):
    keys = keys or curve_keys()
    admission = Admission(listed, lobby_open=lobby_open)
    links = await Links.open(*keys, host, port, admission, settings)
    try:
        yield Node(keys, admission, links)
    finally:
        await links.close()


async def greet(dialling, answering):
    """Dial, say hello, answer, and wait until both sides call the other up."""
    dialling.links.dial(answering.key, [answering.home])
    await dialling.until(Reached(answering.key))
    assert dialling.links.send(answering.key, HELLO)
    await answering.until(LinkUp(dialling.key))
    assert answering.links.send(dialling.key, HELLO)
    await dialling.until(LinkUp(answering.key))


@contextlib.contextmanager
def raw_client(node, keys=None, *, null=False, server_key=None):
    """Yield a DEALER and its monitor that speak ZeroMQ to a node without any of our rules."""
    with zmq.asyncio.Context() as context:
        client = context.socket(zmq.DEALER)
        client.linger = 0
        if not null:
            public, secret = keys or curve_keys()
            client.curve_publickey = z85.encode(public)
            client.curve_secretkey = z85.encode(secret)
            client.curve_serverkey = z85.encode(server_key or node.key)
        monitor = client.get_monitor_socket()
        client.connect(f"tcp://127.0.0.1:{node.links.port}")
        try:
            yield client, monitor
        finally:
            client.disable_monitor()
            monitor.close(linger=0)
            client.close(linger=0)


async def monitor_event(monitor, *wanted):
    """Wait for one of some monitor events."""
    while True:
        parts = await monitor.recv_multipart()
        event = zmq.Event(int.from_bytes(parts[0][:2], "little"))
        if event in wanted:
            return event


class Wire:
    """A TCP forwarder in front of a node: a cable that can be frozen and made slow."""

    def __init__(self, port):
        self._target = port
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.bytes_per_second = None
        self._tasks = set()
        self.address = None

    @classmethod
    @contextlib.asynccontextmanager
    async def to(cls, node):
        wire = cls(node.links.port)
        server = await asyncio.start_server(wire._serve, "127.0.0.1", 0)
        wire.address = Address("127.0.0.1", server.sockets[0].getsockname()[1])
        try:
            yield wire
        finally:
            server.close()
            for task in wire._tasks:
                task.cancel()
            await asyncio.gather(*wire._tasks, return_exceptions=True)

    def freeze(self):
        self._flowing.clear()

    def thaw(self):
        self._flowing.set()

    async def _serve(self, reader, writer):
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        ways = [(reader, there_writer), (there_reader, writer)]
        self._tasks |= {asyncio.create_task(self._pump(*way)) for way in ways}

    async def _pump(self, reader, writer):
        try:
            while data := await reader.read(2048):
                await self._flowing.wait()
                if self.bytes_per_second is not None:
                    await asyncio.sleep(len(data) / self.bytes_per_second)
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()


def at(step: int) -> Heads:
    """A small frame that tells frames apart by their step."""
    return Heads(step, bytes(32), ())
