"""No record, effect, text or representation holds what its seat must keep to itself."""

import dataclasses
import random
from heapq import heappop

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from later_deals import begin_after
from simulator import Faults, Simulator
from stacked_packs import deal_hands
from table_setup import QUIET, all_at, at, forge, hand_in, jobs, table_at

from p2pclimb.cards import pretty
from p2pclimb.crypto.group import ORDER, encode_scalar
from p2pclimb.crypto.masking import Ciphertext, card_index, new_key_pair, share, unmask
from p2pclimb.crypto.transfer import received
from p2pclimb.errors import PlayError
from p2pclimb.games.moves import Cards, LeadPass
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import Offered
from p2pclimb.ledger.hands import Showing, owed_places
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.close import CloseBody
from p2pclimb.seat.secrets import DealSecrets
from p2pclimb.table.effects import Effect, Flood, Heads, Records, Remember, Send, Store, Tell
from p2pclimb.table.jobs import DutyJob
from p2pclimb.table.notices import ChoiceAsked, HandDealt

HONEST = (0, 1)
ATTACKER = 2


def secrets_of(sim: Simulator, seat: int) -> list[bytes]:
    """The byte strings that no record of the seat may hold at this moment."""
    session = sim.nodes[seat].session
    kept = [session.identity.seed]
    secrets = session._own.secrets
    if secrets is None:
        return kept
    kept.append(encode_scalar(secrets.keys.secret))
    position = session.ledger.position
    if position.stage.kind is Kind.COMMIT:
        kept.append(secrets.coin)
    return kept + closed_shares(session, secrets)


def closed_shares(session, secrets: DealSecrets) -> list[bytes]:
    """The last masks of the seat's own closed cards: whoever has one sees the card."""
    stage = session.ledger.position.stage
    if stage.kind is Kind.SHARES:
        own = [p for p, owner in enumerate(stage.owners) if owner == session.seat.number]
        masked = [stage.deck[place] for place in own if place not in stage.cast.face_up]
    elif session.ledger.position.hands is not None:
        hands = session.ledger.position.hands
        closed = set(hands.closed(hands.in_hand(session.seat.number)))
        masked = [hands.residuals[place] for place in closed - just_shown(session)]
        masked += offered_to(session)
    else:
        masked = []
    return [bytes(share(secrets.keys.secret, ciphertext)) for ciphertext in masked]


def offered_to(session) -> list[Ciphertext]:
    """The cards that this seat alone has been shown, under its key."""
    stage = session.ledger.position.stage
    if not isinstance(stage, Choosing) or stage.exchange.giver != session.seat.number:
        return []
    residuals = stage.hands.residuals
    return [received(residuals[place], transfer) for place, transfer in stage.offered.items()]


def just_shown(session) -> set[int]:
    """The places that the seat has shown in this step, which waits for others still."""
    filling = session.ledger.position.fillings.get(session.seat.number)
    stage = session.ledger.position.stage
    match getattr(filling, "body", None):
        case Showing(places) if stage.kind is Kind.LOWEST:
            faces = {stage.hands.faces[session._own.card_at[place]] for place in places}
            assert faces == {stage.cards[0]}, "a card is shown that was not asked for"
            return set(places)
        case Showing(places) if stage.kind is Kind.CLAIM:
            cards = tuple(stage.hands.faces[session._own.card_at[place]] for place in places)
            stage.check_cards(session.seat.number, cards)  # raises if nothing is claimed
            return set(places)
        case CloseBody(showing=showing):
            return set(showing.places)
        case _:
            return set()


def records_in(effect: Effect) -> tuple[bytes, ...]:
    match effect:
        case Flood(Records(records)) | Send(_, Records(records)):
            return records
        case Remember(_, record) | Store(record):
            return (record,)
        case _:
            return ()


def keeps_its_secrets(sim: Simulator, seat: int, effect: Effect) -> None:
    """Assert that an effect holds none of the secrets that its seat has after it."""
    if seat not in HONEST:
        return
    kept = secrets_of(sim, seat)
    for record in records_in(effect):
        assert not any(secret in record for secret in kept), "a record holds a secret"
    if not (isinstance(effect, Tell) and isinstance(effect.notice, HandDealt | ChoiceAsked)):
        text = repr(effect)
        assert not any(form in text for secret in kept for form in forms(secret))


def forms(secret: bytes) -> list[str]:
    """How a secret may look in a text."""
    number = int.from_bytes(secret, "little")
    return [repr(secret)[2:-1], secret.hex(), str(number), hex(number)[2:]]


@pytest.mark.parametrize("seed", range(4))
def test_no_effect_of_a_whole_table_holds_a_secret(seed):
    rules = {"deals": 2, "show_rest": bool(seed % 2), "finish_on_two": bool(seed // 2)}
    faults = Faults(lost=0.05, doubled=0.1)
    sim = Simulator(f"secrets {seed}", 2, rules, faults, observe=keeps_its_secrets)
    sim.run()


@pytest.mark.parametrize(
    "settings",
    [
        {"exchange": True, "fours_when": "anyone"},
        {"exchange": True, "fours": "takeover", "fours_when": "anyone", "show_rest": True},
    ],
    ids=str,
)
def test_no_effect_of_a_table_with_exchanges_and_bombs_holds_a_secret(settings):
    faults = Faults(lost=0.05, doubled=0.1)
    rules = {"deals": 2, **settings}
    sim = Simulator("secrets", 3, rules, faults, observe=keeps_its_secrets, game="winner/1")
    sim.run()


def test_no_effect_of_a_table_with_instant_wins_holds_a_secret(monkeypatch):
    deal_hands(monkeypatch, ["2s 2c 2d 2h", "", ""])
    rules = {"deals": 1, "instant_wins": True, "rotten_twos": True}
    sim = Simulator("secrets", 3, rules, observe=keeps_its_secrets, game="tienlen-south/1")
    sim.run()


def test_the_search_would_find_a_share_of_a_closed_card():
    """The oracle's own check: were a seat to give such a share, it would be seen."""
    sim = Simulator("leak", 2, {"deals": 1}, QUIET)
    sim.run(lambda sim: sim.nodes[0].session.ledger.position.stage.kind is Kind.TURN)
    session = sim.nodes[0].session
    shares = closed_shares(session, session._own.secrets)
    assert len(shares) >= 12
    leak = Store(encode_record(forge(sim, 0, [shares[0]])), sync=True)
    with pytest.raises(AssertionError, match="secret"):
        keeps_its_secrets(sim, 0, leak)


# -- an exchange --------------------------------------------------------------------------


def exchanging(observe=None) -> Simulator:
    """A table of three in which the loser of the first deal is to choose."""
    sim = Simulator("exchange", 3, {"exchange": True, "deals": 2}, QUIET, game="winner/1")
    sim.observe = observe
    sim.run(all_at(Kind.CHOOSE))
    return sim


def test_offered_cards_are_told_to_the_loser_alone_and_to_nobody_elses_screen():
    told: list[tuple[int, object]] = []

    def observe(sim, seat, effect):
        if isinstance(effect, Tell):
            told.append((seat, effect.notice))

    sim = exchanging(observe)
    stage = sim.nodes[0].session.ledger.position.stage
    giver, receiver = stage.exchange.giver, stage.exchange.receiver
    asked = [(seat, n) for seat, n in told if isinstance(n, ChoiceAsked)]
    winner = sim.nodes[receiver].session
    faces = winner.ledger.position.hands.faces
    cards = {faces[winner._own.card_at[place]] for place in stage.offered}
    assert [(seat, set(n.cards)) for seat, n in asked] == [(giver, cards)]
    offers = [n for _, n in told if isinstance(n, Offered)]
    assert offers == [Offered(receiver, giver)] * 3
    # Neither the events nor the notice's own text name a card.
    for _, notice in (*asked, *((0, offer) for offer in offers)):
        assert not any(str(card) in repr(notice) for card in cards)


def test_only_the_loser_reads_an_offer_whatever_two_of_the_others_know():
    sim = exchanging()
    stage = sim.nodes[0].session.ledger.position.stage
    giver, receiver = stage.exchange.giver, stage.exchange.receiver
    (third,) = {0, 1, 2} - {giver, receiver}
    keys = {n: node.session._own.secrets.keys.secret for n, node in enumerate(sim.nodes)}
    for place, transfer in stage.offered.items():
        before = stage.hands.residuals[place]
        after = received(before, transfer)
        opened = {
            (seat, masked is after): card_index(unmask(masked, share(key, masked)), 54)
            for seat, key in keys.items()
            for masked in (before, after)
        }
        known = sim.nodes[receiver].session._own.card_at[place]
        assert {where for where, card in opened.items() if card is not None} == {
            (receiver, False),
            (giver, True),
        }
        assert {card for card in opened.values() if card is not None} == {known}
        assert opened[third, True] is opened[third, False] is None


def test_the_card_that_is_not_taken_stays_closed_for_all_but_two():
    sim = exchanging()
    offered = dict(sim.nodes[0].session.ledger.position.stage.offered)
    sim.go_on(all_at(Kind.TURN))
    for node in sim.nodes:
        hands = node.session.ledger.position.hands
        assert len(hands.closed(offered)) == 1


ORACLE_TABLES = {
    "tienlen": {"deals": 1},
    "winner": {"exchange": True, "fours_when": "anyone", "deals": 2},
}
FINISHED = {"tienlen": None, "winner": (0, 2, 1)}


class Oracle(RuleBasedStateMachine):
    """Row 14: an attacker at the table tries to be told more than it should.

    It has a seat, signs whatever it likes, replays what it has heard as it is or as its own, and
    asks for records by heads of its own making.  Whatever the two honest seats then send, log or
    tell is searched for their secrets, and for the masks of their closed cards above all.
    """

    @initialize(seed=st.integers(0, 7), table=st.sampled_from(list(ORACLE_TABLES)))
    def begin(self, seed: int, table: str) -> None:
        self.source = random.Random(seed)
        self.heard: list[bytes] = []
        rules = ORACLE_TABLES[table]
        self.patch = pytest.MonkeyPatch()
        begin_after(self.patch, FINISHED[table])
        self.sim = Simulator(
            f"oracle {seed}", 3, rules, QUIET, observe=self.observe, game=f"{table}/1"
        )
        for n, node in enumerate(self.sim.nodes):
            self.sim._carry_out(n, node.session.start())
            self.sim._later(1.0, lambda n=n: self.sim._tick(n))

    def teardown(self) -> None:
        self.patch.undo()

    def observe(self, sim: Simulator, seat: int, effect: Effect) -> None:
        keeps_its_secrets(sim, seat, effect)
        if isinstance(effect, Flood | Send):
            self.heard += records_in(effect)

    @rule(events=st.integers(1, 120))
    def go_on(self, events: int) -> None:
        for _ in range(events):
            self.sim.clock, _, action = heappop(self.sim.queue)
            action()

    @precondition(lambda self: self.heard)
    @rule(victim=st.sampled_from(HONEST), pick=st.randoms(use_true_random=False))
    def replay(self, victim: int, pick: random.Random) -> None:
        records = tuple(pick.choices(self.heard, k=3))
        self.sim.inject(victim, self.sim.peers[ATTACKER], records)

    @precondition(lambda self: self.heard)
    @rule(victim=st.sampled_from(HONEST), pick=st.randoms(use_true_random=False))
    def sign_what_others_said(self, victim: int, pick: random.Random) -> None:
        known = decode_record(pick.choice(self.heard))
        session = self.sim.nodes[victim].session
        if session.ledger.ended or not hasattr(known, "body"):
            return
        kind = pick.choice([known.kind, session.ledger.position.stage.kind])
        step = session.ledger.position.step + pick.choice([0, 0, 1, 5])
        entry = forge(self.sim, ATTACKER, known.body, ledger_of=victim, kind=kind, step=step)
        # Its own node, which did not sign this, may pass it on like anybody.
        self.sim.nodes[ATTACKER].sent.add(encode_record(entry))
        self.sim._carry_out(victim, hand_in(session, self.sim.peers[ATTACKER], entry))

    @rule(
        victim=st.sampled_from(HONEST), step=st.integers(0, 60), filled=st.sets(st.integers(0, 2))
    )
    def ask(self, victim: int, step: int, filled: set[int]) -> None:
        session = self.sim.nodes[victim].session
        known = session.ledger.position.heads
        head = self.source.choice([*known, bytes(32)])
        effects = session.compare(
            self.sim.peers[ATTACKER], Heads(step, head, tuple(sorted(filled)))
        )
        self.sim._carry_out(victim, effects)

    @invariant()
    def every_share_given_is_owed(self) -> None:
        """A seat gives shares once, for others' places of the deck that all agreed on."""
        if not hasattr(self, "sim"):
            return
        for seat in HONEST:
            given = [
                entry
                for entry in map(decode_record, self.sim.nodes[seat].signed.values())
                if entry.kind is Kind.SHARES
            ]
            attempts = [(entry.deal, entry.attempt) for entry in given]
            assert len(attempts) == len(set(attempts))


Oracle.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
TestOracle = Oracle.TestCase


def test_shares_are_only_owed_for_places_of_others():
    owners = (0, 1, None, 0, 1, None)
    for seat in (0, 1):
        assert all(owners[place] == 1 - seat for place in owed_places(owners, seat))


# -- representations ----------------------------------------------------------------------


def everything_of(sim: Simulator, seat: int) -> list[object]:
    session = sim.nodes[seat].session
    found = [session, session.seat, session.ledger, session._own.secrets, session.identity]
    found += [session.ledger.position.stage, session._owing, session._reception]
    return [item for item in found if item is not None]


@pytest.mark.parametrize("kind", list(Kind))
def test_no_representation_holds_a_secret_at_any_step(kind):
    sim = table_at(kind, 3, "repr", deals=2)
    for seat in range(3):
        kept = secrets_of(sim, seat)
        for item in everything_of(sim, seat):
            if isinstance(item, dict):
                continue  # read by value below, and never printed: the field has no repr
            text = repr(item)
            assert not any(form in text for secret in kept for form in forms(secret))


def test_a_sessions_representation_does_not_depend_on_its_hand_or_secrets():
    sim = Simulator("repr", 2, {"deals": 1}, QUIET)
    sim.run(lambda sim: all(at(Kind.TURN)(node.session) for node in sim.nodes))
    session = sim.nodes[0].session
    before = repr(session)
    own = session._own
    own.card_at = dict(zip(own.card_at, reversed(own.card_at.values()), strict=True))
    secrets = own.secrets
    other = new_key_pair(random.Random("other").randbytes)
    own.secrets = dataclasses.replace(
        secrets, keys=dataclasses.replace(secrets.keys, secret=other.secret), coin=bytes(32)
    )
    session._owing._made = {}
    assert repr(session) == before


def test_jobs_hide_the_secrets_that_they_carry():
    sim = Simulator("jobs", 2, {"deals": 1}, QUIET)
    session = sim.nodes[0].session
    waiting = jobs(session.start())
    seen = set()
    while waiting:
        job = waiting.pop()
        kind = job.position.stage.kind
        seen.add(kind)
        kept = secrets_of(sim, 0)
        result = job.run()
        text = repr(job) + repr(result)
        assert not any(form in text for secret in kept for form in forms(secret))
        waiting += jobs(session.done(job, result))
        if kind is Kind.OPEN and isinstance(job, DutyJob):
            other = sim.nodes[1].session
            (their_job,) = jobs(other.start())
            effects = other.done(their_job, their_job.run())
            record = next(e.record for e in effects if isinstance(e, Remember))
            waiting += jobs(session.receive(sim.peers[1], [record]))
    assert seen == {Kind.OPEN, Kind.COMMIT}


def test_a_refused_play_names_no_card_but_the_ones_it_was_asked_for():
    sim = Simulator("errors", 2, {"deals": 1, "finish_on_two": False}, QUIET)
    sim.run(lambda sim: all(at(Kind.TURN)(node.session) for node in sim.nodes))
    seat = sim.nodes[0].session.ledger.position.waiting()[0]
    session = sim.nodes[seat].session
    mine = session.cards()
    position = session.ledger.position
    must = position.stage.state.must_include
    for play in (
        Cards((mine[-1],)),
        Cards(mine[:2]),
        Cards(mine),
        LeadPass(mine),
        LeadPass(mine[:3]),
        *(Cards((card,)) for card in position.hands.faces if card not in mine),
    ):
        try:
            session.play(play)
        except PlayError as error:
            asked = play.hand if isinstance(play, LeadPass) else play.cards
            others = [card for card in mine if card not in asked and card is not must]
            text = error.diagnostics()
            assert not any(str(card) in text or pretty(card) in text for card in others)


def test_secrets_are_scalars_of_the_group_and_new_for_every_attempt():
    sim = Simulator("fresh", 3, {"deals": 2}, QUIET)
    seen = []

    def observe(sim, seat, effect):
        secrets = sim.nodes[seat].session._own.secrets
        if secrets is not None and secrets not in seen:
            seen.append(secrets)

    sim.observe = observe
    sim.run()
    scalars = [secrets.keys.secret for secrets in seen]
    assert len(scalars) == len(set(scalars)) == 6
    assert all(0 < scalar < ORDER for scalar in scalars)
    assert len({secrets.coin for secrets in seen}) == 6
