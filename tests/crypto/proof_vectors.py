"""Known answers: one small deal with every kind of proof, in `vectors.json`.

Run as a program, this module writes the file anew.  That changes what proofs are valid, and hence
the version of the protocol.
"""

from __future__ import annotations

import json
from pathlib import Path

from crypto_setup import CONTEXT, Seeded, cards_but, cards_of

from p2pclimb.crypto.absence import prove_absence
from p2pclimb.crypto.group import encode_points, encode_scalar
from p2pclimb.crypto.identity import Identity, fingerprint
from p2pclimb.crypto.masking import (
    encode_deck,
    initial_deck,
    joint_key,
    new_key_pair,
    residual,
    share,
)
from p2pclimb.crypto.possession import prove_possession
from p2pclimb.crypto.shares import prove_opening, prove_shares
from p2pclimb.crypto.shuffle import prove_shuffle, shuffle
from p2pclimb.crypto.transfer import encode_transfers, prove_transfer, received

FILE = Path(__file__).with_name("vectors.json")
COUNT = 4


def build() -> dict[str, str | list[str]]:
    """Two seats, four cards, one shuffle.

    Seat 0 opens place 0, denies two cards there, and hands places 0 and 1 to seat 1.
    """
    entropy = Seeded("vectors")
    first, second = new_key_pair(entropy), new_key_pair(entropy)
    joint = joint_key([first.public, second.public])
    before = initial_deck(joint, COUNT)
    after, witness = shuffle(before, joint, entropy)
    places = after[:2]
    given = [share(second.secret, place) for place in places]
    both = [residual(place, [one]) for place, one in zip(places, given, strict=True)]
    own = both[:1]
    opened = [share(first.secret, own[0])]
    held = cards_of(after, (first, second), COUNT)[:1]
    absent = cards_but(held, COUNT)[:2]
    proofs = {
        "possession": prove_possession(first, CONTEXT, entropy),
        "shuffle": prove_shuffle(before, after, witness, joint, CONTEXT, entropy),
        "shares": prove_shares(second, places, given, CONTEXT, entropy),
        "opening": prove_opening(first, own, opened, CONTEXT, entropy),
        "absence": prove_absence(first, own, absent, CONTEXT, entropy),
    }
    identity = Identity.new(entropy)
    transfers, transfer_proof = prove_transfer(first, both, second.public, CONTEXT, entropy)
    handed = [received(*pair) for pair in zip(both, transfers, strict=True)]
    return {
        "context": CONTEXT.hex(),
        "secret keys": [encode_scalar(keys.secret).hex() for keys in (first, second)],
        "public keys": [bytes(keys.public).hex() for keys in (first, second)],
        "joint key": bytes(joint).hex(),
        "deck before": encode_deck(before).hex(),
        "deck after": encode_deck(after).hex(),
        "shares of seat 1 for places 0 and 1": encode_points(given).hex(),
        "share of seat 0 for place 0": encode_points(opened).hex(),
        "cards denied at place 0": encode_points(absent).hex(),
        **{f"proof of {kind}": proof.hex() for kind, proof in proofs.items()},
        "identity seed": identity.seed.hex(),
        "identity key": identity.public.hex(),
        "signature of 'message' under 'label'": identity.sign(b"label", b"message").hex(),
        "curve key": identity.curve_key_pair()[0].hex(),
        "fingerprint": fingerprint(identity.public),
        "transfers of places 0 and 1 to seat 1": encode_transfers(transfers).hex(),
        "proof of transfer": transfer_proof.hex(),
        "places 0 and 1 under the key of seat 1": encode_deck(handed).hex(),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(build(), indent=1) + "\n")
