"""People at real terminals: what is typed is played, and every end leaves the terminal sane."""

import os
import re
import signal
from pathlib import Path

import pytest
from commands import SUITS, eventually, processes_with

LISTEN = ("--listen", "127.0.0.1")


def host(terminal, *words):
    ana = terminal("ana")
    ana.run("host", *LISTEN, "--name", "Ana", *words)
    ana.shows("type start")
    return ana, re.findall(r"p2pclimb1:\S+", ana.text)


def join(terminal, name, invitation):
    """Run `join`, and paste the invitation as a chat has wrapped it."""
    guest = terminal(name.lower())
    guest.run("join", *LISTEN, "--name", name)
    guest.shows("Paste the invitation")
    for line in re.findall(".{1,70}", invitation):
        guest.type(line)
    guest.shows("seats are taken")
    return guest


def begin(ana, *guests):
    ana.type("start")
    for each in (ana, *guests):
        each.shows("type yes or no")
        each.type("yes")


def is_over(text):
    return "Deal 1 is over" in text or "The table has ended" in text


def play_turn(player, number):
    """Ask for a hint in this player's turn `number`, and type the best play that it names."""
    player.type("hint")

    def best():
        asked = player.text.split("> hint")
        return len(asked) > number and re.search(r"^1\. ([^(\n]+)", asked[number], re.MULTILINE)

    found = eventually(best, lambda: player.text)
    player.type(found[1].translate(SUITS).strip())


def whose_turn(players, played):
    """Return who is asked to play and has not yet; None when the deal is over."""

    def found():
        for number, player in enumerate(players):
            text = player.text
            if is_over(text):
                return "over"
            if text.count("Your turn.") > played[number]:
                return str(number)
        return None

    number = eventually(found, lambda: players[0].text)
    return None if number == "over" else int(number)


def play_deal(players):
    """Play a whole deal by typing, everybody in turn."""
    played = [0] * len(players)
    while (number := whose_turn(players, played)) is not None:
        played[number] += 1
        play_turn(players[number], played[number])


def test_four_people_at_four_terminals_play_a_deal_by_typing(terminal):
    ana, invitations = host(terminal, "--seats", "4")
    guests = [
        join(terminal, name, invitation)
        for name, invitation in zip(("Binh", "Chi", "Dung"), invitations, strict=True)
    ]
    players = [ana, *guests]
    begin(ana, *guests)
    play_deal(players)
    results = {player.shows(r"Deal 1 is over: .*")[0].count("+1") for player in players}
    assert len(results) == 1
    # One quits between the deals, the others begin the next one without that seat.
    guests[2].type("quit")
    guests[2].shows("Leave the table for good")
    guests[2].type("yes")
    assert guests[2].exit_code() == 0
    assert guests[2].is_sane()
    for player in players[:3]:
        player.shows("Dung is leaving")
        player.type("")
    for player in players[:3]:
        player.shows(r"Deal 2: everybody has committed")
    # The others are interrupted, each at a terminal.
    for player in players[:3]:
        player.key("C-c")
        assert player.exit_code() == 130
        assert player.is_sane()
        assert "Traceback" not in player.text


def test_a_host_with_bots_and_a_friend_is_interrupted_in_the_middle_of_a_deal(terminal):
    ana, (invitation,) = host(terminal, "--seats", "4", "--bots", "2")
    ana.shows("a bot, takes seat 3")
    binh = join(terminal, "Binh", invitation)
    begin(ana, binh)
    binh.shows("leads?")
    assert len(processes_with(ana.home)) == 2
    ana.key("C-c")
    assert ana.exit_code() == 130
    assert ana.is_sane()
    assert processes_with(ana.home) == []
    for name in ("Ana", "Binh-bot", "Chi-bot"):
        binh.shows(f"{name} is away")
    assert "leaving the table" not in binh.text
    binh.key("C-d")
    assert binh.exit_code() == 0
    assert binh.is_sane()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_a_prompt_restores_the_terminal_and_takes_the_bots_along(terminal, number):
    tam = terminal("tam")
    tam.run("play", "--seats", "3", "--name", "Tam", "--data-dir", tam.home)
    tam.shows("leads?")
    (pid,) = processes_with(tam.home, "p2pclimb play")
    os.kill(pid, number)
    assert tam.exit_code() == 130
    assert tam.is_sane()
    assert processes_with(tam.home) == []
    tam.shows(r"Come back to the table: p2pclimb resume \S+")


def test_a_terminal_that_is_closed_takes_the_bots_along(terminal):
    tam = terminal("tam")
    tam.run("play", "--seats", "3", "--name", "Tam")
    tam.shows("leads?")
    assert len(processes_with(tam.home)) == 2
    tam.kill()
    eventually(lambda: processes_with(tam.home) == [], "the bots do not end")
    assert len(list(tam.home.glob("bots-*/*/tables/*.identity"))) == 2, "to come back with"


def test_play_says_what_leaving_does_and_asks_once(terminal):
    tam = terminal("tam")
    tam.run("play", "--seats", "2", "--name", "Tam", "--seed", "3")
    tam.shows("leads?")
    tam.type("quit")
    tam.shows("That ends the table")
    tam.type("no")
    tam.shows("You stay")
    tam.type("quit")
    tam.shows("(?s)That ends the table.*That ends the table")
    tam.type("yes")
    assert tam.exit_code() == 0
    log = tam.shows(r"^Check it: p2pclimb audit\s+(\S+\.climb)$")[1]
    assert Path(log).parent == tam.home / "tables"
    assert Path(log).exists()
    assert tam.is_sane()
    assert processes_with(tam.home) == []
