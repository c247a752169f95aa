"""Every field of every proof and statement, with everything that may be put there instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from crypto_setup import CONTEXT, INVALID, Seeded, cards_but, cards_of, new_table, replaced
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pclimb.crypto.absence import prove_absence, verify_absence
from p2pclimb.crypto.group import ORDER, hash_to_point
from p2pclimb.crypto.masking import decode_deck, encode_deck, share
from p2pclimb.crypto.possession import prove_possession, verify_possession
from p2pclimb.crypto.shares import prove_opening, prove_shares, verify_opening, verify_shares
from p2pclimb.crypto.shuffle import prove_shuffle, shuffle, verify_shuffle
from p2pclimb.crypto.transfer import prove_transfer, verify_transfer
from p2pclimb.errors import MalformedError, ProofError

COUNT = 4
TABLE = new_table("fields", COUNT)
KEYS = TABLE.keys[0]
PLACES = TABLE.residuals(0, range(2))
GIVEN = [share(KEYS.secret, place) for place in PLACES]
ABSENT = cards_but(cards_of(TABLE.deck, TABLE.keys, COUNT)[:2], COUNT)
AFTER, WITNESS = shuffle(TABLE.deck, TABLE.joint, Seeded("fields"))


@dataclass(frozen=True)
class Case:
    """A kind of proof: a valid one, how to check it, and how many of its fields are points."""

    proof: bytes
    verify: Any
    points: int


def cases() -> dict[str, Case]:
    entropy = Seeded("fields")
    public, joint, deck = KEYS.public, TABLE.joint, TABLE.deck
    receiver = TABLE.keys[1].public
    transfers, transfer_proof = prove_transfer(KEYS, PLACES, receiver, CONTEXT, entropy)
    return {
        "possession": Case(
            prove_possession(KEYS, CONTEXT, entropy),
            lambda proof: verify_possession(public, proof, CONTEXT),
            0,
        ),
        "shares": Case(
            prove_shares(KEYS, PLACES, GIVEN, CONTEXT, entropy),
            lambda proof: verify_shares(public, PLACES, GIVEN, proof, CONTEXT),
            0,
        ),
        "opening": Case(
            prove_opening(KEYS, PLACES, GIVEN, CONTEXT, entropy),
            lambda proof: verify_opening(public, PLACES, GIVEN, proof, CONTEXT),
            0,
        ),
        "absence": Case(
            prove_absence(KEYS, PLACES, ABSENT, CONTEXT, entropy),
            lambda proof: verify_absence(public, PLACES, ABSENT, proof, CONTEXT),
            4,
        ),
        "transfer": Case(
            transfer_proof,
            lambda proof: verify_transfer(public, PLACES, receiver, transfers, proof, CONTEXT),
            0,
        ),
        "shuffle": Case(
            prove_shuffle(deck, AFTER, WITNESS, joint, CONTEXT, entropy),
            lambda proof: verify_shuffle(deck, AFTER, proof, joint, CONTEXT),
            2 * COUNT,
        ),
    }


CASES = cases()
FIELDS = [
    pytest.param(name, field, id=f"{name}-{field}")
    for name, case in CASES.items()
    for field in range(len(case.proof) // 32)
]
OTHER_POINT = bytes(hash_to_point(b"other", b"point"))


@pytest.mark.parametrize("name", CASES)
def test_unchanged_proof_is_accepted(name):
    CASES[name].verify(CASES[name].proof)


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_malformed_field_is_refused_as_such(name, field):
    case = CASES[name]
    is_point = field < case.points
    present = case.proof[32 * field : 32 * field + 32]
    high_bit = present[:31] + bytes([present[31] | 0x80])
    if is_point:
        bad = [bytes(32), b"\xff" * 32, high_bit, *(bytes.fromhex(text) for text in INVALID[::4])]
    else:
        value = int.from_bytes(present, "little")
        forms = (value + ORDER, value + 2 * ORDER, ORDER, 2**256 - 1, 2**255)
        bad = [form.to_bytes(32, "little") for form in forms] + [high_bit]
    for element in bad:
        with pytest.raises(MalformedError):
            case.verify(replaced(case.proof, field, element))


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_another_valid_field_is_refused_as_no_proof(name, field):
    case = CASES[name]
    present = case.proof[32 * field : 32 * field + 32]
    if field < case.points:
        others = [OTHER_POINT, bytes(TABLE.deck[0].a)]
    else:
        value = int.from_bytes(present, "little")
        changed = (0, 1, (value + 1) % ORDER, ORDER - value)
        others = [scalar.to_bytes(32, "little") for scalar in changed]
    for element in others:
        with pytest.raises(ProofError):
            case.verify(replaced(case.proof, field, element))


@pytest.mark.parametrize("name", CASES)
def test_wrong_types_and_lengths_are_malformed(name):
    proof = CASES[name].proof
    cut = [proof[:-1], proof[:-32], proof[32:], proof + b"\0", proof + proof[-32:], b""]
    for data in [*cut, bytearray(proof), proof.hex(), None, 7, []]:
        with pytest.raises(MalformedError):
            CASES[name].verify(data)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_change_of_any_bit_is_refused(name, data):
    proof = bytearray(CASES[name].proof)
    bit = data.draw(st.integers(0, 8 * len(proof) - 1))
    proof[bit // 8] ^= 1 << bit % 8
    with pytest.raises((MalformedError, ProofError)):
        CASES[name].verify(bytes(proof))


@pytest.mark.parametrize("name", CASES)
def test_no_proof_passes_as_another_kind(name):
    for other, case in CASES.items():
        if other != name:
            with pytest.raises((MalformedError, ProofError)):
                case.verify(CASES[name].proof)


@pytest.mark.parametrize("field", range(2 * COUNT))
@pytest.mark.parametrize("which", ["before", "after"])
def test_every_field_of_the_decks_is_bound(which, field):
    deck = TABLE.deck if which == "before" else AFTER
    data = encode_deck(deck)
    for element in (bytes(32), b"\xff" * 32, bytes.fromhex(INVALID[6])):
        with pytest.raises(MalformedError):
            decode_deck(replaced(data, field, element), COUNT)
    changed = decode_deck(replaced(data, field, OTHER_POINT), COUNT)
    before, after = (changed, AFTER) if which == "before" else (TABLE.deck, changed)
    with pytest.raises(ProofError):
        verify_shuffle(before, after, CASES["shuffle"].proof, TABLE.joint, CONTEXT)
