"""Sealed secrets on disk: durable, opened by one identity only, gone when they are destroyed."""

import pytest
from simulator import seeded_entropy

from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import MalformedError, StoreError, UnsupportedError
from p2pclimb.store import files
from p2pclimb.store.sealedfile import SealedFile

ANA, BINH = (Identity.new(seeded_entropy(name)).sealing_key() for name in ("Ana", "Binh"))


def open_sealed(path, key=ANA):
    return SealedFile.open(path, key, seeded_entropy("nonces"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.climb.secrets"


def test_what_is_sealed_is_on_disk_and_opens_with_the_same_identity(path):
    open_sealed(path).seal(b"head", b"the secret scalar")
    assert open_sealed(path).secrets() == {b"head": b"the secret scalar"}
    assert b"secret scalar" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600


def test_another_identity_opens_nothing(path):
    open_sealed(path).seal(b"head", b"secret")
    with pytest.raises(MalformedError, match="another identity"):
        open_sealed(path, BINH).secrets()


def test_a_secret_under_another_name_does_not_open(path):
    sealed = open_sealed(path)
    sealed.seal(b"first", b"secret")
    sealed._file.put(b"second", sealed._file.values[b"first"])
    with pytest.raises(MalformedError):
        open_sealed(path).secrets()


def test_what_is_destroyed_is_gone_from_the_file(path):
    sealed = open_sealed(path)
    sealed.seal(b"first", b"one")
    kept = sealed._file.values[b"first"]
    sealed.seal(b"second", b"two")
    sealed.destroy([b"first", b"unknown"])
    assert open_sealed(path).secrets() == {b"second": b"two"}
    assert kept not in path.read_bytes()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_damage_and_a_newer_format_are_told_apart(path):
    open_sealed(path).seal(b"head", b"secret")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(MalformedError, match="cannot see its hand"):
        open_sealed(path)
    path.write_bytes(b"CLSEALS\x02" + bytes(100))
    with pytest.raises(UnsupportedError, match="format 2"):
        open_sealed(path)


def test_a_disk_that_fails_leaves_the_secrets_as_they_were(path, monkeypatch):
    sealed = open_sealed(path)
    sealed.seal(b"first", b"one")

    def fail(descriptor):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(files, "flush_to_disk", fail)
        with pytest.raises(StoreError):
            sealed.seal(b"second", b"two")
    assert sealed.secrets() == open_sealed(path).secrets() == {b"first": b"one"}


def test_its_repr_holds_no_key_and_no_secret(path):
    sealed = open_sealed(path)
    sealed.seal(b"head", b"the secret")
    assert repr(ANA)[2:-1] not in repr(sealed)
    assert "the secret" not in repr(sealed)
