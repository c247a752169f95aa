"""What this seat alone knows of the present deal: its secrets, and the cards at its places.

When to look, and what is told of it to this seat's player, is the session's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from p2pclimb.cards import Card
from p2pclimb.ledger.events import (
    BombTaken,
    CardsDealt,
    CardTaken,
    Event,
    HistoryDropped,
    TributeGiven,
    TributeReturned,
)
from p2pclimb.ledger.hands import Hands
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.opening import Opening
from p2pclimb.seat.decisions import Decision
from p2pclimb.seat.duties import Seat, decision_body
from p2pclimb.seat.secrets import DealSecrets, draw_secrets, read_hand, read_offer
from p2pclimb.table.jobs import Duty

__all__ = ["OwnHand"]

_HAND_CHANGES = (CardsDealt, TributeGiven, TributeReturned, CardTaken, BombTaken)


@dataclass(slots=True)
class OwnHand:
    """A seat's secrets for the attempts of deals, and the physical card at each of its places.

    `kept` has the secrets by the head that the attempt's step `commit` builds on, those of attempts
    included to which the table may come back; `secrets` are those of the present one.
    """

    seat: Seat
    kept: dict[bytes, DealSecrets] = field(default_factory=dict, repr=False)
    secrets: DealSecrets | None = field(default=None, repr=False)
    card_at: dict[int, int] = field(default_factory=dict, repr=False)

    def begin(self, stage: Committing, site: Site) -> DealSecrets | None:
        """Draw the secrets of an attempt and return them; None if they had been drawn before."""
        if site.previous in self.kept:
            return None
        context = site.context(self.seat.number, stage.match.seats)
        drawn = draw_secrets(stage.deal, stage.attempt, context, self.seat.entropy)
        self.kept[site.previous] = drawn
        return drawn

    def turn_to(self, position: Position) -> None:
        """Take the secrets and the cards of a position's attempt, wherever the table stood.

        The secrets are not there if they were drawn on a disk that is lost.
        """
        self.secrets = self.kept.get(position.attempt_name)
        self.card_at = {}
        if position.hands is not None:
            self.look(position.hands)

    def follow(self, event: Event, position: Position) -> None:
        """Read the hand again when an event has changed it; `position` is that after the event."""
        if isinstance(event, HistoryDropped | CardsDealt):
            self.turn_to(position)
        elif isinstance(event, _HAND_CHANGES) and position.hands is not None:
            self.look(position.hands)

    def is_lost(self, position: Position) -> bool:
        """Whether the secrets of the present attempt are lost, so that this seat owes in vain."""
        is_drawn = not isinstance(position.stage, Opening | Committing)
        return is_drawn and self.secrets is None

    def look(self, hands: Hands) -> None:
        """Read the cards at all places that are this seat's now."""
        if self.secrets is not None:
            self.card_at = dict(read_hand(hands, self.seat.number, self.secrets))

    def forget(self, ledger: Ledger) -> tuple[bytes, ...]:
        """Drop the secrets of attempts that can never be gone on with, and return their names."""
        kept = self.kept.items()
        over = tuple(name for name, secrets in kept if ledger.is_over(name, secrets.deal))
        for name in over:
            del self.kept[name]
        return over

    def cards(self, hands: Hands | None) -> tuple[Card, ...]:
        """Return the cards that this seat holds, in no particular order."""
        if hands is None:
            return ()
        return self._faces(hands, hands.in_hand(self.seat.number))

    def closed_cards(self, hands: Hands | None) -> tuple[Card, ...]:
        """Return those of the cards held that nobody else has seen, in no particular order."""
        if hands is None:
            return ()
        return self._faces(hands, hands.closed(hands.in_hand(self.seat.number)))

    def offered(self, stage: Choosing) -> tuple[Card, ...]:
        """Return the cards of which this seat is to take one, in the order of the offer."""
        if self.secrets is None:
            return ()
        return tuple(stage.hands.faces[card] for card in read_offer(stage, self.secrets).values())

    def decided(self, position: Position, decision: Decision | None) -> Duty:
        """Return the body of what the player decided, None to decline a claim; raises PlayError."""
        assert self.secrets is not None
        value = decision_body(self.seat, position, self.secrets, self.card_at, decision)
        return Duty(position.previous, value, position.stage.read(value))

    def _faces(self, hands: Hands, places: Iterable[int]) -> tuple[Card, ...]:
        return tuple(hands.faces[self.card_at[p]] for p in places if p in self.card_at)
