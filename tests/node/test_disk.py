"""What reaches the disk and when: before anything is sent, and not at all when the disk is full."""

import errno
import os

import pytest
from recorded import recorded
from simulator import seeded_entropy
from table_harness import NAMES, Friends, eventually, friends, in_a_loop

from p2pclimb.audit.findings import Verdict
from p2pclimb.crypto.identity import Identity
from p2pclimb.errors import AdmissionError, LockedError, MalformedError, StoreError
from p2pclimb.ledger.entry import Entry, Leave
from p2pclimb.ledger.record import decode_record
from p2pclimb.net.address import Address
from p2pclimb.net.frames import Records
from p2pclimb.net.links import Links
from p2pclimb.node.journal import Journal
from p2pclimb.store import keyedfile, logfile
from p2pclimb.store.lock import FileLock
from p2pclimb.store.logfile import LogFile, read_log
from p2pclimb.store.peersfile import Whereabouts
from p2pclimb.table.effects import Remember, Seal, Store, Unseal
from p2pclimb.table.notices import LinkDown


class Trace:
    """What one node did, in order: its own records, durable or not, and those sent."""

    def __init__(self, seat):
        self.seat = seat
        self.written = set()
        self.durable = set()
        self.guarded = set()
        self.sent_own = set()

    def is_own(self, record):
        decoded = decode_record(record)
        return isinstance(decoded, Entry | Leave) and decoded.author == self.seat


@pytest.fixture
def traces(monkeypatch):
    """Follow every node: fail as soon as it sends what it has signed before that is on disk."""
    by_log = {f"{name}.climb": Trace(seat) for seat, name in enumerate(NAMES)}
    by_guard = {f"{name}.climb.guard": by_log[f"{name}.climb"] for name in NAMES}
    who = Friends(None, 4).who
    by_key = {who(name).identity.curve_key_pair()[0]: by_log[f"{name}.climb"] for name in NAMES}
    by_descriptor = {}
    append, flush, send = LogFile.append, logfile.flush_to_disk, Links.send
    write_guard = keyedfile.write_atomically

    def spy_append(log, payload, *, sync):
        trace = by_log[log.path.name]
        by_descriptor[log._descriptor] = trace
        trace.written.add(payload)
        return append(log, payload, sync=sync)

    def spy_flush(descriptor):
        flush(descriptor)
        if descriptor in by_descriptor:
            trace = by_descriptor[descriptor]
            trace.durable |= trace.written

    def spy_write_guard(path, data):
        write_guard(path, data)
        if path.name in by_guard:
            by_guard[path.name].guarded.add(data)

    def spy_send(links, peer, frame):
        if isinstance(frame, Records):
            trace = by_key[links._keys.public]
            for record in filter(trace.is_own, frame.records):
                trace.sent_own.add(record)
                assert record in trace.durable
                if isinstance(decode_record(record), Entry):
                    assert any(record in data for data in trace.guarded)
        return send(links, peer, frame)

    monkeypatch.setattr(LogFile, "append", spy_append)
    monkeypatch.setattr(logfile, "flush_to_disk", spy_flush)
    monkeypatch.setattr(keyedfile, "write_atomically", spy_write_guard)
    monkeypatch.setattr(Links, "send", spy_send)
    return list(by_log.values())


def test_nothing_that_a_node_signs_is_sent_before_log_and_guard_are_on_disk(tmp_path, traces):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, to_play = await table.stand_still()
            to_play.stop()  # so that a farewell is among what is sent
            table.release()
            await table.end()
            assert all(player.ledger.ended for player in players if player is not to_play)

    in_a_loop(test)
    for trace in traces[:3]:
        assert len(trace.sent_own) > 5
    assert any(isinstance(decode_record(r), Leave) for trace in traces for r in trace.sent_own)


# -- a full disk ---------------------------------------------------------------------------------


class FullDisk:
    """Lets writing to one log fail, after half a record, from the moment that `is_full`."""

    def __init__(self, path, monkeypatch):
        self.path = path
        self.is_full = False
        self._write_all = logfile.write_all
        monkeypatch.setattr(logfile, "write_all", self.write_all)

    def write_all(self, descriptor, data):
        if self.is_full and os.path.samestat(os.fstat(descriptor), self.path.stat()):
            os.write(descriptor, bytes(data)[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._write_all(descriptor, data)


def test_a_full_disk_ends_the_node_with_one_sentence_and_the_log_stays_readable(
    tmp_path, monkeypatch
):
    disk = FullDisk(tmp_path / "Binh.climb", monkeypatch)

    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            before = len(read_log(disk.path).records)
            sent_by_binh = []
            monkeypatch.setattr(
                players[1].node.network, "send", lambda peer, frame: sent_by_binh.append(frame)
            )
            disk.is_full = True
            table.release()
            with pytest.raises(StoreError, match="the disk is full") as caught:
                await table.tasks["Binh"]
            assert caught.value.exit_code == 4
            assert "Binh.climb" in caught.value.text
            others = [players[0], players[2]]
            await eventually(lambda: all(player.heard(LinkDown) for player in others))
            # Nothing that Binh signed went out without being in the log.
            kept = {record.payload for record in read_log(disk.path).records}
            sent = {r for f in sent_by_binh if isinstance(f, Records) for r in f.records}
            assert set(filter(Trace(1).is_own, sent)) <= kept
            assert before <= len(kept)
            assert table.verdict("Binh") is Verdict.INCOMPLETE
            assert not any(table.tasks[name].done() for name in ("Ana", "Chi"))

    in_a_loop(test)


def test_a_log_that_cannot_be_made_ends_the_node_before_anything_is_signed(tmp_path):
    async def test():
        (tmp_path / "Binh.climb").write_bytes(b"mine")
        async with friends(tmp_path, 2) as table:
            await table.sit()
            with pytest.raises(StoreError, match="There is a log at"):
                await table.tasks["Binh"]
            await eventually(lambda: table.names_in_the_lobby() == ["Ana"])
        assert (tmp_path / "Binh.climb").read_bytes() == b"mine"

    in_a_loop(test)


# -- the journal ---------------------------------------------------------------------------------

TABLE = recorded(3)
ANA = TABLE.identities[0]
NOWHERE = Whereabouts("127.0.0.1", 27271)
FILES = {"table.climb", *(f"table.climb{suffix}" for suffix in (".guard", ".secrets", ".peers"))}


def create(path):
    return Journal.create(path, ANA, seeded_entropy("nonces"), NOWHERE)


def reopen(path, identity=ANA):
    return Journal.open(path, identity, seeded_entropy("more nonces"))


def fill(journal):
    for record in TABLE.records:
        journal.keep(Store(record, sync=False))
    journal.keep(Remember(b"place", b"signed", ()))
    journal.keep(Seal(b"head", b"secret"))
    return journal


def names(directory):
    return {each.name for each in directory.iterdir()}


def test_a_journal_gives_back_all_that_was_kept(tmp_path):
    path = tmp_path / "table.climb"
    journal = fill(create(path))
    home = Address("192.0.2.7", 5)
    journal.keep_addresses({b"k" * 32: (home,)})
    with pytest.raises(LockedError):
        reopen(path)
    journal.close(finished=False)
    assert names(tmp_path) == FILES
    opened = reopen(path)
    assert opened.records == tuple(TABLE.records)
    assert opened.guarded == {b"place": b"signed"}
    assert opened.secrets == {b"head": b"secret"}
    assert (opened.terms, opened.seat, opened.tail_copy) == (TABLE.terms, 0, None)
    assert opened.journal.whereabouts == Whereabouts("127.0.0.1", 27271, (), {b"k" * 32: (home,)})
    opened.journal.keep(Unseal((b"head",)))
    opened.journal.close(finished=False)
    assert reopen(path).secrets == {}


def test_a_torn_tail_is_cut_off_and_a_copy_kept(tmp_path):
    path = tmp_path / "table.climb"
    fill(create(path)).close(finished=False)
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    opened = reopen(path)
    assert opened.records == tuple(TABLE.records[:-1])
    assert whole[:-3] == path.read_bytes() + opened.tail_copy.read_bytes()


def test_records_of_a_step_and_later_come_from_the_disk_by_their_steps(tmp_path):
    path = tmp_path / "table.climb"
    journal = create(path)
    entries = [decode_record(record) for record in TABLE.records[1:]]
    middle = entries[len(entries) // 2].step
    for record in (TABLE.records[0], *reversed(TABLE.records[1:])):
        journal.keep(Store(record, sync=False))
    require_since(journal, entries, middle)
    journal.close(finished=False)
    require_since(reopen(path).journal, entries, middle)


def require_since(journal, entries, step):
    wanted = [entry for entry in entries if entry.step >= step]
    found = [decode_record(record) for record in journal.since(step)]
    assert [entry.step for entry in found] == sorted(entry.step for entry in wanted)
    assert {entry.id for entry in found} == {entry.id for entry in wanted}
    assert list(journal.since(entries[-1].step + 1)) == []


def test_only_the_identity_of_a_seat_opens_its_journal(tmp_path):
    path = tmp_path / "table.climb"
    fill(create(path)).close(finished=False)
    with pytest.raises(AdmissionError, match="no seat at the table") as caught:
        reopen(path, Identity.new(seeded_entropy("stranger")))
    assert caught.value.exit_code == 7
    with pytest.raises(MalformedError, match="another identity"):
        reopen(path, TABLE.identities[1])
    reopen(path).journal.close(finished=False)  # nobody holds the lock


def test_a_log_without_terms_is_no_table_to_come_back_to(tmp_path):
    path = tmp_path / "table.climb"
    create(path).close(finished=False)
    with pytest.raises(MalformedError, match="does not begin with the terms"):
        reopen(path)


def test_a_finished_table_keeps_its_log_alone_and_one_that_never_opened_leaves_nothing(tmp_path):
    fill(create(tmp_path / "first.climb")).close(finished=True)
    fill(create(tmp_path / "second.climb")).discard()
    assert names(tmp_path) == {"first.climb"}


def test_what_is_left_from_another_table_is_not_taken_over(tmp_path):
    path = tmp_path / "table.climb"
    fill(create(path)).close(finished=False)
    path.unlink()
    journal = create(path)
    journal.keep(Remember(b"place", b"of this table", ()))
    assert journal.sealed.secrets() == {}
    journal.close(finished=False)


@pytest.mark.parametrize("suffix", [".guard", ".secrets", ".peers"])
def test_a_journal_that_cannot_be_made_whole_gives_the_log_back(tmp_path, suffix):
    path = tmp_path / "table.climb"
    (tmp_path / f"table.climb{suffix}").mkdir()
    with pytest.raises(StoreError):
        create(path)
    assert not path.exists()
    FileLock.acquire(path).release()


def test_the_files_never_share_a_name(tmp_path):
    path = tmp_path / "table.guard"
    journal = fill(create(path))
    journal.close(finished=True)
    assert len(read_log(path).records) == len(TABLE.records)
