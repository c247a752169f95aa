"""The rules in plain English, made from the same options that the engine obeys.

One sentence for each value of each option, used both in the whole text and in the list of
differences that joining players are shown.  Cards and combinations in words are in `words`.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pclimb.games.dealing import hand_sizes, pack, pack_count
from p2pclimb.games.options import Difference, Options
from p2pclimb.games.presets import Value
from p2pclimb.games.words import card_in_words, combination_in_words

__all__ = [
    "card_in_words",
    "combination_in_words",
    "difference_in_words",
    "option_in_words",
    "rules_text",
]

_SENTENCES: dict[tuple[str, Value], str] = {
    ("deal", "13"): "Each seat is dealt 13 cards.",
    ("deal", "17"): "Each of the three seats is dealt 17 cards.",
    ("deal", "all"): "As many cards as possible are dealt, the same number to each seat.",
    ("direction", "clockwise"): "Turns go clockwise.",
    ("direction", "anticlockwise"): "Turns go anticlockwise.",
    ("twos_in_runs", True): (
        "A sequence or double sequence may end in 2, as J-Q-K-A-2 does, but never goes round the"
        " corner, as A-2-3 would."
    ),
    ("twos_in_runs", False): "There is no 2 in a sequence or double sequence; an ace ends it.",
    ("chops", "source"): (
        "Four of a kind or three pairs in sequence beats one 2. Four pairs in sequence beat a pair"
        " of 2s. Five pairs in sequence beat three 2s. Each of these is then beaten only by a"
        " higher one of its own kind and length."
    ),
    ("chops", "cumulative"): (
        "Four of a kind or three or more pairs in sequence beats one 2. Four or more pairs in"
        " sequence beat a pair of 2s. Five or more pairs in sequence beat three 2s. Each of these"
        " is then beaten only by a higher one of its own kind and length."
    ),
    ("chops", "southern"): (
        "Three pairs in sequence beat one 2. Four of a kind beats one 2, a pair of 2s and three"
        " pairs in sequence. Four pairs in sequence beat one 2, a pair of 2s, three pairs in"
        " sequence and four of a kind. Five or more pairs in sequence beat all of these, four"
        " pairs in sequence, and three 2s. Otherwise each is beaten only by a higher one of its"
        " own kind and length; no pairs in sequence beat four 2s."
    ),
    ("finish_on_two", True): "You may go out with any play, 2s too.",
    ("finish_on_two", False): (
        "You may not go out with a play of 2s only. A leader who has nothing else passes the lead"
        " to the next seat with cards and shows its hand to prove it; that pass does not lock."
        " When every seat with cards has passed the lead in succession, 2s may go out for the rest"
        " of the deal, and the seat that passed first leads."
    ),
    ("pass_rule", "locked"): "A pass locks you out until the pile is cleared.",
    ("pass_rule", "free"): (
        "A pass does not lock you out: you may play again later in the same trick, until all"
        " others with cards have passed in succession."
    ),
    ("scoring", "stake"): "The loser pays one stake to each other seat.",
    ("scoring", "places"): (
        "Points go by the order of finishing: two stakes to the first and one to the second, paid"
        " one by the last but one and two by the last. With two or three seats the last pays one"
        " stake to the first."
    ),
    ("instant_wins", False): "No hand wins before the first play.",
    ("instant_wins", True): (
        "Before the first play every seat may claim an instant win by showing its whole hand. From"
        " the best: four 2s; a dragon, which is a sequence from 3 to ace; five pairs in sequence;"
        " six pairs, where four of a kind counts as two; and in the first deal only, four 3s. The"
        " best claim ends the deal: every other seat pays it one stake, nobody loses, the same"
        " seat deals again and the claimant leads. Of equal claims the one with the higher best"
        " card wins, then the first in order of turn from the leader. This needs one pack and 13"
        " cards each."
    ),
    ("chop_pay", False): "Chops cost nothing.",
    ("chop_pay", True): (
        "Chops are paid for at the end of the trick, also when the end of the deal cuts it short:"
        " the seat chopped last pays the last chopper for all that was chopped in the trick, which"
        " is every set of 2s that was chopped and every four of a kind and double sequence that"
        " was beaten. A black 2 costs one stake, a red 2 two, three pairs three, four of a kind"
        " four, four pairs five, five or more pairs six."
    ),
    ("rotten_twos", False): "2s left in the loser's hand cost nothing.",
    ("rotten_twos", True): (
        "The loser shows its remaining hand and pays the seat that finished just before it for"
        " each 2 in it, one stake for a black and two for a red one. A loser that does not show"
        " its hand pays as if it held every 2 not yet seen, the red ones first, one for each of"
        " its cards at most."
    ),
    ("deals", 0): "Deals are played until people leave.",
    ("deals", 1): "One deal is played.",
    ("between", 0): "The next deal waits for Enter.",
    ("show_rest", True): "At the end of a deal the cards that are left are shown to all.",
    ("show_rest", False): "At the end of a deal the cards that are left stay hidden.",
}

_NUMBERS: dict[str, Callable[[Value], str]] = {
    "stake": lambda value: f"The stake is {_points(value)}.",
    "deals": lambda value: f"{value} deals are played.",
    "between": lambda value: f"The next deal begins by itself after {_seconds(value)}.",
    "turn_seconds": lambda value: f"A turn should not take longer than {_seconds(value)}.",
}


def option_in_words(key: str, value: Value) -> str:
    """Return what one value of one option means, as a sentence or several."""
    return _SENTENCES.get((key, value)) or _NUMBERS[key](value)


def difference_in_words(difference: Difference) -> str:
    """Return an option that is not as usual: its name, what it means, and the usual value."""
    key, usual = difference.key, _shown(difference.default)
    return (
        f"{key}={_shown(difference.value)}: {option_in_words(key, difference.value)}"
        f" (Usual: {usual}.)"
    )


def rules_text(options: Options, seats: int | None = None) -> str:
    """Return the rules of a table in plain English, for so many seats if that is known.

    Sections are separated by empty lines and start with a heading line; every further line is one
    paragraph, to be wrapped by whoever shows it.  Raises `OptionsError` if the options are not for
    that many seats.
    """
    sections = {
        f"{options.preset.title} ({options.game})": _AIM,
        "Cards": _cards(options, seats),
        "Deal": _deal(options, seats),
        "Lead": _lead(options, seats),
        "What can be played": [_COMBINATIONS, _word(options, "twos_in_runs")],
        "What beats what": [_HIGHER, f"{_word(options, 'chops')} {_NO_CHOP}"],
        "Turns": _turns(options),
        "End and score": _end(options),
        "At this table": _FOLKLORE,
    }
    return "\n\n".join("\n".join([heading, *lines]) for heading, lines in sections.items())


_AIM = ["Get rid of your cards. The first to do so wins; the last one holding cards loses."]
_COMBINATIONS = (
    "A single card; a pair; a triple; four of a kind; a sequence of three or more consecutive ranks"
    " in any suits; a double sequence of three or more consecutive pairs."
)
_HIGHER = (
    "A play is beaten by the same type with the same number of cards and a higher highest card,"
    " suit included; an equal one does not beat it. The exceptions are chops."
)
_NO_CHOP = "A sequence that contains a 2 is not a 2."
_FOLKLORE = [
    "Peeking and playing out of turn belong to the folklore of the game and are impossible here:"
    " nobody sees a card that is not shown, and a play out of turn is refused."
]


def _word(options: Options, *keys: str) -> str:
    return " ".join(option_in_words(key, options[key]) for key in keys)


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
        f"{_word(options, 'deal')} {_undealt(options, seats)}",
        "The first dealer is drawn at random, afterwards the loser deals. Cards are dealt one by"
        f" one, beginning after the dealer. {_word(options, 'direction')}",
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
        f"In your turn beat what is on the table, or pass. {_word(options, 'pass_rule')} A leader"
        " may not pass.",
        "When nobody else may or will beat a play, the pile is cleared and its player leads. If"
        " that player has no cards left, the next seat with cards leads, even if it had passed.",
        _word(options, "finish_on_two"),
        _word(options, "turn_seconds"),
    ]


def _end(options: Options) -> list[str]:
    return [
        "The deal ends when only one seat holds cards: it is the loser. A seat that goes away with"
        " cards ranks below all that stay, the first to go lowest.",
        _word(options, "scoring", "stake"),
        _word(options, "instant_wins"),
        _word(options, "chop_pay", "rotten_twos"),
        _word(options, "show_rest", "deals", "between"),
    ]


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _points(value: Value) -> str:
    return "1 point" if value == 1 else f"{value} points"


def _seconds(value: Value) -> str:
    return "1 second" if value == 1 else f"{value} seconds"
