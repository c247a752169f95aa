"""A second auditor, written from protocol.md alone: it shares no code with the program.

All is here once more, as plainly as possible and without speed in mind: the modules `independent_*`
belong to it.  It audits tables of any game, options and number of seats, whoever is absent, leaves,
or contradicts itself; an entry that breaks a rule raises `WrongLogError`.  Section numbers are
those of protocol.md.
"""

from __future__ import annotations

from independent_deal import Deal
from independent_dealing import RestartError
from independent_group import WrongLogError, require
from independent_ledger import Log, OffenceError, UnfinishedError, frames
from independent_proofs import unpack
from independent_rules import fits

__all__ = ["Audit", "WrongLogError"]


class Audit:
    """The fold of one log; `ended` tells whether the table has."""

    def __init__(self, log: bytes) -> None:
        terms, *records = frames(log)
        kind, self.terms, signature = unpack(terms)
        require((kind, signature) == (0, b""), "no terms")
        version, _, (self.game, options), self.players, *self.carried = unpack(self.terms)
        self.options = dict(options)
        known = ("tienlen/1", "tienlen-south/1", "winner/1")
        require(version == 1 and self.game in known, "other terms")
        require(2 <= len(self.players) <= 8, "other terms")
        self.log = Log(self.terms, records)
        self.table = self.log.table
        self.ended = False
        while not self.is_folded():
            self.log.begin()
        require(self.log.guilty or not self.beside(), "records of another history")

    @property
    def head(self) -> bytes:
        return self.log.head

    @property
    def step(self) -> int:
        return self.log.step

    def beside(self) -> list:
        """The entries of other branches, if nothing was decided against any entry."""
        is_decided = any(votes.decisions for votes in self.log.votes.values())
        return [] if is_decided else [p for p in self.log.entries if p not in self.log.used]

    def is_folded(self) -> bool:
        """Fold the log; begin anew after a conviction that was not known before."""
        try:
            self.run()
            self.ended = True
        except UnfinishedError:
            pass
        except OffenceError:
            return False
        return True

    def run(self) -> None:
        everybody = list(range(len(self.players)))
        self.scores = dict.fromkeys(everybody, 0)
        if self.carried:
            _, brought, away = self.carried[0]
            require(sum(brought) + sum(item[3] for item in away) == 0, "carried")
            self.scores = dict(zip(everybody, brought, strict=True))
        if self.log.collect("open", 0, 0, everybody, everybody).missing:
            return
        seats, number, dealer, order = everybody, 0, None, []
        while number == 0 or self.options["deals"] == 0 or number < self.options["deals"]:
            number += 1
            self.log.misses = {}
            attempt = 0
            while fits(self.game, self.options, len(seats)):
                deal = Deal(self, (number, attempt), seats, dealer, order)
                try:
                    seats, dealer, order = deal.play()
                    break
                except RestartError as restart:
                    if restart.forfeits:
                        self.pay(deal.forfeits(restart.missing))
                    seats = [seat for seat in deal.seats if seat not in restart.missing]
                    attempt += 1
            else:
                return

    def pay(self, paid: dict[int, int]) -> None:
        for seat, won in paid.items():
            self.scores[seat] += won
