"""The bodies that a seat owes to the ledger, made from its secrets.

Everything but a play is owed by the rules and made without asking anybody.  `duty` returns the
body for the present stage; plays come from a person or a bot as an `Intent`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pclimb.cards import Card
from p2pclimb.crypto.absence import prove_absence
from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import encode_points
from p2pclimb.crypto.masking import encode_deck, share
from p2pclimb.crypto.shares import prove_opening, prove_shares
from p2pclimb.crypto.shuffle import prove_shuffle, shuffle
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.moves import LeadPass, Pass, Play
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.agree import Agreeing
from p2pclimb.ledger.steps.close import Closing
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.lowest import Seeking
from p2pclimb.ledger.steps.opening import Opening
from p2pclimb.ledger.steps.reveal import Revealing, commitment
from p2pclimb.ledger.steps.shares import Sharing
from p2pclimb.ledger.steps.shuffle import Shuffling
from p2pclimb.ledger.steps.turn import Turning, write_turn
from p2pclimb.seat.secrets import DealSecrets, read_hand

__all__ = ["Seat", "duty", "play_body"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Whose duties are asked for: the seat's number and the source of its randomness."""

    number: int
    entropy: Entropy


def duty(
    seat: Seat, position: Position, secrets: DealSecrets | None, reachable: Sequence[int]
) -> list[Value]:
    """Return the body that the seat owes at this position.

    The position must wait for the seat, and not for a play.  `secrets` belong to this deal and
    attempt; `reachable` are the seats that this node is connected to, for `close`.
    """
    site = position.site
    assert site is not None
    stage = position.stage
    if isinstance(stage, Opening | Agreeing):
        return []
    assert secrets is not None
    match stage:
        case Committing():
            context = site.context(seat.number, stage.match.seats)
            key, possession = secrets.keys.public, secrets.possession
            return [commitment(context, secrets.coin, key, possession)]
        case Revealing():
            return [secrets.coin, bytes(secrets.keys.public), secrets.possession]
        case Shuffling():
            return _shuffle_body(seat, site, stage)
        case Sharing():
            return _shares_body(seat, site, stage, secrets)
        case Seeking():
            return _lowest_body(seat, site, stage, secrets)
        case Closing():
            return _close_body(seat, site, stage, secrets, reachable)
        case _:
            raise AssertionError(f"a {type(stage).__name__} asks for no duty")


def play_body(
    seat: Seat, position: Position, secrets: DealSecrets, hand: Mapping[int, int], play: Play
) -> list[Value]:
    """Return the body of a turn that the rules allow; `hand` is as `read_hand` gives it.

    Raises InvalidPlayError or IllegalPlayError, with the reason, for anything else, and for cards
    that are not in the seat's hand.
    """
    stage, site = position.stage, position.site
    if not isinstance(stage, Turning) or site is None:
        raise IllegalPlayError("It is not your turn.")
    stage.state.check(play, seat.number)
    if isinstance(play, Pass):
        return write_turn(play, Showing((), (), b""))
    cards = play.hand if isinstance(play, LeadPass) else play.cards
    places = _places_of(stage.hands, seat.number, hand, cards)
    context = site.context(seat.number, stage.cast.seats, stage.cast.keys)
    return write_turn(play, _showing(seat, stage.hands, secrets, places, context))


def _shuffle_body(seat: Seat, site: Site, stage: Shuffling) -> list[Value]:
    cast = stage.cast
    context = site.context(seat.number, cast.seats, cast.keys)
    after, witness = shuffle(stage.deck, cast.joint, seat.entropy)
    proof = prove_shuffle(stage.deck, after, witness, cast.joint, context, seat.entropy)
    return [encode_deck(after), proof]


def _shares_body(seat: Seat, site: Site, stage: Sharing, secrets: DealSecrets) -> list[Value]:
    cast = stage.cast
    context = site.context(seat.number, cast.seats, cast.keys)
    ciphertexts = [stage.deck[place] for place in stage.owed_places(seat.number)]
    shares = [share(secrets.keys.secret, ciphertext) for ciphertext in ciphertexts]
    proof = prove_shares(secrets.keys, ciphertexts, shares, context, seat.entropy)
    return [encode_points(shares), proof]


def _lowest_body(seat: Seat, site: Site, stage: Seeking, secrets: DealSecrets) -> list[Value]:
    hands, cast = stage.hands, stage.cast
    context = site.context(seat.number, cast.seats, cast.keys)
    copies = set(stage.copies())
    hand = read_hand(hands, seat.number, secrets)
    places = tuple(place for place, card in hand.items() if card in copies)
    if places:
        return [True, *_showing(seat, hands, secrets, places, context).write()]
    residuals = [hands.residuals[place] for place in hands.in_hand(seat.number)]
    proof = prove_absence(secrets.keys, residuals, stage.candidates(), context, seat.entropy)
    return [False, proof]


def _close_body(
    seat: Seat, site: Site, stage: Closing, secrets: DealSecrets, reachable: Sequence[int]
) -> list[Value]:
    context = site.context(seat.number, stage.cast.seats, stage.cast.keys)
    places = stage.owed_places(site, seat.number)
    showing = _showing(seat, stage.hands, secrets, places, context)
    payments = [[number, amount] for number, amount in stage.payments.items()]
    return [payments, list(reachable), *showing.write()]


def _showing(
    seat: Seat, hands: Hands, secrets: DealSecrets, places: tuple[int, ...], context: bytes
) -> Showing:
    residuals = [hands.residuals[place] for place in hands.closed(places)]
    if not residuals:
        return Showing(places, (), b"")
    shares = tuple(share(secrets.keys.secret, residual) for residual in residuals)
    proof = prove_opening(secrets.keys, residuals, shares, context, seat.entropy)
    return Showing(places, shares, proof)


def _places_of(
    hands: Hands, seat: int, hand: Mapping[int, int], cards: tuple[Card, ...]
) -> tuple[int, ...]:
    """Return the places of cards in the hand; of two twins the public one, else the first."""
    held = sorted(hands.in_hand(seat), key=lambda place: place not in hands.known)
    places = []
    for card in cards:
        place = next((p for p in held if hands.faces[hand[p]] == card), None)
        if place is None:
            raise IllegalPlayError(f"{card} is not in your hand.")
        held.remove(place)
        places.append(place)
    return tuple(sorted(places))
