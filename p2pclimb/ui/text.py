"""One line of words for everything that a node tells: what happened at the table and in its lobby.

Sentences only; when they are printed and what else stands on the screen is decided elsewhere.  The
public events are put into words in `event_text`, the terms and the lobby as a whole in
`lobby_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from p2pclimb.crypto.identity import fingerprint
from p2pclimb.games.options import Options
from p2pclimb.ledger.ballots import majority
from p2pclimb.ledger.events import Event
from p2pclimb.names import printable
from p2pclimb.table import notices, roster
from p2pclimb.ui.cardtext import Notation, write_card, write_cards
from p2pclimb.ui.event_text import event_in_words, reason_in_words, scores_in_words
from p2pclimb.ui.lobby_text import roster_in_words, terms_in_words
from p2pclimb.ui.people import People, shown_name

__all__ = ["notice_in_words", "roster_in_words", "terms_in_words"]

AnyNotice: TypeAlias = notices.Notice | roster.LobbyNotice


def notice_in_words(
    notice: AnyNotice,
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
    lines = (chapter(notice, people, notation) for chapter in _CHAPTERS)
    line = next((line for line in lines if line is not None), None)
    if line is None and isinstance(notice, Event):
        return event_in_words(notice, people, notation, options, deal_seats)
    return line


# Each chapter knows some of the notices, and returns None for all others.

# -- what concerns this player -------------------------------------------------------------------


def _of_ones_own(notice: AnyNotice, people: People, notation: Notation) -> str | None:
    if people.own is None:
        return None
    match notice:
        case notices.HandDealt(cards):
            return f"Your hand: {write_cards(cards, notation)}."
        case notices.NextDealWaits(deal):
            return f"Press Enter to begin deal {deal}."
        case notices.TurnBegan(seat) if seat == people.own:
            return "Your turn."
        case notices.ClaimAsked(seconds, whole_hand):
            what = "that your hand wins at once" if whole_hand else "the bomb with your fours"
            time = "1 second" if seconds == 1 else f"{seconds} seconds"
            return f"You have {time} to claim {what}: type claim, or do nothing."
        case notices.OfferAsked(receiver, received):
            gift = write_card(received, notation)
            who = people.name(receiver)
            return f"Offer {who} two cards for {gift}: type both, {who} takes one."
        case notices.ChoiceAsked(giver, cards):
            offered = " or ".join(write_card(card, notation) for card in cards)
            return f"{people.does(giver, 'offer')} you {offered}: type the card that you take."
        case _:
            return None


# -- who is here, and who is late ----------------------------------------------------------------


def _of_presence(notice: AnyNotice, people: People, _: Notation) -> str | None:
    match notice:
        case notices.LinkUp(seat):
            return f"{people.does(seat, 'are')} connected."
        case notices.LinkDown(seat, reason):
            return f"{people.does(seat, 'are')} away: {printable(reason).rstrip('.')}."
        case notices.Leaving(seat):
            return f"{people.does(seat, 'are')} leaving the table."
        case notices.NoMajority(here, electorate):
            count = f"{len(here)} of {len(electorate)} players are here"
            back = "You can adjourn and come back with `p2pclimb resume`."
            waiting = f"Waiting: {count}, {majority(electorate)} are needed to go on."
            return waiting if people.own is None else f"{waiting} {back}"
        case _:
            return None


def _of_votes(notice: AnyNotice, people: People, _: Notation) -> str | None:
    match notice:
        case notices.TimeRuns((seat,), seconds):
            return f"{people.does(seat, 'have')} {seconds:.0f} s left."
        case notices.TimeRuns(seats, seconds):
            late = people.list(sorted(seats, key=lambda seat: seat == people.own))
            return f"{late} have {seconds:.0f} s left."
        case notices.VoteStands(seat, ballot, promised, accepted, electorate):
            votes = f"{len({*promised, *accepted})} of {len(electorate)} vote"
            again = f" (vote {ballot})" if ballot > 1 else ""
            whose = people.whose(seat)
            over = f"{'Your' if seat == people.own else whose} time is over."
            return f"{over} {votes} to play on without {whose} move{again}."
        case notices.PauseHeld(seats, True, electorate):
            count = f"{len(seats)} of {len(electorate)}"
            asked = f"{people.list(seats)} {_ask(seats, people)} for it ({count})"
            return f"A pause: {asked}. Nobody is passed over until it ends."
        case notices.PauseHeld((), _, _):
            return "No pause: nobody asks for one any more."
        case notices.PauseHeld(seats, _, electorate):
            count = f"{len(seats)} of {len(electorate)}; {majority(electorate)} are needed"
            return f"No pause: {people.list(seats)} {_ask(seats, people)} for one ({count})."
        case _:
            return None


def _ask(seats: Sequence[int], people: People) -> str:
    return people.verb(seats[0], "ask") if len(seats) == 1 else "ask"


# -- trouble -------------------------------------------------------------------------------------


def _of_trouble(notice: AnyNotice, people: People, _: Notation) -> str | None:
    match notice:
        case notices.PeerFault(peer, text):
            return f"Dropped what a peer sent (key {peer[:4].hex()}): {printable(text)}"
        case notices.RuleBroken(violation):
            return f"{reason_in_words(violation.text)} The log holds the proof."
        case notices.EvidenceKept(seat, path):
            return f"The proof against {people.name(seat)} is in {printable(path)}."
        case notices.SeatElsewhere() if people.own is None:
            return "Somebody else signs with the identity of this seat: here it signs no more."
        case notices.SeatElsewhere():
            return (
                "WARNING: somebody else plays with your identity, so this program signs no more."
                " Do you play on another machine? If not, your key was copied: make a new one"
                " with `p2pclimb id new`."
            )
        case _:
            return None


# -- the lobby -----------------------------------------------------------------------------------


def _of_the_lobby(notice: AnyNotice, people: People, _: Notation) -> str | None:
    match notice:
        case roster.GuestCame(seat, guest):
            name = shown_name(guest.name)
            kind = ", a bot," if guest.is_bot else ""
            return f"{name}{kind} takes seat {seat + 1} (key {fingerprint(guest.identity)})."
        case roster.GuestWent(seat, name, reason):
            return f"{shown_name(name)} gives up seat {seat + 1}: {reason_in_words(reason)}"
        case roster.GuestRefused(name, reason):
            return f"{shown_name(name)} was turned away: {reason_in_words(reason)}"
        case roster.LobbyClosed(reason):
            return f"The lobby is over for you: {reason_in_words(reason)}"
        case roster.RosterChanged(lobby, _):
            taken = sum(guest is not None for guest in lobby.guests)
            return f"{taken} of {len(lobby.guests)} seats are taken."
        case roster.TermsProposed(terms, _):
            return f"The terms for {len(terms.seats)} seats are proposed: type yes or no."
        case roster.ScoresChecked():
            return _scores_line(notice, people.own)
        case _:
            return None


def _scores_line(notice: roster.ScoresChecked, own_seat: int | None) -> str:
    if notice.own is None:
        return "You have no log of the table that the scores come from: compare with the others."
    if notice.agrees:
        return "The scores carried on are those of your own log."
    people = People([seat.name for seat in notice.terms.seats], own_seat)
    points = scores_in_words(dict(enumerate(notice.own.points)), people)
    return f"WARNING: your own log gives other scores to carry on: {points}. Ask before you accept."


_CHAPTERS: tuple[Callable[[AnyNotice, People, Notation], str | None], ...] = (
    _of_ones_own,
    _of_presence,
    _of_votes,
    _of_trouble,
    _of_the_lobby,
)
