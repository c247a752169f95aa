"""Options: making, refusing, comparing, sending."""

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from p2pclimb.errors import ClimbError, MalformedError, OptionsError, UnsupportedError
from p2pclimb.games.options import Difference, Options, parse_setting
from p2pclimb.games.presets import PRESETS, Choice, Flag, Number


def value_of(setting):
    match setting:
        case Choice(_, _, values):
            return st.sampled_from(values)
        case Flag():
            return st.booleans()
        case Number(_, _, low, high):
            return st.integers(low, high)


@st.composite
def any_options(draw):
    preset = PRESETS[draw(st.sampled_from(sorted(PRESETS)))]
    chosen = draw(st.sets(st.sampled_from(preset.settings)))
    by_key = sorted(chosen, key=lambda setting: setting.key)
    settings = {setting.key: draw(value_of(setting)) for setting in by_key}
    try:
        return Options.make(preset.id, settings)
    except OptionsError:  # the values contradict each other
        reject()


def test_defaults_of_tienlen():
    assert dict(Options.make("tienlen").items()) == {
        "deal": "13",
        "direction": "clockwise",
        "twos_in_runs": True,
        "chops": "source",
        "finish_on_two": True,
        "pass_rule": "locked",
        "scoring": "stake",
        "stake": 1,
        "instant_wins": False,
        "chop_pay": False,
        "rotten_twos": False,
        "deals": 0,
        "between": 0,
        "turn_seconds": 90,
        "duty_seconds": 30,
        "claim_seconds": 5,
        "show_rest": False,
    }


def test_tienlen_south_differs_from_tienlen_in_two_defaults():
    south, usual = Options.make("tienlen-south"), Options.make("tienlen")
    assert set(south.items()) - set(usual.items()) == {
        ("twos_in_runs", False),
        ("chops", "southern"),
    }
    assert [key for key, _ in south.items()] == [key for key, _ in usual.items()]
    assert south.differences() == ()
    assert south.with_setting("chops", "source").differences() == (
        Difference("chops", "source", "southern"),
    )


def test_defaults_of_winner():
    assert dict(Options.make("winner").items()) == {
        "jokers": True,
        "packs": 1,
        "direction": "clockwise",
        "triple_is_bomb": True,
        "bomb_variation": False,
        "revolution": False,
        "straight_suit": False,
        "min_straight": 5,
        "fours": "pickup",
        "fours_when": "turn",
        "next_lead": "loser",
        "skip_formalities": False,
        "exchange": False,
        "pass_rule": "free",
        "scoring": "cards",
        "score_at": "winner_out",
        "deals": 0,
        "between": 0,
        "turn_seconds": 90,
        "duty_seconds": 30,
        "claim_seconds": 5,
        "show_rest": False,
    }


CONTRADICTIONS = [
    ({"revolution": True, "bomb_variation": True}, "cannot be combined with bomb_variation"),
    ({"skip_formalities": True}, "skip_formalities needs triple_is_bomb=false"),
    ({"skip_formalities": True, "bomb_variation": True}, "needs triple_is_bomb=false"),
    (
        {"skip_formalities": True, "triple_is_bomb": False, "revolution": True},
        "skip_formalities excludes revolution",
    ),
]


@pytest.mark.parametrize(("settings", "reason"), CONTRADICTIONS)
def test_contradictions_of_winner_are_refused_with_the_reason(settings, reason):
    with pytest.raises(OptionsError) as caught:
        Options.make("winner", settings)
    assert reason in caught.value.text
    game, pairs = Options.make("winner").to_wire()
    message = [game, [[key, settings.get(key, value)] for key, value in pairs]]
    with pytest.raises(MalformedError) as malformed:
        Options.from_wire(message)
    assert malformed.value.text == caught.value.text


@pytest.mark.parametrize(
    "settings",
    [
        {"skip_formalities": True, "triple_is_bomb": False},
        {"skip_formalities": True, "triple_is_bomb": False, "bomb_variation": True},
        {"fours": "off", "fours_when": "anyone"},
        {"scoring": "none", "score_at": "end"},
    ],
)
def test_what_goes_together_is_accepted(settings):
    assert len(Options.make("winner", settings).differences()) == len(settings)


@pytest.mark.parametrize("seats", [2, 3])
def test_two_packs_of_winner_need_four_seats(seats):
    Options.make("winner", {"packs": 2}).require_seats(4)
    with pytest.raises(OptionsError, match=f"four or more seats, not {seats}"):
        Options.make("winner", {"packs": "2"}).require_seats(seats)


def test_the_games_share_no_options_by_accident():
    for game, key in (("winner", "stake"), ("winner", "chops"), ("tienlen", "jokers")):
        with pytest.raises(OptionsError, match=f"no option '{key}'"):
            Options.make(game)[key]


@pytest.mark.parametrize(
    ("game_id", "full"),
    [
        ("tienlen", "tienlen/1"),
        ("tienlen/1", "tienlen/1"),
        (" TienLen ", "tienlen/1"),
        ("tienlen-south", "tienlen-south/1"),
        ("Winner", "winner/1"),
    ],
)
def test_ids_with_or_without_version(game_id, full):
    assert Options.make(game_id).game == full


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("stake", "1000000", 1_000_000),
        ("twos_in_runs", "No", False),
        ("show_rest", "on", True),
        ("deal", 17, "17"),
        ("deal", "ALL", "all"),
        ("chops", " southern ", "southern"),
    ],
)
def test_values_may_be_text(key, text, value):
    options = Options.make("tienlen", {key: text})
    assert options[key] == value
    assert type(options[key]) is type(value)
    assert options == Options.make("tienlen").with_setting(key, text)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("stake", 0, "from 1 to 1000000, not 0"),
        ("stake", 1_000_001, "from 1 to 1000000"),
        ("stake", True, "whole number"),
        ("stake", "5.0", "whole number"),
        ("stake", "٣", "whole number"),
        ("stake", "9" * 5000, "whole number"),
        ("chops", "northern", "one of source, cumulative, southern, not 'northern'"),
        ("deal", True, "one of 13, 17, all"),
        ("finish_on_two", "maybe", "true or false"),
        ("finish_on_two", 1, "true or false"),
        ("packs", 2, "no option 'packs'"),
        ("chop", "source", "no option 'chop'"),
    ],
)
def test_refusals_say_why(key, value, reason):
    with pytest.raises(OptionsError) as caught:
        Options.make("tienlen", {key: value})
    assert reason in caught.value.text


def test_a_misspelt_option_or_game_is_answered_with_a_suggestion():
    with pytest.raises(OptionsError) as caught:
        Options.make("tienlen", {"chop": "source"})
    assert caught.value.hint == "Did you mean chops?"
    with pytest.raises(OptionsError) as caught:
        Options.make("tienlan")
    assert "tienlen" in caught.value.hint


def test_an_unknown_key_is_refused_when_read_too():
    with pytest.raises(OptionsError):
        Options.make("tienlen")["packs"]


def test_seat_counts_are_checked_with_the_deal():
    Options.make("tienlen", {"deal": "17"}).require_seats(3)
    with pytest.raises(OptionsError, match="exactly three seats, not 4"):
        Options.make("tienlen", {"deal": "17"}).require_seats(4)


def test_asking_for_an_option_that_the_game_lacks_is_no_mistake():
    tienlen, winner = Options.make("tienlen", {"chop_pay": True}), Options.make("winner")
    assert tienlen.plays_with("chop_pay")
    assert not tienlen.plays_with("instant_wins")
    assert not winner.plays_with("chop_pay")
    assert winner.plays_with("score_at", "winner_out")
    assert not winner.plays_with("score_at", "end")


def test_differences_from_the_preset():
    options = Options.make("tienlen", {"stake": 5, "chops": "southern", "deals": 0})
    assert options.differences() == (
        Difference("chops", "southern", "source"),
        Difference("stake", 5, 1),
    )


@pytest.mark.parametrize("text", ["stake", "=5", "stake=", " = ", ""])
def test_a_setting_is_key_and_value(text):
    with pytest.raises(OptionsError, match="KEY=VALUE"):
        parse_setting(text)


def test_a_setting_is_split_at_the_first_equals_sign():
    assert parse_setting(" stake = 5=6") == ("stake", "5=6")


@given(any_options())
def test_the_wire_brings_back_the_same_options(options):
    back = Options.from_wire(options.to_wire())
    assert back == options
    assert hash(back) == hash(options)
    assert back.to_wire() == options.to_wire()


def wire():
    return Options.make("tienlen").to_wire()


def broken_wires():
    def change(edit):
        message = wire()
        edit(message)
        return message

    return {
        "nothing": None,
        "a map": {"game": "tienlen/1"},
        "too short": ["tienlen/1"],
        "no list": ["tienlen/1", "deal"],
        "one option less": change(lambda message: message[1].pop()),
        "one option more": change(lambda message: message[1].append(["packs", 1])),
        "another order": change(lambda message: message[1].reverse()),
        "a flag as a number": change(lambda message: message[1][2].__setitem__(1, 1)),
        "a number as a flag": change(lambda message: message[1][7].__setitem__(1, True)),
        "a number as text": change(lambda message: message[1][7].__setitem__(1, "1")),
        "out of range": change(lambda message: message[1][7].__setitem__(1, 0)),
        "huge": change(lambda message: message[1][7].__setitem__(1, 10**400)),
        "not as we write it": change(lambda message: message[1][0].__setitem__(1, " 13")),
        "a pair of three": change(lambda message: message[1][0].append(0)),
        "a key that is no text": change(lambda message: message[1][0].__setitem__(0, 5)),
    }


@pytest.mark.parametrize("name", broken_wires())
def test_the_wire_is_read_strictly(name):
    with pytest.raises(MalformedError):
        Options.from_wire(broken_wires()[name])


def test_newer_rules_are_unsupported_not_malformed():
    with pytest.raises(UnsupportedError):
        Options.from_wire(["tienlen/2", []])


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.just("tienlen/1"),
    lambda inner: st.lists(inner, max_size=4),
)


@given(PLAIN)
def test_only_our_errors_escape_the_wire(message):
    try:
        Options.from_wire(message)
    except ClimbError:
        return
    raise AssertionError("hardly possible by chance")
