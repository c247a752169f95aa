"""The rules of Winner in plain English, section by section (see `describe`)."""

from __future__ import annotations

from p2pclimb.games.dealing import hand_sizes, pack, pack_count
from p2pclimb.games.option_words import option_in_words, options_in_words
from p2pclimb.games.options import Options
from p2pclimb.games.rulebook import rulebook

__all__ = ["winner_sections"]

_COMBINATIONS = (
    "A single card; a pair; three of a kind; a full house, which is a triple and a pair of another"
    " rank; four of a kind; a straight; a pair straight of two or more consecutive pairs; a triple"
    " straight of two or more consecutive triples; a straight flush, all of one suit."
)
_JOKERS = (
    "The jokers are single cards, or two of them are played together; they are no pair, and never"
    " in a full house or a straight."
)
_STRAIGHTS = (
    "In straights of all kinds the 2 is low and the ace high or low, without going round the"
    " corner: A-2-3-4-5 is the lowest and 10-J-Q-K-A the highest, J-Q-K-A-2 and K-A-2-3-4 are"
    " nothing. All 13 ranks are a straight from 2 to ace, or, while ranks are upside down, from ace"
    " to king. A straight of five or more cards of one suit is always a straight flush."
)
_HIGHER = (
    "A play is beaten by the same type with the same number of cards, if higher; an equal one does"
    " not beat it. A pair is as high as its higher-suited card, a full house as its triple, a"
    " straight of any kind as its lowest card."
)


def winner_sections(options: Options, seats: int | None) -> tuple[dict[str, list[str]], list[str]]:
    """Return the sections by heading, and the paragraphs about the score (rules.md section 2).

    Raises `OptionsError` if the options are not for that many seats.
    """
    sections = {
        "Cards": _cards(options, seats),
        "Deal": _deal(options, seats),
        "Lead": _lead(options),
        "What can be played": _plays(options),
        "What beats what": _beating(options),
        "Turns": _turns(options),
    }
    keys = ("scoring", "score_at") if options.choice("scoring") == "cards" else ("scoring",)
    return sections, [options_in_words(options, *keys)]


def _cards(options: Options, seats: int | None) -> list[str]:
    has_jokers = options.flag("jokers")
    size = 54 if has_jokers else 52
    if seats is None:
        preset = options.preset
        fewest = 4 if options.number("packs") == 2 else preset.fewest_seats
        table = f"{fewest} to {preset.most_seats} seats"
    else:
        table = f"{seats} seats"
        pack_count(options, seats)
    jokers = " Above the 2 are the black joker and, highest, the red joker." if has_jokers else ""
    return [
        f"{table}, {size} cards in a pack. {options_in_words(options, 'packs', 'jokers')}",
        "Ranks from the lowest: 3 4 5 6 7 8 9 10 J Q K A 2. Suits from the lowest: diamonds, clubs,"
        f" hearts, spades. Rank comes before suit.{jokers}",
    ]


def _deal(options: Options, seats: int | None) -> list[str]:
    return [
        "The first dealer is drawn at random, afterwards the loser deals. All cards are dealt, one"
        f" by one, beginning with the dealer. {options_in_words(options, 'direction')}",
        *_hands(options, seats),
        options_in_words(options, "exchange"),
    ]


def _hands(options: Options, seats: int | None) -> list[str]:
    """Return how many cards each seat gets, and what two seats know of each other."""
    known = "each of them can tell the hand of the other, as all other cards are there"
    if seats is None:
        return [f"With two seats {known}."]
    sizes = hand_sizes(options, range(seats), dealer=0)
    fewest, most = min(sizes.values()), max(sizes.values())
    each = f"{most}" if fewest == most else f"{most} or {fewest}"
    cards = f"With {seats} seats each is dealt {each} of the {len(pack(options, seats))} cards."
    return [cards, f"With two seats {known}."] if seats == 2 else [cards]


def _lead(options: Options) -> list[str]:
    twin = " Its twin means nothing." if options.number("packs") == 2 else ""
    return [
        "In the first deal one card at a random place of the pack is turned face up: whoever is"
        f" dealt it leads anything.{twin} {options_in_words(options, 'next_lead')}"
    ]


def _plays(options: Options) -> list[str]:
    jokers = [_JOKERS] if options.flag("jokers") else []
    return [_COMBINATIONS, f"{options_in_words(options, 'min_straight')} {_STRAIGHTS}", *jokers]


def _beating(options: Options) -> list[str]:
    return [
        f"{_HIGHER} {options_in_words(options, 'straight_suit')}",
        _bombs(options),
        *_two_jokers(options),
        _fours(options),
        options_in_words(options, "skip_formalities"),
    ]


def _bombs(options: Options) -> str:
    """Return the bombs, weakest first, of the one of three sets of rules that is played."""
    jokers = ["two jokers"] if options.flag("jokers") else []
    if options.flag("revolution"):
        return f"{options_in_words(options, 'revolution')} {_flush(jokers)}"
    by_option = options_in_words(options, "bomb_variation")
    if options.flag("bomb_variation"):
        words = f"{_flush([*jokers, 'four of a kind'])} {by_option}"
    else:
        words = (
            f"{options_in_words(options, 'triple_is_bomb')} Four of a kind is a bomb that beats any"
            f" play but {_listed(['a higher one', 'a straight flush', *jokers])}. {by_option}"
            f" {_flush(jokers)}"
        )
    return f"{words} A higher bomb of the same kind wins. {options_in_words(options, 'revolution')}"


def _flush(stronger: list[str]) -> str:
    return (
        "A straight flush is a bomb that beats any play but"
        f" {_listed([*stronger, 'another straight flush'])}; of those it beats the lower ones of"
        " its own length."
    )


def _listed(names: list[str]) -> str:
    """Return names with commas and an `and`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _two_jokers(options: Options) -> list[str]:
    if not options.flag("jokers"):
        return []
    if options.flag("bomb_variation"):
        return ["Two jokers beat any play but four of a kind."]
    return ["Nothing beats two jokers: they end the trick at once and their player leads."]


def _fours(options: Options) -> str:
    if not rulebook(options).fours:
        return option_in_words("fours", "off")
    window = ["claim_seconds"] if options["fours_when"] == "anyone" else []
    return options_in_words(options, "fours", "fours_when", *window)


def _turns(options: Options) -> list[str]:
    return [
        f"In your turn beat what is on the table, or pass. {options_in_words(options, 'pass_rule')}"
        " A leader may not pass.",
        "When nobody else will beat a play, the pile is cleared and its player leads. If that"
        " player has no cards left, the next seat with cards leads.",
        options_in_words(options, "turn_seconds", "duty_seconds"),
    ]
