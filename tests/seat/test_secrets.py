"""A deal's secrets as bytes: what is read is what was written, and nothing else is read at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulator import seeded_entropy

from p2pclimb.crypto.group import ORDER
from p2pclimb.errors import MalformedError
from p2pclimb.ledger import codec
from p2pclimb.seat.secrets import DealSecrets, draw_secrets

SECRETS = draw_secrets(3, 1, b"context", seeded_entropy("deal"))


def test_secrets_come_back_as_they_were():
    assert DealSecrets.decode(SECRETS.encode()) == SECRETS


@pytest.mark.parametrize("secret", [0, ORDER, 2**256 - 1])
def test_a_scalar_that_is_no_key_is_refused(secret):
    fields = codec.decode(SECRETS.encode(), 256)
    fields[2] = secret.to_bytes(32, "little")
    with pytest.raises(MalformedError):
        DealSecrets.decode(codec.encode(fields))


@given(st.data())
def test_only_whole_secrets_are_read(data):
    encoded = bytearray(SECRETS.encode())
    cut = data.draw(st.integers(0, len(encoded) - 1))
    with pytest.raises(MalformedError):
        DealSecrets.decode(bytes(encoded[:cut]))
    with pytest.raises(MalformedError):
        DealSecrets.decode(bytes(encoded) + data.draw(st.binary(min_size=1, max_size=4)))


def test_neither_repr_nor_errors_hold_a_secret():
    encoded = SECRETS.encode()
    assert str(SECRETS.keys.secret) not in repr(SECRETS)
    with pytest.raises(MalformedError) as caught:
        DealSecrets.decode(encoded + b"\0")
    assert SECRETS.coin.hex() not in str(caught.value)
    assert repr(SECRETS.coin) not in str(caught.value)
