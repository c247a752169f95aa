"""What several tests of the cryptography share: seeded randomness, small tables, field editing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from p2pclimb.crypto import transcript
from p2pclimb.crypto.group import Point
from p2pclimb.crypto.masking import (
    Ciphertext,
    Deck,
    KeyPair,
    card_index,
    card_points,
    initial_deck,
    joint_key,
    new_key_pair,
    residual,
    share,
    unmask,
)
from p2pclimb.crypto.shuffle import shuffle
from p2pclimb.errors import ClimbError

CONTEXT = b"table 7, deal 3, attempt 1, step 12, seat 2"

RFC_9496 = json.loads(Path(__file__).with_name("rfc9496.json").read_text())
MULTIPLES: list[str] = RFC_9496["multiples"]
INVALID: list[str] = RFC_9496["invalid"]


class Seeded:
    """Randomness that is the same in every run, and different in every draw."""

    def __init__(self, seed: str) -> None:
        self.seed = seed.encode()
        self.draws = 0

    def __call__(self, size: int) -> bytes:
        self.draws += 1
        material = self.seed + self.draws.to_bytes(8, "big")
        return hashlib.shake_256(material).digest(size)


@dataclass(frozen=True)
class Table:
    """Three seats with keys, and a deck that two of them have shuffled."""

    keys: tuple[KeyPair, ...]
    joint: Point
    count: int
    deck: Deck

    def residuals(self, seat: int, places: range) -> tuple[Ciphertext, ...]:
        """The seat's masked cards once the others' shares are known."""
        others = [keys for number, keys in enumerate(self.keys) if number != seat]
        return tuple(
            residual(self.deck[place], [share(keys.secret, self.deck[place]) for keys in others])
            for place in places
        )


def new_table(seed: str = "table", count: int = 8) -> Table:
    entropy = Seeded(seed)
    keys = tuple(new_key_pair(entropy) for _ in range(3))
    joint = joint_key([pair.public for pair in keys])
    deck = initial_deck(joint, count)
    for _ in range(2):
        deck, _ = shuffle(deck, joint, entropy)
    return Table(keys, joint, count, deck)


def cards_of(deck: Deck, keys: tuple[KeyPair, ...], count: int) -> list[int | None]:
    """All cards of a deck, by all secrets; None for what is no card of the pack."""
    secret = sum(pair.secret for pair in keys)
    return [card_index(unmask(place, share(secret, place)), count) for place in deck]


def without_item(monkeypatch, dropped: transcript.Item) -> None:
    """Weaken every transcript: items with this label are not absorbed."""
    strong = transcript.Transcript.absorb

    def weak(self, item, data):
        if item is not dropped:
            strong(self, item, data)

    monkeypatch.setattr(transcript.Transcript, "absorb", weak)


def refuses(verify, *arguments) -> bool:
    try:
        verify(*arguments)
    except ClimbError:
        return True
    return False


def replaced(data: bytes, field: int, element: bytes) -> bytes:
    """The same fields of 32 bytes with one of them replaced."""
    return data[: 32 * field] + element + data[32 * (field + 1) :]


def cards_but(hand: list[int | None], count: int) -> list[Point]:
    """The points of the cards that are not in a hand."""
    return [point for card, point in enumerate(card_points(count)) if card not in hand]
