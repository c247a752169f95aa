"""Where a command gets its invitation from: never only from words that others can see."""

import argparse

import pytest

from p2pclimb.cli.invitations import add_invitation_argument, read_invitation
from p2pclimb.cli.parser import Parser
from p2pclimb.errors import InvitationError
from p2pclimb.net.address import Address
from p2pclimb.net.invitation import Invitation, InvitationKind

PLACES = tuple(Address(f"2001:db8::{n:x}:aaaa:bbbb:cccc", 65_000 + n) for n in range(8))
LONG = Invitation(InvitationKind.PLAYER, b"l" * 16, b"h" * 32, b"s" * 16, PLACES)
SHORT = Invitation(InvitationKind.PLAYER, b"L" * 16, b"h" * 32, b"S" * 16, PLACES[:1])


@pytest.fixture
def type_in(monkeypatch, tmp_path):
    def give(text):
        (tmp_path / "typed").write_text(text)
        monkeypatch.setattr("sys.stdin", (tmp_path / "typed").open())

    return give


def given(word=""):
    return argparse.Namespace(invitation=word, quiet=True)


@pytest.mark.parametrize("invitation", [SHORT, LONG])
def test_a_word_may_be_the_invitation_or_name_its_file(tmp_path, invitation):
    file = tmp_path / "invitation.txt"
    file.write_text(f"Here it is:\n{invitation.to_text()}\n")
    assert read_invitation(given(invitation.to_text())) == invitation
    assert read_invitation(given(str(file))) == invitation


def test_the_longest_invitation_is_longer_than_a_name_can_be():
    assert len(LONG.to_text()) > 255


def test_without_a_word_the_environment_is_asked_and_then_the_person(monkeypatch, type_in):
    type_in(f"{SHORT.to_text()}\nyes\n")
    monkeypatch.setenv("P2PCLIMB_INVITATION", LONG.to_text())
    assert read_invitation(given()) == LONG
    assert read_invitation(given("-")) == SHORT
    monkeypatch.delenv("P2PCLIMB_INVITATION")
    type_in(f"{SHORT.to_text()}\nyes\n")
    assert read_invitation(given()) == SHORT


def test_a_person_who_pastes_something_else_is_told_at_once(monkeypatch, type_in, capsys):
    half = SHORT.to_text()[:40]
    type_in(f"blah\n{half}\n{SHORT.to_text()[40:]}\n")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    assert read_invitation(argparse.Namespace(invitation="", quiet=False)) == SHORT
    assert capsys.readouterr().err.count("There is no invitation in this.") == 1


def test_nothing_at_all_is_no_invitation(type_in):
    type_in("")
    with pytest.raises(InvitationError):
        read_invitation(given())


def test_help_names_the_ways_that_others_cannot_see_and_no_example_shows_an_invitation():
    parser = Parser(prog="p2pclimb join")
    add_invitation_argument(parser)
    words = " ".join(parser.format_help().split())
    assert "- for standard input" in words
    assert "$P2PCLIMB_INVITATION" in words
    assert "p2pclimb1:" not in words
