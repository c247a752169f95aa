"""An audit's report in words and as JSON.

The same log gives the same bytes, but for the timings.  Seats count from 1 in words and from 0 in
JSON.  Names and other foreign text are made printable in words; in JSON they are as they were
signed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from p2pclimb.audit.audit import End, Report
from p2pclimb.audit.findings import Finding, Verdict
from p2pclimb.audit.history import Deal, deals_of
from p2pclimb.audit.wording import each, name, quoted, seat_and_name, signed
from p2pclimb.crypto.identity import fingerprint
from p2pclimb.ledger.carried import Carried
from p2pclimb.ledger.events import Convicted, Missed
from p2pclimb.ledger.terms import Terms, table_words
from p2pclimb.names import printable

__all__ = ["JSON_SCHEMA", "heading", "report_json", "report_text", "tags", "verdict_sentence"]

JSON_SCHEMA = 1
"""Version of the JSON form; it rises when a key changes its meaning or goes."""

_MOST_FINDINGS = 20
"""How many findings are told in words; JSON has all of them."""

_VERIFIED = {
    "signatures": "signatures",
    "possessions": "key possessions",
    "shuffles": "shuffles",
    "shares": "shares",
    "openings": "openings",
    "absences": "absence proofs",
    "transfers": "transfers",
    "plays": "plays",
    "certificates": "places decided by vote",
}


def report_text(report: Report, file: str) -> str:
    """Return the report for people: the verdict first, then what it rests on."""
    lines = [f"{report.verdict}: {verdict_sentence(report)}", _line("file", printable(file))]
    if report.terms is not None:
        lines += tags(report.terms)
        lines += [_line("deal", _result(report.terms, deal)) for deal in _deals(report)]
        lines += _judgements(report, report.terms)
    if report.end is not None:
        lines.append(_line("head", f"{report.end.head.hex()} after {report.end.step} steps"))
        lines += _uncertain(report.end)
    lines += [_line("verified", _verified(report)), _line("records", _records(report))]
    if report.seconds:
        lines.append(_line("time", f"{report.seconds['all']:.2f} s"))
    return "\n".join([*lines, *_findings(report)])


def verdict_sentence(report: Report) -> str:
    """Return the verdict in a sentence."""
    match report.verdict:
        case Verdict.VALID:
            return "every check passed, and the table has ended."
        case Verdict.INCOMPLETE:
            return f"every check passed so far; {_open_end(report)}."
        case Verdict.UNSUPPORTED:
            return "this program cannot judge the log."
        case Verdict.MALFORMED:
            return "the log is not as a log must be; nobody is to blame for that."
        case Verdict.VIOLATION if any(finding.proved for finding in report.findings):
            return "a rule was broken, and the log proves by whom."
        case Verdict.VIOLATION:
            return "a rule was broken; the log does not prove by whom."


def tags(terms: Terms) -> list[str]:
    """Return the lines that say which table this is: id, game, options, seats, scores brought."""
    options = terms.options
    changed = [f"{item.key}={_shown(item.value)}" for item in options.differences()]
    return [
        _line("table", " ".join(terms.words)),
        _line("game", " ".join([options.game, *changed])),
        *(_line(f"seat {seat + 1}", _player(terms, seat)) for seat in range(len(terms.seats))),
        *_carried(terms),
    ]


def heading(deal: Deal) -> str:
    """Return `deal 2`, and which attempt it is if it was begun anew."""
    return f"deal {deal.number}" + (f", attempt {deal.attempt + 1}" if deal.attempt else "")


def report_json(report: Report, file: str) -> dict[str, object]:
    """Return the report as plain values; its keys are stable within one `schema`."""
    return {
        "schema": JSON_SCHEMA,
        "verdict": report.verdict.value,
        "exit_code": report.exit_code,
        "file": file,
        "table": _table_json(report.terms),
        "deals": [_deal_json(deal) for deal in _deals(report)],
        "end": _end_json(report),
        "verified": asdict(report.verified),
        "records": asdict(report.records),
        "findings": [_finding_json(finding) for finding in report.findings],
        "timings": {key: round(value, 6) for key, value in report.seconds.items()},
    }


def _deals(report: Report) -> tuple[Deal, ...]:
    return deals_of(report.events)


def _line(tag: str, text: str) -> str:
    return f"{tag:<9} {text}"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _player(terms: Terms, seat: int) -> str:
    player = terms.seats[seat]
    parts = [name(terms, seat), fingerprint(player.identity)]
    if player.is_bot:
        parts.append("bot")
    if player.operator != seat:
        parts.append(f"run by seat {player.operator + 1}")
    return "  ".join(parts)


def _carried(terms: Terms) -> Iterator[str]:
    """Yield which scores count on, and from which table."""
    carried = terms.carried
    if carried is None:
        return
    points = {seat: signed(points) for seat, points in enumerate(carried.points)}
    away = [f"{quoted(player.name)} {signed(player.points)} (away)" for player in carried.away]
    words = " ".join(table_words(carried.table))
    yield _line("carried", f"{', '.join([each(terms, points), *away])}, from table {words}")


def _result(terms: Terms, deal: Deal) -> str:
    text = heading(deal).removeprefix("deal ")
    if deal.missing is not None:
        missing = ", ".join(name(terms, seat) for seat in deal.missing)
        return f"{text}: begun anew without {missing}"
    if deal.order is None:
        tricks = len(deal.tricks)
        return f"{text}: not finished, {tricks} {'trick' if tricks == 1 else 'tricks'}"
    order = ", ".join(f"{place} {name(terms, seat)}" for place, seat in enumerate(deal.order, 1))
    if deal.instant_win is not None:
        order = f"{name(terms, deal.instant_win.seat)} won at once"
    points = each(terms, {seat: signed(value) for seat, value in deal.payments.items()})
    culprits = [f"; {name(terms, event.seat)} convicted" for event in deal.convicted]
    return f"{text}: {order}; {points}{''.join(culprits)}"


def _judgements(report: Report, terms: Terms) -> Iterator[str]:
    """Yield how many places were passed over by vote, and who was convicted of what."""
    missed = Counter(event.seat for event in report.events if isinstance(event, Missed))
    if missed:
        places = "1 place" if missed.total() == 1 else f"{missed.total()} places"
        whose = ", ".join(f"{name(terms, seat)} {missed[seat]}" for seat in sorted(missed))
        yield _line("absent", f"{places} passed over by vote: {whose}")
    for event in report.events:
        if isinstance(event, Convicted):
            yield _line("convicted", f"{seat_and_name(terms, event.seat)}: {event.rule}")


def _uncertain(end: End) -> Iterator[str]:
    """Yield what a vote could still override where a log ends in mid-air."""
    if end.kind is not None and end.tentative:
        last = "entry is" if end.tentative == 1 else f"{end.tentative} entries are"
        yield _line("final", f"all before step {end.final}; the last {last} tentative")


def _open_end(report: Report) -> str:
    end, terms = report.end, report.terms
    if end is None or end.kind is None or terms is None:
        return "the file ends in the middle of a record"
    waiting = " and ".join(seat_and_name(terms, seat) for seat in end.waiting)
    return f"step {end.step} ({end.kind.value}) waits for {waiting}"


def _verified(report: Report) -> str:
    counts = asdict(report.verified)
    if not counts["certificates"]:
        del counts["certificates"]  # at most tables nobody is late
    return ", ".join(f"{counts[key]} {_VERIFIED[key]}" for key in counts)


def _records(report: Report) -> str:
    records = report.records
    return (
        f"{records.total}: {records.placed} at their places, {records.repeated} repeated,"
        f" {records.unplaced} without a place"
    )


def _findings(report: Report) -> Iterator[str]:
    for finding in report.findings[:_MOST_FINDINGS]:
        yield ""
        yield f"{finding.verdict}: {printable(finding.text)}"
        yield _line("rule", f"{finding.rule}: {finding.expected}")
        yield from _whereabouts(finding, report.terms)
    if (more := len(report.findings) - _MOST_FINDINGS) > 0:
        yield f"\nand {more} more findings"


def _whereabouts(finding: Finding, terms: Terms | None) -> Iterator[str]:
    if finding.step is not None:
        yield _line("step", str(finding.step))
    if finding.seat is not None and terms is not None:
        key = fingerprint(terms.seats[finding.seat].identity)
        yield _line("seat", f"{finding.seat + 1}  {name(terms, finding.seat)}  {key}")
    if finding.records:
        shown = " ".join(map(str, finding.records[:_MOST_FINDINGS]))
        dots = " ..." if len(finding.records) > _MOST_FINDINGS else ""
        yield _line("records", shown + dots)
    if finding.verdict is Verdict.VIOLATION:
        yield _line("blame", "proved" if finding.proved else "not proved")


def _table_json(terms: Terms | None) -> dict[str, object] | None:
    if terms is None:
        return None
    return {
        "id": terms.table_id.hex(),
        "words": list(terms.words),
        "game": terms.options.game,
        "options": dict(terms.options.items()),
        "seats": [
            {
                "seat": seat,
                "name": player.name,
                "fingerprint": fingerprint(player.identity),
                "identity": player.identity.hex(),
                "bot": player.is_bot,
                "operator": player.operator,
            }
            for seat, player in enumerate(terms.seats)
        ],
        "carried": _carried_json(terms.carried),
    }


def _carried_json(carried: Carried | None) -> dict[str, object] | None:
    if carried is None:
        return None
    return {
        "table": carried.table.hex(),
        "words": list(table_words(carried.table)),
        "points": _by_seat(dict(enumerate(carried.points))),
        "away": [
            {
                "name": player.name,
                "identity": player.identity.hex(),
                "bot": player.is_bot,
                "points": player.points,
            }
            for player in carried.away
        ],
    }


def _deal_json(deal: Deal) -> dict[str, object]:
    return {
        "deal": deal.number,
        "attempt": deal.attempt,
        "seats": list(deal.seats),
        "dealer": deal.dealer,
        "missing": None if deal.missing is None else list(deal.missing),
        "absences": len(deal.absences),
        "convicted": [event.seat for event in deal.convicted],
        "tricks": len(deal.tricks),
        "order": None if deal.order is None else list(deal.order),
        "payments": _by_seat(deal.payments),
        "scores": _by_seat(deal.scores),
    }


def _by_seat(values: Mapping[int, int]) -> list[dict[str, int]]:
    return [{"seat": seat, "points": points} for seat, points in values.items()]


def _end_json(report: Report) -> dict[str, object] | None:
    end = report.end
    if end is None:
        return None
    return {
        "ended": end.kind is None,
        "step": end.step,
        "kind": None if end.kind is None else end.kind.value,
        "waiting": list(end.waiting),
        "head": end.head.hex(),
        "final": end.final,
        "tentative": end.tentative,
    }


def _finding_json(finding: Finding) -> dict[str, object]:
    return {
        "verdict": finding.verdict.value,
        "rule": finding.rule,
        "expected": finding.expected,
        "found": finding.text,
        "records": list(finding.records),
        "step": finding.step,
        "seat": finding.seat,
        "proved": finding.proved,
    }
