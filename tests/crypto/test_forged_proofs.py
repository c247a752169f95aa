"""Forged proofs and keys: attacks that were carried out, each against the check that stops it.

Every forgery runs twice: with its check taken out of the real code it must succeed, so that the
attack is known to be one, and with the code as it is it must fail.  The items that proofs absorb
are taken out one label at a time, in prover and verifier alike.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from crypto_setup import (
    CONTEXT,
    Seeded,
    new_table,
    refuses,
    replaced,
    without_item,
)

from p2pclimb.crypto import absence, group, possession, shares, sigma, sodium
from p2pclimb.crypto import shuffle as module
from p2pclimb.crypto.group import (
    IDENTITY,
    ORDER,
    Point,
    add,
    base_point,
    combine,
    decode_point,
    encode_points,
    encode_scalars,
    multiply,
    multiply_base,
    subtract,
    total,
)
from p2pclimb.crypto.masking import (
    Ciphertext,
    card_index,
    card_points,
    initial_deck,
    joint_key,
    new_key_pair,
    share,
    unmask,
)
from p2pclimb.crypto.possession import prove_possession, verify_possession
from p2pclimb.crypto.shares import prove_shares, verify_opening, verify_shares
from p2pclimb.crypto.shuffle import prove_shuffle, shuffle, verify_shuffle
from p2pclimb.crypto.transcript import Item, Proof
from p2pclimb.crypto.transfer import prove_transfer, verify_transfer
from p2pclimb.errors import MalformedError

COUNT = 8
TABLE = new_table(count=COUNT)
JOINT = TABLE.joint
KEYS = TABLE.keys[0]
BEFORE = initial_deck(JOINT, COUNT)


def wrong_share() -> tuple[Point, bytes]:
    """Answer first, then compute the share that the answer fits: D = (zA - T) / c."""
    place = TABLE.deck[0]
    omega, anything = 17, multiply_base(18)
    statement = shares._statement(KEYS.public, [place], [anything])
    transcript = sigma._absorbed(statement, Proof.SHARES, CONTEXT)
    challenge = sigma._challenge(transcript, [multiply_base(omega), anything])
    answer = (omega + challenge * KEYS.secret) % ORDER
    wrong = multiply(pow(challenge, -1, ORDER), subtract(multiply(answer, place.a), anything))
    return wrong, encode_scalars((challenge, answer))


def test_wrong_share_needs_a_challenge_that_ignores_the_shares(monkeypatch):
    arguments = (KEYS.public, [TABLE.deck[0]])
    wrong, proof = wrong_share()
    assert refuses(verify_shares, *arguments, [wrong], proof, CONTEXT)
    without_item(monkeypatch, Item.IMAGE)
    wrong, proof = wrong_share()
    assert wrong != share(KEYS.secret, TABLE.deck[0])
    assert not refuses(verify_shares, *arguments, [wrong], proof, CONTEXT)
    monkeypatch.undo()
    assert refuses(verify_shares, *arguments, [wrong], proof, CONTEXT)


def made_up_place() -> tuple[Ciphertext, Point, bytes]:
    """Answer first, then compute a place A = (T + cD) / z whose 'share' is any point D."""
    wanted, anything, omega = multiply_base(99), multiply_base(18), 17
    statement = shares._statement(KEYS.public, [TABLE.deck[0]], [wanted])
    transcript = sigma._absorbed(statement, Proof.SHARES, CONTEXT)
    challenge = sigma._challenge(transcript, [multiply_base(omega), anything])
    answer = (omega + challenge * KEYS.secret) % ORDER
    a = multiply(pow(answer, -1, ORDER), add(anything, multiply(challenge, wanted)))
    return replace(TABLE.deck[0], a=a), wanted, encode_scalars((challenge, answer))


def test_made_up_place_needs_a_challenge_that_ignores_the_places(monkeypatch):
    place, wanted, proof = made_up_place()
    assert refuses(verify_shares, KEYS.public, [place], [wanted], proof, CONTEXT)
    without_item(monkeypatch, Item.TERM)
    place, wanted, proof = made_up_place()
    assert share(KEYS.secret, place) != wanted
    assert not refuses(verify_shares, KEYS.public, [place], [wanted], proof, CONTEXT)
    monkeypatch.undo()
    assert refuses(verify_shares, KEYS.public, [place], [wanted], proof, CONTEXT)


def simulated_possession() -> bytes:
    """Choose the answer first; the verifier computes a fitting commitment itself."""
    statement = possession._statement(TABLE.keys[1].public)
    transcript = sigma._absorbed(statement, Proof.POSSESSION, CONTEXT)
    return encode_scalars((sigma._challenge(transcript, []), 5))


def test_simulated_proof_needs_a_challenge_that_ignores_the_commitments(monkeypatch):
    public = TABLE.keys[1].public
    assert refuses(verify_possession, public, simulated_possession(), CONTEXT)
    without_item(monkeypatch, Item.COMMITMENT)
    proof = simulated_possession()
    assert not refuses(verify_possession, public, proof, CONTEXT)
    monkeypatch.undo()
    assert refuses(verify_possession, public, proof, CONTEXT)


def held_card_denied() -> tuple[Ciphertext, Point, bytes]:
    """Deny a card that one holds: with C unhashed, compute the C that the answers fit."""
    place = TABLE.residuals(0, range(1))[0]
    held = unmask(place, share(KEYS.secret, place))
    y, anything = subtract(place.b, held), multiply_base(18)
    omega = (ORDER - 17) * KEYS.secret % ORDER, 17  # fits the second equation
    secrets = (ORDER - 5) * KEYS.secret % ORDER, 5
    statement = absence._statement(KEYS.public, [place], [held], [anything])
    transcript = sigma._absorbed(statement, Proof.ABSENCE, CONTEXT)
    challenge = sigma._challenge(transcript, [anything, IDENTITY])
    answers = [(w + challenge * s) % ORDER for w, s in zip(omega, secrets, strict=True)]
    c = subtract(combine(answers, (place.a, y)), anything)
    c = multiply(pow(challenge, -1, ORDER), c)
    return place, held, bytes(c) + encode_scalars((challenge, *answers))


def test_denying_a_held_card_needs_a_challenge_that_ignores_the_blinded_point(monkeypatch):
    place, held, proof = held_card_denied()
    verify = absence.verify_absence
    assert refuses(verify, KEYS.public, [place], [held], proof, CONTEXT)
    without_item(monkeypatch, Item.IMAGE)
    place, held, proof = held_card_denied()
    assert not refuses(verify, KEYS.public, [place], [held], proof, CONTEXT)
    monkeypatch.undo()
    assert refuses(verify, KEYS.public, [place], [held], proof, CONTEXT)


def test_denying_a_held_card_needs_a_blinded_point_that_may_be_the_identity(monkeypatch):
    place = TABLE.residuals(0, range(1))[0]
    held = unmask(place, share(KEYS.secret, place))
    statement = absence._statement(KEYS.public, [place], [held], [IDENTITY])
    witness = (5 * KEYS.secret % ORDER, ORDER - 5)
    proof = encode_points([IDENTITY]) + sigma.prove(
        statement, witness, Proof.ABSENCE, CONTEXT, Seeded("deny")
    )
    arguments = (KEYS.public, [place], [held], proof, CONTEXT)
    assert refuses(absence.verify_absence, *arguments)
    monkeypatch.setattr(absence, "decode_points", lambda data, count: (IDENTITY,) * count)
    assert not refuses(absence.verify_absence, *arguments)


# ------------------------------------------------------------------ replay


def test_replay_in_another_deal_needs_a_transcript_without_context(monkeypatch):
    after, witness = shuffle(BEFORE, JOINT, Seeded("replay"))
    place = TABLE.residuals(0, range(1))[0]
    given = [share(KEYS.secret, place)]
    absent = [add(unmask(place, given[0]), base_point())]

    def make():
        entropy = Seeded("replay")
        shuffled = prove_shuffle(BEFORE, after, witness, JOINT, CONTEXT, entropy)
        denied = absence.prove_absence(KEYS, [place], absent, CONTEXT, entropy)
        shown = shares.prove_opening(KEYS, [place], given, CONTEXT, entropy)
        receiver = TABLE.keys[1].public
        handed = prove_transfer(KEYS, [place], receiver, CONTEXT, entropy)
        return [
            (verify_shuffle, (BEFORE, after, shuffled, JOINT)),
            (verify_possession, (KEYS.public, prove_possession(KEYS, CONTEXT, entropy))),
            (
                verify_shares,
                (KEYS.public, [place], given, prove_shares(KEYS, [place], given, CONTEXT, entropy)),
            ),
            (verify_opening, (KEYS.public, [place], given, shown)),
            (absence.verify_absence, (KEYS.public, [place], absent, denied)),
            (verify_transfer, (KEYS.public, [place], receiver, *handed)),
        ]

    assert not any(refuses(verify, *arguments, CONTEXT) for verify, arguments in make())
    assert all(refuses(verify, *arguments, b"next deal") for verify, arguments in make())
    without_item(monkeypatch, Item.CONTEXT)
    assert not any(refuses(verify, *arguments, b"next deal") for verify, arguments in make())


def test_share_presented_as_opening_needs_a_transcript_without_kinds(monkeypatch):
    place = TABLE.residuals(0, range(1))[0]
    given = [share(KEYS.secret, place)]

    def replayed():
        proof = prove_shares(KEYS, [place], given, CONTEXT, Seeded("kind"))
        return refuses(verify_opening, KEYS.public, [place], given, proof, CONTEXT)

    assert replayed()
    without_item(monkeypatch, Item.PROOF)
    assert not replayed()


# ------------------------------------------------------------------ keys


def test_rogue_key_needs_a_table_without_proofs_of_possession(monkeypatch):
    """A key that cancels the others' lets its author read the whole deck alone."""
    own = new_key_pair(Seeded("rogue"))
    others = [keys.public for keys in TABLE.keys]
    rogue = subtract(own.public, total(others))
    joint = joint_key([*others, rogue])
    deck = initial_deck(joint, COUNT)
    assert joint == own.public
    read = [card_index(unmask(place, share(own.secret, place)), COUNT) for place in deck]
    assert read == list(range(COUNT))

    forged = prove_possession(replace(own, public=rogue), CONTEXT, Seeded("proof"))
    replays = [prove_possession(keys, CONTEXT, Seeded("proof")) for keys in TABLE.keys]
    for proof in (forged, *replays):
        assert refuses(verify_possession, rogue, proof, CONTEXT)
    monkeypatch.setattr(sigma, "verify", lambda *_: None)
    assert not refuses(verify_possession, rogue, forged, CONTEXT)


# ------------------------------------------------------------------ second forms


def lenient_scalars(data: bytes, count: int) -> tuple[int, ...]:
    return tuple(int.from_bytes(data[32 * i : 32 * i + 32], "little") for i in range(count))


def test_second_form_of_a_response_needs_a_decoder_without_range(monkeypatch):
    """z + q satisfies every equation that z does."""
    proof = prove_possession(KEYS, CONTEXT, Seeded("proof"))
    response = int.from_bytes(proof[32:], "little")
    second = replaced(proof, 1, (response + ORDER).to_bytes(32, "little"))
    with pytest.raises(MalformedError):
        verify_possession(KEYS.public, second, CONTEXT)
    monkeypatch.setattr(sigma, "decode_scalars", lenient_scalars)
    verify_possession(KEYS.public, second, CONTEXT)


def test_second_form_of_a_shuffle_needs_a_decoder_without_range(monkeypatch):
    after, witness = shuffle(BEFORE, JOINT, Seeded("second"))
    proof = prove_shuffle(BEFORE, after, witness, JOINT, CONTEXT, Seeded("proof"))
    fields = range(2 * COUNT + 1, 4 * COUNT + 5)
    seconds = [
        replaced(proof, at, (value + ORDER).to_bytes(32, "little"))
        for at in fields
        for value in [int.from_bytes(proof[32 * at : 32 * at + 32], "little")]
    ]
    for second in seconds:
        with pytest.raises(MalformedError):
            verify_shuffle(BEFORE, after, second, JOINT, CONTEXT)
    monkeypatch.setattr(module, "decode_scalars", lenient_scalars)
    for second in seconds[::7]:
        verify_shuffle(BEFORE, after, second, JOINT, CONTEXT)


def test_second_encoding_of_a_point_needs_a_decoder_that_trusts_libsodium(monkeypatch):
    """libsodium 1.0.18 ignores bit 255: two cards under one mask would seem to differ."""
    first = TABLE.deck[0].a
    encoding = bytes(first)[:31] + bytes([bytes(first)[31] | 0x80])
    assert group._point(encoding) != first
    trusting = replace(sodium.load(), is_valid_point=lambda _: 1)
    monkeypatch.setattr(sodium, "_loaded", trusting)
    with pytest.raises(MalformedError):
        decode_point(encoding)


# ------------------------------------------------------------------ breaks of other programs


def multiples_attack(deck_points) -> list[Point]:
    """Read a deck of multiples a, 2a, ... na: the guess whose multiples are all there is a."""
    known = set(deck_points)
    for guess in deck_points:
        multiples = [guess]
        while len(multiples) < len(known):
            multiples.append(add(multiples[-1], guess))
            if multiples[-1] not in known:
                break
        else:
            return multiples
    return []


def test_deck_cannot_be_read_by_multiples():
    """It read a card program that masked the cards 1G, 2G, ... by one common factor."""
    broken = [multiply(77, multiply_base(card)) for card in (3, 1, 4, 2, 5)]
    assert multiples_attack(broken) == [multiply_base(77 * card) for card in (1, 2, 3, 4, 5)]
    for deck in (BEFORE, TABLE.deck):
        assert multiples_attack([place.b for place in deck]) == []
        assert multiples_attack([subtract(place.b, place.a) for place in deck]) == []
    assert multiples_attack([place.a for place in TABLE.deck]) == []


def test_deck_cannot_be_read_by_fixed_powers():
    """It read a card program whose cards lay outside the subgroup: m^q told the card.

    Here every element has the prime order, so that the same computation gives one value for all.
    """
    points = [point for place in TABLE.deck for point in (place.a, place.b)]
    powers = {add(multiply(ORDER - 1, point), point) for point in (*points, *card_points(COUNT))}
    assert powers == {IDENTITY}


def test_deck_cannot_be_read_by_differences():
    """Equal differences of masked cards would be differences of cards."""
    bs = [place.b for place in TABLE.deck]
    differences = {subtract(x, y) for x in bs for y in bs if x != y}
    cards = card_points(COUNT)
    assert differences.isdisjoint({subtract(x, y) for x in cards for y in cards if x != y})
    assert len(differences) == COUNT * (COUNT - 1)
