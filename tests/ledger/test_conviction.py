"""What a conviction does in every kind of step (protocol.md, Outcomes)."""

import pytest
from honest_table import HonestTable, reached
from passed_over import convicted, left, passed_over, the_rest_sign
from test_step_claim import DRAGON, bombed, dealt, holders

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded, DealRestarted, InstantWon, RestShown, TableEnded

AFTER_THE_DEAL = [
    Kind.CLAIM,
    Kind.LOWEST,
    Kind.TRIBUTE,
    Kind.OFFER,
    Kind.CHOOSE,
    Kind.TURN,
    Kind.CLOSE,
]


def at(kind: Kind, seats: int = 3, **settings: object) -> HonestTable:
    """A table at a kind of step, with a deal to follow."""
    if kind in (Kind.TRIBUTE, Kind.OFFER, Kind.CHOOSE):
        rules = {"game": "winner/1", "exchange": True, "deals": 3, **settings}
        return HonestTable.of_a_later_deal(tuple(range(seats)), **rules).go(kind)
    return reached(kind, seats, **{"deals": 2, **settings})


def broken_off(table: HonestTable) -> HonestTable:
    """Convict the seat whose place is next, and let the others sign what they owe."""
    convicted(table, table.position.waiting()[0])
    return the_rest_sign(table) if table.position.fillings else table


def ended(table: HonestTable) -> DealEnded:
    return [event for event in table.events if isinstance(event, DealEnded)][-1]


def test_a_conviction_at_the_opening_ends_the_table():
    table = broken_off(at(Kind.OPEN))
    assert table.kind is None
    assert table.events[-1] == TableEnded("a player was convicted before the table opened")


@pytest.mark.parametrize("kind", [Kind.COMMIT, Kind.REVEAL, Kind.SHUFFLE, Kind.AGREE, Kind.SHARES])
def test_before_the_shares_are_complete_the_next_attempt_goes_without_the_culprit(kind):
    table = broken_off(at(kind, 4))
    (told,) = [event for event in table.events if isinstance(event, DealRestarted)]
    assert (told.deal, told.attempt, told.missing) == (1, 1, (0,))
    # At the shares it may have seen its hand.
    assert told.payments == ({0: -3, 1: 1, 2: 1, 3: 1} if kind is Kind.SHARES else {})
    assert (table.kind, table.position.waiting()) == (Kind.COMMIT, (1, 2, 3))
    table.go(lambda now: now.kind is Kind.COMMIT and now.stage.deal == 2)
    assert table.position.waiting() == (1, 2, 3)


def test_who_is_absent_or_gone_at_such_a_step_is_not_in_the_next_attempt_either():
    table = at(Kind.SHARES, 5)
    the_rest_sign(left(passed_over(convicted(table, 0), 1), 2))
    (told,) = [event for event in table.events if isinstance(event, DealRestarted)]
    assert told.missing == (0, 1, 2)
    assert told.payments == {0: -2, 1: -2, 2: -2, 3: 3, 4: 3}


@pytest.mark.parametrize("kind", AFTER_THE_DEAL)
def test_once_the_cards_are_known_the_deal_ends_with_the_culprit_as_its_loser(kind):
    table = at(kind)
    culprit = table.position.waiting()[0]
    before = table.stage.cast.match.scores
    broken_off(table)
    assert table.kind is Kind.CLOSE
    assert table.stage.outcome.order[-1] == culprit
    others = tuple(seat for seat in range(3) if seat != culprit)
    assert table.position.waiting() == others
    winner = table.ledger.terms.options.game == "winner/1"
    price = 3 * (54 // 3 // 2) if winner else 1
    paid = {seat: -2 * price if seat == culprit else price for seat in range(3)}
    assert table.stage.payments == paid
    the_rest_sign(table)
    assert (ended(table).order[-1], ended(table).payments) == (culprit, paid)
    assert ended(table).scores == {seat: before[seat] + paid[seat] for seat in range(3)}
    # It counts as the loser, but the next seat deals, and it is never there again.
    match = table.stage.match
    assert (match.named_dealer, match.dealer) == (culprit, (culprit + 1) % 3)
    assert table.position.waiting() == others


def test_what_the_others_signed_in_the_step_counts_no_more(monkeypatch):
    """A right claim stood beside the culprit's place: nobody has won."""
    table = dealt(monkeypatch, "", DRAGON, "", deals=2)
    culprit, *others = holders(table)
    table.put(*(table.sign(seat) for seat in others))
    convicted(table, culprit)
    assert (table.kind, table.stage.outcome.culprits) == (Kind.CLOSE, {culprit})
    assert not [event for event in table.events if isinstance(event, InstantWon)]


def test_a_conviction_among_those_asked_for_fours_ends_the_deal(monkeypatch):
    table = bombed(monkeypatch, deals=2)
    held = table.position.hands.sizes(range(3))
    culprit = table.position.waiting()[0]
    broken_off(table)
    assert table.kind is Kind.CLOSE
    # What it has played since counts nothing: it pays for the whole hand that it was dealt.
    assert held[culprit] <= 18
    assert table.stage.payments[culprit] == -2 * 3 * (max(held.values()) // 2)


def test_cards_played_before_do_not_make_it_cheaper():
    table = at(Kind.TURN, game="winner/1")
    culprit = table.turn
    table.go(lambda now: len(now.hand(culprit)) < 12 and now.position.waiting() == (culprit,))
    broken_off(table)
    assert table.stage.payments[culprit] == -54


def test_chops_and_rotten_twos_count_nothing():
    rules = {"rotten_twos": True, "chop_pay": True, "stake": 10}
    table = broken_off(at(Kind.CLOSE, **rules))
    assert sorted(table.stage.payments.values()) == [-20, 10, 10]
    the_rest_sign(table)
    assert sorted(ended(table).payments.values()) == [-20, 10, 10]


def test_the_others_keep_their_order():
    table = reached(Kind.CLOSE, 4, deals=2)
    first, second, third, last = table.stage.outcome.order
    the_rest_sign(convicted(table, first))
    assert table.stage.outcome.order == (second, third, last, first)
    the_rest_sign(table)
    assert table.stage.match.leader == second


def test_in_the_middle_of_a_deal_the_departed_rank_below_those_in_it():
    table = reached(Kind.TURN, 4, deals=2)
    gone, culprit = table.turn, (table.turn + 1) % 4
    left(table, gone)
    convicted(table, culprit)
    third, fourth = (culprit + 1) % 4, (culprit + 2) % 4
    assert table.stage.outcome.order == (third, fourth, gone, culprit)
    assert table.position.waiting() == tuple(sorted((third, fourth)))
    assert table.stage.payments == {culprit: -3, third: 1, fourth: 1, gone: 1}


def test_who_is_out_before_the_first_lead_ranks_below_the_others_too():
    table = reached(Kind.CLAIM, 4, deals=2)
    dealer = table.stage.cast.match.dealer
    the_rest_sign(left(table, 1))
    the_rest_sign(convicted(table, 2))
    staying = sorted((0, 3), key=lambda seat: (seat - dealer) % 4)
    assert table.stage.outcome.order == (*staying, 1, 2)
    assert table.position.waiting() == (0, 3)


def test_a_second_culprit_pays_beside_the_first():
    table = at(Kind.TURN, 4)
    first = table.turn
    convicted(table, first)
    second = table.position.waiting()[0]
    the_rest_sign(convicted(table, second))
    assert table.kind is Kind.CLOSE
    assert table.stage.outcome.culprits == {first, second}
    others = {0, 1, 2, 3} - {first, second}
    assert table.stage.payments == {seat: 2 if seat in others else -2 for seat in range(4)}
    assert set(table.position.waiting()) == others


def test_two_culprits_of_one_step_lose_together():
    table = at(Kind.CLOSE, 4)
    convicted(table, 1, 3)
    the_rest_sign(table)
    assert table.stage.outcome.order[-2:] == (1, 3)
    assert table.stage.payments == {0: 2, 1: -2, 2: 2, 3: -2}


def test_the_rest_of_a_hand_is_shown_after_a_conviction_too():
    table = at(Kind.TURN, show_rest=True)
    culprit = table.turn
    broken_off(table)
    the_rest_sign(table)
    shown = [event.seat for event in table.events if isinstance(event, RestShown)]
    assert sorted(shown) == [seat for seat in range(3) if seat != culprit]


def test_with_one_seat_left_the_table_ends_when_it_has_signed():
    table = broken_off(at(Kind.TURN, 2))
    assert len(table.position.waiting()) == 1
    table.go()
    assert isinstance(table.events[-1], TableEnded)
    assert sorted(ended(table).payments.values()) == [-1, 1]


def test_nobody_is_left_to_sign():
    table = at(Kind.CLOSE, 2)
    convicted(table, 0, 1)
    assert table.go().kind is None
    assert set(ended(table).payments.values()) == {0}
