"""Names in sentences: whatever a player calls itself, nobody mistakes it for something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.names import printable
from p2pclimb.ui.people import People, shown_name


@pytest.mark.parametrize("name", ["Ana", "Bình", "李雷", "x_X", "d'Arc", "R2-D2", "नेहा"])
def test_a_name_of_one_word_stands_as_it_is(name):
    assert shown_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["Bob (seat 2) wins", "Mary Ann", "you", "YOU", "nobody", "Bob:", "", "Ana, Bob", "♥", "a|b"],
)
def test_a_name_that_could_be_part_of_a_sentence_is_quoted(name):
    assert shown_name(name) == f'"{name}"'


def test_a_name_cannot_close_its_own_quotes():
    assert shown_name('x" passes. "y') == "\"x' passes. 'y\""


@pytest.mark.parametrize(
    "name", ["\x1b]52;c;aGk=\x07Bob", "Bob\rAna", "\u202eboB", "B\u200dob", "B" * 10_000, "\x9b2J"]
)
def test_nothing_in_a_received_name_moves_or_reorders(name):
    shown = shown_name(name)
    assert printable(shown) == shown
    assert shown.isprintable()


@given(st.text())
def test_any_name_is_shown_printable_on_one_line(name):
    shown = shown_name(name)
    assert shown.isprintable()
    assert shown
    assert " " not in shown or shown[0] == shown[-1] == '"'


def test_sentences_agree_with_who_they_speak_of():
    people = People(["Ana", "Bob", "Chi"], 1)
    assert [people.does(seat, "pass") for seat in range(2)] == ["Ana passes", "You pass"]
    assert [people.does(seat, "have") for seat in range(2)] == ["Ana has", "You have"]
    assert [people.whose(seat) for seat in range(2)] == ["Ana's", "your"]
    assert people.says(1, "lead") == "you lead"
    assert people.list((0, 1, 2)) == "Ana, you and Chi"
    assert people.list((0,)) == "Ana"
    assert People(["Ana"], None).name(0) == "Ana"
