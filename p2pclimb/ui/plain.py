"""A person's player at a terminal, line by line: tells what happens and obeys what is typed.

Lines are only ever appended.  How they look and where they come from is the console's business,
what they say is in `text`, `board` and `answers`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum, auto

from p2pclimb.errors import ClimbError, IllegalPlayError, PlayError
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.games.play import DealState
from p2pclimb.ledger.events import HistoryDropped, TableEnded
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.node.player import Control
from p2pclimb.seat.decisions import Claim, Decision, Offer
from p2pclimb.table.notices import (
    ChoiceAsked,
    ClaimAsked,
    HandDealt,
    Notice,
    OfferAsked,
    PauseHeld,
    PeerFault,
    TimeRuns,
    TurnBegan,
    VoteStands,
)
from p2pclimb.table.roster import LobbyClosed, LobbyNotice, RosterChanged, TermsProposed
from p2pclimb.table.session import Session
from p2pclimb.ui.answers import ADJOURNED, leaving_lines, lobby_answer, table_answer
from p2pclimb.ui.board import board, hand_lines, question_board, status_line, turn_board
from p2pclimb.ui.cardtext import respell, write_cards
from p2pclimb.ui.commands import FIRST_WORDS, Command, help_lines, parse_command
from p2pclimb.ui.console import Console, Stop
from p2pclimb.ui.event_text import reading_in_words
from p2pclimb.ui.latenews import LateNews
from p2pclimb.ui.lines import fill
from p2pclimb.ui.questions import ClaimQuestion, typed_answer
from p2pclimb.ui.text import notice_in_words, terms_in_words
from p2pclimb.ui.typed import choose_cards, in_turn, read_typed
from p2pclimb.ui.view import TableView, table_view

__all__ = ["PlainPlayer"]

_KEPT = 500
_LOG_SHOWN = 10


class _Question(Enum):
    """What the next yes or no answers."""

    LEAVE = auto()
    TERMS = auto()


class PlainPlayer:
    """One person's eyes and hands at one table, from the lobby to the end.

    The node calls `told` for every notice, on the event loop; `run` reads what is typed.  After
    `run`, `interrupted` says whether Ctrl-C ended it.
    """

    def __init__(self, console: Console) -> None:
        self.interrupted = False
        self._console = console
        self._table: Control | None = None
        self._early: list[Notice | LobbyNotice] = []
        self._lobby: RosterChanged | None = None
        self._question: _Question | None = None
        self._terms_stand = False
        self._past: deque[str] = deque(maxlen=_KEPT)
        self._faulty: set[bytes] = set()
        self._has_begun = False
        self._over = asyncio.Event()
        self._late_news = LateNews(
            lambda: self._session.ledger.position if self._session is not None else None,
            lambda notice: self._tell(self._in_words(notice)),
        )

    # -- what the node calls -------------------------------------------------------------------

    def told(self, notice: Notice | LobbyNotice) -> None:
        """Show a notice; what comes before `run` is shown when `run` begins."""
        if self._table is None:
            self._early.append(notice)
            return
        self._remember(notice)
        if self._is_news(notice):
            self._show(notice)
        self._console.refresh()

    async def run(self, table: Control) -> None:
        """Obey what is typed until the table has ended or the person has left it."""
        self._table = table
        with self._console.taken(self._status):
            for notice in self._early:
                self.told(notice)
            while (line := await self._next_line()) is not None:
                if isinstance(line, Stop):
                    self.interrupted = line is Stop.INTERRUPT
                    if line is Stop.END:
                        self._say("The input has ended: you go.")
                    self._adjourn()
                else:
                    self._obey(line.strip())
        self._late_news.stop()

    async def _next_line(self) -> str | Stop | None:
        """Wait for a line, or return None as soon as all is over."""
        if self._over.is_set():
            return None
        reading = asyncio.ensure_future(self._console.read())
        ending = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            return None if self._over.is_set() else reading.result()
        finally:
            for task in (reading, ending):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    # -- telling -------------------------------------------------------------------------------

    def _remember(self, notice: Notice | LobbyNotice) -> None:
        """Keep what later lines depend on."""
        match notice:
            case RosterChanged():
                if self._lobby is None and notice.own_seat:
                    self._say("You have a seat; the host starts the table. Type ? for help.")
                self._lobby = notice
                self._void_terms()
            case TermsProposed():
                self._question = _Question.TERMS
                self._terms_stand = True
            case HistoryDropped():
                # Only after all that is told anew with it.
                asyncio.get_running_loop().call_soon(self._show_table)
            case TableEnded() | LobbyClosed():
                self._over.set()

    def _void_terms(self) -> None:
        """Take back the question about terms that were proposed for another lobby."""
        if self._terms_stand:
            self._terms_stand = False
            if self._question is _Question.TERMS:
                self._question = None
            self._say("The lobby has changed: the terms that were proposed are void.")

    def _is_news(self, notice: Notice | LobbyNotice) -> bool:
        """Return whether a notice is to be told now."""
        match notice:
            case PeerFault(peer, _):
                is_first = peer not in self._faulty
                self._faulty.add(peer)
                return is_first
            case TimeRuns() | VoteStands() | PauseHeld():
                return self._late_news.is_news(notice)
            case _:
                return True

    def _show(self, notice: Notice | LobbyNotice) -> None:
        view = self._view
        match notice:
            case TermsProposed(terms, own_seat):
                self._say(terms_in_words(terms, own_seat))
                self._tell(self._in_words(notice))
            case TurnBegan():
                if view is not None and view.is_own_turn:
                    console = self._console
                    self._say_lines(turn_board(view, console.notation, console.width))
            case ClaimAsked() | OfferAsked() | ChoiceAsked() if view and view.question:
                console = self._console
                self._say_lines(question_board(view, console.notation, console.width))
            case HandDealt() if view is not None:
                if not self._has_begun:
                    self._has_begun = True
                    self._say(FIRST_WORDS)
                # At one's turn the hand is shown anyway.
                if not view.is_own_turn:
                    console = self._console
                    self._say_lines(hand_lines(view.hand, console.notation, console.width))
            case _:
                self._tell(self._in_words(notice))

    def _in_words(self, notice: Notice | LobbyNotice) -> str | None:
        session, notation = self._session, self._console.notation
        if session is None:
            return notice_in_words(notice, self._names(), self._own_seat(), notation)
        played = session.ledger.position.match
        seats = played.seats if played is not None else ()
        options = session.terms.options
        return notice_in_words(notice, self._names(), self._own_seat(), notation, options, seats)

    def _tell(self, line: str | None) -> None:
        if line is not None:
            self._past.append(line)
            self._say(line)

    def _show_table(self) -> None:
        """Show where the table stands, unless it is shown anyway because this seat is to play."""
        view, console = self._view, self._console
        if view is not None and not view.is_own_turn and not self._over.is_set():
            self._say_lines(board(view, console.notation, console.width))

    def _say(self, text: str) -> None:
        for line in text.split("\n"):
            self._say_lines(fill(line, self._console.width, "  "))

    def _say_lines(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._console.write(line)

    def _status(self) -> str:
        view, console = self._view, self._console
        if view is None:
            return "in the lobby | ? for help"
        urgent = self._late_news.urgent()
        return status_line(view, console.notation, console.width, urgent)

    # -- what is known -------------------------------------------------------------------------

    @property
    def _session(self) -> Session | None:
        return self._table.session if self._table is not None else None

    @property
    def _view(self) -> TableView | None:
        if self._table is None or self._table.session is None:
            return None
        return table_view(self._table.session, self._table.links)

    def _names(self) -> list[str]:
        if self._session is not None:
            return [seat.name for seat in self._session.terms.seats]
        guests = self._lobby.roster.guests if self._lobby is not None else ()
        return [guest.name if guest is not None else "" for guest in guests]

    def _own_seat(self) -> int | None:
        if self._session is not None:
            return self._session.seat.number
        return self._lobby.own_seat if self._lobby is not None else None

    def _playing(self) -> tuple[Session, DealState]:
        """Return the session and the state of the deal; raises PlayError when none is played."""
        session = self._session
        stage = session.ledger.position.stage if session is not None else None
        if session is None or not isinstance(stage, Turning):
            raise IllegalPlayError("There is nothing to play now.", hint="Type ? for help.")
        return session, stage.state

    # -- obeying -------------------------------------------------------------------------------

    def _obey(self, line: str) -> None:
        parsed = parse_command(line)
        if self._question is _Question.LEAVE and self._settles_leaving(parsed):
            return
        try:
            if not line:
                self._ready(asked=False)
            elif parsed is None:
                self._obey_typed(line)
            else:
                self._obey_command(*parsed, line)
        except ClimbError as error:
            self._say(respell(error.diagnostics(), self._console.notation))

    def _obey_command(self, command: Command, argument: str, line: str) -> None:
        assert self._table is not None
        match command:
            case Command.PASS | Command.NO if self._may_claim():
                self._say("To decline, do nothing.")
            case Command.PASS:
                session, state = self._playing()
                passing = state.legal_plays(session.cards()).passing
                self._table.play(passing or Pass())
            case Command.CLAIM:
                self._claim()
            case Command.READY:
                self._ready(asked=True)
            case Command.START:
                self._table.start()
            case Command.YES | Command.NO:
                self._answer_terms(accepts=command is Command.YES)
            case Command.PAUSE | Command.GO_ON | Command.ADJOURN | Command.QUIT:
                self._obey_going(command, line)
            case _:
                self._say("\n".join(self._information(command, argument)))

    def _obey_going(self, command: Command, line: str) -> None:
        """Obey what is about going away, for a while or for good."""
        assert self._table is not None
        match command:
            case Command.QUIT:
                self._question = _Question.LEAVE
                hosts = self._lobby is not None and self._lobby.own_seat == 0
                self._say("\n".join(leaving_lines(self._view, line, hosts=hosts)))
            case _ if self._session is None:
                self._say("The table is not open yet.")
            case Command.ADJOURN:
                self._adjourn()
            case _:
                self._table.pause(command is Command.PAUSE)

    def _information(self, command: Command, argument: str) -> list[str]:
        """Return what a command asks for that changes nothing."""
        view, console = self._view, self._console
        match command, self._session:
            case Command.HELP, _:
                return help_lines()
            case Command.LOG, _:
                return list(self._past)[-_count(argument) :] or ["Nothing has happened yet."]
            case _, Session() as session if view is not None:
                return table_answer(command, session, view, console.notation, console.width)
            case _:
                return lobby_answer(command, self._lobby)

    def _may_claim(self) -> bool:
        view = self._view
        return view is not None and isinstance(view.question, ClaimQuestion)

    def _claim(self) -> None:
        """Claim with the first cards of the hand that can."""
        view = self._view
        if view is None or not isinstance(view.question, ClaimQuestion):
            raise IllegalPlayError("There is nothing to claim now.")
        if not view.question.claims:
            raise IllegalPlayError("There is nothing in your hand to claim with.")
        self._decide(Claim(view.question.claims[0]))

    def _decide(self, decision: Decision) -> None:
        """Do what was decided, and say of it what the others do not see."""
        assert self._table is not None
        self._table.play(decision)
        match decision:
            case Claim(cards):
                shown = write_cards(cards, self._console.notation)
                self._say(f"You claim with {shown}, as soon as the time is over.")
            case Offer(cards):
                self._say(f"The two are {write_cards(cards, self._console.notation)}.")

    def _obey_typed(self, line: str) -> None:
        """Take what is no command as an answer to what is asked, else as cards to play."""
        view, session = self._view, self._session
        if view is not None and view.question is not None and session is not None:
            self._decide(typed_answer(line, view.question, session))
        else:
            self._play_typed(line)

    def _play_typed(self, line: str) -> None:
        """Play the cards typed, or say why not; before one's turn, say what would come of it."""
        assert self._table is not None
        wanted = read_typed(line)
        session, state = self._playing()
        own = session.seat.number
        judging = in_turn(state, own)
        cards = choose_cards(wanted, session.cards(), judging)
        spelled = write_cards(cards, self._console.notation)
        try:
            combination = judging.check(Cards(cards))
            if combination is not None and (reading := reading_in_words(combination)) is not None:
                self._say(reading)
            if state.turn == own:
                self._table.play(Cards(cards))
                return
        except PlayError as error:
            # Said at once: hidden cards have no place in the text of an error.
            reason = respell(error.diagnostics(), self._console.notation)
            self._say(f"{spelled}: not legal. {reason}")
            return
        self._say(f"{spelled}: legal as the trick stands, but it is not your turn yet.")

    def _ready(self, *, asked: bool) -> None:
        assert self._table is not None
        view = self._view
        if view is not None and view.waits_for_ready:
            self._table.ready()
        elif asked:
            self._say("No deal waits for you.")

    def _answer_terms(self, *, accepts: bool) -> None:
        assert self._table is not None
        if self._question is not _Question.TERMS:
            self._say("Nothing was asked.")
            return
        self._question = None
        if accepts:
            self._say("You accept the terms; waiting for the others.")
            self._table.accept()
        else:
            self._say("You decline the terms.")
            self._table.decline()

    def _settles_leaving(self, parsed: tuple[Command, str] | None) -> bool:
        """Take the answer to "leave?"; return whether the line has done its work by that."""
        self._question = None
        match parsed:
            case ((Command.YES | Command.QUIT), _):
                self._leave()
                return True
            case (Command.NO, _):
                self._say("You stay.")
                return True
            case (Command.ADJOURN, _):
                return False
            case _:
                self._say("You stay.")
                return False

    def _leave(self) -> None:
        assert self._table is not None
        self._table.leave()
        self._over.set()

    def _adjourn(self) -> None:
        """Go away and keep the seat; in the lobby there is none to keep."""
        assert self._table is not None
        if self._session is not None:
            self._say(ADJOURNED)
        self._table.adjourn()
        self._over.set()


def _count(typed: str) -> int:
    """Return how many lines are asked for, as many as are usual where no such number was typed."""
    is_count = typed.isascii() and typed.isdecimal() and len(typed) < 10
    return max(1, int(typed)) if is_count else _LOG_SHOWN
