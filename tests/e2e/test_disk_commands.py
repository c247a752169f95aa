"""Disks that fail under the real commands: clear words, exit codes, and nothing destroyed."""

import json
import os
import signal
from pathlib import Path

from commands import run
from tables_of_two import hand, the_log, two_players

SMALL = ("sh", "-c", 'ulimit -f 60; exec "$@"', "sh")  # no file of more than 30 KB


def killed(program):
    program.send(signal.SIGKILL)
    program.process.wait()


def test_a_disk_that_is_full_ends_the_table_with_one_sentence_and_it_can_be_resumed(start):
    ana = start("ana", "play", "--seats", 3, "--name", "Ana", under=SMALL)
    assert ana.end() == 4
    ana.shows(r"Cannot write (to )?\S+: the file may not become so large")
    ana.shows(r"Come back to the table: p2pclimb resume")
    assert run(ana.home, "audit", the_log(ana))[0] == 3
    back = start("ana", "resume")
    back.shows("Your hand, 13 cards")
    assert back.quit() == 0


def test_a_directory_that_cannot_be_written_is_named(tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    # To the superuser only the kernel's own file systems say no.
    home = locked if os.geteuid() else Path("/sys/p2pclimb")
    for words in (["play"], ["demo"], ["host"], ["id", "new", "Ana"]):
        code, _, said = run(tmp_path, *words, "--data-dir", home, given="\n")
        assert code == 4
        assert str(home) in said
        assert "--data-dir" in said


def test_a_torn_tail_is_cut_off_with_a_copy_kept(start):
    ana, binh = two_players(start)
    cards = hand(ana)
    killed(ana)
    log = the_log(ana)
    whole = log.read_bytes()
    log.write_bytes(whole[:-7])
    back = start("ana", "resume")
    copy = Path(back.shows(r"The log had a torn end, cut off and kept as (\S+)\.\n")[1])
    assert whole[:-7].endswith(copy.read_bytes())
    back.type("start")
    back.shows("The table has begun already")
    back.type("hand")
    assert hand(back) == cards
    for program in (back, binh):
        assert program.quit() == 0


def test_damage_in_the_middle_is_refused_and_repaired_and_what_was_cut_comes_from_the_others(start):
    ana, binh = two_players(start)
    cards = hand(ana)
    killed(ana)
    log = the_log(ana)
    damaged = bytearray(log.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    log.write_bytes(damaged)
    for words in (["resume"], ["resume", log], ["audit", log]):
        code, out, said = run(ana.home, *words, given="")
        assert code == 4
        assert "is damaged at byte" in out + said
    assert log.read_bytes() == damaged
    code, out, _ = run(ana.home, "log", "repair", log, "--json")
    assert code == 0
    assert Path(json.loads(out)["copy"]).read_bytes() == damaged
    back = start("ana", "resume")
    back.shows("Your hand, 13 cards")
    assert hand(back) == cards
    for program in (back, binh):
        assert program.quit() == 0
    assert run(ana.home, "audit", log)[0] in (0, 3)


def test_one_log_has_one_process(start):
    ana, _binh = two_players(start)
    log = the_log(ana)
    before = log.read_bytes()
    for words in (["resume"], ["resume", log], ["log", "repair", log]):
        code, _, said = run(ana.home, *words, given="")
        assert code == 7
        assert f"is in use by process {ana.process.pid}" in said
        assert "Come back" not in said
    assert log.read_bytes().startswith(before)
    assert run(ana.home, "audit", log)[0] == 3
    assert json.loads(run(ana.home, "log", "list", "--json")[1])["unfinished"] is True
