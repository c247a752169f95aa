"""Keys, shuffles, shares and hands for the independent auditor: sections 8 to 10 of protocol.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from independent_group import (
    BASE,
    ZERO,
    Element,
    add,
    combine,
    decode,
    encode_point,
    hashed,
    minus,
    points,
    require,
)
from independent_ledger import Outcome
from independent_proofs import check_shares, check_shuffle, check_sigma, digest, pack
from independent_rules import Tricks, fits, packs_of

if TYPE_CHECKING:
    from independent_auditor import Audit

__all__ = ["DealOverError", "Dealing", "RestartError"]


class DealOverError(Exception):
    """A deal ends by a conviction: the culprits lose, and the others keep their order."""

    def __init__(self, culprits: set[int], gone: set[int]) -> None:
        super().__init__("a conviction")
        self.culprits, self.gone = culprits, gone


class RestartError(Exception):
    """The next attempt of a deal begins without some seats; `forfeits`: they pay for it."""

    def __init__(self, missing: set[int], *, forfeits: bool = False) -> None:
        super().__init__("another attempt")
        self.missing, self.forfeits = missing, forfeits


class Dealing:
    """One attempt of a deal among the seats that are expected in it, up to the dealt hands."""

    def __init__(
        self,
        audit: Audit,
        number: tuple[int, int],
        seats: list[int],
        dealer: int | None,
        order: list[int],
    ) -> None:
        self.audit, self.dealer, self.last_order = audit, dealer, order
        self.number, self.attempt = number
        self.game, self.options, self.seats = audit.game, audit.options, seats
        self.public: dict[int, Element] = {}
        self.known: dict[int, int] = {}
        self.played: set[int] = set()
        self.trick_card: list[int] = []
        self.out: list[int] = []
        self.state: Tricks | None = None
        self.is_dealt = False

    def step(self, kind: str, authors: Sequence[int]) -> Outcome:
        log = self.audit.log
        outcome = log.collect(kind, self.number, self.attempt, authors, self.seats)
        if outcome.convicted and self.is_dealt:
            raise DealOverError(outcome.convicted, outcome.gone)
        return outcome

    def collect(self, kind: str, authors: Sequence[int] | None = None) -> dict[int, list]:
        """Take the entries of a step of which none may be missing."""
        outcome = self.step(kind, self.seats if authors is None else authors)
        if outcome.missing:
            raise RestartError(outcome.missing, forfeits=kind == "shares")
        return outcome.bodies

    def context(self, kind: str, author: int, keys: bool = True) -> bytes:
        step, previous = self.audit.log.place
        own = [encode_point(self.public[seat]) for seat in self.seats] if keys else []
        fields = [
            1,
            self.audit.table,
            self.number,
            self.attempt,
            self.seats,
            own,
            kind,
            step,
            author,
            previous,
        ]
        return pack(["p2pclimb/1 context", *fields])

    def begin(self) -> None:
        """Seats and dealer are known, but for the first dealer."""
        self.packs = packs_of(self.game, self.options, len(self.seats))
        has_jokers = self.game == "winner/1" and self.options["jokers"]
        self.pack_size = 54 if has_jokers else 52
        self.size = self.pack_size * self.packs
        if self.number > 1:
            self.dealer = self.turns_from(self.dealer)[0]

    def make_keys(self) -> None:
        committed = self.step("commit", self.seats)
        if committed.convicted:
            raise RestartError(committed.missing)
        commitments = committed.bodies
        # The seats of this context are those that were expected, whoever came.
        contexts = {seat: self.context("commit", seat, keys=False) for seat in commitments}
        self.seats = [seat for seat in self.seats if seat in commitments]
        if not fits(self.game, self.options, len(self.seats)):
            raise RestartError(set())
        self.begin()
        reveals = self.collect("reveal")
        for seat, (coin, key, proof) in reveals.items():
            value = [contexts[seat], coin, key, proof]
            expected = digest("p2pclimb/1 commitment", value)
            require(commitments[seat] == [expected] and len(coin) == 32, "commitment")
            self.public[seat] = decode(key)
            equation = (self.public[seat], [(0, BASE)])
            check_sigma(b"possession", contexts[seat], 1, [equation], proof)
        keys = [key for _, key, _ in reveals.values()]
        equal = {seat for seat, (_, key, _) in reveals.items() if keys.count(key) > 1}
        if equal:
            raise RestartError(equal)
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
            body, proof = self.collect("shuffle", [seat])[seat]
            flat = points(body)
            after = list(zip(flat[::2], flat[1::2], strict=True))
            require(len(after) == self.size, "another number of cards")
            check_shuffle(self.context("shuffle", seat), self.joint, deck, after, proof)
            deck = after
        return deck

    def turns_from(self, seat: int) -> list[int]:
        """The seats of the deal in turn order, beginning with one or the next to it."""
        step = 1 if self.options["direction"] == "clockwise" else -1
        count = len(self.audit.players)
        return [s for k in range(count) if (s := (seat + step * k) % count) in self.seats]

    def after_dealer(self) -> list[int]:
        order = self.turns_from(self.dealer)
        return [*order[1:], order[0]] if order[0] == self.dealer else order

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
