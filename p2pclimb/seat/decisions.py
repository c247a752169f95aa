"""What a person or a bot decides, besides plays: claims, and the two choices of an exchange."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2pclimb.cards import Card
from p2pclimb.games.moves import Play

__all__ = ["Choice", "Claim", "Decision", "Offer"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim with these cards: the fours, or the whole hand for one that wins at once."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer these two cards to the loser of the deal before."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Take this card of the two that the winner offers."""

    card: Card


Decision: TypeAlias = Play | Claim | Offer | Choice
