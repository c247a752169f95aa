"""The transcript is injective, ratchets, separates kinds and contexts, and hedges nonces."""

import ast
import hashlib
from itertools import islice
from pathlib import Path

import pytest
from crypto_setup import CONTEXT, Seeded

import p2pclimb.crypto
from p2pclimb.crypto.group import ORDER
from p2pclimb.crypto.transcript import Item, Proof, Transcript

SOURCES = sorted(Path(p2pclimb.crypto.__path__[0]).glob("*.py"))


def lp(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def test_challenge_is_the_documented_hash():
    transcript = Transcript(Proof.POSSESSION, CONTEXT)
    transcript.absorb(Item.IMAGE, b"data")
    absorbed = (
        lp(b"proof") + lp(b"p2pclimb/1 possession") + lp(b"context") + lp(CONTEXT)
        + lp(b"image") + lp(b"data")
    )  # fmt: skip
    digest = hashlib.sha512(absorbed + lp(b"squeeze") + lp(b"challenge")).digest()
    assert transcript.challenge(Item.CHALLENGE) == int.from_bytes(digest, "little") % ORDER
    absorbed += lp(b"challenge") + lp(digest)
    digest = hashlib.sha512(absorbed + lp(b"squeeze") + lp(b"challenge")).digest()
    assert transcript.challenge(Item.CHALLENGE) == int.from_bytes(digest, "little") % ORDER


def test_nonces_are_the_documented_hash():
    transcript = Transcript(Proof.POSSESSION, CONTEXT)
    absorbed = lp(b"proof") + lp(b"p2pclimb/1 possession") + lp(b"context") + lp(CONTEXT)
    fresh = Seeded("n")(32)
    seed = hashlib.sha512(absorbed + lp(b"nonces") + lp(b"secret") + lp(fresh)).digest()
    blocks = [hashlib.sha512(lp(seed) + bytes(3) + bytes([i])).digest() for i in range(3)]
    expected = [int.from_bytes(block, "little") % ORDER for block in blocks]
    assert list(islice(transcript.nonces(b"secret", Seeded("n")), 3)) == expected


@pytest.mark.parametrize(
    "other",
    [
        [(Item.IMAGE, b"ab"), (Item.IMAGE, b"")],
        [(Item.IMAGE, b""), (Item.IMAGE, b"ab")],
        [(Item.IMAGE, b"ab")],
        [(Item.TERM, b"a"), (Item.IMAGE, b"b")],
        [(Item.IMAGE, b"b"), (Item.IMAGE, b"a")],
    ],
)
def test_absorbing_is_injective(other):
    def challenge(items):
        transcript = Transcript(Proof.SHARES, CONTEXT)
        for item, data in items:
            transcript.absorb(item, data)
        return transcript.challenge(Item.CHALLENGE)

    assert challenge([(Item.IMAGE, b"a"), (Item.IMAGE, b"b")]) != challenge(other)


def test_challenges_differ_by_kind_context_label_and_turn():
    challenges = [
        transcript.challenge(item)
        for kind in Proof
        for context in (b"", CONTEXT, CONTEXT + b"\0")
        for transcript in [Transcript(kind, context)]
        for item in (Item.WEIGHT, Item.WEIGHT, Item.CHALLENGE)
    ]
    assert len(set(challenges)) == len(Proof) * 3 * 3


def test_nonces_stay_apart_when_the_randomness_repeats():
    """A restored snapshot repeats its randomness: equal nonces for two challenges give the key."""

    def nonces(context, secret):
        return tuple(islice(Transcript(Proof.SHARES, context).nonces(secret, bytes), 4))

    drawn = [nonces(c, s) for c in (CONTEXT, b"other") for s in (b"one", b"two")]
    assert len({nonce for four in drawn for nonce in four}) == 16


def test_nonces_differ_with_fresh_randomness_and_do_not_touch_the_transcript():
    entropy = Seeded("fresh")
    transcript, untouched = (Transcript(Proof.SHARES, CONTEXT) for _ in range(2))
    first, second = (next(transcript.nonces(b"secret", entropy)) for _ in range(2))
    assert first != second
    assert transcript.challenge(Item.CHALLENGE) == untouched.challenge(Item.CHALLENGE)


def test_labels_are_distinct():
    values = [member.value for member in (*Proof, *Item)] + [b"squeeze", b"nonces"]
    assert len(set(values)) == len(values)


@pytest.mark.parametrize("member", [*Proof, *Item], ids=str)
def test_each_label_is_used_at_its_place_only(member):
    """Prover and verifier share the code that absorbs: no label may occur twice.

    The two proofs of shares name their kinds once in each direction.
    """
    owner = type(member).__name__
    uses = [
        source.name
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) == (owner, member.name)
    ]
    directions = 2 if owner == "Proof" and member is not Proof.SHUFFLE else 1
    assert len(uses) == directions
    assert len(set(uses)) == 1
