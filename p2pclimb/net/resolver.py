"""Host names turned into IP addresses, without holding up anything else.

libzmq would resolve a name in the one thread that carries all links, and asyncio in a pool that
is waited for at the end of the program; a name service that hangs would stall either.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading

from p2pclimb.net.address import Address, is_literal

__all__ = ["resolve"]


async def resolve(address: Address) -> list[str]:
    """Return the IP addresses of a host in the system's order of preference, or none."""
    if is_literal(address.host):
        return [address.host]
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def tell(hosts: list[str]) -> None:
        if not found.done():  # the attempt may have been given up
            found.set_result(hosts)

    def look_up() -> None:
        hosts = _look_up(address)
        with contextlib.suppress(RuntimeError):  # the loop may have ended meanwhile
            loop.call_soon_threadsafe(tell, hosts)

    threading.Thread(target=look_up, name="resolver", daemon=True).start()
    return await found


def _look_up(address: Address) -> list[str]:
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
