"""Late seats: how long a step may wait for a seat, and this seat's part in the votes after that.

Nobody's clock is compared with another's: every seat looks at its own, and a majority decides
(protocol.md, Late places).  The vote on one place is the business of `voting`; what comes of it, of
the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from p2pclimb.games.options import Options
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.stage import Stage
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ledger.votes import Certificate, Pause, VoteRecord
from p2pclimb.table.voting import Act, Decided, Voting

__all__ = ["RETRY_SECONDS", "Lateness", "seconds_for"]

RETRY_SECONDS = 4.0
"""How long a ballot may take before the next one is begun."""

_MOST_VOTES = 512  # of one signer at one place

Acts = list[tuple[Place, Act | Decided]]


def seconds_for(stage: Stage, options: Options) -> float:
    """Return how long a step waits for its seats before a vote on them can begin."""
    duty, turn = options.number("duty_seconds"), options.number("turn_seconds")
    match stage:
        case Turning() | Offering() | Choosing():
            return turn
        case InstantClaiming() | FoursClaiming():
            return options.number("claim_seconds") + duty
        case Committing(match=match) if not match.is_first_deal:
            return options.number("between") + turn
        case _:
            return duty


@dataclass(slots=True)
class Lateness:
    """The votes that one seat takes part in, and who asks for a pause."""

    seat: int
    ledger: Ledger
    _votings: dict[Place, Voting] = field(default_factory=dict)
    _pauses: dict[int, Pause] = field(default_factory=dict)
    _seen: dict[tuple[Place, int], set[bytes]] = field(default_factory=dict)

    # -- clocks --------------------------------------------------------------------------------

    def time_up(self) -> Acts:
        """The time of the present step is over: vote on all for whom it waits."""
        position = self.ledger.position
        if self.pauses or self.seat not in position.electorate():
            return []
        acts: Acts = []
        for seat in position.waiting():
            place = Place(position.step, position.previous, seat)
            voting = self._voting(place)
            if voting is not None and seat != self.seat:
                acts += [(place, act) for act in voting.time_up()]
        return acts

    def ballot_late(self, place: Place) -> Acts:
        """A ballot took too long: begin the next one, if it was not for want of a majority.

        Without one no ballot can come to an end, and the promises are repeated until there is.
        """
        voting = self._votings.get(place)
        if voting is None or not self.is_undecided(place) or self.pauses:
            return []
        if not voting.has_majority:
            return []
        return [(place, act) for act in voting.time_up()]

    def is_undecided(self, place: Place) -> bool:
        """Whether this seat takes part in a vote that has not come to an end."""
        voting = self._votings.get(place)
        if voting is None or not voting.promised or voting.certificate is not None:
            return False
        return not self._is_final(place)

    def undecided(self) -> list[tuple[Place, Voting]]:
        """Return the votes that have not come to an end and that this seat takes part in."""
        return [(p, voting) for p, voting in self._votings.items() if self.is_undecided(p)]

    def may_build(self) -> bool:
        """Whether this seat may sign for the present step.

        What it has promised away it builds on only when it is decided.
        """
        heads = self.ledger.position.heads
        return not any(
            place.step < len(heads) - 1
            and heads[place.step] == place.previous
            and not voting.may_build(self.ledger.value_at(place))
            for place, voting in self.undecided()
        )

    # -- records -------------------------------------------------------------------------------

    def is_new(self, record: VoteRecord) -> bool:
        """Whether a vote is not known yet, and its signer has not sent too many for the place."""
        if isinstance(record, Certificate):
            return self.ledger.certificate_at(record.place) is None
        seen = self._seen.get((record.vote.place, record.vote.signer), set())
        return record.signed not in seen and len(seen) < _MOST_VOTES

    def take(self, record: VoteRecord) -> Acts:
        """Take a vote whose signatures have been verified."""
        is_certificate = isinstance(record, Certificate)
        place = record.place if is_certificate else record.vote.place
        if not is_certificate:
            self._seen.setdefault((place, record.vote.signer), set()).add(record.signed)
        voting = self._voting(place)
        return [(place, act) for act in voting.take(record)] if voting is not None else []

    def came(self, record: Entry | Leave) -> Acts:
        """What a late seat owed has come: it is verified and stored here."""
        acts: Acts = []
        for place, voting in self._votings.items():
            is_it = record.place == place if isinstance(record, Entry) else _covers(record, place)
            if is_it:
                acts += [(place, act) for act in voting.came(record.id)]
        return acts

    def forget(self) -> None:
        """Drop the votes on places that are settled."""
        first = self.ledger.first_step
        self._votings = {p: voting for p, voting in self._votings.items() if p.step >= first}
        self._seen = {key: seen for key, seen in self._seen.items() if key[0].step >= first}

    def _voting(self, place: Place) -> Voting | None:
        """Return the vote on a place; None where there can be none."""
        if place in self._votings:
            return self._votings[place]
        before = self.ledger.start_of(place)
        if before is None or self.seat == place.author or not _is_voted_on(before, place):
            return None
        voting = Voting(place, before.electorate(), self.seat, before.table)
        value = self.ledger.value_at(place)
        if value is not None:
            voting.came(value)
        self._votings[place] = voting
        return voting

    def _is_final(self, place: Place) -> bool:
        heads = self.ledger.position.heads
        is_reached = place.step < len(heads) and heads[place.step] == place.previous
        return is_reached and self.ledger.is_final(place.step, place.author)

    # -- pauses --------------------------------------------------------------------------------

    def ask_for_pause(self, pause: Pause) -> bool:
        """Take what a seat says about a pause last; return whether it is news."""
        known = self._pauses.get(pause.author)
        if known is not None and known.counter >= pause.counter:
            return False
        self._pauses[pause.author] = pause
        return True

    @property
    def pausing(self) -> tuple[int, ...]:
        """The seats of the electorate that ask for a pause."""
        electorate = self.ledger.position.electorate()
        return tuple(s for s in electorate if s in self._pauses and self._pauses[s].asks)

    @property
    def pauses(self) -> bool:
        """Whether a strict majority asks for a pause: then nobody votes."""
        return 2 * len(self.pausing) > len(self.ledger.position.electorate())

    def own_pause(self) -> Pause | None:
        """Return what this seat said last about a pause."""
        return self._pauses.get(self.seat)


def _covers(leave: Leave, place: Place) -> bool:
    return leave.author == place.author and leave.step <= place.step


def _is_voted_on(before: Position, place: Place) -> bool:
    is_expected = place.author in before.stage.authors() and place.step > 0
    return is_expected and place.author in before.electorate()


def own_votes(votings: Iterable[Voting]) -> list[VoteRecord]:
    """Return the votes of this seat that the others may have missed."""
    return [record for voting in votings for record in voting.own_records()]
