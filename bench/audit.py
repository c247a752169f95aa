"""CPU of an offline audit, next to the cost of the operations that its verifications cannot avoid.

The log is that of a table of the simulator: real proofs, plays at random.  The floor is the number
of group operations that the audit was counted to need, and of signatures, times what the bare calls
of the libraries cost.  What is above it is hashing, scalars, the rules of the game and Python.
"""

from __future__ import annotations

import os
import time

from bench import Row, from_tests
from bench.deal import best, floor_seconds, unit_costs
from p2pclimb.audit.audit import Report, audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.crypto.group import base_point
from p2pclimb.crypto.identity import Identity, verify_signature
from p2pclimb.crypto.sodium import Operations, count_operations, load

__all__ = ["run"]

GOAL = 1.25
REPEATS = 5
TABLES = ((4, 1), (2, 1), (4, 4))
"""Seats and deals of the tables to measure."""


def run() -> list[Row]:
    """Return one row for each table, and the goal for the ratio."""
    return [_measure(seats, deals) for seats, deals in TABLES]


def _measure(seats: int, deals: int) -> Row:
    table = from_tests("simulator").Simulator("bench", seats, {"deals": deals})
    table.run()
    log = tuple(table.nodes[0].log)
    audit(log)  # generators and card points are computed once a process, not once a log
    with count_operations() as operations:
        report = audit(log)
    assert report.verdict is Verdict.VALID
    floor = _floor(operations, report)
    measured = min(_cpu_seconds(log) for _ in range(REPEATS))
    return {
        "table": f"{seats} seats, {deals} deals",
        "records": len(log),
        "KB": sum(map(len, log)) / 1000,
        "variable-base": operations.multiplied,
        "fixed-base": operations.multiplied_base,
        "additions": operations.added,
        "decodings": operations.decoded,
        "signatures": report.verified.signatures,
        "floor ms": floor * 1e3,
        "measured ms": measured * 1e3,
        "ratio": measured / floor,
        "goal": GOAL,
    }


def _floor(operations: Operations, report: Report) -> float:
    """Return the seconds of the operations alone."""
    encoding, sodium = bytes(base_point()), load()
    return (
        floor_seconds(operations, unit_costs())
        + operations.decoded * best(lambda: sodium.is_valid_point(encoding))
        + report.verified.signatures * _signature_cost()
    )


def _signature_cost() -> float:
    identity = Identity.new(os.urandom)
    message = bytes(500)
    signature = identity.sign(b"bench", message)
    return best(lambda: verify_signature(identity.public, b"bench", message, signature))


def _cpu_seconds(log: tuple[bytes, ...]) -> float:
    started = time.thread_time()
    audit(log)
    return time.thread_time() - started
