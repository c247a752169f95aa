"""Step `close`: the result is that of the rules, signed by all who are there."""

from honest_table import HonestTable, reached
from test_step_lowest import showing

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded, RestShown, TableEnded

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
