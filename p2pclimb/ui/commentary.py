"""A looker-on's account of a table, line by line: what `p2pclimb demo` prints."""

from __future__ import annotations

from collections.abc import Callable

from p2pclimb.games.options import Options
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardsDealt, DealBegan, DealEnded, HistoryDropped, PlaceFilled
from p2pclimb.table.notices import Notice, TimeRuns, TurnBegan, VoteStands
from p2pclimb.table.roster import LobbyNotice, RosterChanged, TermsProposed
from p2pclimb.ui.cardtext import Look, paint
from p2pclimb.ui.text import notice_in_words, terms_in_words

__all__ = ["Commentary"]


class Commentary:
    """Writes a line for every notice that is worth one; never a card that is not public."""

    def __init__(self, write: Callable[[str], None], look: Look) -> None:
        self._write = write
        self._look = look
        self._names: tuple[str, ...] = ()
        self._seats: tuple[int, ...] = ()
        self._options: Options | None = None
        self._deal = 0
        self._last = ""

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Take a notice of a node whose own player is a bot."""
        match notice:
            case TermsProposed(terms):
                self._names = tuple(seat.name for seat in terms.seats)
                self._options = terms.options
                self._write(terms_in_words(terms, None))
                return
            case RosterChanged() | TurnBegan() | TimeRuns():
                return
            case PlaceFilled(kind=Kind.COMMIT, deal=deal) if deal != self._deal:
                self._deal = deal
                self._write(f"\nDeal {deal}")
            case DealBegan(seats=seats):
                self._seats = seats
            case HistoryDropped():
                self._deal = 0  # what is told next may begin the deal once more
            case _:
                pass
        line = notice_in_words(
            notice, self._names, None, self._look.notation, self._options, self._seats
        )
        # A vote may move on without a change in what is said of it.
        if line is not None and (line != self._last or not isinstance(notice, VoteStands)):
            self._write(paint(line, self._look))
            self._last = line
        if isinstance(notice, CardsDealt | DealEnded):
            self._write("")
