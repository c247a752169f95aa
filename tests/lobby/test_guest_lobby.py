"""A guest's side: what it asks for, what it believes of the host, and what it refuses."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lobby_setup import HOME, Visitor, answers, host_lobby, identity

from p2pclimb.crypto.identity import verify_signature
from p2pclimb.errors import AdmissionError, ClimbError, MalformedError, UnsupportedError
from p2pclimb.games.options import Options
from p2pclimb.ledger.codec import encode
from p2pclimb.ledger.terms import SeatTerms, Terms
from p2pclimb.net.admission import JOIN_LABEL, join_statement
from p2pclimb.net.frames import Decline, Hello, Lobby, Refused, RosterSeat, Welcome
from p2pclimb.net.frames import Terms as TermsFrame
from p2pclimb.table.roster import RosterChanged, TermsProposed


@pytest.fixture
def lobby():
    return host_lobby(seats=4)


@pytest.fixture
def binh(lobby):
    return Visitor(lobby, "Binh")


def roster_frame(lobby, **changes):
    return replace(lobby._lobby(), **changes)


def test_the_request_is_signed_for_this_lobby_host_connection_and_name(lobby, binh):
    request = binh.request()
    statement = join_statement(lobby.lobby_id, lobby.host.curve_key, binh.curve, "Binh")
    verify_signature(request.identity_key, JOIN_LABEL, statement, request.signature)
    assert request.secret == binh.side.invitation.secret


def test_the_roster_is_shown_with_this_guest_s_own_place(lobby, binh):
    chi = Visitor(lobby, "Chi")
    binh.join()
    chi.join()
    effects = lobby.depart(binh.curve, "left")
    (frame,) = answers(effects, chi.curve)
    (notice,) = chi.side.receive(frame)
    assert isinstance(notice, RosterChanged)
    # Chi sits in the third seat, but the roster closes the gap that Binh has left.
    assert notice.own_seat == 1
    assert [guest and guest.name for guest in notice.roster.guests] == ["Ana", "Chi", None, None]
    assert chi.side.addresses[lobby.host.curve_key] == HOME


def test_a_guest_that_is_not_in_the_roster_has_no_place(lobby, binh):
    (notice,) = binh.side.receive(lobby._lobby())
    assert notice.own_seat is None


def test_names_in_a_roster_are_made_printable(lobby, binh):
    evil = replace(lobby.host, name="A\x1b[2Jna\u202e")
    (notice,) = binh.side.receive(roster_frame(lobby, roster=(evil,)))
    assert notice.roster.guests[0].name == "A[2Jna"


def test_the_host_s_refusal_ends_it_in_printable_words(binh):
    with pytest.raises(AdmissionError) as caught:
        binh.side.receive(Refused("full", "All seats\x1b]0;x\x07 are taken.\u202e"))
    assert caught.value.text == "The host says no: All seats]0;x are taken."
    assert caught.value.exit_code == 7


@pytest.mark.parametrize("frame", [Welcome(3), Hello(1, 1, b"t" * 32, ()), Decline("no")])
def test_frames_that_say_nothing_of_the_lobby_change_nothing(binh, frame):
    assert binh.side.receive(frame) == []


def test_a_roster_larger_than_the_table_is_refused(lobby, binh):
    binh.join()
    Visitor(lobby, "Chi").join()
    with pytest.raises(MalformedError, match="more players than seats"):
        binh.side.receive(roster_frame(lobby, wanted=2))


def test_a_roster_with_an_operator_who_is_not_there_is_refused(lobby, binh):
    robo = replace(lobby.host, name="Robo", operator=3, is_bot=True)
    with pytest.raises(MalformedError, match="nobody in it runs"):
        binh.side.receive(roster_frame(lobby, roster=(lobby.host, robo)))


@pytest.mark.parametrize("options", [[], ["tienlen/1", []], ["tienlen/1", [["stake", -1]]], [7, 7]])
def test_options_that_are_none_are_refused(lobby, binh, options):
    with pytest.raises(MalformedError):
        binh.side.receive(roster_frame(lobby, options=options))


def test_a_game_of_a_newer_program_is_told_apart(lobby, binh):
    with pytest.raises(UnsupportedError):
        binh.side.receive(roster_frame(lobby, options=["tienlen/9", []]))


# -- terms ---------------------------------------------------------------------------------------


def proposal(lobby, seats):
    return TermsFrame(Terms(b"n" * 16, lobby.options, tuple(seats)).encode())


def seat_of(name, seed, operator, **changes):
    who = identity(seed)
    curve, _ = who.curve_key_pair()
    return replace(SeatTerms(name, who.public, curve, operator, False), **changes)


def test_terms_are_proposed_with_this_guest_s_seat(lobby, binh):
    frame = proposal(lobby, [seat_of("Ana", "Ana", 0), seat_of("Binh", "Binh", 1)])
    (notice,) = binh.side.receive(frame)
    assert isinstance(notice, TermsProposed)
    assert notice.own_seat == 1


@pytest.mark.parametrize(
    "own",
    [
        pytest.param(seat_of("Binh", "Chi", 1), id="another identity"),
        pytest.param(seat_of("Bính", "Binh", 1), id="another name"),
        pytest.param(seat_of("Binh", "Binh", 1, curve=b"c" * 32), id="another connection"),
        pytest.param(seat_of("Binh", "Binh", 0, is_bot=True), id="a bot of the host's"),
    ],
)
def test_terms_that_do_not_name_this_guest_exactly_are_refused(lobby, binh, own):
    frame = proposal(lobby, [seat_of("Ana", "Ana", 0), own])
    with pytest.raises(MalformedError, match="do not name this player"):
        binh.side.receive(frame)


@pytest.mark.parametrize(
    "seats",
    [
        pytest.param(["Binh"], id="one seat"),
        pytest.param(["Binh", "Binh"], id="the same seat twice"),
        pytest.param([], id="none"),
    ],
)
def test_terms_that_cannot_be_played_are_the_host_s_mistake(lobby, binh, seats):
    frame = proposal(lobby, [seat_of(name, name, n) for n, name in enumerate(seats)])
    with pytest.raises(MalformedError):
        binh.side.receive(frame)


def test_terms_of_rules_for_other_numbers_are_the_host_s_mistake(binh):
    options = Options.make("tienlen", {"deal": "17"})
    seats = (seat_of("Ana", "Ana", 0), seat_of("Binh", "Binh", 1))
    with pytest.raises(MalformedError, match="cannot be played"):
        binh.side.receive(TermsFrame(Terms(b"n" * 16, options, seats).encode()))


# -- a hostile host ------------------------------------------------------------------------------

TEXTS = st.text(max_size=30)
KEYS = st.binary(min_size=32, max_size=32)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | TEXTS | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=20,
)
SEATS = st.builds(
    RosterSeat, TEXTS, KEYS, KEYS, st.integers(0, 7), st.booleans(), st.just(()) | st.just(HOME)
)
FRAMES = st.one_of(
    st.builds(Welcome, st.integers(0, 7)),
    st.builds(Refused, TEXTS, TEXTS),
    st.builds(
        Lobby,
        st.lists(SEATS, max_size=8).map(tuple),
        st.integers(2, 8),
        st.lists(VALUES, max_size=4),
    ),
    st.builds(TermsFrame, st.binary(max_size=200)),
    st.builds(TermsFrame, VALUES.filter(lambda v: "None" not in repr(v)).map(encode)),
)


@given(FRAMES)
def test_whatever_a_host_sends_only_errors_of_the_tree_come_of_it(frame):
    side = Visitor(host_lobby(), "Binh").side
    try:
        notices = side.receive(frame)
    except ClimbError:
        return
    for notice in notices:
        if isinstance(notice, RosterChanged):
            assert all(g is None or g.name.isprintable() for g in notice.roster.guests)
