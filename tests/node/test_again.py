"""Tables that go on from an earlier one: scores carried over real nodes, and forged ones."""

import dataclasses
import threading

import pytest
from table_harness import eventually, friends, in_a_loop

from p2pclimb.audit.audit import audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger.events import DealEnded
from p2pclimb.ledger.past import Past
from p2pclimb.store.logfile import read_log
from p2pclimb.table.roster import ScoresChecked, TermsProposed


def past_of(path):
    """The table of a log, as an audit finds it."""
    report = audit(record.payload for record in read_log(path).records)
    assert report.verdict is Verdict.VALID
    return Past(report.terms, report.scores)


def finder(path):
    """Look for a table in one log."""

    def find(table_id):
        past = past_of(path)
        return past if past.terms.table_id == table_id else None

    return find


async def play_first(directory):
    """Let Ana, Binh and Chi play a deal, and return their log as Ana has it."""
    directory.mkdir()
    async with friends(directory, 3) as table:
        await table.sit()
        await table.end()
    return past_of(directory / "Ana.climb")


def again(directory, seats, past):
    """The next table, at which all but newcomers find their own log of the first."""
    second = directory / "second"
    second.mkdir()
    table = friends(second, seats)
    return table, past, lambda name: finder(directory / "first" / f"{name}.climb")


@pytest.mark.parametrize("seats", [2, 4])
def test_scores_count_on_with_a_friend_less_or_more(tmp_path, seats):
    async def test():
        past = await play_first(tmp_path / "first")
        context, past, find = again(tmp_path, seats, past)
        async with context as table:
            table.past = past
            table.find_past = lambda name: find(name) if name != "Dung" else lambda table_id: None
            players = await table.sit()
            await table.end()
            terms = players[0].session.terms
            known = past.scores
            brought = [known.get(seat, 0) for seat in range(seats)]
            assert terms.carried.points == tuple(brought)
            ended = players[0].heard(DealEnded)[-1]
            assert list(ended.scores.values()) == [
                brought[seat] + ended.payments[seat] for seat in range(seats)
            ]
            assert table.verdict("Binh") is Verdict.VALID
            for name, player in table.players.items():
                checks = player.heard(ScoresChecked)
                if name == "Ana":
                    assert not checks  # they are from its own log
                elif name == "Dung":
                    assert [check.own for check in checks] == [None]
                else:
                    assert [check.agrees for check in checks] == [True]
            left = sum(brought) + sum(away.points for away in terms.carried.away)
            assert left == 0

    in_a_loop(test)


def test_forged_scores_are_told_by_everybody_s_own_log_before_anything_is_signed(tmp_path):
    async def test():
        past = await play_first(tmp_path / "first")
        scores = {seat: -points for seat, points in past.scores.items()}
        context, _, find = again(tmp_path, 3, past)
        async with context as table:
            table.past = dataclasses.replace(past, scores=scores)
            table.find_past = find
            players = await table.sit()
            for player in players[1:]:
                await eventually(lambda player=player: player.heard(ScoresChecked))
                (check,) = player.heard(ScoresChecked)
                assert not check.agrees
                assert check.own.points == tuple(past.scores.values())
                order = [type(n) for n in player.told_of]
                assert order.index(ScoresChecked) == order.index(TermsProposed) + 1

    in_a_loop(test)


def test_a_proposal_that_is_void_before_it_was_checked_is_not_told(tmp_path):
    async def test():
        past = await play_first(tmp_path / "first")
        context, past, find = again(tmp_path, 3, past)
        async with context as table:
            looked = threading.Event()

            def look_for_long(table_id):
                assert looked.wait(30)
                return find("Binh")(table_id)

            table.past, table.find_past = past, lambda name: look_for_long
            await table.open()
            binh = await table.come_in("Binh")
            host = table.players["Ana"].node
            host.start()
            host.start()  # the first proposal is void, and Binh still looks for its log
            await eventually(lambda: is_proposed_to(binh, table.lobby.proposed))
            looked.set()
            await eventually(lambda: binh.heard(ScoresChecked))
            assert len(binh.heard(TermsProposed)) == len(binh.heard(ScoresChecked)) == 1
            assert binh.heard(TermsProposed)[0].terms == table.lobby.proposed

    in_a_loop(test)


def is_proposed_to(player, terms):
    """Whether the last terms that came to a guest's node are these."""
    proposed = player.node.lobby._proposed
    return proposed is not None and proposed.terms == terms


def test_a_log_that_cannot_be_read_ends_the_visit_with_the_reason(tmp_path):
    async def test():
        past = await play_first(tmp_path / "first")
        context, past, _ = again(tmp_path, 2, past)
        async with context as table:
            table.past = past
            table.find_past = lambda name: lambda table_id: read_log(tmp_path / "nothing")
            await table.open()
            table.come("Binh")
            with pytest.raises(Exception, match="nothing"):
                await table.tasks["Binh"]
            assert not table.players["Binh"].heard(TermsProposed)

    in_a_loop(test)
