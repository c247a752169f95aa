"""Explores the vote on one place: every order of deliveries, losses, timeouts, crashes and lies.

The seats run the real `Voting` and sign real records; `PlaceVotes` judges them.  What is not
delivered in a state is as good as lost, so losses need no moves of their own.  The search is kept
small by what cannot matter:

* A seat is a function of its inputs, so each of its steps is computed once and then looked up.
* Two states of a seat that differ only in what it never looks at again are one (`_essence`).
* What has been signed is a set of bits, and only the first state with a set is judged.
* Lies are signed when they are first delivered.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from honest_table import identity

from p2pclimb.ledger import ballots
from p2pclimb.ledger.ballots import PlaceVotes, coordinator, forced_values, witnesses
from p2pclimb.ledger.entry import Entry, Kind, sign_entry
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.votes import (
    ABSENT,
    Accept,
    Certificate,
    Promise,
    Proposal,
    Vote,
    sign_accept,
    sign_promise,
    sign_proposal,
)
from p2pclimb.table.voting import Act, Decided, ToAccept, ToPromise, ToPropose, Voting

TABLE = bytes(range(32))
VALUES = (b"v" * 32, b"w" * 32)
Signed = Promise | Proposal | Accept | Entry | bytes
"""What can be signed: votes, entries that build on the place, and the late seat's own values."""


_MOST_LIES = 2
_EVENTS = ("arrives",) * 6 + ("lie", "lie", "decided", "clock", "crash", "plays")

What = int | str | tuple[str | int, ...]
"""What happens to a seat: a record's number, its clock, or accepts that decide."""


class UnsoundError(AssertionError):
    """The rules do not hold: what happened, move by move."""


@dataclass(frozen=True)
class Scene:
    """Who votes: `seats` of them, on the place of the last one, in ballots up to `ballots`.

    `liar` signs whatever it likes; `stops` and `restarts` seats, at any moment, one time at most.
    """

    seats: int
    ballots: int
    liar: int | None = None
    stops: bool = False
    restarts: bool = False

    @property
    def late(self) -> int:
        return self.seats - 1

    @property
    def electorate(self) -> tuple[int, ...]:
        return tuple(range(self.seats))

    @property
    def honest(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat != self.liar)

    @property
    def place(self) -> Place:
        return Place(5, bytes(32), self.late)


@dataclass(frozen=True)
class State:
    """Local states of the honest seats by their numbers (-1: stopped), and what is signed."""

    seats: tuple[int, ...]
    signed: int
    crashed: bool


@dataclass
class Outcome:
    """How many states and sets of signed records were seen, and whether these were all."""

    states: int
    signed: int
    complete: bool


@dataclass
class Explorer:
    """The states of one scene, and the steps between them that have been computed."""

    scene: Scene
    voting: Callable[..., Voting] = Voting
    records: list[Signed] = field(default_factory=list)
    # Those on which lies can rest.
    _telling: int = 0
    _bits: dict[object, int] = field(default_factory=dict)
    _locals: list[Voting] = field(default_factory=list)
    _numbers: dict[object, int] = field(default_factory=dict)
    _found: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)
    _steps: dict[tuple[int, object], tuple[int, int]] = field(default_factory=dict)
    _lies: dict[int, list[int]] = field(default_factory=dict)
    _signatures: dict[object, Signed] = field(default_factory=dict)
    _verdicts: dict[int, bool] = field(default_factory=dict)
    _alive: set[State] = field(default_factory=set)

    # -- records ---------------------------------------------------------------------------------

    def bit(self, record: Signed) -> int:
        """The number of a record; the same for equal ones."""
        key = record if isinstance(record, bytes) else (type(record), record.signed)
        if key not in self._bits:
            self._bits[key] = len(self.records)
            if isinstance(record, Promise | Proposal | bytes):
                self._telling |= 1 << len(self.records)
            self.records.append(record)
        return self._bits[key]

    def of(self, signed: int) -> Iterator[tuple[int, Signed]]:
        """The records of a set, with their numbers."""
        while signed:
            lowest = signed & -signed
            number = lowest.bit_length() - 1
            yield number, self.records[number]
            signed ^= lowest

    def sign(self, seat: int, act: Act) -> Signed:
        """Sign an act.  Counters rise with the ballots, so equal acts are equal records."""
        match act:
            case ToPromise(proposal=proposal):
                key = seat, act.ballot, act.accepted, proposal and proposal.signed
            case ToPropose():
                key = seat, act.ballot, act.value, tuple(p.signed for p in act.promises)
            case ToAccept():
                key = seat, act.ballot, act.value
        if key not in self._signatures:
            self._signatures[key] = self._sign(seat, act)
        return self._signatures[key]

    def _sign(self, seat: int, act: Act) -> Signed:
        who, place = identity(seat), self.scene.place
        match act:
            case ToPromise():
                vote = Vote(TABLE, place, act.ballot, seat, 4 * act.ballot)
                return sign_promise(who, vote, act.accepted, act.proposal)
            case ToPropose():
                vote = Vote(TABLE, place, act.ballot, seat, 4 * act.ballot + 1)
                return sign_proposal(who, vote, act.value, act.promises)
            case ToAccept():
                vote = Vote(TABLE, place, act.ballot, seat, 4 * act.ballot + 2)
                return sign_accept(who, vote, act.value)

    def build(self, seat: int, value: bytes, excepts: bool) -> Entry:
        """An entry of the next step, on the branch where the value fills the place."""
        key = seat, value, excepts
        if key not in self._signatures:
            self._signatures[key] = self._build(*key)
        return self._signatures[key]

    def _build(self, seat: int, value: bytes, excepts: bool) -> Entry:
        place = self.scene.place
        return sign_entry(
            identity(seat),
            table=TABLE,
            deal=1,
            attempt=0,
            place=Place(place.step + 1, value, seat),
            counter=1,
            kind=Kind.TURN,
            body=[],
            excepted=[(place.step, place.author)] if excepts else [],
        )

    # -- steps of one seat -----------------------------------------------------------------------

    def start(self) -> State:
        seats = tuple(self._number(self._new(seat)) for seat in self.scene.honest)
        return State(seats, 0, crashed=False)

    def _new(self, seat: int) -> Voting:
        return self.voting(self.scene.place, self.scene.electorate, seat, TABLE)

    def _number(self, voting: Voting) -> int:
        key = _essence(voting)
        if key not in self._numbers:
            self._numbers[key] = len(self._locals)
            self._locals.append(voting)
        return self._numbers[key]

    def step(self, local: int, what: What) -> tuple[int, int]:
        """What a seat becomes by a delivery or by its clock, and the set of what it then signs."""
        key = local, what
        if key not in self._steps:
            voting = _clone(self._locals[local])
            self._steps[key] = self._run(voting, what)
        return self._steps[key]

    def _run(self, voting: Voting, what: What) -> tuple[int, int]:
        if isinstance(what, str):
            acts = voting.time_up()
        elif isinstance(what, tuple):
            accepts = [self.records[number] for number in what[1:]]
            accepts.sort(key=lambda accept: accept.vote.signer)
            first = accepts[0]
            place, ballot = first.vote.place, first.vote.ballot
            acts = voting.take(Certificate(TABLE, place, ballot, first.value, tuple(accepts)))
        else:
            record = self.records[what]
            acts = voting.came(record) if isinstance(record, bytes) else voting.take(record)
        signed = self._built_by(voting) | self._carry_out(voting, acts) | self._built_by(voting)
        return self._number(voting), signed

    def _built_by(self, voting: Voting) -> int:
        """What a seat builds on the place as soon as it may: the earlier, the more it says."""
        if voting._seat == self.scene.late:
            return 0
        built = [value for value in voting._came if voting.may_build(value)]
        return sum(1 << self.bit(self.build(voting._seat, v, voting.excepts(v))) for v in built)

    def _carry_out(self, voting: Voting, acts: list[Act | Decided]) -> int:
        signed = 0
        for act in acts:
            if not isinstance(act, Decided):
                record = self.sign(voting._seat, act)
                signed |= 1 << self.bit(record)
                signed |= self._carry_out(voting, voting.take(record))
        return signed

    # -- moves -----------------------------------------------------------------------------------

    def moves(self, state: State) -> Iterator[State]:
        """Every state after something new is signed, or a seat is lost.

        What reaches a seat in between shows only in what it signs next, so it may as well have
        come just before that.
        """
        for at, local in enumerate(state.seats):
            if local < 0:
                continue
            for after, signed in self._signings(local, state.signed):
                seats = (*state.seats[:at], after, *state.seats[at + 1 :])
                yield State(seats, state.signed | signed, state.crashed)
            if not state.crashed:
                yield from self._crashes(state, at)

    def _signings(self, local: int, signed: int) -> list[tuple[int, int]]:
        """What a seat may become by signing something, and what it and the liar have then signed.

        Of the ways to the same signature with the same lies the shortest is enough.
        """
        key = local, signed
        if key not in self._found:
            found: dict[object, tuple[int, int]] = {}
            seen, level = {(local, 0)}, [(local, 0)]
            while level:
                following = []
                for now, lies in level:
                    for after, more, new in self._inputs(now, signed, lies):
                        if new & ~signed:
                            essential = new, more, _commitments(self._locals[after])
                            found.setdefault(essential, (after, new | more))
                        elif (after, more) not in seen:
                            seen.add((after, more))
                            following.append((after, more))
                level = following
            self._found[key] = list(found.values())
        return self._found[key]

    def _inputs(self, local: int, signed: int, lies: int) -> Iterator[tuple[int, int, int]]:
        """Everything that can happen to a seat: the state after it, lies so far, own signatures."""
        voting = self._locals[local]
        yield from ((after, lies, new) for after, new in self._own(local, signed))
        if voting.certificate is not None:
            return
        whats: list[tuple[What, int]] = [
            (number, lies)
            for number, record in self.of(signed | lies)
            if not isinstance(record, Entry | Accept)
        ]
        if voting.promised < self.scene.ballots:
            whats.append(("time is up", lies))
        if self.scene.liar is not None and lies.bit_count() < _MOST_LIES:
            whats += [
                (number, lies | 1 << number)
                for number in self._lies_after(signed | lies)
                if not isinstance(self.records[number], Entry | Accept)
            ]
        whats += self._certificates(signed, lies)
        for what, more in whats:
            after, new = self.step(local, what)
            if after != local:
                yield after, more, new

    def _certificates(self, signed: int, lies: int) -> Iterator[tuple[What, int]]:
        """What is or, with one lie more, may be decided in a ballot."""
        accepts: dict[tuple[int, bytes], list[int]] = {}
        liars = self._lies_after(signed | lies) if self.scene.liar is not None else []
        for number in [*(n for n, _ in self.of(signed | lies)), *liars]:
            record = self.records[number]
            if isinstance(record, Accept):
                accepts.setdefault((record.vote.ballot, record.value), []).append(number)
        for numbers in accepts.values():
            for some in itertools.combinations(numbers, ballots.majority(self.scene.electorate)):
                more = sum(1 << number for number in some) & ~signed
                if {self.records[n].vote.signer for n in numbers} != {self.scene.liar}:
                    yield ("certificate", *sorted(some)), lies | more

    def _own(self, local: int, signed: int) -> Iterator[tuple[int, int]]:
        """The late seat signs its own entry, unless it has been decided without."""
        voting = self._locals[local]
        if voting._seat == self.scene.late:
            number = self.bit(VALUES[0])
            if voting.certificate is None and not signed >> number & 1:
                after, new = self.step(local, number)
                yield after, new | 1 << number

    def _crashes(self, state: State, at: int) -> Iterator[State]:
        scene = self.scene
        if scene.stops and len(scene.honest) - 1 >= ballots.majority(scene.electorate):
            seats = (*state.seats[:at], -1, *state.seats[at + 1 :])
            yield State(seats, state.signed, crashed=True)
        if scene.restarts:
            seats = (*state.seats[:at], self._restarted(state, at), *state.seats[at + 1 :])
            yield State(seats, state.signed, crashed=True)

    def _restarted(self, state: State, at: int) -> int:
        """A seat comes back with what came, what it signed, and what that rests on; all is old."""
        before, voting = self._locals[state.seats[at]], self._new(self.scene.honest[at])
        for value in before._came:
            voting.came(value)
        votes = [r for _, r in self.of(state.signed) if isinstance(r, Promise | Proposal | Accept)]
        own = [vote for vote in votes if vote.vote.signer == voting._seat]
        accepted = {(vote.vote.ballot, vote.value) for vote in own if isinstance(vote, Accept)}
        proposals = [vote for vote in votes if isinstance(vote, Proposal)]
        for record in [*(p for p in proposals if (p.vote.ballot, p.value) in accepted), *own]:
            voting.take(record)
        return self._number(voting)

    # -- lies ------------------------------------------------------------------------------------

    def _lies_after(self, signed: int) -> list[int]:
        """What the liar might sign now and has not, as far as anybody would listen."""
        told = signed & self._telling
        if told not in self._lies:
            lies = [self.bit(lie) for lie in self._think_up(told)]
            self._lies[told] = list(dict.fromkeys(lies))
        return [number for number in self._lies[told] if not signed >> number & 1]

    def _think_up(self, signed: int) -> Iterator[Signed]:
        scene, liar = self.scene, self.scene.liar
        assert liar is not None
        known = [record for _, record in self.of(signed)]
        if liar == scene.late:
            yield from VALUES
        came = [record for record in known if isinstance(record, bytes)]
        for ballot in range(1, scene.ballots + 1):
            yield from (self.sign(liar, ToAccept(ballot, v)) for v in (ABSENT, *came))
            yield from self._promises(liar, ballot, known, came)
            if coordinator(scene.electorate, scene.late, ballot) == liar:
                yield from self._proposals(liar, ballot, known, came)

    def _promises(self, liar, ballot, known, came):
        yield self.sign(liar, ToPromise(ballot, None, None))
        yield from (self.sign(liar, ToPromise(ballot, (0, value), None)) for value in came)
        quotable = [p for p in known if isinstance(p, Proposal) and p.vote.ballot < ballot]
        for lower in range(1, ballot):
            if coordinator(self.scene.electorate, self.scene.late, lower) == liar:
                invented = (self.sign(liar, ToPropose(lower, v, ())) for v in (ABSENT, *came))
                quotable += invented
        for proposal in quotable:
            stated = proposal.vote.ballot, proposal.value
            yield self.sign(liar, ToPromise(ballot, stated, proposal))

    def _proposals(self, liar, ballot, known, came):
        promises = [p for p in known if isinstance(p, Promise) and p.vote.ballot == ballot]
        promises += self._promises(liar, ballot, known, came)
        for some in itertools.combinations(promises, ballots.majority(self.scene.electorate)):
            if len({promise.vote.signer for promise in some}) == len(some):
                for value in forced_values(some) or (ABSENT, *came):
                    yield self.sign(liar, ToPropose(ballot, value, some))

    # -- judging ---------------------------------------------------------------------------------

    def judge(self, signed: int, shuffle: random.Random | None = None) -> bool:
        """Return whether somebody is convicted by what is signed.

        Raise UnsoundError if an honest seat is, or if two values are decided and nobody is.
        """
        records = [record for _, record in self.of(signed)]
        convicted = self._judge(records, shuffle)
        if not convicted and self.scene.liar not in (None, self.scene.late):
            # Nobody's acts depend on what the liar builds, so it may as well have done so before.
            for value in [record for record in records if isinstance(record, bytes)]:
                self._judge([*records, self.build(self.scene.liar, value, excepts=False)], shuffle)
        return convicted

    def _judge(self, records: list[Signed], shuffle: random.Random | None) -> bool:
        if shuffle is not None:
            shuffle.shuffle(records)
        votes = PlaceVotes(TABLE, self.scene.place, self.scene.electorate)
        convicted: dict[int, str] = {}
        for record in records:
            if not isinstance(record, bytes):
                add = votes.built if isinstance(record, Entry) else votes.add
                convicted.update((found.signer, found.deed) for found in add(record))
        if len({record for record in records if isinstance(record, bytes)}) > 1:
            convicted[self.scene.late] = "signed two entries"
        wrongly = {seat: deed for seat, deed in convicted.items() if seat != self.scene.liar}
        if wrongly:
            raise UnsoundError(f"an honest seat is convicted: {wrongly}")
        decided = self._decided(records)
        if len(decided) > 1 and not convicted:
            raise UnsoundError(f"{len(decided)} values are decided, and nobody is convicted")
        return bool(convicted)

    def _decided(self, records: list[Signed]) -> set[bytes]:
        scene = self.scene
        decided = set()
        accepts: dict[tuple[int, bytes], set[int]] = {}
        builders: dict[bytes, set[int]] = {}
        for record in records:
            if isinstance(record, Accept):
                ballot = record.vote.ballot, record.value
                accepts.setdefault(ballot, set()).add(record.vote.signer)
            elif isinstance(record, Entry) and not record.excepted:
                builders.setdefault(record.place.previous, set()).add(record.author)
        for (_, value), seats in accepts.items():
            if len(seats) >= ballots.majority(scene.electorate):
                decided.add(value)
        for value, seats in builders.items():
            if len(seats - {scene.late}) >= witnesses(scene.electorate):
                decided.add(value)
        return decided

    # -- liveness --------------------------------------------------------------------------------

    def comes_to_an_end(self, state: State) -> None:
        """Raise UnsoundError unless a fair schedule from here on decides the place at every seat.

        Everything signed is delivered, then every clock runs out, and so on.
        """
        path = []
        for _ in range(6 * self.scene.seats):
            if state in self._alive or self._is_decided(state):
                self._alive.update(path)
                return
            path.append(state)
            state = self._clocks(self._delivered(state))
        raise UnsoundError("no decision, though a majority is honest and connected")

    def _is_decided(self, state: State) -> bool:
        return all(self._locals[n].certificate is not None for n in state.seats if n >= 0)

    def _delivered(self, state: State) -> State:
        while True:
            before = state
            for at, local in enumerate(state.seats):
                if local >= 0:
                    votes = [n for n, r in self.of(state.signed) if not isinstance(r, Entry)]
                    decisions = [w for w, more in self._certificates(state.signed, 0) if not more]
                    for what in [*votes, *decisions]:
                        state = self._moved(state, at, what)
            if state == before:
                return state

    def _clocks(self, state: State) -> State:
        for at, local in enumerate(state.seats):
            if local >= 0:
                state = self._moved(state, at, "time is up")
        return state

    def _moved(self, state: State, at: int, what: What) -> State:
        local, signed = self.step(state.seats[at], what)
        seats = (*state.seats[:at], local, *state.seats[at + 1 :])
        return State(seats, state.signed | signed, state.crashed)

    # -- searches --------------------------------------------------------------------------------

    def search(self, most: int = 10**9) -> Outcome:
        """Visit every state, or `most` of them; judge each, and see that each comes to an end.

        What the liar does after it is convicted is left to the walks.
        """
        start = self.start()
        seen, waiting = {start}, [start]
        while waiting and len(seen) < most:
            state = waiting.pop()
            if self._look_at(state):
                continue
            for after in self.moves(state):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return Outcome(len(seen), len(self._verdicts), not waiting)

    def walk(self, chance: random.Random, events: int) -> None:
        """Let so many events happen at random, one at a time, lies after a conviction included."""
        state = self.start()
        for _ in range(events):
            at = chance.randrange(len(state.seats))
            if state.seats[at] >= 0:
                state = self._happens(state, at, chance)
        self.judge(state.signed, chance)
        self._look_at(state)

    def _happens(self, state: State, at: int, chance: random.Random) -> State:
        number = self.bit(VALUES[0])
        match chance.choice(_EVENTS):
            case "arrives":
                known = [n for n, r in self.of(state.signed) if not isinstance(r, Entry)]
                return self._moved(state, at, chance.choice(known)) if known else state
            case "lie" if self.scene.liar is not None:
                lie = chance.choice(self._lies_after(state.signed) or [number])
                lied = State(state.seats, state.signed | 1 << lie, state.crashed)
                return self._moved(lied, at, lie)
            case "decided":
                decisions = [w for w, more in self._certificates(state.signed, 0) if not more]
                return self._moved(state, at, chance.choice(decisions)) if decisions else state
            case "crash" if not state.crashed:
                return chance.choice([*self._crashes(state, at), state])
            case "clock" if self._locals[state.seats[at]].promised < self.scene.ballots:
                return self._moved(state, at, "time is up")
            case "plays" if self.scene.honest[at] == self.scene.late:
                if self._locals[state.seats[at]].certificate is None:
                    played = State(state.seats, state.signed | 1 << number, state.crashed)
                    return self._moved(played, at, number)
        return state

    def _look_at(self, state: State) -> bool:
        if state.signed not in self._verdicts:
            self._verdicts[state.signed] = self.judge(state.signed)
        if sum(number >= 0 for number in state.seats) >= ballots.majority(self.scene.electorate):
            self.comes_to_an_end(state)
        return self._verdicts[state.signed]


def _clone(voting: Voting) -> Voting:
    other = copy.copy(voting)
    other._came = [*voting._came]
    other._founded = {ballot: [*values] for ballot, values in voting._founded.items()}
    votes = copy.copy(voting._votes)
    for name in ("promises", "proposals", "accepts"):
        setattr(votes, name, {b: {**of} for b, of in getattr(votes, name).items()})
    votes._levels, votes._built = {**votes._levels}, {**votes._built}
    votes.named = {**votes.named}
    other._votes = votes
    return other


def _commitments(voting: Voting) -> object:
    """What a seat will be held to by what it signs, and how its clock stands."""
    if voting.certificate is not None:
        return _decided(voting)
    return (
        voting._first,
        voting._accepted,
        voting.promised,
        _named(voting),
        voting._due,
        voting._is_ripe,
        tuple(voting._came),
    )


def _decided(voting: Voting) -> object:
    """What is decided, and what a seat would do if a stronger decision came."""
    certificate = voting.certificate
    assert certificate is not None
    return certificate.ballot, certificate.value, voting._first, voting.promised > 0


def _named(voting: Voting) -> frozenset[int]:
    """The ballots in which this seat has proposed."""
    named = voting._votes.named.items()
    return frozenset(ballot for ballot, each in named if each.vote.signer == voting._seat)


def _essence(voting: Voting) -> object:
    """What a seat's further acts depend on."""
    came = tuple(voting._came)
    if voting.certificate is not None:
        return voting._seat, came, _decided(voting)
    votes, promised = voting._votes, voting.promised
    levels = {s: n for s, n in votes._levels.items() if n >= max(1, promised)}
    # Only a coordinator looks at the promises themselves, for what it has not proposed yet.
    promises = {
        (ballot, seat, promise.accepted)
        for ballot, of in votes.promises.items()
        if ballot >= promised and ballot not in votes.named
        if coordinator(voting._electorate, voting._place.author, ballot) == voting._seat
        for seat, promise in of.items()
    }
    own = {b for b, of in votes.promises.items() if voting._seat in of}
    proposals = {p.signed for of in votes.proposals.values() for p in of.values()}
    accepts = {(b, s, a.value) for b, of in votes.accepts.items() for s, a in of.items()}
    return (
        voting._seat,
        came,
        voting._first,
        voting._accepted,
        voting.promised,
        _named(voting),
        voting._due,
        voting._is_ripe,
        bool(own),
        frozenset(levels.items()),
        frozenset(promises),
        frozenset(proposals),
        frozenset(accepts),
        tuple((b, tuple(values)) for b, values in sorted(voting._founded.items())),
    )
