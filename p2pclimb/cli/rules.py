"""`p2pclimb rules`: the games there are, and the rules of one with its options as set."""

from __future__ import annotations

import argparse
import shutil
import textwrap

from p2pclimb.cli.output import print_json, say, show
from p2pclimb.cli.parser import Parser
from p2pclimb.games.describe import rules_text
from p2pclimb.games.options import Options, parse_setting
from p2pclimb.games.presets import PRESETS, Choice, Flag, Number, Preset, Setting

__all__ = ["EXAMPLES", "configure", "run"]

EXAMPLES = (
    "p2pclimb rules",
    "p2pclimb rules tienlen",
    "p2pclimb rules tienlen --set twos_in_runs=false --set stake=5 --seats 3",
)

_WIDEST = 100  # columns: longer lines are hard to read


def configure(parser: Parser) -> None:
    """Add the arguments of `p2pclimb rules`."""
    parser.add_argument("game", metavar="ID", nargs="?", help="default: list the games")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="set an option; may be repeated",
    )
    parser.add_argument("--seats", metavar="N", type=int, help="for so many seats")


def run(args: argparse.Namespace) -> int:
    """Carry out `p2pclimb rules`; raises `OptionsError` for rules that cannot be."""
    if args.game is None:
        _show_games(args)
        return 0
    options = Options.make(args.game, dict(map(parse_setting, args.settings)))
    if args.seats is not None:
        options.require_seats(args.seats)
    text = rules_text(options, args.seats)
    if args.json:
        print_json({"game": options.game, "settings": dict(options.items()), "text": text})
    else:
        show(_wrapped(text))
    return 0


def _show_games(args: argparse.Namespace) -> None:
    if args.json:
        print_json({"games": [_game_data(preset) for preset in PRESETS.values()]})
        return
    show("\n\n".join(map(_game_lines, PRESETS.values())))
    say(args, "\n`p2pclimb rules ID` tells the rules of one, and what its options do with --set.")


def _game_lines(preset: Preset) -> str:
    seats = f"{preset.fewest_seats} to {preset.most_seats} seats"
    width = max(len(setting.key) for setting in preset.settings)
    options = (
        f"  {setting.key:{width}}  {_allowed(setting)} (default {str(setting.default).lower()})"
        for setting in preset.settings
    )
    return "\n".join([f"{preset.id}  {preset.title}, {seats}", *options])


def _game_data(preset: Preset) -> dict[str, object]:
    return {
        "game": preset.id,
        "title": preset.title,
        "seats": [preset.fewest_seats, preset.most_seats],
        "settings": {setting.key: setting.default for setting in preset.settings},
    }


def _allowed(setting: Setting) -> str:
    match setting:
        case Choice(values=values):
            return " | ".join(values)
        case Flag():
            return "true | false"
        case Number(low=low, high=high):
            return f"{low} to {high}"


def _wrapped(text: str) -> str:
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    return "\n".join(textwrap.fill(line, width) for line in text.split("\n"))
