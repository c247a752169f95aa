"""Late seats: how long a step may wait for a seat, and this seat's part in the votes after that.

Nobody's clock is compared with another's: every seat looks at its own, and a majority decides
(protocol.md, Late places).  The vote on one place is the business of `voting`; what comes of it, of
the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from p2pclimb.table.notices import VoteStands
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
        """Vote on all for whom the present step waits: their time is over."""
        position = self.ledger.position
        if self.is_paused or self.seat not in position.electorate():
            return []
        acts: Acts = []
        for seat in position.waiting():
            place = Place(position.step, position.previous, seat)
            voting = self._voting(place)
            if voting is not None and seat != self.seat:
                acts += [(place, act) for act in voting.time_up()]
        return acts

    def ballot_late(self, place: Place) -> Acts:
        """Begin the next ballot, if a majority was in the one that took too long."""
        voting = self._votings.get(place)
        if voting is None or not self.is_undecided(place) or self.is_paused:
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
        return all(
            voting.may_build(value) or self._is_final(place)
            for place, voting, value in self._built_on()
        )

    def excepted(self) -> list[tuple[int, int]]:
        """Return the places (step, seat) that this seat must not acknowledge by building on them.

        It had promised before what fills them came.
        """
        return sorted(
            (place.step, place.author)
            for place, voting, value in self._built_on()
            if voting.excepts(value)
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
        if isinstance(record, Certificate):
            place = record.place
        else:
            place = record.vote.place
            self._seen.setdefault((place, record.vote.signer), set()).add(record.signed)
        voting = self._voting(place)
        return [(place, act) for act in voting.take(record)] if voting is not None else []

    def came(self, record: Entry | Leave) -> Acts:
        """Go on when what a late seat owed has come: it is verified and stored here."""
        acts: Acts = []
        for place, voting in self._votings.items():
            is_it = record.place == place if isinstance(record, Entry) else _covers(record, place)
            if is_it:
                acts += [(place, act) for act in voting.came(record.id)]
        return acts

    def stands(self, place: Place) -> VoteStands | None:
        """Return how the vote on a place stands, unless it is decided."""
        voting = self._votings.get(place)
        if voting is None or voting.certificate is not None:
            return None
        stands, start = voting.stands, self.ledger.start_of(place)
        assert start is not None
        return VoteStands(
            place.author, stands.ballot, stands.promised, stands.accepted, start.electorate()
        )

    def to_repeat(self) -> list[VoteRecord | Pause]:
        """Return this seat's records that others may have missed, and that no head tells of."""
        votes = [record for _, voting in self.undecided() for record in voting.own_records()]
        own = self._pauses.get(self.seat)
        return [*votes, own] if own is not None else [*votes]

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
        if before is None or not _is_voted_on(before, place):
            return None
        voting = Voting(place, before.electorate(), self.seat, before.table)
        value = self.ledger.value_at(place)
        if value is not None:
            voting.came(value)
        self._votings[place] = voting
        return voting

    def _built_on(self) -> Iterator[tuple[Place, Voting, bytes]]:
        """Yield the votes on complete steps of the branch that counts, with the places' values."""
        position = self.ledger.position
        for place, voting in self._votings.items():
            value = self.ledger.value_on(position, place)
            if value is not None:
                yield place, voting, value

    def _is_final(self, place: Place) -> bool:
        heads = self.ledger.position.heads
        is_reached = place.step < len(heads) and heads[place.step] == place.previous
        return is_reached and self.ledger.is_final(place.step, place.author)

    # -- pauses --------------------------------------------------------------------------------

    def ask_for_pause(self, pause: Pause) -> None:
        """Take what a seat says about a pause; the last word of each counts."""
        if self.is_news(pause):
            self._pauses[pause.author] = pause

    @property
    def pausing(self) -> tuple[int, ...]:
        """The seats of the electorate that ask for a pause."""
        electorate = self.ledger.position.electorate()
        return tuple(s for s in electorate if s in self._pauses and self._pauses[s].asks)

    @property
    def is_paused(self) -> bool:
        """Whether a strict majority asks for a pause: then nobody votes."""
        return 2 * len(self.pausing) > len(self.ledger.position.electorate())

    def is_news(self, pause: Pause) -> bool:
        """Whether a seat has said nothing about a pause after this."""
        known = self._pauses.get(pause.author)
        return known is None or known.counter < pause.counter


def _covers(leave: Leave, place: Place) -> bool:
    return leave.author == place.author and leave.step <= place.step


def _is_voted_on(before: Position, place: Place) -> bool:
    is_expected = place.author in before.stage.authors() and place.step > 0
    return is_expected and place.author in before.electorate()
