"""Finding plays by shape agrees with trying every subset; and it is complete and exact."""

from random import Random

import pytest
from rules_by_subsets import highest, is_higher, name_of, stand_in, subsets
from table_talk import tienlen

from p2pclimb.cards import FACES, faces, format_cards, parse_card, parse_cards
from p2pclimb.errors import IllegalPlayError, InvalidPlayError
from p2pclimb.games.generate import find_plays
from p2pclimb.games.moves import Cards
from p2pclimb.games.play import start

HANDS = 350  # for each of the settings below, half of them leads

SETTINGS = [
    {"twos_in_runs": twos, "chops": chops, "finish_on_two": finish}
    for twos, chops, finish in [
        (True, "source", True),
        (False, "source", True),
        (True, "cumulative", True),
        (True, "southern", False),
        (False, "southern", False),
    ]
]


def random_hand(rng, packs):
    """Five to nine cards of few neighbouring ranks, so that combinations abound."""
    lowest = rng.randrange(10)
    ranks = rng.sample(range(lowest, 13), k=rng.randint(2, min(5, 13 - lowest)))
    pool = [card for card in faces(packs, jokers=False) if card.rank in ranks]
    return rng.sample(pool, k=min(len(pool), rng.randint(5, 9)))


def random_table(rng, packs, settings):
    """A combination to beat, often 2s or something else that can be chopped; None for a lead."""
    if rng.random() < 0.5:
        return None
    for _ in range(50):
        hand = random_hand(rng, packs)
        if rng.random() < 0.4:
            hand = [card for card in hand if card.rank == 12] or hand
        plays = [
            cards for cards in subsets(hand) if name_of(cards, settings["twos_in_runs"], packs)
        ]
        if plays:
            names = sorted({name_of(cards, settings["twos_in_runs"], packs) for cards in plays})
            wanted = rng.choice(names)
            same = [c for c in plays if name_of(c, settings["twos_in_runs"], packs) == wanted]
            return rng.choice(same)
    raise AssertionError("no table found")


def check_hand(rng, packs, settings):
    hand = random_hand(rng, packs)
    table = random_table(rng, packs, settings)
    required = rng.choice(hand) if table is None and rng.random() < 0.3 else None
    seats = 4 if packs == 1 else 5
    sizes = {**dict.fromkeys(range(seats), 30), (0 if table is None else 1): len(hand)}
    state = start(tienlen(**settings), range(seats), sizes, leader=0, must_include=required)
    if table is not None:
        state = state.apply(Cards(table))
    legal = state.legal_plays(hand)

    allowed = {}
    for cards in subsets(hand):
        name = name_of(cards, settings["twos_in_runs"], packs)
        is_legal = (
            name is not None
            and (table is None or is_higher(cards, table, settings, packs))
            and (required is None or required in cards)
            and not (
                not settings["finish_on_two"]
                and len(cards) == len(hand)
                and all(card.rank == 12 for card in cards)
            )
        )
        assert (Cards(cards) in legal) is is_legal, format_cards(cards)
        if is_legal:
            allowed[Cards(cards).cards] = name
        elif name is None:
            with pytest.raises(InvalidPlayError):
                state.check(Cards(cards))
        else:
            with pytest.raises(IllegalPlayError):
                state.check(Cards(cards))

    listed = [play.cards for play in legal]
    assert len(listed) == len(set(listed)) == len(legal)
    assert set(listed) <= set(allowed)
    assert bool(legal) is bool(allowed)
    if required is None:
        assert set(listed) == {stand_in(cards, name, allowed) for cards, name in allowed.items()}
    else:
        # Which run stands for others is not the lowest here; that one does is what matters.
        assert forms(listed, settings, packs) == forms(allowed, settings, packs)
    return len(allowed)


def forms(plays, settings, packs):
    names = {cards: name_of(cards, settings["twos_in_runs"], packs) for cards in plays}
    is_run = {cards: name[0] in ("sequence", "double") for cards, name in names.items()}
    return {(names[cards], highest(cards) if is_run[cards] else cards) for cards in plays}


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(
    "settings", SETTINGS, ids=lambda chosen: "-".join(map(str, chosen.values()))
)
def test_listed_plays_agree_with_trying_every_subset(packs, settings):
    rng = Random(f"{packs}{settings}")
    found = sum(check_hand(rng, packs, settings) for _ in range(HANDS))
    assert found > HANDS  # the hands were worth looking at


def test_a_whole_hand_agrees_too():
    rng = Random(13)
    for _ in range(3):
        hand = rng.sample(FACES[:52], 13)
        legal = {cards: name for cards in subsets(hand) if (name := name_of(cards, True, 1))}
        expected = {stand_in(cards, name, legal) for cards, name in legal.items()}
        assert {play.cards for play in find_plays(hand, tienlen())} == expected


def test_order_is_simple_before_long_and_low_before_high():
    plays = [format_cards(play.cards) for play in find_plays(parse_cards("5s4h4s3d3s"), tienlen())]
    assert plays == ["3s", "3d", "4s", "4h", "5s", "3s 3d", "4s 4h", "3s 4s 5s"]


def test_the_required_card_takes_the_place_of_the_lowest_of_its_rank():
    plays = find_plays(parse_cards("3s3d4s5s"), tienlen(), required=parse_card("3d"))
    assert [format_cards(play.cards) for play in plays] == ["3d", "3s 3d", "3d 4s 5s"]


def test_twins_are_listed_once():
    plays = find_plays(parse_cards("3s3s4s4s"), tienlen())
    assert [format_cards(play.cards) for play in plays] == ["3s", "4s", "3s 3s", "4s 4s"]
