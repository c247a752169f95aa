"""The games and their options as data: keys, allowed values, defaults.

What an option *does* is in the module it concerns (rulebook, dealing, match, scoring); which values
exclude each other is in `consistency`, and how values are held, read and sent in `options`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from p2pclimb.errors import OptionsError

__all__ = [
    "PRESETS",
    "Choice",
    "Family",
    "Flag",
    "Number",
    "Preset",
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


_TABLE_SETTINGS: tuple[Setting, ...] = (
    Number("deals", default=0, low=0, high=10_000),
    Number("between", default=0, low=0, high=3_600),
    Number("turn_seconds", default=90, low=1, high=86_400),
    Number("duty_seconds", default=30, low=5, high=600),
    Number("claim_seconds", default=5, low=0, high=60),
    Flag("show_rest", default=False),
)
_DIRECTION = Choice("direction", default="clockwise", values=("clockwise", "anticlockwise"))


def _tienlen(*, twos_in_runs: bool, chops: str) -> tuple[Setting, ...]:
    return (
        Choice("deal", default="13", values=("13", "17", "all")),
        _DIRECTION,
        Flag("twos_in_runs", default=twos_in_runs),
        Choice("chops", default=chops, values=("source", "cumulative", "southern")),
        Flag("finish_on_two", default=True),
        Choice("pass_rule", default="locked", values=("locked", "free")),
        Choice("scoring", default="stake", values=("stake", "places")),
        Number("stake", default=1, low=1, high=1_000_000),
        Flag("instant_wins", default=False),
        Flag("chop_pay", default=False),
        Flag("rotten_twos", default=False),
        *_TABLE_SETTINGS,
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
    *_TABLE_SETTINGS,
)

PRESETS: dict[str, Preset] = {
    preset.id: preset
    for preset in (
        Preset(
            id="tienlen/1",
            title="Tiến lên",
            family=Family.TIENLEN,
            fewest_seats=2,
            most_seats=8,
            settings=_tienlen(twos_in_runs=True, chops="source"),
        ),
        Preset(
            id="tienlen-south/1",
            title="Tiến lên miền Nam",
            family=Family.TIENLEN,
            fewest_seats=2,
            most_seats=8,
            settings=_tienlen(twos_in_runs=False, chops="southern"),
        ),
        Preset(
            id="winner/1",
            title="Winner",
            family=Family.WINNER,
            fewest_seats=2,
            most_seats=8,
            settings=_WINNER_SETTINGS,
        ),
    )
}
