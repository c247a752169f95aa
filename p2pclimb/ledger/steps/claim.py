"""Step `claim`: all who are asked answer at once, claim or decline; a claim opens its cards.

Asked are all seats for hands that win at once, before the first play (Tiến lên, option
`instant_wins`), and the others for fours, after a bomb (Winner, option `fours_when=anyone`).
Cards of a claim that loses stay in the hand, face up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.errors import IllegalPlayError, MalformedError, PlayError
from p2pclimb.games.dealing import rotation
from p2pclimb.games.instant_wins import (
    InstantWin,
    best_instant_win,
    claimed_outcome,
    winning_claim,
)
from p2pclimb.games.play import DealState
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.consequences import after_cards, consequences
from p2pclimb.ledger.course import Dealt, Next, Playing
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import Claimed, Departed, Event, InstantWon, Played
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.close import begin_close

__all__ = ["DECLINE", "FoursClaiming", "InstantClaiming", "write_claim"]

DECLINE: tuple[Value, ...] = (False,)
"""The body of a decline."""


def write_claim(showing: Showing) -> list[Value]:
    """Return the body of a claim."""
    return [True, *showing.write()]


def _read(body: Value) -> Showing | None:
    """Read `[true, places, shares, proof]` of a claim, `[false]` (None) of a decline."""
    items = codec.as_list(body, 4, at_least=1)
    if not codec.as_bool(items[0]):
        codec.fields(body, 1)
        return None
    _, places, shares, proof = codec.fields(body, 4)
    showing = Showing.read(places, shares, proof)
    if not showing.places:
        raise MalformedError("A claim shows at least one card.")
    return showing


def _check(
    site: Site, stage: InstantClaiming | FoursClaiming, author: int, showing: Showing
) -> Tally:
    """Verify that the cards of a claim are the author's, rightly opened, and worth a claim."""
    cast, hands = stage.cast, stage.hands
    context = cast.context(site, author)
    tally = hands.check_showing(author, cast.keys[author], showing, context)
    try:
        stage.check_cards(author, hands.shown(showing).faces_at(showing.places))
    except PlayError as error:
        raise RuleError("claim", error.text.rstrip(".")) from error
    return tally


def _with_claims(
    hands: Hands, bodies: Mapping[int, Showing | None]
) -> tuple[Hands, dict[int, tuple[Card, ...]]]:
    """Return the hands with all claimed cards open, and the cards by claimant."""
    claims = {seat: showing for seat, showing in bodies.items() if showing is not None}
    for showing in claims.values():
        hands = hands.shown(showing)
    return hands, {seat: hands.faces_at(showing.places) for seat, showing in claims.items()}


@dataclass(frozen=True, slots=True)
class InstantClaiming:
    """Waiting for every seat to claim that its hand wins at once, or to decline."""

    cast: Cast
    hands: Hands = field(repr=False)

    kind = Kind.CLAIM

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return everybody who takes part."""
        return self.cast.seats

    def read(self, body: Value) -> Showing | None:
        """Read a claim, which shows the whole hand, or a decline."""
        return _read(body)

    def check(self, site: Site, author: int, body: Showing | None) -> Tally:
        """Verify that the whole hand is shown, and that it wins."""
        if body is None:
            return Tally()
        return _check(site, self, author, body)

    def check_cards(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Raise IllegalPlayError with the reason unless a seat may claim with these cards."""
        if len(cards) != len(self.hands.in_hand(seat)):
            raise IllegalPlayError("A claim shows the whole hand.")
        if self._win(cards) is None:
            raise IllegalPlayError("This hand does not win at once.")

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, Showing | None],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """End the deal for the best claim; without one it goes on."""
        hands, claims = _with_claims(self.hands, bodies)
        told: list[Event] = [Claimed(seat, cards) for seat, cards in claims.items()]
        if not claims:
            return Next(Dealt(self.cast, hands, claimed=True, gone=tuple(sorted(gone))))
        match = self.cast.match
        assert match.dealer is not None
        wins = {seat: win for seat, cards in claims.items() if (win := self._win(cards))}
        leader = match.dealer if match.leader is None else match.leader
        winner = winning_claim(wins, rotation(match.options, match.seats, leader))
        told.append(InstantWon(winner, wins[winner].kind.value, wins[winner].cards))
        outcome = claimed_outcome(match.options, match.seats, winner)
        return Next(begin_close(self.cast, hands, outcome, tuple(sorted(gone))), tuple(told))

    def _win(self, cards: tuple[Card, ...]) -> InstantWin | None:
        match = self.cast.match
        return best_instant_win(cards, match.options, match.is_first_deal)


@dataclass(frozen=True, slots=True)
class FoursClaiming:
    """Waiting for the seats in `state.asked` to claim the bomb on the table, or to decline."""

    cast: Cast
    hands: Hands = field(repr=False)
    state: DealState

    kind = Kind.CLAIM

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return all the others with cards, in seat order."""
        return tuple(sorted(self.state.asked))

    def read(self, body: Value) -> Showing | None:
        """Read a claim, which shows the fours, or a decline."""
        return _read(body)

    def check(self, site: Site, author: int, body: Showing | None) -> Tally:
        """Verify that the fours are the author's and take the bomb."""
        if body is None:
            return Tally()
        return _check(site, self, author, body)

    def check_cards(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Raise PlayError with the reason unless a seat may claim with these cards."""
        self.state.check_claim(seat, cards)

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, Showing | None],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Give the bomb to the claimant nearest after the bomber; else the next seat plays."""
        hands, claims = _with_claims(self.hands, bodies)
        told: list[Event] = [Claimed(seat, cards) for seat, cards in claims.items()]
        asked = self.state
        for seat in sorted(gone):
            told.append(Departed(seat))
            asked = asked.depart(seat)
        after = asked.answer(claims) if asked.asked else asked
        if len(after.history) > len(asked.history):
            winner = after.history[-1].seat
            showing = bodies[winner]
            assert showing is not None
            fours = asked.check_claim(winner, claims[winner])
            left = asked.hand_sizes[winner] - len(fours)
            told.append(Played(winner, fours, led=False, left=left))
            hands = after_cards(hands, showing.places, winner, asked, after)
        told += consequences(asked, after)
        return Next(Playing(self.cast, hands, after), tuple(told))
