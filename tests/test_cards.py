"""Cards: interning, notation, physical packs."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.cards import (
    BLACK_JOKER,
    FACES,
    RED_JOKER,
    Card,
    faces,
    format_cards,
    parse_card,
    parse_cards,
    pretty,
)
from p2pclimb.errors import ClimbError, InvalidPlayError


def test_equal_faces_are_one_object_even_after_copying():
    card = Card(0, "s")
    assert card is Card(0, "s") is parse_card("3s")
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301


def test_cards_cannot_be_changed():
    with pytest.raises(AttributeError):
        Card(0, "s").rank = 5
    with pytest.raises(AttributeError):
        del Card(0, "s").suit
    assert str(Card(0, "s")) == "3s"


@pytest.mark.parametrize(("rank", "suit"), [(13, "s"), (0, ""), (15, ""), (-1, "s"), (0, "x")])
def test_there_are_no_other_faces(rank, suit):
    with pytest.raises(InvalidPlayError):
        Card(rank, suit)


def test_hash_is_the_face_index_so_that_sets_iterate_alike_everywhere():
    assert [hash(card) for card in FACES] == list(range(54))


def test_face_order_is_rank_major_with_jokers_last():
    assert format_cards(FACES[:5]) == "3s 3c 3d 3h 4s"
    assert format_cards(FACES[-3:]) == "2h BJ RJ"


@pytest.mark.parametrize(
    ("packs", "jokers", "size"), [(1, False, 52), (1, True, 54), (2, False, 104), (2, True, 108)]
)
def test_physical_card_index_is_copy_times_pack_size_plus_face(packs, jokers, size):
    pack = faces(packs, jokers=jokers)
    assert len(pack) == size
    for copy_number in range(packs):
        begin = copy_number * (size // packs)
        assert pack[begin : begin + size // packs] == FACES[: size // packs]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("3s 3c", "3s 3c"),
        ("3s3c", "3s 3c"),
        ("3S,3C", "3s 3c"),
        ("10h", "Th"),
        ("h10", "Th"),
        ("th", "Th"),
        ("h10h9", "Th 9h"),
        ("bj RJ", "BJ RJ"),
        ("3sbj", "3s BJ"),
        ("7♥ ♠2", "7h 2s"),
        ("3s3s", "3s 3s"),
        ("  aD ,, kc ", "Ad Kc"),
    ],
)
def test_notation_that_is_read(text, cards):
    assert format_cards(parse_cards(text)) == cards


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("33", "'33'"),
        ("3s 9x", "'9x'"),
        ("3s9x", "'9x'"),
        ("1s", "'1s'"),
        ("11s", "'11s'"),
        ("3\u017f", "'3\\u017f'"),  # a long s, which folds to s
        ("\u212as", "'\\u212as'"),  # the Kelvin sign, which folds to k
        ("\x1b]52;c3s", "'\\x1b]52;c3s'"),
        ("x" * 10_000, "'xxxxxxxxxxxx...'"),
    ],
)
def test_error_names_the_bad_token_and_nothing_else(text, token):
    with pytest.raises(InvalidPlayError) as caught:
        parse_cards(text)
    assert caught.value.text == f"{token} is not a card."


@pytest.mark.parametrize("text", ["", " ", ",,"])
def test_no_cards_at_all(text):
    with pytest.raises(InvalidPlayError, match="No cards"):
        parse_cards(text)


def test_parse_card_wants_exactly_one():
    with pytest.raises(InvalidPlayError, match="not one card"):
        parse_card("3s 4s")


@given(st.lists(st.sampled_from(FACES), min_size=1, max_size=30), st.sampled_from([" ", ",", ""]))
def test_parse_reads_back_what_format_writes(cards, separator):
    assert list(parse_cards(format_cards(cards).replace(" ", separator))) == cards
    assert list(parse_cards(" ".join(map(pretty, cards)))) == cards


@given(st.text())
def test_only_our_errors_escape_the_parser(text):
    try:
        parse_cards(text)
    except ClimbError as error:
        assert error.text.isascii()  # noqa: PT017


def test_pretty_is_for_eyes():
    assert [pretty(parse_card(text)) for text in ("3s", "Th", "BJ")] == ["3♠", "10♥", "BJ"]
    assert (Card(BLACK_JOKER).suit, Card(RED_JOKER).suit) == ("", "")
