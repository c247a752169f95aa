"""Speed of the rules engine and the bots, next to the limits that rules.md sets.

CPU time of one call, the best of some rounds.  Leads are measured for the slowest of many random
hands and for hands made to be slow: runs in pairs, triples or one suit, and eight of a kind.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from random import Random

from bench import Row
from p2pclimb.bots import strategy
from p2pclimb.bots.arena import deal_openly, play_out
from p2pclimb.cards import FACES, Card, faces, parse_cards
from p2pclimb.games.combos import classify
from p2pclimb.games.generate import find_plays
from p2pclimb.games.options import Options

__all__ = ["run"]

GAMES = {"tienlen": Options.make("tienlen"), "winner": Options.make("winner")}
TWO_PACKS = Options.make("winner", {"packs": 2, "min_straight": 3, "straight_suit": True})
CLASSIFY, LEADS_OF_13, LEADS_OF_27, DEAL = 10.0, 500.0, 5_000.0, 5_000.0  # microseconds

RUN_OF_13 = parse_cards("3s4s5d6c7h8s9sTdJcQhKsAd2c")
SLOW_OF_13 = {
    "run": RUN_OF_13,
    "pairs": parse_cards("3s3c3d3h4s4c4d4h5s5c6s6c7s"),
    "flush": parse_cards("3s4s5s6s7s8s9sTsJsQsKsAs2s"),
}
SLOW_OF_27 = {
    "pairs": FACES[1:52:4] + FACES[3:52:4] + FACES[:1],
    "triples": FACES[0:36:4] + FACES[1:36:4] + FACES[2:36:4],
    "twins of a suit": FACES[1:52:4] * 2 + FACES[53:],
    "eight of a kind": FACES[:12] * 2 + FACES[12:15],
}


def run() -> list[Row]:
    """Return microseconds of each task, and the limit where there is one."""
    rows: list[Row] = []
    for game, options in GAMES.items():
        straight = parse_cards("3s4s5s6s7s")
        for name, cards in {"run of 13": RUN_OF_13, "run of one suit": straight}.items():
            spent = best_of(partial(classify, cards, options), 2000)
            rows.append(row(f"{game}: classify a {name}", spent, CLASSIFY))
        rows += leads(game, options, 13, SLOW_OF_13, LEADS_OF_13)
        rows += leads(game, options, 27, SLOW_OF_27, LEADS_OF_27)
        rows.append(row(f"{game}: deal of 4 random bots", one_deal(options, "random", 4), DEAL))
        rows.append(row(f"{game}: deal of 8 random bots", one_deal(options, "random", 8)))
        rows.append(row(f"{game}: deal of 4 basic bots", one_deal(options, "basic", 4)))
    rows += leads("winner, most plays", TWO_PACKS, 27, SLOW_OF_27, LEADS_OF_27)
    return rows


def row(name: str, microseconds: float, limit: float | str = "") -> Row:
    """Return one line of results."""
    return {"task": name, "microseconds": microseconds, "limit": limit}


def best_of(task: Callable[[], object], repeat: int, times: int = 5) -> float:
    """Return microseconds of CPU for one call of the task, the best of some rounds."""
    rounds = []
    for _ in range(times):
        begin = time.process_time()
        for _ in range(repeat):
            task()
        rounds.append((time.process_time() - begin) / repeat)
    return min(rounds) * 1e6


def leads(
    game: str, options: Options, count: int, slow: dict[str, tuple[Card, ...]], limit: float
) -> list[Row]:
    """Return the time for all leads of the slowest random hand of so many cards, and of some."""
    rng = Random(1)
    deck = faces(2 if count > 13 else 1, jokers=game != "tienlen")
    hands = [rng.sample(deck, count) for _ in range(60)]
    slowest = max(time_of_leads(hand, options, 3) for hand in hands)
    rows = [row(f"{game}: leads of {count} cards, slowest at random", slowest, limit)]
    for name, hand in slow.items():
        if game != "tienlen" or all(card.suit for card in hand):
            spent = time_of_leads(hand, options, 50)
            rows.append(row(f"{game}: leads of {count} cards, {name}", spent, limit))
    return rows


def time_of_leads(hand: Iterable[Card], options: Options, repeat: int) -> float:
    """Return microseconds to find every lead of a hand."""
    return best_of(lambda: list(find_plays(hand, options)), repeat)


def one_deal(options: Options, bot: str, seats: int) -> float:
    """Return microseconds for a whole deal among bots of one kind, the mean of some."""
    bots = dict.fromkeys(range(seats), strategy(bot))

    def deals() -> None:
        rng = Random(7)
        for _ in range(10):
            state, hands = deal_openly(options, range(seats), 0, rng)
            play_out(state, hands, bots, rng)

    return best_of(deals, 1) / 10
