"""A lobby and those who ask to be let in, made from seeds."""

from simulator import seeded_entropy

from p2pclimb.crypto.identity import Identity
from p2pclimb.games.options import Options
from p2pclimb.lobby.guest import GuestLobby
from p2pclimb.lobby.host import Announce, Answer, HostLobby
from p2pclimb.net.address import Address
from p2pclimb.net.admission import Admission
from p2pclimb.net.frames import Refused, RosterSeat
from p2pclimb.table.roster import GuestRefused

HOME = (Address("192.0.2.1", 27271),)


def identity(seed):
    return Identity.new(seeded_entropy(seed))


def host_lobby(seats=3, *, name="Ana", **settings):
    """Return the lobby of Ana, who sits in the first of `seats` seats."""
    ana = identity("Ana")
    curve, _ = ana.curve_key_pair()
    own = RosterSeat(name, ana.public, curve, 0, False, HOME)
    options = Options.make("tienlen", settings)
    return HostLobby(
        b"L" * 16,
        options,
        [own, *[None] * (seats - 1)],
        Admission(lobby_open=True),
        HOME,
        seeded_entropy("lobby"),
    )


class Visitor:
    """Somebody with an identity, a connection and an invitation."""

    def __init__(self, lobby, name, invitation=None, *, seed=None, is_bot=False):
        self.lobby = lobby
        self.identity = identity(seed or name)
        self.curve, _ = self.identity.curve_key_pair()
        invitation = invitation or lobby.invite(own_bot=is_bot)
        self.side = GuestLobby(invitation, self.identity, name, is_bot)

    def request(self):
        return self.side.request((Address("198.51.100.7", 5),))

    def join(self, request=None):
        return self.lobby.join(self.curve, request or self.request())


def answers(effects, peer):
    return [
        effect.frame for effect in effects if isinstance(effect, Answer) and effect.peer == peer
    ]


def notices(effects):
    return [effect.notice for effect in effects if isinstance(effect, Announce)]


def refusal(effects):
    """Return why somebody was refused; nothing else may have come of it."""
    match effects:
        case [Answer(_, Refused(code, text)), Announce(GuestRefused(_, told))]:
            assert text == told
            return code, text
    raise AssertionError(f"not a refusal: {effects}")
