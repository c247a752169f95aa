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
    if values.get("revolution") is True and values["bomb_variation"] is True:
        return (
            "revolution cannot be combined with bomb_variation: in the one four of a kind turns the"
            " ranks and is no bomb, in the other it beats anything."
        )
    if values.get("skip_formalities") is True:
        return _no_formality(values)
    return None


def _no_formality(values: Mapping[str, Value]) -> str | None:
    """Return why passing after a red joker or a pair of 2s is no formality, None if it is."""
    if values["triple_is_bomb"] is True:
        return "skip_formalities needs triple_is_bomb=false: three of a kind could still answer."
    if values["revolution"] is True:
        return "skip_formalities excludes revolution, which can make a pair of 2s the lowest."
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
    if values.get("packs") == 2 and count < 4:
        return f"packs=2 is for four or more seats, not {count}."
    return None
