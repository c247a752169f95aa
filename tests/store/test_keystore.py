import hashlib
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.crypto.identity import Identity
from p2pclimb.crypto.seal import Stretching, StretchingFunction
from p2pclimb.errors import ClimbError, KeystoreError, UnsupportedError, UsageError
from p2pclimb.store import keystore
from p2pclimb.store.keystore import export_text, import_text, read_identity, write_identity

ANA = Identity.from_seed(bytes(range(32)))
CHEAP = Stretching(StretchingFunction.ARGON2ID, memory=64, passes=1, lanes=1)
CHEAP_SCRYPT = Stretching(StretchingFunction.SCRYPT, memory=64, passes=1, lanes=1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "identity"


def write(path, passphrase=None, stretching=CHEAP, name="Ana"):
    write_identity(path, name, ANA, passphrase, os.urandom, stretching)
    return path.read_bytes()


def with_digest(content):
    return content + hashlib.sha256(content).digest()


@pytest.mark.parametrize("passphrase", [None, "open sesame", "mật khẩu"])
@pytest.mark.parametrize("stretching", [CHEAP, CHEAP_SCRYPT])
def test_an_identity_is_read_back(path, passphrase, stretching):
    write(path, passphrase, stretching)
    stored = read_identity(path)
    assert (stored.name, stored.public) == ("Ana", ANA.public)
    assert stored.is_sealed == (passphrase is not None)
    assert stored.unlock(passphrase).seed == ANA.seed


def test_the_key_is_in_the_file_only_without_a_passphrase(path):
    assert ANA.seed in write(path)
    assert ANA.seed not in write(path, "passphrase")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["identity"]


def test_a_passphrase_may_be_typed_with_composed_or_separate_accents(path):
    write(path, "m\u1eadt")
    assert read_identity(path).unlock("ma\u0323\u0302t").seed == ANA.seed


@pytest.mark.parametrize("passphrase", ["wrong", "Passphrase", "passphrase "])
def test_a_wrong_passphrase_is_told_from_damage(path, passphrase):
    write(path, "passphrase")
    with pytest.raises(KeystoreError, match="not the passphrase"):
        read_identity(path).unlock(passphrase)


def test_a_missing_or_empty_passphrase_is_told(path):
    write(path, "passphrase")
    with pytest.raises(KeystoreError, match="needs its passphrase"):
        read_identity(path).unlock(None)
    with pytest.raises(UsageError, match="empty"):
        write(path, "")


def test_no_error_or_repr_holds_a_secret(path):
    write(path, "passphrase")
    stored = read_identity(path)
    with pytest.raises(KeystoreError) as caught:
        stored.unlock("a wrong guess")
    assert "guess" not in str(caught.value)
    write(path)
    assert repr(ANA.seed)[2:-1] not in repr(read_identity(path))


@pytest.mark.parametrize("passphrase", [None, "passphrase"])
def test_every_flipped_bit_and_every_cut_is_noticed(path, passphrase):
    whole = write(path, passphrase)
    for bit in range(len(whole) * 8):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises((KeystoreError, UnsupportedError)):
            read_identity(path)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(KeystoreError):
            read_identity(path)


def test_the_header_is_bound_to_the_sealed_key(path):
    whole = write(path, "passphrase", name="Ana")
    path.write_bytes(with_digest(whole[:-32].replace(b"\x03Ana", b"\x03Eve")))
    assert read_identity(path).name == "Eve"
    with pytest.raises(KeystoreError):
        read_identity(path).unlock("passphrase")


def test_a_public_key_that_is_not_the_seeds_is_refused(path):
    whole = write(path)
    other = Identity.from_seed(bytes(32)).public
    path.write_bytes(with_digest(whole[:-32].replace(ANA.public, other)))
    with pytest.raises(KeystoreError, match="not its own"):
        read_identity(path).unlock(None)


def test_a_file_cannot_ask_for_a_terabyte(path):
    whole = bytearray(write(path, "passphrase")[:-32])
    assert whole[41:45] == (64).to_bytes(4, "big")
    whole[41:45] = (2**30).to_bytes(4, "big")
    path.write_bytes(with_digest(bytes(whole)))
    with pytest.raises(KeystoreError, match="damaged"):
        read_identity(path)


def test_a_newer_format_is_told_apart(path):
    path.parent.mkdir()
    path.write_bytes(b"CLIDENT\x02 whatever follows")
    with pytest.raises(UnsupportedError):
        read_identity(path)


@given(st.binary(max_size=150))
def test_only_the_error_tree_escapes_for_contents_with_a_good_digest(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("keys") / "identity"
    for data in (content, b"CLIDENT\x01" + content):
        path.write_bytes(with_digest(data))
        with pytest.raises(ClimbError):
            read_identity(path).unlock("passphrase")


def test_no_identity_says_how_to_make_one(path):
    with pytest.raises(KeystoreError, match="no identity") as caught:
        read_identity(path)
    assert "id new" in caught.value.hint


@pytest.mark.parametrize("passphrase", [None, "passphrase"])
def test_exported_text_is_imported_however_it_was_wrapped(path, tmp_path, passphrase):
    write(path, passphrase)
    text = export_text(path)
    assert "\n" not in text
    assert text.isascii()
    wrapped = "\n  ".join(text[i : i + 40] for i in range(0, len(text), 40)).upper()
    elsewhere = tmp_path / "elsewhere" / "identity"
    assert import_text(elsewhere, wrapped) is None
    assert elsewhere.read_bytes() == path.read_bytes()
    assert read_identity(elsewhere).unlock(passphrase).seed == ANA.seed


def test_damaged_text_is_refused_and_changes_nothing(path):
    whole = write(path)
    text = export_text(path)
    swapped = text[:-1] + ("a" if text[-1] != "a" else "q")
    for bad in ("", "hello", text[:-1], text[:50], swapped, text + "a", text.replace("a", "1")):
        with pytest.raises(UsageError):
            import_text(path, bad)
    assert path.read_bytes() == whole
    assert [p.name for p in path.parent.iterdir()] == ["identity"]


def test_importing_puts_an_older_identity_aside(path, tmp_path):
    older = write(path)
    write_identity(tmp_path / "new", "Bea", Identity.from_seed(bytes(32)), None, os.urandom)
    aside = import_text(path, export_text(tmp_path / "new"))
    assert aside is not None
    assert aside.read_bytes() == older
    assert read_identity(path).name == "Bea"


def test_the_name_kept_is_the_name_shown(path):
    write(path, name="\u202eAna\x1b[2J  ")
    assert read_identity(path).name == "Ana[2J"
    with pytest.raises(UsageError):
        write(path, name="\u200d")


def test_memory_that_is_not_there_is_told(path, monkeypatch):
    def too_much(*_):
        raise MemoryError

    write(path, "passphrase")
    monkeypatch.setattr(keystore, "stretch", too_much)
    with pytest.raises(KeystoreError, match="memory"):
        read_identity(path).unlock("passphrase")
