"""The rules in words follow the options."""

import pytest
from table_talk import combo, tienlen, winner

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
from p2pclimb.games.words import form_in_words

# What an option cannot be set without.
# What must be set too for an option to mean anything.
COMPANIONS = {
    "skip_formalities": {"triple_is_bomb": False},
    "claim_seconds": {"instant_wins": True, "fours_when": "anyone"},
}


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
            known = {each.key for each in preset.settings}
            companions = COMPANIONS.get(setting.key, {})
            others = {key: companions[key] for key in companions.keys() & known}
            options = Options.make(preset.id, {**others, setting.key: value})
            assert option_in_words(setting.key, value) in rules_text(options)


def test_no_deal_follows_the_only_one():
    assert "The next deal" in rules_text(tienlen(deals=2))
    assert "The next deal" not in rules_text(tienlen(deals=1))


def test_the_rules_fit_the_number_of_seats():
    assert "4 seats, one pack of 52 cards." in rules_text(tienlen(), 4)
    assert "two packs of 52 cards shuffled together" in rules_text(tienlen(), 6)
    assert "26 cards stay undealt" in rules_text(tienlen(), 2)
    assert "one card stays undealt" in rules_text(tienlen(deal="all"), 3)
    assert "tell the hand of the other" in rules_text(tienlen(deal="all"), 2)
    with pytest.raises(OptionsError):
        rules_text(tienlen(), 9)


def test_the_rules_of_winner_fit_the_number_of_seats_and_the_pack():
    assert "4 seats, 54 cards in a pack" in rules_text(winner(), 4)
    assert "14 or 13 of the 54 cards" in rules_text(winner(), 4)
    assert "4 to 8 seats, 54 cards" in rules_text(winner(packs=2))
    assert "27 of the 108 cards" in rules_text(winner(packs=2), 4)
    assert "joker" not in rules_text(winner(jokers=False), 4).replace("no jokers", "").replace(
        "red joker and a pair of 2s", ""
    )
    for seats in (3, 9):
        with pytest.raises(OptionsError):
            rules_text(winner(packs=2), seats)


@pytest.mark.parametrize(
    ("settings", "said", "unsaid"),
    [
        ({}, ["Three of a kind is a bomb", "Nothing beats two jokers"], "upside down until"),
        ({"revolution": True}, ["no power over bombs"], "Three of a kind is a bomb"),
        ({"bomb_variation": True}, ["Two jokers beat any play but four"], "Nothing beats two"),
        ({"fours": "off"}, ["no power over bombs"], "Double o'Four"),
        ({"packs": 2}, ["Its twin means nothing"], "One pack is used"),
    ],
)
def test_the_rules_of_winner_say_nothing_that_another_option_overrides(settings, said, unsaid):
    text = rules_text(winner(**settings))
    for words in said:
        assert words in text
    assert unsaid not in text


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_the_rules_are_sections_of_a_heading_and_paragraphs(preset):
    sections = rules_text(Options.make(preset.id)).split("\n\n")
    assert sections[0].startswith(f"{preset.title} ({preset.id})\n")
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


@pytest.mark.parametrize(
    ("cards", "words", "form"),
    [
        ("RJ", "red joker", "a single card"),
        ("KsKd", "pair of kings, spades high", "a pair"),
        ("6s6c6d", "three sixes", "a triple"),
        ("6s6c6d9d9h", "full house of three sixes and two nines", "a full house"),
        ("2s2c2d2h", "four twos", "four of a kind"),
        ("As2s3s4d5h", "straight of 5 from the ace to the five", "a straight of 5"),
        ("TsJsQsKdAh", "straight of 5 from the ten to the ace", "a straight of 5"),
        (
            "As2s3s4s5s",
            "straight flush of 5 from the ace to the five of spades",
            "a straight flush of 5",
        ),
        ("KsKcAdAh", "straight of 2 pairs from the king to the ace", "a straight of 2 pairs"),
        (
            "3s3c3d4s4c4d",
            "straight of 2 triples from the three to the four",
            "a straight of 2 triples",
        ),
        ("BJ RJ", "two jokers, black joker and red joker", "two jokers"),
        (
            "3s4s5d6c7h8s9sTdJcQhKsAd2c",
            "straight of 13 from the two to the ace",
            "a straight of 13",
        ),
    ],
)
def test_combinations_of_winner_in_words(cards, words, form):
    combination = combo(cards, winner())
    assert combination_in_words(combination) == words
    assert form_in_words(combination) == form


def test_a_straight_names_its_suit_where_suits_decide():
    assert combination_in_words(combo("3s4s5d6c7h", winner(straight_suit=True))) == (
        "straight of 5 from the three to the seven of hearts"
    )


def test_cards_in_words():
    assert card_in_words(parse_card("BJ")) == "black joker"
    assert card_in_words(parse_card("10c")) == "ten of clubs"
