"""A seated player that turns against the table: the others play on, and say so in one line."""

import asyncio
from pathlib import Path

import pytest
from table_harness import eventually, friends, in_a_loop

from p2pclimb.audit.audit import audit
from p2pclimb.audit.findings import Verdict
from p2pclimb.games.moves import Pass
from p2pclimb.ledger.entry import MAX_ENTRY_SIZE, Kind, sign_entry, sign_leave
from p2pclimb.ledger.events import DealEnded, TableEnded
from p2pclimb.ledger.hands import Showing
from p2pclimb.ledger.place import Place
from p2pclimb.ledger.record import MAX_RECORD_SIZE, encode_record
from p2pclimb.ledger.steps.turn import write_turn
from p2pclimb.ledger.votes import Vote, sign_pause, sign_promise
from p2pclimb.net.frames import (
    Bye,
    Decline,
    Heads,
    Hello,
    Lobby,
    Piece,
    Records,
    Refused,
    Welcome,
)
from p2pclimb.net.frames import Terms as TermsFrame
from p2pclimb.net.pieces import frames_of
from p2pclimb.net.wire import MAX_FRAME, MAX_PIECES, PIECE_SIZE, encode_frame
from p2pclimb.store.logfile import read_log
from p2pclimb.table.notices import EvidenceKept, LinkDown, PeerFault, RuleBroken
from p2pclimb.table.roster import LobbyClosed, TermsProposed


class Mallory:
    """What a seated player can make of its keys and its connections."""

    def __init__(self, player):
        self.node = player.node
        self.session = player.session
        self.identity = self.session.identity
        self.peers = [
            seat.curve
            for number, seat in enumerate(self.session.terms.seats)
            if number != self.session.seat.number
        ]

    def send(self, *frames):
        for frame in frames:
            data = frame if isinstance(frame, bytes) else encode_frame(frame)
            for peer in self.peers:
                self.node.network._switchboard.send(peer, data)

    def entry(self, *, author=None, table=None, ahead=0, counter=1000, body=None, kind=None):
        position = self.session.ledger.position
        site = position.site
        return sign_entry(
            self.identity,
            table=table or position.table,
            deal=site.deal,
            attempt=site.attempt,
            place=Place(
                position.step + ahead,
                bytes(32) if ahead else position.previous,
                self.session.seat.number if author is None else author,
            ),
            counter=counter,
            kind=kind or site.kind,
            body=write_turn(Pass(), Showing((), (), b"")) if body is None else body,
        )


def records(*made):
    return Records(tuple(each if isinstance(each, bytes) else encode_record(each) for each in made))


def another_s_entry(mallory):
    return records(mallory.entry(author=0, ahead=1))


def another_s_leave(mallory):
    position = mallory.session.ledger.position
    return records(
        sign_leave(
            mallory.identity,
            table=position.table,
            deal=1,
            step=position.step,
            author=0,
            counter=9,
            head=position.previous,
        )
    )


FAULTS = {
    "no frame": lambda mallory: b"GET / HTTP/1.1\r\n\r\n",
    "an empty message": lambda mallory: b"",
    "an unknown kind": lambda mallory: b"\xc1\x33\x01\xff\x90",
    "a body that is not canonical": lambda mallory: b"\xc1\x33\x01\x11\xdc\x00\x00",
    "another version": lambda mallory: b"\xc1\x33\x63\x11\x90",
    "a record of noise": lambda mallory: records(b"\x93\x01\xc0\xc0"),
    "many records of noise": lambda mallory: records(*[b"\xff"] * 1000),
    "terms as a record": lambda mallory: records(mallory.session.terms),
    "a seat that is not there": lambda mallory: records(mallory.entry(author=7)),
    "another table": lambda mallory: records(mallory.entry(table=b"t" * 32)),
    "another's entry": another_s_entry,
    "another's farewell": another_s_leave,
    "a farewell of the whole program": lambda mallory: Bye("x", "\x1b[2Jgone"),
    "a program of the future": lambda mallory: Hello(9, 9, b"t" * 32, ()),
}


def test_a_peer_that_sends_nonsense_is_told_of_once_and_disturbs_nobody(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            honest = players[:2]
            for number, fault in enumerate(FAULTS.values(), 1):
                for player in honest:
                    forgive(player)
                mallory.send(fault(mallory))
                await eventually(lambda n=number: {len(p.heard(PeerFault)) for p in honest} == {n})
            mallory.send(*(fault(mallory) for fault in FAULTS.values()))  # once more: no more lines
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1
            for player in honest:
                assert len(player.heard(PeerFault)) == len(FAULTS)
                for told in player.heard(PeerFault):
                    assert told.peer == players[2].session.terms.seats[2].curve
                    assert told.text.isprintable()
                assert not player.heard(RuleBroken)

    in_a_loop(test)


def forgive(player):
    """Let a node forget that a peer was told of, why, and how much it has sent."""
    player.node.table._faulty.clear()
    player.node.network._switchboard._reasons.clear()
    player.node.network._switchboard._gate._listed.clear()


def test_words_of_the_lobby_count_for_nothing_at_the_table(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            # The host itself: in the lobby its words count, at the table it is a player like any.
            players, _ = await table.stand_still()
            Mallory(players[0]).send(
                Decline("no"),
                Refused("full", "full"),
                Welcome(1),
                Lobby((), 2, []),
                TermsFrame(b"\xff"),
                Hello(1, 1, b"t" * 32, ()),
            )
            table.release()
            await table.end()
            for player in players[1:]:
                assert player.heard(TableEnded)
                assert not player.heard(LobbyClosed)
                assert len(player.heard(TermsProposed)) == 1

    in_a_loop(test)


def test_a_message_beyond_all_bounds_costs_its_sender_the_link_and_nobody_else(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            Mallory(players[2]).send(bytes(10 * MAX_FRAME))
            await eventually(lambda: all(player.heard(LinkDown) for player in players[:2]))
            await eventually(lambda: all(player.node.links[2] for player in players[:2]))
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1

    in_a_loop(test)


def test_a_flood_is_shut_out_and_the_others_play_on(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            answered = spy_on_answers(players[0], mallory)
            old = Heads(0, mallory.session.ledger.position.table, ())
            for _ in range(20):
                mallory.send(*[old] * 100)
                await asyncio.sleep(0)
            await eventually(lambda: all(player.heard(PeerFault) for player in players[:2]))
            assert len(answered) <= 3 * 8  # two thousand questions, and the pool of a second
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1

    in_a_loop(test)


# -- large records in pieces ---------------------------------------------------------------------


def forged_pieces(mallory):
    """All pieces of a record that is not the one they name."""
    first, *rest = frames_of([bytes(MAX_RECORD_SIZE)])
    return [Piece(first.digest, 0, first.count, b"\1" * PIECE_SIZE), *rest]


LARGE = {
    "pieces of another record": forged_pieces,
    "noise": lambda mallory: frames_of([b"\xff" * MAX_RECORD_SIZE]),
    "nothing but lists": lambda mallory: frames_of([b"\x93" * MAX_RECORD_SIZE]),
    "more than any record has": lambda mallory: frames_of([bytes(MAX_PIECES * PIECE_SIZE)]),
    "a turn as large as a tribute": lambda mallory: frames_of(
        records(mallory.entry(body=[bytes(MAX_ENTRY_SIZE)])).records
    ),
    "another's tribute": lambda mallory: frames_of(
        records(
            mallory.entry(author=0, ahead=1, kind=Kind.TRIBUTE, body=[bytes(MAX_ENTRY_SIZE)])
        ).records
    ),
}


def test_large_records_that_are_none_are_told_of_and_disturb_nobody(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            honest = players[:2]
            for number, large in enumerate(LARGE.values(), 1):
                for player in honest:
                    forgive(player)
                mallory.send(*large(mallory))
                await eventually(lambda n=number: {len(p.heard(PeerFault)) for p in honest} == {n})
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1
            assert not any(player.heard(RuleBroken) for player in honest)

    in_a_loop(test)


def test_pieces_that_never_become_a_record_take_no_more_room_than_one(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            honest = players[:2]
            for number in range(40):
                name = number.to_bytes(32, "big")
                mallory.send(
                    *(Piece(name, n, MAX_PIECES, bytes(PIECE_SIZE)) for n in range(MAX_PIECES - 1))
                )
                await asyncio.sleep(0)
            await eventually(lambda: all(player.heard(PeerFault) for player in honest))
            for player in honest:
                (assembly,) = player.node.table._assemblies.values()
                assert sum(map(len, assembly._contents.values())) <= MAX_RECORD_SIZE
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1

    in_a_loop(test)


def test_a_large_early_tribute_is_no_offence(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            early = mallory.entry(ahead=5, kind=Kind.TRIBUTE, body=[bytes(3 * MAX_ENTRY_SIZE)])
            mallory.send(*frames_of(records(early).records))
            await eventually(
                lambda: all(early in player.session._reception.pool for player in players[:2])
            )
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1
            assert table.verdict("Ana") is Verdict.VALID

    in_a_loop(test)


def spy_on_answers(player, mallory):
    """Return the list of what a node sends to Mallory from now on."""
    sent = []
    links = player.node.network
    send = links.send
    own = mallory.session.terms.seats[mallory.session.seat.number].curve

    def instead(peer, frame):
        if peer == own and isinstance(frame, Records):
            sent.append(frame)
        return send(peer, frame)

    links.send = instead
    return sent


def test_of_a_peer_that_sends_forged_signatures_hardly_anything_is_verified(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            links = players[0].node.network
            charge, charged = links.charge, []
            links.charge = lambda peer: (charged.append(peer), charge(peer))
            forged = encode_record(mallory.entry(ahead=1))[:-1] + b"\x00"
            mallory.send(*[records(forged)] * 180)  # fewer than are a flood as such
            await eventually(lambda: charged)  # how often depends on what is left of its allowance
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1
            assert set(charged) == {mallory.session.terms.seats[2].curve}
            assert len(charged) < 60  # what was read at once before the first was verified

    in_a_loop(test)


def test_signed_entries_for_places_that_do_not_exist_are_neither_kept_nor_an_offence(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            for batch in range(20):
                mallory.send(
                    records(
                        *(
                            mallory.entry(ahead=5 + k % 100, counter=1000 + 100 * batch + k)
                            for k in range(100)
                        )
                    )
                )
                await asyncio.sleep(0)
            table.release()
            sessions = await table.end()
            assert len({session.ledger.position.previous for session in sessions}) == 1
            assert table.verdict("Ana") is Verdict.VALID

    in_a_loop(test)


def pauses(mallory, count):
    table = mallory.session.ledger.position.table
    return [
        sign_pause(mallory.identity, table=table, author=2, counter=5000 + n, asks=n % 2 == 0)
        for n in range(count)
    ]


def promises(mallory, count):
    """Promises of ever higher ballots on the place for which the table waits."""
    position = mallory.session.ledger.position
    place = Place(position.step, position.previous, position.waiting()[0])
    return [
        sign_promise(mallory.identity, Vote(position.table, place, n, 2, 5000 + n))
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("made", [pauses, promises])
def test_what_many_signed_records_cost_the_others_is_bounded_and_nobody_blames_another(
    tmp_path, made
):
    async def test():
        # Who hears of records of its own that it has not signed signs no more: it is passed over.
        async with friends(tmp_path, 3, duty_seconds=5, turn_seconds=5) as table:
            players, _ = await table.stand_still()
            mallory = Mallory(players[2])
            sizes = [table.log_path_of(name).stat().st_size for name in ("Ana", "Binh")]
            many = made(mallory, 400)
            mallory.send(records(*many[:200]), records(*many[200:]), Bye("x", "that was all"))
            await eventually(lambda: all(player.heard(PeerFault) for player in players[:2]))
            for name, size in zip(("Ana", "Binh"), sizes, strict=True):
                assert table.log_path_of(name).stat().st_size < size + 20_000
            table.release()
            sessions = await table.end("Ana", "Binh")
            assert len({session.ledger.position.previous for session in sessions}) == 1
            for player in players[:2]:
                blamed = {told.peer for told in player.heard(PeerFault)}
                assert blamed == {player.session.terms.seats[2].curve}

    in_a_loop(test)


# -- offences that are signed --------------------------------------------------------------------


async def convicted(table, *names):
    """Wait until these nodes have ended, after a deal that broke off; return what convicts."""
    sessions = await table.end(*names)
    assert all(session.ledger.ended for session in sessions)
    for name in names:
        assert len(table.players[name].heard(RuleBroken)) == 1
        assert table.players[name].heard(DealEnded)
    return [each.violation for s in sessions for each in s.ledger.convictions.values()]


async def until_it_is_the_turn_of(table, number):
    """Release everybody, one turn after another, until a seat is held in its own turn."""
    players = await table.sit(held_at={("Ana", "Binh", "Chi")[number]: 2})
    await eventually(lambda: players[number].is_held)
    return players


def test_two_different_entries_for_one_place_convict_their_author_everywhere(tmp_path):
    async def test():
        async with friends(tmp_path, 3) as table:
            players = await until_it_is_the_turn_of(table, 2)
            mallory = Mallory(players[2])
            one, two = mallory.entry(counter=1000), mallory.entry(counter=1001)
            for peer, entry in zip(mallory.peers, (one, two), strict=True):
                mallory.node.network.send(peer, records(entry))
            violations = await convicted(table, "Ana", "Binh")
            # Each entry is an illegal play too, if its check ends before the other entry comes.
            assert {(v.seat, v.exit_code) for v in violations} == {(2, 1)}
            assert {v.rule for v in violations} <= {"equivocation", "illegal-play"}
            assert table.verdict("Ana") is Verdict.VIOLATION
            assert table.verdict("Binh") is Verdict.VIOLATION
            both = table.report("Ana", "Binh")
            assert ("equivocation", 2) in {(found.rule, found.seat) for found in both.findings}

    in_a_loop(test)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param([], id="no turn at all"),
        pytest.param([7], id="an unknown turn"),
        pytest.param([1, [51], b"", b""], id="a card that is not shown"),
    ],
)
def test_a_signed_body_that_is_no_legal_turn_convicts_its_author(tmp_path, body):
    async def test():
        async with friends(tmp_path, 3) as table:
            players = await until_it_is_the_turn_of(table, 2)
            mallory = Mallory(players[2])
            mallory.send(records(mallory.entry(body=body)))
            violations = await convicted(table, "Ana", "Binh")
            assert {violation.seat for violation in violations} == {2}
            assert table.verdict("Binh") is Verdict.VIOLATION
            await eventually(lambda: players[1].heard(EvidenceKept))
            path = Path(players[1].heard(EvidenceKept)[0].path)
            evidence = [record.payload for record in read_log(path).records]
            assert audit(evidence).verdict is Verdict.VIOLATION

    in_a_loop(test)
