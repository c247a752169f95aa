"""Text that came from somebody else, made safe to show: player names and foreign words.

Nothing here knows terminals or files.  A name that reaches a screen, a log listing or a report has
passed `clean_name`; any other foreign text passes `printable`.
"""

from __future__ import annotations

import unicodedata

from p2pclimb.errors import UsageError

__all__ = ["MAX_NAME", "clean_name", "name_key", "printable"]

MAX_NAME = 24  # code points

# Control and format characters (escape sequences, bidi overrides, joiners, tags), halves of
# surrogate pairs, private use, unassigned, line and paragraph separators.
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

# Default_Ignorable_Code_Point of the Unicode Character Database outside those categories, and the
# blank braille pattern: letters and marks that draw nothing.
_UNSEEN_CHARACTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    map(chr, range(0x180B, 0x1810)),
    map(chr, range(0xFE00, 0xFE10)),
    map(chr, range(0xE0100, 0xE01F0)),
)


def printable(text: str) -> str:
    """Return `text` in NFC on one line, without any character that moves, hides or reorders.

    Every kind of space becomes a plain one.  The result may be empty.  Source: experience.md,
    "Names and chat from others".
    """
    return unicodedata.normalize("NFC", "".join(filter(None, map(_seen, text))))


def clean_name(text: str) -> str:
    """Return the player name that `text` shows as: printable, NFC, at most `MAX_NAME` code points.

    Idempotent.  Raises `UsageError` when nothing printable is left.
    """
    # A name that is cut in the middle of foreign text stays a name; nobody owns more of the screen
    # than `MAX_NAME` characters.  A combining mark in front would sit on whatever is shown before.
    start = 0
    seen = printable(text)
    while start < len(seen) and (seen[start] == " " or unicodedata.category(seen[start])[0] == "M"):
        start += 1
    name = " ".join(seen[start:].split())[:MAX_NAME].rstrip()
    if not name:
        raise UsageError(
            "A name needs at least one printable character.",
            hint="Choose a name with letters or digits in it.",
        )
    return name


def name_key(name: str) -> str:
    """Return the form under which two names count as the same: NFKC, casefolded.

    Source: protocol.md section 3, "Names are unique after NFKC and casefold".
    """
    # Casefolding can leave decomposed letters behind, hence the second normalisation.
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def _seen(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    if category in _UNSEEN_CATEGORIES or character in _UNSEEN_CHARACTERS:
        return ""
    return character
