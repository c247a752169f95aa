"""Claims, offers and choices in a session: asked once, answered in time, told to nobody else."""

from __future__ import annotations

import pytest
from later_deals import begin_after
from simulator import Faults, Simulator
from stacked_packs import deal_hands
from table_setup import QUIET, all_at, flooded, signed, table_at, told

from p2pclimb.cards import parse_cards
from p2pclimb.errors import IllegalPlayError, PlayError
from p2pclimb.games.moves import Cards, Pass
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import CardTaken, TributeGiven
from p2pclimb.ledger.record import decode_record
from p2pclimb.seat.decisions import Choice, Claim, Offer
from p2pclimb.table.effects import ClaimsDue, Remember, Tell, Wake
from p2pclimb.table.notices import ChoiceAsked, ClaimAsked, OfferAsked

TWOS = "2s 2c 2d 2h"


def asked_for_claims(monkeypatch, **settings: object) -> tuple[Simulator, int, int]:
    """A table at the claims of its first deal; a seat with four 2s, and one that has nothing."""
    deal_hands(monkeypatch, [TWOS, "", ""])
    sim = table_at(Kind.CLAIM, 3, "claims", **settings)
    holder, other, _ = sim.nodes[0].session.ledger.position.hands.owners[:3]
    return sim, holder, other


def step_of(sim: Simulator, seat: int) -> int:
    return sim.nodes[seat].session.ledger.position.step


def test_everybody_is_asked_and_woken_after_the_same_time(monkeypatch):
    deal_hands(monkeypatch, [TWOS, "", ""])
    seen = []
    sim = Simulator(
        "asked",
        3,
        {"instant_wins": True, "claim_seconds": 7},
        QUIET,
        observe=lambda sim, seat, effect: seen.append((seat, effect)),
    )
    sim.run(all_at(Kind.CLAIM))
    for seat in range(3):
        step = step_of(sim, seat)
        assert (seat, Wake(7, ClaimsDue(step))) in seen
        asked = [e.notice for n, e in seen if n == seat and isinstance(e, Tell)]
        assert [n for n in asked if isinstance(n, ClaimAsked)] == [ClaimAsked(7, whole_hand=True)]


@pytest.mark.parametrize("game", ["tienlen-south/1", "winner/1"])
def test_every_answer_comes_exactly_at_the_end_of_the_time_whatever_was_decided(game, monkeypatch):
    """Neither a claim nor a decline can be told from when it comes."""
    if game == "winner/1":
        begin_after(monkeypatch, (0, 1, 2))
        deal_hands(monkeypatch, ["5s 5c 5d 4d 4h", "4s 4c", ""], jokers=True)
        settings = {"fours_when": "anyone", "deals": 2}
    else:
        deal_hands(monkeypatch, [TWOS, "", ""])
        settings = {"instant_wins": True}
    asked, answered = {}, []

    def observe(sim, seat, effect):
        if isinstance(effect, Tell) and isinstance(effect.notice, ClaimAsked):
            asked[seat] = sim.clock
        if isinstance(effect, Remember):
            entry = decode_record(effect.record)
            if entry.kind is Kind.CLAIM:
                answered.append((sim.clock - asked[seat], len(entry.body)))

    rules = {**settings, "claim_seconds": 3}
    sim = Simulator("timing", 3, rules, Faults(latest=0.3), observe=observe, game=game)
    sim.run()
    assert all(pause == pytest.approx(3) for pause, _ in answered)
    assert {size for _, size in answered} == {1, 4}


def test_a_claim_is_kept_and_nothing_is_sent_before_the_time_is_over(monkeypatch):
    sim, holder, _ = asked_for_claims(monkeypatch)
    session = sim.nodes[holder].session
    before, text = session.ledger.position, repr(session)
    assert session.play(Claim(session.cards())) == []
    assert session.ledger.position is before
    assert repr(session) == text
    effects = session.time_up(ClaimsDue(step_of(sim, holder)))
    (record,) = signed(effects)
    assert flooded(effects) == [record]
    assert decode_record(record).body[0] is True


def test_whoever_decides_nothing_declines(monkeypatch):
    sim, holder, other = asked_for_claims(monkeypatch)
    for seat in (holder, other):
        (record,) = signed(sim.nodes[seat].session.time_up(ClaimsDue(step_of(sim, seat))))
        assert decode_record(record).body == [False]


def test_the_time_of_another_step_and_a_second_alarm_answer_nothing(monkeypatch):
    sim, holder, _ = asked_for_claims(monkeypatch)
    session, step = sim.nodes[holder].session, step_of(sim, holder)
    assert session.time_up(ClaimsDue(step - 1)) == []
    assert session.time_up(ClaimsDue(step + 1)) == []
    assert len(signed(session.time_up(ClaimsDue(step)))) == 1
    assert session.time_up(ClaimsDue(step)) == []
    with pytest.raises(IllegalPlayError, match="not your turn"):
        session.play(Claim(session.cards()))


def test_a_claim_that_is_none_is_refused_at_once_and_changes_nothing(monkeypatch):
    sim, holder, other = asked_for_claims(monkeypatch)
    session = sim.nodes[holder].session
    session.play(Claim(session.cards()))
    with pytest.raises(IllegalPlayError, match="whole hand"):
        session.play(Claim(parse_cards(TWOS)))
    with pytest.raises(IllegalPlayError, match="not asked for"):
        session.play(Cards(parse_cards("2s")))
    (record,) = signed(session.time_up(ClaimsDue(step_of(sim, holder))))
    assert decode_record(record).body[0] is True
    losing = sim.nodes[other].session
    with pytest.raises(PlayError, match="does not win"):
        losing.play(Claim(losing.cards()))


def test_a_seat_that_leaves_meanwhile_answers_nothing(monkeypatch):
    sim, holder, _ = asked_for_claims(monkeypatch)
    session, step = sim.nodes[holder].session, step_of(sim, holder)
    session.play(Claim(session.cards()))
    session.leave()
    assert session.time_up(ClaimsDue(step)) == []


# -- the exchange -------------------------------------------------------------------------


def exchanging(monkeypatch, kind: Kind, **kwargs: object) -> Simulator:
    """A table whose second deal has come to a step of the exchange; seat 2 gives to seat 0."""
    begin_after(monkeypatch, (0, 1, 2))
    sim = Simulator("exchange", 3, {"exchange": True, "deals": 2}, QUIET, game="winner/1", **kwargs)
    sim.run(all_at(kind))
    return sim


def test_the_winner_alone_is_asked_for_an_offer_and_told_what_it_was_given(monkeypatch):
    sim = exchanging(monkeypatch, Kind.OFFER)
    (given,) = {n.card for node in sim.nodes for n in node.told if isinstance(n, TributeGiven)}
    asked = [[n for n in node.told if isinstance(n, OfferAsked)] for node in sim.nodes]
    assert asked == [[OfferAsked(2, given)], [], []]
    assert given in sim.nodes[0].session.cards()
    assert given not in sim.nodes[0].session.closed_cards()


def test_an_offer_that_is_none_is_refused_with_the_reason(monkeypatch):
    sim = exchanging(monkeypatch, Kind.OFFER)
    session = sim.nodes[0].session
    (given,) = [n.received for n in sim.nodes[0].told if isinstance(n, OfferAsked)]
    mine = [card for card in session.cards() if card is not given]
    theirs = sim.nodes[1].session.cards()[0]
    for cards in ((mine[0],), (mine[0], mine[0]), (mine[0], given), (mine[0], theirs), tuple(mine)):
        with pytest.raises(IllegalPlayError):
            session.play(Offer(cards))
    with pytest.raises(IllegalPlayError):
        session.play(Pass())
    assert len(signed(session.play(Offer((mine[1], mine[0]))))) == 1


def test_the_loser_alone_is_told_the_offered_cards_in_their_order(monkeypatch):
    sim = exchanging(monkeypatch, Kind.CHOOSE)
    asked = [[n for n in node.told if isinstance(n, ChoiceAsked)] for node in sim.nodes]
    assert asked[0] == asked[1] == []
    (notice,) = asked[2]
    offering = sim.nodes[0].session
    faces, hand = offering.ledger.position.hands.faces, offering._own.card_at
    places = offering.ledger.position.stage.offered
    assert notice.cards == tuple(faces[hand[place]] for place in places)
    assert sim.nodes[2].session.offered() == notice.cards
    assert sim.nodes[0].session.offered() == sim.nodes[1].session.offered() == ()


def test_hands_are_as_the_exchange_left_them(monkeypatch):
    sim = exchanging(monkeypatch, Kind.CHOOSE)
    loser, winner = sim.nodes[2].session, sim.nodes[0].session
    before = set(loser.cards()), set(winner.cards())
    taken, kept = loser.offered()
    effects = loser.play(Choice(taken))
    assert told(effects, CardTaken) == [CardTaken(2, 0, taken)]
    assert set(loser.cards()) == before[0] | {taken}
    assert len(loser.cards()) == 18
    sim._carry_out(2, effects)
    sim.go_on(all_at(Kind.TURN))
    assert set(winner.cards()) == before[1] - {taken}
    assert kept in winner.closed_cards()
