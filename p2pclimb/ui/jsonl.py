"""Notices as JSON objects, one a line: what scripts, other people's bots and log tools read.

`event` is a slug that names the notice and never changes its meaning.  Seats count from 0, cards
are written as in `p2pclimb.cards`, bytes in hexadecimal; names stand as their owners gave them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from enum import Enum
from typing import Any

from p2pclimb.cards import Card
from p2pclimb.crypto.identity import fingerprint
from p2pclimb.errors import ViolationError
from p2pclimb.games.options import Options
from p2pclimb.games.shapes import Combination
from p2pclimb.ledger.carried import Carried
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.steps.ended import Ended
from p2pclimb.ledger.terms import SeatTerms, Terms, table_words
from p2pclimb.table.notices import ChoiceAsked, HandDealt, Notice
from p2pclimb.table.roster import Guest, LobbyNotice, Roster

__all__ = ["notice_to_json", "result_to_json"]


def notice_to_json(
    notice: Notice | LobbyNotice, names: Sequence[str], *, own_hand: bool = False
) -> dict[str, Any] | None:
    """Return a notice as an object: its slug, its fields, and the `name` of its `seat`.

    Cards that this seat alone sees are told only with `own_hand`; without it the notices that hold
    them, `HandDealt` and `ChoiceAsked`, give None.
    """
    if isinstance(notice, HandDealt | ChoiceAsked) and not own_hand:
        return None
    told = {each.name: _value(getattr(notice, each.name)) for each in fields(notice)}
    seat = told.get("seat")
    if isinstance(seat, int) and "name" not in told and seat < len(names):
        told["name"] = names[seat]
    return {"event": _slug(notice), **told}


def result_to_json(ledger: Ledger, *, log: str | None = None) -> dict[str, Any]:
    """Return how a table came out, as the last object of its stream.

    `deals` counts the deals played to their end, `scores` the points by seat, `verified` what this
    node checked of the others, and `violations` what seats were convicted of; `reason` says why the
    table ended, None while it goes on.
    """
    terms, stage, match = ledger.terms, ledger.position.stage, ledger.position.match
    return {
        "event": "result",
        **_terms(terms),
        "deals": match.deal - 1 if match else 0,
        "scores": _value(match.scores if match else {}),
        "reason": stage.reason if isinstance(stage, Ended) else None,
        "violations": [_value(each.violation) for each in ledger.convictions.values()],
        "verified": asdict(ledger.tally),
        "log": log,
    }


def _slug(notice: Notice | LobbyNotice) -> str:
    """Return the slug of a notice: the words of its name, as `deal-began`."""
    words = re.findall("[A-Z][a-z]*", type(notice).__name__)
    return "-".join(words).lower()


def _value(value: object) -> Any:
    """Return a field of a notice in the types of JSON."""
    match value:
        case Enum():
            return value.value
        case Card():
            return str(value)
        case Combination():
            return _combination(value)
        case Mapping():
            return {str(key): _value(item) for key, item in value.items()}
        case list() | tuple():
            return [_value(item) for item in value]
        case bytes():
            return value.hex()
        case ViolationError():
            return {key: getattr(value, key) for key in ("seat", "step", "rule", "text")}
        case _:
            return _lobby_value(value)


def _lobby_value(value: object) -> Any:
    match value:
        case Guest() | SeatTerms():
            return _person(value)
        case Roster():
            return {"options": _options(value.options), "guests": _value(value.guests)}
        case Terms():
            return _terms(value)
        case Carried():
            return _carried(value)
        case None | bool() | int() | float() | str():
            return value
        case _:
            raise TypeError(f"a notice holds a {type(value).__name__}")


def _combination(combination: Combination) -> dict[str, Any]:
    return {
        "kind": combination.kind.value,
        "length": combination.length,
        "top": str(combination.top),
        "cards": [str(card) for card in combination.cards],
    }


def _person(person: Guest | SeatTerms) -> dict[str, Any]:
    told = {each.name: _value(getattr(person, each.name)) for each in fields(person)}
    return {**told, "fingerprint": fingerprint(person.identity)}


def _options(options: Options) -> dict[str, Any]:
    return {"game": options.game, "settings": dict(options.items())}


def _terms(terms: Terms) -> dict[str, Any]:
    return {
        "table": terms.table_id.hex(),
        "words": list(terms.words),
        "options": _options(terms.options),
        "seats": [_person(seat) for seat in terms.seats],
        "carried": _carried(terms.carried) if terms.carried else None,
    }


def _carried(carried: Carried) -> dict[str, Any]:
    return {
        "table": carried.table.hex(),
        "words": list(table_words(carried.table)),
        "points": list(carried.points),
        "away": [
            {each.name: _value(getattr(player, each.name)) for each in fields(player)}
            for player in carried.away
        ],
    }
