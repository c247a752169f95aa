"""The table laid out in lines: the trick, what is to beat, the seats, one's hand.

Made from a `TableView` only.  Every line makes sense when it is read alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from p2pclimb.cards import Card
from p2pclimb.games.words import combination_in_words
from p2pclimb.ledger.entry import Kind
from p2pclimb.names import printable
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.lines import fill, fill_words
from p2pclimb.ui.people import People
from p2pclimb.ui.text import combination_on_table
from p2pclimb.ui.view import Mark, SeatView, TableView

__all__ = ["board", "hand_lines", "people_of", "seats_line", "status_line", "turn_board"]


def people_of(view: TableView) -> People:
    """Return how the people of a table are called from this seat."""
    names = {seat.seat: seat.name for seat in view.seats}
    return People([names[seat] for seat in sorted(names)], view.own)


def turn_board(view: TableView, notation: Notation, width: int) -> list[str]:
    """Return what a player needs in its own turn."""
    return [
        *([] if notation is Notation.WORDS else [""]),
        *fill(_trick(view, notation), width, "  "),
        *fill(seats_line(view), width, "  "),
        *hand_lines(view.hand, notation, width),
        *fill(f"Your turn. {_task(view, notation)} {_choices(view)}", width, "  "),
    ]


def board(view: TableView, notation: Notation, width: int) -> list[str]:
    """Return the whole table, for whoever asks for it at any time."""
    if view.is_own_turn:
        return turn_board(view, notation, width)
    texts = [_trick(view, notation)] if view.turn is not None else []
    texts += [seats_line(view), _waiting(view)]
    lines = [line for text in texts for line in fill(text, width, "  ")]
    return [*lines, *hand_lines(view.hand, notation, width)]


def hand_lines(hand: Iterable[Card], notation: Notation, width: int) -> list[str]:
    """Return a sorted hand, cards of one rank together; nothing if there are no cards."""
    cards = tuple(hand)
    if not cards:
        return []
    groups = [tuple(group) for _, group in groupby(cards, key=lambda card: card.rank)]
    begin = f"Your hand, {_count(len(cards), 'card')}: "
    if notation is Notation.WORDS:
        words = f"{begin}{write_cards(cards, notation)}."
        return fill(words, width, "  ")
    blocks = [write_cards(group, notation) for group in groups]
    return fill_words(blocks, width, begin, "  ", gap="  ")


def seats_line(view: TableView) -> str:
    """Return the other seats in order of turn, with their cards and marks, and the own one."""
    people = people_of(view)
    _, *others = view.seats
    return (
        f"In order of turn: {'; '.join(_seat(seat, people) for seat in (*others, view.seats[0]))}."
    )


def status_line(view: TableView, notation: Notation) -> str:
    """Return the state of the table in one short line, to stand below the typing."""
    people = people_of(view)
    parts = [f"deal {view.deal}"] if view.deal else []
    parts.append(_waiting(view).rstrip(".") if view.turn is None else _whose_turn(view))
    if view.to_beat is not None and view.owner is not None:
        parts.append(f"to beat {write_cards(view.to_beat.cards, notation)}")
    parts += [
        f"{people.name(seat.seat)} {seat.cards}" for seat in view.seats if seat.cards is not None
    ]
    if view.seen is not None and view.deal:
        parts.append(f"seen by {view.seen.by} of {view.seen.of}")
    return " | ".join(parts)


def _whose_turn(view: TableView) -> str:
    assert view.turn is not None
    return f"{people_of(view).whose(view.turn)} turn"


def _trick(view: TableView, notation: Notation) -> str:
    people = people_of(view)
    if not view.trick:
        return "A new trick: nothing has been played yet."
    moves = []
    for number, move in enumerate(view.trick):
        if move.combination is None:
            moves.append(people.says(move.seat, "pass"))
        else:
            verb = "play" if number else "lead"
            cards = combination_on_table(move.combination, notation)
            moves.append(f"{people.says(move.seat, verb)} {cards}")
    return f"This trick: {'; '.join(moves)}."


def _task(view: TableView, notation: Notation) -> str:
    """Return what the seat in turn is to beat, or that it leads."""
    if view.to_beat is None or view.owner is None:
        task = "You lead"
        if view.must_include is not None:
            task += f" and must include {write_card(view.must_include, notation)}"
        return f"{task}."
    what = combination_in_words(view.to_beat)
    return f"To beat: {people_of(view).whose(view.owner)} {what}."


def _choices(view: TableView) -> str:
    """Return how many plays the seat in turn has."""
    if not view.legal_plays:
        return "No card may be played: pass."
    plays = _count(view.legal_plays, "play")
    is_are = "is" if view.legal_plays == 1 else "are"
    return f"{plays} {is_are} legal{', or pass' if view.may_pass else ''}."


def _seat(seat: SeatView, people: People) -> str:
    cards = f" {seat.cards}" if seat.cards is not None else ""
    marks = ", ".join(mark.value for mark in Mark if mark in seat.marks)
    return f"{people.name(seat.seat)}{cards}{f' ({marks})' if marks else ''}"


def _waiting(view: TableView) -> str:
    """Return what the table waits for, and how far it has come."""
    progress = view.progress
    if view.trouble is not None or progress is None:
        return f"The table has ended: {printable(view.trouble or '').rstrip('.')}."
    people = people_of(view)
    whom = people.list(progress.waiting)
    done = f"{progress.done} of {progress.total}"
    match progress.kind:
        case Kind.TURN:
            return f"It is {people.whose(progress.waiting[0])} turn."
        case Kind.SHUFFLE:
            return f"{done} shuffles verified; {whom} to shuffle."
        case _ if view.waits_for_ready:
            return f"Deal {view.deal} waits for you: press Enter."
        case kind:
            return f"{_STEPS[kind]}: {done}; waiting for {whom}."


_STEPS = {
    Kind.OPEN: "Signatures under the terms",
    Kind.COMMIT: "Commitments",
    Kind.REVEAL: "Keys and coins opened",
    Kind.AGREE: "Signatures under the final deck",
    Kind.SHARES: "Shares verified",
    Kind.LOWEST: "Answers about the lowest card",
    Kind.CLOSE: "Signatures under the result",
}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
