"""The games of section 11 of protocol.md for the independent auditor: faces, plays, tricks, points.

Faces are numbers: 0 to 51 by rank and suit, 52 and 53 the jokers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from independent_group import require

TWO, FOUR, RED = 12, 1, 14
Options = Mapping[str, object]


class Combo(NamedTuple):
    kind: str
    length: int
    height: int
    suit: int
    cards: tuple[int, ...]

    def strength(self, turned: bool) -> tuple[int, int]:
        is_turned = turned and self.height <= TWO
        return (-self.height if is_turned else self.height), self.suit

    @property
    def ranks(self) -> set[int]:
        return {rank(card) for card in self.cards}


def rank(face: int) -> int:
    return face // 4 if face < 52 else face - 39


def suit(face: int, game: str) -> int:
    if face >= 52:
        return 0
    return (3, 1, 0, 2)[face % 4] if game == "winner/1" else face % 4


def height_of(face: int, game: str) -> tuple[int, int]:
    return rank(face), suit(face, game)


# -- combinations -----------------------------------------------------------------------------


def combination(
    cards: Sequence[int], game: str, options: Options, packs: int, turned: bool = False
) -> Combo:
    """Tell what cards are; anything that is nothing is refused."""
    require(cards and max(Counter(cards).values()) <= packs, "no combination")
    found = winner_combo if game == "winner/1" else tienlen_combo
    kind, length, height, decides = found(cards, options, turned)
    return Combo(kind, length, height, decides, tuple(cards))


def tienlen_combo(cards: Sequence[int], options: Options, _: bool) -> tuple:
    ranks = Counter(map(rank, cards))
    top = max(cards)
    width, length = len(cards) // len(ranks), len(ranks)
    require(set(ranks.values()) == {width}, "no combination")
    if length == 1 and width <= 4:
        return ("single", "pair", "triple", "four")[width - 1], 1, *height_of(top, "")
    highest = TWO if options["twos_in_runs"] else TWO - 1
    is_run = max(ranks) - min(ranks) == length - 1 and max(ranks) <= highest
    require(is_run and length >= 3 and width <= 2, "no combination")
    return ("sequence", "double")[width - 1], length, *height_of(top, "")


def winner_combo(cards: Sequence[int], options: Options, turned: bool) -> tuple:
    ranks = Counter(map(rank, cards))
    width, length = len(cards) // len(ranks), len(ranks)
    top = max(cards, key=lambda card: height_of(card, "winner/1"))
    if len(cards) == 1:
        return "single", 1, *height_of(top, "winner/1")
    if min(ranks) > TWO:
        require(len(cards) == 2, "no combination")
        return "jokers", 1, RED, 0
    require(max(ranks) <= TWO, "no combination")
    if length == 1:
        require(width <= 4, "no combination")
        decides = suit(top, "winner/1") if width == 2 else 0
        return ("pair", "triple", "four")[width - 2], 1, rank(top), decides
    if sorted(ranks.values()) == [2, 3]:
        (of_three,) = [r for r, count in ranks.items() if count == 3]
        return "full house", 1, of_three, 0
    require(set(ranks.values()) == {width} and width <= 3, "no combination")
    height = run_height(set(ranks), turned)
    kind = ("straight", "pair straight", "triple straight")[width - 1]
    decides = 0
    if width == 1:
        is_flush = length >= 5 and len({card % 4 for card in cards}) == 1
        kind = "flush" if is_flush else kind
        require(is_flush or length >= options["min_straight"], "no combination")
        if options["straight_suit"]:
            (last,) = [card for card in cards if rank(card) == height % 13]
            decides = suit(last, "winner/1")
    return kind, length, height, decides


def run_height(ranks: set[int], turned: bool) -> int:
    """The height of the highest of some consecutive ranks of the row A 2 3 ... K A."""
    count = len(ranks)
    tops = [
        top
        for top in range(count - 3, 12)
        if {height % 13 for height in range(top - count + 1, top + 1)} == ranks
    ]
    require(tops, "no combination")
    return min(tops) if turned else max(tops)


# -- beating ----------------------------------------------------------------------------------


def beats(play: Combo, table: Combo, game: str, options: Options, turned: bool) -> bool:
    if play[:2] == table[:2]:
        return play.strength(turned) > table.strength(turned)
    if game != "winner/1":
        return chops(play, table, options["chops"])
    power = powers(options)
    return power.get(play.kind, 0) > power.get(table.kind, 0) or takes(play, table, options)


def chops(play: Combo, table: Combo, option: object) -> bool:
    twos = len(table.cards) if table.ranks == {TWO} else 0
    if play.kind == "four":
        victims = {"southern": (1, 2)}.get(option, (1,))
        is_three_pairs = table[:2] == ("double", 3)
        return twos in victims or (option == "southern" and is_three_pairs)
    if play.kind != "double":
        return False
    length = play.length
    if (length, twos) in ((3, 1), (4, 2), (5, 3)):
        return True
    if option == "cumulative":
        return 0 < twos <= 3 and length >= twos + 3
    if option == "southern" and length >= 4:
        fits = twos in (1, 2) or table[:2] == ("double", 3) or (table.kind == "four" and not twos)
        return fits or (length >= 5 and (twos == 3 or table[:2] == ("double", 4)))
    return False


def powers(options: Options) -> dict[str, int]:
    if options["revolution"]:
        ascending = ["flush", "jokers"]
    elif options["bomb_variation"]:
        ascending = ["flush", "jokers", "four"]
    else:
        ascending = ["triple", "four", "flush", "jokers"][not options["triple_is_bomb"] :]
    return {kind: power for power, kind in enumerate(ascending, 1)}


def taker(table: Combo, options: Options) -> str | None:
    """Which set of 4s takes the table."""
    if options["fours"] == "off" or table.kind not in powers(options):
        return None
    return {"triple": "pair", "four": "triple"}.get(table.kind)


def takes(play: Combo, table: Combo, options: Options) -> bool:
    return play.kind == taker(table, options) and play.ranks == {FOUR}


# -- the tricks of a deal ---------------------------------------------------------------------


class Tricks:
    """The state of a deal; `order` are the seats in turn order, `sizes` their cards."""

    def __init__(
        self, game: str, options: Options, order: list[int], sizes: Mapping[int, int]
    ) -> None:
        self.game, self.options, self.order = game, options, order
        self.packs = packs_of(game, options, len(order))
        self.sizes, self.dealt = dict(sizes), dict(sizes)
        self.table: Combo | None = None
        self.owner: int | None = None
        self.turn = -1
        self.passed: set[int] = set()
        self.asked: list[int] = []
        self.finished: list[int] = []
        self.departed: list[int] = []
        self.lead_passes: list[int] = []
        self.is_barred = options.get("finish_on_two") is False
        self.turned = False
        self.record: list[list[tuple[int, Combo]]] = [[]]
        self.counted: dict[int, tuple[int, bool]] = {}
        self.must: int | None = None

    @property
    def active(self) -> list[int]:
        return [seat for seat in self.order if self.sizes[seat] and seat not in self.departed]

    @property
    def over(self) -> bool:
        return len(self.active) < 2

    @property
    def final_order(self) -> list[int]:
        return [*self.finished, *self.active, *reversed(self.departed)]

    def after(self, seat: int) -> list[int]:
        at = self.order.index(seat) + 1
        return self.order[at:] + self.order[:at]

    def check_pass(self) -> None:
        require(self.table is not None, "illegal-play")

    def do_pass(self) -> None:
        self.check_pass()
        self.passed.add(self.turn)
        self.ask_after(self.turn)

    def check_lead_pass(self, hand: list[int]) -> None:
        # Two cards or more always have a play that does not empty the hand.
        is_barred = self.is_barred and list(map(rank, hand)) == [TWO]
        require(self.table is None and is_barred and self.sizes[self.turn] == 1, "illegal-play")

    def pass_the_lead(self, hand: list[int]) -> None:
        self.check_lead_pass(hand)
        self.must = None
        self.lead_passes.append(self.turn)
        self.lead_after(self.turn)

    def lead_after(self, seat: int) -> None:
        """Give the lead to the next seat; if all have passed it, the first may play what it has."""
        self.turn = next(other for other in self.after(seat) if other in self.active)
        self.lift_the_bar()

    def lift_the_bar(self) -> None:
        if set(self.active) <= set(self.lead_passes):
            self.turn, self.lead_passes, self.is_barred = self.lead_passes[0], [], False

    def miss(self) -> None:
        """The seat in turn is absent."""
        if self.table is None:
            self.must = None
            self.lead_after(self.turn)
        else:
            self.do_pass()

    def depart(self, seat: int) -> None:
        if self.over or seat not in self.active:
            return
        is_asked = bool(self.asked)
        self.departed.append(seat)
        self.lead_passes = [other for other in self.lead_passes if other != seat]
        self.asked = [other for other in self.asked if other != seat]
        if self.over or is_asked:
            return
        if self.table is not None:
            if seat == self.turn:
                self.ask_after(seat)
        elif seat == self.turn:
            self.must = None
            self.lead_after(seat)
        else:
            self.lift_the_bar()

    def check_play(self, cards: list[int]) -> Combo:
        play = combination(cards, self.game, self.options, self.packs, self.turned)
        require(self.must is None or self.must in cards, "illegal-play")
        if self.table is not None:
            is_higher = beats(play, self.table, self.game, self.options, self.turned)
            require(is_higher, "illegal-play")
        empties = len(cards) == self.sizes[self.turn]
        is_twos = self.game != "winner/1" and play.ranks == {TWO}
        require(not (empties and is_twos and self.is_barred), "illegal-play")
        return play

    def do_play(self, cards: list[int]) -> None:
        self.make(self.turn, self.check_play(cards))

    def claim(self, claims: dict[int, list[int]]) -> int | None:
        """Let the claimant nearest after the owner play; say who it was."""
        for cards in claims.values():
            fours = combination(cards, self.game, self.options, self.packs, self.turned)
            require(takes(fours, self.table, self.options), "claim")
        self.asked = []
        for seat in self.after(self.owner):
            if seat in claims:
                fours = combination(claims[seat], self.game, self.options, self.packs, self.turned)
                self.make(seat, fours)
                return seat
        self.ask_after(self.owner)
        return None

    def make(self, seat: int, play: Combo) -> None:
        """Put a play on the table, and go on."""
        taken = self.table is not None and self.is_taken_by(play, self.table)
        picks_up = taken and self.options["fours"] == "pickup"
        self.record[-1].append((seat, play))
        self.sizes[seat] += (len(self.table.cards) if picks_up else 0) - len(play.cards)
        if not self.sizes[seat]:
            self.finished.append(seat)
            self.counted = self.counted or self.count()
        self.table, self.owner, self.must = (self.table if taken else play), seat, None
        self.lead_passes = []
        if self.options["pass_rule"] == "free":
            self.passed = set()
        is_four = play.kind == "four" and self.game == "winner/1"
        self.turned ^= bool(is_four and self.options["revolution"])
        if self.over:
            return
        if picks_up or self.ends_the_trick(play):
            self.clear()
        elif not taken and self.game == "winner/1" and self.opens_a_window(play):
            self.asked = [other for other in self.active if other != seat]
        else:
            self.ask_after(seat)

    def is_taken_by(self, play: Combo, table: Combo) -> bool:
        return self.game == "winner/1" and takes(play, table, self.options)

    def opens_a_window(self, play: Combo) -> bool:
        return self.options["fours_when"] == "anyone" and taker(play, self.options) is not None

    def ends_the_trick(self, play: Combo) -> bool:
        if self.game != "winner/1":
            return False
        power = powers(self.options)
        if play.kind == "jokers":
            return power.get("four", 0) < power["jokers"]
        if not self.options["skip_formalities"]:
            return False
        return (play.kind, max(play.ranks)) in (("single", RED), ("pair", TWO))

    def ask_after(self, seat: int) -> None:
        asked = (s for s in self.after(seat) if s in self.active and s not in self.passed)
        following = next((s for s in asked if s != self.owner), None)
        if following is None:
            self.clear()
        else:
            self.turn = following

    def clear(self) -> None:
        leaders = [self.owner, *self.after(self.owner)]
        self.turn = next(seat for seat in leaders if seat in self.active)
        self.table, self.owner, self.passed = None, None, set()
        self.record.append([])

    def count(self) -> dict[int, tuple[int, bool]]:
        """How many cards every seat holds, and whether it has played any."""
        players = {seat for trick in self.record for seat, _ in trick}
        return {seat: (size, seat in players) for seat, size in self.sizes.items()}


def packs_of(game: str, options: Options, seats: int) -> int:
    if game == "winner/1":
        return int(options["packs"])
    return 1 if seats <= 4 else 2


def fits(game: str, options: dict, count: int) -> bool:
    """Whether so many seats can play with these options."""
    if count < 2:
        return False
    if game == "winner/1":
        return count >= 4 or options["packs"] == 1
    if options["instant_wins"] and (count > 4 or (options["deal"] == "all" and count != 4)):
        return False
    return options["deal"] != "17" or count == 3


# -- points -----------------------------------------------------------------------------------


def points_of(tricks: Tricks) -> dict[int, int]:
    """What a deal pays that was played to its end, as `close` signs it."""
    order, options = tricks.final_order, tricks.options
    if tricks.game == "winner/1":
        return points_by_cards(tricks)
    count, stake = len(order), int(options["stake"])
    shares = [1] * (count - 1) + [1 - count]
    if options["scoring"] == "places":
        middle = [0] * (count - 4)
        shares = {2: [1, -1], 3: [1, 0, -1]}.get(count, [2, 1, *middle, -1, -2])
    paid = {seat: share * stake for seat, share in zip(order, shares, strict=True)}
    for trick in tricks.record if options["chop_pay"] else ():
        payer, receiver, value = chop_payment(trick)
        if value:
            paid[payer] -= value * stake
            paid[receiver] += value * stake
    return paid


def chop_payment(trick: list[tuple[int, Combo]]) -> tuple[int, int, int]:
    payer = receiver = -1
    value = 0
    for (owner, chopped), (seat, play) in pairwise(trick):
        if chopped.kind in ("four", "double") or play.kind != chopped.kind:
            payer, receiver = owner, seat
            value += value_of(chopped)
    return payer, receiver, value


def value_of(chopped: Combo) -> int:
    if chopped.kind == "four":
        return 4
    if chopped.kind == "double":
        return {3: 3, 4: 5}.get(chopped.length, 6)
    return value_of_twos(chopped.cards)


def value_of_twos(cards: Sequence[int]) -> int:
    return sum(1 + (card % 4 >= 2) for card in cards if rank(card) == TWO)


def points_by_cards(tricks: Tricks) -> dict[int, int]:
    order, options = tricks.final_order, tricks.options
    if options["scoring"] == "none":
        return dict.fromkeys(order, 0)
    at_end = options["score_at"] == "end" or not tricks.counted
    counted = tricks.count() if at_end else tricks.counted
    table = (len(order), options["packs"])
    paid = {}
    for seat in order[1:]:
        cards, has_played = counted[seat]
        paid[seat] = -cards * points_a_card(cards, has_played, tricks.dealt[seat], table)
    return {order[0]: -sum(paid.values()), **paid}


def points_a_card(cards: int, has_played: bool, dealt: int, table: tuple) -> int:
    if not has_played:
        return 3
    if table == (4, 1):
        return 2 if cards >= 10 else 1
    if table == (3, 1):
        return 3 if cards >= 17 else 2 if cards >= 12 else 1
    return 2 if 4 * cards >= 3 * dealt else 1


# -- hands that win at once -------------------------------------------------------------------


def instant_win(hand: Sequence[int], options: Options, is_first: bool) -> tuple | None:
    """The worth of a hand that wins at once; the higher the better."""
    ranks = Counter(map(rank, hand))
    pairs = [r for r in sorted(ranks) for _ in range(ranks[r] // 2)]
    if ranks[TWO] == 4:
        return (5, max(hand))
    if all(ranks[r] for r in range(TWO)):
        return (4, max(card for card in hand if rank(card) == TWO - 1))
    highest = TWO if options["twos_in_runs"] else TWO - 1
    tops = [
        top for top in range(4, highest + 1) if all(ranks[r] >= 2 for r in range(top - 4, top + 1))
    ]
    if tops:
        return (3, max(card for card in hand if rank(card) == tops[-1]))
    if len(pairs) >= 6:
        return (2, max(card for card in hand if rank(card) == pairs[-1]))
    if ranks[0] == 4 and is_first:
        return (1, max(card for card in hand if rank(card) == 0))
    return None
