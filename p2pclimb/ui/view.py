"""What the player of one seat may see of the table, as plain values.

Every screen is made from this and nothing else.  It holds the own hand, what is public, and never
another seat's closed card; how it is laid out is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from p2pclimb.cards import Card
from p2pclimb.games.combos import classify
from p2pclimb.games.dealing import rotation
from p2pclimb.games.exchange import Exchange
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Cards
from p2pclimb.games.moves import Turn as Move
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import Combination
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.hands import Hands
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.stage import Stage
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming
from p2pclimb.ledger.steps.ended import Ended
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.shuffle import Shuffling
from p2pclimb.ledger.steps.tribute import GivingTribute
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.table.session import Session
from p2pclimb.ui.questions import Question, question_of

__all__ = [
    "Mark",
    "Progress",
    "SeatView",
    "Seen",
    "TableView",
    "TrickMove",
    "table_view",
]


class Mark(Enum):
    """Something to be told about a seat; the value is the word for it."""

    TURN = "to play"
    ASKED = "may claim"
    DEALER = "dealer"
    PASSED = "passed"
    LOCKED = "locked out"
    FINISHED = "out of cards"
    AWAY = "away"
    LEAVING = "leaving"
    DEPARTED = "left"
    OUT = "out for this deal"
    CONVICTED = "convicted"


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat; `cards` is its number of cards, None while none are dealt.

    `face_up` are those of its cards that all have seen, sorted in the order of the game.
    """

    seat: int
    name: str
    is_bot: bool
    operator: int
    cards: int | None
    face_up: tuple[Card, ...]
    score: int
    marks: frozenset[Mark]


@dataclass(frozen=True, slots=True)
class TrickMove:
    """What a seat did in the trick; `combination` is None for a pass, or a turn not taken."""

    seat: int
    combination: Combination | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the step on which everybody waits has come.

    `done` of `total` entries of this kind are verified: for shuffles counted over the whole deal,
    for all other kinds within the step.
    """

    kind: Kind
    done: int
    total: int
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """How many of the `of` other seats have built on what this seat signed last."""

    by: int
    of: int
    is_final: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """The table from one seat.

    `seats` are in order of turn, this seat (`own`) first.  `hand` is sorted in the order of the
    game.  `to_beat` was played by `owner`; both are None when a lead is due from `turn`, which is
    None as long as claims are awaited.  `inverted` says that ranks are upside down.  `legal_plays`
    counts the plays of cards that this seat may make now, `question` is what else it is asked, and
    `exchange` who exchanges cards.  `progress` is None when the table has ended; `ended` says why.
    """

    options: Options
    words: tuple[str, ...]
    own: int
    deal: int
    seats: tuple[SeatView, ...]
    hand: tuple[Card, ...] = field(repr=False)
    trick: tuple[TrickMove, ...]
    to_beat: Combination | None
    owner: int | None
    turn: int | None
    must_include: Card | None
    inverted: bool
    legal_plays: int
    may_pass: bool
    question: Question | None
    exchange: Exchange | None
    progress: Progress | None
    seen: Seen | None
    ended: str | None

    @property
    def is_own_turn(self) -> bool:
        """Whether this seat is to play."""
        return self.turn == self.own

    @property
    def waits_for_ready(self) -> bool:
        """Whether the next deal waits for this seat's player."""
        progress = self.progress
        is_next = progress is not None and progress.kind is Kind.COMMIT and self.deal > 1
        return is_next and progress is not None and self.own in progress.waiting


def table_view(session: Session, links: Mapping[int, bool]) -> TableView:
    """Return what the seat of a session sees; `links` says which seats are connected."""
    ledger, own = session.ledger, session.seat.number
    options = session.terms.options
    stage = ledger.position.stage
    state = _state(stage)
    turn = state.turn if state and not state.asked else None
    hand = tuple(sorted(session.cards(), key=rulebook(options).place))
    is_own_turn = turn == own
    legal = state.legal_plays(hand) if state is not None and is_own_turn else None
    return TableView(
        options=options,
        words=session.terms.words,
        own=own,
        deal=stage.deal,
        seats=_seats(session, state, links),
        hand=hand,
        trick=tuple(_trick_move(state, move) for move in state.trick) if state else (),
        to_beat=state.table if state else None,
        owner=state.owner if state else None,
        turn=turn,
        must_include=state.must_include if state else None,
        inverted=state is not None and state.inverted,
        legal_plays=len(legal) if legal is not None else 0,
        may_pass=legal is not None and legal.passing is not None,
        question=question_of(session),
        exchange=_exchange(stage),
        progress=_progress(ledger),
        seen=_seen(ledger, own),
        ended=stage.reason if isinstance(stage, Ended) else None,
    )


def _state(stage: Stage) -> DealState | None:
    return stage.state if isinstance(stage, Turning | FoursClaiming) else None


def _exchange(stage: Stage) -> Exchange | None:
    return stage.exchange if isinstance(stage, GivingTribute | Offering | Choosing) else None


def _seats(
    session: Session, state: DealState | None, links: Mapping[int, bool]
) -> tuple[SeatView, ...]:
    terms, position = session.terms, session.ledger.position
    match = position.match
    scores = match.scores if match else {}
    hands = position.hands
    sizes = hands.sizes(match.seats) if hands and match else {}
    order = rotation(terms.options, range(len(terms.seats)), session.seat.number)
    return tuple(
        SeatView(
            seat=seat,
            name=terms.seats[seat].name,
            is_bot=terms.seats[seat].is_bot,
            operator=terms.seats[seat].operator,
            cards=sizes.get(seat),
            face_up=_face_up(seat, hands, terms.options),
            score=scores.get(seat, 0),
            marks=_marks(seat, session, match, state, links),
        )
        for seat in order
    )


def _face_up(seat: int, hands: Hands | None, options: Options) -> tuple[Card, ...]:
    if hands is None:
        return ()
    known = (place for place in hands.in_hand(seat) if place in hands.known)
    return tuple(sorted(hands.faces_at(known), key=rulebook(options).place))


def _marks(
    seat: int,
    session: Session,
    match: Match | None,
    state: DealState | None,
    links: Mapping[int, bool],
) -> frozenset[Mark]:
    ledger = session.ledger
    stage, is_away_for_good = ledger.position.stage, seat in ledger.position.away
    is_convicted = is_away_for_good and seat in ledger.convictions
    is_out = (match is not None and seat not in match.seats) or (
        state is not None and seat in state.departed
    )
    holds = {
        Mark.ASKED: stage.kind is Kind.CLAIM and seat in stage.authors(),
        Mark.DEALER: match is not None and seat == match.dealer,
        Mark.AWAY: not links.get(seat, seat == session.seat.number) and not is_away_for_good,
        Mark.LEAVING: seat in ledger.leaves and not is_away_for_good,
        Mark.DEPARTED: is_away_for_good and not is_convicted,
        Mark.OUT: is_out and not is_away_for_good,
        Mark.CONVICTED: is_convicted,
    }
    if state is not None:
        holds[Mark.TURN] = seat == state.turn and not state.asked
        holds[Mark.LOCKED] = seat in state.locked
        holds[Mark.PASSED] = seat in state.passed - state.locked
        holds[Mark.FINISHED] = seat in state.finished
    return frozenset(mark for mark, applies in holds.items() if applies)


def _trick_move(state: DealState, move: Move) -> TrickMove:
    if isinstance(move.play, Cards):
        cards, options = move.play.cards, state.options
        played = classify(cards, options, state.packs, inverted=state.inverted)
        return TrickMove(move.seat, played)
    return TrickMove(move.seat, None)


def _progress(ledger: Ledger) -> Progress | None:
    position = ledger.position
    stage, waiting = position.stage, position.waiting()
    if stage.kind is None:
        return None
    if isinstance(stage, Shuffling):
        return Progress(stage.kind, stage.turn, len(stage.cast.seats), waiting)
    total = len(stage.authors())
    return Progress(stage.kind, total - len(waiting), total, waiting)


def _seen(ledger: Ledger, own: int) -> Seen | None:
    last = ledger.last.get(own)
    if last is None:
        return None
    others = ledger.seen_by(last.step) - {own}
    return Seen(len(others), len(ledger.terms.seats) - 1, ledger.is_final(last.step, own))
