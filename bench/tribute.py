"""The proofs of Winner's exchange, next to the cost of the group operations they cannot avoid.

A tribute is opened, and no remaining place holds a card that ranks higher: one proof of absence for
every pair of a remaining place and a higher card.  The rows after the usual ones are the worst
hands that can be dealt, the lowest cards of the packs.  All of them fit the 256 KiB of a tribute,
so there is no second kind of proof (membership in the lower cards, by disjunction: 64 bytes and
four multiplications a pair) for hands below half of the packs: "below half" says how rare they are.

The offer shows two places to one seat: one proof for two transfers.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from bench import Row
from bench.deal import floor_seconds, unit_costs
from p2pclimb.cards import faces
from p2pclimb.crypto.absence import absence_proof_size, prove_absence, verify_absence
from p2pclimb.crypto.masking import (
    Ciphertext,
    KeyPair,
    card_points,
    initial_deck,
    new_key_pair,
)
from p2pclimb.crypto.shuffle import shuffle
from p2pclimb.crypto.sodium import count_operations
from p2pclimb.crypto.transfer import prove_transfer, verify_transfer

__all__ = ["run"]

GOAL = 1.25
CONTEXT = b"bench"
OPERATIONS_TO_TIME = 10_000
MOST_REPEATS = 9


@dataclass(frozen=True, slots=True)
class Tribute:
    """Remaining places of a hand, and how many of the cards rank above the tribute."""

    name: str
    cards: int
    places: int
    higher: int


USUAL = (
    Tribute("an ace given, 6 cards higher", 54, 12, 6),
    Tribute("a ten given, 22 cards higher", 54, 12, 22),
)


def run() -> list[Row]:
    """Return one row for each usual and worst tribute, and one for the offer."""
    costs = unit_costs()
    tributes = [_tribute(tribute, costs) for tribute in (*USUAL, *_worst())]
    return [*tributes, _offer(costs)]


def _worst() -> Iterator[Tribute]:
    """Yield the tribute of a seat that was dealt the lowest cards, for every table of Winner."""
    for packs, fewest in ((1, 2), (2, 4)):
        for seats in range(fewest, 9):
            pack = sorted(face.index for face in faces(packs, jokers=True))
            hand = pack[: math.ceil(len(pack) / seats)]
            higher = sum(face > hand[-1] for face in pack)
            name = f"{seats} seats, {packs} pack{'s' * (packs - 1)}, lowest hand"
            yield Tribute(name, len(pack), len(hand) - 1, higher)


def _tribute(tribute: Tribute, costs: dict[str, float]) -> Row:
    keys = new_key_pair(os.urandom)
    residuals = _hand(keys, tribute.cards - tribute.higher)[: tribute.places]
    candidates = card_points(tribute.cards)[-tribute.higher :]
    prove = partial(prove_absence, keys, residuals, candidates, CONTEXT, os.urandom)
    check = partial(verify_absence, keys.public, residuals, candidates, prove(), CONTEXT)
    half, hand = tribute.cards // 2, tribute.places + 1
    return {
        "what": tribute.name,
        "places": tribute.places,
        "higher": tribute.higher,
        "KiB": absence_proof_size(tribute.places, tribute.higher) / 1024,
        **_measured(prove, check, costs),
        "below half": f"1 in {math.comb(tribute.cards, hand) // math.comb(half, hand):,}",
    }


def _offer(costs: dict[str, float]) -> Row:
    keys, receiver = new_key_pair(os.urandom), new_key_pair(os.urandom).public
    residuals = _hand(keys, 2)
    prove = partial(prove_transfer, keys, residuals, receiver, CONTEXT, os.urandom)
    transfers, proof = prove()
    check = partial(verify_transfer, keys.public, residuals, receiver, transfers, proof, CONTEXT)
    size = (64 * len(transfers) + len(proof)) / 1024
    return {"what": "offer", "places": 2, "KiB": size, **_measured(prove, check, costs)}


def _hand(keys: KeyPair, count: int) -> tuple[Ciphertext, ...]:
    """Return residuals of the `count` lowest cards under these keys, in any order."""
    return shuffle(initial_deck(keys.public, count), keys.public, os.urandom)[0]


def _measured(
    prove: Callable[[], object], check: Callable[[], object], costs: dict[str, float]
) -> Row:
    row: Row = {}
    for name, call in (("make", prove), ("check", check)):
        with count_operations() as counted:
            call()
        operations = counted.multiplied + counted.multiplied_base + counted.added
        floor = floor_seconds(counted, costs)
        repeats = min(MOST_REPEATS, 2 + OPERATIONS_TO_TIME // operations)
        measured = min(_seconds(call) for _ in range(repeats))
        row |= {
            f"{name} floor ms": floor * 1e3,
            f"{name} ms": measured * 1e3,
            f"{name} ratio": measured / floor,
        }
    return {**row, "goal": GOAL}


def _seconds(call: Callable[[], object]) -> float:
    started = time.thread_time()
    call()
    return time.thread_time() - started
