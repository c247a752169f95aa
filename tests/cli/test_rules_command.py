import json

import pytest

from p2pclimb.cli.main import main
from p2pclimb.games.describe import rules_text
from p2pclimb.games.options import Options
from p2pclimb.games.presets import PRESETS


def words_of(text):
    return text.split()


@pytest.mark.parametrize("game", PRESETS)
def test_the_rules_are_those_of_the_options_wrapped(capsys, monkeypatch, game):
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["rules", game]) == 0
    out = capsys.readouterr().out
    assert words_of(out) == words_of(rules_text(Options.make(game)))
    assert max(map(len, out.splitlines())) <= 60


def test_options_change_the_text(capsys):
    main(["rules", "tienlen"])
    usual = capsys.readouterr().out
    assert main(["rules", "tienlen", "--set", "stake=5", "--set", "deal=17", "--seats", "3"]) == 0
    changed = capsys.readouterr().out
    assert "5 points" in changed
    assert "17 cards" in changed
    assert changed != usual


def test_json(capsys):
    assert main(["rules", "tienlen", "--set", "stake=5", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    options = Options.make("tienlen/1", {"stake": 5})
    assert data == {
        "game": "tienlen/1",
        "settings": dict(options.items()),
        "text": rules_text(options),
    }


@pytest.mark.parametrize("json_flag", [[], ["--json"]])
def test_without_an_id_the_games_and_their_options_are_listed(capsys, json_flag):
    assert main(["rules", *json_flag]) == 0
    out = capsys.readouterr().out
    for preset in PRESETS.values():
        assert preset.id in out
        for setting in preset.settings:
            assert setting.key in out
    if json_flag:
        assert json.loads(out)["games"][0]["settings"]["stake"] == 1


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["tienlenn"], "tienlen"),
        (["tienlen/99"], "no game"),
        (["tienlen", "--set", "steak=5"], "stake"),
        (["tienlen", "--set", "stake"], "KEY=VALUE"),
        (["tienlen", "--set", "stake=0"], "1 to 1000000"),
        (["tienlen", "--seats", "9"], "2 to 8"),
        (["tienlen", "--seats", "two"], "invalid int value"),
        (["tienlen", "--set", "deal=17", "--seats", "4"], "three seats"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_the_reason(capsys, words, part):
    assert main(["rules", *words]) == 2
    assert part in capsys.readouterr().err
