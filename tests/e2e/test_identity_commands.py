"""One identity at a table: behind a passphrase, in two programs at once, and after a crash."""

import signal

from commands import run
from test_lobby_commands import begin, host, join, wrapped


def test_passphrase_invitation_and_answers_come_through_one_pipe(tmp_path, start):
    code, _, _ = run(tmp_path / "binh", "id", "new", "Binh", given="open sesame\n")
    assert code == 0
    ana = host(start, "--seats", 2)
    invitation = wrapped(ana.invitations()[0])
    code, out, err = run(tmp_path / "binh", "join", "-", given="sesame\n" + invitation)
    assert (code, out) == (4, "")
    assert err == "This is not the passphrase of Binh's identity. Try again.\n"
    assert "takes seat" not in ana.text
    binh = start("binh", "join", "-", "--listen", "127.0.0.1")
    binh.type("open sesame\n" + invitation)
    binh.shows("seats are taken")
    begin(ana, binh)
    assert "sesame" not in ana.text + binh.text


def test_an_identity_sits_at_a_table_once_and_sits_down_again_after_a_crash(tmp_path, start):
    ana = host(start, "--seats", 3)
    first, second = ana.invitations(2)
    binh = join(start, "binh", first)
    code, _, err = run(tmp_path / "binh", "join", "-", given=wrapped(second))
    assert code == 7
    assert "already" in err
    assert "--data-dir" in err
    binh.send(signal.SIGKILL)
    binh.process.wait()
    again = join(start, "binh", first)
    begin(ana, again)
