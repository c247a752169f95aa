"""What must hold at every simulated table, whatever befalls it, and what is counted there."""

from __future__ import annotations

from collections.abc import Collection
from unittest.mock import patch

from simulator import Node, Simulator

from p2pclimb.audit.audit import audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger.entry import Entry, Kind
from p2pclimb.ledger.record import Record, decode_record, signer_of
from p2pclimb.ledger.votes import Accept, Promise, Proposal
from p2pclimb.table.effects import Effect, Remember, Store

__all__ = ["Judge"]

PATIENCE = 3_000.0
"""How many seconds of the fake clock a table may take to its end when nothing goes wrong more."""


class Judge:
    """Watches a table; `liars` are the seats that do not keep to the protocol."""

    def __init__(self, sim: Simulator, liars: Collection[int] = ()) -> None:
        self.sim = sim
        self.liars = frozenset(liars)
        # What was final after each step, and how far it was for a seat since its node began.
        self.final: dict[int, bytes] = {}
        self.reached: dict[tuple[int, int], int] = {}
        self.stood: dict[int, tuple[bytes, int]] = {}
        self.said: dict[object, object] = {}
        self.shared: dict[tuple[int, bytes], bytes] = {}
        self.broken: dict[str, int] = {}
        sim.watch = self.look
        sim.observe = self.hear

    @property
    def honest(self) -> list[Node]:
        """The nodes that keep to the protocol and run."""
        return [node for n, node in enumerate(self.sim.nodes) if n not in self.liars and node.is_up]

    def play(self, until: float = PATIENCE) -> None:
        """Let the table play to its end, and judge it."""
        end = None

        def is_over(sim: Simulator) -> bool:
            nonlocal end
            if sim.planned:
                return False
            end = sim.clock + until if end is None else end
            assert sim.clock < end, f"seed {sim.seed}: no progress\n{self.state()}"
            return all(node.session.ledger.ended for node in self.honest)

        self.sim.run(is_over, limit=2_000_000)
        self.finish()

    def state(self) -> str:
        """Say where everybody stands."""
        lines = []
        for seat, node in enumerate(self.sim.nodes):
            p = node.session.ledger.position
            lines.append(
                f"  {seat}: {'up' if node.is_up else 'down'} {p.stage.kind} step {p.step}"
                f" {p.previous.hex()[:6]} waits for {p.waiting()} electorate {p.electorate()}"
                f" links {sorted(node.connected)} convictions {[*node.session.ledger.convictions]}"
            )
        return "\n".join(lines)

    # -- while it goes on ----------------------------------------------------------------------

    def look(self, sim: Simulator, seat: int) -> None:
        """Look at what a seat holds for final: nobody ever holds anything else for it."""
        if seat in self.liars:
            return
        ledger = sim.nodes[seat].session.ledger
        for culprit, conviction in ledger.convictions.items():
            blamed = f"seed {sim.seed}: seat {culprit} was convicted by {seat}"
            assert culprit in self.liars, f"{blamed}: {conviction.violation.text}"
        if ledger.convictions:
            return
        stands = ledger.position.previous, ledger.final
        if self.stood.get(seat) == stands:
            return
        self.stood[seat] = stands
        heads, life = tuple(ledger.position.heads), (seat, sim.nodes[seat].life)
        self.reached[life] = max(ledger.final, self.reached.get(life, 0))
        for step, head in enumerate(heads[: self.reached[life] + 1]):
            is_same = self.final.setdefault(step, head) == head
            self._holds(is_same, "forks_without_evidence", f"step {step} was final twice")

    def hear(self, sim: Simulator, seat: int, effect: Effect) -> None:
        """Look at what a seat signs: it never says two things."""
        if seat in self.liars:
            return
        match effect:
            case Remember(record=data):
                entry = decode_record(data)
                assert isinstance(entry, Entry)
                self._says((entry.place,), entry.signed)
                if entry.kind is Kind.SHARES:
                    start = sim.nodes[seat].session.ledger.start_of(entry.place)
                    if start is not None:
                        name = seat, start.attempt_name
                        known = self.shared.setdefault(name, entry.place.previous)
                        assert known == entry.place.previous, "shares for two decks of one key"
            case Store(data):
                record = decode_record(data)
                if signer_of(record) == seat:
                    self._counts_vote(record)

    def _counts_vote(self, record: Record) -> None:
        match record:
            case Promise(vote=vote, accepted=content):
                self._says((type(record), vote.place, vote.ballot, vote.signer), content)
            case Proposal(vote=vote, value=content) | Accept(vote=vote, value=content):
                self._says((type(record), vote.place, vote.ballot, vote.signer), content)

    def _says(self, where: object, what: object) -> None:
        known = self.said.setdefault(where, what)
        self._holds(known == what, "double_signatures", f"two things were signed at {where}")

    def _holds(self, holds: bool, otherwise: str, text: str) -> None:
        """Raise AssertionError unless something holds; count what it is called if it does not."""
        if not holds:
            self.broken[otherwise] = 1
        assert holds, f"seed {self.sim.seed}: {text}"

    # -- in the end ----------------------------------------------------------------------------

    def finish(self) -> None:
        """Compare what all have in the end, and what their logs prove to a stranger."""
        nodes = self.honest
        heads = {tuple(node.session.ledger.position.heads) for node in nodes}
        what = f"different histories\n{self.state()}"
        self._holds(len(heads) == 1, "forks_without_evidence", what)
        # The logs of those that came back, and one of the others: an audit takes long.
        for node in [*(n for n in nodes if n.life), *(n for n in nodes if not n.life)][:2]:
            self._audit(node)

    def _audit(self, node: Node) -> None:
        """Ask a stranger what a log is worth: it is valid, or names nobody but a liar."""
        with patch("p2pclimb.audit.replay.check_entry", self.sim._checked):
            report = audit(node.log)
        said = f"seed {self.sim.seed}: the audit of a log of seat {node.session.seat.number} says"
        blamed = {finding.seat for finding in report.findings if finding.seat is not None}
        assert blamed <= self.liars, f"{said}: {report.findings}"
        fine = (Verdict.VALID, Verdict.VIOLATION) if blamed else (Verdict.VALID,)
        assert report.verdict in fine, f"{said} {report.verdict}: {report.findings}"
        is_all = report.heads == tuple(node.session.ledger.position.heads)
        self._holds(is_all, "entries_lost", f"{said} another history")
