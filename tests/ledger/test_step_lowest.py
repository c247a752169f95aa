"""Step `lowest`: the lowest card is shown by its holders and denied, with proof, by all others."""

from forged_showings import absence_of, elsewheres, opening
from honest_table import HonestTable, reached

from p2pclimb.crypto.masking import card_points
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import LowestMissing, LowestShown


def is_shown(table: HonestTable) -> bool:
    """Whether the card in question is in a hand."""
    if table.kind is not Kind.LOWEST:
        return False
    return any(table.stage.cards[0] in table.faces(seat) for seat in table.stage.cast.seats)


def at_the_card(seats: int = 2) -> tuple[HonestTable, int, int]:
    """The table when the card in question is in a hand; its holder, and another seat."""
    table = reached(Kind.LOWEST, seats).go(is_shown)
    holder, _ = table.place_of(table.stage.cards[0])
    return table, holder, (holder + 1) % seats


def absence(
    table: HonestTable,
    seat: int,
    *,
    places: tuple | None = None,
    candidates: tuple | None = None,
    **wrong: object,
) -> list:
    """A right proof of absence, for what is asked here unless something else is named."""
    held = places or table.position.hands.in_hand(seat)
    return [False, absence_of(table, seat, held, candidates or table.stage.candidates(), **wrong)]


def showing(table: HonestTable, seat: int, places: tuple, **wrong: object) -> list:
    """The seat opens places, rightly but for what is given as wrong."""
    return [True, *opening(table, seat, places, **wrong)]


def test_the_holder_shows_it_and_the_others_prove_that_they_do_not_have_it():
    table, holder, other = at_the_card()
    _, place = table.place_of(table.stage.cards[0])
    card = table.stage.cards[0]
    table.put(table.sign(holder, showing(table, holder, (place,))))
    table.put(table.sign(other, absence(table, other)))
    assert table.events[-1] == LowestShown(card, (holder,), holder)
    assert table.position.waiting() == (holder,)
    assert table.stage.state.must_include == card


def test_the_next_card_is_asked_for_when_nobody_holds_one():
    for seed in "abcdefgh":
        table = reached(Kind.LOWEST, 2, seed)
        if not is_shown(table):
            break
    cards = table.stage.cards
    table.put(*(table.sign(seat, absence(table, seat)) for seat in (0, 1)))
    assert table.events[-1] == LowestMissing(cards[0])
    assert table.stage.cards == cards[1:]


def test_a_holder_cannot_claim_that_it_has_not_the_card():
    table, holder, _ = at_the_card()
    _, place = table.place_of(table.stage.cards[0])
    rest = tuple(p for p in table.hand(holder) if p != place)
    others = tuple(p for p in table.hand(1 - holder))
    # For the other twelve places, for another card, for the other seat's places, made up.
    table.forge(holder, absence(table, holder, places=rest), "form")
    twelve = (*rest, rest[0])
    table.forge(holder, absence(table, holder, places=tuple(sorted(twelve))), "proof")
    absent = next(
        point
        for card, point in enumerate(card_points(52))
        if card not in table.hand(holder).values()
    )
    table.forge(holder, absence(table, holder, candidates=(absent,)), "proof")
    table.forge(holder, absence(table, holder, places=others), "proof")
    proof = bytearray(absence(table, holder, candidates=(absent,))[1])
    proof[-1] ^= 1
    table.forge(holder, [False, bytes(proof)], "proof")
    table.forge(holder, [False, b""], "form")


def test_the_point_of_a_pair_must_not_be_the_identity():
    table, _, other = at_the_card()
    _, proof = absence(table, other)
    table.forge(other, [False, bytes(32) + proof[32:]], "form")


def test_an_absence_proof_of_elsewhere_is_refused():
    table, holder, other = at_the_card(3)
    third = 3 - holder - other
    body = absence(table, other)
    table.forge(third, body, "proof")
    table.forge(other, absence(table, other, author=third), "proof")
    for elsewhere in elsewheres(table):
        table.forge(other, absence(table, other, elsewhere=elsewhere), "proof")


def test_another_card_cannot_be_shown_instead():
    table, holder, other = at_the_card()
    _, place = table.place_of(table.stage.cards[0])
    wrong = next(p for p in table.hand(holder) if p != place)
    table.forge(holder, showing(table, holder, (wrong,)), "lowest")
    both = tuple(sorted((place, wrong)))
    table.forge(holder, showing(table, holder, both), "lowest")
    table.forge(other, showing(table, other, (min(table.hand(other)),)), "lowest")


def test_nothing_is_shown_by_an_empty_list():
    table, holder, _ = at_the_card()
    table.forge(holder, [True, [], b"", b""], "form", saying="at least one")


def test_only_places_of_ones_own_are_shown():
    table, _, other = at_the_card()
    _, place = table.place_of(table.stage.cards[0])
    body = showing(table, other, (place,))
    table.forge(other, body, "ownership")


def test_with_two_packs_every_holder_of_a_copy_shows_it():
    table = reached(Kind.LOWEST, 5, "t5").go(is_shown)
    card, copies = table.stage.cards[0], set(table.stage.copies())
    holders = tuple(seat for seat in range(5) if set(table.hand(seat).values()) & copies)
    assert (len(copies), holders, table.stage.cast.match.dealer) == (2, (2, 3), 2)
    table.go(Kind.TURN)
    shown = next(e for e in table.events if isinstance(e, LowestShown))
    # The first in turn order after the dealer leads.
    assert shown == LowestShown(card, holders, 3)


def test_one_of_two_twins_is_enough_but_absence_is_proved_for_both():
    table = reached(Kind.LOWEST, 5, "t19").go(is_shown)
    holder, place = table.place_of(table.stage.cards[0])
    candidates = table.stage.candidates()
    assert set(table.stage.copies()) <= set(table.hand(holder).values())
    for other in set(range(5)) - {holder}:
        table.forge(other, absence(table, other, candidates=candidates[:1]), "form")
        table.put(table.sign(other, absence(table, other)))
    table.put(table.sign(holder, showing(table, holder, (place,))))
    assert table.turn == holder
