"""The file of addresses: what is written is read, by people too, and a wrong line is named."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import ClimbError, MalformedError
from p2pclimb.net.address import Address
from p2pclimb.store.peersfile import Whereabouts, read_whereabouts, write_whereabouts

ADDRESSES = (Address("192.0.2.7", 27271), Address("2001:db8::7", 1), Address("ana.example", 65535))
WHERE = Whereabouts("*", 27271, ADDRESSES[:1], {b"k" * 32: ADDRESSES, b"l" * 32: ()})


def test_whereabouts_come_back_as_they_were(tmp_path):
    path = tmp_path / "table.climb.peers"
    write_whereabouts(path, WHERE)
    assert read_whereabouts(path) == WHERE
    assert read_whereabouts(tmp_path / "none") == Whereabouts("*", 0)


def test_a_person_may_write_lines_of_their_own(tmp_path):
    path = tmp_path / "table.climb.peers"
    write_whereabouts(path, Whereabouts("*", 0))
    with path.open("a", encoding="ascii") as stream:
        stream.write(f"\n# Binh is at home today\n  peer {'6b' * 32}   binh.example:5 \n")
    assert read_whereabouts(path).peers == {b"k" * 32: (Address("binh.example", 5),)}


@pytest.mark.parametrize(
    "line",
    ["listen *", "listen * x", "listen * 65536", "peer 00 a:1", "peer zz a:1", "advertise a", "?"],
)
def test_a_wrong_line_is_named_by_its_number(tmp_path, line):
    path = tmp_path / "table.climb.peers"
    path.write_text(f"listen * 5\n{line}\n", encoding="ascii")
    with pytest.raises(MalformedError, match="Line 2 of"):
        read_whereabouts(path)


@given(st.binary(max_size=200))
def test_only_the_error_tree_escapes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("peers") / "table.climb.peers"
    path.write_bytes(data)
    with contextlib.suppress(ClimbError):
        read_whereabouts(path)
