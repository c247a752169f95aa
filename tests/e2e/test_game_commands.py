"""Every game as a demo of processes over real links, and whether its log is a valid table."""

import json

import pytest
from commands import run

ALL_SOUTH = ["instant_wins", "chop_pay", "rotten_twos", "show_rest"]


@pytest.mark.parametrize(
    ("game", "seats", "deals", "settings", "events"),
    [
        (
            "winner",
            4,
            3,
            ["exchange=true"],
            {"trick-card-shown", "tribute-given", "offered", "card-taken"},
        ),
        ("winner", 6, 1, ["packs=2", "fours_when=anyone"], {"trick-card-shown"}),
        (
            "tienlen-south",
            4,
            2,
            ["finish_on_two=false", "scoring=places", *(f"{key}=true" for key in ALL_SOUTH)],
            {"claim-asked", "rest-shown", "lowest-shown"},
        ),
    ],
)
def test_a_game_of_processes_is_a_valid_table(tmp_path, game, seats, deals, settings, events):
    log = tmp_path / "x.climb"
    words = [word for setting in settings for word in ("--set", setting)]
    code, out, err = run(
        tmp_path,
        *("demo", "--game", game, "--seats", seats, "--deals", deals, "--json", "--log", log),
        *words,
    )
    assert (code, err) == (0, "")
    told = [json.loads(line) for line in out.splitlines()]
    result = told[-1]
    assert (result["event"], result["deals"]) == ("result", deals)
    assert sum(result["scores"].values()) == 0
    slugs = {each["event"] for each in told}
    assert events <= slugs
    assert not slugs & {"hand-dealt", "choice-asked", "peer-fault", "link-down"}
    code, out, err = run(tmp_path, "audit", log, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["verdict"] == "valid"
    assert report["verified"]["shuffles"] == seats * deals


def test_claims_are_answered_soon_where_only_bots_wait_for_them(tmp_path):
    code, out, _ = run(tmp_path, "demo", "--seats", 2, "--set", "instant_wins=true")
    assert code == 0
    assert "claim_seconds=1: Claims are answered after 1 second" in out
    code, out, _ = run(tmp_path, "demo", "--seats", 2)
    assert code == 0
    assert "claim_seconds" not in out
