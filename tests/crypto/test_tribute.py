"""A tribute is the highest card of a hand, proved on every place that remains (Winner, clause 12).

The card is opened, and the remaining places are proved to hold none that ranks higher.  Here the
cards rank by their index.
"""

from math import ceil

import pytest
from crypto_setup import CONTEXT, Seeded, cards_of, new_table

from p2pclimb.cards import faces
from p2pclimb.crypto.absence import absence_proof_size, prove_absence, verify_absence
from p2pclimb.crypto.masking import card_points
from p2pclimb.errors import MalformedError, ProofError

COUNT = 12
TABLE = new_table("tribute", COUNT)
KEYS = TABLE.keys[1]
PLACES = TABLE.residuals(1, range(4))
HAND = cards_of(TABLE.deck, TABLE.keys, COUNT)[:4]
HIGHEST, SECOND = sorted(HAND, reverse=True)[:2]
KIB = 1024


def higher(card):
    return card_points(COUNT)[card + 1 :]


def remaining(card):
    """The giver's places without the one that holds the card."""
    return [place for place, held in zip(PLACES, HAND, strict=True) if held != card]


def prove(places, candidates):
    return prove_absence(KEYS, places, candidates, CONTEXT, Seeded("tribute"))


def test_the_highest_card_can_be_given():
    assert HIGHEST < COUNT - 1, "there is something to prove"
    proof = prove(remaining(HIGHEST), higher(HIGHEST))
    verify_absence(KEYS.public, remaining(HIGHEST), higher(HIGHEST), proof, CONTEXT)


def test_a_lower_card_cannot_be_given():
    with pytest.raises(ValueError, match="cannot be proved"):
        prove(remaining(SECOND), higher(SECOND))


def test_proofs_for_a_lower_card_that_leave_something_out_are_refused():
    """A cheat gives its second card and proves what is true of the others."""
    places, candidates = remaining(SECOND), higher(SECOND)
    kept = PLACES[HAND.index(HIGHEST)]
    honest = [place for place in places if place != kept]
    harmless = [point for point in candidates if point != card_points(COUNT)[HIGHEST]]
    for shown, denied in ((honest, candidates), (places, harmless)):
        with pytest.raises(MalformedError):
            verify_absence(KEYS.public, places, candidates, prove(shown, denied), CONTEXT)
    for shown, denied in (
        ([*honest, honest[0]], candidates),
        (places, [*harmless, harmless[0]]),
    ):
        proof = prove(shown, denied)
        verify_absence(KEYS.public, shown, denied, proof, CONTEXT)
        with pytest.raises(ProofError):
            verify_absence(KEYS.public, places, candidates, proof, CONTEXT)


def worst_pairs(packs, seats):
    """Pairs to prove for whoever was dealt the lowest cards, the highest of them given."""
    pack = sorted(face.index for face in faces(packs, jokers=True))
    hand = pack[: ceil(len(pack) / seats)]
    return (len(hand) - 1) * sum(face > hand[-1] for face in pack)


@pytest.mark.parametrize(
    ("packs", "fewest", "pairs"),
    [(1, 2, [702, 612, 520, 430, 360, 322, 282]), (2, 4, [2080, 1806, 1530, 1380, 1222])],
)
def test_every_tribute_that_can_be_owed_fits_256_kib(packs, fewest, pairs):
    """With one kind of proof for all; 1 KiB is left for the opening and the entry around it."""
    worst = [worst_pairs(packs, seats) for seats in range(fewest, 9)]
    assert worst == pairs
    assert absence_proof_size(1, max(worst)) < 255 * KIB
