"""An earlier table as it was left, and what its players bring along to the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pclimb.errors import UsageError
from p2pclimb.ledger.carried import MAX_AWAY, Away, Carried
from p2pclimb.ledger.terms import SeatTerms, Terms, player_keys

__all__ = ["Past"]


@dataclass(frozen=True, slots=True)
class Past:
    """The terms of a table and the scores of its seats; what it carried on itself is in both."""

    terms: Terms
    scores: Mapping[int, int]

    def carried(self, seats: Sequence[SeatTerms]) -> Carried:
        """Return the scores for these seats of a new table; those without a seat are away.

        Whoever is away without points is forgotten.  Raises UsageError when too many are away.
        """
        known = {player.key: player for player in self._players()}
        keys = player_keys(seats)
        points = tuple(known[key].points if key in known else 0 for key in keys)
        away = tuple(p for key, p in known.items() if key not in keys and p.points)
        if len(away) > MAX_AWAY:
            raise UsageError(
                f"{len(away)} players of earlier tables are away; scores are carried on for at"
                f" most {MAX_AWAY} of them.",
                hint="Open a new table without --again.",
            )
        return Carried(self.terms.table_id, points, away)

    def _players(self) -> list[Away]:
        """Return everybody who has points, as if nobody had a seat at the new table."""
        seats = self.terms.seats
        seated = [
            Away(seat.name, key, seat.is_bot, self.scores.get(number, 0))
            for number, (seat, (key, _)) in enumerate(zip(seats, player_keys(seats), strict=True))
        ]
        return [*seated, *(self.terms.carried.away if self.terms.carried else ())]
