"""What every game must do under any options: end, keep its cards, list exactly what it accepts."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from p2pclimb.bots.arena import deal_openly
from p2pclimb.bots.chance import choose_any
from p2pclimb.cards import format_cards, parse_cards
from p2pclimb.errors import IllegalPlayError, PlayError
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Absent, Cards, LeadPass, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.scoring import payments

TABLES = [
    (4, {}),
    (2, {}),
    (3, {"deal": "17", "direction": "anticlockwise"}),
    (2, {"deal": "all", "pass_rule": "free"}),
    (4, {"chops": "cumulative", "scoring": "places"}),
    (4, {"chops": "southern", "twos_in_runs": False}),
    (3, {"finish_on_two": False}),
    (4, {"finish_on_two": False, "pass_rule": "free"}),
    (5, {}),
    (8, {"chops": "southern", "finish_on_two": False, "scoring": "places", "stake": 7}),
    (4, {"chops": "southern", "instant_wins": True, "chop_pay": True, "rotten_twos": True}),
    (6, {"chops": "southern", "chop_pay": True, "deal": "all", "pass_rule": "free"}),
]
tables = pytest.mark.parametrize(
    ("seats", "settings"), TABLES, ids=lambda part: str(part).replace(" ", "")
)
MOST_TURNS = 2_000
DEALS = 12


def deals(seats, settings):
    options = Options.make("tienlen", settings)
    for seed in range(DEALS):
        rng = Random(f"{seats}{settings}{seed}")
        yield (*deal_openly(options, range(seats), seed % seats, rng), rng)


def turns(state, hands, rng, absent=0.0, departing=0.0):
    """Yield (state, hand in turn, play) of a deal played at random, with absences if wanted.

    The play is None for an absent turn; the hands are kept up to date.
    """
    for _ in range(MOST_TURNS):
        if state.turn is None:
            return
        seat = state.turn
        if rng.random() < departing:
            state = state.depart(rng.choice(state.seats))
            continue
        if rng.random() < absent:
            yield state, hands[seat], None
            state = state.absent_turn()
            continue
        play = choose_any(state, hands[seat], rng)
        yield state, hands[seat], play
        state = state.apply(play)
        if isinstance(play, Cards):
            left = Counter(hands[seat])
            left.subtract(play.cards)
            assert min(left.values()) >= 0
            hands[seat] = tuple(left.elements())
    raise AssertionError("the deal does not end")


@tables
def test_random_deals_end_and_keep_every_card(seats, settings):
    for state, hands, rng in deals(seats, settings):
        dealt = Counter(card for hand in hands.values() for card in hand)
        for now, _, play in turns(state, hands, rng):
            assert now.hand_sizes == {seat: len(hand) for seat, hand in hands.items()}
            assert now.turn in now.active
            assert now.turn not in now.locked
            last = now.apply(play)
        assert last.outcome() is not None
        held = Counter(card for hand in hands.values() for card in hand)
        assert held + Counter(last.shown) == dealt


@tables
def test_the_outcome_names_every_seat_once_and_pays_to_zero(seats, settings):
    for state, hands, rng in deals(seats, settings):
        *_, (now, _, play) = turns(state, hands, rng)
        outcome = now.apply(play).outcome()
        assert sorted(outcome.order) == list(range(seats))
        assert [outcome.hand_sizes[seat] > 0 for seat in outcome.order] == [False] * (seats - 1) + [
            True
        ]
        paid = payments(now.options, outcome)
        assert sum(paid.values()) == 0
        if not outcome.chops:
            assert paid[outcome.loser] == min(paid.values()) < 0
        match = Match.start(now.options, range(seats), 0).after(outcome)
        assert (match.dealer, match.leader) == (outcome.loser, outcome.winner)


@tables
def test_what_is_listed_is_accepted_and_what_is_refused_is_not_listed(seats, settings):
    for state, hands, rng in deals(seats, settings):
        for now, hand, _ in turns(state, hands, rng):
            legal = now.legal_plays(hand)
            listed = list(legal)
            assert len(listed) == len(set(listed)) == len(legal)
            for play in listed:
                now.check(play)
            for size in (1, 2, 3):
                for cards in rng.choices(list(combinations(hand, min(size, len(hand)))), k=3):
                    assert (Cards(cards) in legal) is accepts(now, Cards(cards))
                    assert accepts(now, Cards(cards)) or Cards(cards) not in listed
            check_passing(now, hand, legal)


def accepts(state, play):
    try:
        state.check(play)
    except PlayError:
        return False
    return True


def check_passing(state, hand, legal):
    match legal.passing:
        case None:
            assert not accepts(state, Pass())
            assert not accepts(state, LeadPass(hand))
            assert legal  # nobody is ever stuck
        case Pass():
            assert state.table is not None
        case LeadPass():
            assert not legal
            assert state.table is None
    assert legal.passing is None or accepts(state, legal.passing)


@tables
def test_the_same_turns_give_the_same_state_again(seats, settings):
    for state, hands, rng in deals(seats, settings):
        *_, (now, _, play) = turns(state, hands, rng, absent=0.1)
        end = now.absent_turn() if play is None else now.apply(play)
        again = state
        for turn in end.history:
            assert turn.seat == again.turn
            again = again.absent_turn() if turn.play == Absent() else again.apply(turn.play)
        assert again == end
        assert hash(again) == hash(end)


@tables
def test_plays_survive_being_written_and_read(seats, settings):
    state, hands, rng = next(deals(seats, settings))
    for _, _, play in turns(state, hands, rng):
        if isinstance(play, Cards):
            assert Cards(parse_cards(format_cards(play.cards))) == play
            assert Cards(tuple(reversed(play.cards))) == play


@tables
def test_absences_and_departures_never_stop_the_deal(seats, settings):
    for state, hands, rng in deals(seats, settings):
        now = state
        for now, hand, _ in turns(state, hands, rng, absent=0.1, departing=0.01):
            assert now.turn in now.active
            legal = now.legal_plays(hand)
            assert legal or legal.passing  # a seat in turn can always do something
        assert len(now.active) >= 2  # every state that was asked for a turn had somebody to play


@tables
def test_nothing_is_accepted_after_the_end(seats, settings):
    state, hands, rng = next(deals(seats, settings))
    *_, (now, _, play) = turns(state, hands, rng)
    end = now.apply(play)
    for late in (Pass(), play):
        with pytest.raises(IllegalPlayError, match="over"):
            end.check(late)
    legal = end.legal_plays(hands[end.outcome().loser])
    assert not legal
    assert list(legal) == []
    assert legal.passing is None
