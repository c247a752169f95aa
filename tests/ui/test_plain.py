"""The plain player: whole tables played by somebody who sees nothing but the lines it prints."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from notice_examples import GUEST, ROSTER, TERMS
from scripted_console import ScriptedConsole, in_lobby
from ui_setup import PlayedTable

from p2pclimb.cards import FACES, parse_cards
from p2pclimb.errors import ViolationError
from p2pclimb.games.words import card_in_words
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.table.notices import (
    LinkUp,
    PeerFault,
    RuleBroken,
)
from p2pclimb.table.roster import GuestCame, LobbyClosed, RosterChanged, TermsProposed
from p2pclimb.ui.answers import leaving_lines
from p2pclimb.ui.cardtext import Notation
from p2pclimb.ui.commands import FIRST_WORDS
from p2pclimb.ui.console import Stop
from p2pclimb.ui.lines import columns
from p2pclimb.ui.plain import PlainPlayer
from p2pclimb.ui.view import table_view

LETTERS = {card_in_words(card): str(card) for card in FACES}


def follow_hints(line: str) -> str | None:
    """Play what the first hint says: all that this person knows is what it reads."""
    if line.startswith("Your turn."):
        return "hint"
    if line.startswith("1. "):
        play = line.removeprefix("1. ").split(" (")[0]
        cards = [LETTERS.get(card, card) for card in play.split(", ")]
        return " ".join(cards)
    if "Type two other cards to offer" in line:
        return "hint"
    if "Type the one that you take" in line:
        return "2" if "its number" in line else "hint"
    if "ype claim within" in line:
        return "claim"
    return "" if line.startswith("Press Enter") else None


def host(
    console: ScriptedConsole,
    seats: int = 3,
    seed: object = 1,
    game: str = "tienlen/1",
    **settings,
) -> PlayedTable:
    """Play a table to its end, or until the person leaves."""

    async def main() -> PlayedTable:
        table = PlayedTable(seed, seats, PlainPlayer(console), settings, game)
        async with asyncio.timeout(30):
            await table.host()
        return table

    return asyncio.run(main())


def at_first_turn(*commands: str | Stop, seats: int = 3, seed: object = 1, **settings):
    """Type commands when one's first turn has come, then leave."""
    rest = iter([*commands, "quit", "yes"])

    def reply(line: str) -> str | Stop | None:
        if line.startswith("Your turn.") and not started:
            started.append(line)
            for command in rest:
                console._typed.put_nowait(command)
        return None

    started: list[str] = []
    console = ScriptedConsole(reply=reply, width=10_000)
    table = host(console, seats, seed, **settings)
    return console, table


# -- whole tables --------------------------------------------------------------------------------


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize(("seats", "settings"), [(2, {"deals": 2}), (4, {"finish_on_two": False})])
def test_a_table_can_be_played_by_reading_the_lines(notation, seats, settings):
    # In words a long play would be told in several lines, too much for this simple person.
    width = 10_000 if notation is Notation.WORDS else 80
    console = ScriptedConsole(reply=follow_hints, notation=notation, width=width)
    table = host(console, seats, notation.name, **settings)
    assert table.session.ledger.ended
    assert not table.left
    assert "not legal" not in console.text
    assert console.text.count(" is over: ") == settings.get("deals", 1)
    assert console.lines[-1] == "The table has ended: all agreed deals have been played."
    assert all(columns(line) <= width for line in console.lines)
    assert all(line.isprintable() for line in console.lines)


SOUTH = {"instant_wins": True, "finish_on_two": False, "chop_pay": True, "rotten_twos": True}
WINNER = {"exchange": True, "fours_when": "anyone", "deals": 4}
GAMES = [
    ("winner/1", WINNER, Notation.LETTERS),
    ("winner/1", {"revolution": True, "packs": 2}, Notation.WORDS),
    ("tienlen-south/1", SOUTH, Notation.GLYPHS),
]


@pytest.mark.parametrize(("game", "settings", "notation"), GAMES, ids=str)
def test_every_game_can_be_played_by_reading_the_lines(game, settings, notation):
    console = ScriptedConsole(reply=follow_hints, notation=notation, width=10_000)
    seats = 4 if "packs" in settings else 3
    table = host(console, seats, notation.name, game, **settings)
    assert table.session.ledger.ended
    assert not table.left
    assert "not legal" not in console.text
    assert "not asked" not in console.text
    assert console.text.count(" is over: ") == settings.get("deals", 1)
    assert all(line.isprintable() for line in console.lines)
    assert console.text.isascii() or notation is Notation.GLYPHS


def test_a_person_takes_part_in_exchanges_and_claims():
    """Within a few tables all of it happens to the person: it gives, offers, takes and claims."""
    missing = {
        "Type two other cards to offer",
        "The two are ",
        "face down.",
        "Type the one that you take",
        "You take ",
        "You claim with ",
        "You claim, showing ",
        "You take the bomb into hand, face up: ",
        ", a bomb that two fours take.",
        " with fours; you have too few.",
    }
    for seed in (3, 0, 1, 2, 4):
        console = ScriptedConsole(reply=follow_hints, width=10_000)
        host(console, 3, seed, "winner/1", **WINNER)
        missing -= {said for said in missing if said in console.text}
        if not missing:
            break
    assert not missing


def test_with_words_nothing_but_ascii_is_printed_and_no_line_is_empty():
    console = ScriptedConsole(reply=follow_hints, notation=Notation.WORDS, width=10_000)
    host(console, 3, "reader")
    assert console.text.isascii()
    assert all(line and (line[0].isupper() or line[0] in '"1234567890') for line in console.lines)


def test_no_closed_card_of_another_seat_is_ever_printed():
    leaks = []

    def reply(line: str) -> str | None:
        for word in re.findall(r"(?<!\w)[3-9TJQKA2][scdh](?!\w)", line):
            (card,) = parse_cards(word)
            if card not in open_cards():
                leaks.append((word, line))
        return follow_hints(line)

    def open_cards() -> set:
        session = player._table.session
        hands = session.ledger.position.hands
        assert hands is not None, "cards are printed although none are dealt"
        return {*session.cards(), *(hands.faces[index] for index in hands.known.values())}

    player = PlainPlayer(ScriptedConsole(reply=reply))

    async def main() -> None:
        await PlayedTable("leaks", 4, player).host()

    asyncio.run(main())
    assert leaks == []


def test_the_deal_shows_its_progress():
    console = ScriptedConsole(reply=follow_hints)
    host(console, 4)
    text = console.text
    assert "Everybody has signed the terms." in text
    assert "You have committed; waiting for" in text
    assert "Shuffle 1 of 4: yours." in text
    assert 'Shuffle 4 of 4, by "Seat 3": verified.' in text
    assert "The cards are dealt, every share verified: 13 each." in text
    assert "the lowest card dealt" in text
    assert text.count("committed; waiting") == 3


# -- what is typed -------------------------------------------------------------------------------


def test_a_play_is_said_with_the_suits_that_were_chosen():
    console, _table = at_first_turn("5", seed=3, seats=4)
    assert "You play 5s, 12 left." in console.lines


def test_an_illegal_play_is_refused_with_the_reason_and_nothing_happens():
    console, _table = at_first_turn("3c4c", "99", "33", "hello", "2h", seed=3, seats=4)
    assert "3c 4c: not legal. A pair or more is of one rank, a sequence" in console.text
    assert "You hold only 1 of rank 9." in console.lines
    assert "'hello' is neither a card nor a command. Write cards" in console.text
    assert "You do not hold 2h." in console.lines
    assert "You play" not in console.text


def test_the_leader_may_not_pass():
    console, _table = at_first_turn("p", seed=_leading_seed(), seats=2)
    assert "The leader may not pass." in console.lines


def _leading_seed() -> int:
    """Return a seed whose first lead is the person's."""
    for seed in range(20):
        console, _table = at_first_turn(seed=seed, seats=2)
        if "You lead and must include" in console.text:
            return seed
    raise AssertionError("nobody leads")


def test_before_ones_turn_a_play_is_judged_but_not_played():
    """The person types when the first seat has led and the second is to play."""

    def reply(line: str) -> str | None:
        if line.startswith('"Seat 1" leads 3s'):
            for typed in ("3c", "2c", "Ah", "pass", "quit", "yes"):
                console._typed.put_nowait(typed)
        return None

    console = ScriptedConsole(reply=reply, width=10_000)
    table = host(console, 4, 3)
    assert "3c: legal as the trick stands, but it is not your turn yet." in console.lines
    assert "2c: legal as the trick stands, but it is not your turn yet." in console.lines
    assert "You do not hold Ah." in console.lines
    assert "It is not your turn." in console.lines
    assert isinstance(table.session.ledger.position.stage, Turning)
    assert "You play" not in console.text


def test_before_the_cards_nothing_can_be_played():
    console = ScriptedConsole("33", "pass", "hint", "hand", "quit", "yes")
    host(console)
    assert console.lines.count("There is nothing to play now. Type ? for help.") == 2
    assert "A hint is given in your turn." in console.lines
    assert "You hold no cards." in console.lines


def test_what_can_be_asked_at_the_table():
    console, _table = at_first_turn("hint", "hand", "t", "who", "scores", "log 2", "rules", "?")
    text = console.text
    assert "The best first; type the cards, not the number:\n1. " in text
    assert console.text.count("Your hand, 13 cards: ") >= 3
    assert 'Seat 1: "Seat 0", that is you, a bot; key ' in text
    assert 'Scores: you 0, "Seat 1" 0, "Seat 2" 0.' in console.lines
    assert "What beats what" in text
    assert "pause: ask for a pause: while most" in text
    assert "quit or q or leave: leave the table for good; says what that costs" in text


def test_the_log_repeats_what_was_told_last():
    console, _table = at_first_turn("log 1")
    told = [line for line in console.lines if " passes." in line or " left." in line]
    asked = console.lines.index(told[-1])
    assert console.lines.count(told[-1]) == 2
    assert asked


@pytest.mark.parametrize("argument", ["0", "-1", "x", "99999999999999999999", "9" * 5000, "٣"])
def test_any_number_of_log_lines_may_be_asked_for(argument):
    _console, table = at_first_turn(f"log {argument}")
    assert table.left


# -- leaving -------------------------------------------------------------------------------------


def test_leaving_is_asked_once_and_says_what_it_does():
    console, table = at_first_turn("q", "no", "q", "hand", seats=4)
    question = "Leave the table for good? You hold 13 cards: you will rank below all who stay, and"
    assert console.text.count(question) == 3
    assert console.lines.count("You stay.") == 2
    assert table.left
    assert not table.person.interrupted


def test_whoever_has_never_played_is_told_once_what_to_type():
    console = ScriptedConsole(reply=follow_hints, notation=Notation.WORDS, width=10_000)
    host(console, deals=2)
    assert console.lines.count(FIRST_WORDS) == 1
    assert console.text.index(FIRST_WORDS) < console.text.index("Your turn.")


def test_leaving_a_table_of_two_ends_it():
    console, table = at_first_turn(seats=2)
    assert "That ends the table." in console.text
    assert table.session.ledger.ended or table.left


def test_whoever_runs_all_the_others_ends_the_table_by_leaving():
    _console, table = at_first_turn(seats=3)
    view = table_view(table.session, {})
    bots = [replace(seat, is_bot=True, operator=view.own) for seat in view.seats]
    with_friends = leaving_lines(replace(view, seats=(bots[0], *view.seats[1:])), "quit")
    assert "The others play on." in with_friends[0]
    alone = leaving_lines(replace(view, seats=tuple(bots)), "quit")
    assert "That ends the table." in alone[0]


def test_quit_twice_leaves():
    console = ScriptedConsole("quit", "quit")
    assert host(console).left


@pytest.mark.parametrize("stop", Stop)
def test_the_end_of_input_and_ctrl_c_keep_the_seat(stop):
    console = ScriptedConsole(stop)
    table = host(console)
    assert table.adjourned
    assert not table.left
    assert table.person.interrupted == (stop is Stop.INTERRUPT)
    assert ("The input has ended: you go." in console.lines) == (stop is Stop.END)
    assert "You keep your seat." in console.lines


def test_whoever_has_a_queen_is_told_how_to_play_it():
    told = set()
    for seed in range(5):
        console, table = at_first_turn("q", "no", seed=seed, seats=2)
        holds = any(card.rank == 9 for card in table.session.cards())
        assert ("To play a queen" in console.text) == holds
        told.add(holds)
    assert told == {True, False}


# -- going away for a while -----------------------------------------------------------------------


def test_a_pause_is_asked_for_and_ended():
    _console, table = at_first_turn("pause", "go on", "pause", "continue")
    assert table.calls == ["pause True", "pause False", "pause True", "pause False"]


@pytest.mark.parametrize("commands", [("adjourn",), ("quit", "adjourn")])
def test_adjourning_keeps_the_seat_and_says_how_to_come_back(commands):
    console, table = at_first_turn(*commands)
    assert table.adjourned
    assert not table.left
    assert "You keep your seat." in console.lines
    assert "Come back with `p2pclimb resume`." in console.text
    assert "You stay." not in console.lines
    assert ("adjourn to go and keep your seat" in console.text) == ("quit" in commands)


def test_before_there_is_a_table_nobody_can_pause_or_adjourn():
    console, lobby = in_lobby("pause", "go", "adjourn", Stop.END)
    assert console.lines.count("The table is not open yet.") == 3
    assert lobby.calls == ["adjourn"]


# -- the lobby -----------------------------------------------------------------------------------


ARRIVALS = (GuestCame(1, GUEST), RosterChanged(ROSTER, 0))


def test_notices_that_come_before_the_player_runs_are_shown():
    console, lobby = in_lobby("quit", "y", notices=ARRIVALS)
    assert console.lines[0].startswith("Bob takes seat 2 (key ")
    assert console.lines[1] == "1 of 2 seats are taken."
    assert lobby.calls == ["leave"]


def test_the_terms_are_shown_and_accepted():
    console, lobby = in_lobby("yes", "yes", "q", "q", notices=(TermsProposed(TERMS, 0),))
    assert "compare them aloud" in console.text
    assert lobby.calls == ["accept", "leave"]
    assert "Nothing was asked." in console.lines


def test_the_terms_can_be_declined():
    _, lobby = in_lobby("rules", "no", Stop.END, notices=(TermsProposed(TERMS, 0),))
    assert lobby.calls == ["decline", "adjourn"]


def test_the_host_starts_and_anybody_may_look_around():
    console, lobby = in_lobby("start", "who", "rules", "hand", "33", Stop.END, notices=ARRIVALS)
    assert lobby.calls == ["start", "adjourn"]
    assert "Seat 2: free." in console.text
    assert "What beats what" in console.text
    assert "The table is not open yet." in console.lines
    assert "There is nothing to play now. Type ? for help." in console.lines


@pytest.mark.parametrize(("own", "asked"), [(0, "Close the lobby?"), (1, "Leave the lobby?")])
def test_a_host_closes_the_lobby_and_a_guest_leaves_it(own, asked):
    console, _ = in_lobby("quit", "y", notices=(RosterChanged(ROSTER, own),))
    assert asked in console.text


def test_a_lobby_that_closes_ends_the_player():
    console, lobby = in_lobby(notices=(LobbyClosed("the host has gone"),))
    assert console.lines == ["The lobby is over for you: the host has gone."]
    assert lobby.calls == []


def test_a_guest_is_told_what_comes_next_and_the_host_is_not():
    told = "You have a seat; the host starts the table. Type ? for help."
    guest, _ = in_lobby(Stop.END, notices=(RosterChanged(ROSTER, 1), RosterChanged(ROSTER, 1)))
    host_console, _ = in_lobby(Stop.END, notices=(RosterChanged(ROSTER, 0),))
    assert guest.lines.count(told) == 1
    assert told not in host_console.lines


def test_enter_in_the_lobby_does_nothing():
    console, lobby = in_lobby("", "ready", Stop.END, notices=())
    assert lobby.calls == ["adjourn"]
    assert console.lines == ["No deal waits for you.", "The input has ended: you go."]


# -- trouble -------------------------------------------------------------------------------------


def test_a_proved_offence_is_told_and_the_table_goes_on():
    violation = ViolationError("Bob (seat 2) lied.", seat=1, step=3, rule="proof")
    console, lobby = in_lobby(Stop.END, notices=(RuleBroken(violation),))
    assert console.lines[0] == "Bob (seat 2) lied. The log holds the proof."
    assert lobby.calls == ["adjourn"]


def test_a_peer_that_floods_with_rubbish_gets_one_line():
    faults = [PeerFault(bytes(32), f"Rubbish {n}.") for n in range(100)]
    console, _ = in_lobby(Stop.END, notices=(*faults, PeerFault(b"\x01" * 32, "Other.")))
    assert len([line for line in console.lines if line.startswith("Dropped")]) == 2


def test_connections_are_told():
    console, _ = in_lobby(Stop.END, notices=(RosterChanged(ROSTER, 1), LinkUp(0)))
    assert console.lines[-2] == "Bob is connected."
