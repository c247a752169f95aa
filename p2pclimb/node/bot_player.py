"""A bot at a node: sees what its seat may see, and acts through the same control as a person."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from enum import Enum, auto

from p2pclimb.bots import Strategy
from p2pclimb.errors import UsageError
from p2pclimb.games.instant_wins import best_instant_win
from p2pclimb.ledger.events import TableEnded
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.node.player import Control
from p2pclimb.seat.decisions import Choice, Claim, Decision, Offer
from p2pclimb.table.notices import (
    ChoiceAsked,
    ClaimAsked,
    Leaving,
    NextDealWaits,
    Notice,
    OfferAsked,
    PauseHeld,
    SeatElsewhere,
    TurnBegan,
)
from p2pclimb.table.roster import LobbyClosed, LobbyNotice, RosterChanged, TermsProposed
from p2pclimb.table.session import Session

__all__ = ["BotPlayer"]

_PATIENCE = 0.1  # seconds


class _Order(Enum):
    """What whoever runs the bot wants of it."""

    LEAVE = auto()
    ADJOURN = auto()


class BotPlayer:
    """Plays by a strategy; `pace` is how many seconds it waits before a play.

    As a host it proposes the terms as soon as all seats are taken.  `overhear` gets every notice.
    """

    def __init__(
        self,
        strategy: Strategy,
        source: random.Random,
        *,
        pace: float = 0.0,
        overhear: Callable[[Notice | LobbyNotice], None] | None = None,
    ) -> None:
        self._strategy = strategy
        self._source = source
        self._pace = pace
        self._overhear = overhear
        self._notices: asyncio.Queue[Notice | LobbyNotice | _Order] = asyncio.Queue()

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Take a notice; it is acted on in `run`."""
        if self._overhear is not None:
            self._overhear(notice)
        self._notices.put_nowait(notice)

    def stop(self) -> None:
        """Let the bot leave the table."""
        self._notices.put_nowait(_Order.LEAVE)

    def adjourn(self) -> None:
        """Let the bot go and keep its seat."""
        self._notices.put_nowait(_Order.ADJOURN)

    async def run(self, table: Control) -> None:
        """Play until the table has ended, or the bot was stopped or plays elsewhere."""
        while True:
            match await self._notices.get():
                case Leaving(seat) if _is_operator(table, seat):
                    self.stop()
                case _Order.LEAVE:
                    table.leave()
                    return
                case TableEnded() | LobbyClosed() | SeatElsewhere() | _Order.ADJOURN:
                    return
                case notice:
                    await self._react(table, notice)

    async def _react(self, table: Control, notice: Notice | LobbyNotice) -> None:
        """Do what a notice asks for; most ask for nothing."""
        match notice:
            case RosterChanged(roster, own_seat) if own_seat == 0 and all(roster.guests):
                # Somebody may have gone meanwhile; when all are here again, it is told again.
                with contextlib.suppress(UsageError):
                    table.start()
            case TermsProposed():
                table.accept()
            case TurnBegan(seat):
                await self._play(table, seat)
            case ClaimAsked() | OfferAsked() | ChoiceAsked():
                await self._answer(table, notice)
            case NextDealWaits():
                table.ready()
            case PauseHeld(seats):
                _second_pause(table, seats)

    async def _play(self, table: Control, seat: int) -> None:
        session = table.session
        if session is None or seat != session.seat.number:
            return
        if self._pace:
            await asyncio.sleep(self._pace)
        is_due = await _may_decide(session)
        stage = session.ledger.position.stage
        if isinstance(stage, Turning) and is_due:
            table.play(self._strategy.play(stage.state, session.cards(), self._source))

    async def _answer(
        self, table: Control, question: ClaimAsked | OfferAsked | ChoiceAsked
    ) -> None:
        """Answer what is asked besides plays; claims without a pause, before their time is over."""
        session = table.session
        if self._pace and not isinstance(question, ClaimAsked):
            await asyncio.sleep(self._pace)
        if session is None or not await _may_decide(session):
            return
        decision = self._decision(session)
        if decision is not None:
            table.play(decision)

    def _decision(self, session: Session) -> Decision | None:
        """Return what the strategy decides where the session stands; None is to do nothing."""
        options, hand, source = session.terms.options, session.cards(), self._source
        match session.ledger.position.stage:
            case InstantClaiming(cast=cast):
                win = best_instant_win(hand, options, cast.match.is_first_deal)
                return Claim(hand) if win else None
            case FoursClaiming(state=state):
                fours = self._strategy.claim(state, session.seat.number, hand, source)
                return Claim(fours) if fours else None
            case Offering():
                return Offer(self._strategy.offer(options, session.closed_cards(), source))
            case Choosing():
                first, second = session.offered()
                return Choice(self._strategy.choose(options, hand, (first, second), source))
            case _:
                return None


def _operator(table: Control) -> int | None:
    """Return the seat of the person who runs this bot, None for a bot that runs itself."""
    session = table.session
    if session is None:
        return None
    own = session.seat.number
    operator = session.terms.seats[own].operator
    return operator if operator != own else None


async def _may_decide(session: Session) -> bool:
    """Wait until what is decided can be signed; return whether a decision is still asked for."""
    while session.awaits_player and not session.may_sign:
        await asyncio.sleep(_PATIENCE)
    return session.awaits_player


def _is_operator(table: Control, seat: int) -> bool:
    """Whether a seat is that of the person who runs this bot: it goes with that person."""
    return _operator(table) == seat


def _second_pause(table: Control, seats: Sequence[int]) -> None:
    """Ask for a pause as long as the player does who runs this bot: alone one would ask in vain."""
    operator, session = _operator(table), table.session
    if operator is None or session is None:
        return
    if (operator in seats) != (session.seat.number in seats):
        table.pause(operator in seats)
