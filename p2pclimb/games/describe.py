"""The rules of a table in plain English, made from the same options that the engine obeys.

The sections of each game are in `describe_tienlen` and `describe_winner`, what every value of
every option means in `option_words`, cards and combinations in `words`.
"""

from __future__ import annotations

from p2pclimb.games.describe_tienlen import tienlen_sections
from p2pclimb.games.describe_winner import winner_sections
from p2pclimb.games.option_words import difference_in_words, option_in_words, options_in_words
from p2pclimb.games.options import Options
from p2pclimb.games.presets import Family
from p2pclimb.games.words import card_in_words, combination_in_words

__all__ = [
    "card_in_words",
    "combination_in_words",
    "difference_in_words",
    "option_in_words",
    "options_in_words",
    "rules_text",
]

_AIM = "Get rid of your cards. The first to do so wins; the last one holding cards loses."
_END = (
    "The deal ends when only one seat holds cards: it is the loser. A seat that goes away with"
    " cards ranks below all that stay, the first to go lowest."
)
_FOLKLORE = (
    "Peeking and playing out of turn belong to the folklore of the game and are impossible here:"
    " nobody sees a card that is not shown, and a play out of turn is refused."
)
_ABSENT = (
    "A seat that does not act in time may be passed over by a majority of the seats of the deal; a"
    " turn is then a pass. With the third time in a deal it is out of that deal, but it may be back"
    " in the next one. A seat that is proved to have cheated loses the deal and plays no more."
)


def rules_text(options: Options, seats: int | None = None) -> str:
    """Return the rules of a table in plain English, for so many seats if that is known.

    Sections are separated by empty lines and start with a heading line; every further line is one
    paragraph, to be wrapped by whoever shows it.  Raises `OptionsError` if the options are not for
    that many seats.
    """
    match options.family:
        case Family.TIENLEN:
            sections, scoring = tienlen_sections(options, seats)
        case Family.WINNER:
            sections, scoring = winner_sections(options, seats)
    sections = {
        f"{options.preset.title} ({options.game})": [_AIM],
        **sections,
        "End and score": [
            _END,
            *scoring,
            options_in_words(options, "show_rest", "deals", "between"),
        ],
        "At this table": [_FOLKLORE, _ABSENT],
    }
    return "\n\n".join("\n".join([heading, *lines]) for heading, lines in sections.items())
