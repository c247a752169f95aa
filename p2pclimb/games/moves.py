"""What a seat may do in its turn, the record of what was done, and how a deal came out.

Values only; `play` says what is allowed and what follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2pclimb.cards import Card, format_cards
from p2pclimb.games.shapes import Combination

__all__ = [
    "Absent",
    "Cards",
    "ChopPayment",
    "ClaimedOutcome",
    "ConvictedOutcome",
    "Holding",
    "LeadPass",
    "Outcome",
    "Pass",
    "PickUp",
    "Play",
    "Result",
    "Turn",
]


def _sorted(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: card.index))


@dataclass(frozen=True, slots=True)
class Pass:
    """Not beating what is on the table."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Cards:
    """Playing cards; in whatever order they are named, equal cards make an equal play."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", _sorted(self.cards))

    def __str__(self) -> str:
        return format_cards(self.cards)


@dataclass(frozen=True, slots=True)
class LeadPass:
    """Passing the lead with the whole hand shown, as `finish_on_two=false` may demand."""

    hand: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "hand", _sorted(self.hand))

    def __str__(self) -> str:
        return f"pass, showing {format_cards(self.hand)}"


@dataclass(frozen=True, slots=True)
class Absent:
    """A turn that its seat did not take; nobody plays another seat's cards for it."""

    def __str__(self) -> str:
        return "absent"


Play = Pass | Cards | LeadPass


@dataclass(frozen=True, slots=True)
class PickUp:
    """A bomb that goes face up into the hand of the seat whose fours took it (rules.md 2.6)."""

    seat: int
    combination: Combination


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat did in a trick; tricks are counted from 1 in each deal.

    `picked_up` is the bomb that its fours brought into its hand.
    """

    trick: int
    seat: int
    play: Play | Absent
    picked_up: Combination | None = None


@dataclass(frozen=True, slots=True)
class ChopPayment:
    """What the chops of a trick cost: `payer` owes `receiver` so many stakes."""

    trick: int
    payer: int
    receiver: int
    stakes: int


@dataclass(frozen=True, slots=True)
class ClaimedOutcome:
    """How a deal came out that an instant win ended before the first play.

    `order` has every seat of the deal in order of turn from the claimant, who wins; there is no
    loser, the others come equal.
    """

    order: tuple[int, ...]

    @property
    def winner(self) -> int:
        """The seat whose claim was the best."""
        return self.order[0]


@dataclass(frozen=True, slots=True)
class ConvictedOutcome:
    """How a deal came out that was broken off because seats were convicted of an offence.

    `order` has every seat of the deal, the culprits last in seat order.  `dealt` has the cards that
    each seat was dealt: what anybody has played since counts nothing (protocol.md, Convicted).
    """

    order: tuple[int, ...]
    dealt: Mapping[int, int]
    culprits: frozenset[int]

    @property
    def loser(self) -> int:
        """The seat that counts as the loser: a culprit."""
        return self.order[-1]


@dataclass(frozen=True, slots=True)
class Holding:
    """What scoring by cards looks at in a hand: its size, now and as dealt, and if it was used."""

    cards: int
    dealt: int
    has_played: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal came out.

    `order` has every seat of the deal from the winner to the loser: as they finished, then the
    one left with cards, then those who departed, the first to go lowest.  `cards_left` says for
    each of them how many cards it still held (rules.md 1.10 and 3).  `chops` are the payments for
    chops that the options ask for; `counted` are the hands, in the same order, at the moment for
    which scoring by cards counts them (rules.md 2.13).
    """

    order: tuple[int, ...]
    cards_left: tuple[int, ...]
    chops: tuple[ChopPayment, ...] = ()
    counted: tuple[Holding, ...] = ()

    @property
    def winner(self) -> int:
        """The seat that comes first."""
        return self.order[0]

    @property
    def loser(self) -> int:
        """The seat that comes last, and pays."""
        return self.order[-1]

    @property
    def hand_sizes(self) -> dict[int, int]:
        """The cards each seat still held."""
        return dict(zip(self.order, self.cards_left, strict=True))


Result = Outcome | ClaimedOutcome | ConvictedOutcome
