"""A second auditor, written from protocol.md alone: it shares no code with the program.

Group, proofs, steps and rules are here once more, as plainly as possible and without speed in mind.
It audits tables of up to four seats with default options (and `show_rest`) that nobody left; what
is wrong raises `WrongLogError`.  Section numbers are those of protocol.md.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Sequence

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from independent_group import (
    BASE,
    ZERO,
    Element,
    Q,
    WrongLogError,
    add,
    combine,
    decode,
    encode_point,
    hashed,
    lp,
    minus,
    points,
    require,
    scalars,
)

# -- encoding, hashes, transcripts (sections 2, 3, 9) -----------------------------------------


def pack(value: object) -> bytes:
    return msgpack.packb(value, use_bin_type=True)


def unpack(data: bytes) -> list:
    value = msgpack.unpackb(data, raw=False)
    require(pack(value) == data, "an encoding that is not canonical")
    return value


def digest(label: str, value: object) -> bytes:
    return hashlib.sha256(pack([label, value])).digest()


class Transcript:
    def __init__(self, kind: bytes, context: bytes) -> None:
        self.hash = hashlib.sha512()
        self.absorb(b"proof", b"p2pclimb/1 " + kind)
        self.absorb(b"context", context)

    def absorb(self, label: bytes, data: bytes) -> None:
        self.hash.update(lp(label) + lp(data))

    def challenge(self, label: bytes) -> int:
        squeezed = self.hash.copy()
        squeezed.update(lp(b"squeeze") + lp(label))
        self.absorb(label, squeezed.digest())
        return int.from_bytes(squeezed.digest(), "little") % Q


Equation = tuple[Element, list[tuple[int, Element]]]


def check_sigma(
    kind: bytes, context: bytes, count: int, equations: list[Equation], proof: bytes
) -> None:
    require(len(proof) == 32 * (count + 1), "a proof of another length")
    c, *s = scalars(proof)
    transcript = Transcript(kind, context)
    u32 = [number.to_bytes(4, "big") for number in range(2 * len(equations) + 3)]
    transcript.absorb(b"sizes", count.to_bytes(4, "big") + len(equations).to_bytes(4, "big"))
    for image, terms in equations:
        transcript.absorb(b"image", encode_point(image) + u32[len(terms)])
        for index, point in terms:
            transcript.absorb(b"term", u32[index] + encode_point(point))
    for image, terms in equations:
        commitment = combine([*((s[index], point) for index, point in terms), (-c, image)])
        transcript.absorb(b"commitment", encode_point(commitment))
    require(transcript.challenge(b"challenge") == c, f"a proof of {kind.decode()}")


def check_shares(
    kind: bytes, context: bytes, key: Element, pairs: list[tuple[Element, Element]], proof: bytes
) -> None:
    equations = [(key, [(0, BASE)]), *((share, [(0, a)]) for a, share in pairs)]
    check_sigma(kind, context, 1, equations, proof)


def pair(left: Sequence[int], right: Sequence[Element]) -> list[tuple[int, Element]]:
    return list(zip(left, right, strict=True))


def check_absence(context, key, places, candidates, proof) -> None:
    pairs = [(a, b, candidate) for a, b in places for candidate in candidates]
    blinded = points(proof[: 32 * len(pairs)])
    equations: list[Equation] = []
    for k, ((a, b, candidate), c) in enumerate(zip(pairs, blinded, strict=True)):
        equations.append((c, [(2 * k, a), (2 * k + 1, minus(b, candidate))]))
        equations.append((ZERO, [(2 * k, BASE), (2 * k + 1, key)]))
    check_sigma(b"absence", context, 2 * len(pairs), equations, proof[32 * len(pairs) :])


def check_shuffle(context: bytes, joint: Element, before: list, after: list, proof: bytes) -> None:
    n = len(before)
    require(len(proof) == 32 * (4 * n + 5), "a shuffle proof of another length")
    require(len({encode_point(a) for a, _ in after}) == n, "equal masks")
    columns, chain = points(proof[: 32 * n]), points(proof[32 * n : 64 * n])
    c, s1, s2, s3, s4, *rest = scalars(proof[64 * n :])
    s_chain, s_weight = rest[:n], rest[n:]
    h = [hashed(b"p2pclimb/1 shuffle generator", index) for index in range(n + 1)]
    transcript = Transcript(b"shuffle", context)
    transcript.absorb(b"count", n.to_bytes(4, "big"))
    for label, items in (
        (b"base", [BASE]),
        (b"joint key", [joint]),
        (b"generator", h),
    ):
        for item in items:
            transcript.absorb(label, encode_point(item))
    for label, deck in ((b"input", before), (b"output", after)):
        for a, b in deck:
            transcript.absorb(label, encode_point(a) + encode_point(b))
    for column in columns:
        transcript.absorb(b"permutation commitment", encode_point(column))
    u = [transcript.challenge(b"weight") for _ in range(n)]
    for link in chain:
        transcript.absorb(b"chain commitment", encode_point(link))
    product = 1
    for weight in u:
        product = product * weight % Q
    row_sum = minus(combine((1, x) for x in columns), combine((1, x) for x in h[1:]))
    mixed = [-c * weight for weight in u]
    halves = [
        [(-s4, key), *pair(s_weight, [x[at] for x in after]), *pair(mixed, [x[at] for x in before])]
        for at, key in enumerate((BASE, joint))
    ]
    ts = [
        combine([(s1, BASE), (-c, row_sum)]),
        combine([(s2, BASE), (-c, chain[-1]), (c * product, h[0])]),
        combine([(s3, BASE), *pair(s_weight, h[1:]), *pair(mixed, columns)]),
        *map(combine, halves),
        *(
            combine([(s_chain[i], BASE), (s_weight[i], (h[0], *chain)[i]), (-c, chain[i])])
            for i in range(n)
        ),
    ]
    for t in ts:
        transcript.absorb(b"shuffle commitment", encode_point(t))
    require(transcript.challenge(b"shuffle challenge") == c, "a shuffle proof")


# -- the rules (section 11) -------------------------------------------------------------------

ONE_TWO, TWO_TWOS, THREE_TWOS = ("set", 1, 1), ("set", 2, 1), ("set", 3, 1)


def shape(cards: list[int]) -> tuple[str, int, int, int]:
    """Type, cards a rank, number of ranks and top of some faces (0 to 51, by rank, then suit)."""
    ranks = Counter(card // 4 for card in cards)
    width, length = len(cards) // len(ranks), len(ranks)
    require(cards and set(ranks.values()) == {width}, "no combination")
    require(len(set(cards)) == len(cards), "a card twice")
    if length == 1:
        return "set", width, 1, max(cards)
    is_run = max(ranks) - min(ranks) == length - 1
    require(is_run and length >= 3 and width <= 2, "no combination")
    return "run", width, length, max(cards)


def beats(play: tuple, table: tuple) -> bool:
    if play[:3] == table[:3]:
        return play[3] > table[3]
    if table[3] < 48 or table[0] != "set":
        return False
    victim = table[:3]
    chop = play[:3]
    return (
        (chop in (("set", 4, 1), ("run", 2, 3)) and victim == ONE_TWO)
        or (chop == ("run", 2, 4) and victim == TWO_TWOS)
        or (chop == ("run", 2, 5) and victim == THREE_TWOS)
    )


# -- the ledger (sections 4 to 7 and 10) ------------------------------------------------------


class Audit:
    """The fold of one log."""

    def __init__(self, log: bytes) -> None:
        terms, *records = frames(log)
        kind, self.terms, signature = unpack(terms)
        require((kind, signature) == (0, b""), "no terms")
        version, _, (game, options), seats = unpack(self.terms)
        self.options = dict(options)
        self.keys = [Ed25519PublicKey.from_public_bytes(seat[1]) for seat in seats]
        require((version, game) == (1, "tienlen/1") and 2 <= len(seats) <= 4, "other terms")
        self.table = self.head = digest("p2pclimb/1 table", self.terms)
        self.records = list(records)
        self.step = 0
        self.counters: dict[int, int] = {}
        self.seats = list(range(len(seats)))
        self.scores = dict.fromkeys(self.seats, 0)
        self.run()

    def run(self) -> None:
        self.collect("open", 0, self.seats)
        deal, dealer, leader = 0, None, None
        while deal == 0 or deal < self.options["deals"]:
            deal += 1
            dealer, leader = Deal(self, deal, dealer, leader).play()
        require(not self.records, "records after the end")

    def collect(self, kind: str, deal: int, authors: list[int]) -> dict[int, list]:
        """Take the entries of one step; they may stand in any order in the log."""
        found, ids = {}, {}
        for record in list(self.records):
            type_, signed, signature = unpack(record)
            entry = unpack(signed)
            if type_ != 1 or entry[4] != self.step:
                continue
            self.records.remove(record)
            version, table, its_deal, attempt, step, previous, author, counter, name, body = entry
            require(author in authors and author not in found, "an entry of a seat not asked")
            header = (1, self.table, deal, 0, self.step, self.head, kind)
            require((version, table, its_deal, attempt, step, previous, name) == header, "header")
            require(counter > self.counters.get(author, -1), "counter")
            try:
                self.keys[author].verify(signature, lp(b"p2pclimb/1 entry") + signed)
            except InvalidSignature:
                raise WrongLogError("signature") from None
            self.counters[author] = counter
            found[author], ids[author] = body, digest("p2pclimb/1 entry id", signed)
        require(set(found) == set(authors), f"incomplete at step {self.step}")
        return self.filled(found, ids, authors)

    def filled(self, found: dict, ids: dict, authors: list[int]) -> dict[int, list]:
        self.place = (self.step, self.head)
        filling = [[seat, "entry", ids[seat]] for seat in authors]
        self.head = digest("p2pclimb/1 head", [self.head, self.step, filling])
        self.step += 1
        return {seat: found[seat] for seat in authors}


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


class Deal:
    """One deal, attempt 0, among all seats."""

    def __init__(self, audit: Audit, number: int, dealer: int | None, leader: int | None) -> None:
        self.audit, self.number, self.dealer, self.leader = audit, number, dealer, leader
        self.seats = audit.seats
        self.public: dict[int, Element] = {}
        self.known: dict[int, int] = {}
        self.played: set[int] = set()

    def context(self, kind: str, author: int, keys: bool = True) -> bytes:
        step, previous = self.audit.place
        own = [encode_point(self.public[seat]) for seat in self.seats] if keys else []
        fields = [
            1,
            self.audit.table,
            self.number,
            0,
            self.seats,
            own,
            kind,
            step,
            author,
            previous,
        ]
        return pack(["p2pclimb/1 context", *fields])

    def collect(self, kind: str, authors: list[int] | None = None) -> dict[int, list]:
        return self.audit.collect(kind, self.number, self.seats if authors is None else authors)

    def play(self) -> tuple[int, int]:
        self.make_keys()
        deck = self.shuffle()
        require(set(map(tuple, self.collect("agree").values())) == {()}, "agree")
        self.share(deck)
        must = self.find_lowest() if self.number == 1 else None
        order = self.tricks(must)
        self.close(order)
        return order[-1], order[0]

    def make_keys(self) -> None:
        commitments = self.collect("commit")
        contexts = {seat: self.context("commit", seat, keys=False) for seat in self.seats}
        reveals = self.collect("reveal")
        for seat, (coin, key, proof) in reveals.items():
            value = [contexts[seat], coin, key, proof]
            expected = digest("p2pclimb/1 commitment", value)
            require(commitments[seat] == [expected] and len(coin) == 32, "commitment")
            self.public[seat] = decode(key)
            equation = (self.public[seat], [(0, BASE)])
            check_sigma(b"possession", contexts[seat], 1, [equation], proof)
        require(len({key for _, key, _ in reveals.values()}) == len(self.seats), "equal keys")
        self.joint = combine((1, key) for key in self.public.values())
        if self.dealer is None:
            coins = digest("p2pclimb/1 coin", [coin for coin, _, _ in reveals.values()])
            self.dealer = self.seats[int.from_bytes(coins, "big") % len(self.seats)]

    def shuffle(self) -> list[tuple[Element, Element]]:
        self.cards = [hashed(b"p2pclimb/1 card", index) for index in range(52)]
        deck = [(BASE, add(card, self.joint)) for card in self.cards]
        for seat in self.seats:
            ((body, proof),) = self.collect("shuffle", [seat]).values()
            flat = points(body)
            after = list(zip(flat[::2], flat[1::2], strict=True))
            require(len(after) == 52, "another number of cards")
            check_shuffle(self.context("shuffle", seat), self.joint, deck, after, proof)
            deck = after
        return deck

    def after_dealer(self) -> list[int]:
        count = len(self.seats)
        return [(self.dealer + 1 + k) % count for k in range(count)]

    def share(self, deck: list[tuple[Element, Element]]) -> None:
        order = self.after_dealer()
        self.owner = {place: order[place % len(order)] for place in range(13 * len(order))}
        masks = dict.fromkeys(self.owner, ZERO)
        for seat, (body, proof) in self.collect("shares").items():
            owed = [place for place in self.owner if self.owner[place] != seat]
            shares = points(body)
            require(len(shares) == len(owed), "shares")
            pairs = [(deck[place][0], share) for place, share in zip(owed, shares, strict=True)]
            check_shares(b"shares", self.context("shares", seat), self.public[seat], pairs, proof)
            for place, share in zip(owed, shares, strict=True):
                masks[place] = add(masks[place], share)
        self.residual = {p: (deck[p][0], minus(deck[p][1], masks[p])) for p in self.owner}
        self.number_of = {encode_point(card): index for index, card in enumerate(self.cards)}

    def hand(self, seat: int) -> list[int]:
        return [p for p, owner in self.owner.items() if owner == seat and p not in self.played]

    def show(self, kind: str, seat: int, fields: Sequence) -> list[int]:
        """Check a showing; return the faces, and keep them as known."""
        places, body, proof = fields
        require(list(places) == sorted(set(places)), "places")
        require(set(places) <= set(self.hand(seat)), "ownership")
        closed = [place for place in places if place not in self.known]
        shares = points(body)
        require(len(shares) == len(closed) and bool(proof) == bool(closed), "opening")
        if closed:
            pairs = [(self.residual[p][0], d) for p, d in zip(closed, shares, strict=True)]
            check_shares(b"opening", self.context(kind, seat), self.public[seat], pairs, proof)
        for place, share in zip(closed, shares, strict=True):
            card = self.number_of.get(encode_point(minus(self.residual[place][1], share)))
            require(card is not None and card not in self.known.values(), "duplicate-card")
            self.known[place] = card
        return [self.known[place] for place in places]

    def find_lowest(self) -> int:
        for face in range(52):
            holders = []
            answers = self.collect("lowest")
            for seat, (shown, *fields) in answers.items():
                if shown:
                    require(self.show("lowest", seat, fields) == [face], "lowest")
                    holders.append(seat)
                    continue
                places = [self.residual[place] for place in self.hand(seat)]
                context = self.context("lowest", seat)
                check_absence(context, self.public[seat], places, [self.cards[face]], *fields)
            if holders:
                self.leader = next(seat for seat in self.after_dealer() if seat in holders)
                return face
        raise WrongLogError("nobody holds any card")

    def tricks(self, must: int | None) -> list[int]:
        """Follow the turns until one seat is left with cards; return the finishing order."""
        turn, table, owner, passed, finished = self.leader, None, None, set(), []
        count = len(self.seats)
        while len(finished) < count - 1:
            ((move, *fields),) = self.collect("turn", [turn]).values()
            if move == 0:
                require(table is not None and not fields, "illegal-play")
                passed.add(turn)
            else:
                play = shape(cards := self.show("turn", turn, fields))
                require(move == 1 and (must is None or must in cards), "illegal-play")
                require(table is None or beats(play, table), "illegal-play")
                self.played |= set(fields[0])
                table, owner, must = play, turn, None
                if not self.hand(turn):
                    finished.append(turn)
            following = [(turn + k) % count for k in range(1, count)]
            asked = [s for s in following if s not in {*passed, *finished, owner}]
            if asked:
                turn = asked[0]
                continue
            after_owner = [(owner + k) % count for k in range(count)]
            turn = next((s for s in after_owner if s not in finished), None)
            table, owner, passed = None, None, set()
        return [*finished, *(s for s in self.seats if s not in finished)]

    def close(self, order: list[int]) -> None:
        stake = self.audit.options["stake"]
        paid = {s: stake if s != order[-1] else -stake * (len(order) - 1) for s in self.seats}
        for seat, (payments, reachable, *fields) in self.collect("close").items():
            require(payments == [[s, paid[s]] for s in self.seats], "result")
            others = [s for s in self.seats if s != seat]
            require(reachable == [s for s in others if s in reachable], "reachable")
            rest = self.hand(seat) if self.audit.options["show_rest"] else []
            require(fields[0] == rest, "rest")
            self.show("close", seat, fields)
        for seat, share in paid.items():
            self.audit.scores[seat] += share
