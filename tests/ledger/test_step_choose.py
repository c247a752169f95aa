"""Step `choose`: the loser takes one of the two cards, and shows which; the other stays closed."""

import pytest
from forged_showings import elsewheres, opening, transfers
from honest_table import HonestTable

from p2pclimb.crypto.masking import card_index, share, unmask
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.moves import Cards
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardTaken, DealEnded, Departed, Played
from p2pclimb.ledger.ledger import Standing
from p2pclimb.seat.decisions import Choice

ORDER = (0, 1, 2)
WINNER, THIRD, LOSER = ORDER


def at_choice(seed: str = "table", **settings: object) -> HonestTable:
    rules = {"game": "winner/1", "exchange": True, **settings}
    return HonestTable.of_a_later_deal(ORDER, seed, **rules).go(Kind.CHOOSE)


def take(table: HonestTable, place: int, **wrong: object) -> list:
    """The body by which the loser takes a place, rightly but for what is given as wrong."""
    return opening(table, LOSER, (place,), hands=table.stage.taken(place), **wrong)


@pytest.mark.parametrize("which", [0, 1])
def test_the_card_that_is_taken_is_the_losers_and_all_see_it(which):
    table = at_choice()
    place, other = (list(table.stage.offered)[n] for n in (which, 1 - which))
    card = table.position.hands.faces[table.hand(WINNER)[place]]
    table.put(table.sign(LOSER, take(table, place)))
    assert table.events[-1] == CardTaken(LOSER, WINNER, card)
    hands = table.position.hands
    assert place in hands.in_hand(LOSER)
    assert hands.faces_at([place]) == (card,)
    assert other in hands.in_hand(WINNER)
    assert other in hands.closed([other])
    assert (table.kind, table.turn) == (Kind.TURN, LOSER)
    assert table.stage.state.hand_sizes == hands.sizes(ORDER)


def test_the_other_card_opens_as_ever_for_the_winner():
    table = at_choice()
    _, other = table.stage.offered
    table.put(table.sign(LOSER))
    table.go(lambda t: t.position.waiting() == (WINNER,))
    hands = table.position.hands
    hands.check_showing(
        WINNER,
        table.stage.cast.keys[WINNER],
        table.stage.read([1, *opening(table, WINNER, (other,))]).showing,
        table.position.site.context(WINNER, ORDER, table.stage.cast.keys),
    )


def test_the_card_that_was_taken_is_played_without_a_proof_and_with_one_it_is_refused():
    table = at_choice()
    place, _ = table.stage.offered
    proof = take(table, place)
    table.put(table.sign(LOSER, proof))
    (card,) = table.position.hands.faces_at([place])
    table.forge(LOSER, [1, *proof], "opening")
    table.forge(LOSER, [1, [place], b"", proof[2]], "opening")
    table.put(table.sign(LOSER, [1, [place], b"", b""]))
    played = next(e for e in table.events if isinstance(e, Played))
    assert (played.seat, played.combination.cards) == (LOSER, (card,))


def test_only_an_offered_card_is_taken():
    table = at_choice()
    offered = tuple(table.stage.offered)
    mine = next(iter(table.hand(LOSER)))
    others = next(place for place in table.hand(WINNER) if place not in offered)
    for place in (mine, others, next(iter(table.hand(THIRD)))):
        table.forge(LOSER, opening(table, LOSER, (place,)), "choice")
    table.forge(LOSER, [[215], *opening(table, LOSER, (mine,))[1:]], "choice")
    hands = table.stage.taken(offered[0])
    both = opening(table, LOSER, tuple(sorted(offered)), hands=hands)
    table.forge(LOSER, both, "form", saying="One card")
    table.forge(LOSER, [[], b"", b""], "form", saying="One card")


def test_the_card_is_opened_with_the_losers_own_key_and_under_it():
    table = at_choice()
    place, other = table.stage.offered
    right, wrong = take(table, place), take(table, other)
    table.forge(LOSER, [right[0], wrong[1], right[2]], "proof")
    table.forge(LOSER, [right[0], right[1], wrong[2]], "proof")
    table.forge(LOSER, [wrong[0], *right[1:]], "proof")
    table.forge(LOSER, [right[0], b"", b""], "opening")
    table.forge(LOSER, opening(table, LOSER, (place,)), "proof")
    winners = opening(table, WINNER, (place,), author=LOSER)
    table.forge(LOSER, winners, "proof")
    thirds = opening(table, THIRD, (place,), hands=table.stage.taken(place), author=LOSER)
    table.forge(LOSER, thirds, "proof")


def test_a_choice_of_elsewhere_is_refused():
    table = at_choice()
    place, _ = table.stage.offered
    for elsewhere in elsewheres(table):
        table.forge(LOSER, take(table, place, elsewhere=elsewhere), "proof")
    table.forge(LOSER, take(table, place, author=THIRD), "proof")


def test_nobody_else_chooses():
    table = at_choice()
    place, _ = table.stage.offered
    for seat in (WINNER, THIRD):
        entry = table.sign(seat, opening(table, seat, (place,)))
        assert table.ledger.standing(entry) is Standing.STRAY


def test_the_player_takes_what_it_names_and_nothing_else():
    table = at_choice()
    faces = table.position.hands.faces
    names = [faces[table.hand(WINNER)[place]] for place in table.stage.offered]
    absent = next(face for face in table.faces(THIRD) if face not in names)
    with pytest.raises(IllegalPlayError, match="not offered"):
        table.decision_body(LOSER, Choice(absent))
    with pytest.raises(IllegalPlayError, match="not asked"):
        table.decision_body(LOSER, Cards((names[0],)))
    table.play(LOSER, Choice(names[1]))
    assert table.events[-1] == CardTaken(LOSER, WINNER, names[1])


def test_when_the_loser_leaves_the_first_offered_card_goes_over_closed():
    """The order of the offer decides, not that of the places; only the loser's key reads it now."""
    table = HonestTable.of_a_later_deal(ORDER, game="winner/1", exchange=True).go(Kind.OFFER)
    low, high = [p for p in table.hand(WINNER) if p != table.stage.received][:2]
    table.put(table.sign(WINNER, transfers(table, WINNER, (high, low), LOSER)))
    card = table.hand(WINNER)[high]
    secret = table.secrets[LOSER].keys.secret
    table.put(table.leave(LOSER))
    assert table.events[-2:] == [CardTaken(LOSER, WINNER, None), Departed(LOSER)]
    hands = table.position.hands
    assert high in hands.in_hand(LOSER)
    assert high in hands.closed([high])
    assert low in hands.in_hand(WINNER)
    masked = hands.residuals[high]
    assert card_index(unmask(masked, share(secret, masked)), 54) == card
    assert table.stage.state.hand_sizes == {0: 18, 1: 18, 2: 18}
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert ended.order[-1] == LOSER


def test_when_the_winner_leaves_too_the_third_seat_has_won():
    table = at_choice()
    table.put(table.leave(WINNER))
    table.put(table.sign(LOSER))
    table.put(table.leave(LOSER))
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert ended.order[0] == THIRD
