"""Decryption shares and openings: right for every place, and the culprit is known."""

from dataclasses import replace

import pytest
from crypto_setup import CONTEXT, Seeded, new_table

from p2pclimb.crypto.group import IDENTITY, add, base_point
from p2pclimb.crypto.masking import card_index, share, unmask
from p2pclimb.crypto.shares import prove_opening, prove_shares, verify_opening, verify_shares
from p2pclimb.crypto.sodium import count_operations
from p2pclimb.errors import ProofError

TABLE = new_table()
KEYS = TABLE.keys[0]
PLACES = TABLE.deck[:5]
SHARES = tuple(share(KEYS.secret, place) for place in PLACES)


def proof(places=PLACES, shares=SHARES):
    return prove_shares(KEYS, places, shares, CONTEXT, Seeded("proof"))


@pytest.mark.parametrize("count", [1, 2, 5])
def test_right_shares_can_be_proved(count):
    data = proof(PLACES[:count], SHARES[:count])
    assert len(data) == 64
    verify_shares(KEYS.public, PLACES[:count], SHARES[:count], data, CONTEXT)


def test_opened_place_shows_its_card():
    residuals = TABLE.residuals(0, range(2))
    shares = [share(KEYS.secret, place) for place in residuals]
    data = prove_opening(KEYS, residuals, shares, CONTEXT, Seeded("proof"))
    verify_opening(KEYS.public, residuals, shares, data, CONTEXT)
    cards = [card_index(unmask(*pair), 8) for pair in zip(residuals, shares, strict=True)]
    assert None not in cards
    assert len(set(cards)) == 2


def test_shares_are_no_opening_and_openings_no_shares():
    verify_shares(KEYS.public, PLACES, SHARES, proof(), CONTEXT)
    with pytest.raises(ProofError):
        verify_opening(KEYS.public, PLACES, SHARES, proof(), CONTEXT)
    opening = prove_opening(KEYS, PLACES, SHARES, CONTEXT, Seeded("proof"))
    with pytest.raises(ProofError):
        verify_shares(KEYS.public, PLACES, SHARES, opening, CONTEXT)


@pytest.mark.parametrize("place", range(5))
def test_one_wrong_share_is_noticed_and_convicts_its_author_alone(place):
    wrong = list(SHARES)
    wrong[place] = add(wrong[place], base_point())
    for data in (proof(), proof(shares=wrong)):
        with pytest.raises(ProofError):
            verify_shares(KEYS.public, PLACES, wrong, data, CONTEXT)
    honest = TABLE.keys[1]
    shares = [share(honest.secret, each) for each in PLACES]
    data = prove_shares(honest, PLACES, shares, CONTEXT, Seeded("honest"))
    verify_shares(honest.public, PLACES, shares, data, CONTEXT)


def test_shares_in_another_order_are_refused():
    exchanged = (SHARES[1], SHARES[0], *SHARES[2:])
    with pytest.raises(ProofError):
        verify_shares(KEYS.public, PLACES, exchanged, proof(), CONTEXT)


def test_shares_of_another_key_context_or_deck_are_refused():
    for public, places, context in (
        (TABLE.keys[1].public, PLACES, CONTEXT),
        (KEYS.public, PLACES, CONTEXT + b"\0"),
        (KEYS.public, new_table("another deal").deck[:5], CONTEXT),
        (KEYS.public, (TABLE.deck[6], *PLACES[1:]), CONTEXT),
    ):
        with pytest.raises(ProofError):
            verify_shares(public, places, SHARES, proof(), context)


def test_key_of_an_earlier_deal_is_refused():
    stale = new_table("earlier deal").keys[0]
    shares = tuple(share(stale.secret, place) for place in PLACES)
    data = prove_shares(stale, PLACES, shares, CONTEXT, Seeded("proof"))
    with pytest.raises(ProofError):
        verify_shares(KEYS.public, PLACES, shares, data, CONTEXT)


@pytest.mark.parametrize("verify", [verify_shares, verify_opening])
@pytest.mark.parametrize(
    ("places", "shares"), [((), ()), (PLACES, ()), ((), SHARES), (PLACES, SHARES[:4])]
)
def test_no_places_or_unequal_numbers_are_refused(verify, places, shares):
    with pytest.raises(ProofError, match="no place"):
        verify(KEYS.public, places, shares, proof(), CONTEXT)


@pytest.mark.parametrize("prove", [prove_shares, prove_opening])
@pytest.mark.parametrize(("places", "shares"), [((), ()), (PLACES, SHARES[:4])])
def test_no_places_or_unequal_numbers_cannot_be_proved(prove, places, shares):
    with pytest.raises(ValueError, match="one place or more"):
        prove(KEYS, places, shares, CONTEXT, Seeded("proof"))


def test_identity_is_refused_as_key_share_or_place():
    blank = replace(PLACES[0], a=IDENTITY)
    for public, place, given in (
        (IDENTITY, PLACES[0], SHARES[0]),
        (KEYS.public, PLACES[0], IDENTITY),
        (KEYS.public, blank, IDENTITY),
    ):
        data = prove_shares(replace(KEYS, public=public), [place], [given], CONTEXT, Seeded("p"))
        with pytest.raises(ProofError, match="identity"):
            verify_shares(public, [place], [given], data, CONTEXT)


def test_costs_are_those_of_the_protocol():
    with count_operations() as proving:
        data = proof()
    with count_operations() as verifying:
        verify_shares(KEYS.public, PLACES, SHARES, data, CONTEXT)
    assert (proving.multiplied, proving.multiplied_base) == (5, 1)
    assert (verifying.multiplied, verifying.multiplied_base) == (2 * 5 + 1, 1)
