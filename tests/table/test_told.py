"""What a session tells its own player: its cards, whose turn it is, and that a deal waits."""

from simulator import Simulator
from table_setup import QUIET, jobs

from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.record import decode_record
from p2pclimb.table.effects import Tell
from p2pclimb.table.notices import HandDealt, NextDealWaits, TurnBegan


def test_a_seat_is_told_its_own_cards_once_a_deal_and_nobody_elses():
    sim = Simulator("cards", 3, {"deals": 2}, QUIET)
    hands = {}

    def observe(sim, seat, effect):
        if isinstance(effect, Tell) and isinstance(effect.notice, HandDealt):
            session = sim.nodes[seat].session
            deal = session.ledger.position.stage.deal
            assert (deal, seat) not in hands
            hands[deal, seat] = effect.notice.cards

    sim.observe = observe
    sim.run()
    assert set(hands) == {(deal, seat) for deal in (1, 2) for seat in range(3)}
    for deal in (1, 2):
        dealt = [card for seat in range(3) for card in hands[deal, seat]]
        assert len(dealt) == len(set(dealt)) == 39


def test_turns_and_rests_between_deals_are_told_once_a_step():
    sim = Simulator("rests", 2, {"deals": 2}, QUIET)
    sim.run()
    for node in sim.nodes:
        turns = [n for n in node.told if isinstance(n, TurnBegan)]
        plays = [r for r in map(decode_record, node.log[1:]) if r.kind is Kind.TURN]
        assert [turn.seat for turn in turns] == [entry.author for entry in plays]
        assert [n for n in node.told if isinstance(n, NextDealWaits)] == [NextDealWaits(2)]


def test_the_next_deal_waits_for_every_player():
    sim = Simulator("patience", 2, {"deals": 2}, QUIET)

    def is_resting(sim):
        stages = [node.session.ledger.position.stage for node in sim.nodes]
        return all(stage.kind is Kind.COMMIT and stage.deal == 2 for stage in stages)

    sim.run(is_resting)
    for node in sim.nodes:
        assert node.session.ledger.position.fillings == {}
    effects = sim.nodes[0].session.ready()
    assert len(jobs(effects)) == 1
    assert sim.nodes[0].session.ready() == []
