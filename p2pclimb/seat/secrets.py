"""What one seat keeps to itself during a deal.

Nothing here is ever printed, logged or sent; what may be sent is made in `duties.py`.  The encoding
is for the sealed file of the seat's own node and for nobody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.crypto.group import decode_scalar, encode_scalar
from p2pclimb.crypto.masking import (
    Ciphertext,
    KeyPair,
    card_index,
    key_pair,
    new_key_pair,
    share,
    unmask,
)
from p2pclimb.crypto.possession import prove_possession
from p2pclimb.crypto.transfer import received
from p2pclimb.ledger import codec
from p2pclimb.ledger.hands import Hands
from p2pclimb.ledger.place import MAX_STEP
from p2pclimb.ledger.steps.choose import Choosing

__all__ = ["DealSecrets", "draw_secrets", "read_hand", "read_offer"]

_MAX_ENCODED = 256  # bytes


@dataclass(frozen=True, slots=True)
class DealSecrets:
    """A seat's secrets for one attempt of one deal: its keys, its coin, its possession proof."""

    deal: int
    attempt: int
    keys: KeyPair = field(repr=False)
    coin: bytes = field(repr=False)
    possession: bytes = field(repr=False)

    def encode(self) -> bytes:
        """Return the bytes to be sealed: the secret scalar, the coin and the proof, in the open."""
        secret = encode_scalar(self.keys.secret)
        return codec.encode([self.deal, self.attempt, secret, self.coin, self.possession])

    @classmethod
    def decode(cls, data: bytes) -> DealSecrets:
        """Read what `encode` gave; raises MalformedError for anything else."""
        value = codec.decode(data, _MAX_ENCODED)
        deal, attempt, secret, coin, possession = codec.fields(value, 5)
        return cls(
            codec.as_int(deal, 0, MAX_STEP),
            codec.as_int(attempt, 0, MAX_STEP),
            key_pair(decode_scalar(codec.as_bytes(secret, 32))),
            codec.as_bytes(coin, 32),
            codec.as_bytes(possession, 64),
        )


def draw_secrets(deal: int, attempt: int, context: bytes, entropy: Entropy) -> DealSecrets:
    """Return fresh secrets for a deal; `context` is that of the seat's `commit` entry."""
    keys = new_key_pair(entropy)
    return DealSecrets(
        deal, attempt, keys, draw(entropy, 32), prove_possession(keys, context, entropy)
    )


def read_hand(hands: Hands, seat: int, secrets: DealSecrets) -> Mapping[int, int]:
    """Return the physical card at every place that is the seat's, by ascending place."""
    return {
        place: _card(hands, place, hands.residuals[place], secrets)
        for place, owner in enumerate(hands.owners)
        if owner == seat
    }


def read_offer(stage: Choosing, secrets: DealSecrets) -> Mapping[int, int]:
    """Return the physical card at every place that is offered to this seat, in order."""
    return {
        place: _card(stage.hands, place, received(stage.hands.residuals[place], transfer), secrets)
        for place, transfer in stage.offered.items()
    }


def _card(hands: Hands, place: int, masked: Ciphertext, secrets: DealSecrets) -> int:
    if place in hands.known:
        return hands.known[place]
    index = card_index(unmask(masked, share(secrets.keys.secret, masked)), len(hands.faces))
    assert index is not None  # the shuffles, the shares and the transfers were verified
    return index
