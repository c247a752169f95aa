"""`host`, `join` and `bot` through pipes: invitations good and bad, and signals in every place."""

import json
import re
import signal
import socket
from dataclasses import replace

import pytest
from commands import eventually, processes_with, run

from p2pclimb.net.invitation import parse_invitation


def wrapped(invitation):
    """Return an invitation as a chat shows it: broken into lines, quoted, with words around it."""
    lines = re.findall(".{1,40}", invitation)
    return "\n".join(["Here it is:", *(f"> {line}" for line in lines), "see you!", ""])


def host(start, *words, home="ana"):
    """Start a host, and return it once it prints its invitations."""
    program = start(home, "host", "--listen", "127.0.0.1", "--name", "Ana", *words)
    program.shows("type start")
    return program


def join(start, home, invitation, *words):
    program = start(home, "join", "-", "--listen", "127.0.0.1", "--name", home.title(), *words)
    program.type(wrapped(invitation))
    program.shows("seats are taken")
    return program


def begin(ana, *guests):
    """Let everybody accept the terms, and wait until somebody leads."""
    ana.type("start", "yes")
    for guest in guests:
        guest.shows("type yes or no")
        guest.type("yes")
    for program in (ana, *guests):
        program.shows("lead")


# -- invitations ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda text: "https://example.org/", "not an invitation"),
        (lambda text: "", "not an invitation"),
        (lambda text: text[: len(text) // 2], "cut short"),
        (
            lambda text: text.replace(text[40:44], "AAAA" if text[40:44] != "AAAA" else "BBBB"),
            "damaged",
        ),
        (lambda text: text.replace("p2pclimb1:", "p2pclimb2:"), "version 2"),
    ],
)
def test_an_invitation_that_is_none_is_told_apart(tmp_path, start, spoil, said):
    invitation = host(start, "--seats", 2).invitations()[0]
    for command in ("join", "bot"):
        code, out, err = run(tmp_path / "binh", command, "-", given=spoil(invitation) + "\n\n")
        assert (code, out) == (2, "")
        assert said in err
        assert err.splitlines()[-1].count(".") >= 1


def test_an_invitation_is_read_from_a_file_and_admits_one_person(tmp_path, start):
    ana = host(start, "--seats", 3)
    first, second = ana.invitations(2)
    file = tmp_path / "invitation.txt"
    file.write_text(wrapped(first), encoding="utf-8")
    binh = start("binh", "join", file, "--listen", "127.0.0.1", "--name", "Binh")
    binh.shows("2 of 3 seats are taken")
    chi = start("chi", "join", file, "--listen", "127.0.0.1", "--name", "Chi")
    assert chi.end() == 7
    assert "used by somebody else" in chi.text
    ana.shows("Chi was turned away")
    join(start, "chi", second).shows("3 of 3 seats are taken")


def test_a_host_that_is_gone_and_one_that_is_another_are_told_with_the_address(start):
    first, second = host(start, "--seats", 2), host(start, "--seats", 2, home="bea")
    invitations = [program.invitations()[0] for program in (first, second)]
    first.type("quit", "yes")
    assert first.end() == 0
    invitations[1] = replace(parse_invitation(invitations[1]), host_key=b"\x09" * 32).to_text()
    guests = []
    for home, invitation in zip(("binh", "chi"), invitations, strict=True):
        guests.append(start(home, "join", "-", "--listen", "127.0.0.1", "--name", home))
        guests[-1].type(invitation)
        guests[-1].shows("Asking the host for a seat")
    for guest, said in zip(
        guests, ("Nobody answers at", "is not the one of this invitation"), strict=True
    ):
        assert guest.end() == 6
        assert said in guest.text
        assert "127.0.0.1" in guest.text
        assert "Ask the host" in guest.text


def test_a_taken_name_is_refused_with_a_way_out(start):
    ana = host(start, "--seats", 2)
    binh = start("binh", "join", "-", "--listen", "127.0.0.1", "--name", "ANA")
    binh.type(ana.invitations()[0])
    assert binh.end() == 7
    assert "--name" in binh.text


# -- hosting -------------------------------------------------------------------------------------


def test_a_port_in_use_is_told_with_a_way_out(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        words = ["host", "--listen", "127.0.0.1", "--port", port, "--bots", 1, "--name", "Ana"]
        code, out, err = run(tmp_path, *words, given="")
    assert (code, out) == (6, "")
    assert f"Port {port} is in use" in err
    assert "--port" in err
    assert not list(tmp_path.glob("bots-*"))


@pytest.mark.parametrize("bots", [-1, 3])
def test_bots_that_do_not_fit_are_refused(tmp_path, bots):
    code, _, err = run(tmp_path, "host", "--seats", 3, "--bots", bots)
    assert code == 2
    assert "--bots 0 to 2" in err


def test_a_host_who_is_alone_cannot_start_and_is_told_why(start):
    ana = host(start, "--seats", 3)
    ana.type("start")
    ana.shows("Nobody else is here yet")
    ana.type("who", "yes")
    ana.shows("Nothing was asked")
    ana.type("quit", "yes")
    assert ana.end() == 0


def test_a_guest_cannot_start_and_may_decline(start):
    ana = host(start, "--seats", 2)
    binh = join(start, "binh", ana.invitations()[0])
    binh.type("start")
    binh.shows("Only the host")
    ana.type("start")
    binh.shows("type yes or no")
    binh.type("no")
    assert binh.end() == 0
    ana.shows("Binh gives up seat 2: declined the terms")
    ana.shows("terms that were proposed are void")
    ana.type("quit", "yes")
    assert ana.end() == 0


def test_a_guest_who_comes_late_makes_everybody_accept_anew(start):
    ana = host(start, "--seats", 3)
    first, second = ana.invitations(2)
    binh = join(start, "binh", first)
    ana.type("start", "yes")
    binh.shows("The terms for 2 seats")
    chi = join(start, "chi", second)
    for program in (ana, binh):
        program.shows("terms that were proposed are void")
    ana.type("start", "yes")
    for guest in (binh, chi):
        guest.shows("The terms for 3 seats")
        guest.type("yes")
    for program in (ana, binh, chi):
        program.shows("Everybody has signed the terms")


def test_a_bot_of_one_s_own_takes_a_seat_and_plays(start):
    ana = host(start, "--seats", 2, "--set", "deals=1")
    bot = start("robo", "bot", "-", "--listen", "127.0.0.1", "--name", "Robo")
    bot.type(ana.invitations()[0])
    ana.shows("Robo, a bot, takes seat 2")
    ana.type("start", "yes")
    ana.shows("Everybody has signed the terms")
    ana.shows("lead")
    ana.type("quit", "yes")
    assert ana.end() == 0
    assert bot.end() == 0
    (log,) = (bot.home / "tables").glob("*-seat2.climb")
    assert run(bot.home, "audit", log)[0] == 0


# -- signals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_host_that_is_stopped_keeps_the_seat_and_its_bots_theirs(start, number):
    ana = host(start, "--seats", 3, "--bots", 1)
    ana.shows("a bot, takes seat")
    binh = join(start, "binh", ana.invitations()[0])
    begin(ana, binh)
    assert len(processes_with(ana.home)) == 1
    ana.send(number)
    assert ana.end() == 130
    ana.shows(r"Come back to the table: p2pclimb resume \S+")
    assert processes_with(ana.home) == []
    for name in ("Ana", "Binh-bot"):
        binh.shows(f"{name} is away")
    assert "leaving the table" not in binh.text
    binh.type("quit", "yes")
    assert binh.end() == 0
    (log,) = (binh.home / "tables").glob("*.climb")
    assert run(binh.home, "audit", log)[0] == 3
    contacts = json.loads(run(binh.home, "id", "show", "--json")[1])["contacts"]
    assert [contact["name"] for contact in contacts] == ["Ana"], "the host, but not its bot"


def test_the_bots_of_a_host_who_leaves_leave_too(start):
    ana = host(start, "--seats", 3, "--bots", 1)
    ana.shows("a bot, takes seat")
    binh = join(start, "binh", ana.invitations()[0])
    begin(ana, binh)
    ana.type("quit", "yes")
    assert ana.end() == 0
    assert processes_with(ana.home) == []
    assert not list(ana.home.glob("bots-*"))
    for name in ("Ana", "Binh-bot"):
        binh.shows(f"{name} is leaving the table")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_guest_that_is_stopped_keeps_the_seat(start, number):
    ana = host(start, "--seats", 3, "--bots", 1)
    ana.shows("a bot, takes seat")
    binh = join(start, "binh", ana.invitations()[0])
    begin(ana, binh)
    binh.send(number)
    assert binh.end() == 130
    ana.shows("Binh is away")
    assert "Binh is leaving the table" not in ana.text
    ana.type("quit", "yes")
    assert ana.end() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_is_stopped_in_the_lobby_frees_the_seat(start, number):
    ana = host(start, "--seats", 3)
    first, second = ana.invitations(2)
    binh, chi = join(start, "binh", first), join(start, "chi", second)
    binh.send(number)
    assert binh.end() == 130
    ana.shows("Binh gives up seat 2")
    ana.send(number)
    assert ana.end() == 130
    chi.shows("the host closed it")
    assert chi.end() == 0


def test_a_guest_that_is_killed_is_told_away_and_waited_for(start):
    ana = host(start, "--seats", 3, "--bots", 1)
    ana.shows("a bot, takes seat")
    binh = join(start, "binh", ana.invitations()[0])
    begin(ana, binh)
    binh.send(signal.SIGKILL)
    ana.shows("Binh is away")
    ana.type("who")
    ana.shows("Binh.*Away")
    ana.type("quit", "yes")
    assert ana.end() == 0
    eventually(lambda: processes_with(ana.home) == [], "the bot does not end")


def test_input_that_ends_is_taken_as_leaving(start):
    ana = host(start, "--seats", 2)
    binh = join(start, "binh", ana.invitations()[0])
    binh.process.stdin.close()
    assert binh.end() == 0
    ana.shows("Binh gives up seat 2")
