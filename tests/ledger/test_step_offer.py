"""Step `offer`: the winner of the deal before shows the loser two cards, and nobody else."""

import dataclasses

from forged_showings import elsewheres, opening, transfers
from honest_table import HonestTable

from p2pclimb.crypto.masking import card_index, share, unmask
from p2pclimb.crypto.transfer import received
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded, Departed, Offered, TributeGiven, TributeReturned
from p2pclimb.ledger.ledger import Standing
from p2pclimb.seat.secrets import read_offer

ORDER = (0, 1, 2)
WINNER, THIRD, LOSER = ORDER


def at_offer(seed: str = "table", **settings: object) -> HonestTable:
    rules = {"game": "winner/1", "exchange": True, **settings}
    return HonestTable.of_a_later_deal(ORDER, seed, **rules).go(Kind.OFFER)


def two_of(table: HonestTable, seat: int = WINNER) -> tuple:
    """Two places of a seat that it may offer."""
    return tuple(place for place in table.hand(seat) if place != table.stage.received)[:2]


def test_the_loser_can_read_both_cards_and_the_hands_stay_as_they_are():
    table = at_offer()
    hands = table.position.hands
    places = two_of(table)[::-1]
    table.put(table.sign(WINNER, transfers(table, WINNER, places, LOSER)))
    assert table.events[-1] == Offered(WINNER, LOSER)
    assert (table.kind, table.turn) == (Kind.CHOOSE, LOSER)
    hand = {place: card for place, card in table.hand(WINNER).items() if place in places}
    offered = read_offer(table.stage, table.secrets[LOSER])
    assert offered == hand
    assert list(offered) == list(places)
    assert table.position.hands is hands
    assert table.ledger.tally.transfers == 2


def test_nobody_else_can_read_them():
    """Neither the third seat's key, nor both others' together, nor the shares given before."""
    table = at_offer()
    table.put(table.sign(WINNER))
    third = table.secrets[THIRD].keys.secret
    for place, transfer in table.stage.offered.items():
        old = table.position.hands.residuals[place]
        new = received(old, transfer)
        for masked in (old, new):
            assert card_index(unmask(masked, share(third, masked)), 54) is None
        # With the winner's key, which is what the others lack, it opens.
        own = share(table.secrets[WINNER].keys.secret, old)
        assert card_index(unmask(old, own), 54) == table.hand(WINNER)[place]


def test_only_cards_of_ones_own_are_offered():
    table = at_offer()
    (mine, _), (theirs, _) = two_of(table), two_of(table, THIRD)
    losers = next(iter(table.hand(LOSER)))
    for place in (theirs, losers):
        body = transfers(table, WINNER, (mine, place), LOSER)
        table.forge(WINNER, body, "offer", saying="own hand")
    body = transfers(table, WINNER, (mine, mine), LOSER)
    table.forge(WINNER, [[mine, 215], *body[1:]], "offer", saying="own hand")


def test_the_tribute_cannot_be_offered_back():
    table = at_offer()
    places = (two_of(table)[0], table.stage.received)
    table.forge(WINNER, transfers(table, WINNER, places, LOSER), "offer", saying="offered back")


def test_two_different_cards_are_offered():
    table = at_offer()
    one, two = two_of(table)
    twice = transfers(table, WINNER, (one, one), LOSER)
    table.forge(WINNER, twice, "offer", saying="two different")
    three = transfers(table, WINNER, (one, two, list(table.hand(WINNER))[5]), LOSER)
    table.forge(WINNER, three, "form")
    table.forge(WINNER, transfers(table, WINNER, (one,), LOSER), "form")
    table.forge(WINNER, [[], b"", bytes(128)], "form")


def test_what_all_have_seen_is_no_offer():
    """No rule of today leaves another open card in the winner's hand; the check is there."""
    table = at_offer()
    one, two = two_of(table)
    body = transfers(table, WINNER, (one, two), LOSER)
    known = {**table.position.hands.known, two: table.hand(WINNER)[two]}
    hands = dataclasses.replace(table.position.hands, known=known)
    stage = dataclasses.replace(table.stage, hands=hands)
    table.stand_at(stage)
    table.forge(WINNER, body, "offer", saying="all have seen")


def test_an_offer_that_the_loser_cannot_read_is_refused():
    table = at_offer()
    one, two = two_of(table)
    for receiver in (THIRD, WINNER):
        table.forge(WINNER, transfers(table, WINNER, (one, two), receiver), "proof")
    right = transfers(table, WINNER, (one, two), LOSER)
    other = transfers(table, WINNER, (two, one), LOSER)
    table.forge(WINNER, [right[0], other[1], right[2]], "proof")
    table.forge(WINNER, [right[0], right[1], other[2]], "proof")
    table.forge(WINNER, [other[0], *right[1:]], "proof")
    swapped = right[1][64:] + right[1][:64]
    table.forge(WINNER, [right[0], swapped, right[2]], "proof")
    halves = right[1][32:64] + right[1][:32] + right[1][64:]
    table.forge(WINNER, [right[0], halves, right[2]], "proof")
    flipped = right[2][:-32] + bytes([right[2][-32] ^ 1]) + right[2][-31:]
    table.forge(WINNER, [right[0], right[1], flipped], "proof")
    table.put(table.sign(WINNER, right))


def test_the_transfer_is_made_with_the_winners_own_key():
    table = at_offer()
    places = two_of(table)
    table.forge(WINNER, transfers(table, THIRD, places, LOSER, author=WINNER), "proof")


def test_points_of_a_transfer_are_never_the_identity():
    table = at_offer()
    right = transfers(table, WINNER, two_of(table), LOSER)
    for at in range(0, 128, 32):
        zero = right[1][:at] + bytes(32) + right[1][at + 32 :]
        table.forge(WINNER, [right[0], zero, right[2]], "form")


def test_a_transfer_of_elsewhere_is_refused():
    table = at_offer()
    places = two_of(table)
    for elsewhere in elsewheres(table):
        body = transfers(table, WINNER, places, LOSER, elsewhere=elsewhere)
        table.forge(WINNER, body, "proof")
    table.forge(WINNER, transfers(table, WINNER, places, LOSER, author=THIRD), "proof")


def test_an_opening_is_no_transfer():
    table = at_offer()
    places = two_of(table)
    table.forge(WINNER, opening(table, WINNER, places), "form")


def test_nobody_else_makes_an_offer():
    table = at_offer()
    for seat in (LOSER, THIRD):
        entry = table.sign(seat, transfers(table, seat, tuple(table.hand(seat))[:2], LOSER))
        assert table.ledger.standing(entry) is Standing.STRAY


def test_when_the_winner_leaves_the_tribute_returns_face_up():
    table = at_offer()
    (given,) = [e.card for e in table.events if isinstance(e, TributeGiven)]
    place = table.stage.received
    table.put(table.leave(WINNER))
    assert table.events[-2:] == [TributeReturned(LOSER, given), Departed(WINNER)]
    hands = table.position.hands
    assert place in hands.in_hand(LOSER)
    assert hands.faces_at([place]) == (given,)
    assert len(hands.in_hand(LOSER)) == 18
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert ended.order[-1] == WINNER


def test_the_returned_card_is_played_without_a_proof():
    table = at_offer()
    place = table.stage.received
    table.put(table.leave(WINNER))
    table.go(lambda t: t.kind is None or t.position.waiting() == (LOSER,))
    table.stage.check(table.position.site, LOSER, table.stage.read([1, [place], b"", b""]))


def test_the_loser_is_not_waited_for_at_the_choice_when_it_has_left():
    table = at_offer()
    table.put(table.leave(LOSER, table.position.step + 1), table.sign(WINNER))
    assert Departed(LOSER) in table.events
    assert table.kind is Kind.TURN
    assert table.turn != LOSER
