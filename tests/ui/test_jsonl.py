"""JSON lines: the schema that scripts rely on is written here, and only extended."""

from __future__ import annotations

import json

import pytest
from notice_examples import EXAMPLES, NAMES, TYPES
from simulator import Simulator

from p2pclimb.table.notices import ChoiceAsked, HandDealt
from p2pclimb.ui.jsonl import notice_to_json, result_to_json

CARDS = [str]
COMBINATION = {"kind": str, "length": int, "top": str, "cards": CARDS}
OPTIONS = {"game": str, "settings": dict}
SEAT = {
    "name": str,
    "identity": str,
    "fingerprint": str,
    "curve": str,
    "operator": int,
    "is_bot": bool,
}
AWAY = {"name": str, "identity": str, "is_bot": bool, "points": int}
CARRIED = {"table": str, "words": [str], "points": [int], "away": [AWAY]}
TERMS = {
    "table": str,
    "words": [str],
    "options": OPTIONS,
    "seats": [SEAT],
    "carried": (CARRIED, None),
}
WHO = {"seat": int, "name": str}

SCHEMA = {
    "bomb-taken": {**WHO, "combination": COMBINATION, "into_hand": bool},
    "card-taken": {**WHO, "giver": int, "card": (str, None)},
    "choice-asked": {"giver": int, "cards": CARDS},
    "claim-asked": {"seconds": int, "whole_hand": bool},
    "claimed": {**WHO, "cards": CARDS},
    "instant-won": {**WHO, "kind": str, "cards": CARDS},
    "offer-asked": {"receiver": int, "received": str},
    "offered": {**WHO, "receiver": int},
    "scores-checked": {"terms": TERMS, "own": (CARRIED, None)},
    "tribute-given": {"giver": int, "receiver": int, "card": str},
    "tribute-returned": {**WHO, "card": str},
    "trick-card-shown": {"card": str, **WHO},
    "convicted": {**WHO, "step": int, "rule": str, "text": str},
    "evidence-kept": {**WHO, "path": str},
    "history-dropped": {"step": int},
    "missed": {**WHO, "kind": str, "misses": int},
    "no-majority": {"here": [int], "electorate": [int]},
    "pause-held": {"seats": [int], "holds": bool, "electorate": [int]},
    "seat-elsewhere": {},
    "time-runs": {"seats": [int], "seconds": float},
    "vote-stands": {
        **WHO,
        "ballot": int,
        "promised": [int],
        "accepted": [int],
        "electorate": [int],
    },
    "cards-dealt": {"deal": int, "sizes": {"*": int}},
    "deal-began": {"deal": int, "attempt": int, "seats": [int]},
    "deal-ended": {
        "deal": int,
        "order": [int],
        "payments": {"*": int},
        "scores": {"*": int},
    },
    "deal-restarted": {"deal": int, "attempt": int, "missing": [int], "payments": {"*": int}},
    "dealer-drawn": {"deal": int, **WHO, "by_coin": bool},
    "departed": WHO,
    "guest-came": {"seat": int, "name": str, "guest": SEAT},
    "guest-refused": {"name": str, "reason": str},
    "guest-went": {**WHO, "reason": str},
    "hand-dealt": {"cards": CARDS},
    "lead-passed": {**WHO, "hand": CARDS},
    "leaving": WHO,
    "link-down": {**WHO, "reason": str},
    "link-up": WHO,
    "lobby-closed": {"reason": str},
    "lowest-missing": {"card": str},
    "lowest-shown": {"card": str, "holders": [int], "leader": int},
    "next-deal-waits": {"deal": int},
    "passed": WHO,
    "peer-fault": {"peer": str, "text": str},
    "place-filled": {
        "step": int,
        "kind": str,
        "deal": int,
        **WHO,
        "present": bool,
        "waiting": [int],
    },
    "played": {**WHO, "combination": COMBINATION, "led": bool, "left": int},
    "rest-shown": {**WHO, "cards": CARDS},
    "roster-changed": {
        "roster": {"options": OPTIONS, "guests": [(SEAT, None)]},
        "own_seat": (int, None),
    },
    "rule-broken": {"violation": {"seat": int, "step": int, "rule": str, "text": str}},
    "seat-finished": {**WHO, "place": int},
    "table-ended": {"reason": str},
    "terms-proposed": {"terms": TERMS, "own_seat": int},
    "trick-taken": {"owner": int, "leader": int},
    "turn-began": WHO,
}

RESULT = {
    **TERMS,
    "deals": int,
    "scores": {"*": int},
    "reason": (str, None),
    "violations": [{"seat": int, "step": int, "rule": str, "text": str}],
    "verified": {"*": int},
    "log": (str, None),
}


def fits(value, schema) -> bool:
    """Whether a value has exactly the form of a schema."""
    match schema:
        case None:
            return value is None
        case type():
            return type(value) is schema
        case tuple():
            return any(fits(value, each) for each in schema)
        case [each]:
            return isinstance(value, list) and all(fits(item, each) for item in value)
        case {"*": each}:
            return all(type(key) is str and fits(item, each) for key, item in value.items())
        case _:
            return (
                isinstance(value, dict)
                and value.keys() == schema.keys()
                and all(fits(value[key], each) for key, each in schema.items())
            )


@pytest.mark.parametrize("notice", EXAMPLES, ids=lambda notice: type(notice).__name__)
def test_every_notice_has_json_of_its_schema(notice):
    told = notice_to_json(notice, NAMES, own_hand=True)
    assert json.loads(json.dumps(told)) == told
    slug = told.pop("event")
    assert fits(told, SCHEMA[slug]), told


def test_the_schema_has_nothing_else():
    slugs = [notice_to_json(notice, NAMES, own_hand=True)["event"] for notice in EXAMPLES]
    assert sorted(slugs) == sorted(SCHEMA)
    assert len(SCHEMA) == len(TYPES)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (HandDealt, {"event": "hand-dealt", "cards": ["3s", "4s"]}),
        (ChoiceAsked, {"event": "choice-asked", "giver": 1, "cards": ["3d", "7c"]}),
    ],
)
def test_cards_that_one_seat_sees_are_told_only_when_asked_for(kind, told):
    (hidden,) = [notice for notice in EXAMPLES if isinstance(notice, kind)]
    assert notice_to_json(hidden, NAMES) is None
    assert notice_to_json(hidden, NAMES, own_hand=True) == told


def test_cards_and_names_stand_as_scripts_expect_them():
    played = next(notice for notice in EXAMPLES if type(notice).__name__ == "Played")
    told = notice_to_json(played, ["Ana", "\x1bBob"])
    assert told["combination"]["cards"] == ["9c", "9h"]
    assert told["name"] == "\x1bBob"
    assert "\x1b" not in json.dumps(told)


def test_the_result_of_a_whole_table():
    sim = Simulator("result", 3, {"deals": 2})
    sim.run()
    result = result_to_json(sim.nodes[0].session.ledger, log="table.climb")
    assert json.loads(json.dumps(result)) == result
    assert result.pop("event") == "result"
    assert fits(result, RESULT), result
    assert result["deals"] == 2
    assert sum(result["scores"].values()) == 0
    assert result["reason"]
    assert result["violations"] == []
    assert result["verified"]["shuffles"] == 2 * 2  # those of the two others
    assert result["log"] == "table.climb"


def test_the_result_of_a_table_that_goes_on():
    ledger = Simulator("early", 2).nodes[0].session.ledger
    result = result_to_json(ledger)
    assert result["deals"] == 0
    assert result["scores"] == {}
    assert result["reason"] is None
