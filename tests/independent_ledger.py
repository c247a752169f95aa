"""Records, votes, places and heads for the independent auditor: sections 4 to 7 of protocol.md.

What fills a place: a conviction before a certificate, that before an entry, and that before a
leave notice.  Only the branch that counts is followed.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from independent_group import WrongLogError, lp, require
from independent_proofs import digest, pack, unpack

__all__ = ["Log", "OffenceError", "Outcome", "UnfinishedError", "frames"]

Place = tuple[int, bytes, int]  # step, previous head, author
Accepted = tuple[int, bytes] | None  # ballot and value


class OffenceError(Exception):
    """A seat's own signatures convict it, from a step on."""

    def __init__(self, seat: int, step: int) -> None:
        super().__init__(f"seat {seat} at step {step}")
        self.seat, self.step = seat, step


class UnfinishedError(Exception):
    """The log ends where a step still waits for somebody."""


@dataclass
class Outcome:
    """How a step was filled: bodies, and who was absent, out for good, or convicted."""

    bodies: dict[int, list]
    missed: set[int]
    gone: set[int]
    convicted: set[int]

    @property
    def missing(self) -> set[int]:
        return self.missed | self.gone | self.convicted


@dataclass
class Votes:
    """All votes on one place, by signer and ballot."""

    promises: dict[tuple[int, int], Accepted] = field(default_factory=dict)
    proposals: dict[int, set[tuple[int, bytes]]] = field(default_factory=lambda: defaultdict(set))
    founded: list[tuple[int, int, bytes, tuple]] = field(default_factory=list)
    accepts: dict[tuple[int, int], bytes] = field(default_factory=dict)
    decisions: list[tuple[int, bytes, set[int]]] = field(default_factory=list)
    doubled: set[int] = field(default_factory=set)

    def promise(self, signer: int, ballot: int, accepted: Accepted) -> None:
        if self.promises.setdefault((signer, ballot), accepted) != accepted:
            self.doubled.add(signer)

    def accept(self, signer: int, ballot: int, value: bytes) -> None:
        if self.accepts.setdefault((signer, ballot), value) != value:
            self.doubled.add(signer)


class Log:
    """The signed records of one table, and the fold of its steps; `step` is the next one."""

    def __init__(self, terms: bytes, records: Iterable[bytes]) -> None:
        self.table = self.head = digest("p2pclimb/1 table", terms)
        seats = unpack(terms)[3]
        self.keys = [Ed25519PublicKey.from_public_bytes(seat[1]) for seat in seats]
        self.entries: dict[Place, list[tuple]] = defaultdict(list)
        self.leaves: dict[int, list] = {}
        self.votes: dict[Place, Votes] = defaultdict(Votes)
        self.guilty: dict[int, int] = {}
        for record in dict.fromkeys(records):
            self.read(*unpack(record))
        self.judge_pairs()
        self.begin()

    def begin(self) -> None:
        """Go back to the first step."""
        self.step, self.head = 0, self.table
        self.counters: dict[int, int] = {}
        self.misses: dict[int, int] = {}
        self.away: set[int] = set()
        self.used: set[Place] = set()
        # Who filled a place itself on the way here, with those who promised it away.
        self.promised_away: list[tuple[int, int, set[int]]] = []

    # -- records ------------------------------------------------------------------------------

    def read(self, kind: int, signed: bytes, signature: bytes, carried: Sequence = ()) -> None:
        match kind:
            case 1:
                fields = unpack(signed)
                author = fields[6]
                self.verify(author, b"entry", signed, signature)
                self.entries[(fields[4], fields[5], author)].append((signed, fields))
            case 2:
                fields = unpack(signed)
                self.verify(fields[4], b"leave", signed, signature)
                self.leaves.setdefault(fields[4], []).append((signed, fields))
            case 3:
                self.read_promise(signed, signature, carried)
            case 4:
                self.read_proposal(signed, signature, carried)
            case 5:
                place, ballot, signer, (value,) = self.read_vote(b"accept", signed, signature)
                self.votes[place].accept(signer, ballot, value)
            case 6:
                self.read_certificate(signed, carried)
            case _:
                require(kind == 7, "a record of an unknown type")
                self.verify(unpack(signed)[2], b"pause", signed, signature)

    def verify(self, seat: int, label: bytes, signed: bytes, signature: bytes) -> None:
        require(unpack(signed)[:2] == [1, self.table], "a record of another table")
        try:
            self.keys[seat].verify(signature, lp(b"p2pclimb/1 " + label) + signed)
        except InvalidSignature:
            raise WrongLogError("signature") from None

    def read_vote(self, label: bytes, signed: bytes, signature: bytes) -> tuple:
        _, _, step, previous, author, ballot, signer, _, content = unpack(signed)
        self.verify(signer, label, signed, signature)
        return (step, previous, author), ballot, signer, content

    def read_promise(self, signed: bytes, signature: bytes, quoted: Sequence) -> tuple:
        place, ballot, signer, content = self.read_vote(b"promise", signed, signature)
        accepted = (content[0], content[1]) if content else None
        require(bool(quoted) == bool(accepted and accepted[0]), "a proposal quoted, or none")
        for inner in quoted:
            at, of, by, (value, _) = self.read_vote(b"proposal", *inner)
            require((at, (of, value)) == (place, accepted), "the proposal that was accepted")
            self.votes[place].proposals[of].add((by, value))
        self.votes[place].promise(signer, ballot, accepted)
        return place, ballot, signer, accepted

    def read_proposal(self, signed: bytes, signature: bytes, promises: Sequence) -> None:
        place, ballot, signer, (value, ids) = self.read_vote(b"proposal", signed, signature)
        found = [digest("p2pclimb/1 promise", promise[0]) for promise in promises]
        require(found == ids, "the promises that a proposal names")
        read = tuple(self.read_promise(*promise) for promise in promises)
        self.votes[place].proposals[ballot].add((signer, value))
        self.votes[place].founded.append((signer, ballot, value, read))

    def read_certificate(self, content: bytes, accepts: Sequence) -> None:
        version, table, step, previous, author, ballot, value = unpack(content)
        require((version, table) == (1, self.table), "a record of another table")
        votes = self.votes[(step, previous, author)]
        for signer, counter, signature in accepts:
            fields = [1, table, step, previous, author, ballot, signer, counter, [value]]
            self.verify(signer, b"accept", pack(fields), signature)
            votes.accept(signer, ballot, value)
        votes.decisions.append((ballot, value, {signer for signer, _, _ in accepts}))

    # -- who contradicts itself ----------------------------------------------------------------

    def convict(self, seat: int, step: int) -> None:
        """Begin anew with a conviction that was not known before."""
        if step < self.guilty.get(seat, step + 1):
            self.guilty[seat] = step
            raise OffenceError(seat, step)

    def judge_pairs(self) -> None:
        """Convict whoever signed two records that exclude each other on whatever branch."""
        offences = [
            (author, step) for (step, _, author), two in self.entries.items() if len(two) > 1
        ]
        for seat, notices in self.leaves.items():
            first = min(fields[3] for _, fields in notices)
            offences += [(seat, first)] if len(notices) > 1 else []
            offences += [
                (seat, s) for s, _, author in self.entries if author == seat and s >= first
            ]
        for seat, step in offences:
            self.guilty[seat] = min(step, self.guilty.get(seat, step))

    def judge_votes(self, place: Place, electorate: list[int]) -> None:
        """Convict whoever contradicts itself about a place."""
        step, votes = place[0], self.votes[place]
        for seat in votes.doubled & set(electorate):
            self.convict(seat, step)
        for ballot, values in votes.proposals.items():
            if len(values) > 1:
                self.convict(self.coordinator(place, electorate, ballot), step)
        for (seat, ballot), accepted in votes.promises.items():
            for (other, at), value in votes.accepts.items():
                is_stated = accepted is not None and (accepted[0] > at or accepted == (at, value))
                if seat == other and at < ballot and not is_stated and seat in electorate:
                    self.convict(seat, step)
        for seat, ballot, value, promises in votes.founded:
            require(seat == self.coordinator(place, electorate, ballot), "another coordinator")
            if not is_founded(place, ballot, value, promises, electorate):
                self.convict(seat, step)

    @staticmethod
    def coordinator(place: Place, electorate: list[int], ballot: int) -> int:
        return electorate[(electorate.index(place[2]) + ballot) % len(electorate)]

    # -- places --------------------------------------------------------------------------------

    def collect(
        self, kind: str, deal: int, attempt: int, authors: Sequence[int], seats: Sequence[int]
    ) -> Outcome:
        """Fill the places of the step, and go on to the next; `seats` are those of the deal."""
        electorate = [s for s in seats if s not in self.away and self.misses.get(s, 0) < 3]
        outcome = Outcome({}, set(), set(), set())
        filling = []
        for author in authors:
            place = (self.step, self.head, author)
            self.used.add(place)
            if self.step:
                self.judge_votes(place, electorate)
            by, body = self.fill(place, electorate, (kind, deal, attempt))
            filling.append([author, by, body[0]])
            self.sort_in(outcome, author, by, body)
        self.place = (self.step, self.head)
        self.head = digest("p2pclimb/1 head", [self.head, self.step, filling])
        self.step += 1
        return outcome

    def sort_in(self, outcome: Outcome, author: int, by: str, body: tuple) -> None:
        match by:
            case "entry":
                outcome.bodies[author] = body[1]
            case "absent":
                self.misses[author] = self.misses.get(author, 0) + 1
                is_out = self.misses[author] >= 3
                (outcome.gone if is_out else outcome.missed).add(author)
            case "left":
                outcome.gone.add(author)
                self.away.add(author)
            case "convicted":
                outcome.convicted.add(author)
                self.away.add(author)

    def fill(self, place: Place, electorate: list[int], header: tuple) -> tuple[str, tuple]:
        """Say what fills a place: its tag in the head, its id there, and the body of an entry."""
        step, _, author = place
        if self.guilty.get(author, step + 1) <= step:
            return "convicted", (b"",)
        entries = self.entries.get(place, [])
        decided = self.decision(place, electorate)
        if decided == b"":
            return "absent", (b"",)
        notices = self.leaves.get(author, [])
        leaves = bool(notices) and notices[0][1][3] <= step
        values = [digest("p2pclimb/1 entry id", signed) for signed, _ in entries]
        values += [digest("p2pclimb/1 leave id", notices[0][0])] if leaves else []
        value = decided if decided is not None else next(iter(values), None)
        if value not in values:
            raise UnfinishedError
        self.judge_building(place, value)
        if not entries or value != values[0]:
            return "left", (b"",)
        self.check_header(place, entries[0][1], header)
        return "entry", (value, entries[0][1][9])

    def decision(self, place: Place, electorate: list[int]) -> bytes | None:
        for _, _, signers in self.votes[place].decisions:
            require(2 * len(signers & set(electorate)) > len(electorate), "no majority")
            require(self.step > 0, "a vote on the opening")
        ranked = sorted((b, value == b"", value) for b, value, _ in self.votes[place].decisions)
        return ranked[0][2] if ranked else None

    def judge_building(self, place: Place, value: bytes) -> None:
        """Note who promised a place away that its author fills after all."""
        promises = self.votes[place].promises.items()
        free = {seat for (seat, _), accepted in promises if accepted is None}
        self.promised_away.append((place[0], place[2], free - {place[2]}))

    def check_header(self, place: Place, fields: list, header: tuple) -> None:
        step, _, author = place
        version, table, deal, attempt, _, _, _, counter, kind, _, *excepted = fields
        require((version, table) == (1, self.table), "header")
        require((kind, deal, attempt) == header, "header")
        require(counter > self.counters.get(author, -1), "counter")
        self.counters[author] = counter
        excepts = excepted[0] if excepted else []
        # A seat's first entry after a place tells whether it acknowledges what its author signed.
        for at, late, promised in self.promised_away:
            if at < step and author in promised:
                promised.remove(author)
                if [at, late] not in excepts:
                    self.convict(author, at)


def is_founded(place: Place, ballot: int, value: bytes, promises: tuple, electorate: list) -> bool:
    """Whether a proposal's promises are a majority of its ballot and allow its value."""
    signers = {signer for _, _, signer, _ in promises}
    if len(signers) < len(promises) or not signers <= set(electorate):
        return False
    if any((at, of) != (place, ballot) for at, of, _, _ in promises):
        return False
    stated = [accepted for *_, accepted in promises if accepted is not None]
    highest = max((at for at, _ in stated), default=0)
    forced = {said for at, said in stated if at == highest}
    return 2 * len(signers) > len(electorate) and (not forced or value in forced)


def frames(log: bytes) -> list[bytes]:
    require(log[:8] == b"\x89CLIMB\n\x01", "no log")
    found, at = [], 8
    while at < len(log):
        length, checksum = log[at : at + 4], log[at + 4 : at + 8]
        payload = log[at + 8 : at + 8 + int.from_bytes(length, "big")]
        require(zlib.crc32(length + payload) == int.from_bytes(checksum, "big"), "frame")
        found.append(payload)
        at += 8 + len(payload)
    return found
