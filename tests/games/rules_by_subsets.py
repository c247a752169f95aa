"""The rules of combinations written a second time, as plainly and slowly as possible.

Every subset of a hand is tried; types are told by comparing strings of ranks with the string of
all ranks, and chops are looked up in a table written out by hand.  Shares nothing with the package
but the cards.
"""

from itertools import combinations

RANKS = "3456789TJQKA2"
SUITS = "scdh"


def name_of(cards, twos_in_runs, packs):
    """The type and size of some cards, such as ("pair", 2); None if they are nothing."""
    names = [str(card) for card in cards]
    if any(names.count(name) > packs for name in names):
        return None
    ranks = "".join(sorted((name[0] for name in names), key=RANKS.index))
    size = len(ranks)
    row = RANKS if twos_in_runs else RANKS.rstrip("2")
    if ranks == ranks[0] * size:
        return {
            1: ("single", 1),
            2: ("pair", 2),
            3: ("triple", 3),
            4: ("four", 4),
        }.get(size)
    if size >= 3 and ranks in row:
        return ("sequence", size)
    if size >= 6 and ranks[::2] == ranks[1::2] and ranks[::2] in row:
        return ("double", size)
    return None


def highest(cards):
    return max((RANKS.index(str(card)[0]), SUITS.index(str(card)[1])) for card in cards)


PAIRS = [f"{count} pairs" for count in range(3, 14)]
CHOPPED = {
    "source": {
        "3 pairs": ["2"],
        "four": ["2"],
        "4 pairs": ["2-2"],
        "5 pairs": ["2-2-2"],
    },
    "cumulative": {
        "3 pairs": ["2"],
        "four": ["2"],
        "4 pairs": ["2", "2-2"],
        **{many: ["2", "2-2", "2-2-2"] for many in PAIRS[2:]},
    },
    "southern": {
        "3 pairs": ["2"],
        "four": ["2", "2-2", "3 pairs"],
        "4 pairs": ["2", "2-2", "3 pairs", "four"],
        **{many: ["2", "2-2", "2-2-2", "3 pairs", "four", "4 pairs"] for many in PAIRS[2:]},
    },
}


def nickname(name, cards):
    """What a combination is called in the table of chops."""
    if {str(card)[0] for card in cards} == {"2"}:
        return "-".join("2" * len(cards))
    return f"{len(cards) // 2} pairs" if name[0] == "double" else name[0]


def is_higher(play, table, settings, packs):
    """Whether a play beats the table; both are known to be combinations."""
    twos = settings["twos_in_runs"]
    play_name, table_name = name_of(play, twos, packs), name_of(table, twos, packs)
    if play_name == table_name:
        return highest(play) > highest(table)
    chopper = "four" if play_name[0] == "four" else nickname(play_name, play)
    return nickname(table_name, table) in CHOPPED[settings["chops"]].get(chopper, ())


def subsets(hand):
    """Every subset of a hand, each once however many twins there are."""
    seen = set()
    for size in range(1, len(hand) + 1):
        for cards in combinations(sorted(hand, key=lambda card: card.index), size):
            if cards not in seen:
                seen.add(cards)
                yield cards


def stand_in(cards, name, legal):
    """The play that is listed for this one: for runs the one with the lowest cards below its top.

    Twins in a hand are equal, so plays are tuples of faces sorted from the lowest.
    """
    if name[0] not in ("sequence", "double"):
        return cards
    same = (
        other
        for other, its_name in legal.items()
        if its_name == name and highest(other) == highest(cards)
    )
    return min(same, key=lambda other: [card.index for card in other])
