"""What one seat keeps to itself during a deal.

Nothing here is ever printed, logged or sent; what may be sent is made in `duties.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.crypto.entropy import Entropy, draw
from p2pclimb.crypto.masking import Ciphertext, KeyPair, card_index, new_key_pair, share, unmask
from p2pclimb.crypto.possession import prove_possession
from p2pclimb.crypto.transfer import received
from p2pclimb.ledger.hands import Hands
from p2pclimb.ledger.steps.choose import Choosing

__all__ = ["DealSecrets", "draw_secrets", "read_hand", "read_offer"]


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
