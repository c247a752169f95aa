"""A table of honest seats on one ledger, moved entry by entry: where the forgers' tests begin.

Everything is a function of the seed.  Tables that several tests start from are made once by
`reached`; each test gets a copy of its own.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import ViolationError
from p2pclimb.games.instant_wins import best_instant_win
from p2pclimb.games.moves import LeadPass, Play
from p2pclimb.games.options import Options
from p2pclimb.ledger.branches import Branches, Node
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Entry, Kind, Leave, sign_entry, sign_leave
from p2pclimb.ledger.events import Event
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Position, check_entry
from p2pclimb.ledger.stage import Stage
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ledger.terms import SeatTerms, Terms
from p2pclimb.seat.decisions import Choice, Claim, Decision, Offer
from p2pclimb.seat.duties import Seat, decision_body, duty
from p2pclimb.seat.secrets import DealSecrets, draw_secrets, read_hand, read_offer

_DECISIONS = (Turning, InstantClaiming, FoursClaiming, Offering, Choosing)

_EXCHANGE = {"game": "winner/1", "exchange": True, "deals": 2}
_RULES_WITH = {
    Kind.CLAIM: {"instant_wins": True},
    Kind.TRIBUTE: _EXCHANGE,
    Kind.OFFER: _EXCHANGE,
    Kind.CHOOSE: _EXCHANGE,
}

NAMES = ("Ana", "Bình", "Chi", "Dung", "Emil", "Fen", "Gita", "Hoa")


def seeded(seed: object) -> Callable[[int], bytes]:
    """A source of bytes that is a function of the seed."""
    return random.Random(str(seed)).randbytes


def new_terms(
    seats: int, seed: str = "table", game: str = "tienlen/1", **settings: object
) -> Terms:
    """Terms of a table of persons; `settings` vary the preset."""
    people = [identity(seat, seed) for seat in range(seats)]
    return Terms(
        seeded(f"{seed} nonce")(16),
        Options.make(game, settings),
        tuple(
            SeatTerms(NAMES[n], person.public, person.curve_key_pair()[0], n, is_bot=False)
            for n, person in enumerate(people)
        ),
    )


def rules_with(kind: Kind | None) -> dict[str, object]:
    """The game, and the settings, of a table that comes to a kind of step."""
    return {"game": "tienlen/1", **_RULES_WITH.get(kind, {})}


@cache
def identity(seat: int, seed: str = "table") -> Identity:
    return Identity.new(seeded(f"{seed} identity {seat}"))


def copy_of(ledger: Ledger) -> Ledger:
    """A ledger that knows the same and goes on by itself."""
    other, old = Ledger(ledger.terms, ledger.start), ledger._route
    nodes = {
        head: Node(
            node.start,
            {**node.entries},
            {**node.certificates},
            {**node.children},
            overruled={seat: [*each] for seat, each in node.overruled.items()},
        )
        for head, node in ledger._branches.nodes.items()
    }
    other.tally, other.convictions = ledger.tally, {**ledger.convictions}
    other._branches = Branches(nodes, {**ledger.leaves})
    route = copy.copy(old)
    route.branches, route.convictions = other._branches, other.convictions
    route.nodes = [nodes[node.start.previous] for node in old.nodes]
    route.signed, route.story = {**old.signed}, [*old.story]
    other._route = route
    return other


@dataclass
class HonestTable:
    """The ledger, and every seat's secrets for the present deal."""

    seed: str
    ledger: Ledger
    secrets: dict[int, DealSecrets] = field(default_factory=dict)
    counters: dict[int, int] = field(default_factory=dict)
    records: list[Entry | Leave] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @classmethod
    def new(cls, seats: int = 2, seed: str = "table", **settings: object) -> HonestTable:
        return cls(seed, Ledger(new_terms(seats, seed, **{"deals": 1, **settings})))

    @classmethod
    def of_a_later_deal(
        cls, order: tuple[int, ...], seed: str = "table", **settings: object
    ) -> HonestTable:
        """A table that is to begin its second deal, after one that was finished in this order."""
        table = cls.new(len(order), seed, **{"deals": 2, **settings}).go(Kind.COMMIT)
        match = replace(table.stage.match, deal=2, named_dealer=order[-1], last_order=order)
        return table.stand_at(replace(table.stage, match=match))

    def stand_at(self, stage: Stage) -> HonestTable:
        """Let the table stand at another stage than the one that it has come to."""
        position = replace(self.position, stage=stage)
        self.ledger = Ledger(self.ledger.terms, position)
        return self

    def copy(self) -> HonestTable:
        ledger = copy_of(self.ledger)
        return HonestTable(
            self.seed,
            ledger,
            {**self.secrets},
            {**self.counters},
            [*self.records],
            [*self.events],
        )

    @property
    def position(self) -> Position:
        return self.ledger.position

    @property
    def stage(self):
        return self.ledger.position.stage

    @property
    def kind(self) -> Kind | None:
        return self.stage.kind

    @property
    def turn(self) -> int:
        """The only seat that is waited for."""
        (seat,) = self.position.waiting()
        return seat

    def hand(self, seat: int) -> dict[int, int]:
        """The physical card at each place that the seat still holds."""
        hands = self.position.hands
        dealt = read_hand(hands, seat, self.secrets[seat])
        return {place: dealt[place] for place in hands.in_hand(seat)}

    def faces(self, seat: int) -> tuple:
        hands = self.position.hands
        return tuple(hands.faces[card] for card in self.hand(seat).values())

    def place_of(self, face: object) -> tuple[int, int]:
        """The seat and the place of a dealt card."""
        hands = self.position.hands
        for seat in self.stage.cast.seats:
            for place, card in self.hand(seat).items():
                if str(hands.faces[card]) == str(face):
                    return seat, place
        raise AssertionError(f"{face} is in no hand")

    def body(self, seat: int) -> list[Value]:
        """What an honest seat answers here; in its turn the first legal play."""
        actor = self.actor(seat)
        if isinstance(self.stage, Committing):
            context = self.position.site.context(seat, self.stage.match.seats)
            deal, attempt = self.stage.deal, self.stage.attempt
            self.secrets[seat] = draw_secrets(deal, attempt, context, actor.entropy)
        if isinstance(self.stage, _DECISIONS):
            return self.decision_body(seat, self.decision(seat))
        others = [n for n in range(len(self.ledger.terms.seats)) if n != seat]
        return duty(actor, self.position, self.secrets.get(seat), others)

    def actor(self, seat: int) -> Seat:
        return Seat(seat, seeded((self.seed, seat, self.position.step)))

    def first_play(self, seat: int) -> Play:
        legal = self.stage.state.legal_plays(self.faces(seat))
        return next(iter(legal), None) or legal.passing

    def decision(self, seat: int) -> Decision | None:
        """What an honest seat decides here: the first legal play, the first cards, no fours."""
        match self.stage:
            case Turning():
                return self.first_play(seat)
            case InstantClaiming(cast=cast):
                hand, match = self.faces(seat), cast.match
                win = best_instant_win(hand, match.options, match.is_first_deal)
                return Claim(hand) if win else None
            case FoursClaiming():
                return None
            case Offering(hands=hands, exchange=exchange):
                mine = self.hand(exchange.receiver)
                closed = hands.closed(mine)
                return Offer(tuple(hands.faces[mine[place]] for place in closed[:2]))
            case Choosing(hands=hands) as stage:
                first, _ = read_offer(stage, self.secrets[seat]).values()
                return Choice(hands.faces[first])

    def decision_body(self, seat: int, decision: Decision | None) -> list[Value]:
        hand = read_hand(self.position.hands, seat, self.secrets[seat])
        return decision_body(self.actor(seat), self.position, self.secrets[seat], hand, decision)

    def sign(self, seat: int, body: list[Value] | None = None, **changes: object) -> Entry:
        """An entry of the seat for the present step; `changes` forge fields of its header."""
        site = self.position.site
        header = {
            "table": site.table,
            "deal": site.deal,
            "attempt": site.attempt,
            "step": site.step,
            "previous": site.previous,
            "author": seat,
            "counter": self.counters.get(seat, 0),
            "kind": site.kind,
            **changes,
        }
        place = Place(header.pop("step"), header.pop("previous"), header.pop("author"))
        value = self.body(seat) if body is None else body
        return sign_entry(identity(seat, self.seed), place=place, body=value, **header)

    def forged(self, entry: Entry, **changes: object) -> Entry:
        """An entry with some fields changed, signed by its author."""
        fields = ("table", "deal", "attempt", "place", "counter", "kind", "body")
        kept = {name: getattr(entry, name) for name in fields}
        return sign_entry(identity(entry.author, self.seed), **{**kept, **changes})

    def leave(self, seat: int, step: int | None = None) -> Leave:
        """A leave notice; by default from the present step, or the next if it is signed."""
        if step is None:
            last = self.ledger.last.get(seat)
            step = max(self.position.step, 1 + (last.step if last else -1))
        return sign_leave(
            identity(seat, self.seed),
            table=self.position.table,
            deal=self.stage.deal,
            step=step,
            author=seat,
            counter=self.counters.get(seat, 0),
            head=self.position.previous,
        )

    def put(self, *entries: Entry | Leave) -> None:
        """Let the ledger accept records."""
        for record in entries:
            if isinstance(record, Leave):
                self.events += self.ledger.notice(record)
            else:
                self.events += self.ledger.accept(record)
            self.counters[record.author] = record.counter + 1
            self.records.append(record)

    def play(self, seat: int, decision: Decision | None) -> None:
        self.put(self.sign(seat, self.decision_body(seat, decision)))

    def go(self, until: Callable[[HonestTable], bool] | Kind | None = None) -> HonestTable:
        """Let the honest seats go on until the table is there, or has ended."""

        def is_there() -> bool:
            if isinstance(until, Kind):
                return self.kind is until
            return until is not None and until(self)

        while not is_there() and self.kind is not None:
            self.put(self.sign(self.position.waiting()[0]))
        return self

    def refused(self, entry: Entry, rule: str, saying: str = ".") -> None:
        """Assert that the check of this entry fails, by this rule, and names its author."""
        with pytest.raises(ViolationError, match=saying) as caught:
            check_entry(self.position, entry)
        assert caught.value.rule == rule
        assert (caught.value.seat, caught.value.step) == (entry.author, entry.step)

    def forge(self, seat: int, body: list[Value], rule: str, saying: str = ".") -> None:
        """Assert that a seat that signs this body is refused by this rule."""
        self.refused(self.sign(seat, body), rule, saying)


@cache
def _reached(kind: Kind | None, seats: int, seed: str, settings: tuple) -> HonestTable:
    return HonestTable.new(seats, seed, **dict(settings)).go(kind)


def reached(
    kind: Kind | None, seats: int = 2, seed: str = "table", **settings: object
) -> HonestTable:
    """A table that has come to the first step of a kind (None: to its end)."""
    rules = {**rules_with(kind), **settings}
    return _reached(kind, seats, seed, tuple(sorted(rules.items()))).copy()


__all__ = [
    "NAMES",
    "HonestTable",
    "LeadPass",
    "identity",
    "new_terms",
    "reached",
    "rules_with",
    "seeded",
]
