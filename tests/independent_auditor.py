"""A second auditor, written from protocol.md alone: it shares no code with the program.

Group, proofs, rules and steps are here once more, as plainly as possible and without speed in mind:
`independent_group`, `independent_proofs` and `independent_rules` belong to it.  It audits tables of
any game, options and number of seats that nobody left; what is wrong raises `WrongLogError`.
Section numbers are those of protocol.md.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from independent_group import (
    BASE,
    ZERO,
    Element,
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
)
from independent_proofs import (
    check_absence,
    check_shares,
    check_shuffle,
    check_sigma,
    check_transfer,
    digest,
    pack,
    unpack,
)
from independent_rules import (
    Tricks,
    height_of,
    instant_win,
    packs_of,
    points_of,
    value_of_twos,
)

__all__ = ["Audit", "WrongLogError"]

# -- the ledger (sections 4 to 6) -------------------------------------------------------------


class Audit:
    """The fold of one log."""

    def __init__(self, log: bytes) -> None:
        terms, *records = frames(log)
        kind, self.terms, signature = unpack(terms)
        require((kind, signature) == (0, b""), "no terms")
        version, _, (self.game, options), seats, *carried = unpack(self.terms)
        self.options = dict(options)
        self.keys = [Ed25519PublicKey.from_public_bytes(seat[1]) for seat in seats]
        known = ("tienlen/1", "tienlen-south/1", "winner/1")
        require(version == 1 and self.game in known and 2 <= len(seats) <= 8, "other terms")
        self.table = self.head = digest("p2pclimb/1 table", self.terms)
        self.records = list(records)
        self.step = 0
        self.counters: dict[int, int] = {}
        self.seats = list(range(len(seats)))
        self.scores = dict.fromkeys(self.seats, 0)
        if carried:
            _, brought, away = carried[0]
            require(sum(brought) + sum(item[3] for item in away) == 0, "carried")
            self.scores = dict(zip(self.seats, brought, strict=True))
        self.run()

    def run(self) -> None:
        self.collect("open", 0, self.seats)
        deal, dealer, order = 0, None, []
        while deal == 0 or deal < self.options["deals"]:
            deal += 1
            dealer, order = Deal(self, deal, dealer, order).play()
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


# -- the steps of a deal (section 10) ---------------------------------------------------------


class Deal:
    """One deal, attempt 0, among all seats."""

    def __init__(self, audit: Audit, number: int, dealer: int | None, order: list[int]) -> None:
        self.audit, self.number, self.dealer, self.last_order = audit, number, dealer, order
        self.game, self.options, self.seats = audit.game, audit.options, audit.seats
        self.packs = packs_of(self.game, self.options, len(self.seats))
        has_jokers = self.game == "winner/1" and self.options["jokers"]
        self.pack_size = 54 if has_jokers else 52
        self.size = self.pack_size * self.packs
        self.public: dict[int, Element] = {}
        self.known: dict[int, int] = {}
        self.played: set[int] = set()
        self.trick_card: list[int] = []

    def play(self) -> tuple[int, list[int]]:
        """Check the whole deal; return its dealer, or the loser, and the order of the seats."""
        self.make_keys()
        deck = self.shuffle()
        require(set(map(tuple, self.collect("agree").values())) == {()}, "agree")
        self.share(deck)
        claimant = self.claims_of_hands() if self.options.get("instant_wins") else None
        if claimant is not None:
            stake = self.options["stake"]
            paid = dict.fromkeys(self.seats, -stake)
            paid[claimant] = stake * (len(self.seats) - 1)
            self.close(paid, None)
            return self.dealer, self.turns_from(claimant)
        leader, must = self.opening()
        tricks = self.tricks(leader, must)
        self.close(points_of(tricks), tricks)
        return tricks.final_order[-1], tricks.final_order

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

    def collect_one(self, kind: str, author: int) -> list:
        return self.collect(kind, [author])[author]

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
        coins = [coin for coin, _, _ in reveals.values()]
        if self.number == 1:
            drawn = int.from_bytes(digest("p2pclimb/1 coin", coins), "big")
            self.dealer = self.seats[drawn % len(self.seats)]
            if self.game == "winner/1":
                drawn = int.from_bytes(digest("p2pclimb/1 trick card", coins), "big")
                self.trick_card = [drawn % self.size]

    def shuffle(self) -> list[tuple[Element, Element]]:
        self.cards = [hashed(b"p2pclimb/1 card", index) for index in range(self.size)]
        self.number_of = {encode_point(card): index for index, card in enumerate(self.cards)}
        deck = [(BASE, add(card, self.joint)) for card in self.cards]
        for seat in self.seats:
            body, proof = self.collect_one("shuffle", seat)
            flat = points(body)
            after = list(zip(flat[::2], flat[1::2], strict=True))
            require(len(after) == self.size, "another number of cards")
            check_shuffle(self.context("shuffle", seat), self.joint, deck, after, proof)
            deck = after
        return deck

    def turns_from(self, seat: int) -> list[int]:
        """The seats in turn order, beginning with one."""
        step = 1 if self.options["direction"] == "clockwise" else -1
        count = len(self.seats)
        return [(seat + step * k) % count for k in range(count)]

    def after_dealer(self) -> list[int]:
        first, *others = self.turns_from(self.dealer)
        return [*others, first]

    def dealt(self) -> dict[int, int]:
        """The seat that every dealt place belongs to."""
        if self.game == "winner/1":
            order, count = self.turns_from(self.dealer), self.size
        else:
            order, each = self.after_dealer(), self.options["deal"]
            seats = len(order)
            count = seats * (self.size // seats if each == "all" else int(each))
        return {place: order[place % len(order)] for place in range(count)}

    def share(self, deck: list[tuple[Element, Element]]) -> None:
        self.owner = self.dealt()
        masks = dict.fromkeys(self.owner, ZERO)
        own = {}
        for seat, (body, proof) in self.collect("shares").items():
            owed = [p for p, o in self.owner.items() if o != seat or p in self.trick_card]
            shares = points(body)
            require(len(shares) == len(owed), "shares")
            pairs = [(deck[place][0], share) for place, share in zip(owed, shares, strict=True)]
            check_shares(b"shares", self.context("shares", seat), self.public[seat], pairs, proof)
            for place, share in zip(owed, shares, strict=True):
                if self.owner[place] == seat:
                    own[place] = share
                else:
                    masks[place] = add(masks[place], share)
        self.residual = {p: (deck[p][0], minus(deck[p][1], masks[p])) for p in self.owner}
        for place, share in own.items():
            self.open(place, share)

    def open(self, place: int, share: Element) -> None:
        card = self.number_of.get(encode_point(minus(self.residual[place][1], share)))
        require(card is not None and card not in self.known.values(), "duplicate-card")
        self.known[place] = card

    def hand(self, seat: int) -> list[int]:
        return [p for p, owner in self.owner.items() if owner == seat and p not in self.played]

    def face(self, place: int) -> int:
        return self.known[place] % self.pack_size

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
            self.open(place, share)
        return [self.face(place) for place in places]

    # -- before the play ----------------------------------------------------------------------

    def claims(self, authors: list[int]) -> dict[int, list]:
        """The showings of those who claim, checked; a claim's cards are open from then on."""
        claims = {}
        for seat, (is_claim, *fields) in self.collect("claim", authors).items():
            require(is_claim is bool(fields), "form")
            if is_claim:
                require(fields[0], "form")
                claims[seat] = fields
        for seat, fields in claims.items():
            self.show("claim", seat, fields)
        return claims

    def claims_of_hands(self) -> int | None:
        worth = {}
        for seat, (places, *_) in self.claims(self.seats).items():
            require(places == self.hand(seat), "claim")
            hand = [self.face(place) for place in places]
            worth[seat] = instant_win(hand, self.options, self.number == 1)
            require(worth[seat] is not None, "claim")
        first = self.dealer if self.number == 1 else self.last_order[0]
        order = [seat for seat in self.turns_from(first) if seat in worth]
        return max(order, key=lambda seat: worth[seat], default=None)

    def opening(self) -> tuple[int, int | None]:
        """Who leads, and the face that the first play must contain."""
        if self.number > 1:
            if self.options.get("exchange"):
                self.exchange()
            return self.later_leader(), None
        if self.game == "winner/1":
            return self.owner[self.trick_card[0]], None
        return self.find_lowest()

    def later_leader(self) -> int:
        match self.options.get("next_lead", "winner"):
            case "loser":
                return self.dealer
            case "left_of_dealer":
                return self.after_dealer()[0]
            case _:
                return self.last_order[0]

    def find_lowest(self) -> tuple[int, int]:
        for face in range(52):
            holders = []
            twins = self.cards[face :: self.pack_size]
            for seat, (shown, *fields) in self.collect("lowest").items():
                if shown:
                    require(set(self.show("lowest", seat, fields)) == {face}, "lowest")
                    holders.append(seat)
                    continue
                places = [self.residual[place] for place in self.hand(seat)]
                context = self.context("lowest", seat)
                check_absence(context, self.public[seat], places, twins, *fields)
            if holders:
                return next(seat for seat in self.after_dealer() if seat in holders), face
        raise WrongLogError("nobody holds any card")

    def exchange(self) -> None:
        loser, winner = self.last_order[-1], self.last_order[0]
        given = self.tribute(loser)
        self.owner[given] = winner
        places, body, proof = self.collect_one("offer", winner)
        closed = set(self.hand(winner)) - set(self.known)
        require(len(set(places)) == len(places) == 2 and set(places) <= closed, "offer")
        require(given not in places, "offer")
        flat = points(body)
        transfers = list(zip(flat[::2], flat[1::2], strict=True))
        context = self.context("offer", winner)
        masked = [self.residual[place] for place in places]
        keys = self.public[winner], self.public[loser]
        check_transfer(context, *keys, masked, transfers, proof)
        (taken,), *fields = self.collect_one("choose", loser)
        require(taken in places, "choice")
        r, s = transfers[places.index(taken)]
        self.residual[taken] = (minus(ZERO, r), minus(self.residual[taken][1], s))
        self.owner[taken] = loser
        self.show("choose", loser, [[taken], *fields])

    def tribute(self, loser: int) -> int:
        """Check the tribute; return its place."""
        *fields, absence = self.collect_one("tribute", loser)
        (card,) = self.show("tribute", loser, fields)
        (place,) = fields[0]
        closed = [p for p in self.hand(loser) if p not in self.known]
        opened = set(self.known.values())
        candidates = [
            self.cards[index]
            for index in range(self.size)
            if height_of(index % self.pack_size, self.game) > height_of(card, self.game)
            and index not in opened
        ]
        if not candidates or not closed:
            require(absence == b"", "tribute")
            return place
        masked = [self.residual[p] for p in closed]
        context = self.context("tribute", loser)
        check_absence(context, self.public[loser], masked, candidates, absence)
        return place

    # -- the play, and the end ----------------------------------------------------------------

    def tricks(self, leader: int, must: int | None) -> Tricks:
        """Follow the turns until one seat is left with cards."""
        order = self.turns_from(leader)
        sizes = {seat: len(self.hand(seat)) for seat in order}
        tricks = Tricks(self.game, self.options, order, sizes)
        tricks.turn, tricks.must = leader, must
        self.on_table: list[int] = []
        while not tricks.over:
            if tricks.asked:
                self.claim_of_fours(tricks)
            else:
                self.one_turn(tricks)
        return tricks

    def one_turn(self, tricks: Tricks) -> None:
        seat = tricks.turn
        move, *fields = self.collect_one("turn", seat)
        if move == 0:
            require(not fields, "form")
            tricks.do_pass()
            return
        require(fields[0], "form")
        cards = self.show("turn", seat, fields)
        if move == 2:
            tricks.pass_the_lead(cards)
            return
        require(move == 1, "form")
        before = tricks.table
        tricks.do_play(cards)
        self.put(tricks, before, seat, fields[0])

    def claim_of_fours(self, tricks: Tricks) -> None:
        claims = self.claims(sorted(tricks.asked))
        faces = {seat: [self.face(p) for p in places] for seat, (places, *_) in claims.items()}
        before = tricks.table
        winner = tricks.claim(faces)
        if winner is not None:
            self.put(tricks, before, winner, claims[winner][0])

    def put(self, tricks: Tricks, before: object, seat: int, places: list[int]) -> None:
        """Move the places that were played, and those of a bomb that was picked up."""
        self.played |= set(places)
        play = tricks.record[-1][-1] if tricks.record[-1] else tricks.record[-2][-1]
        is_taken = before is not None and tricks.is_taken_by(play[1], before)
        if not is_taken:
            self.on_table = places
        elif self.options["fours"] == "pickup":
            self.played -= set(self.on_table)
            self.owner |= dict.fromkeys(self.on_table, seat)

    def close(self, paid: dict[int, int], tricks: Tricks | None) -> None:
        loser = tricks.final_order[-1] if tricks else None
        pays_rotten = bool(self.options.get("rotten_twos")) and loser is not None
        for seat, (payments, reachable, *fields) in self.collect("close").items():
            require(payments == [[s, paid[s]] for s in self.seats], "result")
            others = [s for s in self.seats if s != seat]
            require(reachable == [s for s in others if s in reachable], "reachable")
            shows = self.options["show_rest"] or (pays_rotten and seat == loser)
            require(fields[0] == (self.hand(seat) if shows else []), "rest")
            self.show("close", seat, fields)
        for seat, points_won in paid.items():
            self.audit.scores[seat] += points_won
        if pays_rotten:
            held = [self.face(place) for place in self.hand(loser)]
            cost = value_of_twos(held) * self.options["stake"]
            self.audit.scores[loser] -= cost
            self.audit.scores[tricks.final_order[-2]] += cost
