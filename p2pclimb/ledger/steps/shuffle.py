"""Step `shuffle`: one seat after another shuffles the masked deck and proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from p2pclimb.crypto.masking import CIPHERTEXT_SIZE, Deck, decode_deck
from p2pclimb.crypto.shuffle import shuffle_proof_size, verify_shuffle
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next, restart_deal
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.judging import Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.agree import Agreeing

__all__ = ["ShuffleBody", "Shuffling"]


@dataclass(frozen=True, slots=True)
class ShuffleBody:
    """The shuffled deck and the Terelius–Wikström proof that it is a shuffle of the one before."""

    deck: Deck = field(repr=False)
    proof: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Waiting for the shuffle of `cast.seats[turn]`, whose input is `deck` and nothing else."""

    cast: Cast
    deck: Deck = field(repr=False)
    turn: int

    kind = Kind.SHUFFLE

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    @property
    def is_last(self) -> bool:
        """Whether no seat shuffles after this one."""
        return self.turn + 1 == len(self.cast.seats)

    def authors(self) -> tuple[int, ...]:
        """Return one seat, in seat order."""
        return (self.cast.seats[self.turn],)

    def read(self, body: Value) -> ShuffleBody:
        """Read `[deck, proof]`: 64 bytes a card and 32·(4N + 5) bytes."""
        deck, proof = codec.fields(body, 2)
        count = len(self.deck)
        return ShuffleBody(
            decode_deck(codec.as_bytes(deck, CIPHERTEXT_SIZE * count), count),
            codec.as_bytes(proof, shuffle_proof_size(count)),
        )

    def check(self, site: Site, author: int, body: ShuffleBody) -> Tally:
        """Verify the shuffle proof against the deck of the step before."""
        context = self.cast.context(site, author)
        verify_shuffle(self.deck, body.deck, body.proof, self.cast.joint, context)
        return Tally(shuffles=1)

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, ShuffleBody],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Hand the deck to the next seat; after the last one all agree on it."""
        if gone or missed:
            return restart_deal(self.cast.match, self.cast.attempt, gone | missed)
        (body,) = bodies.values()
        if self.is_last:
            return Next(Agreeing(self.cast, body.deck))
        return Next(replace(self, deck=body.deck, turn=self.turn + 1))
