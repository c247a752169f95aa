"""Sentences: every notice has one, and nothing that came from others gets through unseen."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest
from notice_examples import (
    AGAIN,
    CARRIED,
    EXAMPLES,
    GUEST,
    NAMES,
    OPTIONS,
    ROSTER,
    TERMS,
    TYPES,
    WINNER,
    combination,
)

from p2pclimb.cards import parse_cards
from p2pclimb.errors import ViolationError
from p2pclimb.games.options import Options
from p2pclimb.ledger import events
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.terms import table_words
from p2pclimb.table import notices, roster
from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.event_text import reading_in_words
from p2pclimb.ui.text import notice_in_words, roster_in_words, terms_in_words

PERSONAL = (
    notices.ChoiceAsked,
    notices.ClaimAsked,
    notices.HandDealt,
    notices.NextDealWaits,
    notices.OfferAsked,
    notices.TurnBegan,
)
HOSTILE = "\x1b]52;c;aGk=\x07\rBob\u202e (seat 2) wins\u200d\n"

MISSED_TURN = events.Missed(1, Kind.TURN, 1)


def cards(text):
    return parse_cards(text)


def card(text):
    return parse_cards(text)[0]


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
    if isinstance(notice, PERSONAL):
        assert line is None
    elif isinstance(notice, roster.ScoresChecked):
        assert line  # told to guests only
    else:
        assert line
        assert "you" not in line.lower().split()


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (events.Played(1, combination("9c9h"), True, 11), "Bob leads 9c 9h (a pair), 11 left."),
        (events.Played(0, combination("2h"), False, 0), "You play 2h, the last card."),
        (
            events.Played(0, combination("2h2d"), False, 0),
            "You play 2d 2h (a pair), the last cards.",
        ),
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
            "Deal 1 begins anew without Dan. Whoever may have seen its hand pays: you +1, Dan -1.",
        ),
        (notices.LinkDown(1, "nobody answers."), "Bob is away: nobody answers."),
        (events.TrickCardShown(card("9h"), 0), "The trick card is 9h: you hold it and lead."),
        (events.TrickCardShown(card("9h"), 1), "The trick card is 9h: Bob holds it and leads."),
        (events.TributeGiven(0, 1, card("RJ")), "You give Bob RJ, the highest card."),
        (events.TributeGiven(1, 0, card("RJ")), "Bob gives you RJ, the highest card."),
        (
            events.TributeReturned(1, card("RJ")),
            "Bob has RJ back: nobody offers cards for it.",
        ),
        (events.Offered(0, 1), "You offer Bob two cards, face down."),
        (events.CardTaken(1, 0, card("3d")), "Bob takes 3d of the two that you offer."),
        (
            events.CardTaken(1, 2, None),
            "Bob chooses neither: the first of Chi's two cards goes over.",
        ),
        (events.Claimed(0, cards("4c4d")), "You claim, showing 4c 4d."),
        (events.InstantWon(1, "four_twos", cards("2s2c2d2h")), "Bob wins at once: four twos."),
        (
            events.BombTaken(0, combination("9c9d9h"), True),
            "You take the bomb into hand, face up: 9c 9d 9h.",
        ),
        (
            events.BombTaken(1, combination("9c9d9h"), False),
            "Bob takes over the bomb, which stays to beat: 9c 9d 9h.",
        ),
        (
            notices.ClaimAsked(5, False),
            "You have 5 seconds to claim the bomb with your fours: type claim, or do nothing.",
        ),
        (
            notices.ClaimAsked(1, True),
            "You have 1 second to claim that your hand wins at once: type claim, or do nothing.",
        ),
        (
            notices.OfferAsked(1, card("RJ")),
            "Offer Bob two cards for RJ: type both, Bob takes one.",
        ),
        (
            notices.ChoiceAsked(1, cards("3d7c")),
            "Bob offers you 3d or 7c: type the card that you take.",
        ),
        (events.Departed(0), "You are out of this deal and will rank below all who stay."),
        (events.Missed(1, Kind.TURN, 1), "Bob missed this turn (1 of 3): it counts as a pass."),
        (
            events.Missed(0, Kind.COMMIT, 2),
            "You missed the beginning of the deal (2 of 3): it is played without you.",
        ),
        (
            events.Missed(1, Kind.SHARES, 1),
            "Bob missed the shares (1 of 3): the deal begins anew without Bob.",
        ),
        (
            events.Missed(1, Kind.TURN, 3),
            "Bob missed a third time and is out for this deal.",
        ),
        (
            events.Missed(0, Kind.CLAIM, 3),
            "You missed a third time and are out for this deal.",
        ),
        (
            events.Convicted(2, 9, "equivocation", "Chi (seat 3) signed two different entries."),
            "Chi (seat 3) signed two different entries: Chi is out for good, and pays as the loser"
            " of a deal whose cards are dealt.",
        ),
        (
            events.HistoryDropped(9),
            "What was done from step 9 on does not count any more: a majority had already passed"
            " over a player, or a proof overrides it.",
        ),
        (notices.TimeRuns((1,), 20.4), "Bob has 20 s left."),
        (notices.TimeRuns((0,), 10.0), "You have 10 s left."),
        (notices.TimeRuns((0, 2), 10.0), "Chi and you have 10 s left."),
        (
            notices.VoteStands(1, 1, (0, 2), (2,), (0, 1, 2, 3)),
            "Bob's time is over. 2 of 4 vote to play on without Bob's move.",
        ),
        (
            notices.VoteStands(0, 2, (1,), (), (0, 1, 2)),
            "Your time is over. 1 of 3 vote to play on without your move (vote 2).",
        ),
        (
            notices.PauseHeld((1,), False, (0, 1, 2, 3)),
            "No pause: Bob asks for one (1 of 4; 3 are needed).",
        ),
        (
            notices.PauseHeld((0, 1), True, (0, 1, 2)),
            "A pause: you and Bob ask for it (2 of 3). Nobody is passed over until it ends.",
        ),
        (notices.PauseHeld((), False, (0, 1)), "No pause: nobody asks for one any more."),
        (
            notices.NoMajority((0, 2), (0, 1, 2, 3)),
            "Waiting: 2 of 4 players are here, 3 are needed to go on. You can adjourn and come"
            " back with `p2pclimb resume`.",
        ),
        (
            notices.EvidenceKept(2, "tables/e.climb"),
            "The proof against Chi is in tables/e.climb.",
        ),
        (
            notices.RuleBroken(ViolationError("Chi (seat 3) lied.", seat=2, step=1, rule="proof")),
            "Chi (seat 3) lied. The log holds the proof.",
        ),
        (
            roster.ScoresChecked(AGAIN, None),
            "You have no log of the table that the scores come from: compare with the others.",
        ),
        (
            roster.ScoresChecked(AGAIN, CARRIED),
            "The scores carried on are those of your own log.",
        ),
        (
            roster.ScoresChecked(AGAIN, replace(CARRIED, points=(1, 1, 0, 0))),
            "WARNING: your own log gives other scores to carry on: you +1, Bob +1, Chi 0, Dan 0."
            " Ask before you accept.",
        ),
    ],
)
def test_what_the_lines_say(notice, line):
    said = words(notice)
    assert said == line or (line.endswith(": ") and said.startswith(line))


def test_every_kind_of_step_can_be_missed():
    lines = {words(events.Missed(1, kind, 1)) for kind in Kind}
    assert len(lines) == len(Kind)
    assert all(line.startswith("Bob missed the ") for line in lines - {words(MISSED_TURN)})


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


def test_with_the_rules_bombs_and_turned_ranks_are_named():
    bomb = events.Played(1, combination("9c9d9h", WINNER), False, 8)
    assert words(bomb, options=WINNER) == "Bob plays 9d 9c 9h (a triple, a bomb), 8 left."
    assert words(bomb) == "Bob plays 9d 9c 9h (a triple), 8 left."
    revolution = Options.make("winner", {"revolution": True})
    four = events.Played(1, combination("9s9c9d9h", revolution), True, 8)
    assert words(four, options=revolution).endswith("8 left. The order of ranks turns.")
    assert "turns" not in words(bomb, options=revolution)


@pytest.mark.parametrize(
    ("cards", "reading"),
    [
        ("3s4s5s6s7s", "Read as: straight flush of 5 from the three to the seven of spades."),
        ("3s4s5s6s7h", None),
        ("3c", None),
        ("2s3s4s5s6s7s8s9dTdJdQdKdAd", "Read as: straight of 13 from the two to the ace."),
    ],
)
def test_cards_that_could_be_two_things_are_said_as_they_are_read(cards, reading):
    assert reading_in_words(combination(cards, WINNER)) == reading


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
        notices.EvidenceKept(1, HOSTILE),
        notices.TimeRuns((0, 1), 5.0),
        notices.VoteStands(1, 1, (0,), (), (0, 1)),
        notices.PauseHeld((1,), True, (0, 1)),
        events.Convicted(1, 1, "x", HOSTILE),
        events.Missed(1, Kind.TURN, 1),
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


def test_the_terms_say_which_scores_are_carried_on():
    text = terms_in_words(AGAIN, 0)
    words = " ".join(table_words(CARRIED.table))
    assert f"Scores carried on from the table {words}: you +3, Bob -1, Chi 0, Dan 0." in text
    assert "Kept for those who are away: Eva -2." in text
    assert "carried" not in terms_in_words(TERMS, 0)


def test_two_seats_of_winner_are_told_what_they_know_of_each_other():
    said = "each can tell the hand of the other"
    for options, seats, told in ((WINNER, 2, True), (WINNER, 3, False), (OPTIONS, 2, False)):
        terms = replace(TERMS, options=options, seats=TERMS.seats[:seats])
        assert (said in terms_in_words(terms, 0)) is told
        assert (said in roster_in_words(replace(ROSTER, options=options), 0)) is (options is WINNER)


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
