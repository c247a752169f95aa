"""An invitation survives what chats do to it, and every damage is told for what it is."""

import base64
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import InvitationError
from p2pclimb.net import invitation as invitation_module
from p2pclimb.net.address import Address
from p2pclimb.net.invitation import Invitation, InvitationKind, parse_invitation

INVITATION = Invitation(
    InvitationKind.PLAYER,
    bytes(range(16)),
    bytes(range(100, 132)),
    b"very secret 1234",
    (Address("192.0.2.7", 27271), Address("2001:db8::7", 27271), Address("ana.example", 5)),
)
TEXT = INVITATION.to_text()


def test_the_text_is_one_line_of_letters_and_digits():
    assert TEXT.startswith("p2pclimb1:")
    assert TEXT.removeprefix("p2pclimb1:").isalnum()
    assert len(TEXT) < 260


def test_the_same_invitation_comes_back():
    assert parse_invitation(TEXT) == INVITATION


@given(
    st.sampled_from(InvitationKind),
    st.binary(min_size=16, max_size=16),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 8),
)
def test_any_invitation_comes_back(kind, secret, key, count):
    homes = tuple(Address(f"host{i}.example", 1 + i) for i in range(count))
    invitation = Invitation(kind, secret, key, secret, homes)
    assert parse_invitation(invitation.to_text()) == invitation


@pytest.mark.parametrize(
    "pasted",
    [
        pytest.param(f"\n  {TEXT}\r\n", id="surrounding space"),
        pytest.param("\n".join(textwrap.wrap(TEXT, 30)), id="wrapped"),
        pytest.param("\n".join("> " + line for line in textwrap.wrap(TEXT, 20)), id="quoted reply"),
        pytest.param("\n".join(textwrap.wrap(TEXT, 4)), id="wrapped inside the prefix"),
        pytest.param(TEXT.lower(), id="lower case"),
        pytest.param(TEXT.upper(), id="upper case"),
        pytest.param(f'"{TEXT}"', id="quotes"),
        pytest.param(f"«`{TEXT}`»", id="typographic quotes"),
        pytest.param(f"Hi! Come and play, here: {TEXT}\nsee you at 8!", id="words around"),
        pytest.param(f"$ p2pclimb join {TEXT}", id="a shell line"),
        pytest.param("\u200b".join(TEXT), id="zero-width spaces"),
        pytest.param("-".join(textwrap.wrap(TEXT, 6)), id="dashes"),
        pytest.param(f"{TEXT} {TEXT}", id="pasted twice"),
    ],
)
def test_what_chats_do_to_it_does_no_harm(pasted):
    assert parse_invitation(pasted) == INVITATION


@pytest.mark.parametrize("text", ["", "hello", "p2pclimb", "https://example.org/1:", "magnet:?x"])
def test_other_text_is_no_invitation(text):
    with pytest.raises(InvitationError, match="not an invitation"):
        parse_invitation(text)


def test_every_shortened_invitation_is_told_as_cut_short():
    for length in range(len("p2pclimb1:"), len(TEXT)):
        with pytest.raises(InvitationError, match="cut short"):
            parse_invitation(TEXT[:length])


def test_a_newer_invitation_is_told_with_its_version():
    with pytest.raises(InvitationError, match="version 2"):
        parse_invitation(TEXT.replace("climb1:", "climb2:"))


def test_every_single_wrong_character_is_noticed():
    start = len("p2pclimb1:")
    for place in range(start, len(TEXT)):
        other = "A" if TEXT[place] != "A" else "B"
        try:
            found = parse_invitation(TEXT[:place] + other + TEXT[place + 1 :])
        except InvitationError:
            continue
        # The last character carries unused bits, and only those may differ.
        assert (place, found) == (len(TEXT) - 1, INVITATION)


def test_a_character_outside_the_alphabet_is_damage():
    with pytest.raises(InvitationError, match="damaged"):
        parse_invitation(TEXT[:40] + "1" + TEXT[41:])


def test_two_characters_exchanged_are_damage():
    place = next(i for i in range(60, len(TEXT)) if TEXT[i] != TEXT[i + 1])
    swapped = TEXT[:place] + TEXT[place + 1] + TEXT[place] + TEXT[place + 2 :]
    with pytest.raises(InvitationError, match="damaged"):
        parse_invitation(swapped)


def test_fields_of_another_shape_are_refused_although_the_checksum_holds():
    body = b"\x92\x01\x02"
    data = len(body).to_bytes(2, "big") + body + invitation_module._checksum(body)
    text = "p2pclimb1:" + base64.b32encode(data).decode().rstrip("=")
    with pytest.raises(InvitationError, match="does not understand"):
        parse_invitation(text)


@given(st.text(max_size=80), st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", max_size=80))
def test_only_invitation_errors_escape(text, letters):
    for candidate in (text, "p2pclimb1:" + text, "p2pclimb1:" + letters, "p2pclimb1:AB" + letters):
        with pytest.raises(InvitationError):
            parse_invitation(candidate)


def test_the_secret_is_not_in_the_repr():
    assert "secret" not in repr(INVITATION)
