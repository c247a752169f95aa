"""Step `tribute`: the loser of the deal before gives its highest card, and proves that it is."""

import pytest
from forged_showings import absence_of, elsewheres, opening
from honest_table import HonestTable
from stacked_packs import deal_hands

from p2pclimb.cards import format_cards, parse_card
from p2pclimb.crypto.absence import absence_proof_size
from p2pclimb.games.exchange import higher_faces
from p2pclimb.games.rulebook import rulebook
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded, Departed, TributeGiven
from p2pclimb.ledger.ledger import Standing

ORDER = (0, 1, 2)
WINNER, THIRD, LOSER = ORDER


def at_tribute(seed: str = "table", **settings: object) -> HonestTable:
    rules = {"game": "winner/1", "exchange": True, **settings}
    return HonestTable.of_a_later_deal(ORDER, seed, **rules).go(Kind.TRIBUTE)


def by_height(table: HonestTable) -> list[int]:
    """The loser's places, from the lowest card to the highest."""
    place_of = rulebook(table.ledger.terms.options).place
    hand, faces = table.hand(LOSER), table.position.hands.faces
    return sorted(hand, key=lambda place: place_of(faces[hand[place]]))


def card_at(table: HonestTable, place: int):
    return table.position.hands.faces[table.hand(LOSER)[place]]


def above(table: HonestTable, place: int) -> tuple:
    """The points of the cards that must not be in the rest of the hand."""
    return table.stage.unseen_above(card_at(table, place))


def test_the_highest_card_goes_to_the_winner_face_up():
    table = at_tribute()
    highest = by_height(table)[-1]
    card = card_at(table, highest)
    before = table.position.hands
    table.put(table.sign(LOSER))
    assert table.events[-1] == TributeGiven(LOSER, WINNER, card)
    hands = table.position.hands
    assert hands.faces_at([highest]) == (card,)
    assert highest in hands.in_hand(WINNER)
    assert len(hands.in_hand(LOSER)) == len(before.in_hand(LOSER)) - 1
    assert (table.kind, table.turn) == (Kind.OFFER, WINNER)
    closed = len(hands.in_hand(LOSER))
    above_it = len(higher_faces(table.ledger.terms.options, card))
    assert table.ledger.tally.absences == closed * above_it > 0


def test_nothing_of_the_rest_of_the_hand_becomes_known():
    table = at_tribute()
    table.put(table.sign(LOSER))
    assert len(table.position.hands.known) == 1


def test_a_lower_card_cannot_be_given():
    """The honest prover refuses; and what can be proved instead is not what is asked."""
    table = at_tribute()
    *lower, highest = by_height(table)
    given = lower[-1]
    shown = opening(table, LOSER, (given,))
    kept = tuple(sorted(set(table.hand(LOSER)) - {given}))
    wanted = above(table, given)
    with pytest.raises(ValueError, match="holds one of the cards"):
        absence_of(table, LOSER, kept, wanted)
    table.forge(LOSER, [*shown, b""], "form", saying="length")
    without = tuple(place for place in kept if place != highest)
    table.forge(LOSER, [*shown, absence_of(table, LOSER, without, wanted)], "form")
    twice = tuple(sorted((*without, without[0])))
    table.forge(LOSER, [*shown, absence_of(table, LOSER, twice, wanted)], "proof")
    free = next(place for place in table.hand(THIRD) if is_lower(table, place, given))
    borrowed = (free,) * len(kept)
    table.forge(LOSER, [*shown, absence_of(table, THIRD, borrowed, wanted)], "proof")
    table.forge(LOSER, [*shown, absence_of(table, LOSER, kept, above(table, highest))], "form")
    empty = bytes(absence_proof_size(len(kept), len(wanted)))
    table.forge(LOSER, [*shown, empty], "form")


def is_lower(table: HonestTable, place: int, given: int) -> bool:
    """Whether the third seat's card at a place is below the one that was given."""
    card = table.position.hands.faces[table.hand(THIRD)[place]]
    return card not in higher_faces(table.ledger.terms.options, card_at(table, given))


def test_the_proof_of_absence_is_bound_to_its_place():
    table = at_tribute()
    *kept, highest = by_height(table)
    kept, wanted = tuple(sorted(kept)), above(table, highest)
    shown = opening(table, LOSER, (highest,))
    right = absence_of(table, LOSER, kept, wanted)
    for elsewhere in elsewheres(table):
        proof = absence_of(table, LOSER, kept, wanted, elsewhere=elsewhere)
        table.forge(LOSER, [*shown, proof], "proof")
        wrong = opening(table, LOSER, (highest,), elsewhere=elsewhere)
        table.forge(LOSER, [*wrong, right], "proof")
    foreign = absence_of(table, LOSER, kept, wanted, author=THIRD)
    table.forge(LOSER, [*shown, foreign], "proof")
    flipped = right[:-1] + bytes([right[-1] ^ 1])
    table.forge(LOSER, [*shown, flipped], "proof")
    table.forge(LOSER, [*shown, right[:-32]], "form")
    table.forge(LOSER, [*shown, b""], "form")
    table.put(table.sign(LOSER, [*shown, right]))


def with_the_red_joker() -> HonestTable:
    """A table whose loser holds the highest card of all."""
    for seed in "abcdefgh":
        table = at_tribute(seed)
        if str(card_at(table, by_height(table)[-1])) == "RJ":
            return table
    raise AssertionError("no seed deals the red joker to the loser")


def test_nothing_is_proved_where_nothing_could_be_higher():
    table = with_the_red_joker()
    *kept, joker = by_height(table)
    shown = opening(table, LOSER, (joker,))
    assert above(table, joker) == ()
    lower = absence_of(table, LOSER, tuple(sorted(kept)), above(table, kept[-1]))
    for proof in (b"\x00", lower):
        table.forge(LOSER, [*shown, proof], "tribute", saying="nothing to prove")
    table.put(table.sign(LOSER, [*shown, b""]))


def test_exactly_one_card_is_given():
    table = at_tribute()
    two = tuple(sorted(by_height(table)[-2:]))
    table.forge(LOSER, [*opening(table, LOSER, two), b""], "form", saying="one card")
    table.forge(LOSER, [[], b"", b"", b""], "form", saying="one card")


def test_only_a_card_of_ones_own_is_given():
    table = at_tribute()
    theirs = next(iter(table.hand(THIRD)))
    for seat in (LOSER, THIRD):
        body = [*opening(table, seat, (theirs,)), b""]
        table.forge(LOSER, body, "ownership")


def test_the_card_must_be_opened_rightly():
    table = at_tribute()
    *lower, highest = by_height(table)
    right = table.body(LOSER)
    other = opening(table, LOSER, (lower[0],))
    table.forge(LOSER, [right[0], other[1], *right[2:]], "proof")
    table.forge(LOSER, [right[0], right[1], other[2], right[3]], "proof")
    table.forge(LOSER, [right[0], b"", b"", right[3]], "opening")
    borrowed = opening(table, THIRD, (highest,), author=LOSER)
    table.forge(LOSER, [*borrowed, right[3]], "proof")


def test_nobody_else_gives_a_tribute():
    table = at_tribute()
    for seat in (WINNER, THIRD):
        entry = table.sign(seat, [[0], bytes(32), bytes(64), b""])
        assert table.ledger.standing(entry) is Standing.STRAY


def test_a_twin_of_the_card_may_be_kept(monkeypatch):
    """Equal is not higher: with two packs both 2s of spades may be in one hand."""
    deal_hands(monkeypatch, ["2s 2s", "", "", ""], packs=2)
    rules = {"game": "winner/1", "exchange": True, "packs": 2, "jokers": False}
    table = HonestTable.of_a_later_deal((0, 1, 2, 3), "twins", **rules).go(Kind.TRIBUTE)
    assert format_cards(table.faces(3)).count("2s") == 2
    table.put(table.sign(3))
    assert table.events[-1] == TributeGiven(3, 0, parse_card("2s"))


def test_a_loser_that_leaves_is_out_and_last_with_its_cards_closed():
    table = at_tribute()
    size = len(table.hand(LOSER))
    table.put(table.leave(LOSER))
    assert Departed(LOSER) in table.events
    assert table.kind is Kind.TURN
    assert table.position.hands.known == {}
    assert len(table.position.hands.in_hand(LOSER)) == size
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert ended.order[-1] == LOSER
    assert ended.payments[LOSER] == -3 * size


def test_the_lead_goes_on_when_the_loser_was_to_lead():
    table = at_tribute(next_lead="loser")
    assert table.stage.cast.match.leader == LOSER
    table.put(table.leave(LOSER))
    assert table.turn == WINNER


def test_when_all_leave_at_the_tribute_the_table_ends():
    table = at_tribute()
    table.put(table.leave(WINNER), table.leave(THIRD), table.leave(LOSER))
    assert table.kind is None
