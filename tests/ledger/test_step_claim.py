"""Step `claim`: hands that win at once, and fours for a bomb, answered by all who are asked."""

import itertools

import pytest
from forged_showings import elsewheres, opening
from honest_table import HonestTable, reached
from stacked_packs import deal_hands

from p2pclimb.cards import parse_cards
from p2pclimb.errors import IllegalPlayError, PlayError
from p2pclimb.games.fours import FOUR_RANK
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import start
from p2pclimb.ledger.consequences import consequences
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import (
    BombTaken,
    Claimed,
    DealEnded,
    Departed,
    InstantWon,
    LowestShown,
    SeatFinished,
    TrickTaken,
)
from p2pclimb.ledger.ledger import Standing
from p2pclimb.seat.decisions import Claim

DECLINE = [False]


def claim(table: HonestTable, seat: int, places: tuple | None = None, **wrong: object) -> list:
    """A seat claims with these places (its whole hand), opened rightly but for what is wrong."""
    shown = tuple(table.hand(seat)) if places is None else places
    return [True, *opening(table, seat, tuple(sorted(shown)), **wrong)]


def places_of(table: HonestTable, seat: int, cards: str) -> tuple:
    wanted = set(parse_cards(cards))
    faces = table.position.hands.faces
    return tuple(p for p, card in table.hand(seat).items() if faces[card] in wanted)


# -- hands that win at once ---------------------------------------------------------------

TWOS = "2s 2c 2d 2h 3s 5s 7s 9s Js Ks 4c 6c 8c"
DRAGON = "3c 4s 5c 6s 7c 8s 9c Ts Jc Qs Kc As 3d"
SIX_PAIRS = "4d 4h 6d 6h 8d 8h Td Th Qd Qh Ac Ad 3h"


def dealt(monkeypatch, *hands: str, seed: str = "instant", **settings: object) -> HonestTable:
    """Two or three seats that hold these hands, in the order of dealing, are asked for claims."""
    deal_hands(monkeypatch, hands)
    rules = {"instant_wins": True, **settings}
    return HonestTable.new(len(hands), seed, **rules).go(Kind.CLAIM)


def holders(table: HonestTable) -> tuple[int, ...]:
    """The seats in the order of dealing."""
    seats = len(table.stage.cast.seats)
    return table.position.hands.owners[:seats]


def test_everybody_is_asked_and_when_all_decline_the_deal_goes_on():
    table = reached(Kind.CLAIM, 3)
    assert table.position.waiting() == (0, 1, 2)
    for seat in range(3):
        assert table.body(seat) == DECLINE
        table.put(table.sign(seat))
    assert table.kind is Kind.LOWEST
    assert table.position.hands.known == {}
    assert not [e for e in table.events if isinstance(e, Claimed)]


def test_the_best_claim_ends_the_deal_and_everybody_pays_it(monkeypatch):
    table = dealt(monkeypatch, SIX_PAIRS, DRAGON, "", stake=3, deals=2)
    pairs, dragon, nothing = holders(table)
    hands = {seat: table.faces(seat) for seat in (pairs, dragon)}
    dealer = table.stage.cast.match.dealer
    for seat in (dragon, nothing, pairs):
        table.put(table.sign(seat))
    claimed = [e for e in table.events if isinstance(e, Claimed)]
    assert {e.seat: e.cards for e in claimed} == hands
    (won,) = [e for e in table.events if isinstance(e, InstantWon)]
    assert (won.seat, won.kind, len(won.cards)) == (dragon, "dragon", 12)
    assert table.kind is Kind.CLOSE
    # The losing claim stays in the hand, face up.
    hands = table.position.hands
    assert hands.closed(hands.in_hand(pairs)) == ()
    assert len(hands.in_hand(pairs)) == 13
    assert len(hands.closed(hands.in_hand(nothing))) == 13
    paid = {dragon: 6, pairs: -3, nothing: -3}
    assert table.stage.payments == paid
    table.go(Kind.CLAIM)
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert (ended.order[0], ended.payments) == (dragon, paid)
    match = table.stage.cast.match
    assert (match.deal, match.dealer, match.leader) == (2, dealer, dragon)


def test_a_claim_shows_the_whole_hand(monkeypatch):
    table = dealt(monkeypatch, TWOS, "", "")
    holder = holders(table)[0]
    for count in (4, 12):
        part = tuple(table.hand(holder))[:count]
        table.forge(holder, claim(table, holder, part), "claim", saying="whole hand")
    twos = places_of(table, holder, "2s 2c 2d 2h")
    table.forge(holder, claim(table, holder, twos), "claim", saying="whole hand")
    table.forge(holder, [True, [], b"", b""], "form", saying="at least one")
    table.put(table.sign(holder, claim(table, holder)))


def test_a_hand_that_does_not_win_is_no_claim(monkeypatch):
    table = dealt(monkeypatch, TWOS, "", "")
    _, other, third = holders(table)
    for seat in (other, third):
        table.forge(seat, claim(table, seat), "claim", saying="does not win")


def test_four_threes_win_in_the_first_deal_only(monkeypatch):
    threes = "3s 3c 3d 3h 5s 7s 9s Js Ks 2s 4c 6c 8c"
    table = dealt(monkeypatch, threes, "")
    holder = holders(table)[0]
    table.put(table.sign(holder), table.sign(1 - holder))
    (won,) = [e for e in table.events if isinstance(e, InstantWon)]
    assert (won.seat, won.kind) == (holder, "four_threes")
    deal_hands(monkeypatch, [threes, ""])
    later = HonestTable.of_a_later_deal((0, 1), "later", instant_wins=True).go(Kind.CLAIM)
    holder = holders(later)[0]
    later.forge(holder, claim(later, holder), "claim", saying="does not win")


def test_the_hand_of_another_seat_is_no_claim(monkeypatch):
    table = dealt(monkeypatch, TWOS, "", "")
    holder, other, _ = holders(table)
    stolen = claim(table, holder, author=other)
    table.forge(other, stolen, "ownership")
    undealt = table.position.hands.owners.index(None)
    table.forge(other, [True, [undealt], bytes(0), b""], "ownership")
    mixed = tuple(table.hand(other))[:12] + tuple(table.hand(holder))[:1]
    table.forge(other, claim(table, other, mixed), "ownership")


def test_the_hand_must_be_opened_rightly(monkeypatch):
    table = dealt(monkeypatch, TWOS, "", "")
    holder, other, _ = holders(table)
    right = claim(table, holder)
    table.forge(holder, [True, right[1][::-1], *right[2:]], "places")
    table.forge(holder, [*right[:2], right[2][32:], right[3]], "opening")
    swapped = right[2][32:64] + right[2][:32] + right[2][64:]
    table.forge(holder, [*right[:2], swapped, right[3]], "proof")
    flipped = right[3][:-32] + bytes([right[3][-32] ^ 1]) + right[3][-31:]
    table.forge(holder, [*right[:3], flipped], "proof")
    table.forge(holder, [*right[:3], b""], "form")
    table.forge(holder, claim(table, holder, author=other), "proof")
    for elsewhere in elsewheres(table):
        table.forge(holder, claim(table, holder, elsewhere=elsewhere), "proof")


@pytest.mark.parametrize("body", [[], [False, []], [False, [], b"", b""], [True], [0], [1, [0]]])
def test_an_answer_is_a_claim_or_a_decline_and_nothing_else(body):
    table = reached(Kind.CLAIM, 2)
    table.forge(0, body, "form")


def test_of_two_equal_kinds_the_higher_card_decides(monkeypatch):
    other_pairs = "3c 3d 5c 5d 7c 7d 9c 9d Jc Jd As Ah 4s"
    table = dealt(monkeypatch, SIX_PAIRS, other_pairs)
    lower, higher = holders(table)
    table.put(table.sign(lower), table.sign(higher))
    (won,) = [e for e in table.events if isinstance(e, InstantWon)]
    assert won.seat == higher


def test_seats_that_leave_decline_and_the_best_claim_of_the_others_wins(monkeypatch):
    table = dealt(monkeypatch, TWOS, DRAGON, "")
    twos, dragon, nothing = holders(table)
    table.put(table.leave(twos), table.sign(dragon), table.sign(nothing))
    (won,) = [e for e in table.events if isinstance(e, InstantWon)]
    assert won.seat == dragon
    assert table.position.waiting() == tuple(sorted((dragon, nothing)))
    assert table.stage.payments == {twos: -1, dragon: 2, nothing: -1}
    # What left unopened stays closed.
    hands = table.position.hands
    assert len(hands.closed(hands.in_hand(twos))) == 13


def test_a_seat_that_leaves_at_the_claims_is_out_of_the_deal():
    table = reached(Kind.CLAIM, 3)
    table.put(table.leave(1), table.sign(0), table.sign(2))
    assert table.kind is Kind.LOWEST
    assert table.position.waiting() == (0, 2)
    table.go(Kind.TURN)
    assert Departed(1) in table.events
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded)]
    assert ended.order[-1] == 1


def test_when_one_is_left_at_the_claims_no_card_is_asked_for():
    table = reached(Kind.CLAIM, 3)
    table.put(table.leave(1), table.sign(0), table.leave(2))
    assert (table.kind, table.position.waiting()) == (Kind.CLOSE, (0,))
    assert table.stage.outcome.order == (0, 2, 1)
    assert not [e for e in table.events if isinstance(e, LowestShown)]


# -- fours for a bomb ---------------------------------------------------------------------

BOMBER, NEXT, LAST = 2, 0, 1
ALL_FIVES, ALL_SIXES = "5s 5c 5d 5h", "6s 6c 6d 6h"
TRIPLE = Cards(parse_cards("5s 5c 5d"))
TRIPLE_CARDS = parse_cards("5d 5c 5s")  # as Winner orders them
FOUR = Cards(parse_cards(ALL_SIXES))


def bombed(
    monkeypatch, play: Cards = TRIPLE, *, nexts: str = "4s 4c", lasts: str = "4d 4h", **settings
) -> HonestTable:
    """The loser of the deal before has led a bomb; the others hold these fours."""
    table = before_the_bomb(monkeypatch, nexts, lasts, **settings)
    table.play(BOMBER, play)
    return table


def before_the_bomb(monkeypatch, nexts: str, lasts: str, **settings: object) -> HonestTable:
    deal_hands(monkeypatch, [f"{ALL_FIVES} {ALL_SIXES}", nexts, lasts], jokers=True)
    rules = {"game": "winner/1", "fours_when": "anyone", **settings}
    return HonestTable.of_a_later_deal((NEXT, LAST, BOMBER), "fours", **rules).go(Kind.TURN)


def fours(table: HonestTable, seat: int, cards: str | None = None, **wrong: object) -> list:
    """A seat claims with its fours, or with these cards."""
    places = places_of(table, seat, cards or "4s 4c 4d 4h")
    return claim(table, seat, places, **wrong)


def test_all_the_others_with_cards_are_asked_and_nobody_plays_meanwhile(monkeypatch):
    table = bombed(monkeypatch)
    assert (table.kind, table.position.waiting()) == (Kind.CLAIM, (NEXT, LAST))
    bomber = table.sign(BOMBER, DECLINE)
    assert table.ledger.standing(bomber) is Standing.STRAY
    table.put(table.sign(NEXT), table.sign(LAST))
    assert (table.kind, table.turn) == (Kind.TURN, NEXT)
    assert table.stage.state.table.cards == TRIPLE_CARDS


def test_the_claimant_nearest_after_the_bomber_takes_the_bomb(monkeypatch):
    base = bombed(monkeypatch)
    ends = set()
    for order in itertools.permutations((NEXT, LAST)):
        table = base.copy()
        table.put(*(table.sign(seat, fours(table, seat)) for seat in order))
        told = {type(e): e for e in table.events}
        assert told[BombTaken].seat == NEXT
        ends.add(table.position.previous)
        # The claim that lost is in the hand, face up.
        hands = table.position.hands
        lost = places_of(table, LAST, "4d 4h")
        assert len(lost) == 2
        assert hands.closed(lost) == ()
    assert len(ends) == 1


def test_a_bomb_that_is_picked_up_goes_face_up_into_the_hand_and_its_taker_leads(monkeypatch):
    table = bombed(monkeypatch)
    before = table.position.hands.sizes(range(3))
    table.put(table.sign(NEXT, fours(table, NEXT)), table.sign(LAST))
    assert table.turn == NEXT
    assert table.stage.state.table is None
    taken = next(e for e in table.events if isinstance(e, BombTaken))
    assert (taken.seat, taken.combination.cards, taken.into_hand) == (NEXT, TRIPLE_CARDS, True)
    assert table.events[-1] == TrickTaken(NEXT, NEXT)
    hands = table.position.hands
    assert hands.sizes(range(3)) == {**before, NEXT: before[NEXT] - 2 + 3}
    assert table.stage.state.hand_sizes == hands.sizes(range(3))
    bomb = places_of(table, NEXT, "5s 5c 5d")
    assert len(bomb) == 3
    assert hands.closed(bomb) == ()
    # It is played again without a proof, and with one it is refused.
    table.forge(NEXT, [1, list(bomb), b"", bytes(64)], "opening", saying="nothing is opened")
    table.forge(BOMBER, [1, list(bomb), b"", b""], "ownership")
    table.put(table.sign(NEXT, [1, list(bomb), b"", b""]))
    assert table.kind is Kind.CLAIM
    assert table.position.waiting() == (LAST, BOMBER)


def test_a_bomb_that_is_taken_over_stays_on_the_table_and_opens_no_second_window(monkeypatch):
    table = bombed(monkeypatch, fours="takeover")
    before = table.position.hands.sizes(range(3))
    table.put(table.sign(NEXT, fours(table, NEXT)), table.sign(LAST, fours(table, LAST)))
    taken = next(e for e in table.events if isinstance(e, BombTaken))
    assert (taken.seat, taken.combination.cards, taken.into_hand) == (NEXT, TRIPLE_CARDS, False)
    assert (table.kind, table.turn) == (Kind.TURN, LAST)
    assert table.stage.state.owner == NEXT
    assert table.position.hands.sizes(range(3)) == {**before, NEXT: before[NEXT] - 2}
    # In turn the fours that lost, which all have seen, take it once more.
    table.play(LAST, Cards(parse_cards("4d 4h")))
    (_, again) = [e for e in table.events if isinstance(e, BombTaken)]
    assert again.seat == LAST


def test_a_takeover_that_ends_the_trick_is_told():
    """The bomb were its owner's last cards, and the third seat is locked."""
    rules = {"fours": "takeover", "pass_rule": "locked"}
    state = start(Options.make("winner/1", rules), (0, 1, 2), {0: 5, 1: 4, 2: 5}, leader=1)
    for play in (Cards(parse_cards("7s")), Pass(), Cards(parse_cards("8s")), TRIPLE):
        state = state.apply(play)
    assert state.turn == 0
    after = state.apply(Cards(parse_cards("4s 4c")))
    taken, trick = consequences(state, after)
    assert (taken.seat, taken.combination, taken.into_hand) == (0, state.table, False)
    assert trick == TrickTaken(0, 0)


def test_fours_in_turn_pick_up_as_well(monkeypatch):
    table = bombed(monkeypatch, fours_when="turn")
    assert (table.kind, table.turn) == (Kind.TURN, NEXT)
    table.play(NEXT, Cards(parse_cards("4s 4c")))
    assert table.events[-2:][0] == next(e for e in table.events if isinstance(e, BombTaken))
    assert len(places_of(table, NEXT, "5s 5c 5d")) == 3
    assert table.turn == NEXT


def test_two_fours_take_a_triple_and_three_a_four_of_a_kind(monkeypatch):
    table = bombed(monkeypatch, nexts="4s 4c 4d", lasts="4h")
    table.forge(NEXT, fours(table, NEXT), "claim", saying="Only fours")
    table.forge(LAST, fours(table, LAST), "claim", saying="Only fours")
    table.put(table.sign(NEXT, fours(table, NEXT, "4s 4d")))
    table = bombed(monkeypatch, FOUR, nexts="4s 4c 4d", lasts="4h")
    table.forge(NEXT, fours(table, NEXT, "4s 4c"), "claim", saying="Only fours")
    table.put(table.sign(NEXT, fours(table, NEXT)))


def test_only_fours_are_claimed_with(monkeypatch):
    table = bombed(monkeypatch, nexts="4s 4c 7s 7c 7d")
    for cards in ("7s 7c", "7s 7c 7d", "4s"):
        table.forge(NEXT, fours(table, NEXT, cards), "claim", saying="Only fours")
    for cards in ("4s 7s", "4s 4c 7s 7c"):
        table.forge(NEXT, fours(table, NEXT, cards), "claim", saying="straight")
    table.forge(NEXT, claim(table, NEXT), "claim")


def test_fours_of_another_seat_are_no_claim(monkeypatch):
    table = bombed(monkeypatch, nexts="4s 4c", lasts="4d")
    stolen = fours(table, NEXT, author=LAST)
    table.forge(LAST, stolen, "ownership")
    mixed = tuple(sorted((places_of(table, NEXT, "4s")[0], places_of(table, LAST, "4d")[0])))
    table.forge(LAST, claim(table, LAST, mixed), "ownership")


def test_the_fours_must_be_opened_rightly(monkeypatch):
    table = bombed(monkeypatch)
    right = fours(table, NEXT)
    table.forge(NEXT, [True, right[1], right[2][32:] + right[2][:32], right[3]], "proof")
    table.forge(NEXT, [True, right[1], right[2][32:], right[3]], "opening")
    table.forge(NEXT, [True, right[1], b"", b""], "opening")
    table.forge(NEXT, fours(table, NEXT, author=LAST), "proof")
    for elsewhere in elsewheres(table):
        table.forge(NEXT, fours(table, NEXT, elsewhere=elsewhere), "proof")


def test_a_seat_that_leaves_declines_and_is_out(monkeypatch):
    table = bombed(monkeypatch)
    table.put(table.leave(NEXT), table.sign(LAST, fours(table, LAST)))
    assert Departed(NEXT) in table.events
    taken = next(e for e in table.events if isinstance(e, BombTaken))
    assert taken.seat == LAST
    assert (table.kind, table.turn) == (Kind.TURN, LAST)
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded) and e.deal == 2]
    assert ended.order[-1] == NEXT


def test_when_all_who_are_asked_leave_the_deal_is_over(monkeypatch):
    table = bombed(monkeypatch)
    table.put(table.leave(NEXT), table.leave(LAST))
    assert (table.kind, table.position.waiting()) == (Kind.CLOSE, (BOMBER,))
    assert table.stage.outcome.order == (BOMBER, LAST, NEXT)


def test_a_claim_that_is_worth_nothing_any_more_stays_in_the_hand(monkeypatch):
    """The claimant is alone with the bomber gone at its next step, but the claim still counts."""
    table = bombed(monkeypatch)
    table.put(table.leave(BOMBER), table.leave(NEXT), table.sign(LAST, fours(table, LAST)))
    assert [e.seat for e in table.events if isinstance(e, BombTaken)] == [LAST]
    # The bomber is not waited for before its next turn.
    assert (table.kind, table.turn) == (Kind.TURN, LAST)
    table.go()
    (ended,) = [e for e in table.events if isinstance(e, DealEnded) and e.deal == 2]
    assert ended.order == (LAST, BOMBER, NEXT)


def test_a_seat_whose_last_cards_were_the_fours_is_back_in(monkeypatch):
    """One seat leads all its cards but two fours, then takes a bomb with these."""
    rules = {"fours_when": "turn", "next_lead": "winner"}
    table = before_the_bomb(monkeypatch, "4s 4c", "4d 4h", **rules)
    while len(table.hand(NEXT)) > 2:
        others = [card for card in table.faces(NEXT) if card.rank != FOUR_RANK]
        is_lead = table.stage.state.table is None
        table.play(table.turn, Cards((others[0],)) if is_lead else Pass())
    table.play(LAST, Pass())
    table.play(BOMBER, TRIPLE)
    table.play(NEXT, Cards(parse_cards("4s 4c")))
    assert set(table.faces(NEXT)) == set(TRIPLE_CARDS)
    assert (table.turn, table.stage.state.finished) == (NEXT, ())
    assert not [e for e in table.events if isinstance(e, SeatFinished)]


def test_the_player_hears_why_a_claim_is_none(monkeypatch):
    table = bombed(monkeypatch)
    with pytest.raises(PlayError, match="Only fours"):
        table.decision_body(NEXT, Claim(table.faces(NEXT)[:1]))
    with pytest.raises(IllegalPlayError, match="not asked"):
        table.decision_body(NEXT, Cards(parse_cards("4s 4c")))
    assert table.decision_body(NEXT, None) == DECLINE
