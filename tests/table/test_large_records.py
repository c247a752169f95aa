"""A tribute that is larger than a frame crosses the network in pieces, whatever happens to them."""

import math

import pytest
from sim_records import replay
from simulator import Faults, Simulator
from stacked_packs import deal_the_lowest_cards_to_the_dealer

from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.record import decode_record
from p2pclimb.net.frames import Piece
from p2pclimb.net.pieces import frames_of
from p2pclimb.net.wire import PIECE_SIZE


def play_much(state, hand, source):
    """Play as many cards as may be, so that the first deal is soon over."""
    legal = state.legal_plays(hand)
    return max(legal, key=lambda play: len(play.cards), default=legal.passing)


def tributes(node):
    entries = (decode_record(record) for record in node.log)
    return [entry for entry in entries if isinstance(entry, Entry) and entry.kind is Kind.TRIBUTE]


def past_the_tribute(sim):
    return all(
        session.ledger.position.stage.deal == 2
        and session.ledger.position.stage.kind in (Kind.CHOOSE, Kind.TURN)
        for session in (node.session for node in sim.nodes)
    )


@pytest.mark.parametrize(
    ("seats", "packs", "faults"),
    [
        pytest.param(2, 1, Faults(lost=0.3, doubled=0.3), id="two seats, a bad network"),
        pytest.param(4, 2, Faults(lost=0.05), id="four seats, the largest tribute"),
    ],
)
def test_a_large_tribute_comes_to_every_seat(monkeypatch, seats, packs, faults):
    deal_the_lowest_cards_to_the_dealer(monkeypatch, seats, packs)
    settings = {"exchange": True, "deals": 2, "packs": packs}
    sim = Simulator("large", seats, settings, faults, player=play_much, game="winner/1")
    sim.run(past_the_tribute)
    given = [tributes(node) for node in sim.nodes]
    assert all(entries == given[0] for entries in given)
    record = next(record for record in sim.nodes[0].log if given[0][0].signed in record)
    pieces = math.ceil(len(record) / PIECE_SIZE)
    assert [type(frame) for frame in frames_of([record])] == [Piece] * pieces
    assert pieces > 1
    assert not any(node.session.ledger.convictions for node in sim.nodes)
    assert replay(sim.nodes[0].log, sim.checks).position.stage.deal == 2
