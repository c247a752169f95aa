"""The shuffle: the same cards in a random order, and every check of the proof."""

from collections import Counter
from dataclasses import replace

import pytest
from crypto_setup import CONTEXT, Seeded, cards_of, new_table
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pclimb.crypto.group import IDENTITY, add, base_point, hash_to_point, multiply, multiply_base
from p2pclimb.crypto.masking import Ciphertext, initial_deck
from p2pclimb.crypto.shuffle import (
    ShuffleWitness,
    generators,
    prove_shuffle,
    shuffle,
    shuffle_proof_size,
    verify_shuffle,
)
from p2pclimb.crypto.sodium import count_operations
from p2pclimb.errors import MalformedError, ProofError

TABLE = new_table(count=6)
JOINT = TABLE.joint
BEFORE = TABLE.deck
AFTER, WITNESS = shuffle(BEFORE, JOINT, Seeded("shuffle"))
PROOF = prove_shuffle(BEFORE, AFTER, WITNESS, JOINT, CONTEXT, Seeded("proof"))


@pytest.mark.parametrize(
    ("index", "encoding"),
    [
        (0, "46b0c0fee13e43b42d15fd56e843f0a1d73b477d9d295cd38449707c8dfa842f"),
        (1, "922f31d6fd8347f1ded4e2504bece9f89e7c2b7a35a0cb090ee23f14b2a9615f"),
        (52, "bae8e6e719d88cd1faba1899d9a9d86e69494757d70c174e5d0a24d2090f924b"),
        (108, "84791aab038f2826d754c761ae4087d8c8a45cc3026d6aa352634d754ffa4665"),
    ],
)
def test_generators_are_those_of_the_protocol(index, encoding):
    assert bytes(generators(108)[index]).hex() == encoding


def test_generators_are_distinct_and_the_same_for_all_sizes():
    assert len(set(generators(108))) == 109
    assert generators(52) == generators(108)[:53]
    assert base_point() not in generators(108)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 9), st.text(max_size=5))
def test_every_shuffle_can_be_proved(count, seed):
    table = new_table(seed, count)
    after, witness = shuffle(table.deck, table.joint, Seeded(seed))
    before_cards = cards_of(table.deck, table.keys, count)
    after_cards = cards_of(after, table.keys, count)
    assert after_cards == [before_cards[source] for source in witness.permutation]
    proof = prove_shuffle(table.deck, after, witness, table.joint, CONTEXT, Seeded(seed))
    assert len(proof) == shuffle_proof_size(count)
    verify_shuffle(table.deck, after, proof, table.joint, CONTEXT)


def test_orders_are_equally_frequent():
    entropy = Seeded("orders")
    deck = initial_deck(JOINT, 3)
    counts = Counter(shuffle(deck, JOINT, entropy)[1].permutation for _ in range(600))
    # 6 cells of 100 each; 20.5 is the 99.9 % point of chi-square with 5 degrees of freedom
    assert len(counts) == 6
    assert sum((seen - 100) ** 2 / 100 for seen in counts.values()) < 20.5


def test_no_card_keeps_its_mask():
    before = {point for place in BEFORE for point in (place.a, place.b)}
    assert before.isdisjoint(point for place in AFTER for point in (place.a, place.b))


def exchanged(deck, first, second):
    places = list(deck)
    places[first], places[second] = places[second], places[first]
    return tuple(places)


def with_place(deck, at, place):
    return (*deck[:at], place, *deck[at + 1 :])


def tampered():
    """Decks that no shuffle gave, each a way to stack, swap, copy or mark cards."""
    place, other = AFTER[0], AFTER[1]
    g, card = base_point(), hash_to_point(b"some", b"card")
    return {
        "two places exchanged": exchanged(AFTER, 0, 1),
        "the input deck": BEFORE,
        "a card of the input": with_place(AFTER, 0, BEFORE[0]),
        "another card": with_place(AFTER, 0, replace(place, b=add(place.b, card))),
        "a marked card": with_place(AFTER, 0, replace(place, b=add(place.b, g))),
        "a mask without its part in B": with_place(AFTER, 0, replace(place, a=add(place.a, g))),
        "a copy under another mask": with_place(
            AFTER, 0, Ciphertext(add(other.a, g), add(other.b, JOINT))
        ),
    }


@pytest.mark.parametrize("change", tampered())
def test_tampered_deck_is_refused(change):
    deck = tampered()[change]
    with pytest.raises(ProofError):
        verify_shuffle(BEFORE, deck, PROOF, JOINT, CONTEXT)
    proof = prove_shuffle(BEFORE, deck, WITNESS, JOINT, CONTEXT, Seeded("cheat"))
    with pytest.raises(ProofError):
        verify_shuffle(BEFORE, deck, proof, JOINT, CONTEXT)


def test_plain_copy_of_a_place_is_refused():
    with pytest.raises(ProofError, match="same mask"):
        verify_shuffle(BEFORE, with_place(AFTER, 0, AFTER[1]), PROOF, JOINT, CONTEXT)


def test_proof_over_a_stale_input_is_refused():
    """A valid proof whose input is not the deck that the last shuffle gave."""
    with pytest.raises(ProofError):
        verify_shuffle(initial_deck(JOINT, 6), AFTER, PROOF, JOINT, CONTEXT)
    with pytest.raises(ProofError):
        verify_shuffle(exchanged(BEFORE, 0, 1), AFTER, PROOF, JOINT, CONTEXT)


def test_another_key_or_context_is_refused():
    with pytest.raises(ProofError):
        verify_shuffle(BEFORE, AFTER, PROOF, TABLE.keys[0].public, CONTEXT)
    for context in (b"", CONTEXT + b"\0", CONTEXT[:-1]):
        with pytest.raises(ProofError):
            verify_shuffle(BEFORE, AFTER, PROOF, JOINT, context)


@pytest.mark.parametrize(
    ("before", "after"), [((), ()), (BEFORE, ()), ((), AFTER), (BEFORE, AFTER[:5])]
)
def test_empty_or_unequal_decks_are_refused(before, after):
    with pytest.raises(ProofError, match="number of cards"):
        verify_shuffle(before, after, PROOF, JOINT, CONTEXT)
    with pytest.raises(ValueError, match="one length"):
        prove_shuffle(before, after, WITNESS, JOINT, CONTEXT, Seeded("proof"))


def test_witness_that_is_no_permutation_is_refused():
    copied = replace(WITNESS, permutation=(0, *WITNESS.permutation[1:-1], 0))
    with pytest.raises(ValueError, match="no permutation"):
        prove_shuffle(BEFORE, AFTER, copied, JOINT, CONTEXT, Seeded("proof"))


def test_witness_of_another_length_is_refused():
    for witness in (
        replace(WITNESS, permutation=(0,)),
        replace(WITNESS, factors=WITNESS.factors[1:]),
    ):
        with pytest.raises(ValueError, match="one length"):
            prove_shuffle(BEFORE, AFTER, witness, JOINT, CONTEXT, Seeded("proof"))


@pytest.mark.parametrize("part", ["a", "b"])
@pytest.mark.parametrize("side", ["before", "after", "joint"])
def test_identity_is_refused_everywhere(part, side):
    blank = {part: IDENTITY}
    before = with_place(BEFORE, 2, replace(BEFORE[2], **blank)) if side == "before" else BEFORE
    after = with_place(AFTER, 2, replace(AFTER[2], **blank)) if side == "after" else AFTER
    joint = IDENTITY if side == "joint" else JOINT
    with pytest.raises(ProofError, match="identity"):
        verify_shuffle(before, after, PROOF, joint, CONTEXT)


@pytest.mark.parametrize("data", [b"", PROOF[:-1], PROOF + b"\0", PROOF[32:], bytearray(PROOF)])
def test_proof_of_another_type_or_length_is_malformed(data):
    with pytest.raises(MalformedError):
        verify_shuffle(BEFORE, AFTER, data, JOINT, CONTEXT)


def test_wrong_length_is_found_before_any_work():
    with count_operations() as operations, pytest.raises(MalformedError):
        verify_shuffle(BEFORE, AFTER, PROOF * 1000, JOINT, CONTEXT)
    assert operations.decoded == operations.multiplied == 0


def test_witness_is_hidden():
    assert repr(WITNESS) == "ShuffleWitness()"
    assert str(WITNESS) == "ShuffleWitness()"


def test_cards_left_in_place_are_a_shuffle_like_any_other():
    """The proof must not tell orders apart, hence neither this one."""
    kept = ShuffleWitness(tuple(range(6)), WITNESS.factors)
    after = tuple(
        Ciphertext(add(place.a, multiply_base(factor)), add(place.b, multiply(factor, JOINT)))
        for place, factor in zip(BEFORE, WITNESS.factors, strict=True)
    )
    proof = prove_shuffle(BEFORE, after, kept, JOINT, CONTEXT, Seeded("kept"))
    verify_shuffle(BEFORE, after, proof, JOINT, CONTEXT)
    assert len(proof) == len(PROOF)


def test_repeated_randomness_gives_other_nonces_for_another_deck():
    """After restoring a snapshot, equal commitments under two challenges would give the order."""
    after, witness = shuffle(BEFORE, JOINT, Seeded("other"))
    first = prove_shuffle(BEFORE, AFTER, WITNESS, JOINT, CONTEXT, bytes)
    second = prove_shuffle(BEFORE, after, witness, JOINT, CONTEXT, bytes)
    third = prove_shuffle(BEFORE, AFTER, WITNESS, JOINT, b"other context", bytes)
    columns = [proof[: 32 * 6] for proof in (first, second, third)]
    assert len({column[at : at + 32] for column in columns for at in range(0, 192, 32)}) == 18


@pytest.mark.parametrize("count", [6, 8])
def test_costs_are_those_of_the_protocol(count):
    table = new_table(count=count)
    after, witness = shuffle(table.deck, table.joint, Seeded("costs"))
    generators(count)
    with count_operations() as proving:
        proof = prove_shuffle(table.deck, after, witness, table.joint, CONTEXT, Seeded("p"))
    with count_operations() as verifying:
        verify_shuffle(table.deck, after, proof, table.joint, CONTEXT)
    assert (proving.multiplied, proving.multiplied_base) == (5 * count + 1, 3 * count + 4)
    assert (verifying.multiplied, verifying.multiplied_base) == (8 * count + 4, count + 4)
