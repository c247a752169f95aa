"""Forged transfers: attacks that were carried out, each against the check that stops it.

As with the other forgeries, each runs twice: with its check taken out of the real code it succeeds,
and with the code as it is it fails.
"""

from __future__ import annotations

from dataclasses import replace

from crypto_setup import CONTEXT, Seeded, new_table, refuses, without_item

from p2pclimb.crypto import sigma, transfer
from p2pclimb.crypto.group import (
    IDENTITY,
    ORDER,
    combine,
    encode_scalars,
    hash_to_point,
    is_identity,
    multiply,
    multiply_base,
    subtract,
)
from p2pclimb.crypto.masking import Ciphertext, card_index, card_points, share, unmask
from p2pclimb.crypto.transcript import Item, Proof
from p2pclimb.crypto.transfer import Transfer, prove_transfer, received, verify_transfer

COUNT = 8
TABLE = new_table(count=COUNT)
GIVER, RECEIVER, THIRD = TABLE.keys
(PLACE,) = TABLE.residuals(0, range(1))
FACTOR = 77
HONEST = Transfer(
    multiply_base(FACTOR), combine((GIVER.secret, FACTOR), (PLACE.a, RECEIVER.public))
)
KEY, FACTOR_POINT, MASKED_SHARE = range(3)
"""The equations about one place: X = xG, R = tG and S = xA + tY."""


def forged(made: Transfer, witness: tuple[int, int], place: Ciphertext = PLACE) -> bytes:
    """What a cheat gets out of the real prover's parts."""
    statement = transfer._statement(GIVER.public, [place], RECEIVER.public, [made])
    return sigma.prove(statement, witness, Proof.TRANSFER, CONTEXT, Seeded("forged"))


def is_refused(made: Transfer, proof: bytes, place: Ciphertext = PLACE) -> bool:
    arguments = (GIVER.public, [place], RECEIVER.public, [made], proof, CONTEXT)
    return refuses(verify_transfer, *arguments)


def read(place: Ciphertext) -> int | None:
    """The card that the receiver finds."""
    return card_index(unmask(place, share(RECEIVER.secret, place)), COUNT)


def without_equation(monkeypatch, dropped: int) -> None:
    """Weaken the statement: one of its equations is not proved."""
    strong = transfer._statement

    def weak(*arguments):
        statement = strong(*arguments)
        kept = [each for at, each in enumerate(statement.equations) if at != dropped]
        return replace(statement, equations=tuple(kept))

    monkeypatch.setattr(transfer, "_statement", weak)


def test_honest_parts_make_an_honest_transfer():
    assert not is_refused(HONEST, forged(HONEST, (GIVER.secret, FACTOR)))
    assert read(received(PLACE, HONEST)) is not None


def test_unreadable_card_by_another_key_needs_a_proof_without_the_givers_key(monkeypatch):
    other = GIVER.secret + 1
    made = replace(HONEST, s=combine((other, FACTOR), (PLACE.a, RECEIVER.public)))
    assert is_refused(made, forged(made, (other, FACTOR)))
    without_equation(monkeypatch, KEY)
    assert not is_refused(made, forged(made, (other, FACTOR)))
    assert read(received(PLACE, made)) is None


def test_unreadable_card_by_a_made_up_share_needs_a_proof_without_the_share(monkeypatch):
    made = replace(HONEST, s=hash_to_point(b"any", b"point"))
    witness = (GIVER.secret, FACTOR)
    assert is_refused(made, forged(made, witness))
    without_equation(monkeypatch, MASKED_SHARE)
    assert not is_refused(made, forged(made, witness))
    assert read(received(PLACE, made)) is None


def test_reading_the_receivers_hand_needs_a_proof_without_the_factor(monkeypatch):
    """With R taken from another card of the receiver, its next opening would open that card too."""
    (victim,) = TABLE.residuals(1, range(3, 4))
    made = replace(HONEST, r=victim.a)
    witness = (GIVER.secret, FACTOR)
    assert is_refused(made, forged(made, witness))
    without_equation(monkeypatch, FACTOR_POINT)
    assert not is_refused(made, forged(made, witness))
    opened = share(RECEIVER.secret, received(PLACE, made))
    stolen = unmask(victim, subtract(IDENTITY, opened))
    assert card_index(stolen, COUNT) == read(victim)


def test_opening_a_received_card_tells_the_giver_nothing_that_it_did_not_know():
    place = received(PLACE, HONEST)
    assert share(RECEIVER.secret, place) == multiply(ORDER - FACTOR, RECEIVER.public)


def made_up_share() -> tuple[Transfer, bytes]:
    """Answer first, then compute the S that the answers fit: S = (zA + z'Y - T) / c."""
    anything = multiply_base(18)
    made = replace(HONEST, s=anything)
    statement = transfer._statement(GIVER.public, [PLACE], RECEIVER.public, [made])
    transcript = sigma._absorbed(statement, Proof.TRANSFER, CONTEXT)
    commitments = [multiply_base(5), multiply_base(6), anything]
    challenge = sigma._challenge(transcript, commitments)
    answers = [(5 + challenge * GIVER.secret) % ORDER, (6 + challenge * FACTOR) % ORDER]
    fitting = subtract(combine(answers, (PLACE.a, RECEIVER.public)), anything)
    s = multiply(pow(challenge, -1, ORDER), fitting)
    return replace(made, s=s), encode_scalars((challenge, *answers))


def test_unreadable_card_needs_a_challenge_that_ignores_the_transfer(monkeypatch):
    assert is_refused(*made_up_share())
    without_item(monkeypatch, Item.IMAGE)
    made, proof = made_up_share()
    assert not is_refused(made, proof)
    assert read(received(PLACE, made)) is None
    monkeypatch.undo()
    assert is_refused(made, proof)


# ------------------------------------------------------------------ the identity


def test_showing_the_card_to_all_needs_a_factor_of_zero(monkeypatch):
    """R is the identity and S the bare share: a true statement that only the check refuses."""
    made = Transfer(IDENTITY, share(GIVER.secret, PLACE))
    proof = forged(made, (GIVER.secret, 0))
    assert is_refused(made, proof)
    monkeypatch.setattr(transfer, "is_identity", lambda _: False)
    assert not is_refused(made, proof)
    assert card_index(received(PLACE, made).b, COUNT) is not None


def test_an_s_that_is_the_identity_is_refused_though_the_statement_is_true(monkeypatch):
    """Whoever knew the logarithm of A and the receiver's secret could cancel the share."""
    place = Ciphertext(multiply_base(5), PLACE.b)
    factor = -GIVER.secret * 5 * pow(RECEIVER.secret, -1, ORDER) % ORDER
    made = Transfer(
        multiply_base(factor), combine((GIVER.secret, factor), (place.a, RECEIVER.public))
    )
    assert is_identity(made.s)
    proof = forged(made, (GIVER.secret, factor), place)
    assert is_refused(made, proof, place)
    monkeypatch.setattr(transfer, "is_identity", lambda _: False)
    assert not is_refused(made, proof, place)


# ------------------------------------------------------------------ places of others


def test_a_place_of_another_seat_cannot_be_given_in_its_name():
    (made,), proof = prove_transfer(THIRD, [PLACE], RECEIVER.public, CONTEXT, Seeded("third"))
    assert is_refused(made, proof)


def test_a_place_of_another_seat_given_in_ones_own_name_is_no_card():
    """The proof is one of the giver's own key, so that callers must know whose the place is."""
    (made,), proof = prove_transfer(THIRD, [PLACE], RECEIVER.public, CONTEXT, Seeded("third"))
    verify_transfer(THIRD.public, [PLACE], RECEIVER.public, [made], proof, CONTEXT)
    found = received(PLACE, made)
    assert read(found) is None
    assert found.b not in card_points(COUNT)


def test_a_transfer_to_one_seat_is_none_to_another():
    (made,), proof = prove_transfer(GIVER, [PLACE], RECEIVER.public, CONTEXT, Seeded("one"))
    assert not is_refused(made, proof)
    for other in (THIRD.public, GIVER.public):
        arguments = (GIVER.public, [PLACE], other, [made], proof, CONTEXT)
        assert refuses(verify_transfer, *arguments)
