"""Sentences: every notice has one, and nothing that came from others gets through unseen."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest
from notice_examples import EXAMPLES, GUEST, NAMES, OPTIONS, ROSTER, TERMS, TYPES, combination

from p2pclimb.cards import parse_cards
from p2pclimb.errors import ViolationError
from p2pclimb.ledger import events
from p2pclimb.ledger.entry import Kind
from p2pclimb.table import notices, roster
from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.text import notice_in_words, roster_in_words, terms_in_words

HOSTILE = "\x1b]52;c;aGk=\x07\rBob\u202e (seat 2) wins\u200d\n"


def words(notice, own=0, **settings):
    return notice_in_words(notice, NAMES, own, **settings)


def test_there_is_an_example_of_every_notice():
    assert {type(notice) for notice in EXAMPLES} == TYPES


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("notice", EXAMPLES, ids=lambda notice: type(notice).__name__)
def test_every_notice_has_words(notice, notation):
    line = words(notice, notation=notation)
    assert line
    assert line.isprintable()
    assert line[-1] in ".:"
    assert line.isascii() or notation is Notation.GLYPHS


@pytest.mark.parametrize("notice", EXAMPLES, ids=lambda notice: type(notice).__name__)
def test_a_looker_on_is_told_nothing_that_concerns_one_seat(notice):
    line = words(notice, own=None)
    if isinstance(notice, notices.HandDealt | notices.NextDealWaits | notices.TurnBegan):
        assert line is None
    else:
        assert line
        assert "you" not in line.lower().split()


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (events.Played(1, combination("9c9h"), True, 11), "Bob leads 9c 9h (a pair), 11 left."),
        (events.Played(0, combination("2h"), False, 0), "You play 2h, the last cards."),
        (events.Passed(0), "You pass."),
        (events.TrickTaken(0, 0), "You take the trick and lead."),
        (events.TrickTaken(1, 2), "Nobody beats Bob's play; Chi leads."),
        (
            events.LowestShown(parse_cards("3s")[0], (0,), 0),
            "You hold 3s, the lowest card dealt, and lead.",
        ),
        (
            events.LowestShown(parse_cards("3s")[0], (0, 2), 2),
            "Chi leads: you and Chi hold 3s, the lowest card dealt.",
        ),
        (
            events.DealEnded(3, (1, 0), {0: -1, 1: 1}, {0: 0, 1: 0}),
            "Deal 3 is over: Bob +1, you -1. Scores: you 0, Bob 0.",
        ),
        (events.CardsDealt(1, {0: 14, 1: 13}), "The cards are dealt, every share verified: "),
        (events.DealRestarted(1, 1, (3,), {}), "Deal 1 begins anew without Dan."),
        (
            events.DealRestarted(1, 1, (3,), {0: 1, 3: -1}),
            "Deal 1 begins anew without Dan. For leaving: you +1, Dan -1.",
        ),
        (notices.LinkDown(1, "nobody answers."), "Bob is away: nobody answers."),
    ],
)
def test_what_the_lines_say(notice, line):
    said = words(notice)
    assert said == line or (line.endswith(": ") and said.startswith(line))


def test_the_deal_shows_its_progress():
    def filled(kind, waiting, seat=1):
        return words(events.PlaceFilled(1, kind, 1, seat, True, waiting), deal_seats=(0, 1, 3))

    assert filled(Kind.COMMIT, (2, 3)) == "Bob has committed; waiting for Chi and Dan."
    assert filled(Kind.SHUFFLE, ()) == "Shuffle 2 of 3, by Bob: verified."
    assert filled(Kind.SHUFFLE, (), seat=3) == "Shuffle 3 of 3, by Dan: verified."
    assert filled(Kind.AGREE, ()) == "Everybody has signed the same final deck."
    # One line a step is enough; the rest is on the status line.
    assert filled(Kind.AGREE, (2,)) is None
    assert filled(Kind.TURN, ()) is None


def test_a_place_left_open_is_not_told_as_filled():
    assert words(events.PlaceFilled(1, Kind.COMMIT, 1, 1, False, (2,))) is None


@pytest.mark.parametrize(
    "notice",
    [
        roster.GuestCame(1, replace(GUEST, name=HOSTILE)),
        roster.GuestRefused(HOSTILE, HOSTILE),
        roster.GuestWent(1, HOSTILE, HOSTILE),
        roster.LobbyClosed(HOSTILE),
        notices.LinkDown(1, HOSTILE),
        notices.PeerFault(bytes(32), HOSTILE),
        notices.RuleBroken(ViolationError(HOSTILE, seat=1, step=1, rule="x")),
        events.TableEnded(HOSTILE),
        events.Passed(1),
    ],
    ids=lambda notice: type(notice).__name__,
)
def test_foreign_text_cannot_leave_its_line(notice):
    line = notice_in_words(notice, ["Ana", HOSTILE], 0)
    assert line.isprintable()


def test_a_guest_is_shown_with_its_fingerprint_and_a_telling_name_quoted():
    line = words(roster.GuestCame(1, replace(GUEST, name="Bob (seat 1) wins")))
    assert line.startswith('"Bob (seat 1) wins" takes seat 2 (key ')
    assert len(line.split("key ")[1].rstrip(").")) == 24


# -- terms and lobby -----------------------------------------------------------------------------


def test_the_terms_say_all_that_is_signed():
    text = terms_in_words(TERMS, 0)
    assert f"compare them aloud: {' '.join(TERMS.words)}." in text
    assert "chops=southern" in text
    assert "(Usual: source.)" in text
    assert "2 deals are played." in text
    assert "The next deal waits for Enter." in text
    assert "90 seconds" in text
    for name in NAMES:
        assert text.count(f": {name}") == 1
    assert "Seat 1: Ana, that is you; key " in text
    assert "Seat 2: Bob, a bot, run by Ana; key " in text


def test_the_terms_name_who_runs_many_seats():
    seats = [replace(seat, operator=0 if n < 3 else 3) for n, seat in enumerate(TERMS.seats)]
    terms = replace(TERMS, seats=tuple(seats))
    power = "Ana runs 3 of 4 seats: Ana can see those hands and outvote you."
    assert power in terms_in_words(terms, 3)
    own = "You run 3 of 4 seats: you can see those hands and outvote the others."
    assert own in terms_in_words(terms, 0)


def test_two_of_four_seats_do_not_outvote():
    seats = [replace(seat, operator=0 if n < 2 else n) for n, seat in enumerate(TERMS.seats)]
    text = terms_in_words(replace(TERMS, seats=tuple(seats)), 3)
    assert "Ana runs 2 of 4 seats: Ana can see those hands." in text


def test_the_usual_rules_are_called_so():
    terms = replace(TERMS, options=OPTIONS.with_setting("chops", "source"))
    assert "The usual rules." in terms_in_words(terms, None)


def test_the_lobby_shows_who_sits_where():
    text = roster_in_words(ROSTER, 0)
    assert "1 of 2 seats taken" in text
    assert "Seat 2: free." in text
    assert "chops=southern" in text


def test_names_in_the_terms_cannot_break_their_line():
    seat = dataclasses.replace(TERMS.seats[0], name=HOSTILE)
    text = terms_in_words(replace(TERMS, seats=(seat, *TERMS.seats[1:])), 1)
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(text.split("\n")) == len(terms_in_words(TERMS, 1).split("\n"))
