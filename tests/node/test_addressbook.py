"""Where peers may be: nobody's lies crowd out the truth, and nothing senseless is dialled."""

import pytest

from p2pclimb.net.address import MAX_ADDRESSES, Address, is_dialable
from p2pclimb.net.frames import Peers
from p2pclimb.node.addressbook import MAX_DIALLED, AddressBook

BINH, CHI, DUNG = (bytes([number]) * 32 for number in range(3))
HOME, AWAY, OLD = (Address(f"192.0.2.{number}", 5) for number in range(3))


def lies(first):
    return tuple(Address(f"198.51.100.{first + number}", 9) for number in range(MAX_ADDRESSES))


def test_a_peer_s_own_word_replaces_what_was_known_and_is_what_is_passed_on():
    book = AddressBook({BINH: (OLD,), CHI: (OLD,)})
    book.said(BINH, [HOME])
    book.heard(CHI, Peers(((CHI, (AWAY,)), (BINH, (OLD,)))))
    assert book.first_hand() == {BINH: (HOME,), CHI: (AWAY,)}
    assert book.to_dial(BINH) == (HOME, OLD)
    book.said(BINH, [])  # says nothing
    assert book.first_hand()[BINH] == (HOME,)


def test_a_peer_that_dials_from_elsewhere_may_be_there():
    book = AddressBook({})
    book.said(BINH, [HOME], "203.0.113.9")
    assert book.first_hand() == {BINH: (HOME, Address("203.0.113.9", 5))}
    book.said(CHI, [HOME], HOME.host)
    assert book.first_hand()[CHI] == (HOME,)


def test_a_liar_cannot_crowd_out_what_others_say():
    book = AddressBook({BINH: (OLD,)})
    book.heard(CHI, Peers(((BINH, lies(0)),)))
    book.heard(DUNG, Peers(((BINH, (HOME,)),)))
    for round_ in range(1, 9):
        book.heard(CHI, Peers(((BINH, lies(10 * round_)),)))
    dialled = book.to_dial(BINH)
    assert dialled[0] == OLD
    assert HOME in dialled
    assert len(dialled) <= MAX_DIALLED
    assert AddressBook({}).to_dial(BINH) == ()


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "::", "224.0.0.1", "ff02::1", "255.255.255.255"],  # noqa: S104 - not to be bound
)
def test_addresses_of_no_machine_or_of_many_are_never_dialled(host):
    book = AddressBook({})
    book.said(BINH, [Address(host, 5)])
    book.heard(CHI, Peers(((BINH, (Address(host, 5), HOME)),)))
    assert book.to_dial(BINH) == (HOME,)
    assert book.first_hand() == {}


def test_names_and_private_addresses_are_dialled():
    for host in ("ana.example", "10.0.0.1", "127.0.0.1", "fe80::1", "2001:db8::7"):
        assert is_dialable(Address(host, 5))
