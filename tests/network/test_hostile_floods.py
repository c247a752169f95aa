"""Floods against real processes: others play on, memory stays flat, and the log is untouched."""

import time

import pytest
from strangers import GREETING, at_the_door, dribble, talk, unknown_keys

from p2pclimb.ledger.entry import Entry
from p2pclimb.ledger.record import decode_record
from p2pclimb.net.invitation import parse_invitation
from p2pclimb.store.logfile import read_log

SECONDS = 4
MEGABYTES = 25  # what queues and the history may take; floods are many times as much


def watched(seats, begin, seconds=SECONDS):
    """Watch the first seat during a flood; return by how many megabytes it grew at most."""
    victim = seats.all[0]
    before = largest = victim.megabytes()
    while time.monotonic() < begin + seconds:
        largest = max(largest, victim.megabytes())
        time.sleep(0.05)
    return largest - before


def log_of(seat):
    return [record.payload for record in read_log(seat.log).records]


def require_a_clean_log(seats):
    """Require that nothing but the entries of one history is in the logs of the honest."""
    for seat in seats.all[:2]:
        records = log_of(seat)
        assert len(set(records)) == len(records)
        places = [each.place for each in map(decode_record, records) if isinstance(each, Entry)]
        assert len(set(places)) == len(places)
    first, second = (set(log_of(seat)) for seat in seats.all[:2])
    assert first == second


def slowest_play(seats, begin):
    """Return how many seconds a play of one of the first two took, at most, to the other."""
    seconds = [0.0]
    for one, other in (seats.all[:2], seats.all[1::-1]):
        for acted in one.heard("acted", begin):
            shown = other.until("place-filled", step=acted["step"])
            seconds.append(shown["at"] - acted["at"])
    return max(seconds)


@pytest.mark.parametrize("kind", ["malformed", "changing-heads", "replays", "deaf"])
def test_a_seated_player_that_floods_the_table(seats, kind):
    seats.sit([None] * 3, pace=0.15)
    begin = time.monotonic()
    seats.all[2].order("flood", kind, 2000, SECONDS)
    growth = watched(seats, begin)
    # Its own plays drown in its flood, so the others may have waited for its turn.
    assert slowest_play(seats, begin) < 1
    assert seats.all[2].until("flooded")["sent"] > 1000, "that was no flood"
    assert growth < MEGABYTES
    seats.end()
    for seat, other in zip(seats.all[:2], (1, 0), strict=True):
        (told,) = seat.heard("peer-fault")
        assert told["text"].isprintable()
        assert not seat.heard("link-down", seat=other)
    require_a_clean_log(seats)


def test_strangers_at_the_door(seats):
    seats.sit([None] * 3, pace=0.15)
    victim = seats.all[0]
    invitation = parse_invitation(victim.heard("opened")[0]["invitations"][0])
    (home,) = invitation.addresses
    calls = [
        talk(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        talk(b"\xff" * 5000),
        talk(GREETING),
        dribble,
        unknown_keys(invitation.host_key),
    ]
    begin = time.monotonic()
    with at_the_door(home.port, SECONDS, *calls):
        growth = watched(seats, begin)
    plays = victim.heard("turn-began", begin)
    assert growth < MEGABYTES
    assert len(plays) >= 6, "the table stood still meanwhile"
    seats.end()
    for seat in seats.all:
        assert not seat.heard("peer-fault")
        assert not seat.heard("link-down")
    require_a_clean_log(seats)
