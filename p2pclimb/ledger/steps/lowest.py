"""Step `lowest`: who holds the lowest card dealt (Tiến lên, clause 4), without believing anybody.

For one card after another, from the lowest upward: each holder opens its copies, everybody else
proves in zero knowledge that none of its places is that card.  Nothing else becomes known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.crypto.absence import verify_absence
from p2pclimb.crypto.group import Point
from p2pclimb.crypto.masking import card_points
from p2pclimb.errors import MalformedError
from p2pclimb.games.dealing import opening_leader
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Next, begin_play
from p2pclimb.ledger.entry import MAX_ENTRY_SIZE, Kind
from p2pclimb.ledger.events import LowestMissing, LowestShown
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site

__all__ = ["Absence", "Seeking", "begin_search"]


@dataclass(frozen=True, slots=True)
class Absence:
    """The proof that none of the author's places holds the card that is sought."""

    proof: bytes


@dataclass(frozen=True, slots=True)
class Seeking:
    """Waiting for every seat's answer about `cards[0]`; `out` are the seats that gave none before.

    `cards` are the faces still in question, from the lowest upward.
    """

    cast: Cast
    hands: Hands = field(repr=False)
    cards: tuple[Card, ...]
    out: tuple[int, ...]

    kind = Kind.LOWEST

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return everybody who takes part and is not out."""
        return tuple(seat for seat in self.cast.seats if seat not in self.out)

    def copies(self) -> tuple[int, ...]:
        """Return the physical cards with the face that is sought: one, or two twins."""
        return tuple(i for i, face in enumerate(self.hands.faces) if face == self.cards[0])

    def candidates(self) -> tuple[Point, ...]:
        """Return the card points of the copies."""
        points = card_points(len(self.hands.faces))
        return tuple(points[index] for index in self.copies())

    def read(self, body: Value) -> Showing | Absence:
        """Read `[true, places, shares, proof]` of a holder, else `[false, proof]`."""
        items = codec.as_list(body, 4)
        if items and codec.as_bool(items[0]):
            _, places, shares, proof = codec.fields(body, 4)
            showing = Showing.read(places, shares, proof)
            if not showing.places:
                raise MalformedError("A holder shows at least one card.")
            return showing
        _, proof = codec.fields(body, 2)
        return Absence(codec.as_bytes(proof, at_most=MAX_ENTRY_SIZE))

    def check(self, site: Site, author: int, body: Showing | Absence) -> Tally:
        """Verify the opened copies, or the proof of absence for every place of the author."""
        key = self.cast.keys[author]
        context = self.cast.context(site, author)
        if isinstance(body, Showing):
            tally = self.hands.check_showing(author, key, body, context)
            shown = self.hands.shown(body).faces_at(body.places)
            if any(face != self.cards[0] for face in shown):
                raise RuleError("lowest", "a card was shown that is not the one in question")
            return tally
        held = self.hands.in_hand(author)
        residuals = [self.hands.residuals[place] for place in held]
        verify_absence(key, residuals, self.candidates(), body.proof, context)
        return Tally(absences=len(held) * len(self.copies()))

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, Showing | Absence],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Let the holder lead; if nobody holds the card, ask for the next one.

        Who does not answer is out of the deal: silence must not hide the card.
        """
        hands, out = self.hands, (*self.out, *sorted(gone | missed))
        holders = []
        for seat, body in bodies.items():
            if isinstance(body, Showing):
                hands = hands.shown(body)
                holders.append(seat)
        if not holders:
            following = begin_search(self.cast, hands, self.cards[1:], out)
            is_missing = isinstance(following.course, Seeking)
            return following.after(LowestMissing(self.cards[0])) if is_missing else following
        leader = _first_after_the_dealer(self.cast, holders)
        shown = LowestShown(self.cards[0], tuple(holders), leader)
        return begin_play(self.cast, hands, leader, self.cards[0], out).after(shown)


def begin_search(cast: Cast, hands: Hands, cards: tuple[Card, ...], out: tuple[int, ...]) -> Next:
    """Return the step that asks for the first of `cards`; `out` are those out of the deal.

    Where no card or no two seats are left the play begins, and its leader is bound by nothing.
    """
    seated = [seat for seat in cast.seats if seat not in out]
    if cards and len(seated) > 1:
        return Next(Seeking(cast, hands, cards, out))
    leader = _first_after_the_dealer(cast, seated or cast.seats)
    return begin_play(cast, hands, leader, None, out)


def _first_after_the_dealer(cast: Cast, seats: Collection[int]) -> int:
    dealer = cast.match.dealer
    assert dealer is not None
    return opening_leader(cast.match.options, cast.seats, dealer, seats)
