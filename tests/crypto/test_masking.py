"""Keys, decks and unmasking: nothing but all shares together gives a card."""

from itertools import combinations

import pytest
from crypto_setup import Seeded, cards_of, new_table
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pclimb.crypto.group import IDENTITY, ORDER, add, base_point, multiply_base, subtract
from p2pclimb.crypto.masking import (
    CIPHERTEXT_SIZE,
    Ciphertext,
    card_index,
    card_points,
    decode_deck,
    encode_deck,
    initial_deck,
    joint_key,
    key_pair,
    new_key_pair,
    residual,
    share,
    unmask,
)
from p2pclimb.errors import MalformedError


@pytest.mark.parametrize(
    ("card", "encoding"),
    [
        (0, "50d31b2e73bf67d2f90e55d4a845bc0203754bb9f2abce108c1468cd4df24d33"),
        (1, "ee364e5033870b7f6b88a86e66758c67d74421731b84a302deb79cd9d2ebf20e"),
        (52, "601845b06d60a90829a3115b4e5253936a987f1cfc7b6ba9150b37f9f773a868"),
        (107, "90547c126848456d1f51a44dfb7272b32d6acbe82d6b4ae29ad8110546212f09"),
    ],
)
def test_card_points_are_those_of_the_protocol(card, encoding):
    assert bytes(card_points(108)[card]).hex() == encoding


def test_card_points_are_known_both_ways():
    assert [card_index(point, 54) for point in card_points(54)] == list(range(54))
    assert card_points(54) == card_points(108)[:54]
    assert card_index(card_points(108)[54], 54) is None
    assert card_index(base_point(), 54) is None


def test_no_card_is_a_sum_or_a_multiple_of_others():
    """Known relations between cards would let a cheat make one card from others."""
    cards = card_points(12)
    sums = {add(*pair) for pair in combinations(cards, 2)} | {add(card, card) for card in cards}
    assert sums.isdisjoint(cards)
    small = {multiply_base(factor) for factor in range(1, 217)}
    assert small.isdisjoint(card_points(216))


def test_initial_deck_opens_to_the_cards_in_order():
    table = new_table()
    deck = initial_deck(table.joint, 8)
    assert cards_of(deck, table.keys, 8) == list(range(8))
    assert {place.a for place in deck} == {base_point()}


def test_all_shares_together_give_the_card():
    table = new_table()
    assert sorted(cards_of(table.deck, table.keys, 8)) == list(range(8))
    for seat, keys in enumerate(table.keys):
        hand = [
            card_index(unmask(place, share(keys.secret, place)), 8)
            for place in table.residuals(seat, range(8))
        ]
        assert hand == cards_of(table.deck, table.keys, 8)


def test_all_but_one_share_give_nothing():
    """Colluding seats: what is left after their shares is masked by the missing one."""
    table = new_table()
    for missing in range(3):
        colluding = tuple(keys for seat, keys in enumerate(table.keys) if seat != missing)
        assert cards_of(table.deck, colluding, 8) == [None] * 8


def test_residual_subtracts_the_shares_of_the_others():
    place = Ciphertext(multiply_base(3), multiply_base(20))
    assert residual(place, [multiply_base(4), multiply_base(5)]).b == multiply_base(11)
    assert residual(place, []) == place


def test_decks_round_trip():
    deck = new_table().deck
    data = encode_deck(deck)
    assert len(data) == CIPHERTEXT_SIZE * 8
    assert decode_deck(data, 8) == deck
    with pytest.raises(MalformedError):
        decode_deck(data, 7)
    with pytest.raises(MalformedError):
        decode_deck(data[:-1], 8)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 15), st.binary(min_size=32, max_size=32))
def test_deck_with_another_field_is_another_deck_or_malformed(field, element):
    data = encode_deck(new_table().deck)
    changed = data[: 32 * field] + element + data[32 * field + 32 :]
    try:
        deck = decode_deck(changed, 8)
    except MalformedError:
        return
    assert encode_deck(deck) == changed


@pytest.mark.parametrize("secret", [0, -1, ORDER, ORDER + 1])
def test_secrets_out_of_range_are_refused(secret):
    with pytest.raises(MalformedError) as caught:
        key_pair(secret)
    assert str(secret) not in str(caught.value)


def test_key_pairs_hide_their_secret():
    keys = new_key_pair(Seeded("keys"))
    assert key_pair(keys.secret) == keys
    assert str(keys.secret) not in repr(keys)
    assert "secret" not in repr(keys)


def test_keys_that_cannot_be_joined_are_refused():
    first, second = (new_key_pair(Seeded(name)).public for name in ("one", "two"))
    assert joint_key([first, second]) == add(first, second)
    negated = subtract(IDENTITY, first)
    for publics in ([], [first, first], [first, IDENTITY], [first, negated]):
        with pytest.raises(MalformedError):
            joint_key(publics)
