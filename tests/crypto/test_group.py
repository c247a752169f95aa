"""The group: vectors of RFC 9496, an independent implementation, and every refusal."""

import contextlib
import hashlib
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from crypto_setup import INVALID, MULTIPLES, RFC_9496, Seeded
from ge25519 import ge25519_p3
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pclimb.crypto import group, sodium
from p2pclimb.crypto.group import (
    IDENTITY,
    ORDER,
    Point,
    add,
    base_point,
    combine,
    decode_point,
    decode_points,
    decode_scalar,
    decode_scalars,
    encode_points,
    encode_scalar,
    encode_scalars,
    hash_to_point,
    is_identity,
    multiply,
    multiply_base,
    random_scalar,
    subtract,
    total,
)
from p2pclimb.errors import MalformedError

scalars = st.integers(0, ORDER - 1)
points = st.binary(max_size=8).map(lambda data: hash_to_point(b"test", data))


def test_multiples_of_the_generator_are_those_of_rfc_9496():
    running = IDENTITY
    for factor, encoding in enumerate(MULTIPLES):
        assert bytes(multiply_base(factor)).hex() == encoding
        assert bytes(multiply(factor, base_point())).hex() == encoding
        assert bytes(running).hex() == encoding
        running = add(running, base_point())
    assert all(bytes(decode_point(bytes.fromhex(e))).hex() == e for e in MULTIPLES[1:])


@pytest.mark.parametrize("encoding", INVALID)
def test_bad_encodings_of_rfc_9496_are_refused(encoding):
    with pytest.raises(MalformedError):
        decode_point(bytes.fromhex(encoding))


@pytest.mark.parametrize("encoding", MULTIPLES)
def test_second_encoding_with_bit_255_is_refused(encoding):
    # libsodium 1.0.18 itself accepts these.
    data = bytearray.fromhex(encoding)
    data[-1] |= 0x80
    with pytest.raises(MalformedError):
        decode_point(bytes(data))


def test_identity_is_refused_when_decoding():
    with pytest.raises(MalformedError, match="identity"):
        decode_point(bytes(32))


@pytest.mark.parametrize("data", [b"", bytes(31), bytes(33), bytearray(32), "0" * 32, None, 5])
def test_wrong_types_and_lengths_are_refused(data):
    for decode in (decode_point, decode_scalar):
        with pytest.raises(MalformedError, match="32 bytes"):
            decode(data)
    for decode_list in (decode_points, decode_scalars):
        with pytest.raises(MalformedError, match="2 elements"):
            decode_list(data, 2)


@pytest.mark.parametrize(("text", "encoding"), RFC_9496["mapped"])
def test_one_way_map_is_that_of_rfc_9496(monkeypatch, text, encoding):
    # The RFC hashes the bare label; the prefix of our own labels is left out for its vectors.
    class Bare:
        @staticmethod
        def sha512(data):
            return hashlib.sha512(data[4:])

    monkeypatch.setattr(group, "hashlib", Bare)
    assert bytes(hash_to_point(text.encode(), b"")).hex() == encoding


@pytest.mark.parametrize(
    ("kind", "index", "encoding"),
    [
        (b"TW-h", 0, "3a6847f7f3c536e9c36282c4abb37dea63fbeed9ca8700a56b316b75fc03260e"),
        (b"TW-h", 1, "d8ce52c13ee3ec051a6700c25d71dc409ed3fc44d9bfc672941782b7b6981933"),
        (b"TW-h", 52, "a8c5212cf149e7e43f6a9d6e041ca80edbce6238284600e8dfb474ea0e6d1908"),
        (b"card", 0, "72bf51d8978622ec2b7a2c4fc5ae624957753af44d1c26d4483df75f316e2f2d"),
        (b"card", 1, "ecfb99280ce6bbfd4cabd83fd0a86d37466347a8f27515f477e1b8d1d0148562"),
        (b"card", 52, "4a7de662659336f2298aa64ae265eea2544efeeb33529ce1b5f394e6281ab63d"),
    ],
)
def test_hash_to_point_gives_independently_computed_points(kind, index, encoding):
    data = len(kind).to_bytes(4, "big") + kind + index.to_bytes(4, "big")
    assert bytes(hash_to_point(b"mp-ristretto255-v1", data)).hex() == encoding


def test_hash_to_point_separates_label_from_data():
    assert hash_to_point(b"ab", b"c") != hash_to_point(b"a", b"bc")


def test_independent_implementation_agrees():
    entropy = Seeded("ge25519")
    for _ in range(6):
        scalar, uniform = random_scalar(entropy), entropy(64)
        point = hash_to_point(b"cross-check", uniform)
        digest = hashlib.sha512(b"\0\0\0\x0bcross-check" + uniform).digest()
        assert bytes(point) == bytes(ge25519_p3.from_hash_ristretto255(digest))
        theirs = ge25519_p3.from_bytes_ristretto255(bytes(point))
        product = theirs.scalar_mult(encode_scalar(scalar)).to_bytes_ristretto255()
        assert bytes(multiply(scalar, point)) == bytes(product)
        base = ge25519_p3.scalar_mult_base(encode_scalar(scalar)).to_bytes_ristretto255()
        assert bytes(multiply_base(scalar)) == bytes(base)


@settings(max_examples=40, deadline=None)
@given(scalars, scalars, points, points)
def test_laws_of_the_group(k, m, p, q):
    assert add(p, q) == add(q, p)
    assert subtract(add(p, q), q) == p
    assert multiply(k, add(p, q)) == add(multiply(k, p), multiply(k, q))
    assert multiply(k + m, p) == add(multiply(k, p), multiply(m, p))
    assert multiply(k * m, p) == multiply(k, multiply(m, p))
    assert combine((k, m), (p, q)) == add(multiply(k, p), multiply(m, q))
    assert decode_point(bytes(p)) == p


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=30, max_size=34))
def test_decoding_any_bytes_gives_them_back_or_is_refused(data):
    for decode, encode in ((decode_point, bytes), (decode_scalar, encode_scalar)):
        with contextlib.suppress(MalformedError):
            assert encode(decode(data)) == data


@pytest.mark.parametrize("scalar", [0, ORDER, -ORDER, 3 * ORDER])
def test_zero_scalar_gives_the_identity(scalar):
    card = hash_to_point(b"test", b"")
    assert is_identity(multiply(scalar, card))
    assert is_identity(multiply_base(scalar))


def test_identity_is_neutral():
    card = hash_to_point(b"test", b"")
    assert multiply(7, IDENTITY) == IDENTITY
    assert add(card, IDENTITY) == card == subtract(card, IDENTITY)
    assert subtract(card, card) == IDENTITY
    assert total([]) == IDENTITY == combine((), ())
    assert total([card]) == card
    assert combine((1, ORDER - 1), (card, card)) == IDENTITY


def test_negative_scalars_are_taken_modulo_the_order():
    card = hash_to_point(b"test", b"")
    assert multiply(-1, card) == subtract(IDENTITY, card) == multiply(ORDER - 1, card)


def test_combine_refuses_unequal_lengths():
    with pytest.raises(ValueError, match="shorter"):
        combine((1, 2), (base_point(),))


def test_combine_multiplies_equal_points_once():
    card, base = hash_to_point(b"test", b""), base_point()
    with sodium.count_operations() as operations:
        result = combine((2, 5, 3, 4), (card, base, card, base))
    assert result == add(multiply(5, card), multiply_base(9))
    assert (operations.multiplied, operations.multiplied_base, operations.added) == (1, 1, 1)


@pytest.mark.parametrize("scalar", [ORDER, ORDER + 1, 2**255, 2**256 - 1])
def test_unreduced_scalars_are_refused(scalar):
    with pytest.raises(MalformedError, match="reduced"):
        decode_scalar(scalar.to_bytes(32, "little"))
    with pytest.raises(ValueError, match="reduced"):
        encode_scalar(scalar)


def test_negative_scalars_are_not_encoded():
    with pytest.raises(ValueError, match="reduced"):
        encode_scalar(-1)


def test_lists_round_trip():
    cards = tuple(hash_to_point(b"test", bytes([i])) for i in range(5))
    assert decode_points(encode_points(cards), 5) == cards
    assert decode_scalars(encode_scalars(range(5)), 5) == (0, 1, 2, 3, 4)
    assert decode_points(b"", 0) == ()


def test_random_scalar_is_never_zero():
    answers = iter([bytes(64), ORDER.to_bytes(64, "little"), (9).to_bytes(64, "little")])
    assert random_scalar(lambda size: next(answers)) == 9


def test_points_cannot_be_made_or_changed_by_hand():
    card = hash_to_point(b"test", b"")
    with pytest.raises(TypeError):
        Point()
    with pytest.raises(AttributeError):
        card._encoding = bytes(32)
    with pytest.raises(AttributeError):
        del card._encoding
    with pytest.raises(AttributeError):
        card.other = 1


def test_points_cannot_be_smuggled_in_by_pickle():
    forged = pickle.dumps(hash_to_point(b"test", b""))
    with pytest.raises((TypeError, AttributeError)):
        pickle.loads(forged)  # noqa: S301 -- the refusal is what is tested


def test_points_are_compared_by_value():
    card = hash_to_point(b"test", b"")
    assert {card: 1}[decode_point(bytes(card))] == 1
    assert card != bytes(card)
    assert card.__eq__(bytes(card)) is False


@pytest.mark.parametrize("operation", ["add", "subtract", "multiply"])
def test_each_primitive_raises_on_a_bad_point(operation):
    """`rbcl` returns the identity here: a share would silently vanish from a sum."""
    bad = group._point(bytes.fromhex(INVALID[6]))
    card = hash_to_point(b"test", b"")
    calls = {
        "add": [lambda: add(card, bad), lambda: add(bad, card)],
        "subtract": [lambda: subtract(card, bad), lambda: subtract(bad, card)],
        "multiply": [lambda: multiply(5, bad)],
    }
    for call in calls[operation]:
        with pytest.raises(ArithmeticError):
            call()


def test_return_codes_of_the_functions_that_never_fail_are_checked_too(monkeypatch):
    calls = {name: getattr(sodium.load(), name) for name in sodium.Sodium.__slots__}
    broken = {**calls, "from_hash": lambda *_: -1, "multiply_base": lambda *_: -1}
    monkeypatch.setattr(sodium, "_loaded", sodium.Sodium(**broken))
    for call in (lambda: hash_to_point(b"a", b"b"), lambda: multiply_base(5)):
        with pytest.raises(ArithmeticError):
            call()


def test_threads_do_not_disturb_each_other():
    cards = [hash_to_point(b"test", bytes([i])) for i in range(16)]
    expected = [multiply(i + 2, add(card, cards[0])) for i, card in enumerate(cards)]

    def work(_):
        return [multiply(i + 2, add(card, cards[0])) for i, card in enumerate(cards)]

    with ThreadPoolExecutor(4) as pool:
        assert all(result == expected for result in pool.map(work, range(16)))
