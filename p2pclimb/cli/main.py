"""The `p2pclimb` command: finds the command named, runs it, and turns errors into exit codes.

What a command does is in its own module, imported only then: `--version` must be quick.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

import p2pclimb
from p2pclimb.cli.output import (
    INTERRUPTED,
    UnexpectedError,
    flush_output,
    report,
    show,
    tolerate_any_encoding,
)
from p2pclimb.cli.parser import Parser, global_flags, options_of, unknown
from p2pclimb.errors import ClimbError, UsageError

__all__ = ["COMMANDS", "main"]

# Command: its module in this package, and what it does in one line.
COMMANDS = {
    "audit": ("audit", "verify logs and say what they are worth"),
    "bot": ("bot", "a bot that takes a seat at somebody's table"),
    "demo": ("demo", "watch bots play a whole table, each in a process of its own"),
    "host": ("host", "open a table for your friends"),
    "id": ("identity", "your identity: the key that your friends know you by"),
    "join": ("join", "take a seat at a friend's table"),
    "log": ("log", "list, show and repair the logs on this machine"),
    "play": ("play", "play at once: you and three bots"),
    "resume": ("resume", "back to a table after a crash or an adjournment, at the same seat"),
    "rules": ("rules", "the games and their rules in plain English"),
}

_EXAMPLES = ("p2pclimb play", "p2pclimb host", "p2pclimb rules tienlen", "p2pclimb id new Ana")
_READER_GONE = 141  # what the shell reports of a program that a closed pipe ended


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (default: the process's) and return the exit code."""
    words = sys.argv[1:] if words is None else words
    as_json = "--json" in words
    tolerate_any_encoding()
    try:
        try:
            code = _run(words)
            flush_output()
        except ClimbError as error:
            code = report(error, as_json=as_json)
        except BrokenPipeError:
            raise
        except Exception as error:
            code = report(UnexpectedError.of(error), as_json=as_json)
        flush_output()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _READER_GONE
    return code


def _run(words: Sequence[str]) -> int:
    flags = global_flags()
    stop = words.index("--") if "--" in words else len(words)
    try:
        args, rest = flags.parse_known_args(words[:stop])
        return _run_words([*rest, *words[stop:]], args, flags)
    except SystemExit as end:  # --version, and --help of a command
        return int(end.code or 0)


def _run_words(words: list[str], args: argparse.Namespace, flags: Parser) -> int:
    match words:
        case []:
            names = ", ".join(COMMANDS)
            raise UsageError(f"p2pclimb needs a command: {names}.", hint="See `p2pclimb --help`.")
        case ["-h" | "--help", *_]:
            show(_main_help(flags))
            return 0
        case _:
            return _run_command(words[0], words[1:], args, flags)


def _run_command(name: str, words: list[str], args: argparse.Namespace, flags: Parser) -> int:
    if name not in COMMANDS:
        kind = "option" if name.startswith("-") else "command"
        raise unknown(kind, name, [*COMMANDS, *options_of(flags)], "p2pclimb")
    module_name, summary = COMMANDS[name]
    module = importlib.import_module(f"p2pclimb.cli.{module_name}")
    parser = Parser(
        prog=f"p2pclimb {name}", summary=summary, examples=module.EXAMPLES, parents=[flags]
    )
    module.configure(parser)
    code: int = module.run(parser.parse_words(words, args))
    return code


def _main_help(flags: Parser) -> str:
    width = max(map(len, COMMANDS))
    commands = [f"  {name:{width}}  {summary}" for name, (_, summary) in COMMANDS.items()]
    return Parser(
        prog="p2pclimb",
        summary=f"{p2pclimb.__doc__}",
        examples=_EXAMPLES,
        usage="p2pclimb COMMAND ...",
        epilog="\n".join(["commands:", *commands]),
        parents=[flags],
    ).format_help()
