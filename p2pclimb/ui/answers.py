"""What the plain player answers when it is asked about the table, as lines."""

from __future__ import annotations

from collections.abc import Sequence

from p2pclimb.bots.basic import suggestions
from p2pclimb.games.combos import classify
from p2pclimb.games.describe import rules_text
from p2pclimb.games.moves import Cards, LeadPass, Play
from p2pclimb.games.play import DealState
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ledger.terms import Terms
from p2pclimb.seat.decisions import Choice, Claim, Decision, Offer
from p2pclimb.table.roster import RosterChanged
from p2pclimb.table.session import Session
from p2pclimb.ui.board import board, hand_lines, people_of
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.commands import Command
from p2pclimb.ui.event_text import combination_on_table, scores_in_words
from p2pclimb.ui.lobby_text import roster_in_words, seat_lines
from p2pclimb.ui.questions import ClaimQuestion, Question, best_first
from p2pclimb.ui.view import Mark, TableView

__all__ = ["ADJOURNED", "leaving_lines", "lobby_answer", "table_answer"]

ADJOURNED = (
    "You keep your seat.\n"
    "Come back with `p2pclimb resume`. Meanwhile the others may pass over your turns; whoever"
    " misses three is out for that deal."
)
"""What somebody is told who goes away for a while (protocol.md, Late places)."""

_HINTS = 8


def lobby_answer(command: Command, lobby: RosterChanged | None) -> list[str]:
    """Return the answer to a command that asks, while there is no table yet."""
    if lobby is None:
        return ["The lobby has not answered yet."]
    roster = lobby.roster
    match command:
        case Command.RULES:
            return rules_text(roster.options, len(roster.guests)).split("\n")
        case Command.WHO | Command.TABLE:
            return [roster_in_words(roster, lobby.own_seat)]
        case _:
            return ["The table is not open yet."]


def table_answer(
    command: Command, session: Session, view: TableView, notation: Notation, width: int
) -> list[str]:
    """Return the answer to a command that asks about the table."""
    match command:
        case Command.HINT:
            return _hints(session, view, notation)
        case Command.HAND:
            return hand_lines(view.hand, notation, width) or ["You hold no cards."]
        case Command.TABLE:
            return board(view, notation, width)
        case Command.WHO:
            return _who(view, session.terms)
        case Command.RULES:
            return rules_text(view.options, len(view.seats)).split("\n")
        case _:
            return [_scores(view)]


def _hints(session: Session, view: TableView, notation: Notation) -> list[str]:
    """Return the legal plays of this seat, best first, and how many more there are."""
    stage = session.ledger.position.stage
    heading = []
    if view.question is not None:
        answers = best_first(view.question, session)
        texts = [_answer_in_words(answer, view.question, notation) for answer in answers]
    elif isinstance(stage, Turning) and view.is_own_turn:
        plays = suggestions(stage.state, view.hand)
        texts = [_play_in_words(play, stage.state, notation) for play in plays]
        # A number that is typed is a rank, such as a three: the list must not pass for a menu.
        heading = ["The best first; type the cards, not the number:"]
    else:
        return ["A hint is given in your turn."]
    lines = [f"{number}. {text}" for number, text in enumerate(texts[:_HINTS], 1)]
    more = len(texts) - _HINTS
    return [*heading, *lines, *([f"And {more} more."] if more > 0 else [])]


def _answer_in_words(answer: Decision | None, question: Question, notation: Notation) -> str:
    match answer:
        case Claim(cards) if not (isinstance(question, ClaimQuestion) and question.is_whole_hand):
            return f"claim with {write_cards(cards, notation)}"
        case Claim():
            return "claim, which shows your hand"
        case Offer(cards):
            return write_cards(cards, notation)
        case Choice(card):
            return write_card(card, notation)
        case _:
            return "do nothing"


def _play_in_words(play: Play, state: DealState, notation: Notation) -> str:
    match play:
        case Cards(cards):
            played = classify(cards, state.options, state.packs, inverted=state.inverted)
            return combination_on_table(played, notation, state.options)
        case LeadPass():
            return "pass the lead; this shows your hand"
        case _:
            return "pass"


def _who(view: TableView, terms: Terms) -> list[str]:
    """Return one line a seat: name, key, who runs it, and whether it is connected."""
    marks = {seat.seat: seat.marks for seat in view.seats}
    told = (Mark.AWAY, Mark.LEAVING, Mark.DEPARTED, Mark.OUT, Mark.CONVICTED)
    return [
        line + "".join(f" {mark.value.capitalize()}." for mark in told if mark in marks[number])
        for number, line in enumerate(seat_lines(terms.seats, view.own))
    ]


def _scores(view: TableView) -> str:
    """Return the scores, as they were when the present deal began."""
    scores = {seat.seat: seat.score for seat in sorted(view.seats, key=lambda seat: seat.seat)}
    return f"Scores: {scores_in_words(scores, people_of(view))}."


def leaving_lines(view: TableView | None, typed: str, *, hosts: bool = False) -> list[str]:
    """Return what leaving would do, and how to say yes (rules.md section 3, Departed seats).

    `hosts` says whether the lobby, if there is no table yet, is this player's own.
    """
    lines = [_consequence(view, hosts)]
    if typed == "q" and view is not None and any(card.rank == 9 for card in view.hand):
        lines.append("To play a queen by rank, type its suit too, such as Qh.")
    keep = "" if view is None else "adjourn to go and keep your seat, "
    return [*lines, f"Type yes to leave, {keep}anything else to stay."]


def _consequence(view: TableView | None, hosts: bool) -> str:
    if view is None and hosts:
        return "Close the lobby? The others go, and the invitations end with it."
    if view is None:
        return "Leave the lobby? Your seat becomes free for somebody else."
    still_there: Sequence[int] = [
        seat.seat
        for seat in view.seats
        # Bots go with the player who runs them.
        if view.own not in (seat.seat, seat.operator)
        and not seat.marks & {Mark.DEPARTED, Mark.LEAVING, Mark.CONVICTED}
    ]
    rank = ""
    if view.hand:
        cards = "1 card" if len(view.hand) == 1 else f"{len(view.hand)} cards"
        rank = f"You hold {cards}: you will rank below all who stay, and pay for that place. "
    rest = "The others play on." if len(still_there) > 1 else "That ends the table."
    return f"Leave the table for good? {rank}{rest}"
