"""One deal from the first lead to the loser: whose turn it is and what may be done in it.

The state is public.  It knows hand sizes and the cards that were shown, so judging a play needs
the play alone; whether the cards were really dealt to that seat is judged elsewhere.  Every
change makes a new state.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from p2pclimb.cards import TWO, Card, pretty
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.chop_pay import chop_payments
from p2pclimb.games.combos import beats, classify
from p2pclimb.games.dealing import pack_count, rotation
from p2pclimb.games.generate import find_plays
from p2pclimb.games.legal import LegalPlays
from p2pclimb.games.moves import Absent, Cards, LeadPass, Outcome, Pass, Play, Turn
from p2pclimb.games.options import Options
from p2pclimb.games.shapes import Combination
from p2pclimb.games.words import form_in_words

__all__ = ["DealState", "start"]


def start(
    options: Options,
    seats: Collection[int],
    hand_sizes: Mapping[int, int],
    leader: int,
    must_include: Card | None = None,
) -> DealState:
    """Return the state before the first lead of a deal, which is due from `leader`.

    `must_include` is the card that the first play must contain: in the first deal the lowest one
    dealt (rules.md 1.4).  Raises `OptionsError` if the options are not for that many seats.
    """
    order = rotation(options, seats, leader)
    return DealState(
        options=options,
        packs=pack_count(options, len(order)),
        seats=order,
        counts=tuple(hand_sizes[seat] for seat in order),
        turn=leader,
        must_include=must_include,
    )


@dataclass(frozen=True, slots=True)
class DealState:
    """The public state of a deal.

    `seats` are in order of turn and `counts` are their hand sizes in the same order.  `turn` is
    the seat to act, None when the deal is over.  `table` is the combination to beat and `owner`
    the seat that played it; both None when a lead is due.  `passed` are the seats that passed in
    this trick and may not come back in, or with `pass_rule=free` those that passed in succession.
    `finished` are the seats that got rid of their cards and `departed` those that went away with
    cards, both in order.  `lead_passes` are those who passed the lead in succession with their
    hands shown; `twos_may_finish` says that this has lifted the ban of `finish_on_two=false`.
    `history` has every turn of the deal.
    """

    options: Options
    packs: int
    seats: tuple[int, ...]
    counts: tuple[int, ...]
    turn: int | None
    must_include: Card | None = None
    table: Combination | None = None
    owner: int | None = None
    passed: frozenset[int] = frozenset()
    finished: tuple[int, ...] = ()
    departed: tuple[int, ...] = ()
    lead_passes: tuple[int, ...] = ()
    twos_may_finish: bool = False
    trick_number: int = 1
    history: tuple[Turn, ...] = ()

    # What anybody may ask.

    @property
    def hand_sizes(self) -> dict[int, int]:
        """How many cards each seat holds."""
        return dict(zip(self.seats, self.counts, strict=True))

    @property
    def active(self) -> tuple[int, ...]:
        """The seats still in with cards, in order of turn."""
        return tuple(
            seat
            for seat, count in zip(self.seats, self.counts, strict=True)
            if count and seat not in self.departed
        )

    @property
    def locked(self) -> frozenset[int]:
        """The seats that may not play before the pile is cleared (rules.md 1.5)."""
        return self.passed if self.options.choice("pass_rule") == "locked" else frozenset()

    @property
    def trick(self) -> tuple[Turn, ...]:
        """The turns of the trick on the table, empty when it is just to be led."""
        return tuple(turn for turn in self.history if turn.trick == self.trick_number)

    @property
    def shown(self) -> tuple[Card, ...]:
        """All cards played so far in the deal, in the order they were played."""
        plays = (turn.play for turn in self.history)
        return tuple(card for play in plays if isinstance(play, Cards) for card in play.cards)

    def outcome(self) -> Outcome | None:
        """Return how the deal came out, None while it goes on."""
        if self.turn is not None:
            return None
        order = (*self.finished, *self.active, *reversed(self.departed))
        sizes = self.hand_sizes
        chops = chop_payments(self.options, self.packs, self.history)
        return Outcome(order, tuple(sizes[seat] for seat in order), chops)

    def legal_plays(self, hand: Collection[Card]) -> LegalPlays:
        """Return what the seat in turn may do when this is its hand."""
        return LegalPlays(self, tuple(hand))

    # Judging.

    def check(self, play: Play, seat: int | None = None) -> Combination | None:
        """Return the combination played, None for a pass; raise the precise reason against it.

        `seat` says who wants to, by default the seat in turn.  Raises `InvalidPlayError` for
        cards that are no combination and `IllegalPlayError` for what cannot be done now
        (rules.md 1.4 to 1.9).
        """
        self._check_turn(seat)
        match play:
            case Pass():
                self._check_pass()
            case LeadPass(hand):
                self._check_lead_pass(hand)
            case Cards(cards):
                return self._check_cards(cards)
        return None

    def is_banned_finish(self, combination: Combination) -> bool:
        """Whether this would empty the hand in turn with 2s only, against `finish_on_two=false`."""
        return (
            combination.cards[0].rank == TWO
            and len(combination) == self._held()
            and not self.twos_may_finish
            and not self.options.flag("finish_on_two")
        )

    def _held(self) -> int:
        return self.counts[self.seats.index(self.turn)] if self.turn is not None else 0

    def _check_turn(self, seat: int | None) -> None:
        if self.turn is None:
            raise IllegalPlayError("The deal is over.")
        if seat is None or seat == self.turn:
            return
        if seat in self.departed or seat not in self.seats:
            raise IllegalPlayError("You are not in this deal.")
        if seat in self.finished:
            raise IllegalPlayError("You have no cards left.")
        if seat in self.locked:
            raise IllegalPlayError("You passed in this trick.", hint="Wait for the next lead.")
        raise IllegalPlayError("It is not your turn.")

    def _check_pass(self) -> None:
        if self.table is None:
            raise IllegalPlayError("The leader may not pass.")

    def _check_lead_pass(self, hand: tuple[Card, ...]) -> None:
        if self.table is not None:
            raise IllegalPlayError("Only a leader shows its hand to pass.")
        if len(hand) != self._held():
            raise IllegalPlayError("To pass the lead, the whole hand must be shown.")
        if not all(map(self.is_banned_finish, find_plays(hand, self.options))):
            raise IllegalPlayError("A leader who has a play may not pass the lead.")

    def _check_cards(self, cards: tuple[Card, ...]) -> Combination:
        combination = classify(cards, self.options, self.packs)
        if len(cards) > self._held():
            raise IllegalPlayError("You do not hold that many cards.")
        if self.must_include is not None and self.must_include not in cards:
            raise IllegalPlayError(f"The first play must contain {pretty(self.must_include)}.")
        if self.table is not None and not beats(combination, self.table, self.options):
            raise IllegalPlayError(_why_not(combination, self.table))
        if self.is_banned_finish(combination):
            raise IllegalPlayError("You may not go out on 2s alone at this table.")
        return combination

    # Changing.

    def apply(self, play: Play) -> DealState:
        """Return the state after a play of the seat in turn; raises as `check` does."""
        combination = self.check(play)
        seat = self.turn
        assert seat is not None
        state = self._record(seat, play)
        if combination is not None:
            return state._with_cards(seat, combination)
        if self.table is None:
            return state._with_lead_pass(seat)
        return replace(state, passed=self.passed | {seat})._ask_after(seat)

    def absent_turn(self) -> DealState:
        """Return the state after the seat in turn stayed silent: a pass, or the lead goes on.

        Nothing is shown, so this is no lead-pass, and the next leader is bound by nothing: the
        card that the first play had to contain is in the silent hand (protocol.md section 4).
        """
        seat = self.turn
        if seat is None:
            raise IllegalPlayError("The deal is over.")
        state = self._record(seat, Absent())
        if self.table is None:
            return state._lead_from(state._next_active(seat))
        return replace(state, passed=self.passed | {seat})._ask_after(seat)

    def depart(self, seat: int) -> DealState:
        """Return the state after a seat that held cards left the deal for good.

        It ranks below all that stay.  What it has on the table stays there to be beaten.  A seat
        without cards keeps its place: its departure changes nothing here (rules.md section 3).
        """
        if self.turn is None or seat not in self.active:
            return self
        state = replace(
            self,
            departed=(*self.departed, seat),
            lead_passes=tuple(other for other in self.lead_passes if other != seat),
        )
        if len(state.active) < 2:
            return replace(state, turn=None)
        if self.table is None:
            is_leader = seat == self.turn
            leader = state._next_active(seat) if is_leader else self.turn
            unbound = replace(state, must_include=None) if is_leader else state
            return unbound._lead_from(leader)
        return state._ask_after(seat) if seat == self.turn else state

    def _record(self, seat: int, play: Play | Absent) -> DealState:
        turn = Turn(self.trick_number, seat, play)
        return replace(self, history=(*self.history, turn), must_include=None)

    def _with_cards(self, seat: int, combination: Combination) -> DealState:
        place = self.seats.index(seat)
        left = self.counts[place] - len(combination)
        state = replace(
            self,
            counts=(*self.counts[:place], left, *self.counts[place + 1 :]),
            table=combination,
            owner=seat,
            passed=self.locked,
            finished=self.finished if left else (*self.finished, seat),
            lead_passes=(),
        )
        return state._ask_after(seat)

    def _with_lead_pass(self, seat: int) -> DealState:
        passed = replace(self, lead_passes=(*self.lead_passes, seat))
        return passed._lead_from(self._next_active(seat))

    def _lead_from(self, seat: int) -> DealState:
        """Give the lead to a seat, unless all with cards have shown that they cannot lead.

        Then the ban on finishing with 2s is lifted and the one that passed first leads.
        """
        if set(self.active) <= set(self.lead_passes):
            first = self.lead_passes[0]
            return replace(self, turn=first, lead_passes=(), twos_may_finish=True)
        return replace(self, turn=seat)

    def _ask_after(self, seat: int) -> DealState:
        """Give the turn to the next seat that may still beat the table, or end the trick."""
        active = self.active
        if len(active) < 2:
            return replace(self, turn=None)
        for other in self._after(seat):
            if other in active and other not in self.passed and other != self.owner:
                return replace(self, turn=other)
        return self._end_trick()

    def _end_trick(self) -> DealState:
        """Clear the pile; its owner leads, or the next seat with cards if it has none."""
        owner = self.owner
        assert owner is not None
        return replace(
            self,
            turn=owner if owner in self.active else self._next_active(owner),
            table=None,
            owner=None,
            passed=frozenset(),
            trick_number=self.trick_number + 1,
        )

    def _after(self, seat: int) -> tuple[int, ...]:
        """Return the seats in order of turn, from the one after `seat` round to itself."""
        place = self.seats.index(seat) + 1
        return self.seats[place:] + self.seats[:place]

    def _next_active(self, seat: int) -> int:
        active = self.active
        return next(other for other in self._after(seat) if other in active)


def _why_not(play: Combination, table: Combination) -> str:
    """Return why a combination does not beat the table."""
    if (play.kind, play.length) != (table.kind, table.length):
        return f"{form_in_words(play)} cannot answer {form_in_words(table)}.".capitalize()
    # The reason names no card but those on the table: what was tried is still hidden.
    if play.top == table.top:
        return f"An equal highest card does not beat {pretty(table.top)}."
    return f"The highest card is lower than {pretty(table.top)}."
