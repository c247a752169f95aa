"""The commands of the plain player: their names, what they do, and how a typed line is read."""

from __future__ import annotations

from enum import Enum

__all__ = ["FIRST_WORDS", "Command", "help_lines", "parse_command"]

FIRST_WORDS = "Type cards to play them, or pass, hint, rules, quit; ? explains all."
"""What somebody is told who has never played here."""


class Command(Enum):
    """A command; `words` are its names, the full one first."""

    PASS = ("pass p", "pass")
    CLAIM = ("claim", "claim the bomb with your fours, or that your hand wins at once")
    HINT = ("hint h", "your legal plays, or answers to what you are asked, the best first")
    HAND = ("hand", "your cards")
    TABLE = ("table t", "the trick, everybody's cards, whose turn it is")
    WHO = ("who", "who sits where, who runs whom, who is connected")
    SCORES = ("scores", "the scores")
    LOG = ("log", "what happened last; log 30 shows more")
    RULES = ("rules", "the rules of this table")
    READY = ("ready", "begin the next deal, as Enter does")
    START = ("start", "as the host of a lobby: propose the terms now")
    YES = ("yes y accept", "yes, to what was asked last")
    NO = ("no n decline", "no, to what was asked last")
    PAUSE = (
        "pause",
        "ask for a pause: while most ask for one, nobody is passed over for being late",
    )
    GO_ON = ("go continue", "go on: end the pause as far as you are concerned")
    ADJOURN = (
        "adjourn",
        "go and keep your seat, as Ctrl-C does; `p2pclimb resume` brings you back",
    )
    QUIT = ("quit q leave", "leave the table for good; says what that costs, and asks once")
    HELP = ("help ?", "this list")

    def __init__(self, words: str, summary: str) -> None:
        self.words = tuple(words.split())
        self.summary = summary


_BY_NAME = {name: command for command in Command for name in command.words}


def parse_command(line: str) -> tuple[Command, str] | None:
    """Return the command that a line names and what follows it; None if the line names none."""
    name, _, argument = line.strip().partition(" ")
    command = _BY_NAME.get(name.lower())
    return (command, argument.strip()) if command else None


def help_lines() -> list[str]:
    """Return how to play and what can be asked, one line each."""
    cards = [
        "Type cards to play them: 3s 3c, or 3s3c, or 33 to have the suits chosen.",
        "Ranks: 3 4 5 6 7 8 9 10 J Q K A 2. Suits: s spades, c clubs, d diamonds, h hearts.",
        "Jokers, where there are any: BJ black, RJ red.",
        "A play that is typed before your turn is judged, not played.",
    ]
    commands = [f"{' or '.join(each.words)}: {each.summary}." for each in Command]
    return [*cards, *commands, "Seen by 2 of 3: so many others have signed what you did last."]
