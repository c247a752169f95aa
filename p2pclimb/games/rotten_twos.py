"""What the loser pays for the 2s left in its hand: the option `rotten_twos` (rules.md section 1).

Only the amount; that the hand is opened, and that the cards are its own, is judged by the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from p2pclimb.cards import TWO, Card
from p2pclimb.games.dealing import pack
from p2pclimb.games.moves import Outcome
from p2pclimb.games.options import Options
from p2pclimb.games.scoring import value_of_twos

__all__ = ["rotten_payments"]


def rotten_payments(
    options: Options,
    outcome: Outcome,
    opened: Iterable[Card] | None,
    seen: Iterable[Card] = (),
) -> dict[int, int]:
    """Return what the loser and the seat that came just before it pay and win for rotten 2s.

    `opened` is the loser's whole remaining hand, None if it was not opened; then `seen` are all
    cards known to be elsewhere, twins counted apart, and every other 2 of the pack is taken to be
    in the hand as far as it has room, the dearer ones first.  The amounts add up to zero; without
    2s, or when the option is off, there are none.
    """
    if not options.plays_with("rotten_twos"):
        return {}
    twos = _at_worst(options, outcome, seen) if opened is None else opened
    amount = value_of_twos(twos) * options.number("stake")
    return {outcome.loser: -amount, outcome.order[-2]: amount} if amount else {}


def _at_worst(options: Options, outcome: Outcome, seen: Iterable[Card]) -> list[Card]:
    """Return the dearest 2s that a hand nobody saw can hold."""
    twos = Counter(card for card in pack(options, len(outcome.order)) if card.rank == TWO)
    hidden = (twos - Counter(seen)).elements()
    dearest_first = sorted(hidden, key=lambda card: value_of_twos([card]), reverse=True)
    return dearest_first[: outcome.cards_left[-1]]
