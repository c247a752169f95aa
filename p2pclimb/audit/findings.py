"""What an audit can say about a log: verdicts, findings, and what each rule demands.

Values only; `intake` and `audit` make the findings, `report` writes them down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from p2pclimb.errors import ClimbError, MalformedError, UnsupportedError, ViolationError

__all__ = ["EXPECTED", "Finding", "Verdict", "exit_code", "finding_of", "gravest"]


class Verdict(StrEnum):
    """What a log is worth, from the best to the gravest (protocol.md, Audit)."""

    VALID = "valid"
    INCOMPLETE = "incomplete"
    UNSUPPORTED = "unsupported"
    MALFORMED = "malformed"
    VIOLATION = "violation"


_GRAVITY = tuple(Verdict)

EXPECTED = {
    # What the form and the place of a record must be.
    "counter": "each signature of a seat has a higher counter than the one before",
    "equivocation": "a seat signs one entry for each place",
    "file": "a readable log with undamaged frames",
    "foreign": "every record belongs to the table of the first one",
    "form": "a body has the form of its step",
    "gap": "every record stands behind all that it builds on",
    "header": "an entry names the table, deal, attempt and kind of its step",
    "joint": "complete steps can be folded into the next one",
    "leave": "a seat gives one leave notice, and signs nothing from the step it names on",
    "record": "every record is canonical and one of a seat of the table",
    "signature": "every record carries the signature of its author",
    "stray": "every record builds on this table's one history",
    "terms": "the first record holds the terms of the table",
    "torn": "the file ends with a whole record",
    "unexpected": "a seat signs only where the rules expect an entry from it",
    "version": "every record uses a protocol version and rules that this program knows",
    # What votes on late places demand.
    "broken-promise": "a promise states what its signer accepted, and binds it from then on",
    "certificate": "a certificate holds the accepts of more than half of the electorate",
    "decision": "the votes decide each place once",
    "two-accepts": "a seat accepts one value in each ballot",
    "two-promises": "a seat promises each ballot once",
    "two-proposals": "a ballot has one proposal",
    "unfounded-proposal": "a proposal has the value that its promises force",
    "vote": "seats of the electorate vote on places that wait for somebody",
    # What the steps of a deal demand.
    "choice": "one of the two offered cards is taken",
    "claim": "a hand that wins at once, shown whole, or the fours that take the bomb on the table",
    "commitment": "what is revealed is what was committed to",
    "duplicate-card": "no physical card is opened twice",
    "illegal-play": "a play that the rules of the game allow now",
    "invalid-play": "cards that are a combination of the game",
    "lowest": "holders show the card in question and no other",
    "offer": "two closed cards of the own hand are offered, and not the one received",
    "opening": "every closed card that is shown is opened, and no other",
    "ownership": "a seat shows cards of its own hand only",
    "places": "shown places are named once each, in ascending order",
    "proof": "every zero-knowledge proof verifies in its context",
    "reachable": "the reachable seats are other seats of the table, in order",
    "rest": "the cards shown at the close are those that the options ask for",
    "result": "the signed result is the one that the rules give",
    "shares": "one share for each dealt card of the others, and for the trick card",
    "tribute": "a proof that no higher card is kept, where one could be, and none elsewhere",
}
"""What each rule demands, by the slug that stands in findings."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason why a log is not valid.

    `rule` is a key of `EXPECTED`, `text` says what was found instead.  `records` are the numbers
    of the records concerned, the terms being number 1; with `proved` they prove that `seat` is to
    blame.  `step` and `seat` count from 0; None where the finding is about no single one.
    """

    verdict: Verdict
    rule: str
    text: str
    records: tuple[int, ...] = ()
    step: int | None = None
    seat: int | None = None
    proved: bool = False

    @property
    def expected(self) -> str:
        """What the rule demands."""
        return EXPECTED[self.rule]


def finding_of(error: ClimbError, rule: str, *records: int) -> Finding:
    """Return what an error about some records says; `rule` where it does not name one itself."""
    match error:
        case ViolationError():
            return Finding(
                Verdict.VIOLATION, error.rule, error.text, records, error.step, error.seat, True
            )
        case UnsupportedError():
            return Finding(Verdict.UNSUPPORTED, "version", error.text, records)
        case _:
            return Finding(Verdict.MALFORMED, rule, error.diagnostics(), records)


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the gravest verdict, `valid` if there is none."""
    return max(verdicts, key=_GRAVITY.index, default=Verdict.VALID)


def exit_code(verdict: Verdict, findings: Iterable[Finding]) -> int:
    """Return the exit code of a verdict (experience.md, Commands).

    Code 1 is for violations that are proved; a log that breaks the rules through nobody's provable
    fault is as good as a malformed one.
    """
    match verdict:
        case Verdict.VALID:
            return 0
        case Verdict.INCOMPLETE:
            return 3
        case Verdict.UNSUPPORTED:
            return UnsupportedError.exit_code
        case Verdict.VIOLATION if any(finding.proved for finding in findings):
            return ViolationError.exit_code
        case _:
            return MalformedError.exit_code
