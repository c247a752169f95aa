"""One notice of every type, and the types there are."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from p2pclimb.cards import parse_cards
from p2pclimb.errors import ViolationError
from p2pclimb.games.combos import classify
from p2pclimb.games.options import Options
from p2pclimb.ledger import events
from p2pclimb.ledger.carried import Away, Carried
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.terms import SeatTerms, Terms
from p2pclimb.table import notices, roster

OPTIONS = Options.make("tienlen", {"deals": 2, "chops": "southern"})
NAMES = ["Ana", "Bob", "Chi", "Dan"]
TERMS = Terms(
    bytes(16),
    OPTIONS,
    tuple(
        SeatTerms(name, bytes([n]) * 32, bytes([n + 8]) * 32, 0 if n else n, n > 0)
        for n, name in enumerate(NAMES)
    ),
)
CARRIED = Carried(bytes(range(32)), (3, -1, 0, 0), (Away("Eva", bytes([9]) * 32, False, -2),))
AGAIN = replace(TERMS, carried=CARRIED)
GUEST = roster.Guest("Bob", bytes(32), bytes(32), 1, False)
ROSTER = roster.Roster(OPTIONS, (GUEST, None))


WINNER = Options.make("winner")


def combination(text: str, options: Options = OPTIONS):
    return classify(parse_cards(text), options)


EXAMPLES = (
    events.PlaceFilled(1, Kind.COMMIT, 1, 1, True, (2, 3)),
    events.DealBegan(1, 0, (0, 1, 2, 3)),
    events.DealRestarted(1, 1, (3,), {0: 1, 1: 1, 2: 1, 3: -3}),
    events.DealerDrawn(1, 2, True),
    events.CardsDealt(1, {0: 13, 1: 13, 2: 13, 3: 13}),
    events.LowestMissing(parse_cards("3s")[0]),
    events.LowestShown(parse_cards("3c")[0], (1,), 1),
    events.Played(1, combination("9c9h"), True, 11),
    events.Passed(2),
    events.LeadPassed(3, parse_cards("2s2h")),
    events.TrickTaken(1, 1),
    events.TrickCardShown(parse_cards("9h")[0], 1),
    events.TributeGiven(1, 2, parse_cards("RJ")[0]),
    events.TributeReturned(1, parse_cards("RJ")[0]),
    events.Offered(2, 1),
    events.CardTaken(1, 2, parse_cards("3d")[0]),
    events.Claimed(3, parse_cards("4c4d")),
    events.InstantWon(3, "four_twos", parse_cards("2s2c2d2h")),
    events.BombTaken(3, combination("9c9d9h", WINNER), True),
    events.SeatFinished(1, 1),
    events.Departed(3),
    events.RestShown(3, parse_cards("4s")),
    events.DealEnded(1, (1, 0, 2, 3), {0: 1, 1: 1, 2: 1, 3: -3}, {0: 1, 1: 1, 2: 1, 3: -3}),
    events.Missed(1, Kind.TURN, 1),
    events.Convicted(2, 9, "equivocation", "Chi (seat 3) signed two different entries (step 9)."),
    events.HistoryDropped(9),
    events.TableEnded("all agreed deals have been played"),
    notices.ChoiceAsked(1, parse_cards("3d7c")),
    notices.ClaimAsked(5, False),
    notices.OfferAsked(1, parse_cards("RJ")[0]),
    notices.HandDealt(parse_cards("3s 4s")),
    notices.Leaving(2),
    notices.LinkDown(1, "nobody answers"),
    notices.LinkUp(1),
    notices.NextDealWaits(2),
    notices.PeerFault(b"\x07" * 32, "A list is too long."),
    notices.RuleBroken(ViolationError("Bob lied.", seat=1, step=9, rule="proof")),
    notices.TurnBegan(0),
    notices.TimeRuns((1,), 20.0),
    notices.VoteStands(1, 1, (0, 2), (), (0, 1, 2, 3)),
    notices.PauseHeld((0, 1), False, (0, 1, 2, 3)),
    notices.NoMajority((0, 2), (0, 1, 2, 3)),
    notices.SeatElsewhere(),
    notices.EvidenceKept(2, "tables/evidence-3.climb"),
    roster.GuestCame(1, GUEST),
    roster.GuestRefused("Eve", "the table is full"),
    roster.GuestWent(1, "Bob", "he closed the program"),
    roster.LobbyClosed("the host has gone"),
    roster.RosterChanged(ROSTER, 0),
    roster.ScoresChecked(AGAIN, CARRIED),
    roster.TermsProposed(TERMS, 0),
)

TYPES = set(get_args(notices.Notice)) | set(get_args(roster.LobbyNotice))
