"""Finding Winner's plays by shape agrees with trying every subset, under every option."""

from dataclasses import replace
from random import Random

import pytest
from table_talk import winner
from winner_by_subsets import is_higher, name_of, stand_in, subsets

from p2pclimb.cards import faces, format_cards, parse_cards
from p2pclimb.errors import IllegalPlayError, InvalidPlayError
from p2pclimb.games.generate import find_plays
from p2pclimb.games.moves import Cards
from p2pclimb.games.play import start

HANDS = 160  # for each of the settings below, half of them leads
DEFAULTS = {
    "triple_is_bomb": True,
    "bomb_variation": False,
    "revolution": False,
    "straight_suit": False,
    "min_straight": 5,
    "fours": "pickup",
    "inverted": False,
}
SETTINGS = [
    {},
    {"triple_is_bomb": False, "min_straight": 3, "fours": "takeover"},
    {"straight_suit": True, "fours": "off"},
    {"bomb_variation": True, "min_straight": 6},
    {"revolution": True},
    {"revolution": True, "inverted": True},
    {"revolution": True, "inverted": True, "straight_suit": True, "min_straight": 4},
]


def random_hand(rng, packs):
    """Six to nine cards of some neighbouring ranks, where the ace may be next to the 2 and the 3.

    Often of few suits, so that there are straight flushes.
    """
    row = [(lowest + step) % 13 for lowest in [rng.randrange(13)] for step in range(13)]
    ranks = row[: rng.choice([2, 3, 4, 5, 6, 9, 9])]
    suits = rng.choice(["scdh", "scdh", "sd", "sd", "h"])
    pool = [
        card
        for card in faces(packs, jokers=True)
        if (card.suit in suits and card.rank in ranks) or (card.rank > 12 and rng.random() < 0.3)
    ]
    if rng.random() < 0.3:
        pool += [card for card in faces(packs, jokers=True) if card.rank == 1]
        pool = [card for card in set(pool) for _ in range(min(packs, pool.count(card)))]
        pool.sort(key=lambda card: card.index)
    return rng.sample(pool, k=min(len(pool), rng.randint(6, 9)))


def random_table(rng, packs, rules):
    """A combination to beat, of a kind picked first; None for a lead."""
    if rng.random() < 0.4:
        return None
    plays = {}
    while not plays:
        hand = random_hand(rng, packs)
        plays = {cards: name for cards in subsets(hand) if (name := name_of(cards, rules, packs))}
    wanted = rng.choice(sorted({name[0] for name in plays.values()}))
    return rng.choice([cards for cards, name in plays.items() if name[0] == wanted])


def state_with(table, hand, packs, rules):
    settings = {key: value for key, value in rules.items() if key != "inverted"}
    options = winner(packs=packs, **settings)
    state = start(options, range(4), {**dict.fromkeys(range(4), 30), 1: len(hand)}, leader=0)
    if table is None:
        return replace(state, turn=1, inverted=rules["inverted"])
    # Set on the table by hand: two jokers would end the trick, and fours turn the ranks.
    before = replace(state, inverted=rules["inverted"])
    combination = before.check(Cards(table))
    return replace(before, table=combination, owner=0, turn=1)


def check_hand(rng, packs, rules):
    hand, table = random_hand(rng, packs), random_table(rng, packs, rules)
    state = state_with(table, hand, packs, rules)
    legal = state.legal_plays(hand)
    allowed = {}
    for cards in subsets(hand):
        name = name_of(cards, rules, packs)
        is_legal = name is not None and (table is None or is_higher(cards, table, rules, packs))
        told = f"{format_cards(cards)} on {table and format_cards(table)}"
        assert (Cards(cards) in legal) is is_legal, told
        if is_legal:
            allowed[cards] = name
        else:
            with pytest.raises(InvalidPlayError if name is None else IllegalPlayError):
                state.check(Cards(cards))
    listed = [play.cards for play in legal]
    assert len(listed) == len(set(listed)) == len(legal)
    assert bool(legal) is bool(allowed)
    expected = {stand_in(cards, name, allowed, rules) for cards, name in allowed.items()}
    assert set(listed) == expected
    return len(allowed)


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(
    "settings", SETTINGS, ids=lambda chosen: "-".join(map(str, chosen)) or "usual"
)
def test_listed_plays_agree_with_trying_every_subset(packs, settings):
    rng = Random(f"{packs}{settings}")
    found = sum(check_hand(rng, packs, DEFAULTS | settings) for _ in range(HANDS))
    assert found > HANDS  # the hands were worth looking at


def found(hand, **settings):
    return [format_cards(play.cards) for play in find_plays(parse_cards(hand), winner(**settings))]


def test_order_is_simple_before_long_and_low_before_high():
    assert found("3d3c 3h 4d4c RJ BJ") == [
        *("3d", "3c", "3h", "4d", "4c", "BJ", "RJ"),
        *("3d 3c", "3d 3h", "3c 3h", "4d 4c"),
        "3d 3c 3h",
        "4d 4c 3d 3c 3h",
        "3d 3c 4d 4c",
        "BJ RJ",
    ]


def test_a_straight_is_listed_beside_the_straight_flush_with_the_same_top():
    runs = [play for play in found("3d4d5d6d7d6h") if play.count(" ") == 4]
    assert runs == ["3d 4d 5d 6h 7d", "3d 4d 5d 6d 7d"]


def test_all_thirteen_ranks_are_listed_once_by_their_better_reading():
    hand = parse_cards("3s4d5d6d7d8d9dTdJdQdKdAd2d")
    (normal,) = [play for play in find_plays(hand, winner()) if len(play) == 13]
    (turned,) = [play for play in find_plays(hand, winner(), inverted=True) if len(play) == 13]
    assert (str(normal.cards[0]), str(normal.top)) == ("2d", "Ad")
    assert (str(turned.cards[0]), str(turned.top)) == ("Ad", "Kd")
