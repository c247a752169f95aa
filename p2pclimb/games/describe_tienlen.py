"""The rules of Tien len in plain English, section by section (see `describe`)."""

from __future__ import annotations

from p2pclimb.games.dealing import hand_sizes, pack, pack_count
from p2pclimb.games.option_words import options_in_words
from p2pclimb.games.options import Options

__all__ = ["tienlen_sections"]

_COMBINATIONS = (
    "A single card; a pair; a triple; four of a kind; a sequence of three or more consecutive ranks"
    " in any suits; a double sequence of three or more consecutive pairs."
)
_HIGHER = (
    "A play is beaten by the same type with the same number of cards and a higher highest card,"
    " suit included; an equal one does not beat it. The exceptions are chops."
)
_NO_CHOP = "A sequence that contains a 2 is not a 2."


def tienlen_sections(options: Options, seats: int | None) -> tuple[dict[str, list[str]], list[str]]:
    """Return the sections by heading, and the paragraphs about the score (rules.md section 1).

    Raises `OptionsError` if the options are not for that many seats.
    """
    sections = {
        "Cards": _cards(options, seats),
        "Deal": _deal(options, seats),
        "Lead": _lead(options, seats),
        "What can be played": [_COMBINATIONS, options_in_words(options, "twos_in_runs")],
        "What beats what": [_HIGHER, f"{options_in_words(options, 'chops')} {_NO_CHOP}"],
        "Turns": _turns(options),
    }
    scoring = [
        options_in_words(options, "scoring", "stake"),
        options_in_words(
            options, "instant_wins", *(["claim_seconds"] if options.flag("instant_wins") else [])
        ),
        options_in_words(options, "chop_pay", "rotten_twos"),
    ]
    return sections, scoring


def _cards(options: Options, seats: int | None) -> list[str]:
    preset = options.preset
    if seats is None:
        packs = (
            f"{preset.fewest_seats} to {preset.most_seats} seats: one pack of 52 cards up to four"
            " seats, two packs shuffled together from five on."
        )
    elif pack_count(options, seats) == 1:
        packs = f"{seats} seats, one pack of 52 cards."
    else:
        packs = f"{seats} seats, two packs of 52 cards shuffled together."
    return [
        packs,
        "Ranks from the lowest: 3 4 5 6 7 8 9 10 J Q K A 2. Suits from the lowest: spades, clubs,"
        " diamonds, hearts. Rank comes before suit, so the three of spades is the lowest card and"
        " the two of hearts the highest.",
    ]


def _deal(options: Options, seats: int | None) -> list[str]:
    return [
        f"{options_in_words(options, 'deal')} {_undealt(options, seats)}",
        "The first dealer is drawn at random, afterwards the loser deals. Cards are dealt one by"
        f" one, beginning after the dealer. {options_in_words(options, 'direction')}",
    ]


def _undealt(options: Options, seats: int | None) -> str:
    if seats is None:
        return "Cards that are not dealt stay unseen."
    each = hand_sizes(options, range(seats), dealer=0)[0]
    rest = len(pack(options, seats)) - seats * each
    match rest:
        case 0 if seats == 2:
            return "No card is left over, so each of the two can tell the hand of the other."
        case 0:
            return f"With {each} cards each, no card is left over."
        case 1:
            return f"With {each} cards each, one card stays undealt and unseen."
    return f"With {each} cards each, {rest} cards stay undealt and unseen."


def _lead(options: Options, seats: int | None) -> list[str]:
    lines = [
        "In the first deal the lowest card dealt leads, and must be in the first play, alone or in"
        " a combination. In later deals the winner of the one before leads anything."
    ]
    if seats is None or pack_count(options, seats) > 1:
        lines.append(
            "With two packs, if two seats hold that card, the first of them after the dealer leads."
        )
    return lines


def _turns(options: Options) -> list[str]:
    return [
        f"In your turn beat what is on the table, or pass. {options_in_words(options, 'pass_rule')}"
        " A leader may not pass.",
        "When nobody else may or will beat a play, the pile is cleared and its player leads. If"
        " that player has no cards left, the next seat with cards leads, even if it had passed.",
        options_in_words(options, "finish_on_two"),
        options_in_words(options, "turn_seconds", "duty_seconds"),
    ]
