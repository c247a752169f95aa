"""Linear relations: complete, bound to everything, and in the compact form of the draft."""

import pytest
from crypto_setup import CONTEXT, Seeded
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pclimb.crypto import sigma
from p2pclimb.crypto.group import (
    IDENTITY,
    ORDER,
    base_point,
    combine,
    decode_scalars,
    hash_to_point,
    multiply,
)
from p2pclimb.crypto.sigma import Equation, Statement
from p2pclimb.crypto.transcript import Proof
from p2pclimb.errors import MalformedError, ProofError


def point(name: int):
    return base_point() if name == 0 else hash_to_point(b"sigma", bytes([name]))


@st.composite
def relations(draw):
    """Any shape of statement with up to three scalars and three equations, and its witness."""
    scalars = draw(st.integers(1, 3))
    witness = draw(st.lists(st.integers(0, ORDER - 1), min_size=scalars, max_size=scalars))
    shapes = draw(
        st.lists(
            st.lists(st.tuples(st.integers(0, scalars - 1), st.integers(0, 4)), max_size=4),
            min_size=1,
            max_size=3,
        )
    )
    shapes.append([(index, index) for index in range(scalars)])
    equations = []
    for shape in shapes:
        terms = tuple((index, point(name)) for index, name in shape)
        image = combine([witness[index] for index, _ in terms], [p for _, p in terms])
        equations.append(Equation(image, terms))
    return Statement(scalars, tuple(equations)), witness


@settings(max_examples=30, deadline=None)
@given(relations())
def test_every_true_relation_can_be_proved(relation):
    statement, witness = relation
    proof = sigma.prove(statement, witness, Proof.SHARES, CONTEXT, Seeded("sigma"))
    assert len(proof) == 32 * (1 + statement.scalars)
    sigma.verify(statement, proof, Proof.SHARES, CONTEXT)


def representation():
    """P = 5 G + 7 H and Q = 7 G."""
    g, h = point(0), point(1)
    return Statement(
        2,
        (
            Equation(combine((5, 7), (g, h)), ((0, g), (1, h))),
            Equation(multiply(7, g), ((1, g),)),
        ),
    )


def altered_statements():
    p, q = representation().equations
    g, h, other = point(0), point(1), point(2)
    return {
        "another image": Statement(2, (Equation(other, p.terms), q)),
        "identity as image": Statement(2, (Equation(IDENTITY, p.terms), q)),
        "another point": Statement(2, (Equation(p.image, ((0, g), (1, other))), q)),
        "scalars exchanged": Statement(2, (Equation(p.image, ((1, g), (0, h))), q)),
        "terms in another order": Statement(2, (Equation(p.image, ((1, h), (0, g))), q)),
        "equations in another order": Statement(2, (q, p)),
        "one equation less": Statement(2, (p,)),
        "one equation twice": Statement(2, (p, q, q)),
        "one term more": Statement(2, (Equation(p.image, (*p.terms, (0, other))), q)),
    }


@pytest.mark.parametrize("change", altered_statements())
def test_proof_of_another_statement_is_refused(change):
    proof = sigma.prove(representation(), (5, 7), Proof.SHARES, CONTEXT, Seeded("sigma"))
    sigma.verify(representation(), proof, Proof.SHARES, CONTEXT)
    with pytest.raises(ProofError):
        sigma.verify(altered_statements()[change], proof, Proof.SHARES, CONTEXT)


@pytest.mark.parametrize("witness", [(5, 8), (7, 5), (0, 0)])
def test_wrong_witness_gives_no_proof(witness):
    proof = sigma.prove(representation(), witness, Proof.SHARES, CONTEXT, Seeded("sigma"))
    with pytest.raises(ProofError):
        sigma.verify(representation(), proof, Proof.SHARES, CONTEXT)


def test_proof_of_another_kind_or_context_is_refused():
    proof = sigma.prove(representation(), (5, 7), Proof.SHARES, CONTEXT, Seeded("sigma"))
    with pytest.raises(ProofError):
        sigma.verify(representation(), proof, Proof.OPENING, CONTEXT)
    with pytest.raises(ProofError):
        sigma.verify(representation(), proof, Proof.SHARES, CONTEXT + b"x")


@pytest.mark.parametrize("size", [0, 32, 64, 95, 97, 128])
def test_proof_of_wrong_length_is_malformed(size):
    with pytest.raises(MalformedError):
        sigma.verify(representation(), bytes(size), Proof.SHARES, CONTEXT)


@pytest.mark.parametrize(
    "statement",
    [
        lambda: Statement(0, ()),
        lambda: Statement(1, ()),
        lambda: Statement(1, (Equation(point(1), ()),)),
        lambda: Statement(2, (Equation(point(1), ((0, point(0)),)),)),
        lambda: Statement(1, (Equation(point(1), ((1, point(0)),)),)),
    ],
)
def test_statements_about_nothing_are_refused(statement):
    with pytest.raises(ValueError, match="every secret scalar"):
        statement()


def test_witness_of_wrong_length_is_refused():
    with pytest.raises(ValueError, match="wrong number"):
        sigma.prove(representation(), (5,), Proof.SHARES, CONTEXT, Seeded("sigma"))


def test_repeated_randomness_does_not_give_the_key_away():
    """Two challenges under one nonce would give x = (z - z') / (c - c')."""
    statement = Statement(1, (Equation(multiply(5, base_point()), ((0, base_point()),)),))
    (c1, z1), (c2, z2) = (
        decode_scalars(sigma.prove(statement, [5], Proof.POSSESSION, context, bytes), 2)
        for context in (b"one", b"two")
    )
    assert (z1 - z2) * pow(c1 - c2, -1, ORDER) % ORDER != 5
