"""The view: all that a seat may see, and no card more, at every moment of whole tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest
from simulator import Simulator, random_play

from p2pclimb.cards import Card
from p2pclimb.games.dealing import pack_count
from p2pclimb.games.exchange import Exchange
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardTaken, Missed
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.table.effects import Effect, Tell
from p2pclimb.ui.board import board, status_line
from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.questions import ChoiceQuestion, ClaimQuestion, OfferQuestion
from p2pclimb.ui.view import Mark, TableView, table_view


class WatchedTable(Simulator):
    """A simulated table at which every seat looks at its view after everything that happens."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.views: list[list[TableView]] = [[] for _ in self.nodes]

    def _carry_out(self, seat: int, effects: list[Effect]) -> None:
        super()._carry_out(seat, effects)
        if any(isinstance(effect, Tell) for effect in effects):
            self.look(seat)

    def look(self, seat: int) -> None:
        links = dict.fromkeys(range(len(self.nodes)), True)
        view = table_view(self.nodes[seat].session, links)
        self.views[seat].append(view)
        self.check(seat, view)

    def check(self, seat: int, view: TableView) -> None:
        """Assert that no card is in the view that this seat has not seen opened."""
        open_cards = self.open_cards(seat)
        for card, count in Counter(cards_in(view)).items():
            assert card in open_cards, f"{card} of another seat is seen by {seat}, {count} times"

    def open_cards(self, seat: int) -> set[Card]:
        session = self.nodes[seat].session
        hands = session.ledger.position.hands
        public = hands.known.values() if hands else ()
        own = {*session.cards(), *session.offered()}
        return {*own, *(hands.faces[index] for index in public if hands)}


def cards_in(value: object) -> Iterator[Card]:
    """Yield every card that can be reached from a value."""
    match value:
        case Card():
            yield value
        case Mapping():
            yield from cards_in(tuple(value.values()))
        case tuple() | list() | frozenset():
            for item in value:
                yield from cards_in(item)
        case _ if is_dataclass(value):
            for each in fields(value):
                yield from cards_in(getattr(value, each.name))


TIENLEN, SOUTH, WINNER = "tienlen/1", "tienlen-south/1", "winner/1"
ALL_SOUTH = {"instant_wins": True, "finish_on_two": False, "chop_pay": True, "rotten_twos": True}
TABLES = [
    (1, TIENLEN, 2, {}),
    (2, TIENLEN, 4, {"deals": 2}),
    (3, TIENLEN, 5, {}),
    (4, SOUTH, 4, ALL_SOUTH),
    (5, WINNER, 3, {"exchange": True, "deals": 2, "fours_when": "anyone"}),
    (6, WINNER, 4, {"fours_when": "anyone", "fours": "takeover", "packs": 2}),
    (7, WINNER, 2, {"revolution": True, "exchange": True, "deals": 2}),
]


@pytest.fixture(scope="module", params=TABLES, ids=str)
def table(request) -> WatchedTable:
    seed, game, seats, settings = request.param
    watched = WatchedTable(seed, seats, settings, game=game)
    watched.run()
    return watched


def playing(table: WatchedTable) -> list[TableView]:
    return [view for views in table.views for view in views if view.turn is not None]


def test_no_view_ever_holds_a_closed_card_of_another_seat(table):
    # Asserted by the table itself at every step; here: that it had something to look at.
    assert len(playing(table)) > 20
    assert any(view.to_beat for view in playing(table))


def test_the_hands_of_two_seats_have_no_card_in_common(table):
    packs = pack_count(table.terms.options, len(table.nodes))
    dealt = [next(view.hand for view in views if view.hand) for views in table.views]
    assert max(Counter(card for hand in dealt for card in hand).values()) <= packs


def test_the_words_of_the_table_hold_no_card_that_the_view_has_not(table):
    asking = [view for views in table.views for view in views if view.question]
    for view in [*playing(table)[::7], *asking]:
        known = {str(card) for card in cards_in(view)}
        text = " ".join(
            [*board(view, Notation.LETTERS, 80), status_line(view, Notation.LETTERS, 1000)]
        )
        shown = {word.strip(".;,()") for word in text.split()}
        assert {word for word in shown if is_card(word)} <= known


def is_card(word: str) -> bool:
    return word in ("BJ", "RJ") or (
        len(word) == 2 and word[0] in "3456789TJQKA2" and word[1] in "scdh"
    )


def test_the_repr_of_a_view_does_not_tell_the_hand(table):
    for view in playing(table)[::11]:
        closed = set(view.hand) - {card for move in view.trick for card in cards_in(move)}
        closed -= {view.must_include, *cards_in(view.seats)}
        assert not any(f"<{card}>" in repr(view) for card in closed)


def test_the_own_hand_is_whole_and_sorted(table):
    for view in playing(table):
        own = view.seats[0]
        assert own.seat == view.own
        assert own.cards == len(view.hand)
        ranks = [card.rank for card in view.hand]
        assert ranks == sorted(ranks)


def test_seats_stand_in_order_of_turn_from_the_own_one(table):
    count = len(table.nodes)
    for view in playing(table)[::5]:
        assert [seat.seat for seat in view.seats] == [(view.own + n) % count for n in range(count)]


def test_exactly_one_seat_is_to_play_and_the_own_turn_has_a_choice(table):
    for view in playing(table):
        marked = [seat.seat for seat in view.seats if Mark.TURN in seat.marks]
        assert marked == [view.turn]
        if view.is_own_turn:
            assert view.legal_plays or view.may_pass
        else:
            assert view.legal_plays == 0


def test_counts_go_down_to_the_end_and_scores_add_up(table):
    for views in table.views:
        last = views[-1]
        assert last.ended == "all agreed deals have been played"
        assert last.progress is None
        assert sum(seat.score for seat in last.seats) == 0
        assert any(seat.score for seat in last.seats)


def test_the_deal_shows_how_far_it_has_come(table):
    seats = len(table.nodes)
    seen = {
        (v.progress.kind, v.progress.done, v.progress.total) for v in table.views[0] if v.progress
    }
    assert {(Kind.SHUFFLE, done, seats) for done in range(seats)} <= seen
    extras = {Kind.CLAIM, Kind.LOWEST, Kind.TRIBUTE, Kind.OFFER, Kind.CHOOSE}
    assert set(Kind) - extras <= {kind for kind, _, _ in seen}


def test_entries_are_seen_by_the_others_in_time(table):
    seen = [view.seen for view in table.views[0] if view.seen is not None]
    assert {each.by for each in seen} == set(range(len(table.nodes)))
    assert all(each.is_final for each in seen if 2 * each.by >= len(table.nodes))


def test_marks_follow_the_state_of_the_deal(table):
    for seat, node in enumerate(table.nodes):
        stage = node.session.ledger.position.stage
        assert not isinstance(stage, Turning)
        ends = [view for view in table.views[seat] if view.turn is not None][-1]
        finished = [each for each in ends.seats if Mark.FINISHED in each.marks]
        assert all(each.cards == 0 for each in finished)
        assert len(finished) <= len(table.nodes) - 2


def test_links_leaving_and_departure_are_marked():
    table = WatchedTable("leaving", 3, {"deals": 2})
    table.run(until=lambda sim: isinstance(sim.nodes[0].session.ledger.position.stage, Turning))
    table.do(1, lambda session: session.leave())
    table.go_on()
    marks = [
        {mark for seat in view.seats if seat.seat == 1 for mark in seat.marks}
        for view in table.views[0]
    ]
    assert any(Mark.DEPARTED in each for each in marks)
    assert all(Mark.LEAVING not in each for each in marks if Mark.DEPARTED in each)
    away = table_view(table.nodes[0].session, {2: False})
    assert [seat.seat for seat in away.seats if Mark.AWAY in seat.marks] == [2]


def test_who_has_passed_is_told_by_the_rule_of_the_table():
    for pass_rule, mark in (("locked", Mark.LOCKED), ("free", Mark.PASSED)):
        table = WatchedTable("passes", 3, {"pass_rule": pass_rule})
        table.run()
        marks = {mark for view in playing(table) for seat in view.seats for mark in seat.marks}
        assert mark in marks
        assert not marks & ({Mark.LOCKED, Mark.PASSED} - {mark})


# -- what is asked besides plays -----------------------------------------------------------------


def asked(table: WatchedTable, kind: type) -> list[TableView]:
    return [view for views in table.views for view in views if isinstance(view.question, kind)]


def test_an_exchange_is_seen_by_all_and_its_cards_by_the_two_alone():
    table = WatchedTable("exchange", 3, {"exchange": True, "deals": 3}, game=WINNER)
    table.run()
    offers, choices = asked(table, OfferQuestion), asked(table, ChoiceQuestion)
    assert {view.deal for view in offers} == {view.deal for view in choices} == {2, 3}
    for view in offers:
        question = view.question
        assert view.exchange == Exchange(giver=question.receiver, receiver=view.own)
        assert question.received in view.seats[0].face_up
        assert Counter(question.cards) == Counter(view.hand) - Counter([question.received])
    for view in choices:
        assert view.exchange == Exchange(giver=view.own, receiver=view.question.giver)
        assert len(view.question.cards) == 2
        assert not set(view.question.cards) & set(view.hand)
    watching = [view for views in table.views for view in views if view.exchange]
    assert any(view.own not in (view.exchange.giver, view.exchange.receiver) for view in watching)
    assert all(view.turn is None and not view.legal_plays for view in watching)


def test_the_card_that_was_taken_lies_face_up_in_the_hand_of_the_taker():
    table = WatchedTable("exchange", 3, {"exchange": True, "deals": 2}, game=WINNER)
    table.run()
    taken = next(event for event in table.nodes[0].told if isinstance(event, CardTaken))
    leads = [view for view in playing(table) if view.deal == 2 and not view.trick]
    first = [view for view in leads if sum(seat.cards for seat in view.seats) == 54]
    assert first
    for view in first:
        (taker,) = [seat for seat in view.seats if seat.seat == taken.seat]
        assert taker.face_up == (taken.card,)


def test_as_long_as_claims_are_awaited_it_is_nobodys_turn():
    table = WatchedTable("claims", 3, {"fours_when": "anyone", "deals": 2}, game=WINNER)
    table.run()
    windows = [
        v for views in table.views for v in views if v.progress and v.turn is None and v.to_beat
    ]
    assert windows
    for view in windows:
        assert view.progress.kind is Kind.CLAIM
        marked = {seat.seat for seat in view.seats if Mark.ASKED in seat.marks}
        assert marked
        assert view.owner not in marked
        assert all(Mark.TURN not in seat.marks for seat in view.seats)
        assert (view.question is None) == (view.own not in view.progress.waiting)
    claims = {bool(view.question.claims) for view in asked(table, ClaimQuestion)}
    assert claims == {True, False}


def test_before_the_first_play_a_hand_may_win_at_once():
    table = WatchedTable("instant", 4, {"instant_wins": True}, game=SOUTH)
    table.run()
    views = asked(table, ClaimQuestion)
    assert {view.own for view in views} == {0, 1, 2, 3}
    for view in views:
        assert view.question.is_whole_hand
        assert view.question.claims == ((view.hand,) if view.question.win else ())


def test_ranks_are_told_to_be_upside_down():
    def often_four(state, hand, source):
        fours = [
            p
            for p in state.legal_plays(hand)
            if len(p.cards) == 4 and len({c.rank for c in p.cards}) == 1
        ]
        return fours[0] if fours else random_play(state, hand, source)

    for seed in range(9):
        table = WatchedTable(seed, 2, {"revolution": True}, player=often_four, game=WINNER)
        table.run()
        turned = [view for view in playing(table) if view.inverted]
        if turned:
            break
    assert any("upside down" in status_line(view, Notation.LETTERS, 1000) for view in turned)
    own = [view for view in turned if view.is_own_turn]
    assert all("3 is high" in "\n".join(board(view, Notation.LETTERS, 200)) for view in own)


# -- absence -------------------------------------------------------------------------------------


def test_whoever_is_absent_too_often_is_out_for_the_deal_and_not_said_to_have_left():
    table = WatchedTable(
        "absent",
        4,
        {"deals": 2, "turn_seconds": 20},
        silent={1: lambda session: isinstance(session.ledger.position.stage, Turning)},
    )
    table.run(until=lambda sim: sim.nodes[0].session.ledger.position.stage.deal == 2)
    told = table.nodes[0].told
    assert [event.misses for event in told if isinstance(event, Missed)] == [1, 2, 3]
    marks = [
        [mark for seat in view.seats if seat.seat == 1 for mark in seat.marks]
        for view in table.views[0]
    ]
    assert any(Mark.OUT in each for each in marks)
    assert not any(Mark.DEPARTED in each or Mark.CONVICTED in each for each in marks)
