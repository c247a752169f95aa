"""The course of a table in lines: tags first, then one trick a line, then the results.

Made from an audit's report, so everything shown has been verified.  Cards are written `3s`, `Th`.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2pclimb.audit.audit import Report
from p2pclimb.audit.history import Act, Deal, Trick, Turn, deals_of
from p2pclimb.audit.report import heading, tags, verdict_sentence
from p2pclimb.audit.wording import chain, each, name, signed
from p2pclimb.ledger.terms import Terms

__all__ = ["listing_json", "listing_text"]


def listing_text(report: Report) -> str:
    """Return the verified part of a log for people."""
    lines: list[str] = []
    if (terms := report.terms) is not None:
        lines += tags(terms)
        for deal in deals_of(report.events):
            lines += ["", *_deal_lines(terms, deal)]
        lines.append("")
    return "\n".join([*lines, f"{report.verdict}: {verdict_sentence(report)}"])


def listing_json(report: Report) -> Iterator[dict[str, object]]:
    """Yield the verified part of a log as objects, one a line: table, deals, tricks, results."""
    terms = report.terms
    if terms is not None:
        yield {
            "type": "table",
            "words": list(terms.words),
            "id": terms.table_id.hex(),
            "game": terms.options.game,
            "options": dict(terms.options.items()),
            "names": [seat.name for seat in terms.seats],
        }
    for deal in deals_of(report.events):
        yield from _deal_json(deal)
    yield {"type": "end", "verdict": report.verdict.value, "text": verdict_sentence(report)}


def _deal_lines(terms: Terms, deal: Deal) -> Iterator[str]:
    yield heading(deal)
    if deal.dealer is not None:
        drawn = ", drawn by everybody's coins" if deal.by_coin else ""
        yield f"dealer    {name(terms, deal.dealer)}{drawn}"
    if deal.sizes:
        yield f"cards     {each(terms, deal.sizes)}"
    if deal.lowest is not None:
        holders = ", ".join(name(terms, seat) for seat in deal.lowest.holders)
        yield f"lowest    {deal.lowest.card} shown by {holders}"
    for number, trick in enumerate(deal.tricks, 1):
        yield f"{number:>2}  " + " · ".join(_turn_text(terms, turn) for turn in trick.turns)
    yield from _result_lines(terms, deal)


def _result_lines(terms: Terms, deal: Deal) -> Iterator[str]:
    for seat, cards in deal.rest.items():
        yield f"rest      {name(terms, seat)} {chain(cards)}"
    if deal.missing is not None:
        yield "anew      without " + ", ".join(name(terms, seat) for seat in deal.missing)
    if deal.order is None:
        return
    places = enumerate(deal.order, 1)
    yield "order     " + ", ".join(f"{place} {name(terms, seat)}" for place, seat in places)
    yield "points    " + each(terms, {seat: signed(sum_) for seat, sum_ in deal.payments.items()})
    yield "scores    " + each(terms, {seat: signed(sum_) for seat, sum_ in deal.scores.items()})


def _turn_text(terms: Terms, turn: Turn) -> str:
    who = name(terms, turn.seat)
    match turn.act:
        case Act.PLAY:
            return f"{who} {chain(turn.cards)}"
        case Act.PASS:
            return f"{who} pass"
        case Act.LEAD_PASS:
            return f"{who} pass, showing {chain(turn.cards)}"
        case Act.LEAVE:
            return f"{who} left"


def _deal_json(deal: Deal) -> Iterator[dict[str, object]]:
    yield {
        "type": "deal",
        "deal": deal.number,
        "attempt": deal.attempt,
        "seats": list(deal.seats),
        "dealer": deal.dealer,
        "sizes": [deal.sizes.get(seat) for seat in deal.seats],
    }
    for number, trick in enumerate(deal.tricks, 1):
        yield {"type": "trick", "deal": deal.number, "trick": number, **_trick_json(trick)}
    if deal.order is not None:
        yield {
            "type": "result",
            "deal": deal.number,
            "order": list(deal.order),
            "payments": [deal.payments[seat] for seat in deal.order],
            "scores": [deal.scores[seat] for seat in deal.order],
            "rest": [
                {"seat": seat, "cards": list(map(str, cards))} for seat, cards in deal.rest.items()
            ],
        }


def _trick_json(trick: Trick) -> dict[str, object]:
    return {
        "turns": [
            {"seat": turn.seat, "act": turn.act.value, "cards": list(map(str, turn.cards))}
            for turn in trick.turns
        ],
        "owner": trick.owner,
    }
