"""Transfer of cards: the receiver alone reads them, and uses them as if they had been dealt."""

from dataclasses import replace

import pytest
from crypto_setup import CONTEXT, INVALID, Seeded, cards_but, cards_of, new_table, replaced
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pclimb.crypto.absence import prove_absence, verify_absence
from p2pclimb.crypto.group import IDENTITY, hash_to_point, multiply, subtract
from p2pclimb.crypto.masking import card_index, card_points, share, unmask
from p2pclimb.crypto.shares import prove_opening, verify_opening
from p2pclimb.crypto.sodium import count_operations
from p2pclimb.crypto.transfer import (
    decode_transfers,
    encode_transfers,
    prove_transfer,
    received,
    verify_transfer,
)
from p2pclimb.errors import MalformedError, ProofError

TABLE = new_table()
GIVER, RECEIVER, OTHER = TABLE.keys
PLACES = TABLE.residuals(0, range(3))
CARDS = cards_of(TABLE.deck, TABLE.keys, 8)[:3]


def transferred(places=PLACES, entropy=None):
    entropy = entropy or Seeded("transfer")
    return prove_transfer(GIVER, places, RECEIVER.public, CONTEXT, entropy)


TRANSFERS, PROOF = transferred()
RECEIVED = tuple(map(received, PLACES, TRANSFERS))


def check(transfers=TRANSFERS, proof=PROOF, **changed):
    arguments = {
        "giver": GIVER.public,
        "residuals": PLACES,
        "receiver": RECEIVER.public,
        "context": CONTEXT,
    }
    verify_transfer(transfers=transfers, proof=proof, **{**arguments, **changed})


def read(keys, place):
    return card_index(unmask(place, share(keys.secret, place)), 8)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_receiver_reads_the_cards_and_nobody_else_does(count):
    transfers, proof = transferred(PLACES[:count])
    assert len(proof) == 32 * (2 + count)
    check(transfers, proof, residuals=PLACES[:count])
    places = list(map(received, PLACES, transfers))
    assert [read(RECEIVER, place) for place in places] == CARDS[:count]
    for place in places:
        assert card_index(place.b, 8) is None
        assert read(GIVER, place) is read(OTHER, place) is None


def test_receiver_opens_a_received_card_like_a_dealt_one():
    given = [share(RECEIVER.secret, place) for place in RECEIVED]
    proof = prove_opening(RECEIVER, RECEIVED, given, CONTEXT, Seeded("open"))
    verify_opening(RECEIVER.public, RECEIVED, given, proof, CONTEXT)
    opened = [unmask(*pair) for pair in zip(RECEIVED, given, strict=True)]
    assert [card_index(point, 8) for point in opened] == CARDS
    with pytest.raises(ProofError):
        verify_opening(RECEIVER.public, PLACES, given, proof, CONTEXT)


def test_receiver_denies_cards_at_a_received_place_like_at_a_dealt_one():
    places = [RECEIVED[0], *TABLE.residuals(1, range(3, 5))]
    hand = [CARDS[0], *cards_of(TABLE.deck, TABLE.keys, 8)[3:5]]
    absent = cards_but(hand, 8)
    proof = prove_absence(RECEIVER, places, absent, CONTEXT, Seeded("deny"))
    verify_absence(RECEIVER.public, places, absent, proof, CONTEXT)
    held = card_points(8)[CARDS[0]]
    with pytest.raises(ValueError, match="cannot be proved"):
        prove_absence(RECEIVER, places, [held], CONTEXT, Seeded("deny"))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_a_card_can_be_handed_on_from_seat_to_seat(path):
    place, owner, entropy = PLACES[0], GIVER, Seeded("hand on")
    for seat in path:
        receiver = TABLE.keys[seat]
        (given_on,), proof = prove_transfer(owner, [place], receiver.public, CONTEXT, entropy)
        verify_transfer(owner.public, [place], receiver.public, [given_on], proof, CONTEXT)
        place, owner = received(place, given_on), receiver
    assert read(owner, place) == CARDS[0]


def test_transfers_have_an_encoding_of_64_bytes_each():
    data = encode_transfers(TRANSFERS)
    assert data == b"".join(bytes(point) for each in TRANSFERS for point in (each.r, each.s))
    assert decode_transfers(data, 3) == TRANSFERS
    for wrong in (data[:-1], data[:-64], data + data[:64], b"", bytearray(data), None):
        with pytest.raises(MalformedError):
            decode_transfers(wrong, 3)


@pytest.mark.parametrize("field", range(6))
def test_every_point_of_the_transfers_is_bound(field):
    data = encode_transfers(TRANSFERS)
    for element in (bytes(32), b"\xff" * 32, *(bytes.fromhex(text) for text in INVALID[::4])):
        with pytest.raises(MalformedError):
            decode_transfers(replaced(data, field, element), 3)
    for point in (hash_to_point(b"other", b"point"), TRANSFERS[field // 2 - 1].s):
        with pytest.raises(ProofError):
            check(decode_transfers(replaced(data, field, bytes(point)), 3))


def test_transfers_of_other_places_keys_or_contexts_are_refused():
    check()
    other_place = replace(PLACES[0], a=TABLE.deck[6].a)
    for changed in (
        {"giver": OTHER.public},
        {"receiver": OTHER.public},
        {"receiver": GIVER.public},
        {"residuals": PLACES[::-1]},
        {"residuals": (other_place, *PLACES[1:])},
        {"residuals": new_table("another deal").residuals(0, range(3))},
        {"context": CONTEXT + b"\0"},
    ):
        with pytest.raises(ProofError):
            check(**changed)
    with pytest.raises(ProofError):
        check(TRANSFERS[::-1])


def test_transfers_of_nothing_or_of_another_number_are_refused():
    cut = PROOF[:-32]
    for places, transfers in ((), ()), ((), TRANSFERS), (PLACES, ()), (PLACES, TRANSFERS[:2]):
        with pytest.raises(ProofError, match="no place"):
            check(transfers, cut, residuals=places)
    with pytest.raises(MalformedError):
        check(proof=cut)
    with pytest.raises(ValueError, match="one place"):
        transferred([])


def test_the_identity_is_refused_as_key_place_or_transfer():
    blank = (replace(PLACES[0], a=IDENTITY), *PLACES[1:])
    for changed in ({"giver": IDENTITY}, {"receiver": IDENTITY}, {"residuals": blank}):
        with pytest.raises(ProofError, match="identity"):
            check(**changed)
    for name in ("r", "s"):
        with pytest.raises(ProofError, match="identity"):
            check((replace(TRANSFERS[0], **{name: IDENTITY}), *TRANSFERS[1:]))


def test_cards_are_not_handed_to_the_identity_under_which_all_could_read_them():
    with pytest.raises(ValueError, match="valid key"):
        prove_transfer(GIVER, PLACES, IDENTITY, CONTEXT, Seeded("transfer"))


def test_each_place_has_a_factor_of_its_own():
    """With one factor for two places, S - S' would be x(A - A') and tell M - M'."""
    again, _ = transferred(entropy=Seeded("again"))
    assert len({point for each in (*TRANSFERS, *again) for point in (each.r, each.s)}) == 12
    for one, two in ((0, 1), (0, 2), (1, 2)):
        masks = multiply(GIVER.secret, subtract(PLACES[one].a, PLACES[two].a))
        assert subtract(TRANSFERS[one].s, TRANSFERS[two].s) != masks


def test_secrets_do_not_show_in_what_is_printed():
    hidden = (str(GIVER.secret), hex(GIVER.secret)[2:], GIVER.secret.to_bytes(32, "little").hex())
    shown = repr(TRANSFERS) + repr(RECEIVED) + repr(GIVER)
    assert not any(text in shown for text in hidden)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_costs_are_those_of_the_protocol(count):
    places = PLACES[:count]
    with count_operations() as proving:
        transfers, proof = transferred(places)
    with count_operations() as verifying:
        check(transfers, proof, residuals=places)
    assert (proving.multiplied, proving.multiplied_base) == (4 * count, 2 * count + 1)
    assert (verifying.multiplied, verifying.multiplied_base) == (4 * count + 1, count + 1)
