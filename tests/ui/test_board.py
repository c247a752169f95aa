"""The table in lines: all that a player needs, at every width and in every notation."""

from __future__ import annotations

import pytest
from simulator import Simulator

from p2pclimb.cards import parse_cards
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ui.board import board, hand_lines, status_line
from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.lines import columns
from p2pclimb.ui.view import TableView, table_view

LINKS = {0: True, 1: True, 2: True, 3: True}


def views_of_a_deal(seats: int) -> list[TableView]:
    """What seat 0 sees whenever somebody is to play."""
    sim = Simulator("board", seats)
    views: dict[int, TableView] = {}

    def look(sim: Simulator) -> bool:
        session = sim.nodes[0].session
        position = session.ledger.position
        if isinstance(position.stage, Turning) and position.step not in views:
            views[position.step] = table_view(session, dict.fromkeys(range(seats), True))
        return session.ledger.ended

    sim.run(look)
    return list(views.values())


@pytest.fixture(scope="module", params=[4, 6])
def views(request) -> list[TableView]:
    return views_of_a_deal(request.param)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("notation", Notation)
def test_the_board_fits_its_width(views, notation, width):
    for view in views:
        for line in board(view, notation, width):
            assert columns(line) <= width
            assert "\u00a0" not in line


@pytest.mark.parametrize("notation", [Notation.WORDS, Notation.LETTERS])
def test_without_glyphs_the_board_is_ascii(views, notation):
    for view in views:
        assert all(line.isascii() for line in board(view, notation, 80))
        assert status_line(view, notation, 1000).isascii()


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_the_status_fits_its_width_and_keeps_what_is_urgent(views, width):
    for view in views:
        line = status_line(view, Notation.LETTERS, width)
        assert columns(line) <= width
        assert status_line(view, Notation.LETTERS, 1000).startswith(line)
        assert view.turn is None or " turn" in status_line(view, Notation.LETTERS, 40)


def test_in_words_every_line_is_a_sentence(views):
    for view in views:
        for line in board(view, Notation.WORDS, 10_000):
            assert line.endswith(".")
            assert line[0].isupper()


def test_the_own_turn_shows_what_is_needed_to_play(views):
    own = [view for view in views if view.is_own_turn and view.to_beat]
    assert own
    for view in own:
        text = "\n".join(board(view, Notation.LETTERS, 200))
        assert "This trick: " in text
        assert "To beat: " in text
        assert f"Your hand, {len(view.hand)} card" in text
        assert all(str(card) in text for card in view.hand)
        assert all(f" {seat.cards}" in text for seat in view.seats)
        assert "pass." in text


def test_the_lead_says_what_it_must_include():
    for seed in range(4):
        sim = Simulator(seed, 2)
        sim.run(lambda sim: isinstance(sim.nodes[0].session.ledger.position.stage, Turning))
        view = table_view(sim.nodes[0].session, LINKS)
        text = "\n".join(board(view, Notation.LETTERS, 200))
        assert (f"You lead and must include {view.must_include}." in text) == view.is_own_turn


def test_before_the_cards_the_board_says_whom_it_waits_for():
    session = Simulator("early", 4).nodes[0].session
    (seats, waiting) = board(table_view(session, LINKS), Notation.LETTERS, 200)
    assert seats == 'In order of turn: "Seat 1"; "Seat 2"; "Seat 3"; you.'
    assert waiting.startswith("Signatures under the terms: 0 of 4; waiting for you")


def test_a_seat_that_is_not_connected_is_marked():
    session = Simulator("early", 2).nodes[0].session
    assert '"Seat 1" (away)' in board(table_view(session, {1: False}), Notation.LETTERS, 200)[0]


def test_the_hand_is_grouped_by_rank():
    assert hand_lines(parse_cards("3s 3c 4d 2h"), Notation.GLYPHS, 80) == [
        "Your hand, 4 cards: 3♠ 3♣  4♦  2♥"
    ]
    (words,) = hand_lines(parse_cards("3s 3c"), Notation.WORDS, 80)
    assert words == "Your hand, 2 cards: three of spades, three of clubs."
    assert hand_lines((), Notation.GLYPHS, 80) == []


def test_a_long_hand_is_broken_between_ranks():
    hand = parse_cards("3s3s3c3c 4s4s4c4c 5s5s5c5c 6s6s6c6c 7s7s7c7c 8s8s8c8c 9s9s9c")
    lines = hand_lines(hand, Notation.LETTERS, 60)
    assert len(lines) > 1
    for line in lines:
        for group in line.split(": ")[-1].strip().split("  "):
            assert len({card[0] for card in group.split()}) == 1
