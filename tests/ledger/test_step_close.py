"""Step `close`: the result is that of the rules, signed by all who are there."""

from honest_table import HonestTable, reached
from stacked_packs import deal_hands
from test_step_lowest import showing

from p2pclimb.cards import TWO, format_cards, parse_cards
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.games.scoring import value_of_twos
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded, Played, RestShown, TableEnded

OTHERS = {0: [1, 2], 1: [0, 2], 2: [0, 1]}


def closing(**settings: object) -> tuple[HonestTable, list]:
    """The table at its first close, and what the rules pay."""
    table = reached(Kind.CLOSE, 3, **settings)
    return table, [[seat, points] for seat, points in table.stage.payments.items()]


def loser(table: HonestTable) -> int:
    return table.stage.outcome.loser


def test_the_loser_pays_everybody_one_stake():
    table, paid = closing(stake=5)
    assert dict(paid) == {seat: -10 if seat == loser(table) else 5 for seat in range(3)}
    table.go()
    order = table.stage.match.last_order
    assert table.events[-2:] == [
        DealEnded(1, order, dict(paid), dict(paid)),
        TableEnded("all agreed deals have been played"),
    ]


def test_another_result_is_refused():
    table, paid = closing()
    rest = [[1, 2], [], b"", b""]
    bad = loser(table)
    better = [[seat, points + (seat == bad) - (seat != bad)] for seat, points in paid]
    for wrong in (
        better,
        paid[:-1],
        paid[::-1],
        [*paid, [3, 0]],
        [[0, 7], *paid],
        [*paid, paid[0]],
        [],
    ):
        table.forge(0, [wrong, *rest], "result")
    table.put(table.sign(0, [paid, *rest]))


def test_reachable_are_other_seats_of_the_table_in_order():
    table, paid = closing()
    for wrong in ([0], [0, 1], [2, 1], [1, 1], [3], [1, 2, 7]):
        table.forge(0, [paid, wrong, [], b"", b""], "reachable")
    for right in ([], [1], [2], [1, 2]):
        table.copy().put(table.sign(0, [paid, right, [], b"", b""]))


def test_the_rest_of_the_hand_is_shown_where_the_options_ask_for_it():
    table, paid = closing(show_rest=True)
    seat = loser(table)
    hand = tuple(table.hand(seat))
    cards = table.faces(seat)
    table.forge(seat, [paid, OTHERS[seat], [], b"", b""], "rest")
    part = showing(table, seat, hand[1:]) if hand[1:] else [0, [], b"", b""]
    table.forge(seat, [paid, OTHERS[seat], *part[1:]], "rest")
    table.go()
    assert RestShown(seat, cards) in table.events


def test_nothing_is_shown_where_the_options_do_not_ask_for_it():
    table, paid = closing()
    seat = loser(table)
    table.forge(
        seat, [paid, OTHERS[seat], *showing(table, seat, tuple(table.hand(seat)))[1:]], "rest"
    )


def test_cards_of_others_cannot_be_shown_as_the_rest():
    table, paid = closing(show_rest=True)
    seat = loser(table)
    other = (seat + 1) % 3
    theirs = showing(table, seat, tuple(table.hand(seat)), author=other)
    table.forge(other, [paid, OTHERS[other], *theirs[1:]], "rest")


def test_the_rest_must_be_opened_rightly():
    table, paid = closing(show_rest=True)
    seat = loser(table)
    right = showing(table, seat, tuple(table.hand(seat)))
    elsewhere = showing(table, seat, tuple(table.hand(seat)), author=(seat + 1) % 3)
    closed = table.position.hands.closed(table.hand(seat))
    assert len(closed) == len(table.hand(seat))
    table.forge(seat, [paid, OTHERS[seat], *elsewhere[1:]], "proof")
    table.forge(seat, [paid, OTHERS[seat], right[1], right[2][32:], right[3]], "opening")
    wrong = right[2][:-32] + bytes(table.secrets[other_seat(seat)].keys.public)
    table.forge(seat, [paid, OTHERS[seat], right[1], wrong, right[3]], "proof")


def other_seat(seat: int) -> int:
    return (seat + 1) % 3


def test_the_next_deal_begins_with_the_loser_as_dealer_and_the_winner_leading():
    table, _ = closing(deals=2)
    first = table.stage.outcome
    table.go(lambda t: t.kind is Kind.TURN and t.stage.deal == 2)
    cast = table.stage.cast
    assert (cast.match.dealer, table.turn) == (first.loser, first.winner)
    assert table.stage.state.must_include is None
    table.go()
    ended = [e for e in table.events if isinstance(e, DealEnded)]
    assert [e.deal for e in ended] == [1, 2]
    both = {s: ended[0].payments[s] + ended[1].payments[s] for s in range(3)}
    assert ended[1].scores == both


# -- rotten 2s ----------------------------------------------------------------------------


def left_with_twos(monkeypatch, **settings: object) -> HonestTable:
    """Two seats have gone out; the first to be dealt is left with three 2s."""
    deal_hands(monkeypatch, ["2c 2d 2h", "", ""])
    rules = {"rotten_twos": True, "stake": 10, **settings}
    table = HonestTable.new(3, "rotten", **rules).go(Kind.TURN)
    keep_passing(table, table.position.hands.owners[0])
    return table


def keep_passing(table: HonestTable, holder: int) -> None:
    """Play the deal to its end; the holder plays only what it has to."""
    while table.kind is Kind.TURN:
        if table.stage.state.table is None:
            table.play(table.turn, low_card(table))
        else:
            table.play(table.turn, Pass() if table.turn == holder else table.first_play(table.turn))


def low_card(table: HonestTable) -> Cards:
    """The lowest single card that may be led."""
    state = table.stage.state
    faces = [state.must_include] if state.must_include else table.faces(table.turn)
    return Cards((min(faces, key=lambda card: card.index),))


def test_the_loser_shows_its_whole_hand_and_pays_for_the_twos_in_it(monkeypatch):
    table = left_with_twos(monkeypatch)
    seat, before = loser(table), table.stage.outcome.order[-2]
    signed = table.stage.payments
    held = table.faces(seat)
    assert format_cards(card for card in held if card.rank == TWO) == "2c 2d 2h"
    table.go()
    assert RestShown(seat, held) in table.events
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    # Signed is what was known before the hand was opened; a black 2 is one stake, a red one two.
    assert ended.payments == {
        other: signed[other] + {seat: -50, before: 50}.get(other, 0) for other in range(3)
    }


def test_the_loser_cannot_keep_its_hand_closed(monkeypatch):
    table = left_with_twos(monkeypatch)
    seat = loser(table)
    paid = [[other, points] for other, points in table.stage.payments.items()]
    hand = tuple(table.hand(seat))
    table.forge(seat, [paid, OTHERS[seat], [], b"", b""], "rest")
    twos = {
        place for place in hand if table.position.hands.faces[table.hand(seat)[place]].rank == TWO
    }
    without = showing(table, seat, tuple(place for place in hand if place not in twos))
    table.forge(seat, [paid, OTHERS[seat], *without[1:]], "rest")
    other = other_seat(seat)
    table.forge(other, [paid, OTHERS[other], *showing(table, seat, hand)[1:]], "rest")
    table.put(table.sign(seat))


def test_a_loser_that_leaves_pays_as_if_it_held_every_two_not_seen(monkeypatch):
    table = left_with_twos(monkeypatch)
    seat, before = loser(table), table.stage.outcome.order[-2]
    signed, size = table.stage.payments, len(table.hand(seat))
    assert size >= 4
    table.put(table.leave(seat))
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    hands = [e.combination.cards for e in table.events if isinstance(e, Played)]
    seen = [card for cards in hands for card in cards if card.rank == TWO]
    hidden = [card for card in parse_cards("2s 2c 2d 2h") if card not in seen]
    worst = 10 * value_of_twos(hidden)
    assert worst >= 50
    assert ended.payments[before] == signed[before] + worst
    assert ended.payments[seat] == signed[seat] - worst


def test_twos_that_another_seat_shows_at_the_close_are_seen(monkeypatch):
    """Seat A leaves, so it is the loser; the 2s lie open in the hand that was left."""
    deal_hands(monkeypatch, ["2c 2d 2h", "2s", ""])
    rules = {"rotten_twos": True, "show_rest": True}
    table = HonestTable.new(3, "rotten", **rules).go(Kind.TURN)
    holder, player, gone = table.position.hands.owners[:3]
    table.put(table.leave(gone))
    keep_passing(table, holder)
    assert table.stage.outcome.order == (player, holder, gone)
    signed = table.stage.payments
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert ended.payments == signed
