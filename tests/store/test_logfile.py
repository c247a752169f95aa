import errno
import io
import os
import stat
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import ClimbError, LockedError, MalformedError, StoreError, UnsupportedError
from p2pclimb.ledger.record import MAX_RECORD_SIZE
from p2pclimb.store import files, frames, logfile
from p2pclimb.store.frames import HEADER, MAX_PAYLOAD
from p2pclimb.store.logfile import LogFile, read_log, repair

PAYLOADS = (b"first", b"second record", b"\x00" * 40, b"last")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tables" / "friday.climb"


def write_log(path, payloads=PAYLOADS):
    with LogFile.create(path) as log:
        for payload in payloads:
            log.append(payload, sync=False)
        log.sync()
    return path.read_bytes()


def payloads_of(path):
    return tuple(record.payload for record in read_log(path).records)


def test_records_are_read_back_in_order_with_their_offsets(path):
    whole = write_log(path)
    contents = read_log(path)
    assert tuple(r.payload for r in contents.records) == PAYLOADS
    assert contents.torn_at is None
    for record in contents.records:
        start = record.offset + 8
        assert whole[start : start + len(record.payload)] == record.payload


def test_the_bytes_on_disk_are_the_documented_format(path):
    # CRC-32 of 00000002 6869, big endian
    assert write_log(path, [b"hi"]) == b"\x89CLIMB\n\x01" + bytes.fromhex("000000022b0c4d9e6869")


def test_appending_goes_on_after_opening_again(path):
    write_log(path)
    opened = LogFile.open(path)
    assert tuple(r.payload for r in opened.records) == PAYLOADS
    assert opened.tail_copy is None
    with opened.log as log:
        log.append(b"more", sync=True)
    assert payloads_of(path) == (*PAYLOADS, b"more")


def test_the_file_is_private_and_is_not_created_over_another(path):
    write_log(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(StoreError, match="already"):
        LogFile.create(path)
    assert payloads_of(path) == PAYLOADS


def test_one_process_at_a_time_but_readers_always(path):
    with LogFile.create(path) as log:
        log.append(b"first", sync=False)
        for attempt in (LogFile.create, LogFile.open, repair):
            with pytest.raises(LockedError):
                attempt(path)
        assert payloads_of(path) == (b"first",)
    LogFile.open(path).log.close()


def test_a_failed_create_or_open_gives_the_lock_back(path):
    with pytest.raises(StoreError, match="no such file"):
        LogFile.open(path)
    assert not path.parent.exists()
    path.parent.mkdir()
    path.write_bytes(b"something else")
    with pytest.raises(MalformedError):
        LogFile.open(path)
    with pytest.raises(StoreError):
        LogFile.create(path)
    path.unlink()
    LogFile.create(path).close()


def test_sync_flushes_the_log_itself_before_it_returns(path, monkeypatch):
    flushed = []
    flush = logfile.flush_to_disk

    def record(descriptor):
        flushed.append((os.fstat(descriptor).st_ino, os.fstat(descriptor).st_size))
        flush(descriptor)

    with LogFile.create(path) as log:
        monkeypatch.setattr(logfile, "flush_to_disk", record)
        log.append(b"first", sync=False)
        assert flushed == []
        log.append(b"second", sync=True)
    assert flushed == [(path.stat().st_ino, path.stat().st_size)]


def test_every_cut_is_a_torn_tail_or_a_shorter_log(path):
    whole = write_log(path)
    ends = [len(HEADER)]
    for payload in PAYLOADS:
        ends.append(ends[-1] + 8 + len(payload))
    for length in range(len(HEADER), len(whole)):
        path.write_bytes(whole[:length])
        contents = read_log(path)
        kept = max(index for index, end in enumerate(ends) if end <= length)
        assert tuple(r.payload for r in contents.records) == PAYLOADS[:kept]
        assert contents.torn_at == (None if length in ends else ends[kept])


def test_a_torn_tail_is_cut_on_opening_with_a_copy_kept(path):
    whole = write_log(path)
    path.write_bytes(whole[:-2])
    end = read_log(path).torn_at
    for name in (f"friday.climb.tail-{end}", f"friday.climb.tail-{end}-2"):
        opened = LogFile.open(path)
        opened.log.close()
        assert opened.tail_copy == path.with_name(name)
        assert opened.tail_copy.read_bytes() == whole[end:-2]
        assert tuple(r.payload for r in opened.records) == PAYLOADS[:-1]
        assert path.read_bytes() == whole[:end]
        path.write_bytes(whole[:-2])  # torn once more at the same place


def test_reading_changes_nothing(path):
    whole = write_log(path)
    path.write_bytes(whole[:-2])
    before = sorted(path.parent.iterdir()), path.stat().st_mtime_ns
    read_log(path)
    assert (sorted(path.parent.iterdir()), path.stat().st_mtime_ns) == before
    assert path.read_bytes() == whole[:-2]


def test_no_flipped_bit_passes_unnoticed(path):
    whole = write_log(path)
    last = read_log(path).records[-1].offset
    for bit in range(len(whole) * 8):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            contents = read_log(path)
        except (MalformedError, UnsupportedError):
            assert bit // 8 < last
        else:
            # only the last frame cannot be told from one whose writing was interrupted
            assert bit // 8 >= last
            assert contents.torn_at == last


def test_damage_before_the_end_is_refused_with_its_offset_and_left_alone(path):
    whole = write_log(path)
    second = read_log(path).records[1].offset
    damaged = bytearray(whole)
    damaged[second + 10] ^= 1
    path.write_bytes(damaged)
    for attempt in (read_log, LogFile.open):
        with pytest.raises(MalformedError, match=f"damaged at byte {second}") as caught:
            attempt(path)
        assert "log repair" in caught.value.hint
    assert path.read_bytes() == damaged


def test_a_length_that_reaches_beyond_the_file_is_damage_when_whole_records_follow(path):
    whole = bytearray(write_log(path))
    second = read_log(path).records[1].offset
    whole[second + 1] = 4  # 256 KiB: more than there is, less than the most
    path.write_bytes(whole)
    with pytest.raises(MalformedError, match=f"byte {second}"):
        read_log(path)


def test_more_unreadable_bytes_than_one_frame_are_damage(path):
    whole = write_log(path)
    longest = 8 + MAX_PAYLOAD
    path.write_bytes(whole + bytes(longest))
    assert read_log(path).torn_at == len(whole)
    path.write_bytes(whole + bytes(longest + 1))
    with pytest.raises(MalformedError, match=f"byte {len(whole)}"):
        read_log(path)


@pytest.mark.parametrize("data", [b"", b"\x89CLIMB\n", b"PK\x03\x04 is a zip", b"\x89CLIMB\n\x00"])
def test_what_is_no_log_is_told(path, data):
    path.parent.mkdir()
    path.write_bytes(data)
    with pytest.raises(MalformedError, match="not a p2pclimb log"):
        read_log(path)


def test_a_newer_format_is_told_apart(path):
    path.parent.mkdir()
    path.write_bytes(b"\x89CLIMB\n\x02 whatever follows")
    with pytest.raises(UnsupportedError, match="log format 2"):
        read_log(path)


def test_a_directory_or_a_missing_file_is_a_store_error(tmp_path):
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(StoreError, match="Cannot read"):
            read_log(path)


def test_a_log_can_be_read_from_a_pipe(path, tmp_path):
    whole = write_log(path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(whole,))
    writer.start()
    assert payloads_of(pipe) == PAYLOADS
    writer.join()


def test_the_largest_record_of_a_table_fits():
    assert MAX_RECORD_SIZE <= MAX_PAYLOAD


@pytest.mark.parametrize("size", [0, MAX_PAYLOAD + 1])
def test_a_payload_out_of_bounds_is_refused_before_anything_is_written(path, size):
    with LogFile.create(path) as log:
        log.append(bytes(MAX_PAYLOAD), sync=False)
        with pytest.raises(MalformedError, match=str(size)):
            log.append(bytes(size), sync=False)
    assert payloads_of(path) == (bytes(MAX_PAYLOAD),)


def test_a_full_disk_leaves_whole_records_and_writing_goes_on_later(path, monkeypatch):
    write = os.write

    def fills_up(descriptor, data):
        if len(data) <= 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[:-4])

    with LogFile.create(path) as log:
        log.append(b"first", sync=False)
        with monkeypatch.context() as patch:
            patch.setattr(files.os, "write", fills_up)
            with pytest.raises(StoreError, match="disk is full"):
                log.append(b"second", sync=True)
        assert (payloads_of(path), read_log(path).torn_at) == ((b"first",), None)
        log.append(b"third", sync=True)
    assert payloads_of(path) == (b"first", b"third")


def test_after_a_failed_flush_nothing_more_is_claimed(path, monkeypatch):
    def fail(descriptor):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with LogFile.create(path) as log:
        with monkeypatch.context() as patch:
            patch.setattr(logfile, "flush_to_disk", fail)
            with pytest.raises(StoreError, match="input/output"):
                log.append(b"first", sync=True)
        for again in (lambda: log.append(b"second", sync=False), log.sync):
            with pytest.raises(StoreError, match="could not be written before"):
                again()


def test_a_half_written_record_that_cannot_be_taken_back_stops_writing(path, monkeypatch):
    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with LogFile.create(path) as log:
        with monkeypatch.context() as patch:
            patch.setattr(files.os, "write", fail)
            patch.setattr(logfile.os, "ftruncate", fail)
            with pytest.raises(StoreError, match="input/output"):
                log.append(b"first", sync=False)
        with pytest.raises(StoreError, match="could not be written before"):
            log.append(b"second", sync=False)


def test_a_closed_log_refuses_to_write(path):
    log = LogFile.create(path)
    log.close()
    log.close()
    with pytest.raises(StoreError, match="closed"):
        log.append(b"late", sync=False)


def test_repair_keeps_the_records_before_the_damage_and_a_copy_of_all(path):
    whole = bytearray(write_log(path))
    third = read_log(path).records[2].offset
    whole[third + 9] ^= 1
    path.write_bytes(whole)
    done = repair(path)
    assert done.kept == 2
    assert done.copy.read_bytes() == whole
    assert (payloads_of(path), read_log(path).torn_at) == (PAYLOADS[:2], None)


def test_repair_leaves_a_whole_log_alone(path):
    whole = write_log(path)
    assert repair(path) == logfile.Repair(len(PAYLOADS), None)
    assert path.read_bytes() == whole


def test_repair_does_not_touch_what_is_no_log(path):
    path.parent.mkdir()
    path.write_bytes(b"precious photographs")
    with pytest.raises(MalformedError):
        repair(path)
    assert path.read_bytes() == b"precious photographs"


@given(st.binary(max_size=300))
def test_only_the_error_tree_escapes_the_reader(tail):
    for data in (tail, HEADER + tail, HEADER + frames.frame(b"first") + tail):
        try:
            found = frames.scan(io.BytesIO(data), "file")
        except ClimbError:
            continue
        assert found.end + found.torn == len(data) or found.damaged


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=8))
def test_what_is_framed_is_what_is_read(payloads):
    data = HEADER + b"".join(map(frames.frame, payloads))
    found = frames.scan(io.BytesIO(data), "file")
    assert [record.payload for record in found.records] == payloads
    assert (found.end, found.torn, found.damaged) == (len(data), 0, False)
