"""The exchange before a later deal of Winner: who gives, and what (rules.md 2.12).

The loser gives its highest card to the winner, who offers two others of its choosing; the loser
sees both and takes one.  Judging by faces and places; that a hidden hand holds no higher card is
for the cryptography to prove.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from p2pclimb.cards import Card, faces
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.match import Match
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook

__all__ = ["Exchange", "check_offer", "exchange_of", "higher_faces", "tribute"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """The seats that exchange: the `giver` lost the deal before, the `receiver` won it."""

    giver: int
    receiver: int


def exchange_of(match: Match) -> Exchange | None:
    """Return who exchanges cards before the next deal of a match.

    None if nobody does: in the first deal, without the option, and when one of the two has gone
    (rules.md section 3).
    """
    options = match.options
    if not options.plays_with("exchange") or match.is_first_deal:
        return None
    exchange = Exchange(giver=match.last_order[-1], receiver=match.last_order[0])
    both_present = {exchange.giver, exchange.receiver} <= set(match.seats)
    return exchange if both_present else None


def tribute(options: Options, hand: Collection[Card]) -> Card:
    """Return the card that the loser has to give: its highest, rank before suit."""
    return max(hand, key=rulebook(options).place)


def higher_faces(options: Options, card: Card) -> tuple[Card, ...]:
    """Return the faces of the pack above a card, from the lowest: none of them may be in the hand.

    In the normal order, red joker highest; a twin of the card is equal and not among them.
    """
    place = rulebook(options).place
    pack = faces(1, jokers=options.flag("jokers"))
    return tuple(sorted((face for face in pack if place(face) > place(card)), key=place))


def check_offer(offered: Sequence[int], held: Collection[int], received: int) -> None:
    """Raise `IllegalPlayError` with the reason unless the winner may offer these places.

    `held` are the places of its hand, `received` the one that the loser gave.
    """
    if len(offered) != 2 or len(set(offered)) != 2:
        raise IllegalPlayError("The winner offers two different cards.")
    if received in offered:
        raise IllegalPlayError("The card that the loser gave cannot be offered back.")
    if not set(offered) <= set(held):
        raise IllegalPlayError("The winner offers cards of its own hand.")
