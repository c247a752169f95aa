"""Identities: signatures nobody can reinterpret, keys nobody can deny."""

import pytest
import zmq
from crypto_setup import Seeded
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from ge25519 import ge25519, ge25519_p3
from hypothesis import given, settings
from hypothesis import strategies as st
from zmq.utils import z85

from p2pclimb.crypto import identity as module
from p2pclimb.crypto.identity import Identity, check_identity_key, fingerprint, verify_signature
from p2pclimb.errors import MalformedError, SignatureError

ANA = Identity.new(Seeded("Ana"))
BEN = Identity.new(Seeded("Ben"))
PRIME = 2**255 - 19

SMALL_ORDER = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]
NON_CANONICAL = [
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]


def with_sign(encoding: str) -> str:
    """The same y with the sign bit of x set."""
    data = bytearray.fromhex(encoding)
    data[-1] |= 0x80
    return data.hex()


def test_key_of_rfc_8032_test_1():
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    identity = Identity.from_seed(seed)
    assert identity.public.hex() == public
    assert identity.seed == seed
    check_identity_key(identity.public)


def test_signatures_verify_for_their_key_label_and_message_alone():
    signature = ANA.sign(b"label", b"message")
    verify_signature(ANA.public, b"label", b"message", signature)
    for public, label, message in (
        (BEN.public, b"label", b"message"),
        (ANA.public, b"other", b"message"),
        (ANA.public, b"label", b"messages"),
        (ANA.public, b"labelm", b"essage"),
        (ANA.public, b"", b"labelmessage"),
    ):
        with pytest.raises(SignatureError):
            verify_signature(public, label, message, signature)


def test_signature_covers_the_length_prefixed_label():
    signature = ANA.sign(b"label", b"message")
    Ed25519PublicKey.from_public_bytes(ANA.public).verify(signature, b"\0\0\0\x05labelmessage")


def test_second_form_of_a_signature_is_refused():
    """S + L satisfies the equation, too; signatures are stored and compared as bytes."""
    order = 2**252 + 27742317777372353535851937790883648493
    signature = ANA.sign(b"label", b"message")
    s = int.from_bytes(signature[32:], "little") + order
    with pytest.raises(SignatureError):
        verify_signature(
            ANA.public, b"label", b"message", signature[:32] + s.to_bytes(32, "little")
        )


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(64), bytes(65), None, "x" * 64, 7])
def test_what_is_no_signature_is_refused(signature):
    with pytest.raises(SignatureError):
        verify_signature(ANA.public, b"label", b"message", signature)


@pytest.mark.parametrize("public", [b"", bytes(31), bytes(33), None, "x" * 32, b"\xff" * 32])
def test_what_is_no_key_verifies_nothing_and_is_malformed(public):
    with pytest.raises(SignatureError):
        verify_signature(public, b"label", b"message", bytes(64))
    with pytest.raises(MalformedError):
        check_identity_key(public)


@settings(max_examples=50, deadline=None)
@given(st.binary(min_size=64, max_size=64), st.binary(min_size=32, max_size=32))
def test_only_signature_errors_escape(signature, public):
    with pytest.raises(SignatureError):
        verify_signature(public, b"label", b"message", signature)


@pytest.mark.parametrize("encoding", SMALL_ORDER + [with_sign(e) for e in SMALL_ORDER])
def test_keys_of_small_order_are_refused(encoding):
    with pytest.raises(MalformedError, match="small order"):
        check_identity_key(bytes.fromhex(encoding))


@pytest.mark.parametrize("encoding", NON_CANONICAL + [with_sign(e) for e in NON_CANONICAL])
def test_non_canonical_keys_are_refused(encoding):
    with pytest.raises(MalformedError, match="canonically"):
        check_identity_key(bytes.fromhex(encoding))


def test_small_order_is_why_a_key_could_deny_everything():
    """Under the point of order 1 one signature fits every message: R = B and S = 1."""
    neutral = bytes.fromhex(SMALL_ORDER[1])
    signature = bytes.fromhex("58" + "66" * 31) + (1).to_bytes(32, "little")
    for message in (b"I pass", b"I did not pass"):
        verify_signature(neutral, b"label", message, signature)
    with pytest.raises(MalformedError):
        check_identity_key(neutral)


def test_list_of_small_orders_is_complete():
    """The eight points of small order have five y: 1, -1, two of order 8, and twice 0."""
    assert {y.to_bytes(32, "little").hex() for y in module._SMALL_ORDER} == set(SMALL_ORDER)
    assert all(ge25519.has_small_order(bytes.fromhex(encoding)) for encoding in SMALL_ORDER)


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_points_are_told_from_other_bytes_as_by_an_independent_implementation(data):
    canonical = int.from_bytes(data, "little") % 2**255 < PRIME
    on_curve = ge25519_p3.from_bytes(data).root_check == 0
    try:
        check_identity_key(data)
        accepted = True
    except MalformedError:
        accepted = False
    assert accepted == (canonical and on_curve and not ge25519.has_small_order(data))


def test_every_real_key_is_accepted():
    for number in range(40):
        check_identity_key(Identity.new(Seeded(f"key {number}")).public)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "x" * 32, None])
def test_seeds_of_another_type_or_length_are_malformed(seed):
    with pytest.raises(MalformedError):
        Identity.from_seed(seed)


def test_identity_hides_its_secret():
    for secret in (ANA.seed, ANA.curve_key_pair()[1]):
        assert repr(secret) not in repr(ANA)
        assert secret.hex() not in repr(ANA)
    assert repr(ANA) == f"Identity(public={ANA.public!r})"
    assert Identity.from_seed(ANA.seed) == ANA != BEN


def test_curve_keys_are_stable_distinct_and_agree_on_a_secret():
    (public, secret), (other_public, other_secret) = ANA.curve_key_pair(), BEN.curve_key_pair()
    assert ANA.curve_key_pair() == (public, secret)
    assert ANA.seed not in (public, secret)
    ours = X25519PrivateKey.from_private_bytes(secret)
    theirs = X25519PrivateKey.from_private_bytes(other_secret)
    assert ours.exchange(X25519PublicKey.from_public_bytes(other_public)) == theirs.exchange(
        X25519PublicKey.from_public_bytes(public)
    )


def test_curve_keys_are_what_zeromq_derives():
    public, secret = ANA.curve_key_pair()
    assert zmq.curve_public(z85.encode(secret)) == z85.encode(public)


def test_curve_key_vector():
    public, _ = Identity.from_seed(bytes(range(32))).curve_key_pair()
    assert public.hex() == "a4452f8f0ac5925018a85ba02e63eff0a1c18e599de246af8af4830970fa595b"


def test_fingerprints_are_five_groups_of_four():
    assert fingerprint(bytes(range(32))) == "p3ra-szs4-3rqa-vach-ez3r"
    assert fingerprint(ANA.public) != fingerprint(BEN.public)
