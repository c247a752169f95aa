"""The rules of Winner about plays written a second time, as plainly and slowly as possible.

Every subset of a hand is tried.  Runs are told by looking for the ranks, as text, in a text of all
ranks, and bombs by a list of pairs "beats".  Shares nothing with the package but the cards.
"""

from rules_by_subsets import subsets

RANKS = "3456789TJQKA2"
ROW = "A23456789TJQKA"
SUITS = "dchs"

__all__ = ["is_higher", "name_of", "order_of", "stand_in", "subsets"]


def order_of(card):
    """Rank, then suit, as in the text of a card; jokers last."""
    name = str(card)
    if name in ("BJ", "RJ"):
        return 13 + (name == "RJ"), 0
    return RANKS.index(name[0]), SUITS.index(name[1])


def name_of(cards, rules, packs):
    """The type, its size and where it lies, such as ("pair", 2, 6); None for no combination.

    `rules` are the settings of the table with a key `inverted`.
    """
    names = [str(card) for card in cards]
    if any(names.count(name) > packs for name in names):
        return None
    jokers = [name for name in names if name in ("BJ", "RJ")]
    if jokers:
        return joker_name(names, jokers)
    ranks = sorted(name[0] for name in names)
    size = len(names)
    different = sorted(set(ranks))
    if len(different) == 1:
        kind = {1: "single", 2: "pair", 3: "triple", 4: "four"}.get(size)
        return kind and (kind, size, RANKS.index(ranks[0]))
    if size == 5 and len(different) == 2 and ranks.count(ranks[0]) in (2, 3):
        triple = next(rank for rank in different if ranks.count(rank) == 3)
        return ("full house", 5, RANKS.index(triple))
    times = {ranks.count(rank) for rank in different}
    start = where_in_row(different, rules["inverted"])
    if len(times) != 1 or start is None or min(times) > 3:
        return None
    if times == {1}:
        is_flush = size >= 5 and len({name[1] for name in names}) == 1
        if is_flush:
            return ("flush", size, start)
        return ("straight", size, start) if size >= rules["min_straight"] else None
    return ({2: "pair straight", 3: "triple straight"}[min(times)], size, start)


def joker_name(names, jokers):
    if len(names) == 1:
        return ("single", 1, 13 + (names == ["RJ"]))
    return ("jokers", 2, 0) if len(names) == len(jokers) == 2 else None


def where_in_row(ranks, inverted):
    """Where in A23...KA these ranks stand without a gap; of two places the better one."""
    places = [
        start for start in range(len(ROW)) if sorted(ROW[start : start + len(ranks)]) == ranks
    ]
    if not places:
        return None
    return min(places) if inverted else max(places)


def deciding_suit(cards, name, rules):
    """The suit that decides between equal ranks, as a number; 0 where none does."""
    kind, _, start = name
    if kind in ("single", "pair"):
        return max(order_of(card)[1] for card in cards)
    if kind in ("straight", "flush") and rules["straight_suit"]:
        last = ROW[start + len(cards) - 1]
        (suit,) = [order_of(card)[1] for card in cards if str(card)[0] == last]
        return suit
    return 0


ORDINARY = ["single", "pair", "full house", "straight", "pair straight", "triple straight"]


def beaten_by_bomb(rules):
    """Which kinds each kind of bomb beats, apart from lower ones of its own kind."""
    if rules["revolution"]:
        plain = [*ORDINARY, "triple", "four"]
        return {"flush": plain, "jokers": [*plain, "flush"]}
    if rules["bomb_variation"]:
        plain = [*ORDINARY, "triple"]
        return {
            "flush": plain,
            "jokers": [*plain, "flush"],
            "four": [*plain, "flush", "jokers"],
        }
    ladder = ["four", "flush", "jokers"]
    plain = [*ORDINARY, "triple"]
    if rules["triple_is_bomb"]:
        ladder, plain = ["triple", *ladder], ORDINARY
    return {kind: [*plain, *ladder[:place]] for place, kind in enumerate(ladder)}


def is_higher(play, table, rules, packs):
    """Whether a play beats the table; both are known to be combinations."""
    name, other = name_of(play, rules, packs), name_of(table, rules, packs)
    bombs = beaten_by_bomb(rules)
    if name[:2] == other[:2]:
        own, its = name[2], other[2]
        if rules["inverted"] and name[0] != "jokers":
            own, its = (-place if place < 13 or name[1] > 1 else place for place in (own, its))
        return (own, deciding_suit(play, name, rules)) > (its, deciding_suit(table, other, rules))
    if name[0] != other[0] and other[0] in bombs.get(name[0], ()):
        return True
    ranks = {str(card)[0] for card in play}
    fours = {("pair", "triple"), ("triple", "four")}
    return (
        rules["fours"] != "off"
        and ranks == {"4"}
        and (name[0], other[0]) in fours
        and other[0] in bombs
    )


def stand_in(cards, name, allowed, rules):
    """The play that is listed for this one: with the lowest cards where others decide nothing."""
    kind = name[0]
    if kind in ("single", "pair", "triple", "four", "jokers"):
        return cards
    same = [
        other
        for other, its in allowed.items()
        if its == name and key(other, its) == key(cards, name)
    ]
    return min(same, key=lambda other: [order_of(card) for card in laid_out(other, name)])


def key(cards, name):
    if name[0] == "full house":
        return {str(card)[0] for card in cards}
    return order_of(laid_out(cards, name)[-1])


def laid_out(cards, name):
    """The cards of a run from its lowest end on; of a full house sorted."""
    if name[0] == "full house":
        return sorted(cards, key=order_of)
    row = ROW[name[2] :]
    return sorted(cards, key=lambda card: (row.index(str(card)[0]), order_of(card)))
