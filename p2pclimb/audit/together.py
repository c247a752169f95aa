"""Several logs of one table, judged together: where they part, and what comes of that.

One log shows what one seat has seen.  Where two of them go different ways, either somebody signed
two things, which both together prove, or what one of them has there was tentative, and the decision
that overrides it is in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2pclimb.audit.audit import Report
from p2pclimb.names import printable

__all__ = ["Parting", "partings", "partings_json", "partings_text", "union"]


@dataclass(frozen=True, slots=True)
class Parting:
    """Where the history of one log leaves the one that counts for all logs together.

    `step` is the first step that it fills in another way, or has another step in its place, None
    if it goes the same way to its end; `was_final` tells whether that log alone held that step for
    final, which honest seats do only with what nothing overrides.
    """

    file: str
    step: int | None
    was_final: bool


def union(logs: Sequence[Sequence[bytes]]) -> tuple[bytes, ...]:
    """Return what is in any of the logs: all of the first, then what each other one adds."""
    return tuple(dict.fromkeys(record for log in logs for record in log))


def partings(together: Report, alone: Sequence[tuple[str, Report]]) -> tuple[Parting, ...]:
    """Return for each file where its history leaves that of all of them together."""
    return tuple(_parting(file, report, together.heads) for file, report in alone)


def _parting(file: str, report: Report, heads: Sequence[bytes]) -> Parting:
    """Compare heads: the one after a step stands for all that was before it."""
    after = zip(report.heads, heads, strict=False)
    same = sum(head == other for head, other in after)
    if same == len(report.heads):
        return Parting(file, None, was_final=False)
    step = same - 1
    return Parting(file, step, was_final=report.end is not None and step < report.end.final)


def partings_text(found: Sequence[Parting]) -> str:
    """Return for people what the logs have to do with each other."""
    return "\n".join(_lines(found))


def _lines(found: Sequence[Parting]) -> Iterator[str]:
    yield f"The {len(found)} logs of this table together:"
    for parting in found:
        yield f"{'log':<9} {printable(parting.file)}: {_told(parting)}"


def _told(parting: Parting) -> str:
    if parting.step is None:
        return "all of its history counts"
    before = f"goes another way from step {parting.step} on"
    if parting.was_final:
        return f"{before}, and held that for final: somebody lied"
    return f"{before}: what it has there was tentative, and counts no more"


def partings_json(found: Sequence[Parting]) -> list[dict[str, object]]:
    """Return the same as plain values."""
    return [
        {"file": each.file, "parts_at": each.step, "was_final": each.was_final} for each in found
    ]
