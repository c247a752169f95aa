"""How the people at a table are called in sentences: by name, or as "you".

A name is somebody else's text: one that could be read as part of the sentence stands in quotes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2pclimb.names import name_key, printable

__all__ = ["People", "shown_name"]

_PRONOUNS = frozenset({"you", "your", "nobody", "everybody", "all"})
_THIRD_PERSON = {"have": "has", "are": "is"}


def shown_name(name: str) -> str:
    """Return a name as it may stand in a sentence: nothing in it can move, hide or pretend.

    Anything but one word of letters and digits is quoted, as are words such as "you".
    """
    seen = printable(name)
    is_word = all(unicodedata.category(letter)[0] in "LMN" or letter in "-_'." for letter in seen)
    if is_word and seen and name_key(seen) not in _PRONOUNS:
        return seen
    return '"' + seen.replace('"', "'") + '"'


@dataclass(frozen=True, slots=True)
class People:
    """The seats' names, as given by their players, and the seat that reads (None: a looker-on)."""

    names: Sequence[str]
    own: int | None

    def name(self, seat: int) -> str:
        """Return a seat's name, or "you"."""
        if seat == self.own:
            return "you"
        return shown_name(self.names[seat]) if seat < len(self.names) else f"seat {seat + 1}"

    def whose(self, seat: int) -> str:
        """Return the possessive: `Ana's`, `your`."""
        return "your" if seat == self.own else f"{self.name(seat)}'s"

    def subject(self, seat: int) -> str:
        """Return a seat's name, or "You", for the beginning of a sentence."""
        return "You" if seat == self.own else self.name(seat)

    def says(self, seat: int, verb: str) -> str:
        """Return a clause: `Ana plays`, `you play`; `verb` is in the form that goes with "you"."""
        if seat == self.own:
            return f"you {verb}"
        ending = "es" if verb.endswith(("s", "sh")) else "s"
        return f"{self.name(seat)} {_THIRD_PERSON.get(verb, verb + ending)}"

    def does(self, seat: int, verb: str) -> str:
        """Return the beginning of a sentence: `Ana plays`, `You play`."""
        return f"You {verb}" if seat == self.own else self.says(seat, verb)

    def verb(self, seat: int, verb: str) -> str:
        """Return a verb alone in the form that goes with a seat: `leads`, `lead`."""
        return self.says(seat, verb).removeprefix(f"{self.name(seat)} ")

    def list(self, seats: Iterable[int]) -> str:
        """Return several seats: `Ana, Bob and you`."""
        names = [self.name(seat) for seat in seats]
        return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
