"""The listening side alone, where the order of what it finds matters."""

import asyncio
import contextlib
from types import SimpleNamespace

import zmq
import zmq.asyncio
from link_harness import FAST, HELLO, at, curve_keys, eventually, in_a_loop, raw_client
from zmq.utils import z85

from p2pclimb.net.admission import Admission
from p2pclimb.net.gate import Gate
from p2pclimb.net.inbox import Inbox
from p2pclimb.net.sockets import CurveKeys
from p2pclimb.net.switchboard import Incoming, LinkDown, LinkUp, Switchboard
from p2pclimb.net.wire import encode_frame
from p2pclimb.net.zap import ZapHandler


@contextlib.asynccontextmanager
async def listening():
    """Yield an inbox that admits one peer and does not run yet, with that peer's keys."""
    keys, peer = CurveKeys(*curve_keys()), curve_keys()
    admission = Admission([peer[0]])
    board = Switchboard(admission, Gate(admission), asyncio.get_running_loop().time)
    with zmq.asyncio.Context() as context:
        zap = ZapHandler(context, lambda key: key == peer[0])
        inbox = Inbox(context, keys, FAST, board)
        port = inbox.bind("127.0.0.1", 0).port
        tasks = [asyncio.create_task(zap.run())]

        def run():
            tasks.append(asyncio.create_task(inbox.run()))

        yield SimpleNamespace(
            key=keys.public,
            links=SimpleNamespace(port=port),
            peer=peer,
            board=board,
            inbox=inbox,
            run=run,
        )
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        inbox.close(0)
        zap.close()


def test_a_frame_that_waited_with_its_connection_brings_the_peer_up():
    """The connection and its first frame are found at once, after the loop was busy elsewhere."""

    async def test():
        async with listening() as node:
            peer, board = node.peer, node.board
            with raw_client(node, peer) as (client, _):
                await client.send(encode_frame(HELLO))
                await node.inbox._router.poll()
                node.run()
                assert await board.next_event() == LinkUp(peer[0])
                assert await board.next_event() == Incoming(peer[0], HELLO)
            await eventually(lambda: not board.peers())

    in_a_loop(test)


def test_the_last_words_of_a_connection_come_before_its_loss():
    """A frame and the end of its connection arrive between two looks of the inbox."""

    async def test():
        async with listening() as node:
            peer, board, inbox = node.peer, node.board, node.inbox
            theirs = zmq.Context()
            client = theirs.socket(zmq.DEALER)
            client.curve_publickey, client.curve_secretkey = map(z85.encode, peer)
            client.curve_serverkey = z85.encode(node.key)
            client.connect(f"tcp://127.0.0.1:{node.links.port}")
            client.send(encode_frame(HELLO))
            node.run()
            assert await board.next_event() == LinkUp(peer[0])
            assert await board.next_event() == Incoming(peer[0], HELLO)
            looks, look = [], inbox._note_connections

            def instead():
                looks.append(None)
                if len(looks) == 2:
                    client.send(encode_frame(at(2)))
                    client.close(linger=1000)
                    theirs.term()
                    zmq.Socket.shadow(inbox._monitor).poll(1000)
                look()

            inbox._note_connections = instead
            client.send(encode_frame(at(1)))
            seen = [await board.next_event() for _ in range(3)]
            assert seen == [
                Incoming(peer[0], at(1)),
                Incoming(peer[0], at(2)),
                LinkDown(peer[0]),
            ]

    in_a_loop(test)
