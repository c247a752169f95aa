"""A node at the edges: unreachable peers, hosts that do not answer, screens that fail."""

import asyncio

import pytest
from lobby_setup import Visitor, host_lobby
from table_harness import LOOPBACK, Player, eventually, friends, in_a_loop

from p2pclimb.errors import IllegalPlayError, NetworkError, UsageError
from p2pclimb.games.moves import Pass
from p2pclimb.ledger.events import CardsDealt, TableEnded
from p2pclimb.net.address import Address
from p2pclimb.node import lobbies
from p2pclimb.node.entrances import join
from p2pclimb.node.listening import Listening
from p2pclimb.node.node import Who
from p2pclimb.table.notices import Leaving, LinkDown, LinkUp

NOWHERE = Address("127.0.0.1", 1)


def test_two_who_cannot_reach_each_other_play_through_the_third(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            await table.open(held_at=1)
            for name in ("Binh", "Chi"):
                await table.come_in(name, held_at=1, advertised=(NOWHERE,))
            ana, binh, chi = table.players.values()
            await eventually(lambda: binh.heard(LinkDown) and chi.heard(LinkDown))
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1
            assert not ana.heard(LinkDown)
            for player, other in ((binh, 2), (chi, 1)):
                (told,) = player.heard(LinkDown)
                assert told.seat == other
                assert str(NOWHERE) in told.reason
                assert [notice.seat for notice in player.heard(LinkUp)] == [0]

    in_a_loop(test)


def test_a_screen_that_fails_ends_its_node_alone_and_keeps_the_seat(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            told = players[2].told

            def terminal_is_gone(notice):
                told(notice)
                raise BrokenPipeError

            players[2].told = terminal_is_gone
            table.release()
            with pytest.raises(BrokenPipeError):
                await table.tasks["Chi"]
            await eventually(lambda: all(player.heard(LinkDown) for player in players[:2]))
            assert not any(player.heard(Leaving) for player in players[:2])

    in_a_loop(test)


def test_of_a_player_who_leaves_no_loss_is_told_before_the_farewell(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            players[2].stop()
            table.release()
            await table.end("Chi", "Ana", "Binh")
            for player in players[:2]:
                assert [told.seat for told in player.heard(Leaving)] == [2]
                assert player.heard(TableEnded)
                assert not player.heard(LinkDown)

    in_a_loop(test)


# -- the lobby -----------------------------------------------------------------------------------


async def ask(invitation, tmp_path, seed="Binh"):
    who = Who(Visitor(host_lobby(), seed).identity, "Binh", is_bot=True)
    player = Player("Binh")
    await join(who, player, invitation, Listening(LOOPBACK), lambda _: tmp_path / "Binh.climb")


def test_a_guest_gives_up_on_a_host_that_does_not_answer_and_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(lobbies, "_PATIENCE", 0.5)

    async def test():
        lobby = host_lobby()
        lobby.addresses = (NOWHERE,)
        with pytest.raises(NetworkError) as caught:
            await ask(lobby.invite(), tmp_path)
        assert str(NOWHERE) in caught.value.text
        assert "Ask the host" in caught.value.hint

    in_a_loop(test)


def test_a_guest_who_was_let_in_has_all_the_time_in_the_world(tmp_path, monkeypatch):
    monkeypatch.setattr(lobbies, "_PATIENCE", 0.3)

    async def test():
        async with friends(tmp_path, 3) as table:
            await table.open()
            binh = await table.come_in("Binh")
            deadline = asyncio.get_running_loop().time() + 0.5
            await eventually(lambda: asyncio.get_running_loop().time() > deadline)
            assert not table.tasks["Binh"].done()
            with pytest.raises(UsageError, match="Only the host"):
                binh.node.start()
            with pytest.raises(IllegalPlayError):
                binh.node.play(Pass())
            binh.node.ready()  # nothing waits, and nothing happens
            assert binh.node.session is None
            assert binh.node.links == {}

    in_a_loop(test)


def test_a_guest_that_asks_again_after_its_link_broke_finds_the_same_lobby(tmp_path):
    async def test():
        async with friends(tmp_path, 2) as table:
            ana = await table.open()
            ana.declines = True  # the terms are proposed, and taken back
            binh = table.come("Binh")
            await eventually(lambda: ana.told_of and table.lobby.proposed is None)
            host_key = table.lobby.host.curve_key
            binh.node.network.undial(host_key)
            await eventually(lambda: table.names_in_the_lobby() == ["Ana"])
            ana.declines = False
            binh.node.network.dial(host_key, table.lobby.addresses)
            await table.end()
            assert ana.heard(CardsDealt)
            assert binh.heard(CardsDealt)

    in_a_loop(test)
