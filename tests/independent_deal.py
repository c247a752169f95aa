"""The play of a deal and its end for the independent auditor: sections 7 and 10 of protocol.md."""

from __future__ import annotations

from collections.abc import Iterable

from independent_dealing import Dealing, DealOverError
from independent_group import ZERO, minus, points, require
from independent_ledger import Outcome
from independent_proofs import check_absence, check_transfer
from independent_rules import TWO, Tricks, height_of, instant_win, points_of, rank, value_of_twos

__all__ = ["Deal"]


class Deal(Dealing):
    """The whole deal; `play` checks it."""

    def play(self) -> tuple[list[int], int, list[int]]:
        """Check it all; return the next deal's seats, its dealer or the loser, and the order."""
        self.make_keys()
        deck = self.shuffle()
        require(set(map(tuple, self.collect("agree").values())) <= {()}, "agree")
        self.share(deck)
        self.is_dealt = True
        culprits, gone, loser = set(), set(), None
        try:
            order, paid, loser = self.dealt_out()
        except DealOverError as over:
            order, culprits, gone = self.standing(), over.culprits, over.gone
        while True:
            if culprits:
                order = [s for s in order if s not in culprits] + sorted(culprits)
                paid, loser = self.forfeits(culprits), None
            authors = [seat for seat in self.staying() if seat not in culprits | gone]
            try:
                seats = self.close(paid, order, loser, authors)
            except DealOverError as over:
                culprits, gone = culprits | over.culprits, gone | over.gone
            else:
                is_claimed = loser is None and not culprits
                return seats, self.dealer if is_claimed else order[-1], order

    def dealt_out(self) -> tuple[list[int], dict[int, int], int | None]:
        """Follow the deal to its end: the order, what is paid, and the loser of a play."""
        claimant = self.claims_of_hands() if self.options.get("instant_wins") else None
        if claimant is not None:
            stake = self.options["stake"]
            paid = dict.fromkeys(self.seats, -stake)
            paid[claimant] = stake * (len(self.seats) - 1)
            return self.turns_from(claimant), paid, None
        leader, must = self.opening()
        tricks = self.tricks(leader, must)
        return tricks.final_order, points_of(tricks), tricks.final_order[-1]

    # -- who is there (section 7) --------------------------------------------------------------

    def staying(self) -> list[int]:
        departed = [*self.out, *(self.state.departed if self.state else [])]
        return [seat for seat in self.seats if seat not in departed]

    def forfeits(self, culprits: Iterable[int]) -> dict[int, int]:
        paid = dict.fromkeys(self.seats, 0)
        paid_to = [seat for seat in self.seats if seat not in culprits]
        for seat in set(culprits) & set(self.seats) if paid_to else ():
            share = self.options.get("stake", 0)
            if self.game == "winner/1":
                cards = list(self.dealt().values()).count(seat)
                share = 3 * cards // len(paid_to) if self.options["scoring"] == "cards" else 0
            paid[seat] -= share * len(paid_to)
            for other in paid_to:
                paid[other] += share
        return paid

    def standing(self) -> list[int]:
        """The order of the seats in a deal that goes on."""
        if self.state is not None:
            return self.state.final_order
        first = self.dealer if self.number == 1 else self.later_leader()
        staying = [seat for seat in self.turns_from(first) if seat not in self.out]
        return [*staying, *reversed(self.out)]

    # -- before the play ----------------------------------------------------------------------

    def claims(self, authors: list[int]) -> tuple[dict[int, list], list[int]]:
        """The showings of those who claim, checked, and who departs instead of an answer.

        A claim's cards are open from then on.
        """
        claims = {}
        outcome = self.step("claim", authors)
        for seat, (is_claim, *fields) in outcome.bodies.items():
            require(is_claim is bool(fields), "form")
            if is_claim:
                require(fields[0], "form")
                claims[seat] = fields
        for seat, fields in claims.items():
            self.show("claim", seat, fields)
        return claims, sorted(outcome.gone)

    def claims_of_hands(self) -> int | None:
        worth = {}
        claims, gone = self.claims(self.seats)
        self.out += gone
        for seat, (places, *_) in claims.items():
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
                there = (seat for seat in self.last_order if seat in self.seats)
                return next(there, self.turns_from(self.last_order[0])[0])

    def find_lowest(self) -> tuple[int, int | None]:
        for face in range(52):
            if len(self.staying()) < 2:
                break
            holders = []
            twins = self.cards[face :: self.pack_size]
            outcome = self.step("lowest", self.staying())
            for seat, (shown, *fields) in outcome.bodies.items():
                if shown:
                    require(set(self.show("lowest", seat, fields)) == {face}, "lowest")
                    holders.append(seat)
                    continue
                places = [self.residual[place] for place in self.hand(seat)]
                context = self.context("lowest", seat)
                check_absence(context, self.public[seat], places, twins, *fields)
            self.out += sorted(outcome.gone | outcome.missed)
            if holders:
                return next(seat for seat in self.after_dealer() if seat in holders), face
        there = self.staying() or self.seats
        return next(seat for seat in self.after_dealer() if seat in there), None

    def exchange(self) -> None:
        loser, winner = self.last_order[-1], self.last_order[0]
        if not {loser, winner} <= set(self.seats):
            return
        outcome = self.step("tribute", [loser])
        if outcome.missing:
            self.out.append(loser)
            return
        given = self.tribute(loser, outcome.bodies[loser])
        self.owner[given] = winner
        outcome = self.step("offer", [winner])
        if outcome.missing:
            self.owner[given] = loser
            self.out += outcome.gone
            return
        places, body, proof = outcome.bodies[winner]
        closed = set(self.hand(winner)) - set(self.known)
        require(len(set(places)) == len(places) == 2 and set(places) <= closed, "offer")
        require(given not in places, "offer")
        flat = points(body)
        transfers = list(zip(flat[::2], flat[1::2], strict=True))
        context = self.context("offer", winner)
        masked = [self.residual[place] for place in places]
        keys = self.public[winner], self.public[loser]
        check_transfer(context, *keys, masked, transfers, proof)
        outcome = self.step("choose", [loser])
        (taken,), *fields = outcome.bodies.get(loser, [places[:1]])
        require(taken in places, "choice")
        r, s = transfers[places.index(taken)]
        self.residual[taken] = (minus(ZERO, r), minus(self.residual[taken][1], s))
        self.owner[taken] = loser
        if fields:
            self.show("choose", loser, [[taken], *fields])
        self.out += outcome.gone

    def tribute(self, loser: int, body: list) -> int:
        """Check the tribute; return its place."""
        *fields, absence = body
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
        for seat in self.out:
            tricks.depart(seat)
        self.state = tricks
        self.on_table: list[int] = []
        while not tricks.over:
            if tricks.asked:
                self.claim_of_fours(tricks)
            else:
                self.one_turn(tricks)
        return tricks

    def one_turn(self, tricks: Tricks) -> None:
        seat = tricks.turn
        outcome = self.step("turn", [seat])
        if outcome.gone:
            tricks.depart(seat)
        if outcome.missed:
            tricks.miss()
        if outcome.missing:
            return
        move, *fields = outcome.bodies[seat]
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
        claims, gone = self.claims(sorted(tricks.asked))
        for seat in gone:
            tricks.depart(seat)
        if tricks.over:
            return
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

    def close(
        self, paid: dict[int, int], order: list[int], loser: int | None, authors: list[int]
    ) -> list[int]:
        """Check what is signed at the end; `loser`: of a play that came to its end."""
        pays_rotten = bool(self.options.get("rotten_twos")) and loser is not None
        outcome = self.step("close", authors)
        for seat, (payments, reachable, *fields) in outcome.bodies.items():
            require(payments == [[s, paid[s]] for s in self.seats], "result")
            others = [s for s in range(len(self.audit.players)) if s != seat]
            require(reachable == [s for s in others if s in reachable], "reachable")
            shows = self.options["show_rest"] or (pays_rotten and seat == loser)
            require(fields[0] == (self.hand(seat) if shows else []), "rest")
            self.show("close", seat, fields)
        self.audit.pay(paid)
        if pays_rotten:
            cost = value_of_twos(self.twos_of(loser)) * self.options["stake"]
            self.audit.pay({loser: -cost, order[-2]: cost})
        return self.next_seats(outcome)

    def twos_of(self, loser: int) -> list[int]:
        """The 2s in the hand of the loser; if it is not all open, the worst that it can hold."""
        hand = self.hand(loser)
        if all(place in self.known for place in hand):
            return [self.face(place) for place in hand]
        elsewhere = {card for place, card in self.known.items() if place not in hand}
        twos = [
            n for n in range(self.size) if rank(n % self.pack_size) == TWO and n not in elsewhere
        ]
        return sorted((n % self.pack_size for n in twos), reverse=True)[: len(hand)]

    def next_seats(self, outcome: Outcome) -> list[int]:
        """Who is expected in the next deal."""
        signed = outcome.bodies
        listed = [seat for _, reachable, *_ in signed.values() for seat in reachable]
        everybody = range(len(self.audit.players))
        there = [s for s in everybody if s in signed or 2 * listed.count(s) > len(signed)]
        return [seat for seat in there if seat not in self.audit.log.away]
