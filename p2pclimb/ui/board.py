"""The table laid out in lines: the trick, what is to beat, the seats, one's hand.

Made from a `TableView` only.  Every line makes sense when it is read alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from p2pclimb.cards import Card
from p2pclimb.games.exchange import Exchange
from p2pclimb.games.fours import taker_of
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import Kind as Form
from p2pclimb.games.words import combination_in_words, instant_win_in_words
from p2pclimb.ledger.entry import Kind
from p2pclimb.names import printable
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.event_text import combination_on_table
from p2pclimb.ui.lines import columns, fill, fill_words
from p2pclimb.ui.people import People
from p2pclimb.ui.questions import ChoiceQuestion, ClaimQuestion, OfferQuestion, Question
from p2pclimb.ui.view import Mark, SeatView, TableView

__all__ = [
    "board",
    "hand_lines",
    "people_of",
    "question_board",
    "seats_line",
    "status_line",
    "turn_board",
]


def people_of(view: TableView) -> People:
    """Return how the people of a table are called from this seat."""
    names = {seat.seat: seat.name for seat in view.seats}
    return People([names[seat] for seat in sorted(names)], view.own)


def turn_board(view: TableView, notation: Notation, width: int) -> list[str]:
    """Return what a player needs in its own turn."""
    return [
        *_gap(notation),
        *fill(_trick(view, notation), width, "  "),
        *fill(seats_line(view, notation), width, "  "),
        *hand_lines(view.hand, notation, width),
        *fill(f"Your turn. {_task(view, notation)} {_choices(view)}", width, "  "),
    ]


def question_board(view: TableView, notation: Notation, width: int) -> list[str]:
    """Return what a player needs to answer what it is asked besides plays.

    A single line where it can claim nothing, or has claimed.
    """
    question = view.question
    assert question is not None
    asked = fill(_asked(question, view, notation), width, "  ")
    if isinstance(question, ClaimQuestion) and (not question.claims or question.has_claimed):
        return asked
    return [*_gap(notation), *hand_lines(view.hand, notation, width), *asked]


def _gap(notation: Notation) -> list[str]:
    return [] if notation is Notation.WORDS else [""]


def board(view: TableView, notation: Notation, width: int) -> list[str]:
    """Return the whole table, for whoever asks for it at any time."""
    if view.is_own_turn:
        return turn_board(view, notation, width)
    texts = [_trick(view, notation)] if view.turn is not None or view.trick else []
    texts += [seats_line(view, notation), _waiting(view)]
    lines = [line for text in texts for line in fill(text, width, "  ")]
    if view.question is not None:
        return [*lines, *question_board(view, notation, width)]
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


def seats_line(view: TableView, notation: Notation) -> str:
    """Return the other seats in order of turn, with their cards and marks, and the own one."""
    people = people_of(view)
    own, *others = view.seats
    seats = "; ".join(_seat(seat, people, notation) for seat in (*others, own))
    return f"In order of turn: {seats}."


def status_line(view: TableView, notation: Notation, width: int, urgent: Sequence[str] = ()) -> str:
    """Return the state of the table in one line, to stand below the typing.

    What has no room in `width` columns is left out, the least urgent first; `urgent` is what is to
    be said next to whose turn it is.
    """
    people = people_of(view)
    parts = [f"deal {view.deal}"] if view.deal else []
    parts.append(_waiting(view).rstrip(".") if view.turn is None else _whose_turn(view))
    parts += urgent
    if isinstance(view.question, ClaimQuestion) and view.question.claims:
        parts.append("you have claimed" if view.question.has_claimed else "you may claim")
    if view.inverted:
        parts.append("ranks upside down")
    if view.to_beat is not None and view.owner is not None:
        parts.append(f"to beat {write_cards(view.to_beat.cards, notation)}")
    parts += [
        f"{people.name(seat.seat)} {seat.cards}" for seat in view.seats if seat.cards is not None
    ]
    if view.seen is not None and view.deal:
        parts.append(f"seen by {view.seen.by} of {view.seen.of}")
    while len(parts) > 1 and columns(" | ".join(parts)) > width:
        parts.pop()
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
            cards = combination_on_table(move.combination, notation, view.options)
            moves.append(f"{people.says(move.seat, verb)} {cards}")
    return f"This trick: {'; '.join(moves)}."


def _task(view: TableView, notation: Notation) -> str:
    """Return what the seat in turn is to beat, or that it leads."""
    if view.to_beat is None or view.owner is None:
        task = "You lead"
        if view.must_include is not None:
            task += f" and must include {write_card(view.must_include, notation)}"
        return f"{task}.{_order(view)}"
    what = f"{combination_in_words(view.to_beat)}{_power(view)}"
    return f"To beat: {people_of(view).whose(view.owner)} {what}.{_order(view)}"


def _power(view: TableView) -> str:
    """Return that the play on the table is a bomb, and how many fours take it."""
    if view.to_beat is None or view.to_beat.kind not in rulebook(view.options).bombs:
        return ""
    match taker_of(view.to_beat, view.options):
        case Form.PAIR:
            return ", a bomb that two fours take"
        case Form.TRIPLE:
            return ", a bomb that three fours take"
        case _:
            return ", a bomb"


def _order(view: TableView) -> str:
    return " Ranks are upside down: 3 is high and 2 is low." if view.inverted else ""


def _asked(question: Question, view: TableView, notation: Notation) -> str:
    """Return what the player is asked, and how to answer."""
    people = people_of(view)
    match question:
        case ClaimQuestion():
            return _claim_asked(question, view, notation)
        case OfferQuestion(receiver, received):
            who, given = people.name(receiver), write_card(received, notation)
            task = f"Type two other cards to offer; {who} sees both and takes one."
            return f"{people.does(receiver, 'give')} you {given}. {task}"
        case ChoiceQuestion(giver, cards):
            numbers = ("1. ", "2. ") if question.is_numbered else ("", "")
            offered = [n + write_card(c, notation) for n, c in zip(numbers, cards, strict=True)]
            task = f"Type the one that you take{', or its number' * question.is_numbered}."
            return f"{people.does(giver, 'offer')} you {' and '.join(offered)}. {task}"


def _claim_asked(question: ClaimQuestion, view: TableView, notation: Notation) -> str:
    seconds = _count(view.options.number("claim_seconds"), "second")
    if question.has_claimed:
        return "Your claim is made when the time for claims is over."
    if view.to_beat is None or view.owner is None:
        if question.win is None:
            return f"Hands that win at once may be claimed for {seconds}; yours does not."
        win = instant_win_in_words(question.win)
        return f"Your hand wins at once: {win}. Type claim within {seconds}; it shows your hand."
    bomb = f"{people_of(view).whose(view.owner)} {combination_in_words(view.to_beat)}"
    if not question.claims:
        return f"For {seconds} others may take {bomb} with fours; you have too few."
    fours = write_cards(question.claims[0], notation)
    return f"Type claim within {seconds} to take {bomb} with {fours}, or do nothing."


def _choices(view: TableView) -> str:
    """Return how many plays the seat in turn has."""
    if not view.legal_plays:
        return "No card may be played: pass."
    plays = _count(view.legal_plays, "play")
    is_are = "is" if view.legal_plays == 1 else "are"
    return f"{plays} {is_are} legal{', or pass' if view.may_pass else ''}."


def _seat(seat: SeatView, people: People, notation: Notation) -> str:
    cards = f" {seat.cards}" if seat.cards is not None else ""
    facts = [mark.value for mark in Mark if mark in seat.marks]
    if seat.face_up:
        facts.append(f"face up: {write_cards(seat.face_up, notation)}")
    told = f" ({', '.join(facts)})" if facts else ""
    return f"{people.name(seat.seat)}{cards}{told}"


def _waiting(view: TableView) -> str:
    """Return what the table waits for, and how far it has come."""
    progress = view.progress
    if progress is None:
        return f"The table has ended: {printable(view.ended or '').rstrip('.')}."
    people = people_of(view)
    whom = people.list(progress.waiting)
    done = f"{progress.done} of {progress.total}"
    match progress.kind:
        case Kind.TURN:
            return f"It is {people.whose(progress.waiting[0])} turn."
        case Kind.SHUFFLE:
            return f"{done} shuffles verified; {whom} to shuffle."
        case Kind.TRIBUTE | Kind.OFFER | Kind.CHOOSE if view.exchange is not None:
            return _exchange(view.exchange, progress.kind, people)
        case _ if view.waits_for_ready:
            return f"Deal {view.deal} waits for you: press Enter."
        case kind:
            return f"{_STEPS[kind]}: {done}; waiting for {whom}."


def _exchange(exchange: Exchange, kind: Kind, people: People) -> str:
    """Return who is to do what in the exchange."""
    giver, receiver = exchange.giver, exchange.receiver
    match kind:
        case Kind.TRIBUTE:
            return f"{people.does(giver, 'owe')} {people.name(receiver)} the highest card."
        case Kind.OFFER:
            return f"{people.does(receiver, 'are')} to offer {people.name(giver)} two cards."
        case _:
            two = f"{people.whose(receiver)} two cards"
            return f"{people.does(giver, 'are')} to take one of {two}."


_STEPS = {
    Kind.OPEN: "Signatures under the terms",
    Kind.COMMIT: "Commitments",
    Kind.REVEAL: "Keys and coins opened",
    Kind.AGREE: "Signatures under the final deck",
    Kind.SHARES: "Shares verified",
    Kind.CLAIM: "Claims answered",
    Kind.LOWEST: "Answers about the lowest card",
    Kind.CLOSE: "Signatures under the result",
}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
