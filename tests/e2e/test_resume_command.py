"""`p2pclimb resume`: back to the same seat after a kill, an interruption, or an adjournment."""

import json
import signal

import pytest
from commands import run
from tables_of_two import hand, the_log, two_players, way_back

from p2pclimb.node.journal import is_unfinished


@pytest.mark.parametrize("who", ["ana", "binh"])
def test_a_player_who_is_killed_is_back_with_the_same_hand(start, who):
    programs = dict(zip(("ana", "binh"), two_players(start), strict=True))
    killed = programs.pop(who)
    (other,) = programs.values()
    cards = hand(killed)
    killed.send(signal.SIGKILL)
    other.shows("is away")
    back = start(who, "resume")
    back.shows("You are back at the table")
    back.type("hand")
    assert hand(back) == cards
    other.shows("away[\\s\\S]*is (back|connected)")
    assert back.quit() == 0
    assert "Come back" not in back.text
    other.shows("is leaving the table")
    assert other.quit() == 0
    assert run(other.home, "audit", the_log(other))[0] == 0


def test_everybody_adjourns_and_comes_back_by_every_name(start):
    ana, binh = two_players(start)
    cards = hand(ana)
    ana.type("adjourn")
    ana.shows("You keep your seat")
    words = way_back(ana)
    assert ana.end() == 0
    binh.send(signal.SIGINT)
    assert binh.end() == 130
    assert way_back(binh) == words
    six = json.loads(run(ana.home, "log", "list", "--json")[1])["table"]
    ana = start("ana", "resume", *six.split())
    binh = start("binh", "resume", words[1][:4])
    for program in (ana, binh):
        program.shows("You are back at the table")
        program.shows("Your turn|to play|leads?")
    ana.type("hand")
    assert hand(ana) == cards
    for program in (binh, ana):
        assert program.quit() == 0
    code, _, said = run(binh.home, "resume")
    assert code == 2
    assert "no table to come back to" in said
    code, _, said = run(ana.home, "resume", the_log(ana), given="")
    assert code == 0
    assert "complete" in said or "left this table for good" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_bots_come_back_with_the_player_who_runs_them(start, number):
    ana = start("ana", "play", "--seats", 3, "--name", "Ana", "--set", "deals=1")
    ana.shows("Your hand, 13 cards")
    cards = hand(ana)
    ana.send(number)
    if number is signal.SIGKILL:
        back = start("ana", "resume")
    else:
        assert ana.end() == 130
        back = start("ana", *way_back(ana))
    assert len(list(ana.home.glob("bots-*/"))) == 1
    back.shows("You are back at the table")
    back.type("hand")
    assert hand(back) == cards
    back.shows(r"is connected[\s\S]*is connected")
    assert back.quit() == 0
    assert not list(ana.home.glob("bots-*/"))
    assert not is_unfinished(the_log(back))
