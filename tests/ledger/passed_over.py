"""Places that their authors do not fill, as certificates, notices and convictions have it.

How it comes to these is no matter of the steps: here they simply stand.
"""

from honest_table import HonestTable

from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.position import Unfilled

__all__ = ["convicted", "left", "passed_over", "the_rest_sign"]


def _filled(table: HonestTable, reason: Unfilled, seats: tuple[int, ...]) -> HonestTable:
    for seat in seats:
        position, events = table.position.fill(seat, reason)
        table.events += events
        if position.stage.kind is not None and not position.stage.authors():
            position, events = position.completed()
            table.events += events
        table.ledger = Ledger(table.ledger.terms, position)
    return table


def passed_over(table: HonestTable, *seats: int) -> HonestTable:
    """Let these seats be absent at the present step."""
    return _filled(table, Unfilled.ABSENT, seats)


def left(table: HonestTable, *seats: int) -> HonestTable:
    """Let these seats leave with the present step."""
    return _filled(table, Unfilled.LEFT, seats)


def convicted(table: HonestTable, *seats: int) -> HonestTable:
    """Let these seats be convicted at the present step."""
    return _filled(table, Unfilled.CONVICTED, seats)


def the_rest_sign(table: HonestTable) -> HonestTable:
    """Let all sign whom the present step still waits for."""
    step = table.position.step
    return table.go(lambda now: now.position.step > step)
