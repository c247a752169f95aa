"""Coming back to a table: the same seat with the same hand, whoever was gone and however."""

import asyncio
import threading

import pytest
from table_harness import LOOPBACK, Listening, eventually, friends, in_a_loop

from p2pclimb.audit.findings import Verdict
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import AdmissionError, LockedError, MalformedError
from p2pclimb.net.address import Address
from p2pclimb.node.node import Who
from p2pclimb.store.peersfile import read_whereabouts
from p2pclimb.table import recall
from p2pclimb.table.notices import Leaving, LinkDown, LinkUp


def files(directory, name):
    return {path.name for path in directory.glob(f"{name}.climb*")}


@pytest.mark.parametrize("name", ["Ana", "Binh"])
def test_a_seat_that_was_cut_off_comes_back_with_its_hand_and_the_game_ends(tmp_path, name):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            before = next(p for p in players if p is table.players[name])
            hand = before.session.cards()
            await table.cut_off(name)
            assert len(files(tmp_path, name)) == 4
            again = table.come_back(name, held_at=1)
            await eventually(lambda: len(again.heard(LinkUp)) == 2)
            assert sorted(map(str, again.session.cards())) == sorted(map(str, hand))
            table.release()
            await table.end()
            assert not any(player.heard(Leaving) for player in table.players.values())
        assert files(tmp_path, name) == {f"{name}.climb"}
        assert table.verdict("Ana", "Binh", "Chi") is Verdict.VALID

    in_a_loop(test)


def test_all_of_them_go_and_come_back(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            await table.stand_still()
            names = list(table.players)
            for name in names:
                await table.cut_off(name)
            for name in reversed(names):
                table.come_back(name)
            await table.end()
        assert table.verdict(*names) is Verdict.VALID

    in_a_loop(test)


def test_whoever_adjourns_keeps_the_seat(tmp_path):
    async def test():
        async with friends(tmp_path, 2) as table:
            players, _ = await table.stand_still()
            players[1].adjourn()
            table.release()
            await table.end("Binh")
            await eventually(lambda: players[0].heard(LinkDown))
            assert not players[0].heard(Leaving)
            table.come_back("Binh")
            await table.end()
        assert table.verdict("Ana", "Binh") is Verdict.VALID

    in_a_loop(test)


def test_a_port_that_is_taken_is_exchanged_for_another_and_the_others_hear_of_it(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            await table.stand_still()
            await table.cut_off("Chi")
            before = read_whereabouts(tmp_path / "Chi.climb.peers")
            async with friends(tmp_path / "other", 2) as other:
                await other.open(port=before.port)
                chi = table.come_back("Chi")
                await eventually(lambda: len(chi.heard(LinkUp)) == 2)
            assert chi.node.network.port not in (0, before.port)
            home = Address(LOOPBACK, chi.node.network.port)
            key = table.who("Chi").identity.curve_key_pair()[0]
            for name in ("Ana", "Binh"):
                path = tmp_path / f"{name}.climb.peers"
                await eventually(lambda path=path: read_whereabouts(path).peers[key] == (home,))
            table.release()
            await table.end()

    in_a_loop(test)


def test_two_who_both_moved_find_each_other_through_the_third(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            await table.stand_still()
            for name in ("Binh", "Chi"):
                await table.cut_off(name)
            back = [
                table.come_back(name, listening=Listening(LOOPBACK)) for name in ("Binh", "Chi")
            ]
            for player in back:
                await eventually(lambda player=player: len(player.heard(LinkUp)) == 2)
            table.release()
            await table.end()

    in_a_loop(test)


def test_a_second_process_at_the_same_seat_is_refused(tmp_path):
    async def test():
        async with friends(tmp_path, 2) as table:
            await table.stand_still()
            first = table.tasks["Binh"]
            table.come_back("Binh")
            with pytest.raises(LockedError, match="in use by process"):
                await table.end("Binh")
            table.tasks["Binh"] = first
            table.release()

    in_a_loop(test)


def test_a_stranger_and_damaged_secrets_are_refused_and_nothing_is_lost(tmp_path):
    async def test():
        async with friends(tmp_path, 2) as table:
            await table.stand_still()
            await table.cut_off("Binh")
            stranger = Who(Identity.from_seed(bytes(32)), "Binh")
            table.come_back("Binh", who=stranger)
            with pytest.raises(AdmissionError, match="no seat"):
                await table.end("Binh")
            secrets = tmp_path / "Binh.climb.secrets"
            whole = secrets.read_bytes()
            secrets.write_bytes(whole[:-1])
            table.come_back("Binh")
            with pytest.raises(MalformedError, match="cannot see its hand"):
                await table.end("Binh")
            assert secrets.read_bytes() == whole[:-1]
            secrets.write_bytes(whole)
            table.come_back("Binh")
            table.release()
            await table.end()

    in_a_loop(test)


def test_the_loop_goes_on_while_a_log_is_checked_again(tmp_path, monkeypatch):
    has_ticked, check = threading.Event(), recall.check_entry

    def check_at_leisure(position, entry):
        assert has_ticked.wait(10), "the loop stood still"
        return check(position, entry)

    async def test():
        async with friends(tmp_path, 2) as table:
            await table.stand_still()
            await table.cut_off("Binh")
            monkeypatch.setattr(recall, "check_entry", check_at_leisure)
            asyncio.get_running_loop().call_later(0.05, has_ticked.set)
            table.come_back("Binh")
            table.release()
            await table.end()

    in_a_loop(test)


def test_whoever_interrupts_the_check_of_a_log_waits_for_one_record_only(tmp_path, monkeypatch):
    checked, may_go_on = [], threading.Event()

    def check_slowly(position, entry):
        checked.append(entry)
        assert may_go_on.wait(10)
        return check(position, entry)

    check = recall.check_entry

    async def test():
        async with friends(tmp_path, 2) as table:
            await table.stand_still()
            await table.cut_off("Binh")
            monkeypatch.setattr(recall, "check_entry", check_slowly)
            table.come_back("Binh")
            await eventually(lambda: checked)
            await table.stop("Binh")
            may_go_on.set()
            await asyncio.get_running_loop().shutdown_default_executor()
            assert len(checked) == 1

    in_a_loop(test)
