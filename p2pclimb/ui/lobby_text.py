"""The terms of a table and the lobby in words: what a player is shown before anything is signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from p2pclimb.crypto.identity import fingerprint
from p2pclimb.games.describe import difference_in_words, options_in_words
from p2pclimb.games.options import Options
from p2pclimb.games.presets import Family
from p2pclimb.ledger.terms import SeatTerms, Terms, table_words
from p2pclimb.table.roster import Guest, Roster
from p2pclimb.ui.event_text import scores_in_words, signed
from p2pclimb.ui.people import People, shown_name

__all__ = ["roster_in_words", "seat_lines", "terms_in_words"]

# Always told, whether they differ from the preset or not.
_ALWAYS = ("deals", "between", "turn_seconds")


def terms_in_words(terms: Terms, own_seat: int | None) -> str:
    """Return everything that a player signs, one line a fact (protocol.md section 3, Lobby)."""
    lines = [
        f"{terms.options.preset.title} ({terms.options.game}), {len(terms.seats)} seats:",
        *seat_lines(terms.seats, own_seat),
        *_powers(terms.seats, own_seat),
        *_elimination(terms.options, len(terms.seats)),
        *_rules(terms.options),
        *_carried(terms, own_seat),
        f"The table in six words, compare them aloud: {' '.join(terms.words)}.",
    ]
    return "\n".join(lines)


def roster_in_words(roster: Roster, own_seat: int | None) -> str:
    """Return who is in the lobby and which rules are planned, one line a fact."""
    options, guests = roster.options, roster.guests
    taken = sum(guest is not None for guest in guests)
    lines = [
        f"{options.preset.title} ({options.game}), {taken} of {len(guests)} seats taken:",
        *seat_lines(guests, own_seat),
        *_powers(guests, own_seat),
        *_elimination(options, len(guests)),
        *_rules(options),
    ]
    return "\n".join(lines)


def seat_lines(seats: Sequence[SeatTerms | Guest | None], own_seat: int | None) -> list[str]:
    """Return one line a seat: its name, who runs it, and the fingerprint of its key."""
    people = _people(seats, None)
    lines = []
    for number, seat in enumerate(seats):
        if seat is None:
            lines.append(f"  Seat {number + 1}: free.")
            continue
        facts = [shown_name(seat.name)]
        if number == own_seat:
            facts.append("that is you")
        if seat.is_bot:
            facts.append("a bot")
        if seat.operator != number:
            facts.append(f"run by {people.name(seat.operator)}")
        lines.append(f"  Seat {number + 1}: {', '.join(facts)}; key {fingerprint(seat.identity)}.")
    return lines


def _people(seats: Sequence[SeatTerms | Guest | None], own: int | None) -> People:
    return People([seat.name if seat else "" for seat in seats], own)


def _powers(seats: Sequence[SeatTerms | Guest | None], own_seat: int | None) -> list[str]:
    """Return what players who run several seats can do (protocol.md section 1, Not protected)."""
    people = _people(seats, own_seat)
    runs = Counter(seat.operator for seat in seats if seat)
    lines = []
    for operator, count in sorted(runs.items()):
        if count < 2:
            continue
        power = "see those hands"
        if 2 * count > len(seats):
            power += " and outvote the others" if operator == own_seat else " and outvote you"
        who = people.does(operator, "run")
        can = "you can" if operator == own_seat else f"{people.name(operator)} can"
        lines.append(f"{who} {count} of {len(seats)} seats: {can} {power}.")
    return lines


def _elimination(options: Options, seats: int) -> list[str]:
    """Return what two seats know of each other where all cards are dealt (rules.md 2.1)."""
    if options.family is not Family.WINNER or seats != 2:
        return []
    return ["With two seats all cards are dealt, so each can tell the hand of the other."]


def _carried(terms: Terms, own_seat: int | None) -> list[str]:
    """Return which scores count on, and from which table."""
    carried = terms.carried
    if carried is None:
        return []
    points = scores_in_words(dict(enumerate(carried.points)), _people(terms.seats, own_seat))
    words = " ".join(table_words(carried.table))
    away = ", ".join(f"{shown_name(a.name)} {signed(a.points)}" for a in carried.away)
    kept = f" Kept for those who are away: {away}." if away else ""
    return [f"Scores carried on from the table {words}: {points}.{kept}"]


def _rules(options: Options) -> list[str]:
    """Return every option that is not as the preset has it, then those of the table itself."""
    different = [
        f"  {difference_in_words(difference)}"
        for difference in options.differences()
        if difference.key not in _ALWAYS
    ]
    heading = "Rules that differ from the usual ones:" if different else "The usual rules."
    return [heading, *different, options_in_words(options, *_ALWAYS)]
