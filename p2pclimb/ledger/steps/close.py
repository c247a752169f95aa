"""Step `close`: everybody signs the result of a deal, and opens what the options ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from p2pclimb.games.moves import Outcome, Result
from p2pclimb.games.rotten_twos import rotten_payments
from p2pclimb.games.scoring import payments
from p2pclimb.ledger import codec
from p2pclimb.ledger.cast import Cast
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.course import Beginning, Next
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealEnded, Event, RestShown
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.judging import RuleError, Tally
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.ended import end
from p2pclimb.ledger.terms import MAX_SEATS

__all__ = ["CloseBody", "Closing", "begin_close"]

_MOST_POINTS = 2**31


@dataclass(frozen=True, slots=True)
class CloseBody:
    """What every seat wins, the seats that the author reaches, and its remaining cards."""

    payments: tuple[tuple[int, int], ...]
    reachable: tuple[int, ...]
    showing: Showing


@dataclass(frozen=True, slots=True)
class Closing:
    """Waiting for everybody who is not `departed` to sign `payments`, which the rules give."""

    cast: Cast
    hands: Hands = field(repr=False)
    outcome: Result
    payments: Mapping[int, int]
    departed: tuple[int, ...]

    kind = Kind.CLOSE

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self.cast.deal

    @property
    def attempt(self) -> int:
        """How often this deal was begun anew."""
        return self.cast.attempt

    def authors(self) -> tuple[int, ...]:
        """Return everybody who has not departed, those without cards included."""
        return tuple(seat for seat in self.cast.seats if seat not in self.departed)

    def owed_places(self, site: Site, seat: int) -> tuple[int, ...]:
        """Return the places that a seat has to show at the end.

        Its remaining cards with `show_rest`, and those of the loser with `rotten_twos`.
        """
        options = site.terms.options
        owes_rest = options.flag("show_rest") or (
            options.plays_with("rotten_twos")
            and isinstance(self.outcome, Outcome)
            and seat == self.outcome.loser
        )
        return self.hands.in_hand(seat) if owes_rest else ()

    def read(self, body: Value) -> CloseBody:
        """Read `[[[seat, points], ...], reachable seats, places, shares, proof]`."""
        paid, reachable, places, shares, proof = codec.fields(body, 5)
        return CloseBody(
            tuple(_payment(pair) for pair in codec.as_list(paid, MAX_SEATS)),
            tuple(
                codec.as_int(seat, 0, MAX_SEATS - 1) for seat in codec.as_list(reachable, MAX_SEATS)
            ),
            Showing.read(places, shares, proof),
        )

    def check(self, site: Site, author: int, body: CloseBody) -> Tally:
        """Compare the result with that of the rules, and verify the cards that are shown."""
        if body.payments != tuple(self.payments.items()):
            raise RuleError("result", "the result is not what the rules give")
        others = [seat for seat in range(len(site.terms.seats)) if seat != author]
        if list(body.reachable) != [seat for seat in others if seat in body.reachable]:
            raise RuleError("reachable", "the reachable seats are not other seats of the table")
        if body.showing.places != self.owed_places(site, author):
            raise RuleError("rest", "the cards shown are not those that the rules ask for")
        context = self.cast.context(site, author)
        return self.hands.check_showing(author, self.cast.keys[author], body.showing, context)

    def complete(
        self,
        site: Site,
        bodies: Mapping[int, CloseBody],
        gone: frozenset[int],
        missed: frozenset[int],
    ) -> Next:
        """Pay, and begin the next deal with the seats that are there by then, or end the table."""
        hands = self.hands
        for body in bodies.values():
            hands = hands.shown(body.showing)
        shown = {seat: hands.faces_at(body.showing.places) for seat, body in bodies.items()}
        rotten = self._rotten(site, hands)
        match = self.cast.match.after(self.outcome, rotten)
        events: list[Event] = [RestShown(seat, rest) for seat, rest in shown.items() if rest]
        paid = {seat: points + rotten.get(seat, 0) for seat, points in self.payments.items()}
        events.append(DealEnded(self.deal, self.outcome.order, paid, match.scores))
        if match.is_over:
            return end("all agreed deals have been played", match).after(*events)
        there = _there(site, bodies)
        seated = match.without(*match.seats).rejoined(*there)
        return Next(Beginning(seated, 0), tuple(events))

    def _rotten(self, site: Site, hands: Hands) -> Mapping[int, int]:
        """Return what the loser pays for the 2s in its hand, at worst if that is not all open."""
        if not isinstance(self.outcome, Outcome):
            return {}
        held = hands.in_hand(self.outcome.loser)
        opened = None if hands.closed(held) else hands.faces_at(held)
        elsewhere = hands.faces_at(place for place in hands.known if place not in held)
        return rotten_payments(site.terms.options, self.outcome, opened, elsewhere)


def _there(site: Site, bodies: Mapping[int, CloseBody]) -> list[int]:
    """Return the seats that are expected in the next deal (protocol.md, The next deal).

    Those who signed the result, and those whom more than half of them can reach; but nobody who has
    left the table or was convicted.
    """
    listed = [seat for body in bodies.values() for seat in body.reachable]
    return [
        seat
        for seat in range(len(site.terms.seats))
        if seat not in site.away and (seat in bodies or 2 * listed.count(seat) > len(bodies))
    ]


def _payment(value: Value) -> tuple[int, int]:
    seat, points = codec.fields(value, 2)
    return (
        codec.as_int(seat, 0, MAX_SEATS - 1),
        codec.as_int(points, -_MOST_POINTS, _MOST_POINTS),
    )


def begin_close(cast: Cast, hands: Hands, outcome: Result, departed: Sequence[int]) -> Closing:
    """Return the step that signs the result of a deal that is over."""
    paid = payments(cast.match.options, outcome)
    ordered = {seat: paid[seat] for seat in cast.seats}
    return Closing(cast, hands, outcome, ordered, tuple(departed))
