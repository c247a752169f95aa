"""One line of words for every public event of a table.

What concerns one player or the lobby is in `text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from p2pclimb.cards import Card
from p2pclimb.games.instant_wins import InstantWin, InstantWinKind
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import ALL_RANKS, Combination
from p2pclimb.games.shapes import Kind as Form
from p2pclimb.games.words import combination_in_words, form_in_words, instant_win_in_words
from p2pclimb.ledger import events
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.position import MOST_MISSES
from p2pclimb.names import printable
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.people import People

__all__ = [
    "combination_on_table",
    "event_in_words",
    "reading_in_words",
    "reason_in_words",
    "scores_in_words",
    "signed",
]


@dataclass(frozen=True, slots=True)
class _Telling:
    """To whom it is told, and with what the words are chosen (see `event_in_words`)."""

    people: People
    notation: Notation
    options: Options | None
    deal_seats: Sequence[int]


def event_in_words(
    event: events.Event,
    people: People,
    notation: Notation,
    options: Options | None = None,
    deal_seats: Sequence[int] = (),
) -> str | None:
    """Return an event as one line, or None when there is nothing worth saying.

    With the `options` of the table it is said which plays are bombs and which turn the order of
    ranks, with the seats of the deal the shuffles are counted.
    """
    telling = _Telling(people, notation, options, deal_seats)
    lines = (chapter(event, telling) for chapter in _CHAPTERS)
    return next((line for line in lines if line is not None), None)


def combination_on_table(
    combination: Combination, notation: Notation, options: Options | None = None
) -> str:
    """Return the cards of a play, and what they are unless that is plain to see."""
    cards = write_cards(combination.cards, notation)
    if len(combination) == 1:
        return cards
    is_bomb = options is not None and combination.kind in rulebook(options).bombs
    return f"{cards} ({form_in_words(combination)}{', a bomb' if is_bomb else ''})"


def reading_in_words(combination: Combination) -> str | None:
    """Return how cards were read that could be two things, None for all others.

    Cards of one suit may be a straight or a straight flush, and in a straight of all ranks the ace
    may be high or low (see `games.combos.classify`).
    """
    match combination.kind:
        case Form.STRAIGHT_FLUSH:
            pass
        case Form.STRAIGHT | Form.PAIR_STRAIGHT | Form.TRIPLE_STRAIGHT if (
            combination.length == ALL_RANKS
        ):
            pass
        case _:
            return None
    return f"Read as: {combination_in_words(combination)}."


def scores_in_words(scores: Mapping[int, int], people: People) -> str:
    """Return points with their signs, by seat: `Ana +2, you -1`."""
    return ", ".join(f"{people.name(seat)} {signed(points)}" for seat, points in scores.items())


def signed(points: int) -> str:
    """Return points with their sign: `+2`, `0`."""
    return f"{points:+d}" if points else "0"


def reason_in_words(text: str) -> str:
    """Return a foreign text as the end of a sentence."""
    return printable(text).rstrip(".") + "."


# Each chapter knows some of the events, and returns None for all others.

# -- until the first play ------------------------------------------------------------------------


def _of_progress(event: events.Event, telling: _Telling) -> str | None:
    """Return how far the deal is prepared; the ends of most steps have events of their own."""
    people, seats = telling.people, telling.deal_seats
    match event:
        case events.PlaceFilled(kind=Kind.OPEN, present=True, waiting=()):
            return "Everybody has signed the terms."
        case events.PlaceFilled(kind=Kind.COMMIT, seat=seat, present=True, waiting=(_, *_)):
            whom = people.list(event.waiting)
            return f"{people.does(seat, 'have')} committed; waiting for {whom}."
        case events.PlaceFilled(kind=Kind.SHUFFLE, seat=seat, present=True):
            count = f" {seats.index(seat) + 1} of {len(seats)}" if seat in seats else ""
            if seat == people.own:
                return f"Shuffle{count}: yours."
            return f"Shuffle{count}, by {people.name(seat)}: verified."
        case events.PlaceFilled(kind=Kind.AGREE, present=True, waiting=()):
            return "Everybody has signed the same final deck."
        case _:
            return None


def _of_the_deal(event: events.Event, telling: _Telling) -> str | None:
    people = telling.people
    match event:
        case events.DealBegan(deal, attempt, seats):
            again = f", attempt {attempt + 1}" if attempt else ""
            return f"Deal {deal}{again}: everybody has committed ({people.list(seats)})."
        case events.DealRestarted(deal, _, missing, payments):
            reason = f" without {people.list(missing)}" if missing else ""
            seen = "Whoever may have seen its hand pays"
            paid = f" {seen}: {scores_in_words(payments, people)}." if payments else ""
            return f"Deal {deal} begins anew{reason}.{paid}"
        case events.DealerDrawn(_, seat, by_coin):
            drawn = ", drawn by the coins of all" if by_coin else ""
            return f"{people.does(seat, 'deal')}{drawn}."
        case events.CardsDealt(_, sizes):
            return f"The cards are dealt, every share verified: {_sizes(sizes, people)}."
        case _:
            return None


def _sizes(sizes: Mapping[int, int], people: People) -> str:
    if len(set(sizes.values())) == 1:
        return f"{next(iter(sizes.values()))} each"
    return ", ".join(f"{people.name(seat)} {size}" for seat, size in sizes.items())


def _of_the_opening(event: events.Event, telling: _Telling) -> str | None:
    people, notation = telling.people, telling.notation
    match event:
        case events.LowestMissing(card):
            return f"Nobody holds {write_card(card, notation)}: all have proved it."
        case events.LowestShown(card, holders, leader) if holders != (leader,):
            hold = f"{people.list(holders)} hold {write_card(card, notation)}"
            return f"{people.does(leader, 'lead')}: {hold}, the lowest card dealt."
        case events.LowestShown(card, leader=leader):
            held = f"{people.does(leader, 'hold')} {write_card(card, notation)}"
            return f"{held}, the lowest card dealt, and {people.verb(leader, 'lead')}."
        case events.TrickCardShown(card, seat):
            held = f"{people.says(seat, 'hold')} it and {people.verb(seat, 'lead')}"
            return f"The trick card is {write_card(card, notation)}: {held}."
        case _:
            return None


def _of_the_exchange(event: events.Event, telling: _Telling) -> str | None:
    people, notation = telling.people, telling.notation
    match event:
        case events.TributeGiven(giver, receiver, card):
            given = f"{write_card(card, notation)}, the highest card"
            return f"{people.does(giver, 'give')} {people.name(receiver)} {given}."
        case events.TributeReturned(seat, card):
            back = f"{write_card(card, notation)} back"
            return f"{people.does(seat, 'have')} {back}: nobody offers cards for it."
        case events.Offered(seat, receiver):
            offer = f"{people.name(receiver)} two cards, face down"
            return f"{people.does(seat, 'offer')} {offer}."
        case events.CardTaken(seat, giver, Card() as card):
            taken = f"{write_card(card, notation)} of the two"
            return f"{people.does(seat, 'take')} {taken} that {people.says(giver, 'offer')}."
        case events.CardTaken(seat, giver):
            whose = people.whose(giver)
            return (
                f"{people.does(seat, 'choose')} neither: the first of {whose} two cards goes over."
            )
        case _:
            return None


# -- the play ------------------------------------------------------------------------------------


def _of_the_play(event: events.Event, telling: _Telling) -> str | None:
    people, notation = telling.people, telling.notation
    match event:
        case events.Played(seat, led=led):
            return f"{people.does(seat, 'lead' if led else 'play')} {_played(event, telling)}"
        case events.Passed(seat):
            return f"{people.does(seat, 'pass')}."
        case events.LeadPassed(seat, hand):
            shown = write_cards(hand, notation)
            return f"{people.does(seat, 'pass')} the lead, showing {shown}: 2s may not go out."
        case events.TrickTaken(owner, leader) if owner == leader:
            return f"{people.does(owner, 'take')} the trick and {people.verb(owner, 'lead')}."
        case events.TrickTaken(owner, leader):
            return f"Nobody beats {people.whose(owner)} play; {people.says(leader, 'lead')}."
        case events.SeatFinished(seat, place):
            return f"{people.does(seat, 'are')} out of cards: place {place}."
        case events.Departed(seat):
            return f"{people.does(seat, 'are')} out of this deal and will rank below all who stay."
        case _:
            return None


def _played(event: events.Played, telling: _Telling) -> str:
    options = telling.options
    played = combination_on_table(event.combination, telling.notation, options)
    last = "the last card" if len(event.combination) == 1 else "the last cards"
    rest = f"{event.left} left" if event.left else last
    turns = options is not None and event.combination.kind in rulebook(options).turning
    return f"{played}, {rest}.{' The order of ranks turns.' if turns else ''}"


def _of_claims(event: events.Event, telling: _Telling) -> str | None:
    people, notation = telling.people, telling.notation
    match event:
        case events.Claimed(seat, cards):
            return f"{people.does(seat, 'claim')}, showing {write_cards(cards, notation)}."
        case events.InstantWon(seat, kind, cards):
            win = instant_win_in_words(InstantWin(InstantWinKind(kind), cards, strength=0))
            return f"{people.does(seat, 'win')} at once: {win}."
        case events.BombTaken(seat, combination, into_hand):
            bomb = write_cards(combination.cards, notation)
            if into_hand:
                return f"{people.does(seat, 'take')} the bomb into hand, face up: {bomb}."
            return f"{people.does(seat, 'take')} over the bomb, which stays to beat: {bomb}."
        case _:
            return None


def _of_the_result(event: events.Event, telling: _Telling) -> str | None:
    people = telling.people
    match event:
        case events.RestShown(seat, cards):
            shown = write_cards(cards, telling.notation)
            return f"{people.does(seat, 'show')} the rest: {shown}."
        case events.DealEnded(deal, order, payments, scores):
            paid = scores_in_words({seat: payments[seat] for seat in order}, people)
            return f"Deal {deal} is over: {paid}. Scores: {scores_in_words(scores, people)}."
        case events.TableEnded(reason):
            return f"The table has ended: {reason_in_words(reason)}"
        case _:
            return None


# -- absence and offences ------------------------------------------------------------------------


def _of_absence(event: events.Event, telling: _Telling) -> str | None:
    people = telling.people
    match event:
        case events.Missed(seat, _, misses) if misses >= MOST_MISSES:
            out = f"{people.verb(seat, 'are')} out for this deal"
            return f"{people.subject(seat)} missed a third time and {out}."
        case events.Missed(seat, kind, misses):
            what, outcome = _MISSED[kind]
            count = f"{misses} of {MOST_MISSES}"
            then = outcome.format(people.name(seat))
            return f"{people.subject(seat)} missed {what} ({count}): {then}."
        case events.Convicted(seat, _, _, text):
            out = f"{people.says(seat, 'are')} out for good"
            price = f"{people.verb(seat, 'pay')} as the loser of a deal whose cards are dealt"
            return f"{printable(text).rstrip('.')}: {out}, and {price}."
        case events.HistoryDropped(step):
            reason = "a majority had already passed over a player, or a proof overrides it"
            return f"What was done from step {step} on does not count any more: {reason}."
        case _:
            return None


_ANEW = "the deal begins anew without {}"
_LAST = "that is last place in this deal"
_MISSED = {
    Kind.OPEN: ("the signature under the terms", "the table does not open"),
    Kind.COMMIT: ("the beginning of the deal", "it is played without {}"),
    Kind.REVEAL: ("the opening of keys and coins", _ANEW),
    Kind.SHUFFLE: ("the shuffle", _ANEW),
    Kind.AGREE: ("the signature under the deck", _ANEW),
    Kind.SHARES: ("the shares", _ANEW),
    Kind.CLAIM: ("the time for claims", "that is no claim"),
    Kind.LOWEST: ("the question for the lowest card", _LAST),
    Kind.TRIBUTE: ("the tribute", _LAST),
    Kind.OFFER: ("the offer", "the tribute goes back"),
    Kind.CHOOSE: ("the choice", "the first of the two cards goes over"),
    Kind.TURN: ("this turn", "it counts as a pass"),
    Kind.CLOSE: ("the signature under the result", "the next deal may begin without {}"),
}
"""What a seat missed, by the kind of the step, and what comes of it (protocol.md, section 7)."""

_CHAPTERS: tuple[Callable[[events.Event, _Telling], str | None], ...] = (
    _of_progress,
    _of_the_deal,
    _of_the_opening,
    _of_the_exchange,
    _of_the_play,
    _of_claims,
    _of_the_result,
    _of_absence,
)
