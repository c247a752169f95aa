"""Step `turn`: illegal plays and wrong openings by a modified client."""

import pytest
from forged_showings import elsewheres
from honest_table import HonestTable, reached
from test_step_lowest import showing

from p2pclimb.cards import parse_card
from p2pclimb.games.moves import Cards, LeadPass, Pass
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import LeadPassed, Passed, Played, SeatFinished, TrickTaken
from p2pclimb.ledger.ledger import Standing

PASS, CARDS, LEAD_PASS = range(3)


def play_of(table: HonestTable, seat: int, places: tuple, move: int = CARDS, **wrong) -> list:
    """The seat plays the cards of these places, opened rightly, whatever they are."""
    closed = table.position.hands.closed(places)
    _, _, shares, proof = showing(table, seat, closed, **wrong) if closed else (0, 0, b"", b"")
    return [move, list(places), shares, proof]


def first_turn(seats: int = 2, **settings: object) -> tuple[HonestTable, int]:
    table = reached(Kind.TURN, seats, **settings)
    return table, table.turn


def answering() -> tuple[HonestTable, int]:
    """The table when a single card is to be beaten by a seat that can."""
    table, leader = first_turn()
    lowest = table.stage.state.must_include
    table.play(leader, Cards((lowest,)))
    return table, table.turn


def places(table: HonestTable, seat: int) -> list[int]:
    return sorted(table.hand(seat))


def by_rank(table: HonestTable, seat: int) -> list[int]:
    hand, hands = table.hand(seat), table.position.hands
    return sorted(hand, key=lambda place: hands.faces[hand[place]].index)


def test_the_leader_of_the_first_deal_must_play_the_lowest_card():
    table, leader = first_turn()
    other = by_rank(table, leader)[-1]
    table.forge(leader, play_of(table, leader, (other,)), "illegal-play", saying="must contain")


def test_a_leader_may_not_pass():
    table, leader = first_turn()
    table.forge(leader, [PASS], "illegal-play", saying="leader may not pass")


def test_cards_that_are_no_combination_are_refused():
    table, leader = first_turn()
    hand = by_rank(table, leader)
    pair = tuple(sorted((hand[0], hand[-1])))
    table.forge(leader, play_of(table, leader, pair), "invalid-play")
    table.forge(leader, play_of(table, leader, tuple(places(table, leader))), "invalid-play")


def test_what_does_not_beat_the_table_is_refused():
    table, seat = answering()
    hands = table.position.hands
    ranks = [hands.faces[card].rank for card in table.hand(seat).values()]
    rank = next(rank for rank in ranks if ranks.count(rank) > 1)
    two = sorted(p for p, c in table.hand(seat).items() if hands.faces[c].rank == rank)[:2]
    table.forge(seat, play_of(table, seat, tuple(two)), "illegal-play", saying="cannot answer")
    table.put(table.sign(seat, play_of(table, seat, (by_rank(table, seat)[-1],))))
    lower = next(p for p in by_rank(table, table.turn))
    table.forge(table.turn, play_of(table, table.turn, (lower,)), "illegal-play", saying="lower")


def test_the_turn_of_another_is_no_place():
    table, leader = first_turn()
    other = 1 - leader
    entry = table.sign(other, play_of(table, other, (places(table, other)[0],)))
    assert table.ledger.standing(entry) is Standing.STRAY


def test_a_card_of_another_hand_is_refused():
    """Row 22."""
    table, seat = answering()
    stolen = places(table, 1 - seat)[0]
    table.forge(seat, play_of(table, seat, (stolen,)), "ownership")


def test_an_undealt_card_is_refused():
    """Row 22: nobody draws from the rest of the pack."""
    table, seat = answering()
    undealt = table.position.hands.owners.index(None)
    table.forge(seat, [CARDS, [undealt], bytes(range(32)) * 0, b""], "ownership")
    table.forge(seat, [CARDS, [215], b"", b""], "ownership")


def test_a_card_that_was_played_is_refused():
    """Row 22."""
    table, leader = first_turn()
    _, place = table.place_of(table.stage.state.must_include)
    table.put(table.sign(leader, play_of(table, leader, (place,))))
    seat = table.turn
    table.put(table.sign(seat, play_of(table, seat, (by_rank(table, seat)[-1],))))
    assert table.turn == leader
    table.forge(leader, [CARDS, [place], b"", b""], "ownership")


def test_places_are_named_once_each_and_in_ascending_order():
    table, leader = first_turn()
    one, two = places(table, leader)[:2]
    body = play_of(table, leader, (one, two))
    for named in ([two, one], [one, one]):
        table.forge(leader, [CARDS, named, *body[2:]], "places")


def test_each_closed_card_needs_its_share_and_an_opened_one_none():
    table, leader = first_turn()
    _, lowest = table.place_of(table.stage.state.must_include)
    assert lowest in table.position.hands.known
    closed = next(p for p in places(table, leader) if p != lowest)
    opened = showing(table, leader, (closed,))
    table.forge(leader, [CARDS, [closed], b"", b""], "opening")
    table.forge(leader, [CARDS, [lowest], b"", bytes(64)], "opening", saying="nothing is opened")
    table.forge(leader, [CARDS, [lowest], opened[2], opened[3]], "opening")
    table.put(table.sign(leader, [CARDS, [lowest], b"", b""]))
    assert isinstance(table.events[-1], Played)


def test_a_wrong_opening_is_refused():
    """Row 21."""
    table, seat = answering()
    one, two = places(table, seat)[:2]
    right = showing(table, seat, (one,))
    other = showing(table, seat, (two,))
    table.forge(seat, [CARDS, [one], other[2], right[3]], "proof")
    table.forge(seat, [CARDS, [one], right[2], other[3]], "proof")
    table.forge(seat, [CARDS, [one], other[2], other[3]], "proof")
    table.forge(seat, [CARDS, [one], right[2], right[3][:-1]], "form")


def test_an_opening_of_elsewhere_is_refused():
    table, seat = answering()
    place = by_rank(table, seat)[-1]
    table.forge(seat, play_of(table, seat, (place,), author=1 - seat), "proof")
    for elsewhere in elsewheres(table):
        table.forge(seat, play_of(table, seat, (place,), elsewhere=elsewhere), "proof")


def test_the_lead_cannot_be_passed_by_showing_a_hand_that_has_a_play():
    table, leader = first_turn(finish_on_two=False)
    hand = tuple(places(table, leader))
    said = "who has a play"
    table.forge(leader, play_of(table, leader, hand, LEAD_PASS), "illegal-play", saying=said)
    table.forge(leader, play_of(table, leader, hand[:1], LEAD_PASS), "illegal-play", saying="whole")


@pytest.mark.parametrize("move", [CARDS, LEAD_PASS])
def test_no_play_is_without_cards(move):
    table, leader = first_turn()
    table.forge(leader, [move, [], b"", b""], "form", saying="at least one")


def test_a_leader_with_nothing_but_twos_passes_the_lead_with_its_hand_open():
    """Rules 1, `finish_on_two=false`: shown, and afterwards played without a proof."""
    table = HonestTable.new(2, "twos 1", finish_on_two=False, show_rest=True)

    def is_barred(t):
        if t.kind is not Kind.TURN:
            return False
        hand = t.faces(t.turn)
        return LeadPass(hand) in t.stage.state.legal_plays(hand)

    table.go(is_barred)
    seat = table.turn
    hand = table.faces(seat)
    table.forge(seat, play_of(table, seat, tuple(places(table, seat))), "illegal-play")
    table.play(seat, LeadPass(hand))
    assert LeadPassed(seat, hand) in table.events
    assert not table.position.hands.closed(table.hand(seat))
    table.go()
    assert table.kind is None


def test_a_pass_a_trick_and_a_finish_are_told():
    table, seat = answering()
    table.play(seat, Pass())
    assert table.events[-2:] == [Passed(seat), TrickTaken(1 - seat, 1 - seat)]
    table.go()
    (finish,) = [e for e in table.events if isinstance(e, SeatFinished)]
    assert finish.place == 1
    played = [e for e in table.events if isinstance(e, Played) and e.seat == finish.seat]
    assert played[-1].left == 0
    assert sum(len(e.combination.cards) for e in played) == 13


def test_of_two_twins_the_public_one_is_played_first():
    table = reached(Kind.TURN, 5, "t21")
    lowest = table.stage.state.must_include
    body = table.decision_body(table.turn, Cards((lowest,)))
    assert body[2:] == [b"", b""]
    assert parse_card(str(lowest)) is lowest
