"""The games and their options as data: keys, allowed values, defaults, and what cannot go together.

What an option *does* is in the module it concerns (rulebook, dealing, match, scoring); how option
values are held, read and sent is in `options`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from p2pclimb.errors import OptionsError

__all__ = [
    "PRESETS",
    "Choice",
    "Clash",
    "Family",
    "Flag",
    "Number",
    "Preset",
    "SeatLimit",
    "Setting",
    "Value",
]

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with one of a few named values."""

    key: str
    default: str
    values: tuple[str, ...]

    def read(self, value: object) -> str:
        """Return the value meant; raises `OptionsError` for anything else."""
        text = str(value).strip().lower()
        if isinstance(value, bool) or text not in self.values:
            raise OptionsError(
                f"{self.key} is one of {', '.join(self.values)}, not {_shown(value)}."
            )
        return text


@dataclass(frozen=True, slots=True)
class Flag:
    """An option that is on or off."""

    key: str
    default: bool

    def read(self, value: object) -> bool:
        """Return the value meant; raises `OptionsError` for anything else."""
        if isinstance(value, bool):
            return value
        match str(value).strip().lower():
            case "true" | "yes" | "on":
                return True
            case "false" | "no" | "off":
                return False
        raise OptionsError(f"{self.key} is true or false, not {_shown(value)}.")


@dataclass(frozen=True, slots=True)
class Number:
    """An option with a whole number from `low` to `high`."""

    key: str
    default: int
    low: int
    high: int

    def read(self, value: object) -> int:
        """Return the value meant; raises `OptionsError` for anything else."""
        text = str(value).strip()
        # ASCII digits only and few of them: int() reads many other things, and slowly.
        if not isinstance(value, bool) and text.isascii() and text.isdigit() and len(text) < 10:
            number = int(text)
            if self.low <= number <= self.high:
                return number
        raise OptionsError(
            f"{self.key} is a whole number from {self.low} to {self.high}, not {_shown(value)}."
        )


Setting = Choice | Flag | Number


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 24 else f"{text[:24]}..."


class Family(Enum):
    """The two games; presets of one family have the same options with other defaults."""

    TIENLEN = auto()
    WINNER = auto()


@dataclass(frozen=True, slots=True)
class Clash:
    """Values of some options that contradict each other, and why."""

    values: tuple[tuple[str, Value], ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SeatLimit:
    """A value of an option that only `fewest` to `most` seats can play by; `who` says it in words.

    `others` are the values that other numbers of seats may choose instead.
    """

    key: str
    value: Value
    fewest: int
    most: int
    who: str
    others: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A named, versioned set of rules: the seats it takes, and every option with its default.

    The id of a preset changes with any change of rules, so that old logs stay auditable.
    """

    id: str
    title: str
    family: Family
    fewest_seats: int
    most_seats: int
    settings: tuple[Setting, ...]
    clashes: tuple[Clash, ...] = ()
    seat_limits: tuple[SeatLimit, ...] = ()


_TABLE_SETTINGS: tuple[Setting, ...] = (
    Number("deals", default=0, low=0, high=10_000),
    Number("between", default=0, low=0, high=3_600),
    Number("turn_seconds", default=90, low=1, high=86_400),
    Flag("show_rest", default=False),
)
_DIRECTION = Choice("direction", default="clockwise", values=("clockwise", "anticlockwise"))

_TIENLEN_SETTINGS: tuple[Setting, ...] = (
    Choice("deal", default="13", values=("13", "17", "all")),
    _DIRECTION,
    Flag("twos_in_runs", default=True),
    Choice("chops", default="source", values=("source", "cumulative", "southern")),
    Flag("finish_on_two", default=True),
    Choice("pass_rule", default="locked", values=("locked", "free")),
    Choice("scoring", default="stake", values=("stake", "places")),
    Number("stake", default=1, low=1, high=1_000_000),
)
_TIENLEN_SEAT_LIMITS = (
    SeatLimit("deal", "17", 3, 3, who="exactly three seats", others="deal=13 or deal=all"),
)

_WINNER_SETTINGS: tuple[Setting, ...] = (
    Flag("jokers", default=True),
    Number("packs", default=1, low=1, high=2),
    _DIRECTION,
    Flag("triple_is_bomb", default=True),
    Flag("bomb_variation", default=False),
    Flag("revolution", default=False),
    Flag("straight_suit", default=False),
    Number("min_straight", default=5, low=3, high=13),
    Choice("fours", default="pickup", values=("pickup", "takeover", "off")),
    Choice("fours_when", default="turn", values=("turn", "anyone")),
    Choice("next_lead", default="loser", values=("loser", "winner", "left_of_dealer")),
    Flag("skip_formalities", default=False),
    Flag("exchange", default=False),
    Choice("pass_rule", default="free", values=("free", "locked")),
    Choice("scoring", default="cards", values=("cards", "none")),
    Choice("score_at", default="winner_out", values=("winner_out", "end")),
)
_WINNER_CLASHES = (
    Clash(
        (("revolution", True), ("bomb_variation", True)),
        "revolution cannot be combined with bomb_variation: in the one four of a kind turns the"
        " ranks and is no bomb, in the other it beats anything.",
    ),
    Clash(
        (("skip_formalities", True), ("triple_is_bomb", True)),
        "skip_formalities needs triple_is_bomb=false: with three of a kind as a bomb the passes"
        " after a red joker are no formality.",
    ),
    Clash(
        (("skip_formalities", True), ("revolution", True)),
        "skip_formalities cannot be combined with revolution, which makes a pair of 2s the lowest.",
    ),
)
_WINNER_SEAT_LIMITS = (SeatLimit("packs", 2, 4, 8, who="four or more seats", others="packs=1"),)

PRESETS: dict[str, Preset] = {
    preset.id: preset
    for preset in (
        Preset(
            id="tienlen/1",
            title="Tiến lên",
            family=Family.TIENLEN,
            fewest_seats=2,
            most_seats=8,
            settings=_TIENLEN_SETTINGS + _TABLE_SETTINGS,
            seat_limits=_TIENLEN_SEAT_LIMITS,
        ),
        Preset(
            id="winner/1",
            title="Winner",
            family=Family.WINNER,
            fewest_seats=2,
            most_seats=8,
            settings=_WINNER_SETTINGS + _TABLE_SETTINGS,
            clashes=_WINNER_CLASHES,
            seat_limits=_WINNER_SEAT_LIMITS,
        ),
    )
}
