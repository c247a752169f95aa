"""Options that cannot be had together, and seat counts that they exclude.

The reasons for refusing, as sentences; `options` refuses.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2pclimb.games.presets import Value

__all__ = ["contradiction", "seats_refused"]


def contradiction(values: Mapping[str, Value]) -> str | None:
    """Return why no table can play by these values, None if they go together."""
    if values.get("instant_wins") is True and values["deal"] == "17":
        return "instant_wins needs hands of 13 cards, and deal=17 gives 17."
    return None


def seats_refused(values: Mapping[str, Value], count: int) -> str | None:
    """Return why that many seats cannot play by these values, None if they can."""
    if values.get("deal") == "17" and count != 3:
        return f"deal=17 needs exactly three seats, not {count}."
    if values.get("instant_wins") is True:
        if count > 4:
            return f"instant_wins needs a single pack, and {count} seats play with two."
        if values["deal"] == "all" and count != 4:
            return f"instant_wins needs hands of 13 cards: deal=all gives {52 // count} each."
    return None
