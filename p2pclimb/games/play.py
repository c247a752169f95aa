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
from p2pclimb.games.fours import taker_of, takes
from p2pclimb.games.generate import find_plays
from p2pclimb.games.legal import LegalPlays
from p2pclimb.games.moves import (
    Absent,
    Cards,
    Holding,
    LeadPass,
    Outcome,
    Pass,
    PickUp,
    Play,
    Turn,
)
from p2pclimb.games.options import Options
from p2pclimb.games.refusals import why_not_beaten
from p2pclimb.games.rulebook import Rulebook, rulebook
from p2pclimb.games.shapes import Combination

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
    counts = tuple(hand_sizes[seat] for seat in order)
    return DealState(
        options=options,
        packs=pack_count(options, len(order)),
        seats=order,
        dealt=counts,
        counts=counts,
        turn=leader,
        must_include=must_include,
    )


@dataclass(frozen=True, slots=True)
class DealState:
    """The public state of a deal.

    `seats` are in order of turn; `dealt` and `counts` are their hand sizes in the same order, at
    the start and now.  `turn` is the seat to act, None when the deal is over.  `table` is the
    combination to beat and `owner` the seat it belongs to; both None when a lead is due.  `passed`
    are the seats that passed in this trick and may not come back in, or with `pass_rule=free` those
    that passed in succession.  `asked` are the seats that may claim a bomb out of turn; as long as
    there are any, `turn` is the seat that plays if nobody does.  `finished` are the seats that got
    rid of their cards and `departed` those that went away with cards, both in order.  `inverted`
    says that ranks are upside down.  `at_winner_out` are the hands when the first seat finished.
    `lead_passes` are those who passed the lead in succession with their hands shown;
    `twos_may_finish` says that this has lifted the ban of `finish_on_two=false`.  `history` has
    every turn of the deal.
    """

    options: Options
    packs: int
    seats: tuple[int, ...]
    dealt: tuple[int, ...]
    counts: tuple[int, ...]
    turn: int | None
    must_include: Card | None = None
    table: Combination | None = None
    owner: int | None = None
    passed: frozenset[int] = frozenset()
    asked: tuple[int, ...] = ()
    finished: tuple[int, ...] = ()
    departed: tuple[int, ...] = ()
    inverted: bool = False
    at_winner_out: tuple[Holding, ...] = ()
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
        """All cards that were played and are in no hand, in the order they were played."""
        cards: list[Card] = []
        for turn in self.history:
            if isinstance(turn.play, Cards):
                cards += turn.play.cards
            for card in turn.picked_up.cards if turn.picked_up is not None else ():
                cards.remove(card)
        return tuple(cards)

    @property
    def picked_up(self) -> PickUp | None:
        """The bomb that went into a hand with the last turn, None if none did (rules.md 2.6)."""
        if not self.history or self.history[-1].picked_up is None:
            return None
        return PickUp(self.history[-1].seat, self.history[-1].picked_up)

    @property
    def holdings(self) -> tuple[Holding, ...]:
        """The hands as scoring by cards looks at them, in the order of `seats`."""
        have_played = {turn.seat for turn in self.history if isinstance(turn.play, Cards)}
        return tuple(
            Holding(count, dealt, seat in have_played)
            for seat, dealt, count in zip(self.seats, self.dealt, self.counts, strict=True)
        )

    @property
    def standing(self) -> tuple[int, ...]:
        """All seats: as they finished, those with cards, those who departed, the first last."""
        return (*self.finished, *self.active, *reversed(self.departed))

    def outcome(self) -> Outcome | None:
        """Return how the deal came out, None while it goes on."""
        if self.turn is not None:
            return None
        order = self.standing
        at_winner_out = self.options.plays_with("score_at", "winner_out")
        counted = (self.at_winner_out if at_winner_out else ()) or self.holdings
        places = [self.seats.index(seat) for seat in order]
        return Outcome(
            order,
            tuple(self.counts[place] for place in places),
            chop_payments(self.options, self.packs, self.history),
            tuple(counted[place] for place in places),
        )

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
            and not self._book.twos_may_finish
        )

    @property
    def _book(self) -> Rulebook:
        return rulebook(self.options)

    def _held(self) -> int:
        return self.counts[self.seats.index(self.turn)] if self.turn is not None else 0

    def _check_turn(self, seat: int | None) -> None:
        if self.turn is None:
            raise IllegalPlayError("The deal is over.")
        if self.asked:
            raise IllegalPlayError("The others are asked for their fours first.")
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
        combination = classify(cards, self.options, self.packs, inverted=self.inverted)
        if len(cards) > self._held():
            raise IllegalPlayError("You do not hold that many cards.")
        if self.must_include is not None and self.must_include not in cards:
            raise IllegalPlayError(f"The first play must contain {pretty(self.must_include)}.")
        if self.table is not None and not self._beats_table(combination):
            reason = why_not_beaten(combination, self.table, inverted=self.inverted)
            raise IllegalPlayError(reason)
        if self.is_banned_finish(combination):
            raise IllegalPlayError("You may not go out on 2s alone at this table.")
        return combination

    def _beats_table(self, play: Combination) -> bool:
        table = self.table
        return table is None or beats(play, table, self.options, inverted=self.inverted)

    def check_claim(self, seat: int, cards: tuple[Card, ...]) -> Combination:
        """Return the fours with which a seat claims the bomb out of turn; raise what is against it.

        Raises `InvalidPlayError` and `IllegalPlayError` as `check` does (rules.md 2.6).
        """
        if seat not in self.asked or self.table is None:
            raise IllegalPlayError("You are not asked for fours now.")
        fours = classify(cards, self.options, self.packs, inverted=self.inverted)
        if len(cards) > self.hand_sizes[seat]:
            raise IllegalPlayError("You do not hold that many cards.")
        if not takes(fours, self.table, self.options):
            raise IllegalPlayError("Only fours take a bomb: two of three of a kind, three of four.")
        return fours

    # Changing.

    def apply(self, play: Play) -> DealState:
        """Return the state after a play of the seat in turn; raises as `check` does."""
        combination = self.check(play)
        seat = self.turn
        assert seat is not None
        if combination is not None:
            return self._with_cards(seat, combination)
        if self.table is None:
            return self._with_lead_pass(seat, play)
        return self._with_pass(seat, play)

    def absent_turn(self) -> DealState:
        """Return the state after the seat in turn stayed silent: a pass, or the lead goes on.

        Nothing is shown, so this is no lead-pass, and the next leader is bound by nothing: the
        card that the first play had to contain is in the silent hand (protocol.md section 4).
        """
        self._check_turn(None)
        seat = self.turn
        assert seat is not None
        if self.table is not None:
            return self._with_pass(seat, Absent())
        state = replace(self, history=self._history_with(seat, Absent()), must_include=None)
        return state._lead_from(state._next_active(seat))

    def answer(self, claims: Mapping[int, tuple[Card, ...]]) -> DealState:
        """Return the state after the seats in `asked` claimed the bomb with fours or declined.

        Seats that are missing in `claims` decline; of several claimants the nearest after the
        bomber wins and the others keep their fours.  Raises as `check_claim` does, and
        `IllegalPlayError` when nobody is asked (rules.md 2.6).
        """
        if not self.asked or self.owner is None:
            raise IllegalPlayError("Nobody is asked for fours now.")
        fours = {seat: self.check_claim(seat, cards) for seat, cards in claims.items()}
        winner = next((seat for seat in self._after(self.owner) if seat in fours), None)
        if winner is None:
            return self._ask_for_fours(())
        return replace(self, asked=())._with_cards(winner, fours[winner])

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
            return replace(state, turn=None, asked=())
        if self.asked:
            return state._ask_for_fours(tuple(other for other in self.asked if other != seat))
        if self.table is None:
            is_leader = seat == self.turn
            leader = state._next_active(seat) if is_leader else self.turn
            unbound = replace(state, must_include=None) if is_leader else state
            return unbound._lead_from(leader)
        return state._ask_after(seat) if seat == self.turn else state

    def _history_with(
        self, seat: int, play: Play | Absent, picked_up: Combination | None = None
    ) -> tuple[Turn, ...]:
        return (*self.history, Turn(self.trick_number, seat, play, picked_up))

    def _with_pass(self, seat: int, play: Play | Absent) -> DealState:
        """Return the state after a seat did not beat what is on the table."""
        history = self._history_with(seat, play)
        return replace(self, history=history, passed=self.passed | {seat})._ask_after(seat)

    def _with_cards(self, seat: int, play: Combination) -> DealState:
        """Return the state after a seat played cards that are legal now."""
        bomb = self.table
        takes_bomb = bomb is not None and takes(play, bomb, self.options)
        into_hand = bomb if takes_bomb and self.options.choice("fours") == "pickup" else None
        place = self.seats.index(seat)
        left = self.counts[place] - len(play) + (len(into_hand) if into_hand is not None else 0)
        state = replace(
            self,
            counts=(*self.counts[:place], left, *self.counts[place + 1 :]),
            must_include=None,
            table=bomb if takes_bomb else play,
            owner=seat,
            passed=self.locked,
            finished=self.finished if left else (*self.finished, seat),
            inverted=self.inverted ^ (play.kind in self._book.turning),
            lead_passes=(),
            history=self._history_with(seat, Cards(play.cards), into_hand),
        )
        if state.finished and not self.finished:
            state = replace(state, at_winner_out=state.holdings)
        if len(state.active) < 2:
            return replace(state, turn=None)
        if into_hand is not None or (play.kind, play.height) in self._book.closing:
            return state._end_trick()
        return state._ask_after(seat) if takes_bomb else state._ask_for_fours(state._fours_due())

    def _fours_due(self) -> tuple[int, ...]:
        """Return the seats that are to be asked for fours about the play just made."""
        assert self.table is not None
        if taker_of(self.table, self.options) is None:
            return ()
        if self.options.choice("fours_when") == "turn":
            return ()
        return tuple(seat for seat in self.active if seat != self.owner)

    def _ask_for_fours(self, asked: tuple[int, ...]) -> DealState:
        """Let these seats claim the bomb on the table before the next one plays."""
        assert self.owner is not None
        after = (replace(self, asked=()) if self.asked else self)._ask_after(self.owner)
        return replace(self, asked=asked, turn=after.turn) if asked else after

    def _with_lead_pass(self, seat: int, play: Play) -> DealState:
        history = self._history_with(seat, play)
        lead_passes = (*self.lead_passes, seat)
        passed = replace(self, history=history, must_include=None, lead_passes=lead_passes)
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
