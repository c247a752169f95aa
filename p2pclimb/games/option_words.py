"""What every value of every option means, in plain English.

One sentence or several for each, used both in the whole text of the rules (`describe`) and in the
list of differences that joining players are shown.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pclimb.games.options import Difference, Options
from p2pclimb.games.presets import Value

__all__ = ["difference_in_words", "option_in_words", "options_in_words"]

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
    ("jokers", True): "The pack has a black and a red joker.",
    ("jokers", False): "The pack has no jokers.",
    ("packs", 1): "One pack is used.",
    ("packs", 2): "Two packs are shuffled together; equal cards do not beat each other.",
    ("triple_is_bomb", True): "Three of a kind is a bomb: it beats any play that is not a bomb.",
    ("triple_is_bomb", False): "Three of a kind is an ordinary play and no bomb.",
    ("bomb_variation", True): (
        "Three of a kind is no bomb, and four of a kind beats everything but a higher four of a"
        " kind, two jokers too, which then do not end the trick at once."
    ),
    ("bomb_variation", False): "Four of a kind does not beat a straight flush.",
    ("revolution", True): (
        "Three and four of a kind are no bombs. Playing four of a kind turns the order of ranks"
        " upside down until the next four of a kind or the end of the deal; one that answers"
        " another is judged by the order that the first has just made. Jokers stay on top, suits do"
        " not turn, and of straights the one with the lower lowest card wins."
    ),
    ("revolution", False): "The order of ranks never turns.",
    ("straight_suit", True): (
        "Of two straights or straight flushes with equal ranks, the one whose highest card has the"
        " higher suit wins; of A-2-3-4-5 that card is the 5."
    ),
    ("straight_suit", False): "Suits never matter between straights.",
    ("fours", "pickup"): (
        "Double o'Four: exactly two fours take a bomb of three of a kind, exactly three fours one"
        " of four of a kind, instead of a higher bomb. The bomb goes face up into the hand of the"
        " seat that played the fours, the pile is cleared and that seat leads, even if the fours"
        " were its last cards."
    ),
    ("fours", "takeover"): (
        "Double o'Four: exactly two fours take a bomb of three of a kind, exactly three fours one"
        " of four of a kind, instead of a higher bomb. The bomb stays on the table and belongs to"
        " the seat that played the fours."
    ),
    ("fours", "off"): "Fours have no power over bombs.",
    ("fours_when", "turn"): "Fours are played in turn only.",
    ("fours_when", "anyone"): (
        "When a bomb that fours can take is played, every other seat with cards, even one that"
        " passed, may claim it with fours within a fixed time; the nearest after the bomber gets it"
        " and the others keep their fours, face up. Fours may still be played in turn afterwards."
    ),
    ("next_lead", "loser"): "In later deals the loser of the one before leads.",
    ("next_lead", "winner"): "In later deals the winner of the one before leads.",
    ("next_lead", "left_of_dealer"): "In later deals the seat after the dealer leads.",
    ("skip_formalities", True): (
        "After the red joker or a pair of 2s nobody is asked: that player leads again at once."
    ),
    ("skip_formalities", False): "A red joker and a pair of 2s are offered to all as usual.",
    ("exchange", True): (
        "Before later deals the loser gives its highest card to the winner, who offers two other"
        " cards; the loser sees both and takes one. Exchanged cards are shown to all, the offered"
        " card that is not taken is seen by the loser alone."
    ),
    ("exchange", False): "No cards are exchanged.",
    ("scoring", "cards"): (
        "Every other seat pays the winner one point for each card it holds, two a card if it holds"
        " many, and three a card if it has not played any. With four seats and one pack many is 10"
        " or more; with three seats and one pack it is 12 or more, and from 17 on three a card; at"
        " other tables it is three quarters of the hand that was dealt to the seat. Cards that were"
        " picked up count, and the fours that picked them up count as played."
    ),
    ("scoring", "none"): "No points are counted.",
    ("score_at", "winner_out"): "Cards are counted when the winner goes out.",
    ("score_at", "end"): "Cards are counted at the end of the deal.",
    ("deals", 0): "Deals are played until people leave.",
    ("deals", 1): "One deal is played.",
    ("between", 0): "The next deal waits for Enter.",
    ("show_rest", True): "At the end of a deal the cards that are left are shown to all.",
    ("show_rest", False): "At the end of a deal the cards that are left stay hidden.",
}

_NUMBERS: dict[str, Callable[[Value], str]] = {
    "min_straight": lambda value: f"A straight has {value} cards or more, a straight flush five.",
    "stake": lambda value: f"The stake is {_points(value)}.",
    "deals": lambda value: f"{value} deals are played.",
    "between": lambda value: f"The next deal begins by itself after {_seconds(value)}.",
    "turn_seconds": lambda value: f"A turn should not take longer than {_seconds(value)}.",
    "duty_seconds": lambda value: (
        f"Each player's program has {_seconds(value)} for what it does by itself, such as"
        " shuffling; then the others may vote to go on without that player."
    ),
    "claim_seconds": lambda value: f"Claims are answered after {_seconds(value)}, whoever claims.",
}


def option_in_words(key: str, value: Value) -> str:
    """Return what one value of one option means, as a sentence or several."""
    return _SENTENCES.get((key, value)) or _NUMBERS[key](value)


def options_in_words(options: Options, *keys: str) -> str:
    """Return what these options of a table are set to; nothing follows the only deal of a table."""
    told = (key for key in keys if key != "between" or options["deals"] != 1)
    return " ".join(option_in_words(key, options[key]) for key in told)


def difference_in_words(difference: Difference) -> str:
    """Return an option that is not as usual: its name, what it means, and the usual value."""
    key, usual = difference.key, _shown(difference.default)
    return (
        f"{key}={_shown(difference.value)}: {option_in_words(key, difference.value)}"
        f" (Usual: {usual}.)"
    )


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _points(value: Value) -> str:
    return "1 point" if value == 1 else f"{value} points"


def _seconds(value: Value) -> str:
    return "1 second" if value == 1 else f"{value} seconds"
