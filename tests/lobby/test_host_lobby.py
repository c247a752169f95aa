"""The host's side: who is let in, who is not and why, and what is proposed to whom."""

from dataclasses import replace

import pytest
from lobby_setup import Visitor, answers, host_lobby, identity, notices, refusal

from p2pclimb.errors import OptionsError, UsageError
from p2pclimb.ledger.past import Past
from p2pclimb.ledger.terms import Terms
from p2pclimb.net.address import Address
from p2pclimb.net.admission import JOIN_LABEL, Standing, join_statement
from p2pclimb.net.frames import Lobby, Welcome
from p2pclimb.net.frames import Terms as TermsFrame
from p2pclimb.table.roster import GuestCame, GuestRefused, GuestWent, RosterChanged

# y = 1: the neutral element, under which one signature fits every message.
SMALL_ORDER = (1).to_bytes(32, "little")


def names(lobby):
    return [seat.name if seat else None for seat in lobby.seats]


# -- coming in -----------------------------------------------------------------------------------


def test_a_guest_is_welcomed_and_everybody_sees_the_lobby():
    lobby = host_lobby()
    binh, chi = Visitor(lobby, "Binh"), Visitor(lobby, "Chi")
    binh.join()
    effects = chi.join()
    assert names(lobby) == ["Ana", "Binh", "Chi"]
    assert lobby.is_full
    welcome, shown = answers(effects, chi.curve)
    assert welcome == Welcome(2)
    assert answers(effects, binh.curve) == [shown]
    assert [seat.name for seat in shown.roster] == ["Ana", "Binh", "Chi"]
    came, changed = notices(effects)
    assert isinstance(came, GuestCame)
    assert (came.seat, came.guest.name) == (2, "Chi")
    assert changed == RosterChanged(lobby.roster, 0)
    assert lobby.admission.standing(chi.curve) is Standing.LISTED


def test_another_lobby_s_invitation_is_refused():
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    stale = replace(binh.request(), lobby_id=b"M" * 16)
    code, text = refusal(binh.join(stale))
    assert code == "refused"
    assert "not open any more" in text
    assert "new one" in text


def test_an_invitation_that_was_never_issued_is_refused_without_a_line_on_the_screen():
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    for wrong in ({}, {"lobby_id": b"M" * 16}, {"signature": bytes(64)}, {"name": "\x1b[2J"}):
        guessed = replace(binh.request(), secret=b"s" * 16, **wrong)
        (answer,) = binh.join(guessed)
        assert answer.frame.text
    guessed = replace(binh.request(), secret=b"s" * 16)
    assert "did not issue" in binh.join(guessed)[0].frame.text
    assert binh.join()  # its own still admits


def forged(request, **changes):
    return replace(request, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"signature": bytes(64)},
        {"name": "Chi"},
        {"identity_key": identity("Chi").public},
    ],
)
def test_a_signature_that_is_not_the_guest_s_own_is_refused(changes):
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    assert refusal(binh.join(forged(binh.request(), **changes)))[0] == "signature"
    assert names(lobby) == ["Ana", None, None]
    assert lobby.admission.standing(binh.curve) is Standing.GUEST


def test_a_request_overheard_cannot_be_used_on_another_connection():
    lobby = host_lobby()
    binh, eve = Visitor(lobby, "Binh"), Visitor(lobby, "Eve")
    assert refusal(lobby.join(eve.curve, binh.request()))[0] == "signature"
    assert names(binh.lobby) == ["Ana", None, None]


def test_a_signature_for_another_host_is_refused():
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    statement = join_statement(lobby.lobby_id, b"h" * 32, binh.curve, "Binh")
    signature = binh.identity.sign(JOIN_LABEL, statement)
    assert refusal(binh.join(replace(binh.request(), signature=signature)))[0] == "signature"


@pytest.mark.parametrize("key", [SMALL_ORDER, bytes(32), b"\xff" * 32])
def test_a_key_that_binds_nobody_is_refused(key):
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    assert refusal(binh.join(replace(binh.request(), identity_key=key)))[0] == "malformed"
    assert names(lobby) == ["Ana", None, None]


@pytest.mark.parametrize(
    "name", ["B\x1b]52;c;eA\x07", "B\rAna wins", "B\u202einh", "", " ", "x" * 25]
)
def test_a_name_that_cannot_be_shown_is_refused_and_never_told_raw(name):
    lobby = host_lobby()
    effects = Visitor(lobby, name, seed="Binh").join()
    code, text = refusal(effects)
    assert code == "usage"
    (told,) = notices(effects)
    assert isinstance(told, GuestRefused)
    for shown in (told.name, told.reason, text):
        assert shown.isprintable()


@pytest.mark.parametrize("name", ["Ana", "ANA", "ana", "Ａna"])
def test_a_name_that_reads_like_another_s_is_refused(name):
    lobby = host_lobby()
    code, text = refusal(Visitor(lobby, name, seed="Binh").join())
    assert code == "usage"
    assert "here already" in text
    assert "--name" in text


def test_a_full_table_takes_nobody_and_uses_up_no_invitation():
    lobby = host_lobby(seats=2)
    binh, chi = Visitor(lobby, "Binh"), Visitor(lobby, "Chi")
    binh.join()
    assert refusal(chi.join())[0] == "full"
    lobby.depart(binh.curve, "left")
    assert answers(chi.join(), chi.curve)[0] == Welcome(1)


def test_an_invitation_admits_one_person():
    lobby = host_lobby()
    invitation = lobby.invite()
    binh, chi = Visitor(lobby, "Binh", invitation), Visitor(lobby, "Chi", invitation)
    binh.join()
    code, text = refusal(chi.join())
    assert code == "refused"
    assert "used by somebody else" in text
    lobby.depart(binh.curve, "left")
    assert refusal(chi.join())[0] == "refused"  # and it stays used
    assert answers(binh.join(), binh.curve)[0] == Welcome(1)


def test_the_host_s_own_identity_is_refused_with_a_way_out():
    lobby = host_lobby()
    again = Visitor(lobby, "Ana the second", seed="Ana")
    assert "--data-dir" in refusal(again.join())[1]


def test_one_connection_takes_one_seat():
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    binh.join()
    invitation, second = lobby.invite(), identity("second")
    statement = join_statement(lobby.lobby_id, lobby.host.curve_key, binh.curve, "Double")
    request = replace(
        binh.request(),
        secret=invitation.secret,
        name="Double",
        identity_key=second.public,
        signature=second.sign(JOIN_LABEL, statement),
    )
    assert "two seats" in refusal(binh.join(request))[1]


# -- coming back ---------------------------------------------------------------------------------


def test_asking_again_gives_the_same_seat_and_disturbs_nobody():
    lobby = host_lobby()
    binh, chi = Visitor(lobby, "Binh"), Visitor(lobby, "Chi")
    binh.join()
    chi.join()
    terms, _ = lobby.propose()
    effects = binh.join()
    assert answers(effects, binh.curve) == [
        Welcome(1),
        lobby._lobby(),
        TermsFrame(terms.encode()),
    ]
    assert len(effects) == 3  # nothing for Chi, nothing for the host
    assert lobby.proposed == terms


def test_the_same_identity_on_a_new_connection_keeps_its_seat_and_loses_the_old_one():
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    binh.join()
    lobby.propose()
    new = b"n" * 32
    statement = join_statement(lobby.lobby_id, lobby.host.curve_key, new, "Binh")
    request = replace(binh.request(), signature=binh.identity.sign(JOIN_LABEL, statement))
    assert answers(lobby.join(new, request), new)[0] == Welcome(1)
    assert names(lobby) == ["Ana", "Binh", None]
    assert lobby.admission.standing(new) is Standing.LISTED
    assert lobby.admission.standing(binh.curve) is Standing.GUEST
    assert lobby.proposed is None


def test_a_guest_who_goes_frees_the_seat_and_loses_every_right():
    lobby = host_lobby()
    binh, chi = Visitor(lobby, "Binh"), Visitor(lobby, "Chi")
    binh.join()
    chi.join()
    effects = lobby.depart(binh.curve, "left")
    assert names(lobby) == ["Ana", None, "Chi"]
    assert notices(effects)[0] == GuestWent(1, "Binh", "left")
    assert lobby.admission.standing(binh.curve) is Standing.GUEST
    assert lobby.depart(binh.curve, "left") == []
    (shown,) = answers(effects, chi.curve)
    assert isinstance(shown, Lobby)
    assert [seat.name for seat in shown.roster] == ["Ana", "Chi"]


def test_the_host_never_departs_from_its_own_lobby():
    lobby = host_lobby()
    assert lobby.depart(lobby.host.curve_key, "left") == []
    assert names(lobby) == ["Ana", None, None]


# -- the terms -----------------------------------------------------------------------------------


def test_operators_follow_their_seats_when_one_before_them_is_freed():
    lobby = host_lobby(seats=4)
    binh, bot, chi = (
        Visitor(lobby, "Binh"),
        Visitor(lobby, "Robo", is_bot=True),
        Visitor(lobby, "Chi"),
    )
    for visitor in (binh, bot, chi):
        visitor.join()
    assert [seat.operator for seat in lobby.seats] == [0, 1, 0, 3]
    lobby.depart(binh.curve, "left")
    terms, _ = lobby.propose()
    assert [(seat.name, seat.operator) for seat in terms.seats] == [
        ("Ana", 0),
        ("Robo", 0),
        ("Chi", 2),
    ]
    terms.check()


def test_the_terms_go_to_every_guest_and_differ_every_time():
    lobby = host_lobby()
    binh, chi = Visitor(lobby, "Binh"), Visitor(lobby, "Chi")
    binh.join()
    chi.join()
    first, effects = lobby.propose()
    assert {effect.peer for effect in effects} == {binh.curve, chi.curve}
    assert {effect.frame for effect in effects} == {TermsFrame(first.encode())}
    assert Terms.decode(first.encode()) == first
    second, _ = lobby.propose()
    assert second.table_id != first.table_id


def test_terms_that_cannot_be_played_are_not_proposed():
    lobby = host_lobby(deal=17)
    Visitor(lobby, "Binh").join()
    with pytest.raises(OptionsError):
        lobby.propose()
    assert lobby.proposed is None
    with pytest.raises(UsageError, match="Nobody else is here yet"):
        host_lobby().propose()


@pytest.mark.parametrize("change", ["join", "depart", "withdraw"])
def test_any_change_of_the_lobby_makes_the_terms_void(change):
    lobby = host_lobby()
    binh = Visitor(lobby, "Binh")
    binh.join()
    lobby.propose()
    match change:
        case "join":
            effects = Visitor(lobby, "Chi").join()
        case "depart":
            effects = lobby.depart(binh.curve, "left")
        case "withdraw":
            effects = lobby.withdraw()
    assert lobby.proposed is None
    assert RosterChanged(lobby.roster, 0) in notices(effects)


def test_a_refusal_leaves_the_terms_as_they_are():
    lobby = host_lobby()
    Visitor(lobby, "Binh").join()
    terms, _ = lobby.propose()
    refusal(Visitor(lobby, "Binh", seed="another").join())
    assert lobby.proposed == terms


def test_nothing_that_is_shown_of_a_lobby_holds_an_invitation_s_secret():
    lobby = host_lobby()
    invitation = lobby.invite(own_bot=True)
    shown = repr(lobby) + repr(lobby.invite()) + repr(Visitor(lobby, "Binh", invitation).request())
    assert repr(invitation.secret) not in shown
    assert invitation.secret.hex() not in shown


def test_whoever_has_a_used_invitation_cannot_fill_the_host_s_screen_with_it():
    lobby = host_lobby()
    told = []
    used = Visitor(lobby, "Dung")
    used.join()
    for number in range(100):
        eve = Visitor(lobby, f"Eve{number}")
        effects = eve.join(replace(eve.request(), secret=used.request().secret))
        assert len(answers(effects, eve.curve)) == 1  # the guest itself is told each time
        told += notices(effects)
    assert 1 <= len(told) <= 8
    Visitor(lobby, "Binh").join()
    chi = Visitor(lobby, "Binh", seed="another")
    assert refusal(chi.join())  # who is turned away afterwards is told of again


# -- scores of an earlier table ------------------------------------------------------------------


def test_the_scores_of_an_earlier_table_are_part_of_what_is_proposed():
    before = host_lobby()
    for name in ("Binh", "Chi"):
        Visitor(before, name).join()
    terms, _ = before.propose()
    lobby = host_lobby(2)
    lobby.past = Past(terms, {0: 3, 1: -1, 2: -2})
    chi = Visitor(lobby, "Chi")
    chi.join()
    again, effects = lobby.propose()
    assert again.carried.table == terms.table_id
    assert again.carried.points == (3, -2)
    assert [(a.name, a.points) for a in again.carried.away] == [("Binh", -1)]
    assert answers(effects, chi.curve) == [TermsFrame(again.encode())]
    assert Terms.decode(again.encode()) == again


def test_a_new_place_to_be_dialled_at_leaves_the_terms_as_they_are():
    lobby = host_lobby(2)
    binh = Visitor(lobby, "Binh")
    binh.join()
    terms, _ = lobby.propose()
    moved = replace(binh.request(), addresses=(Address("203.0.113.9", 7),))
    welcome, _, proposal = answers(binh.join(moved), binh.curve)
    assert (welcome, proposal) == (Welcome(1), TermsFrame(terms.encode()))
    assert lobby.proposed == terms
    assert lobby.seats[1].addresses == moved.addresses


@pytest.mark.parametrize("goes", [False, True], ids=["by new names", "by going and coming"])
def test_nobody_makes_the_terms_void_again_and_again(goes):
    lobby = host_lobby()
    chi, binh = Visitor(lobby, "Chi"), Visitor(lobby, "Binh")
    chi.join()
    voided = 0
    for number in range(100):
        lobby.propose()
        if goes:
            lobby.depart(binh.curve, "gone")
        else:
            binh.side.name = f"Binh {number}"
        binh.join()
        voided += lobby.proposed is None
    assert 10 < voided < 20
    assert names(lobby)[:2] == ["Ana", "Chi"]
    assert lobby.proposed is not None
    # Whoever else wants to come is let in.
    lobby.depart(binh.curve, "gone")
    Visitor(lobby, "Dung").join()
    assert "Dung" in names(lobby)
