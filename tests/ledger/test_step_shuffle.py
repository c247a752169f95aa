"""Step `shuffle`: each seat once, in order, from the deck of the seat before, and proved."""

import dataclasses

from honest_table import HonestTable, reached, seeded

from p2pclimb.crypto.group import add, base_point
from p2pclimb.crypto.masking import Ciphertext, Deck, encode_deck, initial_deck
from p2pclimb.crypto.shuffle import prove_shuffle, shuffle
from p2pclimb.games.dealing import pack
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.ledger import Standing


def shuffled(table: HonestTable, deck: Deck, author: int, elsewhere: dict | None = None) -> list:
    """A body with a right proof for a shuffle of `deck`, made for `elsewhere` if that is given."""
    cast = table.stage.cast
    site = dataclasses.replace(table.position.site, **(elsewhere or {}))
    context = site.context(author, cast.seats, cast.keys)
    after, witness = shuffle(deck, cast.joint, seeded("shuffle"))
    proof = prove_shuffle(deck, after, witness, cast.joint, context, seeded("proof"))
    return [encode_deck(after), proof]


def second() -> HonestTable:
    """The table when the first seat has shuffled."""
    table = reached(Kind.SHUFFLE)
    table.put(table.sign(0))
    return table


def test_the_first_input_is_the_deck_that_everybody_computes():
    table = reached(Kind.SHUFFLE)
    cards = len(pack(table.ledger.terms.options, 2))
    assert table.stage.deck == initial_deck(table.stage.cast.joint, cards)


def test_a_shuffle_of_a_stale_deck_is_refused():
    """Row 12: the proof is right, but for the deck before the last shuffle."""
    stale = reached(Kind.SHUFFLE).stage.deck
    table = second()
    table.forge(1, shuffled(table, stale, 1), "proof")
    table.put(table.sign(1, shuffled(table, table.stage.deck, 1)))


def test_nobody_shuffles_for_another_or_twice():
    """Row 12: one shuffle a seat, in seat order."""
    table = reached(Kind.SHUFFLE)
    early = table.sign(1, shuffled(table, table.stage.deck, 1))
    assert table.ledger.standing(early) is Standing.STRAY
    table.put(table.sign(0))
    again = table.sign(0, shuffled(table, table.stage.deck, 0))
    assert table.ledger.standing(again) is Standing.STRAY


def test_a_proof_made_for_another_place_is_refused():
    table = second()
    deck = table.stage.deck
    for elsewhere in (
        {"table": bytes(32)},
        {"deal": 2},
        {"attempt": 1},
        {"step": table.position.step - 1},
        {"previous": bytes(32)},
        {"kind": Kind.AGREE},
    ):
        table.forge(1, shuffled(table, deck, 1, elsewhere), "proof")
    table.forge(1, shuffled(table, deck, 0), "proof")


def test_the_output_cannot_be_changed_after_the_proof():
    """Row 13: cards swapped, one copied, one replaced."""
    table = second()
    body, proof = shuffled(table, table.stage.deck, 1)
    cards = [body[at : at + 64] for at in range(0, len(body), 64)]
    swapped = [cards[1], cards[0], *cards[2:]]
    table.forge(1, [b"".join(swapped), proof], "proof")
    copied = [cards[1], *cards[1:]]
    table.forge(1, [b"".join(copied), proof], "proof", saying="same mask")
    stage = table.stage.read([body, proof])
    first = stage.deck[0]
    replaced = (Ciphertext(first.a, add(first.b, base_point())), *stage.deck[1:])
    table.forge(1, [encode_deck(replaced), proof], "proof")


def test_another_number_of_cards_is_refused():
    table = second()
    body, proof = shuffled(table, table.stage.deck, 1)
    table.forge(1, [body[:-64], proof], "form")
    table.forge(1, [body + body[:64], proof], "form")
    table.forge(1, [body, proof[:-32]], "form")


def test_the_identity_is_no_masked_card():
    table = second()
    body, proof = shuffled(table, table.stage.deck, 1)
    for at in (0, 32):
        table.forge(1, [body[:at] + bytes(32) + body[at + 32 :], proof], "form")


def test_the_shuffle_of_another_seat_cannot_be_replayed():
    table = reached(Kind.SHUFFLE)
    first = table.sign(0)
    table.put(first)
    table.forge(1, first.body, "proof")
