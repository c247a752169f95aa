import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import UsageError
from p2pclimb.names import MAX_NAME, clean_name, name_key, printable

ESC, BEL, RLO, ZWJ, BOM = "\x1b", "\x07", "\u202e", "\u200d", "\ufeff"


@pytest.mark.parametrize(
    ("foreign", "name"),
    [
        (f"{ESC}]52;c;aGk={BEL}Ana", "]52;c;aGk=Ana"),  # would set the clipboard
        (f"{ESC}[2J{ESC}[31mAna", "[2J[31mAna"),
        ("Ana\rBea", "AnaBea"),  # would overwrite the line
        ("Ana\nBea\x85\u2028Carl", "AnaBeaCarl"),
        (f"{RLO}anA", "anA"),
        (f"A{ZWJ}n\u200ba{BOM}\u00ad\u2060", "Ana"),
        ("A\ufe0fn\u034fa\U000e0101\u3164", "Ana"),
        ("\U000e0041\U000e0042Ana", "Ana"),  # tags
        ("  Ana \u00a0\u3000 Bea  ", "Ana Bea"),
        ("\u0301\u0301Ana", "Ana"),  # would sit on the border before it
        ("Nguye\u0302\u0303n", "Nguy\u1ec5n"),
        ("An\udc80a", "Ana"),  # undecodable byte of a command line
        ("x" * 10_000, "x" * MAX_NAME),
        ("争上游", "争上游"),
        ("Ana 🃏", "Ana 🃏"),
    ],
)
def test_clean_name(foreign, name):
    assert clean_name(foreign) == name


@pytest.mark.parametrize("nothing", ["", "   ", RLO, ZWJ * 10_000, "\r\n\t", "\u0301", "\u2800"])
def test_clean_name_refuses_what_shows_nothing(nothing):
    with pytest.raises(UsageError, match="printable"):
        clean_name(nothing)


@given(st.text(max_size=60))
def test_clean_name_is_idempotent_and_bounded(text):
    try:
        name = clean_name(text)
    except UsageError:
        return
    assert clean_name(name) == name
    assert 1 <= len(name) <= MAX_NAME
    assert unicodedata.is_normalized("NFC", name)


@given(st.text())
def test_printable_has_no_character_that_moves_hides_or_reorders(text):
    shown = printable(text)
    assert printable(shown) == shown
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_printable_keeps_ordinary_words_whole():
    text = "Ana leads 3♠ 3♣: không ai chặn được! 黑桃三"
    assert printable(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "aNA"),
        ("Straße", "STRASSE"),
        ("ﬁona", "Fiona"),
        ("\uff21na", "ana"),  # full width
        ("e\u0301va", "\u00c9VA"),
    ],
)
def test_name_key_joins_names_that_look_the_same(one, other):
    assert name_key(one) == name_key(other)


def test_name_key_separates_different_names():
    assert name_key("Ana") != name_key("Anna")


@given(st.text(max_size=30))
def test_name_key_is_idempotent(text):
    assert name_key(name_key(text)) == name_key(text)
