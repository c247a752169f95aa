"""Option values: one immutable `Options` says exactly which rules a table plays by.

Reading them from a person and from the wire, comparing them with the preset, and the seat counts
they allow.  Which options exist is in `presets`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from p2pclimb.errors import MalformedError, OptionsError, UnsupportedError
from p2pclimb.games.consistency import contradiction, seats_refused
from p2pclimb.games.presets import PRESETS, Family, Preset, Setting, Value

__all__ = ["Difference", "Options", "Value", "parse_setting"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One option that is not as the preset has it."""

    key: str
    value: Value
    default: Value


@dataclass(frozen=True, slots=True)
class Options:
    """A preset and a value for each of its options, in the preset's order (rules.md section 3).

    Make them with `Options.make` or `Options.from_wire`, which check every value.
    """

    game: str
    values: tuple[Value, ...]

    @classmethod
    def make(cls, game_id: str, settings: Mapping[str, object] | None = None) -> Options:
        """Return the options of a preset with some of them set.

        The id may come without its version (`tienlen` is the newest `tienlen/...`), values may be
        text as in `KEY=VALUE`.  Raises `OptionsError` for an unknown game or option, for a value
        that is not allowed, and for options that contradict each other.
        """
        preset = PRESETS[_full_id(game_id)]
        settings = settings or {}
        keys = [setting.key for setting in preset.settings]
        for key in settings:
            if key not in keys:
                raise OptionsError(
                    f"{preset.title} has no option {_quoted(key)}.", hint=_suggestion(key, keys)
                )
        options = cls(
            preset.id,
            tuple(
                setting.read(settings.get(setting.key, setting.default))
                for setting in preset.settings
            ),
        )
        if reason := contradiction(dict(options.items())):
            raise OptionsError(reason)
        return options

    @property
    def preset(self) -> Preset:
        """The preset these options vary."""
        return PRESETS[self.game]

    @property
    def family(self) -> Family:
        """The game whose rules these options vary."""
        return self.preset.family

    def __getitem__(self, key: str) -> Value:
        for setting, value in zip(self.preset.settings, self.values, strict=True):
            if setting.key == key:
                return value
        raise OptionsError(f"{self.preset.title} has no option {_quoted(key)}.")

    def plays_with(self, key: str, value: Value = True) -> bool:
        """Return whether the game has an option and it is set to this value."""
        return (key, value) in self.items()

    def flag(self, key: str) -> bool:
        """Return the value of an option that is on or off."""
        value = self[key]
        assert isinstance(value, bool)
        return value

    def choice(self, key: str) -> str:
        """Return the value of an option with named values."""
        value = self[key]
        assert isinstance(value, str)
        return value

    def number(self, key: str) -> int:
        """Return the value of an option that is a whole number."""
        value = self[key]
        assert isinstance(value, int)
        return value

    def items(self) -> tuple[tuple[str, Value], ...]:
        """Return every option with its value, in the preset's order."""
        keys = (setting.key for setting in self.preset.settings)
        return tuple(zip(keys, self.values, strict=True))

    def with_setting(self, key: str, value: object) -> Options:
        """Return the same options but for one; raises `OptionsError` as `make` does."""
        return Options.make(self.game, {**dict(self.items()), key: value})

    def differences(self) -> tuple[Difference, ...]:
        """Return the options that are not as the preset has them, in the preset's order."""
        return tuple(
            Difference(setting.key, value, setting.default)
            for setting, value in zip(self.preset.settings, self.values, strict=True)
            if value != setting.default
        )

    def require_seats(self, count: int) -> None:
        """Raise `OptionsError` with the reason unless that many seats can play by these options."""
        preset = self.preset
        if not preset.fewest_seats <= count <= preset.most_seats:
            raise OptionsError(
                f"{preset.title} is for {preset.fewest_seats} to {preset.most_seats} seats,"
                f" not {count}."
            )
        if reason := seats_refused(dict(self.items()), count):
            raise OptionsError(reason)

    def to_wire(self) -> list[str | list[list[Value]]]:
        """Return plain lists: `[id, [[key, value], ...]]` with every option in preset order."""
        return [self.game, [[key, value] for key, value in self.items()]]

    @classmethod
    def from_wire(cls, wire: object) -> Options:
        """Read what `to_wire` gives, and nothing else.

        Raises `UnsupportedError` for rules this program does not know and `MalformedError` for
        anything that `to_wire` cannot have written.
        """
        match wire:
            case [str(game), list(pairs)]:
                pass
            case _:
                raise MalformedError("The rules are not a game and a list of options.")
        if game not in PRESETS:
            raise UnsupportedError(
                f"The rules {_quoted(game)} are unknown to this program.",
                hint="A newer version may know them.",
            )
        settings = PRESETS[game].settings
        if len(pairs) != len(settings):
            raise MalformedError(f"{game} has {len(settings)} options, not {len(pairs)}.")
        options = cls(game, tuple(map(_value_from_wire, settings, pairs)))
        if reason := contradiction(dict(options.items())):
            raise MalformedError(reason)
        return options


def _value_from_wire(setting: Setting, pair: object) -> Value:
    match pair:
        # A bool is an int to Python, hence the comparison of types.
        case [setting.key, value] if type(value) is type(setting.default):
            try:
                read = setting.read(value)
            except OptionsError as error:
                raise MalformedError(error.text) from None
            if read == value:
                return read
    raise MalformedError(f"The option {setting.key} is not where and what it should be.")


def parse_setting(text: str) -> tuple[str, str]:
    """Split `KEY=VALUE` as written on a command line; raises `OptionsError` if it is not that."""
    key, equals, value = text.partition("=")
    if not (equals and key.strip() and value.strip()):
        raise OptionsError(f"{_quoted(text)} is not KEY=VALUE.", hint="Write it like stake=5.")
    return key.strip(), value.strip()


def _full_id(game_id: str) -> str:
    wanted = game_id.strip().lower()
    if wanted in PRESETS:
        return wanted
    # Presets are listed oldest first, so the last match is the newest version.
    versions = [known for known in PRESETS if known.rpartition("/")[0] == wanted]
    if versions:
        return versions[-1]
    raise OptionsError(f"There is no game {_quoted(game_id)}.", hint=_suggestion(wanted, PRESETS))


def _suggestion(wrong: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(wrong[:40], names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known: {', '.join(names)}."


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else f"{text[:40]}...")
