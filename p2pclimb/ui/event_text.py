"""One line of words for every public event of a table.

What concerns one player or the lobby is in `text`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pclimb.cards import Card
from p2pclimb.games.instant_wins import InstantWin, InstantWinKind
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import ALL_RANKS, Combination
from p2pclimb.games.shapes import Kind as Form
from p2pclimb.games.words import combination_in_words, form_in_words, instant_win_in_words
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import (
    BombTaken,
    CardsDealt,
    CardTaken,
    Claimed,
    DealBegan,
    DealEnded,
    DealerDrawn,
    DealRestarted,
    Departed,
    Event,
    InstantWon,
    LeadPassed,
    LowestMissing,
    LowestShown,
    Offered,
    Passed,
    PlaceFilled,
    Played,
    RestShown,
    SeatFinished,
    TableEnded,
    TributeGiven,
    TributeReturned,
    TrickCardShown,
    TrickTaken,
)
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


def event_in_words(
    event: Event,
    people: People,
    notation: Notation,
    options: Options | None = None,
    deal_seats: Sequence[int] = (),
) -> str | None:
    """Return an event as one line, or None when there is nothing worth saying.

    With the `options` of the table it is said which plays are bombs and which turn the order of
    ranks, with the seats of the deal the shuffles are counted.
    """
    match event:
        case PlaceFilled():
            return _progress_line(event, people, deal_seats)
        case Played():
            return _played_line(event, people, notation, options)
        case Passed() | LeadPassed() | TrickTaken() | SeatFinished() | Departed():
            return _turn_line(event, people, notation)
        case BombTaken() | Claimed() | InstantWon():
            return _claim_line(event, people, notation)
        case TributeGiven() | TributeReturned() | Offered() | CardTaken():
            return _exchange_line(event, people, notation)
        case RestShown() | DealEnded() | TableEnded():
            return _result_line(event, people, notation)
        case LowestMissing() | LowestShown() | TrickCardShown():
            return _opening_line(event, people, notation)
        case _:
            return _deal_line(event, people)


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


# -- until the first play ------------------------------------------------------------------------


def _progress_line(event: PlaceFilled, people: People, deal_seats: Sequence[int]) -> str | None:
    """Return how far the deal is prepared; the ends of most steps have events of their own."""
    seat, waiting = event.seat, event.waiting
    if not event.present:
        return None
    match event.kind:
        case Kind.OPEN if not waiting:
            return "Everybody has signed the terms."
        case Kind.COMMIT if waiting:
            return f"{people.does(seat, 'have')} committed; waiting for {people.list(waiting)}."
        case Kind.SHUFFLE:
            count = ""
            if seat in deal_seats:
                count = f" {deal_seats.index(seat) + 1} of {len(deal_seats)}"
            if seat == people.own:
                return f"Shuffle{count}: yours."
            return f"Shuffle{count}, by {people.name(seat)}: verified."
        case Kind.AGREE if not waiting:
            return "Everybody has signed the same final deck."
        case _:
            return None


def _deal_line(event: DealBegan | DealRestarted | DealerDrawn | CardsDealt, people: People) -> str:
    match event:
        case DealBegan(deal, attempt, seats):
            again = f", attempt {attempt + 1}" if attempt else ""
            return f"Deal {deal}{again}: everybody has committed ({people.list(seats)})."
        case DealRestarted(deal, _, missing, payments):
            reason = f" without {people.list(missing)}" if missing else ""
            paid = f" For leaving: {scores_in_words(payments, people)}." if payments else ""
            return f"Deal {deal} begins anew{reason}.{paid}"
        case DealerDrawn(_, seat, by_coin):
            drawn = ", drawn by the coins of all" if by_coin else ""
            return f"{people.does(seat, 'deal')}{drawn}."
        case CardsDealt(_, sizes):
            return f"The cards are dealt, every share verified: {_sizes(sizes, people)}."


def _sizes(sizes: Mapping[int, int], people: People) -> str:
    if len(set(sizes.values())) == 1:
        return f"{next(iter(sizes.values()))} each"
    return ", ".join(f"{people.name(seat)} {size}" for seat, size in sizes.items())


def _opening_line(
    event: LowestMissing | LowestShown | TrickCardShown, people: People, notation: Notation
) -> str:
    card = write_card(event.card, notation)
    match event:
        case LowestMissing():
            return f"Nobody holds {card}: all have proved it."
        case LowestShown(_, holders, leader) if holders != (leader,):
            holding = people.list(holders)
            return f"{people.does(leader, 'lead')}: {holding} hold {card}, the lowest card dealt."
        case LowestShown(leader=leader):
            lead = people.verb(leader, "lead")
            return f"{people.does(leader, 'hold')} {card}, the lowest card dealt, and {lead}."
        case TrickCardShown(_, seat):
            lead = people.verb(seat, "lead")
            return f"The trick card is {card}: {people.says(seat, 'hold')} it and {lead}."


def _exchange_line(
    event: TributeGiven | TributeReturned | Offered | CardTaken, people: People, notation: Notation
) -> str:
    match event:
        case TributeGiven(giver, receiver, card):
            given = f"{write_card(card, notation)}, the highest card"
            return f"{people.does(giver, 'give')} {people.name(receiver)} {given}."
        case TributeReturned(seat, card):
            back = f"{write_card(card, notation)} back"
            return f"{people.does(seat, 'have')} {back}: there is no winner any more to exchange."
        case Offered(seat, receiver):
            offer = f"{people.name(receiver)} two cards, face down"
            return f"{people.does(seat, 'offer')} {offer}."
        case CardTaken(seat, giver, Card() as card):
            taken = f"{write_card(card, notation)} of the two"
            return f"{people.does(seat, 'take')} {taken} that {people.says(giver, 'offer')}."
        case CardTaken(seat, giver):
            whose = people.whose(giver)
            return f"{people.does(seat, 'have')} gone: the first of {whose} two cards goes over."


# -- the play ------------------------------------------------------------------------------------


def _played_line(event: Played, people: People, notation: Notation, options: Options | None) -> str:
    played = combination_on_table(event.combination, notation, options)
    last = "the last card" if len(event.combination) == 1 else "the last cards"
    rest = f"{event.left} left" if event.left else last
    turns = options is not None and event.combination.kind in rulebook(options).turning
    order = " The order of ranks turns." if turns else ""
    return f"{people.does(event.seat, 'lead' if event.led else 'play')} {played}, {rest}.{order}"


def _turn_line(
    event: Passed | LeadPassed | TrickTaken | SeatFinished | Departed,
    people: People,
    notation: Notation,
) -> str:
    match event:
        case Passed(seat):
            return f"{people.does(seat, 'pass')}."
        case LeadPassed(seat, hand):
            shown = write_cards(hand, notation)
            return f"{people.does(seat, 'pass')} the lead, showing {shown}: 2s may not go out."
        case TrickTaken(owner, leader) if owner == leader:
            return f"{people.does(owner, 'take')} the trick and {people.verb(owner, 'lead')}."
        case TrickTaken(owner, leader):
            return f"Nobody beats {people.whose(owner)} play; {people.says(leader, 'lead')}."
        case SeatFinished(seat, place):
            return f"{people.does(seat, 'are')} out of cards: place {place}."
        case Departed(seat):
            return f"{people.does(seat, 'have')} left and will rank below all who stay."


def _claim_line(event: BombTaken | Claimed | InstantWon, people: People, notation: Notation) -> str:
    match event:
        case Claimed(seat, cards):
            return f"{people.does(seat, 'claim')}, showing {write_cards(cards, notation)}."
        case InstantWon(seat, kind, cards):
            win = instant_win_in_words(InstantWin(InstantWinKind(kind), cards, strength=0))
            return f"{people.does(seat, 'win')} at once: {win}."
        case BombTaken(seat, combination, into_hand):
            bomb = write_cards(combination.cards, notation)
            if into_hand:
                return f"{people.does(seat, 'take')} the bomb into hand, face up: {bomb}."
            return f"{people.does(seat, 'take')} over the bomb, which stays to beat: {bomb}."


def _result_line(
    event: RestShown | DealEnded | TableEnded, people: People, notation: Notation
) -> str:
    match event:
        case RestShown(seat, cards):
            return f"{people.does(seat, 'show')} the rest: {write_cards(cards, notation)}."
        case DealEnded(deal, order, payments, scores):
            paid = scores_in_words({seat: payments[seat] for seat in order}, people)
            return f"Deal {deal} is over: {paid}. Scores: {scores_in_words(scores, people)}."
        case TableEnded(reason):
            return f"The table has ended: {reason_in_words(reason)}"
