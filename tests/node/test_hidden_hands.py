"""What an eavesdropper with every file and every frame of a table learns of the hands: nothing.

The test plays to the middle of a deal and records all that any node wrote or sent, below the
encryption of the links.  Of each closed card it then looks for everything that would open it.
"""

import os
from types import SimpleNamespace

import pytest
from table_harness import eventually, friends, in_a_loop

from p2pclimb.crypto.group import encode_scalar, subtract
from p2pclimb.crypto.masking import card_points, share
from p2pclimb.ledger.terms import Terms
from p2pclimb.net.sockets import send_now
from p2pclimb.node import entrances
from p2pclimb.store import logfile
from p2pclimb.store.files import write_all


class Eavesdropper:
    """Has every byte that was written to a file or handed to a socket, and no key."""

    def __init__(self, monkeypatch):
        self.heard = []
        self.drawn = []

        def spy_send(socket, parts):
            self.heard.append(b"|".join(parts))
            return send_now(socket, parts)

        def spy_write(descriptor, data):
            self.heard.append(bytes(data))
            write_all(descriptor, data)

        def spy_entropy(size):
            data = os.urandom(size)
            self.drawn.append(data)
            return data

        monkeypatch.setattr("p2pclimb.net.inbox.send_now", spy_send)
        monkeypatch.setattr("p2pclimb.net.dialler.send_now", spy_send)
        monkeypatch.setattr(logfile, "write_all", spy_write)
        monkeypatch.setattr("p2pclimb.store.files.write_all", spy_write)
        monkeypatch.setattr(entrances, "os", SimpleNamespace(urandom=spy_entropy))

    def everything(self, directory):
        files = [path.read_bytes() for path in directory.rglob("*") if path.is_file()]
        return b"\n".join(self.heard + files)


@pytest.fixture
def eavesdropper(monkeypatch):
    return Eavesdropper(monkeypatch)


def closed_places(hands):
    return [p for p, owner in enumerate(hands.owners) if owner is not None and p not in hands.known]


def openings(hands, place):
    """Return, for each card of the pack, the 32 bytes that would open the place as that card.

    A place is an encryption (A, B) under its owner's key alone; its card is B less the owner's
    share.  So whatever share gives a card is B less that card, and there is no other.
    """
    return [bytes(subtract(hands.residuals[place].b, card)) for card in card_points(52)]


def test_neither_frames_nor_files_hold_what_would_open_a_closed_card(tmp_path, eavesdropper):
    async def test():
        async with friends(tmp_path, 3, chops="southern") as table:
            players, _ = await table.stand_still(turn=3)
            # A play may be on its way: its cards are open as soon as its author has signed it.
            await eventually(lambda: len({p.ledger.position.previous for p in players}) == 1)
            heard = eavesdropper.everything(tmp_path)
            hands = players[0].ledger.position.hands
            closed = closed_places(hands)
            assert closed
            assert hands.known
            # The search finds what is there: the shares of the cards that were played.
            for place, card in hands.known.items():
                assert openings(hands, place)[card] in heard
            for place in closed:
                assert not any(opening in heard for opening in openings(hands, place))
            check_secrets(players, heard)
            check_draws(eavesdropper, players, heard)

    in_a_loop(test)


def check_secrets(players, heard):
    """No key of the deal, no share of one's own closed cards, no identity was written or sent."""
    for player in players:
        session = player.session
        secrets = session._own.secrets
        assert encode_scalar(secrets.keys.secret) not in heard
        assert bytes(secrets.keys.public) in heard
        hands = session.ledger.position.hands
        for place in hands.in_hand(session.seat.number):
            own = share(secrets.keys.secret, hands.residuals[place])
            assert (bytes(own) in heard) == (place in hands.known)
        assert session.identity.seed not in heard
        assert session.identity.curve_key_pair()[1] not in heard


def check_draws(eavesdropper, players, heard):
    """Of all the randomness that was drawn, only what is meant to be public was told."""
    meant = {player.session._own.secrets.coin for player in players}
    terms: Terms = players[0].session.terms
    meant |= {terms.nonce}
    long = [data for data in eavesdropper.drawn if len(data) >= 16 and data not in meant]
    assert len(long) > 150  # nonces and masks of three shuffles, shares and openings
    told = [data for data in long if data in heard]
    # The lobby's id, and the secrets of the invitations, which are used up.
    assert {len(data) for data in told} == {16}
    assert len(told) == 1 + (len(players) - 1)


def test_errors_and_representations_of_a_node_hold_no_card_and_no_key(tmp_path):
    async def test():
        async with friends(tmp_path, 2) as table:
            players, _ = await table.stand_still()
            for player in players:
                session = player.session
                shown = repr(session) + repr(session.seat) + repr(session._owing)
                shown += repr(player.node.who) + repr(session._own.secrets) + repr(player.told_of)
                secret = session._own.secrets.keys.secret
                assert str(secret) not in shown
                assert encode_scalar(secret).hex() not in shown
                assert repr(session.identity.seed) not in shown
                closed = closed_places(session.ledger.position.hands)
                assert closed
                assert repr(session.cards()) not in shown

    in_a_loop(test)
