"""The bots: always legal, deterministic where they say so, and of some strength."""

from random import Random

import pytest

from p2pclimb.bots import STRATEGIES, strategy
from p2pclimb.bots.arena import deal_openly, exchange_openly, play_out
from p2pclimb.bots.basic import choose_best, suggestions
from p2pclimb.bots.handcount import chances_to_hold, fewest_turns
from p2pclimb.cards import format_cards, parse_card, parse_cards
from p2pclimb.errors import UsageError
from p2pclimb.games.exchange import Exchange, tribute
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import start


def tienlen(**settings):
    return Options.make("tienlen", settings)


def winner(**settings):
    return Options.make("winner", settings)


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
    ("options", "seats"),
    [
        (tienlen(), 2),
        (tienlen(pass_rule="free"), 4),
        (tienlen(finish_on_two=False), 3),
        (tienlen(deal="all"), 6),
        (winner(), 4),
        (winner(fours_when="anyone", fours="takeover"), 3),
        (winner(packs=2, fours_when="anyone"), 6),
        (winner(revolution=True), 5),
    ],
    ids=range(8),
)
def test_every_bot_plays_every_table_to_the_end(name, options, seats):
    rng = Random(f"{name}{seats}")
    for _ in range(3):
        state, hands = deal_openly(options, range(seats), 0, rng)
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


@pytest.mark.parametrize(
    ("options", "seats", "deals", "share"),
    [(tienlen(), 2, 60, 0.8), (winner(), 4, 30, 0.5)],
    ids=["tienlen", "winner"],
)
def test_basic_wins_far_more_than_its_share_against_random(options, seats, deals, share):
    # Each deal is played once from each seat, so that all have had the same cards.
    rng = Random(7)
    wins = games = 0
    for deal in range(deals):
        state, hands = deal_openly(options, range(seats), 0, Random(deal))
        for seat in range(seats):
            bots = {**dict.fromkeys(range(seats), strategy("random")), seat: strategy("basic")}
            wins += play_out(state, hands, bots, rng).outcome().winner == seat
            games += 1
    assert wins / games >= share


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


# What only Winner asks.


def bomb_asked(hand, bomb="7s7c7d", **settings):
    """Seat 0 bombs and seat 1 is asked for its fours."""
    cards = parse_cards(hand)
    sizes = {0: 9, 1: len(cards), 2: 9}
    state = start(winner(fours_when="anyone", **settings), range(3), sizes, leader=0)
    return state.apply(Cards(parse_cards(bomb))), cards


@pytest.mark.parametrize("name", STRATEGIES)
def test_bots_claim_with_fours_or_not_at_all(name):
    rng = Random(3)
    for hand in ("4s4c8d", "4s8d9h", "4s4c4d4h"):
        state, cards = bomb_asked(hand)
        for _ in range(20):
            claim = strategy(name).claim(state, 1, cards, rng)
            if claim:
                state.check_claim(1, claim)
                assert set(claim) <= set(cards)


def test_random_claims_now_and_then():
    state, cards = bomb_asked("4s4c4h8d")
    seen = {strategy("random").claim(state, 1, cards, Random(seed)) for seed in range(40)}
    assert () in seen
    assert len(seen) == 4


def test_basic_claims_when_that_costs_no_turn():
    claim = strategy("basic").claim
    state, cards = bomb_asked("4s4c8d")
    assert claim(state, 1, cards, Random(0)) == parse_cards("4s4c")
    # The fours are needed in a straight of pairs.
    state, cards = bomb_asked("3s3c4s4c5s5c")
    assert claim(state, 1, cards, Random(0)) == ()


def test_basic_takes_over_a_bomb_with_fours_it_does_not_need():
    state, cards = bomb_asked("4s4c 8d", fours="takeover")
    assert strategy("basic").claim(state, 1, cards, Random(0)) == parse_cards("4s4c")


@pytest.mark.parametrize("name", STRATEGIES)
def test_bots_offer_two_cards_of_their_hand_and_take_one(name):
    rng, bot = Random(5), strategy(name)
    hand = parse_cards("3d 5c6c7c8d9h KsKh 2s")
    for _ in range(20):
        offered = bot.offer(winner(), hand, rng)
        assert len(set(offered)) == 2
        assert set(offered) <= set(hand)
        assert bot.choose(winner(), parse_cards("4d 9s"), offered, rng) in offered


def test_basic_offers_what_it_misses_least_and_takes_what_helps_most():
    bot, rng = strategy("basic"), Random(0)
    assert bot.offer(winner(), parse_cards("3d 5c6c7c8d9h KsKh 4s"), rng) != parse_cards("KsKh")
    offered = bot.offer(winner(), parse_cards("3d3c3h Jd 5c6c7c8d9h 2s"), rng)
    assert offered == parse_cards("Jd 2s")
    assert bot.choose(winner(), parse_cards("5c6c7c9h"), parse_cards("8d Jd"), rng) is parse_card(
        "8d"
    )
    assert bot.choose(winner(), parse_cards("3c"), parse_cards("8d Jd"), rng) is parse_card("Jd")


def test_the_exchange_moves_one_card_each_way():
    rng = Random(2)
    _, hands = deal_openly(winner(exchange=True), range(4), 0, rng)
    bots = dict.fromkeys(range(4), strategy("basic"))
    after = exchange_openly(Exchange(1, 3), winner(exchange=True), hands, bots, rng)
    assert {seat: len(hand) for seat, hand in after.items()} == {
        seat: len(hand) for seat, hand in hands.items()
    }
    assert (after[0], after[2]) == (hands[0], hands[2])
    (given,) = set(after[3]) - set(hands[3])
    (taken,) = set(after[1]) - set(hands[1])
    assert given is tribute(winner(), hands[1])
    assert taken in hands[3]


@pytest.mark.parametrize(
    ("hand", "turns"),
    [
        ("3s3c3d 9s9h", 1),
        ("9s9c9d 3s3h", 1),
        ("As2s3d4c5h", 1),
        ("AsAh2s2h", 1),
        ("3s4s5s", 3),
        ("BJ RJ", 1),
        ("RJ 3s", 2),
        ("3s3c3d4s4c4d", 1),
        ("9s9c9d9h 3s3h", 2),
    ],
)
def test_fewest_turns_of_winner(hand, turns):
    assert fewest_turns(parse_cards(hand), winner()) == turns


def test_a_low_card_holds_while_ranks_are_upside_down():
    state = start(winner(revolution=True), range(2), {0: 9, 1: 9}, leader=0)
    turned = state.apply(Cards(parse_cards("9s9h9d9c")))
    chances = chances_to_hold(parse_cards("3s 2s"), turned)
    assert turned.inverted
    assert chances[parse_card("3s")] > chances[parse_card("2s")]
