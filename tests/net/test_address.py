"""Addresses: what is accepted, how it is written, and what this machine guesses of its own."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import MalformedError, UsageError
from p2pclimb.net import address as address_module
from p2pclimb.net.address import Address, addresses_from_wire, local_addresses, parse_address


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.0.2.1:27271", "192.0.2.1", 27271),
        (" ana.example:1 ", "ana.example", 1),
        ("localhost:65535", "localhost", 65535),
        ("[2001:db8::1]:80", "2001:db8::1", 80),
        ("[::1]:80", "::1", 80),
        ("my_box.lan.:80", "my_box.lan.", 80),
    ],
)
def test_addresses_are_read_and_written_back(text, host, port):
    address = parse_address(text)
    assert address == Address(host, port)
    assert str(address) == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "host",
        "host:",
        ":80",
        "host:0",
        "host:65536",
        "host:8O",
        "host:-1",
        "host:٣",
        "::1:80",
        "2001:db8::1",
        "[192.0.2.1]:80",
        "[::1]",
        "[fe80::1%eth0]:80",
        "300.1.1.1:80",
        "1.2.3:80",
        "a b:80",
        "a..b:80",
        "-a:80",
        "a/b:80",
        "tcp://a:80",
        "ö.example:80",
        "a\n:80",
        "x" * 64 + ":80",
        "x." * 127 + "xyz:80",
    ],
)
def test_what_could_never_be_connected_to_is_refused(text):
    with pytest.raises(UsageError):
        parse_address(text)


@given(st.text(max_size=40))
def test_only_usage_errors_escape(text):
    try:
        address = parse_address(text)
    except UsageError:
        return
    assert parse_address(str(address)) == address


def test_addresses_from_a_peer_are_malformed_rather_than_misused():
    assert addresses_from_wire(["[::1]:5", "a:6"]) == (Address("::1", 5), Address("a", 6))
    for wrong in (["a"], [b"a:6"], ["a:6"] * 9, "a:6", ["x" * 400 + ":6"], ["a:06"], [" a:6"]):
        with pytest.raises(MalformedError):
            addresses_from_wire(wrong)


def test_own_addresses_end_with_loopback_and_hold_no_useless_ones():
    found = local_addresses(27271)
    assert found[-1] == Address("127.0.0.1", 27271)
    assert len(found) == len(set(found)) <= 8
    for other in found[:-1]:
        ip = ipaddress.ip_address(other.host)
        assert not any((ip.is_loopback, ip.is_link_local, ip.is_unspecified))


def test_a_machine_without_any_route_still_has_loopback(monkeypatch):
    class NoRoute:
        def __init__(self, *_):
            raise OSError("no route")

    monkeypatch.setattr(address_module.socket, "socket", NoRoute)
    assert local_addresses(5) == (Address("127.0.0.1", 5),)
