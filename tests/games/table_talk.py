"""Short ways to write deals and turns in the tests of the games."""

from p2pclimb.cards import format_cards, parse_card, parse_cards
from p2pclimb.games.combos import classify
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.games.options import Options
from p2pclimb.games.play import start


def tienlen(**settings):
    return Options.make("tienlen", settings)


def winner(**settings):
    return Options.make("winner", settings)


def combo(text, options=None, packs=1):
    return classify(parse_cards(text), options or tienlen(), packs)


def deal(sizes, leader=0, first=None, game=tienlen, **settings):
    """A deal among seats 0, 1, 2... (or the keys of a dict) with so many cards each."""
    sizes = sizes if isinstance(sizes, dict) else dict(enumerate(sizes))
    return start(game(**settings), sizes, sizes, leader, first and parse_card(first))


def play(text):
    return Pass() if text == "-" else Cards(parse_cards(text))


def after(state, *turns):
    """The state after turns such as "0: 3s 3c" (cards) or "1: -" (a pass), each in its turn."""
    for turn in turns:
        seat, text = turn.split(":")
        assert state.turn == int(seat), f"it is the turn of {state.turn}, not of {seat}"
        state = state.apply(play(text.strip()))
    return state


def listed(state, hand):
    """The plays listed for a hand, as text."""
    return {format_cards(option.cards) for option in state.legal_plays(parse_cards(hand))}
