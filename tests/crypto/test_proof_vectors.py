"""Known answers: proofs made once verify for ever, and every item that they absorb matters."""

from __future__ import annotations

import json

import pytest
from proof_vectors import COUNT, FILE, build

from p2pclimb.crypto import transcript
from p2pclimb.crypto.absence import verify_absence
from p2pclimb.crypto.group import decode_point, decode_points, decode_scalar
from p2pclimb.crypto.identity import verify_signature
from p2pclimb.crypto.masking import card_index, decode_deck, initial_deck, residual, share, unmask
from p2pclimb.crypto.possession import verify_possession
from p2pclimb.crypto.shares import verify_opening, verify_shares
from p2pclimb.crypto.shuffle import verify_shuffle
from p2pclimb.crypto.transfer import decode_transfers, received, verify_transfer
from p2pclimb.errors import ProofError

STORED = json.loads(FILE.read_text())


def field(name: str) -> bytes:
    return bytes.fromhex(STORED[name])


FIRST, SECOND = (decode_point(bytes.fromhex(key)) for key in STORED["public keys"])
JOINT = decode_point(field("joint key"))
BEFORE, AFTER = (decode_deck(field(f"deck {when}"), COUNT) for when in ("before", "after"))
GIVEN = decode_points(field("shares of seat 1 for places 0 and 1"), 2)
OPENED = decode_points(field("share of seat 0 for place 0"), 1)
DENIED = decode_points(field("cards denied at place 0"), 2)
BOTH = [residual(place, [one]) for place, one in zip(AFTER[:2], GIVEN, strict=True)]
OWN = BOTH[:1]
TRANSFERS = decode_transfers(field("transfers of places 0 and 1 to seat 1"), 2)
HANDED = decode_deck(field("places 0 and 1 under the key of seat 1"), 2)
CONTEXT = field("context")


def verify(kind: str) -> None:
    proof = field(f"proof of {kind}")
    match kind:
        case "possession":
            verify_possession(FIRST, proof, CONTEXT)
        case "shuffle":
            verify_shuffle(BEFORE, AFTER, proof, JOINT, CONTEXT)
        case "shares":
            verify_shares(SECOND, AFTER[:2], GIVEN, proof, CONTEXT)
        case "opening":
            verify_opening(FIRST, OWN, OPENED, proof, CONTEXT)
        case "absence":
            verify_absence(FIRST, OWN, DENIED, proof, CONTEXT)
        case "transfer":
            verify_transfer(FIRST, BOTH, SECOND, TRANSFERS, proof, CONTEXT)


# How many items each proof absorbs, challenges fed back included.
ITEMS = {
    "possession": 2 + 1 + (1 + 1) + 1 + 1,
    "shares": 2 + 1 + 3 * (1 + 1) + 3 + 1,
    "opening": 2 + 1 + 2 * (1 + 1) + 2 + 1,
    "absence": 2 + 1 + 4 * (1 + 2) + 4 + 1,
    "transfer": 2 + 1 + (1 + 1) + 2 * ((1 + 1) + (1 + 2)) + 5 + 1,
    "shuffle": 2 + 3 + (COUNT + 1) + 2 * COUNT + 2 * COUNT + COUNT + (COUNT + 5) + 1,
}


def test_everything_made_from_the_same_randomness_is_as_stored():
    assert build() == STORED


def test_stored_deck_is_the_shuffled_first_deck():
    assert initial_deck(JOINT, COUNT) == BEFORE
    card = card_index(unmask(OWN[0], OPENED[0]), COUNT)
    assert card is not None
    assert card not in [card_index(point, COUNT) for point in DENIED]


def test_stored_transfers_show_seat_1_the_card_that_seat_0_opened():
    secret = decode_scalar(bytes.fromhex(STORED["secret keys"][1]))
    assert tuple(map(received, BOTH, TRANSFERS)) == HANDED
    assert unmask(HANDED[0], share(secret, HANDED[0])) == unmask(OWN[0], OPENED[0])


@pytest.mark.parametrize("kind", ITEMS)
def test_stored_proof_verifies(kind):
    verify(kind)


def test_stored_signature_verifies():
    signature = field("signature of 'message' under 'label'")
    verify_signature(field("identity key"), b"label", b"message", signature)


@pytest.mark.parametrize("kind", ITEMS)
def test_no_absorbed_item_can_be_dropped(monkeypatch, kind):
    """Drop one item at a time: the stored proof must stop verifying each time."""
    strong = transcript.Transcript.absorb
    absorbed = 0
    dropped = -1

    def absorb(self, item, data):
        nonlocal absorbed
        if absorbed != dropped:
            strong(self, item, data)
        absorbed += 1

    monkeypatch.setattr(transcript.Transcript, "absorb", absorb)
    verify(kind)
    assert absorbed == ITEMS[kind]
    # The last item is the final challenge itself: nothing follows that could depend on it.
    for position in range(ITEMS[kind] - 1):
        absorbed, dropped = 0, position
        with pytest.raises(ProofError):
            verify(kind)
