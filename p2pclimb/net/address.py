"""Addresses of peers: written, read, and guessed for this machine.

Here an address is text; turning a host name into something to connect to is the dialler's work.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass

from p2pclimb.errors import MalformedError, UsageError
from p2pclimb.ledger.codec import Value, as_list, as_text

__all__ = [
    "MAX_ADDRESSES",
    "Address",
    "addresses_from_wire",
    "is_dialable",
    "is_literal",
    "local_addresses",
    "parse_address",
]

MAX_ADDRESSES = 8
_BROADCAST = "255.255.255.255"
_LONGEST_NAME = 253  # RFC 1035, 2.3.4
_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")

# No packet is sent to these: a connected UDP socket only asks the kernel which of our addresses
# it would use.  The private ranges are asked too, since each may lie behind another interface.
_PROBES = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET, "192.168.255.254"),
    (socket.AF_INET, "10.255.255.254"),
    (socket.AF_INET, "172.31.255.254"),
    (socket.AF_INET, "100.127.255.254"),
    (socket.AF_INET6, "2001:db8::1"),
    (socket.AF_INET6, "fd00::1"),
)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a peer may be reached: an IPv4 or IPv6 address or a host name, and a TCP port.

    Raises UsageError for anything that could never be connected to.
    """

    host: str
    port: int

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65_535:
            raise UsageError(f"{self.port} is no port.", hint="Ports go from 1 to 65535.")
        if not is_literal(self.host) and not _is_host_name(self.host):
            raise UsageError("That is no host name and no IP address.")

    @property
    def is_loopback(self) -> bool:
        """Whether it is of use on one machine only."""
        return is_literal(self.host) and ipaddress.ip_address(self.host).is_loopback

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `HOST:PORT`, with an IPv6 address in brackets; UsageError says what is wrong."""
    host, colon, port = text.strip().rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,5}", port):
        raise UsageError("An address needs a port.", hint="Write it as HOST:PORT.")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
        if ":" not in host:
            raise UsageError("Only an IPv6 address stands in brackets.")
    elif ":" in host:
        raise UsageError("An IPv6 address needs brackets.", hint="Write it as [ADDRESS]:PORT.")
    return Address(host, int(port))


def addresses_from_wire(value: Value) -> tuple[Address, ...]:
    """Take a received array of at most `MAX_ADDRESSES` address texts; else MalformedError.

    A text is what `str` gives of the address: not with a zero before the port, as people may type.
    """
    texts = [as_text(item, _LONGEST_NAME + 8) for item in as_list(value, MAX_ADDRESSES)]
    try:
        addresses = tuple(parse_address(text) for text in texts)
    except UsageError as error:
        raise MalformedError("Not an address.") from error
    if [*map(str, addresses)] != texts:
        raise MalformedError("An address that is not in canonical form.")
    return addresses


def is_literal(host: str) -> bool:
    """Tell whether `host` is an IPv4 or IPv6 address and not a name.

    An IPv6 address with a zone (`fe80::1%eth0`) is neither: it means nothing to another machine.
    """
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return "%" not in host


def is_dialable(address: Address) -> bool:
    """Tell whether somebody else's word is enough to dial an address: it may be one machine's.

    Host names are; addresses that name no machine, or many, are not.
    """
    if not is_literal(address.host):
        return True
    host = ipaddress.ip_address(address.host)
    return not (host.is_unspecified or host.is_multicast or str(host) == _BROADCAST)


def _is_host_name(host: str) -> bool:
    labels = host.removesuffix(".").split(".")
    return (
        len(host) <= _LONGEST_NAME
        and all(_LABEL.fullmatch(label) for label in labels)
        # A numeric last label is a mistyped IPv4 address, not a name (RFC 3696, 2).
        and not labels[-1].isdigit()
    )


def local_addresses(port: int) -> tuple[Address, ...]:
    """Guess where this machine can be reached, IPv4 first and loopback last; sends nothing."""
    hosts: list[str] = []
    for family, target in _PROBES:
        host = _source_address(family, target)
        if host is not None and host not in hosts:
            hosts.append(host)
    return tuple(Address(host, port) for host in [*hosts[: MAX_ADDRESSES - 1], "127.0.0.1"])


def _source_address(family: socket.AddressFamily, target: str) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            host = str(probe.getsockname()[0])
    except OSError:  # no route there, or no such protocol on this machine
        return None
    address = ipaddress.ip_address(host.partition("%")[0])
    usable = not (address.is_loopback or address.is_link_local or address.is_unspecified)
    return str(address) if usable else None
