"""The bots: always legal, deterministic where they say so, and of some strength."""

from random import Random

import pytest

from p2pclimb.bots import STRATEGIES, strategy
from p2pclimb.bots.arena import deal_openly, play_out
from p2pclimb.bots.basic import choose_best, suggestions
from p2pclimb.bots.handcount import chances_to_hold, fewest_turns
from p2pclimb.cards import format_cards, parse_card, parse_cards
from p2pclimb.errors import UsageError
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import start


def tienlen(**settings):
    return Options.make("tienlen", settings)


def lead(hand, others=(9,), **settings):
    """Seat 0 is to lead with a hand against others with so many cards."""
    cards = parse_cards(hand)
    sizes = dict(enumerate((len(cards), *others)))
    return start(tienlen(**settings), sizes, sizes, leader=0), cards


def first_choice(state, hand):
    return str(choose_best(state, hand, Random(0)))


def test_an_unknown_bot_is_a_usage_error():
    assert set(STRATEGIES) == {"random", "basic"}
    with pytest.raises(UsageError, match="no bot 'deep blue'"):
        strategy("deep blue")


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    ("seats", "settings"),
    [(2, {}), (4, {"pass_rule": "free"}), (3, {"finish_on_two": False}), (6, {"deal": "all"})],
)
def test_every_bot_plays_every_table_to_the_end(name, seats, settings):
    rng = Random(f"{name}{seats}")
    for _ in range(3):
        state, hands = deal_openly(tienlen(**settings), range(seats), 0, rng)
        bots = dict.fromkeys(range(seats), strategy(name))
        assert play_out(state, hands, bots, rng).outcome() is not None


def test_a_deal_depends_on_the_seed_alone():
    def outcome(seed):
        rng = Random(seed)
        state, hands = deal_openly(tienlen(), range(4), 0, rng)
        return play_out(state, hands, dict.fromkeys(range(4), strategy("random")), rng)

    assert outcome(1) == outcome(1)
    assert outcome(1) != outcome(2)


def test_random_passes_too_and_reaches_every_play():
    state, _ = lead("3s", (5, 5))
    state = state.apply(Cards(parse_cards("3s")))
    hand = parse_cards("4s 5s 2h")
    rng = Random(1)
    seen = {str(strategy("random").play(state, hand, rng)) for _ in range(200)}
    assert seen == {"4s", "5s", "2h", "pass"}


def test_basic_wins_four_deals_in_five_against_random():
    # Each deal is played twice, so that each of the two has the same cards.
    options, rng = tienlen(), Random(7)
    wins = games = 0
    for deal in range(60):
        state, hands = deal_openly(options, range(2), 0, Random(deal))
        for seat in range(2):
            bots = {seat: strategy("basic"), 1 - seat: strategy("random")}
            wins += play_out(state, hands, bots, rng).outcome().winner == seat
            games += 1
    assert wins / games >= 0.8


def test_suggestions_are_all_legal_plays_and_the_pass():
    state, hands = deal_openly(tienlen(), range(4), 0, Random(3))
    hand = hands[state.turn]
    assert set(suggestions(state, hand)) == set(state.legal_plays(hand))
    state = state.apply(suggestions(state, hand)[0])
    hand = hands[state.turn]
    assert set(suggestions(state, hand)) == {*state.legal_plays(hand), Pass()}


def test_there_is_nothing_to_suggest_after_the_end():
    state, hand = lead("3s", (1,))
    assert suggestions(state.apply(Cards(hand)), hand) == ()


def test_basic_goes_out_when_it_can():
    assert first_choice(*lead("3s4d5h6s7c")) == "3s 4d 5h 6s 7c"


def test_basic_does_not_break_a_run_to_lead_a_single_card():
    state, hand = lead("3s4d5h 9c")
    assert first_choice(state, hand) == "3s 4d 5h"


def test_basic_keeps_its_twos_while_nobody_is_about_to_go_out():
    state = start(tienlen(), range(2), {0: 13, 1: 13}, leader=0)
    state = state.apply(Cards(parse_cards("4s")))
    hand = parse_cards("2h 2d 3s3c 5s6c7d8h 9s9c JdJc Kh")
    assert first_choice(state, hand) not in ("2h", "2d")


def test_basic_leads_what_the_seat_with_one_card_cannot_answer():
    state, hand = lead("3s 5s5c Kd", (1,))
    assert first_choice(state, hand) == "5s 5c"


@pytest.mark.parametrize(
    ("hand", "turns"),
    [
        ("3s", 1),
        ("3s4s", 2),
        ("3s4s5s", 1),
        ("3s3c4s4c5s5c", 1),
        ("3s3c4s4c5s5c6s", 2),
        ("3s3c3d3h", 1),
        ("3s4s5s5c5d", 2),
        ("3s4s5s6s7s7c8s9s", 2),
        ("QsKsAs2s", 1),
    ],
)
def test_fewest_turns(hand, turns):
    assert fewest_turns(parse_cards(hand), tienlen()) == turns


def test_fewest_turns_follows_the_options():
    options = tienlen(twos_in_runs=False)
    assert fewest_turns(parse_cards("KsAs2s"), options) == 3
    assert fewest_turns(parse_cards("QsKsAs2s"), options) == 2


def test_a_card_holds_better_the_fewer_higher_ones_are_unseen():
    state, _ = lead("2h", (9,))
    chances = chances_to_hold(parse_cards("2h 2c 3s"), state)
    assert chances[parse_card("2h")] == 1
    assert chances[parse_card("2h")] > chances[parse_card("2c")] > chances[parse_card("3s")]
    # Only the two of diamonds is above the two of clubs and unseen.
    shown = start(tienlen(), range(2), {0: 9, 1: 9}, leader=0).apply(Cards(parse_cards("2d")))
    assert chances_to_hold(parse_cards("2h 2c 3s"), shown)[parse_card("2c")] == 1


def test_a_hint_shows_no_card_of_others():
    state, hands = deal_openly(tienlen(), range(4), 0, Random(3))
    hand = hands[state.turn]
    for play in suggestions(state, hand):
        assert set(play.cards) <= set(hand), format_cards(play.cards)
