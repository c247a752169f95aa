"""What one seat keeps to itself during a deal.

Nothing here is ever printed, logged or sent; what may be sent is made in `duties.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.crypto.masking import KeyPair, card_index, new_key_pair, share, unmask
from p2pclimb.crypto.possession import prove_possession
from p2pclimb.ledger.hands import Hands

__all__ = ["DealSecrets", "draw_secrets", "read_hand"]


@dataclass(frozen=True, slots=True)
class DealSecrets:
    """A seat's secrets for one attempt of one deal: its keys, its coin, its possession proof."""

    deal: int
    attempt: int
    keys: KeyPair = field(repr=False)
    coin: bytes = field(repr=False)
    possession: bytes = field(repr=False)


def draw_secrets(deal: int, attempt: int, context: bytes, entropy: Entropy) -> DealSecrets:
    """Return fresh secrets for a deal; `context` is that of the seat's `commit` entry."""
    keys = new_key_pair(entropy)
    return DealSecrets(
        deal, attempt, keys, draw(entropy, 32), prove_possession(keys, context, entropy)
    )


def read_hand(hands: Hands, seat: int, secrets: DealSecrets) -> Mapping[int, int]:
    """Return the physical card at every place that the seat was dealt, by ascending place."""
    hand = {}
    for place, owner in enumerate(hands.owners):
        if owner == seat:
            masked = hands.residuals[place]
            index = card_index(unmask(masked, share(secrets.keys.secret, masked)), len(hands.faces))
            assert index is not None
            hand[place] = index
    return hand
