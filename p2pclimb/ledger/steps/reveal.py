"""Step `reveal`: the commitments are opened; the joint key and the public coin follow.

The hash of all coins decides what must be random and public: the first dealer, and in Winner the
place of the trick card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pclimb.crypto.group import Point, decode_point, is_identity, total
from p2pclimb.crypto.masking import initial_deck, joint_key
from p2pclimb.crypto.possession import verify_possession
from p2pclimb.games.dealing import Opening, opening_rule, pack
from p2pclimb.games.match import Match
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next, restart_deal
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealerDrawn
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.shuffle import Shuffling

__all__ = ["RevealBody", "Revealing", "commitment"]


@dataclass(frozen=True, slots=True)
class RevealBody:
    """A coin (32 bytes), the deal's public key and the proof that its secret is known."""

    coin: bytes
    key: Point
    possession: bytes


@dataclass(frozen=True, slots=True)
class Revealing:
    """Waiting for the openings of `commitments`, which were made at `committed`.

    `asked` are the seats that were to commit, those that are gone since included.
    """

    match: Match
    attempt: int
    commitments: Mapping[int, bytes]
    asked: tuple[int, ...]
    committed: Site

    kind = Kind.REVEAL

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.match.deal

    def authors(self) -> tuple[int, ...]:
        """Return everybody who committed."""
        return self.match.seats

    def context(self, author: int) -> bytes:
        """Return the context of a seat's possession proof: the step `commit`, no keys yet."""
        return self.committed.context(author, self.asked)

    def read(self, body: Value) -> RevealBody:
        """Read `[coin, key, possession proof]`, 32, 32 and 64 bytes."""
        coin, key, possession = codec.fields(body, 3)
        return RevealBody(
            codec.as_bytes(coin, 32),
            decode_point(codec.as_bytes(key, 32)),
            codec.as_bytes(possession, 64),
        )

    def check(self, site: Site, author: int, body: RevealBody) -> Tally:
        """Compare with the commitment and verify the possession of the key's secret."""
        context = self.context(author)
        opened = commitment(context, body.coin, body.key, body.possession)
        if opened != self.commitments[author]:
            raise RuleError("commitment", "what was revealed is not what was committed to")
        verify_possession(body.key, body.possession, context)
        return Tally(possessions=1)

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, RevealBody],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Draw the dealer of a first deal and begin the shuffles with the deck that all know."""
        useless = _useless_keys(bodies)
        missing = gone | missed | useless
        if missing:
            return restart_deal(self.match, self.attempt, missing)
        keys = {seat: body.key for seat, body in bodies.items()}
        joint = joint_key(list(keys.values()))
        match = self.match
        coins = [body.coin for body in bodies.values()]
        by_coin = match.dealer is None
        if by_coin:
            match = match.with_dealer(match.seats[_draw(Label.COIN, coins, len(match.seats))])
        size = len(pack(match.options, len(match.seats)))
        has_trick_card = (
            opening_rule(match.options, first_deal=match.is_first_deal) is Opening.TRICK_CARD
        )
        face_up = (_draw(Label.TRICK_CARD, coins, size),) if has_trick_card else ()
        cast = Cast(match, self.attempt, keys, joint, face_up)
        deck = initial_deck(joint, size)
        assert match.dealer is not None
        drawn = DealerDrawn(match.deal, match.dealer, by_coin)
        return Next(Shuffling(cast, deck, 0), (drawn,))


def commitment(context: bytes, coin: bytes, key: Point, possession: bytes) -> bytes:
    """Return the 32-byte commitment to a coin, a key and the proof that its secret is known.

    The context names the step and the author, so nobody can use another's commitment.
    """
    return digest(Label.COMMITMENT, [context, coin, bytes(key), possession])


def _draw(label: Label, coins: Sequence[bytes], count: int) -> int:
    """Return a number below `count` that the coins of all seats draw together."""
    return int.from_bytes(digest(label, list(coins)), "big") % count


def _useless_keys(bodies: Mapping[int, RevealBody]) -> frozenset[int]:
    """Return the seats whose keys mask nothing, because they are known to others.

    Two seats with one key know each other's secret.  Keys that sum to the identity can only be
    made by all seats together.
    """
    keys = [body.key for body in bodies.values()]
    if is_identity(total(keys)):
        return frozenset(bodies)
    return frozenset(seat for seat, body in bodies.items() if keys.count(body.key) > 1)
