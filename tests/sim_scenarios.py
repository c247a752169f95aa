"""Simulated tables by seed: seats, rules, what the network does, who leaves, what goes wrong."""

from __future__ import annotations

import random
from collections.abc import Callable

from sim_faults import Backup, Crash, Fault, Gone, Idle, OneWay, Partition, Pausing
from sim_judge import Judge
from sim_liars import ATTACKS, Liar
from simulator import Faults, Simulator

from p2pclimb.ledger.entry import Kind
from p2pclimb.table.session import Session

__all__ = ["KINDS", "judged", "scenario"]

# Weighted by how often a kind of table is wanted: large ones take long.
_SEATS = (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4)
_LARGE = (5, 6, 7, 8)
_RULES: tuple[tuple[str, dict[str, object]], ...] = (
    ("tienlen/1", {}),
    ("tienlen/1", {}),
    ("tienlen/1", {"show_rest": True}),
    ("tienlen/1", {"finish_on_two": False}),
    ("tienlen/1", {"pass_rule": "free"}),
    ("tienlen/1", {"finish_on_two": False, "show_rest": True}),
    ("tienlen/1", {"direction": "anticlockwise", "pass_rule": "free"}),
    ("tienlen/1", {"scoring": "places", "stake": 3}),
    ("tienlen-south/1", {}),
    ("tienlen-south/1", {"rotten_twos": True, "chop_pay": True, "finish_on_two": False}),
    ("winner/1", {}),
    ("winner/1", {"exchange": True}),
    ("winner/1", {"exchange": True, "fours_when": "anyone"}),
    ("winner/1", {"fours": "takeover", "fours_when": "anyone", "pass_rule": "locked"}),
    ("winner/1", {"revolution": True, "next_lead": "winner", "show_rest": True}),
)


def scenario(seed: int) -> Simulator:
    """Return a table that is a function of the seed: seats, rules, faults, and who leaves when."""
    source = random.Random(f"scenario {seed}")
    seats = source.choice(_LARGE if source.random() < 0.03 else _SEATS)
    game, rules = source.choice(_RULES)
    settings = {**rules, "deals": source.choice((1, 1, 1, 1, 2, 3))}
    is_tienlen = game != "winner/1"
    if is_tienlen and seats <= 4 and source.random() < 0.2:
        settings["instant_wins"] = True
    elif is_tienlen and source.random() < 0.1:
        settings["deal"] = "17" if seats == 3 else "all"
    faults = Faults(
        latest=source.choice((0.01, 0.2, 0.2, 2.0)),
        lost=source.choice((0.0, 0.0, 0.02, 0.1, 0.3)),
        doubled=source.choice((0.0, 0.02, 0.3)),
    )
    leavers = source.choice((0, 0, 0, 1, 1, 2, seats))
    leaving = {
        seat: _departure(source) for seat in source.sample(range(seats), min(leavers, seats))
    }
    return Simulator(seed, seats, settings, faults, leaving=leaving, game=game)


def _departure(source: random.Random) -> Callable[[Session], bool]:
    """Return when a seat leaves: at the first step of a kind, or from some step on."""
    if source.random() < 0.6:
        kind, deal = source.choice(list(Kind)), source.choice((0, 1, 1, 2))
        return lambda session: (
            session.ledger.position.stage.kind is kind
            and session.ledger.position.stage.deal >= deal
        )
    step = source.randrange(60)
    return lambda session: session.ledger.position.step >= step


_TROUBLED_SEATS = (2, 2, 3, 3, 3, 3, 3, 4, 4, 5)
# What was signed after an image was made must be known to somebody whom its seat can ask.
_WITH_A_BACKUP = ("idle", "pause")
KINDS = ("crash", "crash", "gone", "partition", "partition", "one-way", "idle", "pause", "backup")


def judged(seed: int, kind: str | None = None) -> Judge:
    """Return a table that is a function of the seed, and its judge, who plays it.

    `kind` is "plain", one of `KINDS` or "trouble" for any of them, the name of an attack or "liar"
    for any of them; None leaves that to the seed as well.
    """
    if kind is None:
        kind = random.Random(f"kind {seed}").choice(("plain", "trouble", "trouble", "liar", "liar"))
    if kind == "plain":
        return Judge(scenario(seed))
    if kind == "trouble" or kind in KINDS:
        return Judge(troubled(seed, None if kind == "trouble" else kind))
    sim, liar = with_a_liar(seed, None if kind == "liar" else kind)
    return Judge(sim, {liar.seat})


def troubled(seed: int, only: str | None = None) -> Simulator:
    """Return a table that things befall, a function of the seed; `only` faults of a kind."""
    source = random.Random(f"troubled {seed}")
    seats = source.choice(_TROUBLED_SEATS)
    game, rules = source.choice(_RULES)
    settings = {
        **rules,
        "deals": source.choice((1, 1, 1, 2)),
        "turn_seconds": 6,
        "duty_seconds": 5,
        "claim_seconds": source.choice((0, 1)),
    }
    network = Faults(
        latest=source.choice((0.01, 0.2, 0.2, 1.0)),
        lost=source.choice((0.0, 0.0, 0.05, 0.2)),
        doubled=source.choice((0.0, 0.0, 0.2)),
    )
    kinds = [only or source.choice(KINDS) for _ in range(source.choice((1, 1, 2, 3, 5)))]
    if "backup" in kinds:
        kinds = ["backup", *(kind for kind in kinds if kind in _WITH_A_BACKUP)]
        network = Faults(latest=network.latest, doubled=network.doubled, in_order=True)
    leavers = source.sample(range(seats), source.choice((0, 0, 0, 0, 1)))
    leaving = {seat: _departure(source) for seat in leavers}
    sim = Simulator(seed, seats, settings, network, leaving=leaving, game=game)
    faults = [_fault(kind, seats, source) for kind in kinds]
    for fault in faults:
        fault.begin(sim)
    return sim


def with_a_liar(seed: int, only: str | None = None) -> tuple[Simulator, Liar]:
    """Return a table with one seat that lies; the others stay an honest, connected majority."""
    source = random.Random(f"liar {seed}")
    seats = source.choice((3, 3, 3, 4, 4, 5))
    game, rules = source.choice(_RULES)
    settings = {
        **rules,
        "deals": source.choice((1, 1, 2)),
        "turn_seconds": 6,
        "duty_seconds": 5,
        "claim_seconds": source.choice((0, 1)),
    }
    network = Faults(latest=source.choice((0.01, 0.2, 0.5)), lost=source.choice((0.0, 0.0, 0.05)))
    sim = Simulator(seed, seats, settings, network, game=game)
    attacks = [only] if only else source.sample(sorted(ATTACKS), source.choice((1, 1, 2)))
    often, begins = (
        source.choice((0.05, 0.3, 1.0)),
        source.choice((0.0, 1.0, source.uniform(0, 20))),
    )
    seat = source.randrange(seats)
    liar = Liar(sim, seat, tuple(attacks), source, often, begins)
    # While one seat lies, one more may be away only where the rest is still a majority.
    faults = []
    if seats >= 4 and source.random() < 0.5:
        victim = source.choice([other for other in range(seats) if other != seat])
        at = source.uniform(0, 20)
        faults.append(Crash(victim, at, source.randrange(40), source.choice((0.5, 3, 20))))
    elif source.random() < 0.5:
        faults.append(Idle(seat, source.uniform(0, 10), source.uniform(5, 30)))
    for fault in (*faults, liar):
        fault.begin(sim)
    return sim, liar


def _fault(kind: str, seats: int, source: random.Random) -> Fault:
    seat, at = source.randrange(seats), source.uniform(0, source.choice((5, 25, 60)))
    seconds = source.choice((0.5, 3, 8, 20, 60)) * source.uniform(0.5, 1.5)
    match kind:
        case "crash":
            return Crash(seat, at, source.randrange(40), seconds)
        case "gone":
            return Gone(seat, at, seconds * 3)
        case "partition":
            group = [source.randrange(source.choice((2, 2, 3))) for _ in range(seats)]
            groups = tuple(
                tuple(s for s in range(seats) if group[s] == number) for number in range(3)
            )
            return Partition(groups, at, seconds)
        case "one-way":
            others = [s for s in range(seats) if s != seat]
            deaf = source.sample(others, source.randint(1, len(others)))
            return OneWay(seat, tuple(deaf), at, seconds)
        case "idle":
            return Idle(seat, at, seconds)
        case "pause":
            asking = source.sample(range(seats), source.randint(1, seats))
            return Pausing(tuple(asking), at, seconds)
        case "backup":
            return Backup(seat, at, source.uniform(0, 20), seconds)
    raise AssertionError(f"there is no fault of kind {kind}")
