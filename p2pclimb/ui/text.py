"""One line of words for everything that a node tells: what happened at the table and in its lobby.

Sentences only; when they are printed and what else stands on the screen is decided elsewhere.  The
terms and the lobby as a whole are described in `lobby_text`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pclimb.crypto.identity import fingerprint
from p2pclimb.games.shapes import Combination
from p2pclimb.games.words import form_in_words
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import (
    CardsDealt,
    DealBegan,
    DealEnded,
    DealerDrawn,
    DealRestarted,
    Departed,
    LeadPassed,
    LowestMissing,
    LowestShown,
    Passed,
    PlaceFilled,
    Played,
    RestShown,
    SeatFinished,
    TableEnded,
    TrickTaken,
)
from p2pclimb.names import printable
from p2pclimb.table.notices import (
    HandDealt,
    Leaving,
    LinkDown,
    LinkUp,
    NextDealWaits,
    Notice,
    PeerFault,
    RuleBroken,
    TurnBegan,
)
from p2pclimb.table.roster import (
    GuestCame,
    GuestRefused,
    GuestWent,
    LobbyClosed,
    LobbyNotice,
    RosterChanged,
    TermsProposed,
)
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.lobby_text import roster_in_words, terms_in_words
from p2pclimb.ui.people import People, shown_name

__all__ = [
    "combination_on_table",
    "notice_in_words",
    "roster_in_words",
    "scores_in_words",
    "terms_in_words",
]


def notice_in_words(
    notice: Notice | LobbyNotice,
    names: Sequence[str],
    own: int | None,
    notation: Notation = Notation.LETTERS,
    deal_seats: Sequence[int] = (),
) -> str | None:
    """Return a notice as one line, or None when there is nothing worth saying.

    `names` are the seats' names, `own` the seat that reads: it is called "you", and what concerns
    one player alone is told to it only (None: a looker-on).  With `deal_seats`, the seats of the
    present deal, the shuffles are counted.
    """
    people = People(names, own)
    match notice:
        case GuestCame() | GuestRefused() | GuestWent() | LobbyClosed():
            return _lobby_line(notice)
        case RosterChanged() | TermsProposed():
            return _offer_line(notice)
        case HandDealt() | NextDealWaits() | TurnBegan():
            return _personal_line(notice, people, notation)
        case LinkUp() | LinkDown() | Leaving() | PeerFault() | RuleBroken():
            return _trouble_line(notice, people)
        case PlaceFilled():
            return _progress_line(notice, people, deal_seats)
        case Played() | Passed() | LeadPassed() | TrickTaken() | SeatFinished() | Departed():
            return _turn_line(notice, people, notation)
        case RestShown() | DealEnded() | TableEnded():
            return _result_line(notice, people, notation)
        case _:
            return _deal_line(notice, people, notation)


def combination_on_table(combination: Combination, notation: Notation) -> str:
    """Return the cards of a play, and what they are unless that is plain to see."""
    cards = write_cards(combination.cards, notation)
    return cards if len(combination) == 1 else f"{cards} ({form_in_words(combination)})"


def scores_in_words(scores: Mapping[int, int], people: People) -> str:
    """Return points with their signs, by seat: `Ana +2, you -1`."""
    signed = {seat: f"{points:+d}" if points else "0" for seat, points in scores.items()}
    return ", ".join(f"{people.name(seat)} {points}" for seat, points in signed.items())


# -- what happened at the table ------------------------------------------------------------------


def _progress_line(notice: PlaceFilled, people: People, deal_seats: Sequence[int]) -> str | None:
    """Return how far the deal is prepared; the ends of most steps have notices of their own."""
    seat, waiting = notice.seat, notice.waiting
    if not notice.present:
        return None
    match notice.kind:
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


def _turn_line(
    notice: Played | Passed | LeadPassed | TrickTaken | SeatFinished | Departed,
    people: People,
    notation: Notation,
) -> str:
    match notice:
        case Played(seat, combination, led, left):
            played = combination_on_table(combination, notation)
            rest = f"{left} left" if left else "the last cards"
            return f"{people.does(seat, 'lead' if led else 'play')} {played}, {rest}."
        case Passed(seat):
            return f"{people.does(seat, 'pass')}."
        case LeadPassed(seat, hand):
            shown = write_cards(hand, notation)
            return f"{people.does(seat, 'pass')} the lead, showing {shown}: 2s may not go out."
        case TrickTaken(owner, leader) if owner == leader:
            return f"{people.does(owner, 'take')} the trick and {_verb(people, owner, 'lead')}."
        case TrickTaken(owner, leader):
            return f"Nobody beats {people.whose(owner)} play; {people.does(leader, 'lead')}."
        case SeatFinished(seat, place):
            return f"{people.does(seat, 'are')} out of cards: place {place}."
        case Departed(seat):
            return f"{people.does(seat, 'have')} left and will rank below all who stay."


def _deal_line(
    notice: DealBegan | DealRestarted | DealerDrawn | CardsDealt | LowestMissing | LowestShown,
    people: People,
    notation: Notation,
) -> str:
    match notice:
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
        case LowestMissing(card):
            return f"Nobody holds {write_card(card, notation)}: all have proved it."
        case LowestShown(card, holders, leader):
            lowest = f"{write_card(card, notation)}, the lowest card dealt"
            if holders == (leader,):
                lead = _verb(people, leader, "lead")
                return f"{people.does(leader, 'hold')} {lowest}, and {lead}."
            return f"{people.does(leader, 'lead')}: {people.list(holders)} hold {lowest}."


def _result_line(
    notice: RestShown | DealEnded | TableEnded, people: People, notation: Notation
) -> str:
    match notice:
        case RestShown(seat, cards):
            return f"{people.does(seat, 'show')} the rest: {write_cards(cards, notation)}."
        case DealEnded(deal, order, payments, scores):
            paid = scores_in_words({seat: payments[seat] for seat in order}, people)
            return f"Deal {deal} is over: {paid}. Scores: {scores_in_words(scores, people)}."
        case TableEnded(reason):
            return f"The table has ended: {_reason(reason)}"


def _sizes(sizes: Mapping[int, int], people: People) -> str:
    if len(set(sizes.values())) == 1:
        return f"{next(iter(sizes.values()))} each"
    return ", ".join(f"{people.name(seat)} {size}" for seat, size in sizes.items())


def _verb(people: People, seat: int, verb: str) -> str:
    return people.does(seat, verb).split()[-1]


# -- what concerns this player or this node ------------------------------------------------------


def _personal_line(
    notice: HandDealt | NextDealWaits | TurnBegan, people: People, notation: Notation
) -> str | None:
    match notice:
        case HandDealt(cards) if people.own is not None:
            return f"Your hand: {write_cards(cards, notation)}."
        case NextDealWaits(deal) if people.own is not None:
            return f"Press Enter to begin deal {deal}."
        case TurnBegan(seat) if seat == people.own:
            return "Your turn."
        case _:
            return None


def _trouble_line(
    notice: LinkUp | LinkDown | Leaving | PeerFault | RuleBroken, people: People
) -> str:
    match notice:
        case LinkUp(seat):
            return f"{people.does(seat, 'are')} connected."
        case LinkDown(seat, reason):
            return f"{people.does(seat, 'are')} away: {printable(reason).rstrip('.')}."
        case Leaving(seat):
            return f"{people.does(seat, 'are')} leaving the table."
        case PeerFault(peer, text):
            return f"Dropped what a peer sent (key {peer[:4].hex()}): {printable(text)}"
        case RuleBroken(violation):
            return f"{printable(violation.text)} The table stops here; the log holds the proof."


# -- the lobby -----------------------------------------------------------------------------------


def _lobby_line(notice: GuestCame | GuestRefused | GuestWent | LobbyClosed) -> str:
    match notice:
        case GuestCame(seat, guest):
            name = shown_name(guest.name)
            kind = ", a bot," if guest.is_bot else ""
            return f"{name}{kind} takes seat {seat + 1} (key {fingerprint(guest.identity)})."
        case GuestWent(seat, name, reason):
            return f"{shown_name(name)} gives up seat {seat + 1}: {_reason(reason)}"
        case GuestRefused(name, reason):
            return f"{shown_name(name)} was turned away: {_reason(reason)}"
        case LobbyClosed(reason):
            return f"The lobby has closed: {_reason(reason)}"


def _offer_line(notice: RosterChanged | TermsProposed) -> str:
    match notice:
        case RosterChanged(roster, _):
            taken = sum(guest is not None for guest in roster.guests)
            return f"{taken} of {len(roster.guests)} seats are taken."
        case TermsProposed(terms, _):
            return f"The terms for {len(terms.seats)} seats are proposed: type yes or no."


def _reason(text: str) -> str:
    return printable(text).rstrip(".") + "."
