"""The rules in words follow the options."""

import pytest
from table_talk import combo, tienlen

from p2pclimb.cards import parse_card
from p2pclimb.errors import OptionsError
from p2pclimb.games.describe import (
    card_in_words,
    combination_in_words,
    difference_in_words,
    option_in_words,
    rules_text,
)
from p2pclimb.games.options import Options
from p2pclimb.games.presets import PRESETS, Choice, Flag, Number

# What an option cannot be set without.
COMPANIONS = {"skip_formalities": {"triple_is_bomb": False}}


def samples(setting):
    match setting:
        case Choice(_, _, values):
            return values
        case Flag():
            return (True, False)
        case Number(_, _, low, high):
            return sorted({low, low + 1, high})


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_every_value_of_every_option_has_its_own_sentence(preset):
    for setting in preset.settings:
        sentences = [option_in_words(setting.key, value) for value in samples(setting)]
        assert len(set(sentences)) == len(sentences)
        for sentence in sentences:
            assert sentence.endswith(".")


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_the_rules_say_what_each_option_is_set_to(preset):
    for setting in preset.settings:
        for value in samples(setting):
            options = Options.make(
                preset.id, {**COMPANIONS.get(setting.key, {}), setting.key: value}
            )
            assert option_in_words(setting.key, value) in rules_text(options)


def test_the_rules_fit_the_number_of_seats():
    assert "4 seats, one pack of 52 cards." in rules_text(tienlen(), 4)
    assert "two packs of 52 cards shuffled together" in rules_text(tienlen(), 6)
    assert "26 cards stay undealt" in rules_text(tienlen(), 2)
    assert "one card stays undealt" in rules_text(tienlen(deal="all"), 3)
    assert "tell the hand of the other" in rules_text(tienlen(deal="all"), 2)
    with pytest.raises(OptionsError):
        rules_text(tienlen(), 9)


def test_the_rules_are_sections_of_a_heading_and_paragraphs():
    sections = rules_text(tienlen()).split("\n\n")
    assert sections[0].startswith("Tiến lên (tienlen/1)\n")
    for section in sections:
        heading, *paragraphs = section.split("\n")
        assert paragraphs
        assert not heading.endswith(".")
        assert all(paragraph.endswith(".") for paragraph in paragraphs)


def test_a_difference_names_the_option_its_meaning_and_the_usual_value():
    options = tienlen(twos_in_runs=False, stake=5)
    assert [difference_in_words(difference) for difference in options.differences()] == [
        "twos_in_runs=false: There is no 2 in a sequence or double sequence; an ace ends it."
        " (Usual: true.)",
        "stake=5: The stake is 5 points. (Usual: 1.)",
    ]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Qh", "queen of hearts"),
        ("9s9h", "pair of nines, hearts high"),
        ("6s6c6d", "three sixes, diamonds high"),
        ("2s2c2d2h", "four twos, hearts high"),
        ("7s8s9sTdJh", "sequence of 5 up to the jack of hearts"),
        ("7s7c8s8c9s9d", "3 pairs in sequence up to the nine of diamonds"),
    ],
)
def test_combinations_in_words(cards, words):
    assert combination_in_words(combo(cards)) == words


def test_cards_in_words():
    assert card_in_words(parse_card("BJ")) == "black joker"
    assert card_in_words(parse_card("10c")) == "ten of clubs"
