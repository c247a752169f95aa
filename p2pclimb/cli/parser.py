"""The argument parser of every command: one clear sentence for a mistake, examples first in help.

The flags that every command takes are here too; what commands take besides is in their modules.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from p2pclimb import __version__
from p2pclimb.cli.output import show
from p2pclimb.errors import UsageError
from p2pclimb.names import printable

__all__ = ["Parser", "add_action", "global_flags", "options_of", "unknown"]


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that raises `UsageError` instead of ending the program."""

    def __init__(self, *, summary: str = "", examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(
            allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings
        )
        self.summary = summary
        self.examples = tuple(examples)

    def format_help(self) -> str:
        """Return the summary, the examples, then what argparse has to say."""
        parts = [self.summary] if self.summary else []
        if self.examples:
            parts.append("\n".join(["examples:", *(f"  {line}" for line in self.examples)]))
        return "\n\n".join([*parts, super().format_help()])

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with argparse's message."""
        raise UsageError(f"{self.prog}: {printable(message)}.", hint=f"See `{self.prog} --help`.")

    def parse_words(self, words: Sequence[str], args: argparse.Namespace) -> argparse.Namespace:
        """Parse a command's words into `args`; raises `UsageError`, with a suggestion if any."""
        known = options_of(self)
        for word in words:
            if word == "--":
                break
            option = word.split("=", 1)[0]
            # Looked at first: argparse would rather complain about something missing.
            if option.startswith("--") and option not in known:
                raise unknown("option", option, known, self.prog)
        args, extra = self.parse_known_args(words, args)
        if extra:
            kind = "option" if extra[0].startswith("-") else "argument"
            raise unknown(kind, extra[0], known, self.prog)
        return args

    def _print_message(self, message: str, file: object = None) -> None:
        # Only help and the version come here; argparse would hide that nobody could read them.
        show(message.rstrip("\n"))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            name = action.metavar if isinstance(action.metavar, str) else action.dest
            raise unknown(name.lower(), str(value), map(str, action.choices), self.prog)


def add_action(
    actions: argparse._SubParsersAction[Parser], name: str, summary: str, examples: Sequence[str]
) -> Parser:
    """Add an action of a command; of the command's examples its help shows those of the action."""
    own = [line for line in examples if name in line.split()]
    return actions.add_parser(name, help=summary, summary=summary, examples=own)


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """Return the options of a parser and of the parsers of its actions."""
    options = set[str]()
    for action in parser._actions:
        options.update(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            for nested in action.choices.values():
                options |= options_of(nested)
    return options


def unknown(kind: str, word: str, known: Iterable[str], prog: str) -> UsageError:
    """Return the error for a word that is not one of the known ones, suggesting the closest."""
    close = difflib.get_close_matches(word, list(known), n=1)
    hint = f"Did you mean {close[0]}?" if close else f"See `{prog} --help`."
    return UsageError(f"{prog}: unknown {kind} {printable(word)!r}.", hint=hint)


def global_flags() -> Parser:
    """Return the flags that every command takes, before or after its name."""
    parser = Parser(prog="p2pclimb", add_help=False)
    group = parser.add_argument_group("everywhere")
    group.add_argument(
        "--data-dir",
        metavar="DIR",
        help="where everything is kept (default: $P2PCLIMB_HOME, else the system's place)",
    )
    group.add_argument("--json", action="store_true", help="data as JSON on standard output")
    group.add_argument("--plain", action="store_true", help="plain lines, no screen drawing")
    group.add_argument("-v", "--verbose", action="count", default=0, help="tell more")
    group.add_argument("-q", "--quiet", action="store_true", help="tell only what was asked for")
    group.add_argument("--version", action="version", version=f"p2pclimb {__version__}")
    return parser
