"""The course of a table in lines: tags first, then one trick a line, then the results.

Made from an audit's report, so everything shown has been verified.  Cards are written `3s`, `Th`.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2pclimb.audit.audit import Report
from p2pclimb.audit.findings import Verdict
from p2pclimb.audit.history import Act, Deal, Exchange, Trick, Turn, deals_of
from p2pclimb.audit.report import heading, tags, verdict_sentence
from p2pclimb.audit.wording import chain, each, name, signed
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.terms import Terms
from p2pclimb.names import printable

__all__ = ["listing_json", "listing_text"]


def listing_text(report: Report) -> str:
    """Return the verified part of a log for people."""
    lines: list[str] = []
    if (terms := report.terms) is not None:
        lines += tags(terms)
        for deal in deals_of(report.events):
            lines += ["", *_deal_lines(terms, deal)]
        lines.append("")
    lines.append(f"{report.verdict}: {verdict_sentence(report)}")
    if report.verdict is Verdict.MALFORMED:
        lines += [printable(finding.text) for finding in report.findings[-1:]]
    return "\n".join(lines)


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
    yield from _opening_lines(terms, deal)
    for number, trick in enumerate(deal.tricks, 1):
        yield f"{number:>2}  " + " · ".join(_turn_text(terms, turn) for turn in trick.turns)
    yield from _absence_lines(terms, deal)
    yield from _result_lines(terms, deal)


def _opening_lines(terms: Terms, deal: Deal) -> Iterator[str]:
    """Yield what was shown and exchanged before the first play."""
    if (shown := deal.trick_card) is not None:
        yield f"trick     {shown.card} dealt face up to {name(terms, shown.seat)}"
    for seat, cards in deal.claims.items():
        yield f"claim     {name(terms, seat)} {chain(cards)}"
    if (won := deal.instant_win) is not None:
        kind = won.kind.replace("_", " ")
        yield f"won       {name(terms, won.seat)} at once, {kind} {chain(won.cards)}"
    if deal.lowest is not None:
        holders = ", ".join(name(terms, seat) for seat in deal.lowest.holders)
        yield f"lowest    {deal.lowest.card} shown by {holders}"
    if deal.exchange is not None:
        yield from _exchange_lines(terms, deal.exchange)


def _exchange_lines(terms: Terms, exchange: Exchange) -> Iterator[str]:
    tribute, taken = exchange.tribute, exchange.taken
    giver, receiver = name(terms, tribute.giver), name(terms, tribute.receiver)
    yield f"tribute   {giver} gave {tribute.card} to {receiver}"
    if exchange.returned:
        yield f"returned  {receiver} offered nothing, {giver} has {tribute.card} back"
    if taken is not None:
        card = taken.card if taken.card is not None else "a closed card"
        yield f"choice    {giver} took {card} from {receiver}"


def _absence_lines(terms: Terms, deal: Deal) -> Iterator[str]:
    """Yield what seats missed but for turns, which stand in their tricks, and the convictions."""
    missed = [missing for missing in deal.absences if missing.kind is not Kind.TURN]
    if missed:
        texts = (f"{name(terms, missing.seat)} ({missing.kind.value})" for missing in missed)
        yield f"absent    {', '.join(texts)}"
    for event in deal.convicted:
        yield f"convicted {name(terms, event.seat)} ({event.rule}): {printable(event.text)}"


def _result_lines(terms: Terms, deal: Deal) -> Iterator[str]:
    for seat, cards in deal.rest.items():
        yield f"rest      {name(terms, seat)} {chain(cards)}"
    if deal.missing is not None:
        yield "anew      without " + ", ".join(name(terms, seat) for seat in deal.missing)
    if deal.order is None:
        return
    if deal.instant_win is None:
        places = enumerate(deal.order, 1)
        yield "order     " + ", ".join(f"{place} {name(terms, seat)}" for place, seat in places)
    yield "points    " + each(terms, {seat: signed(sum_) for seat, sum_ in deal.payments.items()})
    yield "scores    " + each(terms, {seat: signed(sum_) for seat, sum_ in deal.scores.items()})


def _turn_text(terms: Terms, turn: Turn) -> str:
    words = (name(terms, turn.seat), _ACTS[turn.act], chain(turn.cards))
    return " ".join(filter(None, words))


_ACTS = {
    Act.PLAY: "",
    Act.PASS: "pass",
    Act.LEAD_PASS: "pass, showing",
    Act.LEAVE: "left",
    Act.MISS: "absent",
    Act.OUT: "out",
    Act.CONVICTED: "convicted",
    Act.CLAIM: "claim, showing",
    Act.PICK_UP: "picked up",
    Act.TAKE_OVER: "took over",
}


def _deal_json(deal: Deal) -> Iterator[dict[str, object]]:
    yield {
        "type": "deal",
        "deal": deal.number,
        "attempt": deal.attempt,
        "seats": list(deal.seats),
        "dealer": deal.dealer,
        "sizes": [deal.sizes.get(seat) for seat in deal.seats],
        **_events_json(deal),
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


def _events_json(deal: Deal) -> dict[str, object]:
    shown, won, exchange = deal.trick_card, deal.instant_win, deal.exchange
    return {
        "trick_card": shown and {"seat": shown.seat, "card": str(shown.card)},
        "claims": [
            {"seat": seat, "cards": list(map(str, cards))} for seat, cards in deal.claims.items()
        ],
        "instant_win": won
        and {"seat": won.seat, "kind": won.kind, "cards": list(map(str, won.cards))},
        "exchange": exchange and _exchange_json(exchange),
        "absences": [
            {"seat": event.seat, "kind": event.kind.value, "misses": event.misses}
            for event in deal.absences
        ],
        "convicted": [
            {"seat": event.seat, "step": event.step, "rule": event.rule, "text": event.text}
            for event in deal.convicted
        ],
    }


def _exchange_json(exchange: Exchange) -> dict[str, object]:
    tribute, taken = exchange.tribute, exchange.taken
    return {
        "giver": tribute.giver,
        "receiver": tribute.receiver,
        "tribute": str(tribute.card),
        "returned": exchange.returned,
        "taken": None if taken is None or taken.card is None else str(taken.card),
        "taken_closed": taken is not None and taken.card is None,
    }


def _trick_json(trick: Trick) -> dict[str, object]:
    return {
        "turns": [
            {"seat": turn.seat, "act": turn.act.value, "cards": list(map(str, turn.cards))}
            for turn in trick.turns
        ],
        "owner": trick.owner,
    }
