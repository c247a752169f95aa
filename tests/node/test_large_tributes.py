"""Nodes on loopback exchange cards, and the tribute is larger than any frame."""

import pytest
from stacked_packs import deal_the_lowest_cards_to_the_dealer
from table_harness import eventually, friends, have_one_history, in_a_loop

from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger.events import TributeGiven
from p2pclimb.net.wire import MAX_RECORD
from p2pclimb.store.logfile import read_log
from p2pclimb.table.notices import PeerFault


@pytest.mark.parametrize(
    ("seats", "packs", "least"),
    [
        pytest.param(2, 1, MAX_RECORD, id="two seats"),
        pytest.param(4, 2, 3 * MAX_RECORD, id="four seats, two packs"),
    ],
)
def test_a_large_tribute_comes_to_every_node_and_log(tmp_path, monkeypatch, seats, packs, least):
    deal_the_lowest_cards_to_the_dealer(monkeypatch, seats, packs)

    async def test():
        async with friends(
            tmp_path, seats, game="winner", packs=packs, exchange=True, deals=2
        ) as table:
            players = await table.sit()
            await eventually(lambda: all(player.heard(TributeGiven) for player in players))
            for player in players:
                player.stop()
            await table.end()
            assert have_one_history(players)
            assert not any(player.heard(PeerFault) for player in players)
            for name in table.players:
                sizes = [len(r.payload) for r in read_log(table.log_path_of(name)).records]
                assert max(sizes) > least
            assert table.verdict("Ana") in {Verdict.VALID, Verdict.INCOMPLETE}

    in_a_loop(test, seconds=120)
