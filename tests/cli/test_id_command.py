import json
import os
import pty
import subprocess
import sys
from datetime import date

import pytest

from p2pclimb.cli.main import main
from p2pclimb.crypto.identity import fingerprint
from p2pclimb.store.contacts import remember_contact
from p2pclimb.store.keystore import read_identity


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("P2PCLIMB_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def type_in(monkeypatch, tmp_path):
    typed = tmp_path / "typed"

    def give(text):
        typed.write_text(text)
        monkeypatch.setattr(sys, "stdin", typed.open())

    return give


def identity_of(home):
    return read_identity(home / "identity")


def test_a_new_identity_is_shown_with_its_fingerprint(home, capsys):
    assert main(["id", "new", "Ana", "--no-passphrase"]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"Ana  {fingerprint(identity_of(home).public)}\n"
    assert "No passphrase" in captured.err
    assert main(["id", "show"]) == 0
    assert capsys.readouterr() == captured


def test_two_identities_differ(home, tmp_path):
    main(["id", "new", "Ana", "--no-passphrase"])
    main(["id", "new", "Ana", "--no-passphrase", "--data-dir", str(tmp_path / "other")])
    assert identity_of(home).public != identity_of(tmp_path / "other").public


def test_a_passphrase_is_read_from_standard_input(home, type_in, capsys):
    type_in("open sesame\n")
    assert main(["id", "new", "Ana"]) == 0
    assert "No passphrase" not in capsys.readouterr().err
    assert identity_of(home).is_sealed
    assert identity_of(home).unlock("open sesame").public == identity_of(home).public


def test_nobody_to_ask_is_told_and_nothing_is_made(home, type_in, capsys):
    type_in("")
    assert main(["id", "new", "Ana"]) == 2
    assert "passphrase is needed" in capsys.readouterr().err
    assert not home.exists()


def test_the_passphrase_can_be_set_changed_and_removed(home, type_in):
    main(["id", "new", "Ana", "--no-passphrase"])
    public = identity_of(home).public
    for typed, opens_with in [("one\n", "one"), ("one\ntwo\n", "two"), ("two\n\n", None)]:
        type_in(typed)
        assert main(["id", "passphrase"]) == 0
        assert identity_of(home).unlock(opens_with).public == public
    assert not identity_of(home).is_sealed
    assert [p.name for p in home.iterdir()] == ["identity"]


def test_a_wrong_passphrase_changes_nothing(home, type_in, capsys):
    type_in("one\n")
    main(["id", "new", "Ana"])
    before = (home / "identity").read_bytes()
    type_in("two\nthree\n")
    assert main(["id", "passphrase"]) == 4
    assert "not the passphrase" in capsys.readouterr().err
    assert (home / "identity").read_bytes() == before


def test_export_and_import_move_an_identity(home, tmp_path, type_in, capsys):
    main(["id", "new", "Ana", "--no-passphrase"])
    capsys.readouterr()
    assert main(["id", "export"]) == 0
    exported = capsys.readouterr()
    assert "secret" in exported.err
    assert "one machine at a time" in exported.err
    other = tmp_path / "other"
    type_in(exported.out)
    assert main(["id", "import", "--data-dir", str(other)]) == 0
    assert identity_of(other).unlock(None).seed == identity_of(home).unlock(None).seed
    file = tmp_path / "identity.txt"
    file.write_text(exported.out)
    assert main(["id", "import", str(file), "--data-dir", str(tmp_path / "third")]) == 0
    assert identity_of(tmp_path / "third").public == identity_of(home).public


def test_an_identity_is_never_lost_to_another(home, tmp_path, type_in, capsys):
    main(["id", "new", "Ana", "--no-passphrase"])
    main(["id", "new", "Bea", "--no-passphrase", "--data-dir", str(tmp_path / "bea")])
    ana = (home / "identity").read_bytes()
    capsys.readouterr()
    main(["id", "export", "--data-dir", str(tmp_path / "bea")])
    text = capsys.readouterr().out
    for words in (["new", "Carl", "--no-passphrase"], ["import"]):
        type_in(text)
        assert main(["id", *words]) == 4
        assert "--replace" in capsys.readouterr().err
    for words in (["new", "\u200d", "--no-passphrase", "--replace"], ["import", "--replace"]):
        type_in("no identity at all")
        assert main(["id", *words]) == 2
    assert [p.name for p in home.iterdir()] == ["identity"]
    type_in(text)
    assert main(["id", "import", "--replace"]) == 0
    assert identity_of(home).name == "Bea"
    assert (home / "identity.old").read_bytes() == ana


def test_show_lists_contacts(home, capsys):
    main(["id", "new", "Ana", "--no-passphrase"])
    remember_contact(home / "contacts.toml", "Bea", bytes(32), date(2026, 1, 5))
    capsys.readouterr()
    assert main(["id", "show"]) == 0
    assert f"Bea  {fingerprint(bytes(32))}  since 2026-01-05" in capsys.readouterr().out


def test_json_shows_the_same_and_no_secret(home, capsys):
    main(["id", "new", "Ana", "--no-passphrase"])
    remember_contact(home / "contacts.toml", "Bea", bytes(32), date(2026, 1, 5))
    capsys.readouterr()
    assert main(["id", "show", "--json"]) == 0
    out = capsys.readouterr().out
    public = identity_of(home).public
    assert json.loads(out) == {
        "name": "Ana",
        "fingerprint": fingerprint(public),
        "key": public.hex(),
        "passphrase": False,
        "file": str(home / "identity"),
        "contacts": [
            {
                "name": "Bea",
                "fingerprint": fingerprint(bytes(32)),
                "key": "00" * 32,
                "first_seen": "2026-01-05",
            }
        ],
    }
    assert identity_of(home).unlock(None).seed.hex() not in out


def test_json_export_is_one_object(home, capsys):
    main(["id", "new", "Ana", "--no-passphrase"])
    capsys.readouterr()
    assert main(["id", "export", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["identity"].startswith("p2pclimb-identity:")


def test_without_an_identity_show_says_what_to_do(home, capsys):
    assert main(["id", "show"]) == 4
    assert "id new" in capsys.readouterr().err


def at_a_terminal(words, typed):
    """Run a command at a terminal of its own; type a line at each prompt."""
    parent, child = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "p2pclimb", *words],
        stdin=child, stdout=child, stderr=child, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(child)
        seen = b""
        for line in typed:
            before = seen.count(b": ")
            while seen.count(b": ") == before:
                seen += os.read(parent, 1000)
            os.write(parent, line)
        try:
            while more := os.read(parent, 1000):
                seen += more
        except OSError:  # how Linux says that the other end has closed
            pass
    os.close(parent)
    return process.returncode, seen.decode()


def test_at_a_terminal_a_passphrase_is_typed_twice_and_not_echoed(home):
    code, seen = at_a_terminal(["id", "new", "Ana"], [b"sesame\n", b"sesame\n"])
    assert code == 0
    assert "sesame" not in seen
    assert identity_of(home).unlock("sesame").public == identity_of(home).public


def test_at_a_terminal_two_different_passphrases_are_refused(home):
    code, seen = at_a_terminal(["id", "new", "Ana"], [b"sesame\n", b"sesam\n"])
    assert code == 2
    assert "differ" in seen
    assert not home.exists()


def test_at_a_terminal_end_of_input_is_told(home):
    code, seen = at_a_terminal(["id", "new", "Ana"], [b"\x04"])
    assert code == 2
    assert "passphrase is needed" in seen
