"""Absence of cards: true claims only, for every pair, and nothing told beyond them."""

from dataclasses import replace

import pytest
from crypto_setup import CONTEXT, Seeded, cards_but, cards_of, new_table

from p2pclimb.crypto import absence, sigma
from p2pclimb.crypto.absence import absence_proof_size, prove_absence, verify_absence
from p2pclimb.crypto.group import IDENTITY, ORDER, hash_to_point, multiply, subtract
from p2pclimb.crypto.masking import card_points
from p2pclimb.crypto.sodium import count_operations
from p2pclimb.crypto.transcript import Proof
from p2pclimb.errors import MalformedError, ProofError

TABLE = new_table()
KEYS = TABLE.keys[0]
RESIDUALS = TABLE.residuals(0, range(3))
HAND = cards_of(TABLE.deck, TABLE.keys, 8)[:3]
ABSENT = cards_but(HAND, 8)[:2]
HELD = card_points(8)[HAND[1]]


def proof(entropy=None):
    return prove_absence(KEYS, RESIDUALS, ABSENT, CONTEXT, entropy or Seeded("proof"))


def test_absent_cards_can_be_proved_absent():
    data = proof()
    assert len(data) == absence_proof_size(3, 2) == 32 * 19
    verify_absence(KEYS.public, RESIDUALS, ABSENT, data, CONTEXT)


def test_held_card_cannot_be_proved_absent():
    with pytest.raises(ValueError, match="cannot be proved"):
        prove_absence(KEYS, RESIDUALS, [ABSENT[0], HELD], CONTEXT, Seeded("proof"))


def false_proof(blinded, witness):
    """What a cheat can make who holds the card at its place 1 and calls the real prover's parts."""
    statement = absence._statement(KEYS.public, RESIDUALS[1:2], [HELD], [blinded])
    return bytes(blinded) + sigma.prove(statement, witness, Proof.ABSENCE, CONTEXT, Seeded("cheat"))


def test_false_claims_are_refused():
    """The identity is the only C that fits both equations; any other breaks one of them."""
    residuals = RESIDUALS[1:2]
    rho, secret = 77, KEYS.secret
    fitting = false_proof(IDENTITY, (rho * secret % ORDER, ORDER - rho))
    with pytest.raises(MalformedError):
        verify_absence(KEYS.public, residuals, [HELD], fitting, CONTEXT)
    for blinded, used in (
        (hash_to_point(b"any", b"point"), secret),
        (multiply(rho, RESIDUALS[1].a), secret + 1),  # the C that another key would give
    ):
        data = false_proof(blinded, (rho * used % ORDER, ORDER - rho))
        with pytest.raises(ProofError):
            verify_absence(KEYS.public, residuals, [HELD], data, CONTEXT)


@pytest.mark.parametrize("pair", range(6))
def test_every_pair_is_covered(pair):
    """A proof that is right but for one pair is refused."""
    place, candidate = divmod(pair, 2)
    residuals, candidates = list(RESIDUALS), list(ABSENT)
    card = card_points(8)[HAND[place]]
    # Moving one masked card so that it meets the candidate changes this pair's claim to a lie.
    shift = subtract(card, candidates[candidate])
    residuals[place] = replace(residuals[place], b=subtract(residuals[place].b, shift))
    with pytest.raises(ProofError):
        verify_absence(KEYS.public, residuals, candidates, proof(), CONTEXT)


def test_proofs_for_other_places_cards_keys_or_contexts_are_refused():
    for public, residuals, candidates, context in (
        (TABLE.keys[1].public, RESIDUALS, ABSENT, CONTEXT),
        (KEYS.public, RESIDUALS[::-1], ABSENT, CONTEXT),
        (KEYS.public, RESIDUALS, ABSENT[::-1], CONTEXT),
        (KEYS.public, RESIDUALS, ABSENT, b"another deal"),
    ):
        with pytest.raises(ProofError):
            verify_absence(public, residuals, candidates, proof(), context)


@pytest.mark.parametrize(("places", "cards"), [(RESIDUALS, []), ([], ABSENT), ([], [])])
def test_claims_about_nothing_are_refused(places, cards):
    with pytest.raises(ProofError, match="no place or no card"):
        verify_absence(KEYS.public, places, cards, proof()[-32:], CONTEXT)
    with pytest.raises(ValueError, match="one place and one card"):
        prove_absence(KEYS, places, cards, CONTEXT, Seeded("proof"))


def test_proof_for_fewer_pairs_is_malformed():
    data = prove_absence(KEYS, RESIDUALS[:2], ABSENT, CONTEXT, Seeded("proof"))
    with pytest.raises(MalformedError):
        verify_absence(KEYS.public, RESIDUALS, ABSENT, data, CONTEXT)


def test_identity_is_refused_as_key_or_place():
    blank = (replace(RESIDUALS[0], a=IDENTITY), *RESIDUALS[1:])
    for public, residuals in ((IDENTITY, RESIDUALS), (KEYS.public, blank)):
        with pytest.raises(ProofError, match="identity"):
            verify_absence(public, residuals, ABSENT, proof(), CONTEXT)


def test_each_pair_has_a_factor_of_its_own():
    """With one factor for two pairs, C - C' would be rho (N - N') and link them."""
    points = [proof()[at : at + 32] for at in range(0, 32 * 6, 32)]
    differences = [
        bytes(subtract(candidate, card_points(8)[card])) for card in HAND for candidate in ABSENT
    ]
    again = [proof(Seeded("again"))[at : at + 32] for at in range(0, 32 * 6, 32)]
    assert len({*points, *differences, *again}) == 18


def test_costs_are_those_of_the_protocol():
    with count_operations() as proving:
        data = proof()
    with count_operations() as verifying:
        verify_absence(KEYS.public, RESIDUALS, ABSENT, data, CONTEXT)
    # the three shares that unmask the hand come on top
    assert (proving.multiplied, proving.multiplied_base) == (4 * 6 + 3, 6)
    assert (verifying.multiplied, verifying.multiplied_base) == (4 * 6, 6)
