"""The engine, and the rules as written from protocol.md alone, agree about random deals."""

import random

import pytest
from independent_group import WrongLogError
from independent_rules import Tricks, instant_win, points_of

from p2pclimb.cards import FACES, Card
from p2pclimb.errors import PlayError
from p2pclimb.games.dealing import hand_sizes, pack
from p2pclimb.games.instant_wins import InstantWinKind, best_instant_win
from p2pclimb.games.legal import legal_claims
from p2pclimb.games.moves import Cards, LeadPass, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState, start
from p2pclimb.games.scoring import payments

TIENLEN = [
    {},
    {"twos_in_runs": False, "scoring": "places", "stake": 3},
    {"chops": "cumulative", "chop_pay": True},
    {"chops": "southern", "chop_pay": True, "finish_on_two": False},
    {"pass_rule": "free", "direction": "anticlockwise", "finish_on_two": False},
]
WINNER = [
    {},
    {"fours_when": "anyone"},
    {"fours": "takeover", "fours_when": "anyone", "score_at": "end"},
    {"fours": "off", "pass_rule": "locked", "direction": "anticlockwise"},
    {"triple_is_bomb": False, "skip_formalities": True, "jokers": False},
    {"bomb_variation": True, "fours_when": "anyone", "min_straight": 3},
    {"revolution": True, "straight_suit": True, "min_straight": 3, "scoring": "none"},
]
TABLES = [("tienlen/1", rules) for rules in TIENLEN] + [("winner/1", rules) for rules in WINNER]


def numbers(cards) -> list[int]:
    return [card.index for card in cards]


class Both:
    """One deal, told by the engine and by the other rules; they must never differ."""

    def __init__(self, source: random.Random, game: str, settings: dict, seats: int) -> None:
        rules = {**settings, "packs": 2} if game == "winner/1" and seats > 4 else settings
        self.source = source
        self.options = Options.make(game, rules)
        leader = source.randrange(seats)
        sizes = hand_sizes(self.options, range(seats), leader)
        cards = list(pack(self.options, seats))
        source.shuffle(cards)
        self.hands: dict[int, list[Card]] = {}
        for seat, size in sizes.items():
            self.hands[seat], cards = cards[:size], cards[size:]
        self.state = start(self.options, range(seats), sizes, leader)
        self.other = Tricks(game, dict(self.options.items()), list(self.state.seats), sizes)
        self.other.turn = leader

    def play(self) -> None:
        while self.state.turn is not None:
            if self.state.asked:
                self.claim()
            else:
                self.judge()
                self.take_turn()
            self.compare()
        outcome = self.state.outcome()
        assert list(outcome.order) == self.other.final_order
        assert payments(self.options, outcome) == points_of(self.other)

    def compare(self) -> None:
        state, other = self.state, self.other
        assert (state.turn is None) == other.over
        assert state.hand_sizes == other.sizes
        assert list(state.finished) == other.finished
        assert state.inverted == other.turned
        if state.turn is not None:
            assert set(state.asked) == set(other.asked)
            assert state.owner == other.owner
            table = None if state.table is None else sorted(numbers(state.table.cards))
            assert table == (None if other.table is None else sorted(other.table.cards))
            if not state.asked:
                assert state.turn == other.turn

    def judge(self) -> None:
        """Ask both about some cards of the hand, whatever they are."""
        hand = self.hands[self.state.turn]
        for _ in range(3):
            self.agree(Cards(tuple(self.source.sample(hand, self.source.randint(1, len(hand))))))
            rank = self.source.choice(hand).rank
            same = [card for card in hand if card.rank == rank]
            self.agree(Cards(tuple(same[: self.source.randint(1, len(same))])))
            by_rank = {card.rank: card for card in hand}
            row = [by_rank[r] for r in range(rank, rank + 6) if r in by_rank]
            self.agree(Cards(tuple(row[: self.source.randint(1, len(row))])))
        self.agree(Pass())
        self.agree(LeadPass(tuple(hand)))

    def agree(self, play) -> None:
        try:
            self.state.check(play)
            is_legal = True
        except PlayError:
            is_legal = False
        try:
            match play:
                case Pass():
                    self.other.check_pass()
                case Cards(cards):
                    self.other.check_play(numbers(cards))
                case LeadPass(hand):
                    self.other.check_lead_pass(numbers(hand))
        except WrongLogError:
            assert not is_legal, f"{play} on {self.state.table}"
        else:
            assert is_legal, f"{play} on {self.state.table}"

    def apply(self, play) -> None:
        match play:
            case Pass():
                self.other.do_pass()
            case Cards(cards):
                self.other.do_play(numbers(cards))
            case LeadPass(hand):
                self.other.pass_the_lead(numbers(hand))

    def take_turn(self) -> None:
        seat = self.state.turn
        legal = self.state.legal_plays(self.hands[seat])
        plays = sorted(legal, key=lambda play: -len(play.cards))[:8]
        if legal.passing and (not plays or self.source.random() < 0.2):
            play = legal.passing
        else:
            play = self.source.choice(plays)
        before = self.state
        self.apply(play)
        self.state = before.apply(play)
        if isinstance(play, Cards):
            self.remove(seat, play.cards, self.state)

    def claim(self) -> None:
        claims = {}
        for seat in self.state.asked:
            fours = legal_claims(self.state, self.hands[seat])
            if fours and self.source.random() < 0.7:
                claims[seat] = self.source.choice(fours)
        before = len(self.state.history)
        winner = self.other.claim({seat: numbers(cards) for seat, cards in claims.items()})
        self.state = self.state.answer(claims)
        if len(self.state.history) > before:
            assert self.state.history[-1].seat == winner
            self.remove(winner, claims[winner], self.state)
        else:
            assert winner is None

    def remove(self, seat: int, cards, after: DealState) -> None:
        for card in cards:
            self.hands[seat].remove(card)
        if after.picked_up is not None:
            self.hands[seat] += after.picked_up.combination.cards


@pytest.mark.parametrize(("game", "settings"), TABLES, ids=str)
def test_both_follow_random_deals_to_the_same_points(game, settings):
    for seed in range(12):
        source = random.Random(f"{game} {settings} {seed}")
        Both(source, game, settings, source.choice((2, 3, 4, 4, 5, 8))).play()


def test_both_know_the_same_hands_that_win_at_once():
    source = random.Random("instant")
    seen = set()
    for twos in (True, False):
        options = Options.make("tienlen/1", {"instant_wins": True, "twos_in_runs": twos})
        for _ in range(1500):
            hand, is_first = rich_hand(source), source.random() < 0.5
            win = best_instant_win(hand, options, is_first)
            other = instant_win(numbers(hand), dict(options.items()), is_first)
            assert (win is None) == (other is None)
            if win is not None:
                seen.add(win.kind)
                place = list(InstantWinKind).index(win.kind)
                assert (place, win.top.index) == (5 - other[0], other[1])
    assert seen == set(InstantWinKind)


def of_rank(rank: int) -> list[Card]:
    return [face for face in FACES if face.rank == rank]


def rich_hand(source: random.Random) -> tuple[Card, ...]:
    """Thirteen cards, more often of few ranks, or of all, than by chance."""
    faces = list(FACES[:52])
    match source.randrange(4):
        case 0:
            ranks = source.sample(range(13), 7)
            cards = [card for rank in ranks for card in source.sample(of_rank(rank), 2)]
        case 1:
            cards = [source.choice(of_rank(rank)) for rank in range(12)]
        case 2:
            cards = of_rank(source.choice((0, 12)))
        case _:
            low = source.randrange(9)
            ranks = range(low, low + 5)
            cards = [card for rank in ranks for card in source.sample(of_rank(rank), 2)]
    cards = list(dict.fromkeys(cards))[:13]
    others = [face for face in faces if face not in cards]
    return (*cards, *source.sample(others, 13 - len(cards)))
