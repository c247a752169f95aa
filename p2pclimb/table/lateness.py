"""Late seats: how long a step may wait for a seat, and this seat's part in the votes after that.

Nobody's clock is compared with another's: every seat looks at its own, and a majority decides
(protocol.md, Late places).  The vote on one place is the business of `voting`; what comes of it, of
the ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from p2pclimb.games.options import Options
from p2pclimb.ledger.ballots import majority
from p2pclimb.ledger.entry import Entry, Kind, Leave
from p2pclimb.ledger.ledger import Ledger
from p2pclimb.ledger.offence import Conviction
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.position import Position, Present
from p2pclimb.ledger.record import encode_record
from p2pclimb.ledger.stage import Stage
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import FoursClaiming, InstantClaiming
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.offer import Offering
from p2pclimb.ledger.steps.turn import Turning
from p2pclimb.ledger.votes import Certificate, Pause, VoteRecord
from p2pclimb.table.asking import DECISIONS
from p2pclimb.table.effects import (
    BallotLate,
    Effect,
    Flood,
    Message,
    Records,
    StepLate,
    Store,
    Tell,
    Wake,
)
from p2pclimb.table.notices import NoMajority, PauseHeld, TimeRuns, VoteStands
from p2pclimb.table.returning import Returning
from p2pclimb.table.signer import Signer
from p2pclimb.table.voting import Act, Decided, ToPromise, Voting

__all__ = ["Lateness", "Outcome", "seconds_for"]

_RETRY_SECONDS = 4.0  # how long a ballot may take

# Of one signer at one place; more only as this seat comes to higher ballots, three in each.
_FEW_VOTES, _MOST_VOTES = 24, 512

_MOST_PAUSES = 16  # of one seat in one step


@dataclass(slots=True)
class Outcome:
    """What comes of a vote: own votes to keep and send, places decided, offences proved."""

    effects: list[Effect] = field(default_factory=list)
    decided: list[Certificate] = field(default_factory=list)
    convictions: list[Conviction] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Take in what has come of another vote, after this."""
        self.effects += other.effects
        self.decided += other.decided
        self.convictions += other.convictions


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
    """The votes that one seat takes part in, and who asks for a pause.

    A seat that comes back signs nothing before it has caught up, and then goes on (`go_on`).
    """

    signer: Signer
    ledger: Ledger
    returning: Returning
    _votings: dict[Place, Voting] = field(default_factory=dict)
    _pauses: dict[int, Pause] = field(default_factory=dict)
    _seen: dict[tuple[Place, int], set[bytes]] = field(default_factory=dict)
    _timed: set[BallotLate] = field(default_factory=set)
    # How many pauses each seat has asked for and ended in a step.
    _paused: dict[tuple[int, int], int] = field(default_factory=dict)
    # The head at which a break between deals has stopped the clock.
    _break: bytes = b""

    # -- clocks --------------------------------------------------------------------------------

    def clock(self) -> list[Effect]:
        """Begin to measure how long the present step waits, and again the ballots of earlier ones.

        A restart has stopped all clocks, those included on which the next ballot depends.
        """
        if self.returning.clocks_wait:
            return []
        position = self.ledger.position
        ballots = [effect for place in self._votings for effect in self._time_ballot(place)]
        if position.stage.kind in (None, Kind.OPEN):
            return ballots
        if _is_break(position):
            self._break = position.previous
            return ballots
        seconds = seconds_for(position.stage, position.terms.options)
        told = Tell(TimeRuns(position.waiting(), seconds))
        return [*ballots, told, Wake(seconds, StepLate(position.previous))]

    def end_break(self) -> list[Effect]:
        """Begin to measure once a majority is ready for the next deal; before, nobody is late."""
        position = self.ledger.position
        if self._break != position.previous or _is_break(position):
            return []
        self._break = b""
        return self.clock()

    def time_up(self, reachable: Collection[int], *, is_helpless: bool = False) -> Outcome:
        """Vote on all for whom the present step waits: their time is over.

        Of itself a seat votes when its player should have decided, or if it `is_helpless`: it has
        lost what it would need.
        """
        position = self.ledger.position
        may_be_own = is_helpless or isinstance(position.stage, DECISIONS)
        outcome = Outcome(self._without_majority(reachable))
        for seat in position.waiting():
            if seat != self.signer.seat or may_be_own:
                place = Place(position.step, position.previous, seat)
                outcome.add(self._time_up(place))
                outcome.effects += self._time_ballot(place)
        return outcome

    def _without_majority(self, reachable: Collection[int]) -> list[Effect]:
        """Tell it if those who are here cannot decide anything."""
        electorate = self.ledger.position.electorate()
        here = tuple(s for s in electorate if s == self.signer.seat or s in reachable)
        is_enough = len(here) >= majority(electorate)
        return [] if is_enough else [Tell(NoMajority(here, electorate))]

    def ballot_late(self, alarm: BallotLate) -> Outcome:
        """Begin the next ballot, if a majority was in the one that took too long."""
        self._timed.discard(alarm)
        voting = self._votings.get(alarm.place)
        if voting is None or voting.promised != alarm.ballot or not self.is_undecided(alarm.place):
            return Outcome()
        outcome = self._time_up(alarm.place)
        outcome.effects += self._time_ballot(alarm.place)
        return outcome

    def _time_ballot(self, place: Place) -> list[Effect]:
        """Measure how long the ballot that this seat is in takes; one clock for each ballot."""
        if not self.is_undecided(place):
            return []
        alarm = BallotLate(place, self._votings[place].promised)
        if alarm in self._timed:
            return []
        self._timed.add(alarm)
        return [Wake(_RETRY_SECONDS, alarm)]

    def _time_up(self, place: Place) -> Outcome:
        voting = self._voting(place)
        if voting is None or self.is_paused:
            return Outcome()
        return self._do(place, voting.time_up())

    def is_undecided(self, place: Place) -> bool:
        """Whether this seat takes part in a vote that has not come to an end."""
        voting = self._votings.get(place)
        return voting is not None and voting.promised > 0 and not self._is_decided(place, voting)

    def _is_decided(self, place: Place, voting: Voting) -> bool:
        return voting.certificate is not None or self._is_final(place)

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
            return not self.ledger.is_decided_so(record.place, record.value)
        place = record.vote.place
        voting, seen = self._votings.get(place), self._seen.get((place, record.vote.signer), set())
        allowed = _FEW_VOTES + 3 * (voting.stands.ballot if voting is not None else 0)
        return record.signed not in seen and len(seen) < min(allowed, _MOST_VOTES)

    def take(self, record: VoteRecord) -> Outcome:
        """Take a vote whose signatures have been verified.

        Raises MalformedError for a vote that has no place and for one that is none.
        """
        if isinstance(record, Certificate):
            place, proved = record.place, []
        else:
            place, proved = record.vote.place, self.ledger.vote(record)
            self._seen.setdefault((place, record.vote.signer), set()).add(record.signed)
        outcome = Outcome(convictions=proved)
        counts = self.ledger.certificate_at(place)
        if isinstance(record, Certificate) and counts is not None and counts != record:
            # Whoever sent this does not know the stronger one, and may be further without it.
            outcome.effects.append(Flood(Records((encode_record(counts),))))
        voting = self._voting(place)
        if voting is not None:
            outcome.add(self._do(place, voting.take(record)))
        return outcome

    def go_on(self) -> Outcome:
        """Sign what the votes ask for that came while this seat only listened.

        A crash may have come between the last accept and the certificate that it made.
        """
        outcome = Outcome()
        for place, voting in list(self._votings.items()):
            if self.ledger.certificate_at(place) is None:
                outcome.add(self._do(place, voting.go_on()))
        return outcome

    def came(self, record: Entry | Leave) -> Outcome:
        """Go on when what a late seat owed has come: it is verified and stored here."""
        outcome = Outcome()
        for place, voting in list(self._votings.items()):
            is_it = record.place == place if isinstance(record, Entry) else _covers(record, place)
            if is_it:
                outcome.add(self._do(place, voting.came(record.id)))
        return outcome

    def _do(self, place: Place, acts: Iterable[Act | Decided]) -> Outcome:
        """Sign what this seat's part in a vote asks for, and count it."""
        outcome = Outcome()
        for act in acts:
            if isinstance(act, Decided):
                outcome.decided.append(act.certificate)
                continue
            if self.returning.listens or self.signer.is_elsewhere:
                continue  # it was signed before, and comes from the log or from whoever signs now
            if isinstance(act, ToPromise) and act.accepted is None and self.is_paused:
                continue  # nothing is promised away before the pause is over
            vote = self.signer.vote(self.ledger.position.table, place, act)
            data = encode_record(vote)
            # Who counts a promise needs what it states.
            came = self.ledger.entry_at(place)
            first = (encode_record(came),) if came is not None else ()
            outcome.effects += [Store(data, sync=True), Flood(Records((*first, data)))]
            outcome.add(self.take(vote))
            outcome.effects += self._time_ballot(place)
        return outcome

    def stands(self, place: Place) -> list[Effect]:
        """Tell how the vote on a place stands, unless it is decided."""
        voting, start = self._votings.get(place), self.ledger.start_of(place)
        if voting is None or start is None or voting.certificate is not None:
            return []
        at, late, seats = voting.stands, place.author, start.electorate()
        return [Tell(VoteStands(late, at.ballot, at.promised, at.accepted, seats))]

    def to_repeat(self, voter: int | None = None) -> list[Message]:
        """Return this seat's records that others may have missed, and that no head tells of.

        With them all votes of a `voter` that comes back, which may not know any more what it said.
        """
        # Those on which this seat itself has not voted too: whoever voted may have lost its disk.
        open_votes = [each for each in self._votings.items() if not self._is_decided(*each)]
        votes = [record for _, voting in open_votes for record in voting.own_records()]
        repeated = [*votes, *self._votes_of(voter), *self._pauses.values()]
        return [Records(tuple(map(encode_record, repeated)))] if repeated else []

    def _votes_of(self, seat: int | None) -> list[VoteRecord]:
        return [vote for voting in self._votings.values() for vote in voting.votes_of(seat)]

    def forget(self) -> None:
        """Drop the votes on places that are settled."""
        first = self.ledger.first_step
        self._votings = {p: voting for p, voting in self._votings.items() if p.step >= first}
        self._seen = {key: seen for key, seen in self._seen.items() if key[0].step >= first}
        now = self.ledger.position.step
        self._paused = {key: count for key, count in self._paused.items() if key[0] == now}

    def _voting(self, place: Place) -> Voting | None:
        """Return the vote on a place; None where there can be none."""
        if place in self._votings:
            return self._votings[place]
        before = self.ledger.start_of(place)
        if before is None or not _is_voted_on(before, place):
            return None
        voting = Voting(place, before.electorate(), self.signer.seat, before.table)
        value = self.ledger.value_at(place)
        if value is not None:
            voting.came(value)
        self._votings[place] = voting
        return voting

    def leaving(self) -> tuple[int, bytes]:
        """Return the first step that this seat can leave from, and the head that it acknowledges.

        The step is above all that it has signed, and the head the last one it may acknowledge.
        """
        position, excepted = self.ledger.position, self.excepted()
        step = max(position.step, self.ledger.last_signed(self.signer.seat) + 1)
        return step, position.heads[excepted[0][0]] if excepted else position.previous

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

    def pause(self, asks: bool) -> list[Effect]:
        """Sign that this seat asks for a pause, or does not any more.

        Nothing is signed of what the others would not take.
        """
        if not self._may_pause(self.signer.seat):
            return []
        pause = self.signer.pause(self.ledger.position.table, asks)
        data = encode_record(pause)
        return [Store(data, sync=True), Flood(Records((data,))), *self.take_pause(pause)]

    def take_pause(self, pause: Pause) -> list[Effect]:
        """Take what a seat says about a pause; the last word of each counts."""
        if not self.is_news(pause):
            return []
        was_paused = self.is_paused
        self._pauses[pause.author] = pause
        key = self.ledger.position.step, pause.author
        self._paused[key] = self._paused.get(key, 0) + 1
        ends = was_paused and not self.is_paused
        return [self._pause_told(), *(self.clock() if ends else [])]

    def recalled_pause(self) -> list[Tell]:
        """Tell after a restart who asks for a pause, as far as the log knows."""
        return [self._pause_told()] if self.pausing else []

    def _pause_told(self) -> Tell:
        return Tell(PauseHeld(self.pausing, self.is_paused, self.ledger.position.electorate()))

    @property
    def pausing(self) -> tuple[int, ...]:
        """The seats of the electorate that ask for a pause."""
        electorate = self.ledger.position.electorate()
        return tuple(s for s in electorate if s in self._pauses and self._pauses[s].asks)

    @property
    def is_paused(self) -> bool:
        """Whether a strict majority asks for a pause: then nobody votes."""
        return len(self.pausing) >= majority(self.ledger.position.electorate())

    def is_news(self, pause: Pause) -> bool:
        """Whether a seat has said nothing about a pause after this, and not too much before."""
        known = self._pauses.get(pause.author)
        is_later = known is None or known.counter < pause.counter
        return is_later and self._may_pause(pause.author)

    def _may_pause(self, seat: int) -> bool:
        return self._paused.get((self.ledger.position.step, seat), 0) < _MOST_PAUSES


def _is_break(position: Position) -> bool:
    """Whether the next deal still waits for more than may be late."""
    match position.stage:
        case Committing(match=match) if not match.is_first_deal:
            ready = sum(isinstance(each, Present) for each in position.fillings.values())
            return ready < majority(position.electorate())
        case _:
            return False


def _covers(leave: Leave, place: Place) -> bool:
    return leave.author == place.author and leave.step <= place.step


def _is_voted_on(before: Position, place: Place) -> bool:
    is_expected = place.author in before.stage.authors() and place.step > 0
    return is_expected and place.author in before.electorate()
