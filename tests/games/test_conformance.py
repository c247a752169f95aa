"""What every game must do under any options: end, keep its cards, list exactly what it accepts."""

from collections import Counter
from contextlib import suppress
from itertools import combinations
from random import Random

import pytest

from p2pclimb.bots.arena import deal_openly, hands_after
from p2pclimb.bots.chance import choose_any, claim_maybe
from p2pclimb.cards import format_cards, parse_cards
from p2pclimb.errors import IllegalPlayError, PlayError
from p2pclimb.games.match import Match
from p2pclimb.games.moves import Absent, Cards, LeadPass, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.scoring import payments

TIENLEN_TABLES = [
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
WINNER_TABLES = [
    (4, {}),
    (2, {}),
    (3, {"fours": "takeover", "direction": "anticlockwise"}),
    (4, {"fours_when": "anyone", "score_at": "end"}),
    (5, {"fours": "takeover", "fours_when": "anyone", "pass_rule": "locked"}),
    (4, {"packs": 2, "fours_when": "anyone", "pass_rule": "locked"}),
    (8, {"packs": 2, "fours": "takeover", "fours_when": "anyone"}),
    (4, {"revolution": True, "straight_suit": True, "scoring": "none"}),
    (4, {"packs": 2, "revolution": True, "min_straight": 3}),
    (4, {"bomb_variation": True, "jokers": False, "min_straight": 13}),
    (6, {"triple_is_bomb": False, "skip_formalities": True, "next_lead": "winner"}),
]
TABLES = [
    *(("tienlen", *table) for table in TIENLEN_TABLES),
    *(("winner", *table) for table in WINNER_TABLES),
]
tables = pytest.mark.parametrize(
    ("game", "seats", "settings"), TABLES, ids=lambda part: str(part).replace(" ", "")
)
MOST_TURNS = 2_000
DEALS = 8


def deals(game, seats, settings):
    options = Options.make(game, settings)
    for seed in range(DEALS):
        rng = Random(f"{seats}{settings}{seed}")
        yield (*deal_openly(options, range(seats), seed % seats, rng), rng)


def turns(state, hands, rng, absent=0.0, departing=0.0):
    """Yield (state, hand in turn, play) of a deal played at random, with absences if wanted.

    The play is None for an absent turn, and a mapping of claims where several seats are asked; the
    hands are kept up to date.
    """
    for _ in range(MOST_TURNS):
        if state.turn is None:
            return
        if rng.random() < departing:
            state = state.depart(rng.choice(state.seats))
            continue
        seat, known = state.turn, len(state.history)
        if state.asked:
            answers = {other: claim_maybe(state, other, hands[other], rng) for other in state.asked}
            play = {other: claim for other, claim in answers.items() if claim}
        elif rng.random() < absent:
            play = None
        else:
            play = choose_any(state, hands[seat], rng)
        yield state, hands[seat], play
        state = after(state, play)
        hands.update(hands_after(hands, state.history[known:]))
    raise AssertionError("the deal does not end")


def after(state, play):
    match play:
        case None:
            return state.absent_turn()
        case dict():
            return state.answer(play)
        case _:
            return state.apply(play)


@tables
def test_random_deals_end_and_keep_every_card(game, seats, settings):
    for state, hands, rng in deals(game, seats, settings):
        dealt = Counter(card for hand in hands.values() for card in hand)
        for now, _, play in turns(state, hands, rng):
            assert now.hand_sizes == {seat: len(hand) for seat, hand in hands.items()}
            assert now.turn in now.active
            assert now.asked or now.turn not in now.locked
            last = after(now, play)
        assert last.outcome() is not None
        held = Counter(card for hand in hands.values() for card in hand)
        assert held + Counter(last.shown) == dealt


@tables
def test_the_outcome_names_every_seat_once_and_pays_to_zero(game, seats, settings):
    for state, hands, rng in deals(game, seats, settings):
        *_, (now, _, play) = turns(state, hands, rng)
        outcome = after(now, play).outcome()
        assert sorted(outcome.order) == list(range(seats))
        assert [outcome.hand_sizes[seat] > 0 for seat in outcome.order] == [False] * (seats - 1) + [
            True
        ]
        paid = payments(now.options, outcome)
        assert sum(paid.values()) == 0
        if game == "tienlen" and not outcome.chops:
            assert paid[outcome.loser] == min(paid.values()) < 0
        match = Match.start(now.options, range(seats), 0).after(outcome)
        loser_leads = now.options.plays_with("next_lead", "loser")
        assert match.dealer == outcome.loser
        assert match.leader == (outcome.loser if loser_leads else outcome.winner)


@tables
def test_what_is_listed_is_accepted_and_what_is_refused_is_not_listed(game, seats, settings):
    for state, hands, rng in deals(game, seats, settings):
        for now, hand, _ in turns(state, hands, rng):
            legal = now.legal_plays(hand)
            listed = list(legal)
            if now.asked:
                assert (listed, legal.passing) == ([], None)
                continue
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
def test_the_same_turns_give_the_same_state_again(game, seats, settings):
    for state, hands, rng in deals(game, seats, settings):
        *_, (now, _, play) = turns(state, hands, rng, absent=0.1)
        end = after(now, play)
        again = state
        for turn in end.history:
            again = replayed(again, turn)
        again = again.answer({}) if again.asked else again
        assert again == end
        assert hash(again) == hash(end)


def replayed(state, turn):
    """The state after a turn on record; a claim is what took a bomb while others were asked."""
    if state.asked and isinstance(turn.play, Cards):
        with suppress(PlayError):
            return state.answer({turn.seat: turn.play.cards})
    state = state.answer({}) if state.asked else state
    assert turn.seat == state.turn
    return state.absent_turn() if turn.play == Absent() else state.apply(turn.play)


@tables
def test_plays_survive_being_written_and_read(game, seats, settings):
    state, hands, rng = next(deals(game, seats, settings))
    for _, _, play in turns(state, hands, rng):
        if isinstance(play, Cards):
            assert Cards(parse_cards(format_cards(play.cards))) == play
            assert Cards(tuple(reversed(play.cards))) == play


@tables
def test_absences_and_departures_never_stop_the_deal(game, seats, settings):
    for state, hands, rng in deals(game, seats, settings):
        now = state
        for now, hand, _ in turns(state, hands, rng, absent=0.1, departing=0.01):
            assert now.turn in now.active
            legal = now.legal_plays(hand)
            assert now.asked or legal or legal.passing  # a seat in turn can always do something
        assert len(now.active) >= 2  # every state that was asked for a turn had somebody to play


@tables
def test_nothing_is_accepted_after_the_end(game, seats, settings):
    state, hands, rng = next(deals(game, seats, settings))
    *_, (now, _, play) = turns(state, hands, rng)
    end = after(now, play)
    for late in (Pass(), play):
        with pytest.raises(IllegalPlayError, match="over"):
            end.check(late)
    legal = end.legal_plays(hands[end.outcome().loser])
    assert not legal
    assert list(legal) == []
    assert legal.passing is None
