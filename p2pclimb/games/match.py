"""The deals of one table in a row: who deals, who leads, and the score.

Seats may go away and come back between deals (rules.md section 3); what happens within a deal is
in `play`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from p2pclimb.errors import OptionsError
from p2pclimb.games.dealing import rotation
from p2pclimb.games.moves import ClaimedOutcome, Result
from p2pclimb.games.options import Options
from p2pclimb.games.presets import Family
from p2pclimb.games.scoring import payments

__all__ = ["Match"]


@dataclass(frozen=True, slots=True)
class Match:
    """Where a table stands before deal number `deal`, counted from 1.

    `seats` play the next deal.  `points` has (seat, points) of all who ever played, gone or not.
    `named_dealer` is the seat whose duty it is to deal, None until the first dealer is drawn, and
    `last_order` the finishing order of the deal before; who really deals and leads follows from
    those who are still there.
    """

    options: Options
    seats: tuple[int, ...]
    named_dealer: int | None
    points: tuple[tuple[int, int], ...]
    deal: int = 1
    last_order: tuple[int, ...] = ()

    @classmethod
    def start(
        cls,
        options: Options,
        seats: Collection[int],
        dealer: int | None = None,
        scores: Mapping[int, int] | None = None,
    ) -> Match:
        """Return the match before its first deal; raises `OptionsError` for a bad seat count.

        `scores` are the points that seats bring along from an earlier table.
        """
        options.require_seats(len(seats))
        ordered = tuple(sorted(seats))
        brought = scores or {}
        return cls(
            options, ordered, dealer, points=tuple((seat, brought.get(seat, 0)) for seat in ordered)
        )

    @property
    def is_first_deal(self) -> bool:
        """Whether a card decides who leads, as there is no deal before."""
        return self.deal == 1

    @property
    def is_over(self) -> bool:
        """Whether the agreed number of deals was played; 0 means until people leave."""
        agreed = self.options.number("deals")
        return 0 < agreed < self.deal

    @property
    def scores(self) -> dict[int, int]:
        """The points of every seat that ever played, those that it brought along included."""
        return dict(self.points)

    @property
    def dealer(self) -> int | None:
        """The dealer of the next deal: the loser of the last, or the next seat in rotation.

        None as long as the first one is not drawn, and when everybody has gone.
        """
        if self.named_dealer is None or not self.seats:
            return None
        return rotation(self.options, self.seats, self.named_dealer)[0]

    @property
    def leader(self) -> int | None:
        """The leader of the next deal, None when a card decides (rules.md 1.4, 2.8 and 3).

        By the option `next_lead` of Winner the loser of the last deal, who deals, the seat next to
        the dealer, or as always in Tien len the winner; if that one has gone, the next finisher,
        and if all of those have, the next seat in rotation.  None too when everybody
        has gone.
        """
        if not self.last_order or not self.seats:
            return None
        is_winner = self.options.family is Family.WINNER
        match self.options.choice("next_lead") if is_winner else "winner":
            case "loser":
                return self.dealer
            case "left_of_dealer" if self.dealer is not None and len(self.seats) > 1:
                return rotation(self.options, self.seats, self.dealer)[1]
        present = (seat for seat in self.last_order if seat in self.seats)
        return next(present, rotation(self.options, self.seats, self.last_order[0])[0])

    def with_dealer(self, dealer: int | None) -> Match:
        """Return the match with the seat that was drawn to deal first, or with none drawn."""
        return replace(self, named_dealer=dealer)

    def after(self, outcome: Result, rotten: Mapping[int, int] | None = None) -> Match:
        """Return the match after a deal: points paid, the loser to deal the next one.

        After an instant win nobody lost, and the same seat deals again.  `rotten` are the payments
        for 2s left in the loser's hand, if any.
        """
        return replace(
            self.paid(payments(self.options, outcome)).paid(rotten or {}),
            named_dealer=self.dealer if isinstance(outcome, ClaimedOutcome) else outcome.loser,
            deal=self.deal + 1,
            last_order=outcome.order,
        )

    def paid(self, points: Mapping[int, int]) -> Match:
        """Return the match after these points were won and lost."""
        scores = self.scores
        for seat, share in points.items():
            scores[seat] = scores.get(seat, 0) + share
        return replace(self, points=tuple(sorted(scores.items())))

    def without(self, *gone: int) -> Match:
        """Return the match when some seats have gone; their points stay in the book."""
        return replace(self, seats=tuple(seat for seat in self.seats if seat not in gone))

    def rejoined(self, *back: int) -> Match:
        """Return the match when some seats are in again."""
        return replace(self, seats=tuple(sorted({*self.seats, *back})))

    def unfit(self) -> str | None:
        """Return why the seats that are left cannot play by the terms, None if they can."""
        if len(self.seats) < 2:
            return "fewer than two players are left"
        try:
            self.options.require_seats(len(self.seats))
        except OptionsError as error:
            return error.text.rstrip(".")
        return None
