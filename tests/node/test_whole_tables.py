"""Nodes on loopback play whole tables: to the end, with people going, and with people gone."""

import asyncio
import time

import pytest
from table_harness import NAMES, eventually, friends, have_one_history, in_a_loop

from p2pclimb.audit.findings import Verdict
from p2pclimb.ledger.entry import Kind, Leave
from p2pclimb.ledger.events import CardsDealt, DealEnded, Departed, PlaceFilled, TableEnded
from p2pclimb.ledger.record import decode_record
from p2pclimb.net.frames import Decline, Records
from p2pclimb.table.jobs import CheckJob
from p2pclimb.table.notices import Leaving, LinkDown, NextDealWaits, TurnBegan
from p2pclimb.table.roster import GuestWent, LobbyClosed


def heads(sessions):
    return {session.ledger.position.previous for session in sessions}


def scores(player):
    return player.heard(DealEnded)[-1].scores


@pytest.mark.parametrize("seats", [2, 4])
def test_a_whole_table_ends_with_the_same_history_everywhere(tmp_path, seats):
    async def test():
        async with friends(tmp_path, seats, deals=2) as table:
            players = await table.sit()
            sessions = await table.end()
            assert len(heads(sessions)) == 1
            assert all(session.ledger.ended for session in sessions)
            assert all(len(player.heard(DealEnded)) == 2 for player in players)
            assert table.verdict("Binh") is Verdict.VALID
            names = {path.name for path in tmp_path.iterdir()}
            assert names == {f"{name}.climb" for name in table.players}  # no guard, no lock

    in_a_loop(test)


def test_every_seat_is_connected_to_every_other_during_the_table(tmp_path):
    async def test():
        async with friends(tmp_path, 4) as table:
            players = await table.sit(held_at=dict.fromkeys(("Ana", "Binh", "Chi", "Dung"), 1))
            await eventually(lambda: all(all(p.node.links.values()) for p in players))
            table.release()
            await table.end()
            assert not any(player.heard(LinkDown) for player in players)

    in_a_loop(test)


# -- somebody goes -------------------------------------------------------------------------------


@pytest.mark.parametrize("leaver", ["Ana", "Binh", "the one to play"])
def test_the_others_play_on_when_somebody_leaves_in_the_middle_of_a_deal(tmp_path, leaver):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, to_play = await table.stand_still()
            goes = to_play if leaver == "the one to play" else table.players[leaver]
            stay = [player for player in players if player is not goes]
            goes.stop()
            table.release()
            await table.end()
            assert len(heads(player.session for player in stay)) == 1
            for player in stay:
                assert player.ledger.ended
                assert player.heard(Departed)[0].seat == players.index(goes)
                assert not player.heard(LinkDown)  # who has left is not away
            assert scores(stay[0])[players.index(goes)] == -2
            name = next(name for name, player in table.players.items() if player is stay[0])
            assert table.verdict(name) is Verdict.VALID

    in_a_loop(test)


def test_two_who_leave_at_once_end_the_deal_for_the_third(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            players[0].stop()
            players[1].stop()
            table.release()
            await table.end()
            assert players[2].ledger.ended
            assert table.verdict("Chi") is Verdict.VALID

    in_a_loop(test)


def test_all_who_leave_at_once_end_the_table(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            for player in players:
                player.stop()
            table.release()
            await table.end()
            assert have_one_history(players)
            # Nobody waits for the farewells of those who go too, so a log may end before them.
            assert {table.verdict(name) for name in table.players} <= {
                Verdict.VALID,
                Verdict.INCOMPLETE,
            }
            assert table.verdict(*NAMES[:3]) is Verdict.VALID

    in_a_loop(test)


def test_somebody_who_leaves_between_deals_is_not_dealt_in(tmp_path):
    async def test():
        async with friends(tmp_path, 3, deals=2) as table:
            players = await table.sit()
            waits = [asyncio.Event() for _ in players]
            for player, wait in zip(players, waits, strict=True):
                stop_at_the_break(player, wait)
            await asyncio.gather(*(wait.wait() for wait in waits))
            players[0].stop()
            await eventually(lambda: players[1].heard(Leaving) and players[2].heard(Leaving))
            players[1].node.ready()
            players[2].node.ready()
            await table.end()
            second = players[1].heard(CardsDealt)[1]
            assert set(second.sizes) == {1, 2}
            assert table.verdict("Binh") is Verdict.VALID

    in_a_loop(test)


def stop_at_the_break(player, reached):
    """Let a player wait at the next break between deals, and tell `reached`."""
    told = player.told

    def instead(notice):
        if isinstance(notice, NextDealWaits):
            reached.set()
        else:
            told(notice)

    player.told = instead


def test_the_host_has_no_rights_at_the_table_the_others_play_on_without_it(tmp_path):
    async def test():
        async with friends(tmp_path, 3, deals=2) as table:
            players, _ = await table.stand_still()
            players[0].stop()
            table.release()
            await table.end()
            for player in players[1:]:
                assert len(player.heard(DealEnded)) == 2
            assert len(heads(player.session for player in players[1:])) == 1

    in_a_loop(test)


# -- somebody is gone ----------------------------------------------------------------------------


def count_dials(player):
    """Return the list of the peers that a node dials from now on, as it does every few seconds."""
    dialled = []
    dial = player.node.network.dial

    def instead(peer, addresses):
        dialled.append(peer)
        dial(peer, addresses)

    player.node.network.dial = instead
    return dialled


def test_a_seat_that_vanishes_is_told_away_once_and_waited_for(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, to_play = await table.stand_still()
            gone = players.index(to_play)
            await table.cut_off(("Ana", "Binh", "Chi")[gone])
            others = [player for player in players if player is not to_play]
            table.release()
            await eventually(lambda: all(player.heard(LinkDown) for player in others))
            step = others[0].ledger.position.step
            looked_for = count_dials(others[0])
            await eventually(lambda: len(looked_for) >= 2)
            for player in others:
                assert [notice.seat for notice in player.heard(LinkDown)] == [gone]
                assert player.ledger.position.step == step
                assert player.ledger.position.waiting() == (gone,)
                assert not player.node.links[gone]
            # Whoever then goes leaves at once, and the deal is settled by the rules.
            others[0].stop()
            await table.end(*(n for n, p in table.players.items() if p is others[0]))

    in_a_loop(test)


def test_leaving_takes_less_than_a_second_when_nobody_can_be_reached(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            await table.cut_off("Binh")
            await table.cut_off("Chi")
            await eventually(lambda: not any(players[0].node.links.values()))
            begun = time.monotonic()
            players[0].stop()
            table.release()
            await table.end("Ana")
            assert time.monotonic() - begun < 1

    in_a_loop(test)


# -- the lobby -----------------------------------------------------------------------------------


def test_a_guest_who_declines_goes_and_new_terms_are_proposed_to_the_rest(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            ana = await table.open()
            binh = await table.come_in("Binh")
            chi = table.come("Chi")
            chi.declines = True
            await table.end("Chi")
            assert chi.heard(LobbyClosed)
            await eventually(lambda: ana.heard(GuestWent))
            assert ana.heard(GuestWent)[0].name == "Chi"
            assert "Chi" not in table.names_in_the_lobby()
            dung = table.come("Dung")
            sessions = await table.end("Ana", "Binh", "Dung")
            assert [seat.name for seat in dung.session.terms.seats] == ["Ana", "Binh", "Dung"]
            assert len(heads(sessions)) == 1
            assert binh.heard(TableEnded)
            assert not (tmp_path / "Chi.climb").exists()

    in_a_loop(test)


def test_the_host_takes_its_own_terms_back_and_everybody_stays(tmp_path):
    async def test():
        async with friends(tmp_path, 2) as table:
            ana = await table.open()
            ana.declines = True
            binh = table.come("Binh")
            await eventually(lambda: ana.told_of and table.lobby.proposed is None)
            await eventually(lambda: binh.node is not None and binh.node.session is None)
            assert table.names_in_the_lobby() == ["Ana", "Binh"]
            ana.declines = False
            ana.node.start()
            assert len(heads(await table.end())) == 1

    in_a_loop(test)


def test_a_guest_whose_link_breaks_in_the_lobby_frees_its_seat_and_may_come_back(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            ana = await table.open()
            invitation = table.lobby.invite()
            await table.come_in("Binh", invitation=invitation)
            await table.cut_off("Binh")
            await eventually(lambda: table.names_in_the_lobby() == ["Ana"])
            assert ana.heard(GuestWent)[0].reason == "the connection was lost"
            await table.come_in("Binh", invitation=invitation)

    in_a_loop(test)


def test_a_guest_who_leaves_the_lobby_frees_its_seat(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            await table.open()
            binh = await table.come_in("Binh")
            binh.stop()
            await table.end("Binh")
            await eventually(lambda: table.names_in_the_lobby() == ["Ana"])

    in_a_loop(test)


def test_a_host_who_leaves_the_lobby_closes_it(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            ana = await table.open()
            binh = await table.come_in("Binh")
            ana.stop()
            await table.end()
            assert len(binh.heard(LobbyClosed)) == 1
            assert list(tmp_path.iterdir()) == []

    in_a_loop(test)


@pytest.mark.parametrize("goes", ["Ana", "Binh", "Chi"])
def test_whoever_signs_and_goes_at_once_leaves_nobody_between_lobby_and_table(tmp_path, goes):
    # The last signature and the farewell travel together; the others must agree what came of it.
    async def test():
        async with friends(tmp_path, 3, deals=1) as table:
            await table.open()
            await table.come_in("Binh")
            table.come("Chi")
            leaver = table.players[goes]
            await eventually(lambda: leaver.node and leaver.node.table is not None)
            await eventually(lambda: leaver.node.table.has_signed)
            leaver.stop()
            await table.end(goes)
            stay = [player for player in table.players.values() if player is not leaver]
            await eventually(
                lambda: all(
                    player.node.session is None or player.node.session.ledger.ended
                    for player in stay
                )
            )
            at_the_table = [player.node.session is not None for player in stay]
            assert len(set(at_the_table)) == 1

    in_a_loop(test)


def test_a_signature_that_is_still_being_checked_counts_before_the_farewell_after_it(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            ana = await table.open()
            binh = await table.come_in("Binh")
            chi = table.come("Chi")
            await eventually(lambda: ana.node.table is not None)
            may_check = hold_checks_of(2, ana.node.table)
            arrived = spy_on_events(ana.node.network)
            await eventually(lambda: binh.heard(PlaceFilled)[2:])  # all three have signed
            chi.stop()
            await table.end("Chi")
            await eventually(lambda: any(map(is_farewell, arrived)))
            may_check.set()
            # Binh is at the table since Chi has signed, and so is the host.
            await eventually(lambda: ana.heard(Leaving) and binh.heard(Leaving))
            assert not ana.heard(GuestWent)
            assert ana.ledger.position.stage.kind is not Kind.OPEN

    in_a_loop(test)


def is_farewell(frame):
    """Whether a frame says that its sender goes: a guest declines, a seated player gives notice."""
    if isinstance(frame, Records):
        return any(isinstance(decode_record(record), Leave) for record in frame.records)
    return isinstance(frame, Decline)


def hold_checks_of(author, table):
    """Let no entry of an author be checked at a node before the event that is returned."""
    may_check, work = asyncio.Event(), table._workers._work

    async def later(job, done, workers):
        if isinstance(job, CheckJob) and job.entry.author == author:
            await may_check.wait()
        await work(job, done, workers)

    table._workers._work = later
    return may_check


def spy_on_events(links):
    """Return the list of the frames that arrive at a node from now on, looked at or not."""
    arrived, put = [], links._switchboard._events.put_nowait

    def instead(event):
        arrived.append(getattr(event, "frame", None))
        put(event)

    links._switchboard._events.put_nowait = instead
    return arrived


def test_signing_is_not_undone_by_a_second_proposal(tmp_path):
    async def test():
        async with friends(tmp_path, 2) as table:
            players = await table.sit(held_at={"Ana": 1, "Binh": 1})
            await eventually(lambda: players[0].heard(TurnBegan))
            with pytest.raises(Exception, match="begun already"):
                players[0].node.lobby.start()
            assert players[0].ledger.position.stage.kind is Kind.TURN

    in_a_loop(test)
