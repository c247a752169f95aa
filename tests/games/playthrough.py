"""Writes whole deals as text, to be read by people and compared by tests.

`python tests/games/playthrough.py` writes the files in tests/golden anew.  Do that after a wanted
change of rules only, and read the difference.
"""

from pathlib import Path
from random import Random

from p2pclimb.bots import strategy
from p2pclimb.bots.arena import deal_openly, exchange_openly, hands_after, play_out
from p2pclimb.cards import format_cards
from p2pclimb.games.describe import difference_in_words
from p2pclimb.games.exchange import exchange_of
from p2pclimb.games.match import Match
from p2pclimb.games.options import Options
from p2pclimb.games.presets import PRESETS
from p2pclimb.games.rotten_twos import rotten_payments
from p2pclimb.games.scoring import payments

GOLDEN = Path(__file__).parents[1] / "golden"

# Name (beginning with the game), seats, seed, settings.  Seeds were picked for deals in which a
# rule or an option matters: a chop, a sequence that ends in 2, a pass with the hand shown, a seat
# that comes back, 2s left with the loser, a bomb that fours take, ranks upside down.
PLAYTHROUGHS = {
    "tienlen": (4, 3, {}),
    "tienlen-two-seats": (2, 1, {}),
    "tienlen-two-packs": (5, 1, {}),
    "tienlen-deal-17": (3, 1, {"deal": "17"}),
    "tienlen-anticlockwise": (3, 1, {"direction": "anticlockwise"}),
    "tienlen-no-twos-in-runs": (4, 1, {"twos_in_runs": False}),
    "tienlen-cumulative": (2, 18, {"deal": "all", "chops": "cumulative"}),
    "tienlen-southern": (2, 5, {"deal": "all", "chops": "southern"}),
    "tienlen-no-finish-on-two": (3, 43, {"finish_on_two": False}),
    "tienlen-free": (4, 1, {"pass_rule": "free"}),
    "tienlen-places": (5, 1, {"scoring": "places", "stake": 10}),
    "tienlen-chop-pay": (2, 34, {"deal": "all", "chops": "southern", "chop_pay": True}),
    "tienlen-rotten-twos": (3, 178, {"deal": "17", "rotten_twos": True}),
    "tienlen-south": (4, 8, {}),
    "tienlen-south-payments": (
        3,
        264,
        {"deal": "17", "scoring": "places", "stake": 5, "chop_pay": True, "rotten_twos": True},
    ),
    "winner": (4, 765, {}),
    "winner-two-seats": (2, 1, {}),
    "winner-two-packs": (5, 0, {"packs": 2}),
    "winner-takeover": (4, 5, {"fours": "takeover"}),
    "winner-fours-by-anyone": (4, 0, {"fours_when": "anyone"}),
    "winner-skip-formalities": (3, 1, {"triple_is_bomb": False, "skip_formalities": True}),
    "winner-bomb-variation": (3, 1, {"bomb_variation": True}),
    "winner-revolution": (3, 421, {"revolution": True, "score_at": "end"}),
    "winner-straight-suit": (2, 9, {"straight_suit": True, "min_straight": 3}),
    "winner-no-jokers": (4, 0, {"jokers": False, "direction": "anticlockwise"}),
    "winner-locked": (6, 0, {"pass_rule": "locked", "scoring": "none", "fours": "off"}),
    "winner-exchange": (3, 0, {"exchange": True, "next_lead": "left_of_dealer"}),
}


def playthrough(name):
    """One deal: the options, the hands, trick by trick who did what, the outcome.

    With an exchange of cards a second deal, in which it happens.
    """
    seats, seed, settings = PLAYTHROUGHS[name]
    options = Options.make(game_of(name), settings)
    rng = Random(seed)
    lines = [f"{options.game}, {seats} seats"]
    lines += [difference_in_words(difference) for difference in options.differences()]
    state, hands = deal_openly(options, range(seats), 0, rng)
    told, outcome = one_deal(state, hands, rng)
    lines += ["", *told]
    match = Match.start(options, range(seats), 0).after(outcome)
    if exchange := exchange_of(match):
        state, hands = deal_openly(options, range(seats), match.dealer, rng, match.leader)
        exchanged = exchange_openly(exchange, options, hands, bots(seats), rng)
        lines += ["", f"seat {exchange.giver} gives to seat {exchange.receiver}; before:"]
        lines += [f"seat {seat}: {in_order(hands[seat])}" for seat in sorted(hands)]
        told, _ = one_deal(state, exchanged, rng)
        lines += ["", *told]
    return "\n".join(lines) + "\n"


def bots(seats):
    # Played at random: a better bot must not change what is on record about the rules.
    return dict.fromkeys(range(seats), strategy("random"))


def one_deal(state, hands, rng):
    """What happened in a deal, line by line, and its outcome."""
    options = state.options
    end = play_out(state, hands, bots(len(hands)), rng)
    lines = [f"seat {seat}: {in_order(hand)}" for seat, hand in hands.items()]
    lines += [f"seat {state.turn} leads" + f" with {state.must_include}" * bool(state.must_include)]
    lines += ["", *tricks(end)]
    outcome = end.outcome()
    lines += ["", f"order {outcome.order}, cards left {outcome.cards_left}"]
    lines += [
        f"trick {chop.trick}: {chop.payer} pays {chop.receiver} {chop.stakes} stakes for chops"
        for chop in outcome.chops
    ]
    if options.game.startswith("tienlen"):
        rest = hands_after(hands, end.history)[outcome.loser]
        if rotten := rotten_payments(options, outcome, rest):
            lines += [f"the loser shows {in_order(rest)} and pays {rotten}"]
    lines += [f"payments {dict(sorted(payments(options, outcome).items()))}"]
    return lines, outcome


def game_of(name):
    """The longest id of a game that the name begins with."""
    ids = {preset.rpartition("/")[0] for preset in PRESETS}
    return max((game for game in ids if f"{name}-".startswith(f"{game}-")), key=len)


def in_order(hand):
    return format_cards(sorted(hand, key=lambda card: card.index))


def tricks(end):
    for number in range(1, end.trick_number + 1):
        turns = [turn for turn in end.history if turn.trick == number]
        yield f"trick {number}: " + "; ".join(map(told, turns))


def told(turn):
    picked_up = f", picking up {in_order(turn.picked_up.cards)}" if turn.picked_up else ""
    return f"{turn.seat} {turn.play}{picked_up}"


def main():
    GOLDEN.mkdir(exist_ok=True)
    for name in PLAYTHROUGHS:
        (GOLDEN / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
