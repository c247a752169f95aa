"""Who may talk, and that an invitation admits one person once."""

import pytest

from p2pclimb.errors import AdmissionError
from p2pclimb.net.admission import Admission, Standing, join_statement

ANA, BINH = b"a" * 32, b"b" * 32


def counting_entropy():
    calls = iter(range(1, 256))
    return lambda size: bytes([next(calls)]) * size


def test_a_closed_door_knows_listed_keys_and_strangers():
    admission = Admission([ANA])
    assert admission.standing(ANA) is Standing.LISTED
    assert admission.standing(BINH) is Standing.STRANGER


def test_an_open_lobby_makes_guests_of_strangers_and_closing_it_unmakes_them():
    admission = Admission([ANA], lobby_open=True)
    assert admission.standing(ANA) is Standing.LISTED
    assert admission.standing(BINH) is Standing.GUEST
    admission.close_lobby()
    assert admission.standing(BINH) is Standing.STRANGER


def test_keys_are_listed_and_removed():
    admission = Admission()
    admission.admit(BINH)
    assert admission.standing(BINH) is Standing.LISTED
    admission.remove(BINH)
    admission.remove(BINH)
    assert admission.standing(BINH) is Standing.STRANGER


def test_an_invitation_admits_one_identity_and_that_one_again():
    admission = Admission()
    secret = admission.issue(counting_entropy())
    assert len(secret) == 16
    admission.redeem(secret, ANA)
    admission.redeem(secret, ANA)
    with pytest.raises(AdmissionError, match="somebody else"):
        admission.redeem(secret, BINH)


def test_a_secret_that_was_never_issued_admits_nobody():
    admission = Admission()
    with pytest.raises(AdmissionError, match="did not issue"):
        admission.redeem(bytes(16), ANA)
    secret = admission.issue(counting_entropy())
    for wrong in (secret[:-1], secret + b"\0", bytes(16), b""):
        with pytest.raises(AdmissionError, match="did not issue"):
            admission.redeem(wrong, ANA)


def test_each_invitation_is_its_own():
    admission = Admission()
    entropy = counting_entropy()
    first, second = admission.issue(entropy), admission.issue(entropy)
    admission.redeem(second, BINH)
    with pytest.raises(AdmissionError, match="somebody else"):
        admission.redeem(second, ANA)
    admission.redeem(first, ANA)


def test_a_joiner_signs_lobby_host_link_and_name():
    statement = join_statement(b"l" * 16, ANA, BINH, "Bình")
    variants = [
        join_statement(b"m" * 16, ANA, BINH, "Bình"),
        join_statement(b"l" * 16, BINH, BINH, "Bình"),
        join_statement(b"l" * 16, ANA, ANA, "Bình"),
        join_statement(b"l" * 16, ANA, BINH, "Binh"),
    ]
    assert len({statement, *variants}) == 5


def test_no_repr_holds_a_secret():
    admission = Admission()
    secret = admission.issue(lambda size: b"S" * size)
    assert secret.decode() not in repr(admission) + repr(admission._tickets)
