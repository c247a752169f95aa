"""Speed of the rules engine and the bots; `python -m bench games [--json]`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from random import Random

from p2pclimb.bots import strategy
from p2pclimb.bots.arena import deal_openly, play_out
from p2pclimb.cards import FACES, faces, parse_cards
from p2pclimb.games.combos import classify
from p2pclimb.games.generate import find_plays
from p2pclimb.games.options import Options

__all__ = ["main", "run"]

OPTIONS = Options.make("tienlen")
# What rules.md section 3 asks for, in milliseconds.
LIMITS = {"leads_13_cards": 0.5, "leads_27_cards_two_packs": 5.0, "classify": 0.01}


def best_of(task: Callable[[], object], repeat: int, times: int = 5) -> float:
    """Return milliseconds for one call of the task, the best of some rounds."""
    rounds = []
    for _ in range(times):
        begin = time.perf_counter()
        for _ in range(repeat):
            task()
        rounds.append((time.perf_counter() - begin) / repeat)
    return min(rounds) * 1000


def slowest_leads(cards: int, packs: int) -> float:
    """Return milliseconds for all leads of the slowest of many random hands."""
    rng = Random(1)
    deck = faces(packs, jokers=False)
    hands = [rng.sample(deck, cards) for _ in range(100)]
    return max(best_of(lambda hand=hand: list(find_plays(hand, OPTIONS)), 3) for hand in hands)


def one_deal(bot: str, seats: int) -> float:
    """Return milliseconds for a whole deal among bots of one kind, the mean of some."""
    bots = dict.fromkeys(range(seats), strategy(bot))

    def deals() -> None:
        rng = Random(7)
        for _ in range(10):
            state, hands = deal_openly(OPTIONS, range(seats), 0, rng)
            play_out(state, hands, bots, rng)

    return best_of(deals, 1) / 10


def run() -> dict[str, float]:
    """Return milliseconds by name of what was measured."""
    slow_to_classify = parse_cards("3s3c3d3h4s4c4d4h5s5c6s6c7s")
    run_of_13 = parse_cards("3s4s5d6c7h8s9sTdJcQhKsAd2c")
    all_pairs = FACES[1:52:4] + FACES[3:52:4] + FACES[:1]
    return {
        "classify": best_of(lambda: classify(run_of_13, OPTIONS), 2000),
        "leads_13_cards": slowest_leads(13, 1),
        "leads_13_card_run": best_of(lambda: list(find_plays(run_of_13, OPTIONS)), 200),
        "leads_13_card_pairs": best_of(lambda: list(find_plays(slow_to_classify, OPTIONS)), 200),
        "leads_27_cards_two_packs": slowest_leads(27, 2),
        "leads_27_cards_all_pairs": best_of(lambda: list(find_plays(all_pairs, OPTIONS)), 50),
        "deal_random_4_seats": one_deal("random", 4),
        "deal_random_8_seats": one_deal("random", 8),
        "deal_basic_4_seats": one_deal("basic", 4),
    }


def main(args: list[str]) -> int:
    """Print the figures as a table, or as JSON."""
    parser = argparse.ArgumentParser(prog="bench games", description=__doc__)
    parser.add_argument("--json", action="store_true")
    wants_json = parser.parse_args(args).json
    figures = run()
    if wants_json:
        print(json.dumps(figures))
        return 0
    for name, milliseconds in figures.items():
        limit = f"  (limit {LIMITS[name]:g} ms)" if name in LIMITS else ""
        print(f"{name:28} {milliseconds:8.3f} ms{limit}")
    return 0
