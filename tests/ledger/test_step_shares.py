"""Steps `agree` and `shares`: no share before all signed the deck, and only right ones after."""

import dataclasses

from honest_table import HonestTable, reached, seeded

from p2pclimb.crypto.group import encode_points
from p2pclimb.crypto.masking import share
from p2pclimb.crypto.shares import prove_shares
from p2pclimb.games.dealing import owners
from p2pclimb.games.moves import Cards
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardsDealt, DealRestarted, TrickCardShown
from p2pclimb.ledger.hands import owed_places
from p2pclimb.ledger.ledger import Standing


def proved(
    table: HonestTable, seat: int, places: tuple, author: int, elsewhere: dict | None = None
) -> list:
    """Rightly proved shares of `seat` for some places, in the context of `author`."""
    cast = table.stage.cast
    site = dataclasses.replace(table.position.site, **(elsewhere or {}))
    context = site.context(author, cast.seats, cast.keys)
    keys = table.secrets[seat].keys
    masked = [table.stage.deck[place] for place in places]
    shares = [share(keys.secret, ciphertext) for ciphertext in masked]
    return [encode_points(shares), prove_shares(keys, masked, shares, context, seeded("shares"))]


def owed(table: HonestTable, seat: int) -> tuple[int, ...]:
    return owed_places(table.stage.owners, seat)


def test_shares_are_owed_for_every_dealt_place_but_ones_own():
    table = reached(Kind.SHARES, 3)
    dealt = owners(table.ledger.terms.options, (0, 1, 2), table.stage.cast.match.dealer)
    assert table.stage.owners == dealt
    for seat in range(3):
        assert owed(table, seat) == tuple(p for p, o in enumerate(dealt) if o not in (seat, None))
        assert len(owed(table, seat)) == 26


def test_no_share_has_a_place_before_everybody_agreed():
    """Row 15: the deck is signed by all before any share leaves."""
    table = reached(Kind.AGREE)
    table.put(table.sign(0))
    after = table.copy()
    after.put(after.sign(1))
    early = after.sign(0)
    assert early.kind is Kind.SHARES
    assert table.ledger.standing(early) is Standing.EARLY


def test_the_proof_of_ones_own_shares_passes():
    table = reached(Kind.SHARES)
    table.put(table.sign(0, proved(table, 0, owed(table, 0), 0)))


def test_a_missing_or_additional_share_is_refused():
    table = reached(Kind.SHARES)
    places = owed(table, 0)
    own = table.stage.owners.index(0)
    table.forge(0, proved(table, 0, places[1:], 0), "shares")
    table.forge(0, proved(table, 0, (*places, own), 0), "shares")
    table.forge(0, [b"", bytes(64)], "shares")


def test_a_share_for_ones_own_place_instead_of_anothers_is_refused():
    """Row 14: nobody is made to hand out the last mask of a card of its own."""
    table = reached(Kind.SHARES)
    own = table.stage.owners.index(0)
    table.forge(0, proved(table, 0, (own, *owed(table, 0)[1:]), 0), "proof")


def test_a_share_for_a_place_that_is_not_dealt_is_refused():
    table = reached(Kind.SHARES)
    undealt = table.stage.owners.index(None)
    table.forge(0, proved(table, 0, (*owed(table, 0)[1:], undealt), 0), "proof")


def test_one_wrong_share_is_laid_to_its_author():
    """Row 21: the error names who gave it."""
    table = reached(Kind.SHARES)
    shares, proof = proved(table, 1, owed(table, 1), 1)
    wrong = shares[32:64] + shares[32:]
    table.forge(1, [wrong, proof], "proof")
    swapped = shares[32:64] + shares[:32] + shares[64:]
    table.forge(1, [swapped, proof], "proof")


def test_shares_of_another_seat_or_place_are_refused():
    table = reached(Kind.SHARES, 3)
    places = owed(table, 1)
    table.forge(1, proved(table, 0, places, 1), "proof")
    table.forge(1, proved(table, 1, places, 0), "proof")
    table.forge(1, proved(table, 1, tuple(reversed(places)), 1), "proof")
    for elsewhere in (
        {"table": bytes(32)},
        {"deal": 2},
        {"attempt": 1},
        {"step": 2},
        {"previous": bytes(32)},
        {"kind": Kind.AGREE},
    ):
        table.forge(1, proved(table, 1, places, 1, elsewhere), "proof")


def test_hands_are_known_to_their_owners_when_the_last_share_is_there():
    table = reached(Kind.SHARES, 3)
    table.put(table.sign(0), table.sign(2))
    assert table.position.hands is None
    table.put(table.sign(1))
    assert CardsDealt(1, {0: 13, 1: 13, 2: 13}) in table.events
    cards = [card for seat in range(3) for card in table.hand(seat).values()]
    assert len(set(cards)) == 39


# -- the trick card -----------------------------------------------------------------------


def trick_card() -> tuple[HonestTable, int, int]:
    """A first deal of Winner at its shares, the place of the trick card, and its owner."""
    table = reached(Kind.SHARES, 3, game="winner/1")
    (place,) = table.stage.cast.face_up
    return table, place, table.stage.owners[place]


def test_all_give_a_share_for_the_trick_card_its_owner_too():
    table, place, owner = trick_card()
    for seat in range(3):
        owed = table.stage.owed_places(seat)
        assert place in owed
        own = [p for p in owed if table.stage.owners[p] == seat]
        assert own == ([place] if seat == owner else [])


def test_whoever_holds_the_trick_card_leads_and_plays_it_without_a_proof():
    table, place, owner = trick_card()
    table.go(Kind.TURN)
    hands = table.position.hands
    (card,) = hands.faces_at([place])
    assert TrickCardShown(card, owner) in table.events
    assert list(hands.known) == [place]
    assert table.turn == owner
    assert table.stage.state.must_include is None
    table.forge(owner, [1, [place], b"", bytes(64)], "opening")
    table.copy().put(table.sign(owner, [1, [place], b"", b""]))
    other = next(p for p in table.hand(owner) if p != place)
    table.play(owner, Cards((hands.faces[table.hand(owner)[other]],)))


def test_the_owner_can_neither_withhold_nor_falsify_its_share_of_the_trick_card():
    table, place, owner = trick_card()
    shares, proof = table.body(owner)
    at = 32 * table.stage.owed_places(owner).index(place)
    table.forge(owner, [shares[:at] + shares[at + 32 :], proof], "shares")
    other = shares[:32] if at else shares[32:64]
    table.forge(owner, [shares[:at] + other + shares[at + 32 :], proof], "proof")
    other_place = next(
        p for p, seat in enumerate(table.stage.owners) if seat == owner and p != place
    )
    others = tuple(other_place if p == place else p for p in table.stage.owed_places(owner))
    table.forge(owner, proved(table, owner, others, owner), "proof")


def test_nobody_gives_a_share_for_another_card_of_its_own():
    table, place, _ = trick_card()
    for seat in range(3):
        mine = next(p for p, s in enumerate(table.stage.owners) if s == seat and p != place)
        more = (*table.stage.owed_places(seat), mine)
        table.forge(seat, proved(table, seat, more, seat), "shares")


def test_the_trick_card_is_drawn_by_everybodys_coins():
    places = {
        reached(Kind.SHUFFLE, 2, f"draw {n}", game="winner/1").stage.cast.face_up for n in range(8)
    }
    assert len(places) > 4
    assert all(0 <= place < 54 for (place,) in places)


def test_only_a_first_deal_of_winner_has_a_trick_card():
    assert reached(Kind.SHARES, 3).stage.cast.face_up == ()
    later = HonestTable.of_a_later_deal((0, 1, 2), game="winner/1").go(Kind.SHARES)
    assert later.stage.cast.face_up == ()


def test_a_seat_that_leaves_at_the_shares_pays_for_the_hand_it_may_have_seen():
    table, _, owner = trick_card()
    for seat in {0, 1, 2} - {owner}:
        table.put(table.sign(seat))
    table.put(table.leave(owner))
    (told,) = [e for e in table.events if isinstance(e, DealRestarted)]
    assert told.payments[owner] == -3 * 2 * (54 // 3 // 2)
    assert sum(told.payments.values()) == 0
