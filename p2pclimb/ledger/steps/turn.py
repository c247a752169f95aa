"""Step `turn`: one seat plays cards of its hand, opened and proved, or passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pclimb.errors import MalformedError, PlayError
from p2pclimb.games.moves import Cards, LeadPass, Pass, Play
from p2pclimb.games.play import DealState
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.consequences import after_cards, consequences
from p2pclimb.ledger.course import Next, Playing
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import (
    Departed,
    Event,
    LeadPassed,
    Passed,
    Played,
)
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site

__all__ = ["TurnBody", "Turning", "write_turn"]

_PASS, _CARDS, _LEAD_PASS = range(3)


@dataclass(frozen=True, slots=True)
class TurnBody:
    """A pass (nothing shown), cards played, or a whole hand shown to pass the lead."""

    move: int
    showing: Showing


@dataclass(frozen=True, slots=True)
class Turning:
    """Waiting for the play of `state.turn`."""

    cast: Cast
    hands: Hands = field(repr=False)
    state: DealState

    kind = Kind.TURN

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return the one seat whose turn it is."""
        assert self.state.turn is not None
        return (self.state.turn,)

    def read(self, body: Value) -> TurnBody:
        """Read `[0]` for a pass, else `[1 or 2, places, shares, proof]`."""
        items = codec.as_list(body, 4, at_least=1)
        move = codec.as_int(items[0], _PASS, _LEAD_PASS)
        if move == _PASS:
            codec.fields(body, 1)
            return TurnBody(move, Showing((), (), b""))
        _, places, shares, proof = codec.fields(body, 4)
        showing = Showing.read(places, shares, proof)
        if not showing.places:
            raise MalformedError("A play names at least one card.")
        return TurnBody(move, showing)

    def check(self, site: Site, author: int, body: TurnBody) -> Tally:
        """Verify that the cards are the author's and rightly opened, and the play legal."""
        context = self.cast.context(site, author)
        tally = Tally(plays=1)
        if body.move != _PASS:
            key = self.cast.keys[author]
            tally += self.hands.check_showing(author, key, body.showing, context)
        try:
            self.state.check(_play(self.hands.shown(body.showing), body), author)
        except PlayError as error:
            raise RuleError(error.code, error.text.rstrip(".")) from error
        return tally

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, TurnBody],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Let the next seat play; close the deal when only one seat holds cards.

        A turn that was missed is a pass; who should have led has lost the lead to the next seat.
        """
        told: tuple[Event, ...]
        if missed:
            state = self.state.absent_turn()
            told = consequences(self.state, state)
            return Next(Playing(self.cast, self.hands, state), told)
        if gone:
            (seat,) = gone
            state = self.state.depart(seat)
            told = (Departed(seat), *consequences(self.state, state))
            return Next(Playing(self.cast, self.hands, state), told)
        ((seat, body),) = bodies.items()
        hands = self.hands.shown(body.showing)
        play = _play(hands, body)
        state = self.state.apply(play)
        if body.move == _CARDS:
            hands = after_cards(hands, body.showing.places, seat, self.state, state)
        events = (_told(self.state, seat, play), *consequences(self.state, state))
        return Next(Playing(self.cast, hands, state), events)


def write_turn(play: Play, showing: Showing) -> list[Value]:
    """Return the body of a play; `showing` are the places of its cards."""
    match play:
        case Pass():
            return [_PASS]
        case Cards():
            return [_CARDS, *showing.write()]
        case LeadPass():
            return [_LEAD_PASS, *showing.write()]


def _play(hands: Hands, body: TurnBody) -> Play:
    cards = hands.faces_at(body.showing.places)
    match body.move:
        case _ if body.move == _PASS:
            return Pass()
        case _ if body.move == _CARDS:
            return Cards(cards)
        case _:
            return LeadPass(cards)


def _told(before: DealState, seat: int, play: Play) -> Event:
    match play:
        case Pass():
            return Passed(seat)
        case LeadPass(hand):
            return LeadPassed(seat, hand)
        case Cards():
            combination = before.check(play)
            assert combination is not None
            left = before.hand_sizes[seat] - len(combination)
            return Played(seat, combination, before.table is None, left)
