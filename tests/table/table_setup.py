"""What the tests of sessions share: simulated tables stopped at a step, and forgers in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from honest_table import HonestTable, identity, rules_with, seeded
from simulator import Faults, Simulator

from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.entry import Entry, Kind, Leave, sign_entry, sign_leave
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import decode_record, encode_record
from p2pclimb.seat.duties import Seat
from p2pclimb.table.effects import Effect, Flood, Records, Remember, Send, Store, Tell, Work
from p2pclimb.table.session import Session

QUIET = Faults(latest=0.01)


def at(kind: Kind) -> Callable[[Session], bool]:
    return lambda session: session.ledger.position.stage.kind is kind


def all_at(kind: Kind) -> Callable[[Simulator], bool]:
    return lambda sim: all(at(kind)(node.session) for node in sim.nodes)


def table_at(kind: Kind, seats: int = 2, seed: object = "t", **settings: object) -> Simulator:
    """A table that runs until all nodes have come to a kind of step."""
    game, rules = game_with(kind)
    sim = Simulator(seed, seats, {**rules, **settings}, QUIET, game=game)
    sim.run(all_at(kind))
    return sim


def game_with(kind: Kind) -> tuple[str, dict[str, object]]:
    """The game and the settings of a table that comes to a kind of step."""
    rules = rules_with(kind)
    return str(rules.pop("game")), rules


def forge(
    sim: Simulator, seat: int, body: Value, ledger_of: int | None = None, **changes: object
) -> Entry:
    """An entry that a seat signs for the present step (as another seat's ledger has it)."""
    session = sim.nodes[seat if ledger_of is None else ledger_of].session
    site = session.ledger.position.site
    header = {
        "table": site.table,
        "deal": site.deal,
        "attempt": site.attempt,
        "step": site.step,
        "previous": site.previous,
        "counter": 1_000,
        "kind": site.kind,
        **changes,
    }
    place = Place(header.pop("step"), header.pop("previous"), seat)
    return sign_entry(sim.nodes[seat].session.identity, place=place, body=body, **header)


def forge_leave(sim: Simulator, seat: int, step: int) -> Leave:
    session = sim.nodes[seat].session
    return sign_leave(
        session.identity,
        table=session.ledger.position.table,
        deal=session.ledger.position.stage.deal,
        step=step,
        author=seat,
        counter=1_000,
        head=session.ledger.position.previous,
    )


def hand_in(session: Session, peer: bytes, *records: Entry | Leave) -> list[Effect]:
    return session.receive(peer, [encode_record(record) for record in records])


def flooded(effects: Iterable[Effect]) -> list[bytes]:
    """The records that the effects send to others."""
    return [
        record
        for effect in effects
        if isinstance(effect, Flood | Send) and isinstance(effect.message, Records)
        for record in effect.message.records
    ]


def stored(effects: Iterable[Effect]) -> list[bytes]:
    return [effect.record for effect in effects if isinstance(effect, Store)]


def signed(effects: Iterable[Effect]) -> list[bytes]:
    return [effect.record for effect in effects if isinstance(effect, Remember)]


def jobs(effects: Iterable[Effect]) -> list:
    return [effect.job for effect in effects if isinstance(effect, Work)]


def told(effects: Iterable[Effect], kind: type) -> list:
    return [e.notice for e in effects if isinstance(e, Tell) and isinstance(e.notice, kind)]


class Company:
    """One real session in the company of seats that a test moves by hand."""

    def __init__(self, seat: int, seats: int = 3, seed: str = "table", **settings: object) -> None:
        self.table = HonestTable.new(seats, seed, **settings)
        self.seat = seat
        self.peer = self.table.ledger.terms.seats[(seat + 1) % seats].curve
        self.session = Session(
            self.table.ledger.terms, Seat(seat, seeded(f"{seed} node")), identity(seat, seed)
        )
        self.log: list[bytes] = []
        self.work(self.session.start())

    def work(self, effects: list[Effect]) -> list[Effect]:
        """Carry out effects and the jobs among them; return all that came of it."""
        done = [*effects]
        self.log += stored(effects)
        for record in signed(effects):
            self.table.put(decode_record(record))
        for job in jobs(effects):
            done += self.work(self.session.done(job, job.run()))
        return done

    def hear(self, *records: Entry | Leave) -> list[Effect]:
        """Hand records to the session, as if a peer had sent them."""
        return self.work(hand_in(self.session, self.peer, *records))

    def resumed(self) -> Session:
        """Another session that goes on from the log of this one."""
        again = Session(self.session.terms, self.session.seat, self.session.identity)
        again.resume(self.log, {}, {})
        return again

    def others(self) -> list[int]:
        return [seat for seat in self.table.position.waiting() if seat != self.seat]

    def go(self, until: Kind) -> Company:
        """Go on until the session has come to a kind of step in which others are waited for."""
        while not (self.session.ledger.position.stage.kind is until and self.others()):
            if self.others():
                entry = self.table.sign(self.others()[0])
                self.table.put(entry)
                self.hear(entry)
            else:
                play = self.table.stage.state.legal_plays(self.session.cards())
                self.work(self.session.play(next(iter(play), None) or play.passing))
        return self
