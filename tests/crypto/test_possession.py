"""Possession of a deal's key."""

import pytest
from crypto_setup import CONTEXT, Seeded

from p2pclimb.crypto.group import IDENTITY
from p2pclimb.crypto.masking import new_key_pair
from p2pclimb.crypto.possession import prove_possession, verify_possession
from p2pclimb.errors import ProofError


def test_holder_of_the_key_can_prove_it():
    keys = new_key_pair(Seeded("keys"))
    proof = prove_possession(keys, CONTEXT, Seeded("proof"))
    assert len(proof) == 64
    verify_possession(keys.public, proof, CONTEXT)


def test_proof_for_another_key_or_context_is_refused():
    keys, others = (new_key_pair(Seeded(name)) for name in ("keys", "others"))
    proof = prove_possession(keys, CONTEXT, Seeded("proof"))
    with pytest.raises(ProofError):
        verify_possession(others.public, proof, CONTEXT)
    with pytest.raises(ProofError):
        verify_possession(keys.public, proof, b"another deal")


def test_identity_is_no_key():
    with pytest.raises(ProofError, match="identity"):
        verify_possession(IDENTITY, bytes(64), CONTEXT)
