"""One line of words for everything that a node tells: what happened at the table and in its lobby.

Sentences only; when they are printed and what else stands on the screen is decided elsewhere.  The
public events are put into words in `event_text`, the terms and the lobby as a whole in
`lobby_text`.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2pclimb.crypto.identity import fingerprint
from p2pclimb.games.options import Options
from p2pclimb.names import printable
from p2pclimb.table.notices import (
    ChoiceAsked,
    ClaimAsked,
    HandDealt,
    Leaving,
    LinkDown,
    LinkUp,
    NextDealWaits,
    Notice,
    OfferAsked,
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
    ScoresChecked,
    TermsProposed,
)
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.event_text import event_in_words, reason_in_words, scores_in_words
from p2pclimb.ui.lobby_text import roster_in_words, terms_in_words
from p2pclimb.ui.people import People, shown_name

__all__ = ["notice_in_words", "roster_in_words", "terms_in_words"]


def notice_in_words(
    notice: Notice | LobbyNotice,
    names: Sequence[str],
    own: int | None,
    notation: Notation = Notation.LETTERS,
    options: Options | None = None,
    deal_seats: Sequence[int] = (),
) -> str | None:
    """Return a notice as one line, or None when there is nothing worth saying.

    `names` are the seats' names, `own` the seat that reads: it is called "you", and what concerns
    one player alone is told to it only (None: a looker-on).  `options` and `deal_seats` are as for
    `event_in_words`.
    """
    people = People(names, own)
    match notice:
        case GuestCame() | GuestRefused() | GuestWent() | LobbyClosed():
            return _lobby_line(notice)
        case RosterChanged() | TermsProposed() | ScoresChecked():
            return _offer_line(notice, people)
        case HandDealt() | NextDealWaits() | TurnBegan():
            return _personal_line(notice, people, notation)
        case ClaimAsked() | OfferAsked() | ChoiceAsked():
            return _question_line(notice, people, notation) if own is not None else None
        case LinkUp() | LinkDown() | Leaving() | PeerFault() | RuleBroken():
            return _trouble_line(notice, people)
        case _:
            return event_in_words(notice, people, notation, options, deal_seats)


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


def _question_line(
    notice: ClaimAsked | OfferAsked | ChoiceAsked, people: People, notation: Notation
) -> str:
    match notice:
        case ClaimAsked(seconds, whole_hand):
            what = "that your hand wins at once" if whole_hand else "the bomb with your fours"
            time = "1 second" if seconds == 1 else f"{seconds} seconds"
            return f"You have {time} to claim {what}: type claim, or do nothing."
        case OfferAsked(receiver, received):
            gift = write_card(received, notation)
            who = people.name(receiver)
            return f"Offer {who} two cards for {gift}: type both, {who} takes one."
        case ChoiceAsked(giver, cards):
            offered = " or ".join(write_card(card, notation) for card in cards)
            return f"{people.does(giver, 'offer')} you {offered}: type the card that you take."


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
            return f"{shown_name(name)} gives up seat {seat + 1}: {reason_in_words(reason)}"
        case GuestRefused(name, reason):
            return f"{shown_name(name)} was turned away: {reason_in_words(reason)}"
        case LobbyClosed(reason):
            return f"The lobby has closed: {reason_in_words(reason)}"


def _offer_line(notice: RosterChanged | TermsProposed | ScoresChecked, people: People) -> str:
    match notice:
        case RosterChanged(roster, _):
            taken = sum(guest is not None for guest in roster.guests)
            return f"{taken} of {len(roster.guests)} seats are taken."
        case TermsProposed(terms, _):
            return f"The terms for {len(terms.seats)} seats are proposed: type yes or no."
        case ScoresChecked():
            return _scores_line(notice, people.own)


def _scores_line(notice: ScoresChecked, own_seat: int | None) -> str:
    if notice.own is None:
        return "You have no log of the table that the scores come from: compare with the others."
    if notice.agrees:
        return "The scores carried on are those of your own log."
    people = People([seat.name for seat in notice.terms.seats], own_seat)
    points = scores_in_words(dict(enumerate(notice.own.points)), people)
    return f"WARNING: your own log gives other scores to carry on: {points}. Ask before you accept."
