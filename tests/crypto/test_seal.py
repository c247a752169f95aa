import os
from itertools import count

import pytest
from cryptography.exceptions import UnsupportedAlgorithm

from p2pclimb.crypto import seal
from p2pclimb.crypto.seal import Stretching, StretchingFunction
from p2pclimb.errors import MalformedError, UnsupportedError

KEY = bytes(range(32))
ARGON2ID, SCRYPT = StretchingFunction


def counting():
    """Entropy that never repeats and can be written down."""
    numbers = count()
    return lambda size: next(numbers).to_bytes(size, "big")


def test_what_is_sealed_is_unsealed():
    sealed = seal.seal(KEY, b"secret", b"header", os.urandom)
    assert len(sealed) == len(b"secret") + seal.SEAL_OVERHEAD
    assert seal.unseal(KEY, sealed, b"header") == b"secret"


def test_the_seal_is_chacha20_poly1305_as_in_rfc_8439():
    # RFC 8439 section 2.8.2
    key = bytes(range(0x80, 0xA0))
    nonce = bytes.fromhex("070000004041424344454647")
    text = (
        b"Ladies and Gentlemen of the class of '99: If I could offer you "
        b"only one tip for the future, sunscreen would be it."
    )
    associated = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
    sealed = seal.seal(key, text, associated, lambda size: nonce)
    assert sealed[:12] == nonce
    assert sealed[12:28].hex() == "d31a8d34648e60db7b86afbc53ef7ec2"
    assert sealed[-16:].hex() == "1ae10b594f09e26a7e902ecbd0600691"


def test_no_other_key_header_or_bit_opens_it():
    sealed = seal.seal(KEY, b"secret", b"header", os.urandom)
    with pytest.raises(MalformedError):
        seal.unseal(bytes(32), sealed, b"header")
    with pytest.raises(MalformedError):
        seal.unseal(KEY, sealed, b"HEADER")
    for bit in range(len(sealed) * 8):
        damaged = bytearray(sealed)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(MalformedError):
            seal.unseal(KEY, bytes(damaged), b"header")
    for length in range(len(sealed)):
        with pytest.raises(MalformedError):
            seal.unseal(KEY, sealed[:length], b"header")


def test_every_seal_has_a_nonce_of_its_own():
    entropy = counting()
    sealed = {seal.seal(KEY, b"secret", b"", entropy) for _ in range(5)}
    assert len({s[:12] for s in sealed}) == 5


def test_scrypt_reads_its_memory_as_n():
    # RFC 7914 section 12 has p = 16 with r = 8, N = 1024, and 64 bytes of which these are the first
    key = seal.stretch(b"password", b"NaCl", Stretching(SCRYPT, memory=1024, passes=1, lanes=16))
    assert key.hex() == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"


def test_argon2id_depends_on_passphrase_salt_and_every_cost():
    base = Stretching(ARGON2ID, memory=64, passes=1, lanes=1)
    keys = {
        seal.stretch(b"one", bytes(16), base),
        seal.stretch(b"two", bytes(16), base),
        seal.stretch(b"one", bytes([1] * 16), base),
        seal.stretch(b"one", bytes(16), Stretching(ARGON2ID, 65, 1, 1)),
        seal.stretch(b"one", bytes(16), Stretching(ARGON2ID, 64, 2, 1)),
        seal.stretch(b"one", bytes(16), Stretching(ARGON2ID, 64, 1, 2)),
    }
    assert len(keys) == 6
    assert seal.stretch(b"one", bytes(16), base) in keys


@pytest.mark.parametrize(
    "stretching",
    [
        Stretching(ARGON2ID, memory=2**32 - 1, passes=1, lanes=1),
        Stretching(ARGON2ID, memory=512 * 1024 + 1, passes=1, lanes=1),
        Stretching(ARGON2ID, memory=64, passes=2**32 - 1, lanes=1),
        Stretching(ARGON2ID, memory=64, passes=0, lanes=1),
        Stretching(ARGON2ID, memory=64, passes=1, lanes=0),
        Stretching(ARGON2ID, memory=8 * 17, passes=1, lanes=17),
        Stretching(ARGON2ID, memory=15, passes=1, lanes=2),
        Stretching(SCRYPT, memory=2**20, passes=1, lanes=1),
        Stretching(SCRYPT, memory=1000, passes=1, lanes=1),
        Stretching(SCRYPT, memory=1, passes=1, lanes=1),
        Stretching(SCRYPT, memory=1024, passes=2, lanes=1),
    ],
)
def test_costs_out_of_bounds_are_refused_before_they_are_paid(stretching):
    with pytest.raises(MalformedError, match="cost"):
        seal.stretch(b"passphrase", bytes(16), stretching)


def test_the_default_is_argon2id_where_there_is_one(monkeypatch):
    default = seal.default_stretching()
    default.check()
    assert (default.function, default.memory) == (ARGON2ID, 64 * 1024)


def test_without_argon2_the_default_is_scrypt_and_old_files_say_why(monkeypatch):
    def missing(**_):
        raise UnsupportedAlgorithm("not in this build")

    monkeypatch.setattr(seal, "Argon2id", missing)
    default = seal.default_stretching()
    default.check()
    assert default.function is SCRYPT
    with pytest.raises(UnsupportedError, match="argon2id"):
        seal.stretch(b"passphrase", bytes(16), Stretching(ARGON2ID, 64, 1, 1))
