"""The bot `basic`, and the hint key: legal plays, best first.

It wants to empty its hand in few turns, keeps the cards that hold the lead and the sets that chop,
and grows bolder as others run out of cards.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from p2pclimb.bots.handcount import chances_to_hold, fewest_turns
from p2pclimb.cards import TWO, Card
from p2pclimb.games.fours import takes
from p2pclimb.games.legal import legal_claims
from p2pclimb.games.moves import Cards, Play
from p2pclimb.games.options import Options
from p2pclimb.games.play import DealState
from p2pclimb.games.rulebook import rulebook
from p2pclimb.games.shapes import Combination, Kind

__all__ = [
    "choose_best",
    "choose_most_useful",
    "claim_if_shorter",
    "offer_least_useful",
    "suggestions",
]

# Weights in turns: what is worth one turn more or less.
_HOLDING = 0.8  # a card that surely holds the lead
_CHOP = 0.5  # a bomb, or four of a kind or three pairs in sequence, kept together
_TAKING_THE_LEAD = 0.5  # a play that surely wins the trick
_DANGER = 1.5  # another seat about to go out
_FEW = 5  # cards with which a seat is about to go out


def choose_best(state: DealState, hand: tuple[Card, ...], rng: Random) -> Play:
    """Return the first of `suggestions`; always the same for the same seat and table."""
    return suggestions(state, hand)[0]


def suggestions(state: DealState, hand: tuple[Card, ...]) -> tuple[Play, ...]:
    """Return the legal plays of the seat in turn, and its pass if it may, best first.

    Empty when the deal is over.  Sees the public state and this hand, nothing else.
    """
    legal = state.legal_plays(hand)
    chances = chances_to_hold(hand, state)
    rated: list[tuple[float, Play]] = [
        (_after_play(combination, hand, state, chances), Cards(combination.cards))
        for combination in legal.combinations()
    ]
    if legal.passing is not None:
        rated.append((_turns_to_go(hand, state, chances) + _danger(state, 0), legal.passing))
    # The sort is stable: of equally good plays the simpler and lower comes first.
    return tuple(play for _, play in sorted(rated, key=lambda pair: pair[0]))


def claim_if_shorter(
    state: DealState, seat: int, hand: tuple[Card, ...], rng: Random
) -> tuple[Card, ...]:
    """Return fours that claim the bomb on the table if no turn is lost by it, else nothing."""
    claims = legal_claims(state, hand)
    turns = fewest_turns(hand, state.options)
    shorter = (
        fours for fours in claims if fewest_turns(_rest(hand, fours, state), state.options) <= turns
    )
    return next(shorter, ())


def offer_least_useful(options: Options, hand: tuple[Card, ...], rng: Random) -> tuple[Card, Card]:
    """Return the two cards that the hand misses least."""
    first, second, *_ = sorted(hand, key=lambda card: _use(card, hand, options))
    return first, second


def choose_most_useful(
    options: Options, hand: tuple[Card, ...], offered: tuple[Card, Card], rng: Random
) -> Card:
    """Return the one of two offered cards that serves the hand better."""
    return max(offered, key=lambda card: _use(card, (*hand, card), options))


def _use(card: Card, hand: tuple[Card, ...], options: Options) -> tuple[int, int]:
    """Return how good it is to have a card in a hand: turns saved by it, then its rank."""
    rest = list(hand)
    rest.remove(card)
    saved = fewest_turns(rest, options) - fewest_turns(hand, options)
    return saved, rulebook(options).place(card)


def _after_play(
    play: Combination, hand: tuple[Card, ...], state: DealState, chances: dict[Card, float]
) -> float:
    """Return what is left to do after a play, in turns: the lower the better."""
    rest = _rest(hand, play.cards, state) if _is_by_fours(play, state) else _less(hand, play.cards)
    if not rest:
        return float("-inf")
    hold = _chance_of_trick(play, state, chances)
    return (
        _turns_to_go(rest, state, chances)
        - _TAKING_THE_LEAD * hold
        + _danger(state, len(play)) * (1 - hold)
        + 0.02 * play.cards[0].rank
        - 0.05 * len(play)
    )


def _is_by_fours(play: Combination, state: DealState) -> bool:
    return state.table is not None and takes(play, state.table, state.options)


def _rest(hand: tuple[Card, ...], fours: tuple[Card, ...], state: DealState) -> tuple[Card, ...]:
    """Return the hand after fours took the bomb on the table, into the hand or not."""
    rest = _less(hand, fours)
    if state.table is None or state.options.choice("fours") == "takeover":
        return rest
    return rest + state.table.cards


def _less(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple((Counter(hand) - Counter(cards)).elements())


def _chance_of_trick(play: Combination, state: DealState, chances: dict[Card, float]) -> float:
    """Return a rough chance that a play takes the trick: chops and bombs nearly always do."""
    if play.kind in rulebook(state.options).bombs or _is_by_fours(play, state):
        return 1.0
    is_ordinary = state.table is None or play.kind is state.table.kind
    return chances[play.top] if is_ordinary else 1.0


def _turns_to_go(hand: tuple[Card, ...], state: DealState, chances: dict[Card, float]) -> float:
    """Return the turns a hand still takes, less what its strong cards are worth."""
    holding = sum(chances.get(card, 0) for card in hand)
    chops = _chops(hand, state)
    return fewest_turns(hand, state.options) - _HOLDING * holding - _CHOP * chops


def _chops(hand: tuple[Card, ...], state: DealState) -> int:
    """Return how many bombs a hand has, or of what chops: fours and separate threes of pairs."""
    book = rulebook(state.options)
    counts = Counter(card.rank for card in hand if card.rank <= TWO)
    if book.bombs:
        smallest = 3 if Kind.TRIPLE in book.bombs else 4
        jokers = len(hand) - sum(counts.values())
        return sum(count >= smallest for count in counts.values()) + jokers // 2
    fours = sum(count >= 4 for count in counts.values())
    pairs_in_a_row = threes = 0
    for rank in range(13):
        pairs_in_a_row = pairs_in_a_row + 1 if counts[rank] >= 2 else 0
        if pairs_in_a_row == 3:
            threes, pairs_in_a_row = threes + 1, 0
    return fours + threes


def _danger(state: DealState, size: int) -> float:
    """Return what it costs to leave the trick to others, after a play of `size` cards or none.

    A seat with fewer cards than the play cannot answer it and go out.
    """
    others = [state.hand_sizes[seat] for seat in state.active if seat != state.turn]
    threats = sum(1 for count in others if max(size, 1) <= count <= _FEW)
    return _DANGER * threats / max(len(others), 1)
