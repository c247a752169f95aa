"""Hands: who holds which places, which cards are public, and what may be shown."""

import pytest
from honest_table import seeded

from p2pclimb.cards import FACES
from p2pclimb.crypto.group import add, base_point, encode_points, multiply, multiply_base
from p2pclimb.crypto.masking import Ciphertext, initial_deck, joint_key, new_key_pair, share
from p2pclimb.crypto.shares import prove_opening
from p2pclimb.errors import ProofError
from p2pclimb.ledger.hands import Hands, Showing, owed_places
from p2pclimb.ledger.judging import RuleError, Tally

KEYS = [new_key_pair(seeded(n)) for n in range(2)]
JOINT = joint_key([pair.public for pair in KEYS])
OWNERS = (0, 1, 0, 1, 0, None)
CONTEXT = b"here"


# The cards in order, each under a mask of its own.
DECK = tuple(
    Ciphertext(add(card.a, multiply_base(place)), add(card.b, multiply(place, JOINT)))
    for place, card in enumerate(initial_deck(JOINT, 6))
)


def dealt(deck=DECK):
    """Six cards in order, five of them dealt to two seats."""
    shares = {
        seat: {place: share(KEYS[seat].secret, deck[place]) for place in owed_places(OWNERS, seat)}
        for seat in range(2)
    }
    return Hands.dealt(FACES[:6], OWNERS, deck, shares)


def show(hands, seat, places, context=CONTEXT):
    residuals = [hands.residuals[place] for place in hands.closed(places)]
    if not residuals:
        return Showing(tuple(places), (), b"")
    shares = tuple(share(KEYS[seat].secret, residual) for residual in residuals)
    proof = prove_opening(KEYS[seat], residuals, shares, context, seeded("opening"))
    return Showing(tuple(places), shares, proof)


def refusal(hands, seat, showing):
    with pytest.raises(RuleError) as caught:
        hands.check_showing(seat, KEYS[seat].public, showing, CONTEXT)
    return caught.value.rule


def test_shares_are_owed_for_all_dealt_places_of_others():
    assert owed_places(OWNERS, 0) == (1, 3)
    assert owed_places(OWNERS, 1) == (0, 2, 4)


def test_a_shown_card_is_the_one_at_its_place():
    hands = dealt()
    showing = show(hands, 0, (0, 4))
    tally = hands.check_showing(0, KEYS[0].public, showing, CONTEXT)
    assert tally == Tally(openings=2)
    after = hands.shown(showing)
    assert after.faces_at((0, 4)) == (FACES[0], FACES[4])
    assert (after.known, hands.known) == ({0: 0, 4: 4}, {})
    assert after.in_hand(0) == (0, 2, 4)


def test_what_was_played_is_no_longer_in_the_hand():
    hands = dealt().discard((0, 3))
    assert hands.in_hand(0) == (2, 4)
    assert hands.sizes((0, 1)) == {0: 2, 1: 1}
    assert refusal(hands, 0, show(dealt(), 0, (0,))) == "ownership"


def test_a_public_card_is_shown_again_without_a_share():
    hands = dealt()
    hands = hands.shown(show(hands, 0, (0,)))
    again = show(hands, 0, (0, 2))
    assert len(again.shares) == 1
    assert hands.check_showing(0, KEYS[0].public, again, CONTEXT) == Tally(openings=1)
    free = Showing((0,), (), b"")
    assert hands.check_showing(0, KEYS[0].public, free, CONTEXT) == Tally()
    assert refusal(hands, 0, Showing((0,), (), bytes(64))) == "opening"
    assert refusal(hands, 0, Showing((0, 2), (), b"")) == "opening"


@pytest.mark.parametrize("place", [1, 5, 6, 215])
def test_places_of_others_undealt_ones_and_places_beyond_the_deck_are_not_shown(place):
    hands = dealt()
    assert refusal(hands, 0, Showing((place,), (base_point(),), bytes(64))) == "ownership"


def test_places_ascend():
    hands = dealt()
    right = show(hands, 0, (0, 2))
    for places in ((2, 0), (0, 0), (2, 2)):
        assert refusal(hands, 0, Showing(places, right.shares, right.proof)) == "places"


def test_one_card_is_never_opened_twice():
    """Row 13: were the proofs of the shuffle broken, the second copy of a card is seen."""
    # The same card at two places, masked anew.
    twin = Ciphertext(add(DECK[0].a, base_point()), add(DECK[0].b, JOINT))
    hands = dealt((DECK[0], DECK[1], twin, *DECK[3:]))
    assert refusal(hands, 0, show(hands, 0, (0, 2))) == "duplicate-card"
    first = hands.shown(show(hands, 0, (0,)))
    assert refusal(first, 0, show(first, 0, (2,))) == "duplicate-card"


def test_something_that_is_no_card_is_never_opened():
    garbage = Ciphertext(DECK[0].a, add(DECK[0].b, base_point()))
    hands = dealt((garbage, *DECK[1:]))
    with pytest.raises(ProofError, match="no card"):
        hands.check_showing(0, KEYS[0].public, show(hands, 0, (0,)), CONTEXT)


def test_a_wrong_opening_raises_and_names_no_card():
    hands = dealt()
    right = show(hands, 0, (0, 2))
    swapped = Showing((0, 2), right.shares[::-1], right.proof)
    with pytest.raises(ProofError) as caught:
        hands.check_showing(0, KEYS[0].public, swapped, CONTEXT)
    assert not any(str(face) in str(caught.value) for face in FACES[:6])
    with pytest.raises(ProofError):
        hands.check_showing(0, KEYS[0].public, show(hands, 0, (0,), b"elsewhere"), CONTEXT)
    with pytest.raises(ProofError):
        hands.check_showing(0, KEYS[1].public, show(hands, 0, (0,)), CONTEXT)


def test_a_showing_is_read_as_it_was_written():
    showing = show(dealt(), 0, (0, 2))
    places, shares, proof = showing.write()
    assert shares == encode_points(showing.shares)
    assert Showing.read(places, shares, proof) == showing


def test_no_card_follows_from_what_the_public_knows():
    """Row 19: all but one of the secrets leave a closed card closed."""
    hands = dealt()
    points = {bytes(residual.b) for residual in hands.residuals.values()}
    cards = {bytes(card.b) for card in initial_deck(JOINT, 6)}
    assert not points & cards
    assert hands.faces_at(()) == ()
    assert set(hands.residuals) == {0, 1, 2, 3, 4}
